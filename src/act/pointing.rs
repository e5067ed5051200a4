//! Where a place of the picture lies on a screen that only the hands know.
//!
//! Takes the screen's size, or its corners in the picture. Gives the place as a share of the
//! screen's width and height. Must never point outside the screen.

use super::ActError;
use crate::types::{GridSize, Point, Pointing, PxFromCell};

/// From places of the picture to places of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// From pixels of the picture to the unit square, for a picture that shows the screen from
    /// somewhere.
    unit_from_px: Option<PxFromCell>,
    /// Pixels of the screen.
    pub screen: Option<(u32, u32)>,
}

impl Places {
    /// From a profile.
    ///
    /// # Errors
    /// [`ActError::Unsupported`] for settings that say nothing, or corners of no screen.
    pub fn new(pointing: &Pointing) -> Result<Self, ActError> {
        let refused = |text: &str| ActError::Unsupported(text.to_owned());
        if pointing.screen.is_none() && pointing.corners.is_none() {
            return Err(refused("a pointer needs hands.screen or hands.corners"));
        }
        if pointing.relative && pointing.screen.is_none() {
            return Err(refused("hands.relative needs hands.screen"));
        }
        let one = GridSize { cols: 1, rows: 1 };
        let unit_from_px = match pointing.corners {
            None => None,
            Some(corners) => Some(
                PxFromCell::from_corners(one, corners)
                    .and_then(|px_from_unit| px_from_unit.inverse())
                    .ok_or_else(|| refused("hands.corners is no screen"))?,
            ),
        };
        Ok(Self {
            unit_from_px,
            screen: pointing.screen,
        })
    }

    /// The place as shares of width and height, each from 0 to 1.
    ///
    /// # Errors
    /// [`ActError::Unsupported`] for a place beside the screen.
    pub fn share(&self, at: Point) -> Result<Point, ActError> {
        let share = match (&self.unit_from_px, self.screen) {
            (Some(map), _) => map.map(at),
            // Pixels are told by their middles.
            (None, Some((w, h))) => {
                Point::new((at.x + 0.5) / f64::from(w), (at.y + 0.5) / f64::from(h))
            }
            (None, None) => at,
        };
        let inside = |v: f64| (0.0..=1.0).contains(&v);
        if inside(share.x) && inside(share.y) {
            return Ok(share);
        }
        Err(ActError::Unsupported(format!(
            "{:.0},{:.0} lies beside the screen that hands.screen or hands.corners tells",
            at.x, at.y
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let flat = Places::new(&Pointing {
            screen: Some((1000, 500)),
            ..Pointing::default()
        });
        let flat = flat.expect("a screen");
        let share = flat.share(Point::new(499.5, 249.5)).expect("inside");
        assert_eq!(share, Point::new(0.5, 0.5));
        assert!(flat.share(Point::new(1000.0, 1.0)).is_err());
        assert!(flat.share(Point::new(f64::NAN, 1.0)).is_err());

        // Seen from the left: its right side is smaller.
        let corners = [(10.0, 10.0), (110.0, 20.0), (110.0, 80.0), (10.0, 110.0)];
        let corners = corners.map(|(x, y)| Point::new(x, y));
        let tilted = Places::new(&Pointing {
            corners: Some(corners),
            ..Pointing::default()
        });
        let tilted = tilted.expect("a screen");
        let expected = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        for (corner, (x, y)) in corners.iter().zip(expected) {
            // A little inwards, or rounding leaves it outside.
            let inner = Point::new(
                corner.x + (60.0 - corner.x) * 1e-6,
                corner.y + (55.0 - corner.y) * 1e-6,
            );
            let share = tilted.share(inner).expect("inside");
            assert!(share.distance(Point::new(x, y)) < 1e-4, "{share:?}");
        }
        let middle = tilted.share(Point::new(60.0, 55.0)).expect("inside");
        assert!(middle.x < 0.5, "what is nearer looks larger: {middle:?}");
        assert!(Places::new(&Pointing::default()).is_err());
    }
}
