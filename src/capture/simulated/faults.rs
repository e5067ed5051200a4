//! Bad frames: what a loose cable, a hunting lens or a full bus makes of a good one.

use super::noise::mix;
use super::passing::Fault;
use crate::types::Picture;
use crate::types::picture::{channels, packed};

/// Side of the blocks in which data gets lost, in px.
const BLOCK: usize = 16;

/// Spoils a frame; `before` is an earlier one, `detail` decides how.
pub fn spoil(out: &mut Picture, before: &Picture, fault: Fault, detail: u64) {
    let (w, h) = (out.width() as usize, out.height() as usize);
    if w == 0 || h == 0 {
        return;
    }
    // Somewhere in the upper half, so that much of the picture is bad.
    let from = detail as usize % (h / 2).max(1);
    match fault {
        Fault::Blocks => blocks(out, from, detail),
        Fault::Torn => {
            let shift = w / 12 + (detail >> 20) as usize % (w / 4).max(1);
            for (y, row) in out.pixels_mut().chunks_exact_mut(w).enumerate().skip(from) {
                if before.pixels().len() == w * h && detail.is_multiple_of(2) {
                    row.copy_from_slice(before.row(y as u32));
                }
                row.rotate_right(shift);
            }
        }
        Fault::Blurred => blur(out, 10 + (detail >> 20) as usize % 14),
        Fault::Flash => {
            for pixel in out.pixels_mut() {
                *pixel = packed(channels(*pixel).map(|v| (u16::from(v) * 4 + 60).min(255) as u8));
            }
        }
        Fault::Cut => {
            let tone = [[0, 128, 0], [128; 3], [16; 3], [190, 60, 160]];
            let tone = packed(tone[(detail >> 20) as usize % tone.len()]);
            out.pixels_mut()[from * w..].fill(tone);
        }
    }
}

fn blocks(out: &mut Picture, from: usize, detail: u64) {
    let w = out.width() as usize;
    for (y, row) in out.pixels_mut().chunks_exact_mut(w).enumerate().skip(from) {
        for (i, part) in row.chunks_mut(BLOCK).enumerate() {
            let drawn = mix(detail ^ mix((y / BLOCK * 4096 + i) as u64));
            match drawn % 4 {
                0 => {}
                1 => part.fill(drawn as u32 >> 8 & 0xff_ffff),
                2 => part.fill((drawn as u32 >> 8 & 0xff) * 0x01_0101),
                _ => {
                    for (x, p) in part.iter_mut().enumerate() {
                        let stripe = if x / 2 % 2 == 0 { 0x40_4040 } else { 0 };
                        *p = (*p ^ stripe ^ (drawn as u32 >> 16 & 0x7f_7f7f)) & 0xff_ffff;
                    }
                }
            }
        }
    }
}

/// A mean over boxes of twice the radius, by running sums, along rows and then columns.
fn blur(out: &mut Picture, radius: usize) {
    let (w, h) = (out.width() as usize, out.height() as usize);
    let pixels = out.pixels_mut();
    let mut line = vec![[0u32; 3]; w.max(h)];
    let mut pass = |at: &dyn Fn(usize) -> usize, n: usize| {
        for (i, v) in line.iter_mut().enumerate().take(n) {
            *v = channels(pixels[at(i)]).map(u32::from);
        }
        let r = radius.min(n / 2);
        let mut sum = [0u32; 3];
        for i in 0..n + r {
            if i < n {
                sum = [0, 1, 2].map(|k| sum[k] + line[i][k]);
            }
            if i > 2 * r {
                sum = [0, 1, 2].map(|k| sum[k] - line[i - 2 * r - 1][k]);
            }
            if i >= r {
                let c = i - r;
                let count = (c + r).min(n - 1) + 1 - c.saturating_sub(r);
                pixels[at(c)] = packed(sum.map(|v| (v / count as u32) as u8));
            }
        }
    };
    for y in 0..h {
        pass(&|x| y * w + x, w);
    }
    for x in 0..w {
        pass(&|y| y * w + x, h);
    }
}
