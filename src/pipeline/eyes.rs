//! Eyes: the present calibration, its reader and the reused reading.
//!
//! Takes frames, gives readings; finds the board when there is no calibration. A class keeps its
//! identity when the board is found again, so that a belief outlives a resized window.

use std::sync::Arc;

use super::identity::keep_identities;
use super::saved;
use super::strokes::cropped;
use crate::calibrate;
use crate::classify::Reader;
use crate::types::{Calibration, Picture, Point, Reading, SideGrid, Wanted};

/// A board that was found and is not in use yet.
#[derive(Debug)]
pub struct Candidate {
    calibration: Calibration,
    again: bool,
}

impl Candidate {
    /// Where it lies and how it looks.
    #[must_use]
    pub const fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Whether it is the board that was known before, at this place or another; what was
    /// believed does not apply to any other.
    #[must_use]
    pub const fn is_again(&self) -> bool {
        self.again
    }
}

/// The seeing half of the loop.
#[derive(Debug)]
pub struct Eyes {
    wanted: Wanted,
    present: Option<(Calibration, Reader)>,
    /// The last calibration that was in use, for the identity of its classes.
    last: Option<Calibration>,
    /// A calibration made earlier, for boards that are not found anew.
    saved: Option<Calibration>,
    reading: Reading,
    /// Grids beside the board, for calibrations that know of none.
    beside: Vec<SideGrid>,
}

impl Eyes {
    /// Eyes that look for this kind of board.
    #[must_use]
    pub fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            present: None,
            last: None,
            saved: None,
            reading: Reading::default(),
            beside: Vec::new(),
        }
    }

    /// Reads these grids beside every board that is found.
    #[must_use]
    pub fn beside(mut self, grids: Vec<SideGrid>) -> Self {
        self.beside = grids;
        self
    }

    /// Knows a calibration made earlier: its classes keep their identity, and where no board is
    /// found anew it is used itself, if it still fits what is seen.
    #[must_use]
    pub fn with(mut self, saved: Calibration) -> Self {
        self.last = Some(saved.clone());
        self.saved = Some(saved);
        self
    }

    /// Uses a calibration from the start, without looking for a board: somebody has shown it.
    #[must_use]
    pub fn using(mut self, shown: Calibration) -> Self {
        self.show(shown);
        self
    }

    /// Uses a calibration that somebody has shown from now on; `false` if it cannot be read with.
    pub fn show(&mut self, shown: Calibration) -> bool {
        self.adopt(Candidate {
            calibration: shown,
            again: false,
        })
    }

    /// The present calibration.
    #[must_use]
    pub fn calibration(&self) -> Option<&Calibration> {
        self.present.as_ref().map(|(c, _)| c)
    }

    /// The last reading.
    #[must_use]
    pub const fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Whether a picture of this size can be read with the present calibration.
    #[must_use]
    pub fn fits(&self, picture: &Picture) -> bool {
        self.calibration()
            .is_some_and(|c| c.image == (picture.width(), picture.height()))
    }

    /// The part of a picture that shows the board, as evidence; all of it where none is known.
    #[must_use]
    pub fn evidence(&self, picture: &Arc<Picture>) -> Arc<Picture> {
        match self.calibration() {
            Some(c) if self.fits(picture) => Arc::new(cropped(picture, c)),
            _ => Arc::clone(picture),
        }
    }

    /// Drops the present calibration: the board must be found again.
    pub fn lose(&mut self) {
        self.present = None;
    }

    /// Looks for a board in the whole picture: the one that was known, before any other.
    #[must_use]
    pub fn look(&self, picture: &Picture) -> Option<Candidate> {
        let mut other = None;
        for mut calibration in self.boards(picture) {
            let known = self.last.as_ref();
            if known.is_some_and(|old| keep_identities(old, &mut calibration)) {
                return Some(Candidate {
                    calibration,
                    again: true,
                });
            }
            other.get_or_insert(calibration);
        }
        other.map(|calibration| Candidate {
            calibration,
            again: false,
        })
    }

    /// Looks for a board and uses it; whether there is one.
    pub fn find(&mut self, picture: &Picture) -> bool {
        self.look(picture).is_some_and(|found| self.adopt(found))
    }

    /// How well the lattice in use fits a picture ([`Reader::fit`]).
    #[must_use]
    pub fn fit(&self, picture: &Picture) -> Option<f32> {
        self.present.as_ref()?.1.fit(picture)
    }

    fn boards(&self, picture: &Picture) -> Vec<Calibration> {
        let mut found = calibrate::find(picture, &self.wanted);
        found.retain(|c| c.quality >= Calibration::MIN_QUALITY);
        for calibration in found.iter_mut().filter(|c| c.beside.is_empty()) {
            calibration.beside.clone_from(&self.beside);
        }
        // One that somebody has saved goes before others that are found where it still fits.
        if !found.iter().any(|c| self.is_known(c)) {
            found.splice(
                0..0,
                self.saved.as_ref().and_then(|c| saved::seen(c, picture)),
            );
        }
        found
    }

    /// Whether a finding is the board that was known.
    fn is_known(&self, found: &Calibration) -> bool {
        self.last
            .as_ref()
            .is_some_and(|old| keep_identities(old, &mut found.clone()))
    }

    /// Whether a board has been known, now or before.
    #[must_use]
    pub const fn has_known(&self) -> bool {
        self.last.is_some()
    }

    /// Whether the candidate is only a part of the board that was known: something lies over
    /// the rest of it.
    #[must_use]
    pub fn is_part_of_known(&self, candidate: &Candidate) -> bool {
        let new = &candidate.calibration;
        self.last.as_ref().is_some_and(|old| {
            let Some(back) = old.px_from_cell.inverse() else {
                return false;
            };
            let (cols, rows) = (f64::from(old.size.cols), f64::from(old.size.rows));
            // A board that is found where one was known lies on it to within a part of a cell.
            let inside = |p: &Point| {
                let at = back.map(*p);
                (-0.5..=cols + 0.5).contains(&at.x) && (-0.5..=rows + 0.5).contains(&at.y)
            };
            old.image == new.image
                && new.size.len() < old.size.len()
                && new.px_from_cell.corners(new.size).iter().all(inside)
        })
    }

    /// How the picture reads as the candidate; `None` if it cannot be read at all.
    #[must_use]
    pub fn read_as(&self, candidate: &Candidate, picture: &Picture) -> Option<Reading> {
        let reader = Reader::new(&candidate.calibration).ok()?;
        let mut reading = Reading::default();
        reader.read(picture, &mut reading).ok()?;
        Some(reading)
    }

    /// Whether a fresh search finds the lattice where it is believed to be; `None` when it finds
    /// nothing at all.
    #[must_use]
    pub fn still_there(&self, picture: &Picture) -> Option<bool> {
        let present = self.calibration()?;
        let corners = present.px_from_cell.corners(present.size);
        let pitch = corners[0].distance(corners[1]) / f64::from(present.size.cols.max(1));
        let here = |new: &Calibration| {
            let there = new.px_from_cell.corners(new.size);
            let mut pairs = corners.iter().zip(there);
            new.size == present.size && pairs.all(|(a, b)| a.distance(b) < pitch / 4.0)
        };
        let found = self.boards(picture);
        (!found.is_empty()).then(|| found.iter().any(here))
    }

    /// Reads the picture into the reused reading; `false` when there is nothing to read it with.
    pub fn read(&mut self, picture: &Picture) -> bool {
        let Some((calibration, reader)) = &self.present else {
            return false;
        };
        calibration.image == (picture.width(), picture.height())
            && reader.read(picture, &mut self.reading).is_ok()
    }

    /// Uses a candidate from now on; `false` if it cannot be read with.
    pub fn adopt(&mut self, candidate: Candidate) -> bool {
        let calibration = candidate.calibration;
        let Ok(reader) = Reader::new(&calibration) else {
            return false;
        };
        self.last = Some(calibration.clone());
        self.present = Some((calibration, reader));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardKind, ClassLook, GridSize, PxFromCell};

    fn calibration(colours: &[(char, [f32; 3])]) -> Calibration {
        let at = PxFromCell::upright(Point::new(1.0, 1.0), 20.0, 20.0);
        let look = |&(letter, rgb): &(char, [f32; 3])| ClassLook {
            letter,
            rgb,
            spread: 1.0,
            mark: None,
        };
        Calibration {
            classes: colours.iter().map(look).collect(),
            quality: 0.9,
            ..Calibration::at(BoardKind::Cells, GridSize::new(4, 4), (100, 100), at)
        }
    }

    #[test]
    fn a_smaller_board_in_the_place_of_the_known_one_is_a_part_of_it() {
        let part = |cols, rows, x, image| {
            let mut eyes = Eyes::new(Wanted {
                kind: BoardKind::Cells,
                min: GridSize::new(2, 2),
                max: GridSize::new(9, 9),
                classes: (2, 9),
                size: None,
            });
            eyes.last = Some(calibration(&[]));
            eyes.is_part_of_known(&Candidate {
                calibration: Calibration {
                    size: GridSize::new(cols, rows),
                    px_from_cell: PxFromCell::upright(Point::new(x, 1.0), 20.0, 20.0),
                    image,
                    ..calibration(&[])
                },
                again: false,
            })
        };
        assert!(part(3, 4, 1.0, (100, 100)));
        assert!(part(3, 4, 21.0, (100, 100)));
        assert!(!part(4, 4, 1.0, (100, 100)), "as large");
        assert!(!part(3, 4, 61.0, (100, 100)), "elsewhere");
        assert!(!part(3, 4, 1.0, (90, 100)), "in frames of another size");
    }
}
