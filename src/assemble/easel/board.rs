//! A board on the easel: how it is read, and how sure that is.

use crate::calibrate::shown::{Residual, residuals};
use crate::classify::Reader;
use crate::games::flood;
use crate::types::{BoardText, Calibration, Label, Picture, Reading, colour_name};

/// A board that was found or shown, read in the picture.
#[derive(Clone, Debug)]
pub struct Board {
    /// The game.
    pub game: String,
    /// Where it lies and how it looks.
    pub calibration: Calibration,
    /// Each cell.
    pub reading: Reading,
    /// As letters.
    pub text: BoardText,
    /// How far the crossings of its lines are off, where that can be seen.
    pub residuals: Vec<Residual>,
}

/// How one class of cells looks, and how well it is told from the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Its letter.
    pub letter: char,
    /// Its colour, `#rrggbb`.
    pub rgb: String,
    /// What people call that colour.
    pub colour: &'static str,
    /// Cells that are read as it.
    pub cells: usize,
    /// The least confidence of those; `None` where there are none.
    pub least: Option<f32>,
    /// The class most like it, and how far their colours are apart, 0 to 441.
    pub nearest: Option<(char, f32)>,
    /// The cell that is read as it most surely, column and row.
    pub example: Option<(u16, u16)>,
}

impl Board {
    /// Reads a picture; `None` where the board does not lie in it.
    pub(super) fn read(game: &str, calibration: Calibration, picture: &Picture) -> Option<Self> {
        let mut reading = Reading::default();
        let reader = Reader::new(&calibration).ok()?;
        reader.read(picture, &mut reading).ok()?;
        Some(Self {
            game: game.to_owned(),
            text: flood::vision::text(&calibration, &reading),
            residuals: residuals(picture, &calibration),
            calibration,
            reading,
        })
    }

    /// Root mean square of the residuals in px; `None` where there are none.
    #[must_use]
    pub fn residual(&self) -> Option<f64> {
        let n = self.residuals.len();
        let sum: f64 = { self.residuals.iter() }
            .map(|r| r.off.x * r.off.x + r.off.y * r.off.y)
            .sum();
        (n > 0).then(|| (sum / n as f64).sqrt())
    }

    /// Its classes.
    #[must_use]
    pub fn looks(&self) -> Vec<Look> {
        let classes = &self.calibration.classes;
        let size = self.calibration.size;
        let look = |(k, class): (usize, &crate::types::ClassLook)| {
            let mine =
                self.reading.cells.iter().enumerate().filter(
                    move |(_, c)| matches!(c.label, Label::Class(id) if usize::from(id) == k),
                );
            let sure = |a: &(usize, f32), b: &(usize, f32)| a.1.total_cmp(&b.1);
            let mine = mine.map(|(i, c)| (i, c.confidence));
            let apart = |other: &[f32; 3]| -> f32 {
                let d = |c: usize| (other[c] - class.rgb[c]).powi(2);
                (d(0) + d(1) + d(2)).sqrt()
            };
            let others = classes.iter().enumerate().filter(|(i, _)| *i != k);
            let nearest = others
                .map(|(_, c)| (c.letter, apart(&c.rgb)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let best = mine.clone().max_by(sure).map(|(i, _)| size.cell(i));
            Look {
                letter: class.letter,
                rgb: class.hex(),
                colour: colour_name::of(class.rgb),
                cells: mine.clone().count(),
                least: mine.min_by(sure).map(|(_, confidence)| confidence),
                nearest,
                example: best.map(|c| (c.col, c.row)),
            }
        };
        classes.iter().enumerate().map(look).collect()
    }
}
