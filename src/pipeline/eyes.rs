//! Eyes: the present calibration, its reader and the reused reading.
//!
//! Takes frames, gives readings; finds the board when there is no calibration. A class keeps its
//! identity when the board is found again, so that a belief outlives a resized window.

use crate::calibrate;
use crate::classify::Reader;
use crate::types::{Calibration, ClassLook, Picture, Reading, Wanted};

/// Colours closer than this (Euclidean, 0 to 255 per channel) may be one class seen twice. Half
/// the distance of the closest pair of colours known from real games (`#e5393f`, `#ff7043`).
const SAME_CLASS: f32 = 30.0;

/// A saved calibration is used when at least this share of the borders between different colours
/// lies on its lattice lines: on a board it is nearly all of them, elsewhere about a third.
const SAVED_FIT: f32 = 0.9;

/// What finding brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No board of sufficient quality.
    Nothing,
    /// The board that was known before, at this place or another.
    Again,
    /// Another board: what was believed does not apply.
    Other,
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
}

impl Eyes {
    /// Eyes that look for this kind of board.
    #[must_use]
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, present: None, last: None, saved: None, reading: Reading::default() }
    }

    /// Knows a calibration made earlier: its classes keep their identity, and where no board is
    /// found anew it is used itself, if it still fits what is seen.
    #[must_use]
    pub fn with(mut self, saved: Calibration) -> Self {
        self.last = Some(saved.clone());
        self.saved = Some(saved);
        self
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
        self.calibration().is_some_and(|c| c.image == (picture.width(), picture.height()))
    }

    /// Drops the present calibration: the board must be found again.
    pub fn lose(&mut self) {
        self.present = None;
    }

    /// Looks for the board in the whole picture.
    pub fn find(&mut self, picture: &Picture) -> Found {
        let best = calibrate::find(picture, &self.wanted)
            .into_iter()
            .find(|c| c.quality >= Calibration::MIN_QUALITY);
        let Some(mut new) = best.or_else(|| self.saved_if_it_fits(picture)) else {
            return Found::Nothing;
        };
        let same = self.last.as_ref().is_some_and(|old| keep_identities(old, &mut new));
        self.adopt(new);
        if same { Found::Again } else { Found::Other }
    }

    /// Whether a fresh search finds the lattice where it is believed to be; `None` when it finds
    /// nothing at all.
    #[must_use]
    pub fn still_there(&self, picture: &Picture) -> Option<bool> {
        let present = self.calibration()?;
        let new = calibrate::find(picture, &self.wanted)
            .into_iter()
            .find(|c| c.quality >= Calibration::MIN_QUALITY)?;
        let pitch = {
            let c = present.px_from_cell.corners(present.size);
            c[0].distance(c[1]) / f64::from(present.size.cols.max(1))
        };
        let near = present
            .px_from_cell
            .corners(present.size)
            .iter()
            .zip(new.px_from_cell.corners(new.size))
            .all(|(a, b)| a.distance(b) < pitch / 4.0);
        Some(new.size == present.size && near)
    }

    /// Reads the picture into the reused reading; `false` when there is nothing to read it with.
    pub fn read(&mut self, picture: &Picture) -> bool {
        let Some((calibration, reader)) = &self.present else {
            return false;
        };
        calibration.image == (picture.width(), picture.height())
            && reader.read(picture, &mut self.reading).is_ok()
    }

    fn saved_if_it_fits(&self, picture: &Picture) -> Option<Calibration> {
        let saved = self.saved.as_ref()?;
        let reader = Reader::new(saved).ok()?;
        let fits = saved.quality >= Calibration::MIN_QUALITY
            && reader.fit(picture).is_some_and(|fit| fit >= SAVED_FIT);
        fits.then(|| saved.clone())
    }

    fn adopt(&mut self, calibration: Calibration) {
        if let Ok(reader) = Reader::new(&calibration) {
            self.last = Some(calibration.clone());
            self.present = Some((calibration, reader));
        }
    }
}

/// Gives the new calibration's classes the ids and letters that they had in the old one.
///
/// Classes not seen now are kept: a colour that was flooded away comes back in the next game.
/// Returns whether it is the same board: same size and at least half of its classes known.
fn keep_identities(old: &Calibration, new: &mut Calibration) -> bool {
    if old.size != new.size {
        return false;
    }
    let mut classes = old.classes.clone();
    let mut known = 0;
    let mut taken = vec![false; old.classes.len()];
    let mut unmatched = Vec::new();
    for look in &new.classes {
        let nearest = (0..old.classes.len())
            .filter(|&i| !taken[i])
            .map(|i| (i, distance(&old.classes[i], look)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        match nearest {
            Some((i, d)) if d < SAME_CLASS => {
                taken[i] = true;
                known += 1;
                classes[i] = ClassLook { letter: old.classes[i].letter, ..look.clone() };
            }
            _ => unmatched.push(look.clone()),
        }
    }
    if known * 2 < new.classes.len() {
        return false;
    }
    for look in unmatched {
        let Some(letter) = ('a'..='z').find(|l| classes.iter().all(|c| c.letter != *l)) else {
            return false;
        };
        classes.push(ClassLook { letter, ..look });
    }
    new.classes = classes;
    true
}

/// How differently two classes look: by colour, and by the mark where either bears one.
fn distance(a: &ClassLook, b: &ClassLook) -> f32 {
    let apart = |x: [f32; 3], y: [f32; 3]| {
        x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f32>().sqrt()
    };
    // A class without a mark has its own colour in the middle.
    let marks = apart(a.mark.unwrap_or(a.rgb), b.mark.unwrap_or(b.rgb));
    apart(a.rgb, b.rgb).max(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardKind, GainField, GridSize, Point, PxFromCell};

    fn calibration(colours: &[(char, [f32; 3])]) -> Calibration {
        Calibration {
            kind: BoardKind::Cells,
            size: GridSize::new(4, 4),
            image: (100, 100),
            px_from_cell: PxFromCell::upright(Point::new(1.0, 1.0), 20.0, 20.0),
            classes: colours
                .iter()
                .map(|&(letter, rgb)| ClassLook { letter, rgb, spread: 1.0, mark: None })
                .collect(),
            gain: GainField::default(),
            quality: 0.9,
            residual: 0.1,
        }
    }

    #[test]
    fn classes_keep_their_letters_and_absent_ones_stay() {
        let red = [250.0, 0.0, 0.0];
        let green = [0.0, 250.0, 0.0];
        let blue = [0.0, 0.0, 250.0];
        let white = [250.0, 250.0, 250.0];
        let old = calibration(&[('a', red), ('b', green), ('c', blue)]);
        let mut new = calibration(&[('a', blue), ('b', white), ('c', red)]);
        assert!(keep_identities(&old, &mut new));
        let letters: String = new.classes.iter().map(|c| c.letter).collect();
        assert_eq!(letters, "abcd");
        assert_eq!(new.classes[0].rgb, red);
        assert_eq!(new.classes[1].rgb, green);
        assert_eq!(new.classes[3].rgb, white);
    }

    #[test]
    fn a_mark_sets_two_classes_of_one_colour_apart() {
        let red = [250.0, 0.0, 0.0];
        let dotted = |c: &mut Calibration, i: usize| c.classes[i].mark = Some([0.0; 3]);
        let mut old = calibration(&[('a', red), ('b', red)]);
        dotted(&mut old, 1);
        let mut new = calibration(&[('a', red), ('b', red)]);
        dotted(&mut new, 0);
        assert!(keep_identities(&old, &mut new));
        assert_eq!(new.classes.iter().map(|c| c.mark.is_some()).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn a_board_of_other_colours_is_another_board() {
        let old = calibration(&[('a', [250.0, 0.0, 0.0]), ('b', [0.0, 250.0, 0.0])]);
        let mut new = calibration(&[
            ('a', [0.0, 0.0, 0.0]),
            ('b', [90.0, 90.0, 90.0]),
            ('c', [0.0, 250.0, 0.0]),
        ]);
        assert!(!keep_identities(&old, &mut new));
    }
}
