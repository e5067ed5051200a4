//! Frames that show two moments: a rolling shutter, or a screen that was being drawn, has the rows
//! above some line from one moment and those below from another.
//!
//! Takes what can have happened, candidate by candidate; tells whether some two of them make up
//! the frame. Must never be asked about candidates that are unlikely by themselves: two unlikely
//! boards explain nearly everything.

use super::super::rules::{Board, Pose, System};
use super::view::{DARK, FULL, View};

/// The longest agreeing tops and bottoms among the candidates so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tear {
    top: usize,
    bottom: usize,
}

impl Tear {
    /// A board that can have been there at one of the moments.
    pub fn offer(&mut self, view: &View, system: &System, pile: &Board, piece: Option<Pose>) {
        let rows = usize::from(pile.rows());
        let cells = piece.map(|p| system.cells(p));
        let agrees = |y: usize| {
            let cols = view.cols();
            let row = y * cols..(y + 1) * cols;
            let (seen, pile) = (&view.cells()[row.clone()], &pile.cells()[row]);
            seen.iter()
                .zip(pile)
                .enumerate()
                .all(|(x, (&seen, &pile))| {
                    let here = || cells.is_some_and(|c| c.contains(&(x as i16, y as i16)));
                    seen == DARK || (seen == FULL) == (pile != 0 || here())
                })
        };
        let top = (0..rows).rev().take_while(|&y| agrees(y)).count();
        let bottom = (0..rows).take_while(|&y| agrees(y)).count();
        self.top = self.top.max(top);
        self.bottom = self.bottom.max(bottom);
    }

    /// Whether the top of one and the bottom of another make up a frame of so many rows, and none
    /// does alone.
    #[must_use]
    pub const fn explains(&self, rows: usize) -> bool {
        self.top < rows && self.top + self.bottom >= rows
    }
}
