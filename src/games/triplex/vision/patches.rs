//! Patches: pixels of one colour that hang together.

use super::probe::apart;
use crate::types::Picture;
use crate::types::picture::channels;

/// The shortest side of a patch that is kept, in pixels: smaller squares could not be told apart.
const SMALLEST: u32 = 10;

/// Pixels of one colour that hang together, with the box around them.
pub struct Patch {
    /// The colour of its first pixel; no other differs from it by more than [`super::SAME`].
    pub rgb: [u8; 3],
    /// Left, top, right and bottom; the last two still belong to it.
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    /// Its pixels.
    pub area: u32,
}

impl Patch {
    pub const fn width(&self) -> u32 {
        self.right - self.left + 1
    }

    pub const fn height(&self) -> u32 {
        self.bottom - self.top + 1
    }
}

/// All patches of a picture that are large enough, in the order of their first pixels.
pub fn all(picture: &Picture) -> Vec<Patch> {
    let (width, height) = (picture.width(), picture.height());
    let pixels = picture.pixels();
    let mut done = vec![false; pixels.len()];
    let mut heap: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for first in 0..pixels.len() {
        if done[first] {
            continue;
        }
        let rgb = channels(pixels[first]);
        let (x, y) = place(first, width);
        let mut patch = Patch {
            rgb,
            left: x,
            top: y,
            right: x,
            bottom: y,
            area: 0,
        };
        done[first] = true;
        heap.push(first);
        while let Some(at) = heap.pop() {
            let (x, y) = place(at, width);
            patch.left = patch.left.min(x);
            patch.right = patch.right.max(x);
            patch.top = patch.top.min(y);
            patch.bottom = patch.bottom.max(y);
            patch.area += 1;
            let stride = width as usize;
            let beside = [
                (x > 0).then(|| at - 1),
                (x + 1 < width).then_some(at + 1),
                (y > 0).then(|| at - stride),
                (y + 1 < height).then_some(at + stride),
            ];
            for next in beside.into_iter().flatten() {
                // Compared with the first pixel, so that no chain of small steps leads away.
                if !done[next] && apart(channels(pixels[next]), rgb) <= super::SAME {
                    done[next] = true;
                    heap.push(next);
                }
            }
        }
        if patch.width().min(patch.height()) >= SMALLEST {
            found.push(patch);
        }
    }
    found
}

/// Column and row of a pixel by its number.
const fn place(number: usize, width: u32) -> (u32, u32) {
    let width = width as usize;
    ((number % width) as u32, (number / width) as u32)
}
