//! Where a lamp is mirrored: cells whose plate is brighter than the light on the rest of it says.
//!
//! Takes looks and the plate under its light; gives the cells with a glare, and classes learnt from
//! the others. What lies under a glare is never the only reason for a class: there all colours are
//! pale.

use super::super::gain;
use super::kinds::{Kinds, kinds};
use super::looks::{HoleLook, alike, median};
use crate::types::colour::{apart2, unveiled, veil};
use crate::types::{GainField, GridSize};

/// More of the board than this is no glare but its light.
const MOST: f32 = 0.4;

/// Squared distance beyond which a colour says nothing for or against a class.
const FAR: f32 = 6400.0;

/// Squared distance within which a colour is of a class.
const NEAR: f32 = 1600.0;

/// Which of the seen cells have a glare on them; none where that is much of the board.
#[must_use]
pub fn glared(
    size: GridSize,
    looks: &[HoleLook],
    seen: &[bool],
    tone: [f32; 3],
    light: &GainField,
    noise: f32,
) -> Vec<bool> {
    let out: Vec<bool> = { looks.iter().zip(seen).enumerate() }
        .map(|(i, (l, seen))| {
            let c = gain::removed(light, gain::place(size, i), l.plate);
            let brighter = (0..3).all(|k| c[k] > tone[k] - 4.0);
            *seen && brighter && !alike(noise, c, tone)
        })
        .collect();
    let count = |all: &[bool]| all.iter().filter(|&&c| c).count() as f32;
    if count(&out) > MOST * count(seen) {
        return vec![false; out.len()];
    }
    out
}

/// The classes of the cells beside the glare, and which of them is seen in it.
#[must_use]
pub fn kinds_beside_glare(
    size: GridSize,
    looks: &[HoleLook],
    seen: &[bool],
    glared: &[bool],
    noise: f32,
) -> Option<Kinds> {
    if !glared.contains(&true) {
        return kinds(size, looks, seen, noise);
    }
    let clear: Vec<bool> = { seen.iter().zip(glared) }
        .map(|(seen, glared)| *seen && !*glared)
        .collect();
    let mut found = kinds(size, looks, &clear, noise)?;
    let shown: Vec<[f32; 3]> = { looks.iter().zip(&clear) }
        .filter(|(_, clear)| **clear)
        .map(|(l, _)| l.plate)
        .collect();
    let usual = median(&shown);
    let first = usize::from(found.open);
    // Under one light, as the classes were learnt: the nearest, and how far it is.
    let nearest = |i: usize, rgb: [f32; 3]| {
        let c = gain::removed(&found.gain, gain::place(size, i), rgb);
        let far = found.classes.iter().map(|k| apart2(k.rgb, c)).enumerate();
        far.skip(first).min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let bare = |i: usize| unveiled(looks[i].rgb, veil(usual, looks[i].plate));
    // A gloss of the plate alone is not in the holes.
    let cost = |of: &dyn Fn(usize) -> [f32; 3]| -> f32 {
        let under = (0..looks.len()).filter(|&i| glared[i]);
        under
            .map(|i| nearest(i, of(i)).map_or(FAR, |n| n.1.min(FAR)))
            .sum()
    };
    let lies_over = found.veil || cost(&bare) < cost(&|i| looks[i].rgb);
    let labels: Vec<Option<usize>> = (0..looks.len())
        .map(|i| {
            if !glared[i] {
                return found.labels[i];
            }
            let rgb = if lies_over { bare(i) } else { looks[i].rgb };
            let near = nearest(i, rgb).filter(|n| n.1 < NEAR).map(|n| n.0);
            near.or(found.open.then_some(0))
        })
        .collect();
    found.discs = labels.iter().flatten().filter(|&&l| l > 0).count();
    found.labels = labels;
    found.veil = lies_over;
    Some(found)
}
