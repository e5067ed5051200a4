//! How far a board lies from where it was: what a knock against a camera, a window that moved
//! inside its frame, or another zoom has done.

use crate::types::{Calibration, Point};

/// The change from one place of a board to another, in pictures of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// How far the corner that moved most has moved, in cells.
    pub cells: f64,
    /// The same in px.
    pub px: f64,
    /// How much larger it is, 1 for as large as before.
    pub scale: f64,
}

impl Drift {
    /// A board found this far away, in cells, lies elsewhere; less is how exactly it is found.
    pub const LEAST: f64 = 0.12;

    /// From one place to another; `None` for boards of different sizes or pictures.
    #[must_use]
    pub fn between(old: &Calibration, new: &Calibration) -> Option<Self> {
        if old.size != new.size || old.image != new.image {
            return None;
        }
        let (a, b) = (
            old.px_from_cell.corners(old.size),
            new.px_from_cell.corners(new.size),
        );
        let px = { a.iter().zip(b) }
            .map(|(p, q)| p.distance(q))
            .fold(0.0, f64::max);
        let sides = |c: &[Point; 4]| -> f64 { (0..4).map(|i| c[i].distance(c[(i + 1) % 4])).sum() };
        let cells = 2.0 * f64::from(old.size.cols) + 2.0 * f64::from(old.size.rows);
        let around = sides(&a).max(1e-9);
        Some(Self {
            cells: px * cells / around,
            px,
            scale: sides(&b) / around,
        })
    }
}

impl std::fmt::Display for Drift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.2} cells ({:.1} px) away from where it was",
            self.cells, self.px
        )?;
        let percent = (self.scale - 1.0) * 100.0;
        if percent.abs() >= 0.5 {
            let what = if percent > 0.0 { "larger" } else { "smaller" };
            write!(f, ", {:.0} % {what}", percent.abs())?;
        }
        Ok(())
    }
}
