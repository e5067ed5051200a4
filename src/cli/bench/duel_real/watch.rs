//! An onlooker at a two-player program: when which cell was filled, and what the program says of
//! each game's end. It knows where this program draws what, so it needs none of the seeing that it
//! checks.

use std::time::{Duration, SystemTime};

use crate::cli::bench::stage::{BoardProgram, Desktop, Told};
use crate::types::Cell;

/// Something that changed on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When it was seen.
    pub at: SystemTime,
    /// Where.
    pub cell: Cell,
    /// Whether something lies there now.
    pub filled: bool,
}

/// What was seen so far.
pub struct Watch<'d> {
    desktop: &'d Desktop,
    program: BoardProgram,
    window: u32,
    now: Vec<bool>,
    /// Most cells that were filled in this game; `None` before a board that is nearly empty was
    /// seen: a menu is no game, whatever it looks like.
    most: Option<usize>,
    /// What was told last in this game, and how often.
    last_told: (Option<Told>, u32),
    next_ask: SystemTime,
    /// In order.
    pub changes: Vec<Change>,
    /// The end of each game.
    pub told: Vec<Told>,
}

/// What a program says is looked for this often: it stays until the next game.
const ASK: Duration = Duration::from_millis(100);

impl<'d> Watch<'d> {
    /// An onlooker who has seen nothing.
    #[must_use]
    pub fn new(desktop: &'d Desktop, program: BoardProgram, window: u32) -> Self {
        Self {
            desktop,
            program,
            window,
            now: vec![false; program.size().len()],
            most: None,
            last_told: (None, 0),
            next_ask: SystemTime::UNIX_EPOCH,
            changes: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Looks once.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn look(&mut self) -> anyhow::Result<()> {
        let at = SystemTime::now();
        if !self.desktop.is_viewable(self.window)? {
            return Ok(());
        }
        let picture = self.desktop.picture(self.desktop.client(self.window)?)?;
        let seen = self.program.occupied(&picture);
        for (i, (before, filled)) in self.now.iter_mut().zip(&seen).enumerate() {
            if before != filled {
                *before = *filled;
                let cell = self.program.size().cell(i);
                let filled = *filled;
                self.changes.push(Change { at, cell, filled });
            }
        }
        let filled = self.now.iter().filter(|f| **f).count();
        match self.most {
            Some(most) if filled * 2 >= most => self.most = Some(most.max(filled)),
            None if filled > 2 => return Ok(()),
            _ => (self.most, self.last_told) = (Some(filled), (None, 0)),
        }
        if at >= self.next_ask {
            self.next_ask = at + ASK;
            let told = self.desktop.told(self.program, self.window, &picture)?;
            self.hear(told);
        }
        Ok(())
    }

    /// Takes what is told now; marks may blink, so that silence takes nothing back.
    fn hear(&mut self, told: Option<Told>) {
        if told.is_none() {
            return;
        }
        if told != self.last_told.0 {
            self.last_told = (told, 0);
        }
        self.last_told.1 += 1;
        // The words may come a moment after the last piece.
        let asks = match told {
            Some(Told::Draw) => 10,
            _ => 2,
        };
        if let (Some(told), true) = (told, self.last_told.1 == asks) {
            self.told.push(told);
        }
    }
}

/// When the last cell was filled of those that were so at a time; `None` for an empty board.
#[must_use]
pub fn last_filled(changes: &[Change], before: SystemTime) -> Option<SystemTime> {
    let mut filled: Vec<(Cell, SystemTime)> = Vec::new();
    for change in changes.iter().take_while(|c| c.at < before) {
        filled.retain(|(cell, _)| *cell != change.cell);
        if change.filled {
            filled.push((change.cell, change.at));
        }
    }
    filled.into_iter().map(|(_, at)| at).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_the_cells_that_stay_filled_counts() {
        let at = |ms| SystemTime::UNIX_EPOCH + Duration::from_millis(ms);
        let change = |ms, row, filled| Change {
            at: at(ms),
            cell: Cell::new(0, row),
            filled,
        };
        // A disc falls through two cells onto another.
        let changes = [
            change(10, 5, true),
            change(100, 2, true),
            change(120, 3, true),
            change(125, 2, false),
            change(140, 4, true),
            change(145, 3, false),
        ];
        assert_eq!(last_filled(&changes, at(5)), None);
        assert_eq!(last_filled(&changes, at(90)), Some(at(10)));
        assert_eq!(last_filled(&changes, at(130)), Some(at(120)));
        assert_eq!(last_filled(&changes, at(200)), Some(at(140)));
    }
}
