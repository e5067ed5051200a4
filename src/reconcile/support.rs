//! For how long a board has been seen that legal moves lead to, all its appearances together: a
//! piece that blinks is there, a piece that one bad frame shows is not.

use std::time::Duration;

use crate::types::{Reading, Time};

/// A board that has not been seen for this long has to begin anew.
const GAP: Duration = Duration::from_millis(600);
/// Time in which the old board is seen again takes away this share of itself: a piece that is
/// there half of the time is believed, one that flickers now and then is not.
const COST: u32 = 2;

/// What a frame says about the board that is gathering support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// It shows a board that may be believed.
    Shown,
    /// It shows the old board.
    Old,
    /// It says nothing: some cells cannot be read, or something is on its way.
    Nothing,
    /// It shows something else.
    Else,
}

/// The board and its support.
#[derive(Debug, Default)]
pub(super) struct Support {
    board: Reading,
    /// Total time between frames in a row that showed it.
    total: Duration,
    frames: u32,
    first: Time,
    last_shown: Time,
    before: Option<(Time, Sight)>,
}

impl Support {
    /// Takes the next frame.
    pub(super) fn see(&mut self, sight: Sight, reading: &Reading, at: Time) {
        let before = self.before.replace((at, sight));
        let passed = before.map_or(Duration::ZERO, |(t, _)| at.since(t));
        let again = before.is_some_and(|(_, s)| s == sight);
        match sight {
            Sight::Shown if self.frames > 0 && self.board.same_labels(reading) => {
                if again {
                    self.total += passed;
                }
                self.frames += 1;
                self.last_shown = at;
            }
            Sight::Shown => {
                self.board.size = reading.size;
                self.board.cells.clone_from(&reading.cells);
                (self.total, self.frames) = (Duration::ZERO, 1);
                (self.first, self.last_shown) = (at, at);
            }
            Sight::Old if again => self.total = self.total.saturating_sub(passed / COST),
            Sight::Old | Sight::Nothing => {}
            // One frame may be a bad one, two are not.
            Sight::Else if again => self.reset(),
            Sight::Else => {}
        }
        if self.frames > 0 && at.since(self.last_shown) > GAP {
            self.reset();
        }
    }

    /// Total time and frames of the present board.
    pub(super) const fn of_board(&self) -> (Duration, u32) {
        (self.total, self.frames)
    }

    /// When the first frame was captured that showed it.
    pub(super) const fn first_seen(&self) -> Time {
        self.first
    }

    /// Whether some board is gathering support.
    pub(super) const fn is_gathering(&self) -> bool {
        self.frames > 0
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        (self.total, self.frames, self.before) = (Duration::ZERO, 0, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{CellReading, GridSize, Label};

    fn board(class: u8) -> Reading {
        Reading {
            size: GridSize::new(1, 1),
            cells: vec![CellReading {
                label: Label::Class(class),
                confidence: 1.0,
            }],
            beside: Vec::new(),
        }
    }

    /// The support in ms after frames 10 ms apart: `1` and `2` boards that may be believed, `.`
    /// the old one, `?` nothing, `x` something else.
    fn after(frames: &str) -> u128 {
        let mut support = Support::default();
        for (i, c) in frames.chars().enumerate() {
            let (sight, class) = match c {
                '.' => (Sight::Old, 0),
                '?' => (Sight::Nothing, 0),
                'x' => (Sight::Else, 9),
                c => (Sight::Shown, c as u8),
            };
            support.see(sight, &board(class), Time::from_millis(10 * i as u64));
        }
        support.of_board().0.as_millis()
    }

    #[test]
    fn a_steady_board_gathers_its_time() {
        assert_eq!(after("1111"), 30);
        assert_eq!(
            after("11?11"),
            20,
            "a frame that says nothing takes nothing"
        );
        assert_eq!(after("11x11"), 20, "nor does one bad frame");
        assert_eq!(after("11xx11"), 10);
        assert_eq!(after("1122"), 10, "another board begins anew");
    }

    #[test]
    fn a_blinking_piece_is_believed_in_the_end_and_a_flickering_one_never() {
        let blinks = "11111.....".repeat(4);
        assert!(after(&blinks) >= 60, "{}", after(&blinks));
        let flickers = ".....1....11....1......".repeat(20);
        assert!(after(&flickers) <= 10, "{}", after(&flickers));
        let gone = format!("11111{}1", "?".repeat(70));
        assert_eq!(after(&gone), 0);
    }
}
