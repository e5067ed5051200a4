//! Stocks that can have no more than one tiling: both halves in one way, over one line only.
//!
//! If a stock tiles a rectangle in exactly one way, then above and below any line the figures of
//! each half have exactly one way too (another would be another tiling of the whole), and only one
//! line between the halves fits. So joining the halves' stocks that have one way, and counting,
//! gives all such stocks; and some others, which a solver finds out: stocks with further tilings
//! whose halves have several ways.

use super::half::{Steps, TooLarge};
use super::stock::{Counts, Numbering, Symmetry};

/// Rows above the line. In the middle, lists are shortest; but where rows are short anyway, all of
/// them are gone through, which leaves nothing for a solver to find out.
pub fn rows_above(width: usize, height: usize) -> usize {
    const SHORT: usize = 4;
    if width <= SHORT {
        height
    } else {
        height.div_ceil(2)
    }
}

/// The candidates of a rectangle, one for each class of images under its symmetries: the smallest
/// of the images. `width` must not exceed `height`; the line is below `rows` rows.
///
/// # Errors
/// When more memory is needed than `megabytes`.
pub fn candidates(
    width: usize,
    height: usize,
    rows: usize,
    megabytes: usize,
    progress: &mut dyn FnMut(f64),
) -> Result<Vec<Counts>, TooLarge> {
    let area = width * height;
    let steps = Steps::new(width, height);
    let cut = rows.min(height) * width;
    let above = steps.above(cut, megabytes, &mut |share| progress(0.4 * share))?;
    let below = steps.below(cut, megabytes, &mut |share| progress(0.4 + 0.1 * share))?;
    let numbering = Numbering::new(area);
    // Lines that are their own mirror images, and one of each two that are each other's.
    let mut own = vec![0u8; numbering.len()];
    let mut other = vec![0u8; numbering.len()];
    let profiles = steps.profiles(cut);
    for (i, &profile) in profiles.iter().enumerate() {
        progress(0.5 + 0.4 * i as f64 / profiles.len() as f64);
        let image = mirrored(profile, width);
        if image < profile {
            continue;
        }
        let counts = if image == profile {
            &mut own
        } else {
            &mut other
        };
        let narrow =
            |list: &[u64]| -> Vec<u64> { list.iter().map(|&s| Numbering::narrow(s)).collect() };
        let lower = narrow(&below[i]);
        for upper in narrow(&above[i]) {
            for &stock in &lower {
                let count = &mut counts[numbering.at(upper + stock)];
                *count = (*count + 1).min(2);
            }
        }
    }
    let symmetries = Symmetry::all(width == height);
    let mirror = Symmetry::mirror();
    let mut found = Vec::new();
    numbering.for_each(|counts| {
        let n = numbering.number(counts);
        let ways = own[n] + other[n] + other[numbering.number(&mirror.apply(counts))];
        if ways == 1 && symmetries.iter().all(|s| *counts <= s.apply(counts)) {
            found.push(*counts);
        }
    });
    Ok(found)
}

/// A profile between two rows with left and right exchanged in each row.
fn mirrored(profile: u32, width: usize) -> u32 {
    let mut image = 0;
    let mut row = 0;
    while profile >> (row * width) != 0 {
        for col in 0..width {
            if profile >> (row * width + col) & 1 == 1 {
                image |= 1 << (row * width + width - 1 - col);
            }
        }
        row += 1;
    }
    image
}
