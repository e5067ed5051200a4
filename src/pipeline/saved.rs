//! Calibrations that were saved, and whether they fit what is seen now.
//!
//! Takes a calibration and a picture, perhaps of another size; gives where the board lies in it.

use crate::calibrate::shown;
use crate::classify::Reader;
use crate::types::{Calibration, Label, Picture, Reading};

/// A saved calibration is used when at least this share of the borders between different colours
/// lies on its lattice lines: on a board it is nearly all of them, elsewhere about a third.
const FIT: f32 = 0.9;

/// Where edges that lie anywhere fit a lattice by chance.
const CHANCE: f32 = 0.4;

/// What a candidate must reach to be worth moving about.
const PROMISE: f32 = 0.4;

/// How far a candidate is moved, in cells, one after the other.
const STEPS: [f64; 4] = [0.3, 0.15, 0.07, 0.03];

/// How well a calibration fits a picture of its size, 0 to 1: the share of the borders that lie
/// on its lattice, or of the cells that have one of its looks, whichever is less. `None` if it
/// cannot be read at all.
#[must_use]
pub fn fitness(calibration: &Calibration, picture: &Picture) -> Option<f32> {
    let reader = Reader::new(calibration).ok()?;
    let mut reading = Reading::default();
    reader.read(picture, &mut reading).ok()?;
    let known = { reading.cells.iter() }.filter(|c| c.label != Label::Unknown);
    let known = known.count() as f32 / reading.cells.len().max(1) as f32;
    Some(reader.fit(picture).map_or(known, |fit| fit.min(known)))
}

/// The quality of a board that somebody has shown: how much better than by chance it fits.
#[must_use]
pub fn quality(shown: &Calibration, picture: &Picture) -> f32 {
    let fit = fitness(shown, picture).unwrap_or(0.0);
    ((fit - CHANCE) / (1.0 - CHANCE)).clamp(0.0, 1.0)
}

/// The saved board in a picture, whatever its size; `None` where it is not to be seen.
#[must_use]
pub fn seen(saved: &Calibration, picture: &Picture) -> Option<Calibration> {
    if saved.quality < Calibration::MIN_QUALITY {
        return None;
    }
    let (fit, at) = nearest(saved, picture)?;
    (fit >= FIT.min(saved.quality)).then_some(at)
}

/// Where the saved board fits a picture best, however badly; `None` where it has no place.
#[must_use]
pub fn near(saved: &Calibration, picture: &Picture) -> Option<Calibration> {
    nearest(saved, picture).map(|(_, at)| at)
}

fn nearest(saved: &Calibration, picture: &Picture) -> Option<(f32, Calibration)> {
    let image = (picture.width(), picture.height());
    let mut best: Option<(f32, Calibration)> = None;
    for candidate in shown::carried(saved, image) {
        let fit = fitness(&candidate, picture).unwrap_or(0.0);
        if best.as_ref().is_none_or(|(b, _)| fit > *b) {
            best = Some((fit, candidate));
        }
    }
    let (mut fit, mut at) = best?;
    if image != saved.image && fit > PROMISE {
        for step in STEPS {
            // Every turn of this loop fits better than the one before, by a cell at least.
            loop {
                let better = { shown::nearby(&at, step).into_iter() }
                    .filter_map(|c| Some((fitness(&c, picture)?, c)))
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .filter(|(f, _)| *f > fit + 1e-3);
                let Some(found) = better else { break };
                (fit, at) = found;
            }
        }
    }
    Some((fit, at))
}
