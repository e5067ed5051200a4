//! For how long a board has been seen that is not the believed one, all its appearances together: a
//! piece that blinks is there, a piece that one bad frame shows is not, and one bad frame does not
//! take away what all others show.

use std::time::Duration;

use crate::types::{CellReading, ClassId, Label, Reading, Time};

/// A board that has not been seen for this long has to begin anew.
const GAP: Duration = Duration::from_millis(600);
/// Time in which the old board is seen takes away this share of itself: a piece that is there half
/// of the time is believed, one that flickers now and then is not.
const COST: u32 = 2;
/// The same for time in which another new board is seen: of two that take turns, as with a piece
/// that blinks, the one is mostly a part of the other.
const COST_OF_ANOTHER: u32 = 4;
/// So many frames in a row may be one bad one that is repeated.
const BAD: u32 = 2;
/// Boards that gather support at a time: two that take turns before and after a move, and what bad
/// frames show.
const BOARDS: usize = 6;

/// In games whose boards gather support the first class is an empty place.
const EMPTY: ClassId = 0;

/// What a frame says about the boards that are gathering support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// It shows a board that may be believed.
    Board,
    /// It shows the old board.
    Old,
    /// It says nothing: some cells cannot be read, or something is on its way.
    Nothing,
}

/// What the last frame has shown, for how many frames in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shown {
    /// The place of a new board.
    board: Option<usize>,
    old: bool,
    frames: u32,
    at: Time,
}

/// The boards and their support.
#[derive(Debug, Default)]
pub(super) struct Support {
    boards: [Seen; BOARDS],
    before: Option<Shown>,
}

#[derive(Debug, Default)]
struct Seen {
    board: Reading,
    /// Time between frames in a row that showed it, less what other boards have taken away.
    total: Duration,
    /// The same since another board was last seen for more than a bad frame.
    steady: Duration,
    /// 0 while there is no board.
    frames: u32,
    /// The most frames in a row that showed it.
    longest: u32,
    first: Time,
    last: Time,
}

impl Seen {
    fn begin(&mut self, reading: &Reading, at: Time) {
        self.board.size = reading.size;
        self.board.cells.clone_from(&reading.cells);
        (self.total, self.steady) = (Duration::ZERO, Duration::ZERO);
        (self.frames, self.longest, self.first, self.last) = (1, 1, at, at);
    }

    fn is(&self, reading: &Reading) -> bool {
        self.frames > 0 && self.board.same_labels(reading)
    }

    /// Whether all its pieces lie in another board, too: the same a few moves earlier, or without
    /// a piece that blinks.
    fn is_part_of(&self, reading: &Reading) -> bool {
        let cells = self.board.cells.iter().zip(&reading.cells);
        let kept = |(own, seen): (&CellReading, &CellReading)| {
            own.label == Label::Class(EMPTY) || own.label == seen.label
        };
        self.frames > 0 && self.board.size == reading.size && { cells }.all(kept)
    }
}

impl Support {
    /// Takes the next frame.
    pub(super) fn see(&mut self, sight: Sight, reading: &Reading, at: Time) {
        for seen in &mut self.boards {
            if at.since(seen.last) > GAP {
                seen.frames = 0;
            }
        }
        let board = (sight == Sight::Board).then(|| self.place(reading, at));
        let old = sight == Sight::Old;
        let before = self.before.filter(|b| b.board == board && b.old == old);
        let shown = Shown {
            board,
            old,
            frames: before.map_or(1, |b| b.frames + 1),
            at,
        };
        let passed = before.map_or(Duration::ZERO, |b| at.since(b.at));
        self.before = Some(shown);
        if sight == Sight::Nothing {
            return;
        }
        for (i, seen) in self.boards.iter_mut().enumerate() {
            if board == Some(i) {
                seen.total += passed;
                seen.steady += passed;
                seen.longest = seen.longest.max(shown.frames);
                seen.last = at;
                continue;
            }
            if board.is_some() && seen.is_part_of(reading) {
                seen.total += passed;
            } else {
                let share = if old { COST } else { COST_OF_ANOTHER };
                seen.total = seen.total.saturating_sub(passed / share);
            }
            // A frame may be a bad one, whatever it shows, and come twice.
            if shown.frames > BAD {
                seen.steady = Duration::ZERO;
            }
        }
    }

    /// The place of a board that is seen, with one more frame; a new one takes the place of what
    /// has the least support.
    fn place(&mut self, reading: &Reading, at: Time) -> usize {
        if let Some(i) = self.boards.iter().position(|b| b.is(reading)) {
            self.boards[i].frames += 1;
            return i;
        }
        let least = (0..BOARDS).min_by_key(|&i| {
            let seen = &self.boards[i];
            (seen.frames > 0, seen.longest > BAD, seen.total, seen.last)
        });
        let i = least.unwrap_or(0);
        self.boards[i].begin(reading, at);
        i
    }

    fn of(&self, reading: &Reading) -> Option<&Seen> {
        self.boards.iter().find(|b| b.is(reading))
    }

    /// Whether a board has been seen for so long in all and in at least so many frames.
    pub(super) fn has(&self, reading: &Reading, time: Duration, frames: u32) -> bool {
        let seen = self.of(reading);
        seen.is_some_and(|s| s.frames >= frames && s.total >= time)
    }

    /// The same without any other board being seen between.
    pub(super) fn has_steadily(&self, reading: &Reading, time: Duration, frames: u32) -> bool {
        let seen = self.of(reading);
        seen.is_some_and(|s| s.frames >= frames && s.steady >= time)
    }

    /// When the first frame was captured that showed a board.
    pub(super) fn first_seen(&self, reading: &Reading) -> Option<Time> {
        self.of(reading).map(|s| s.first)
    }

    /// Whether some new board has been seen in more than single frames of late. One that was seen in
    /// more than bad frames may hide for as long as pieces do that blink, even if it was seen for
    /// less: a move may be taken back and made in between.
    pub(super) fn is_gathering(&self) -> bool {
        let some = |s: &Seen| s.frames > 1 && !s.total.is_zero() || s.frames > 0 && s.longest > BAD;
        self.boards.iter().any(some)
    }

    /// Whether a new board may be about to be seen.
    pub(super) fn is_begun(&self) -> bool {
        self.boards.iter().any(|s| s.frames > 0)
    }

    /// Keeps only some boards.
    pub(super) fn retain(&mut self, keep: impl Fn(&Reading) -> bool) {
        for seen in self.boards.iter_mut().filter(|s| s.frames > 0) {
            if !keep(&seen.board) {
                seen.frames = 0;
            }
        }
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        self.boards.iter_mut().for_each(|s| s.frames = 0);
        self.before = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::GridSize;

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

    fn support(frames: &str) -> Support {
        let mut support = Support::default();
        for (i, c) in frames.chars().enumerate() {
            let sight = match c {
                '.' => Sight::Old,
                '?' => Sight::Nothing,
                _ => Sight::Board,
            };
            support.see(sight, &board(c as u8), Time::from_millis(10 * i as u64));
        }
        support
    }

    /// The support of board `a` in ms, in all and steadily, after frames 10 ms apart: letters are
    /// boards, `.` is the old one, `?` says nothing.
    fn after(frames: &str) -> (u128, u128) {
        let support = support(frames);
        let of = support.of(&board(b'a'));
        of.map_or((0, 0), |s| (s.total.as_millis(), s.steady.as_millis()))
    }

    #[test]
    fn a_steady_board_gathers_its_time() {
        assert_eq!(after("aaaa"), (30, 30));
        assert_eq!(
            after("aa?aa"),
            (20, 20),
            "a frame that says nothing takes nothing"
        );
        assert_eq!(after("aaxaa"), (20, 20), "nor does one bad frame");
        assert_eq!(after("aaxaa.a"), (20, 20));
        assert_eq!(after("aaaaaxxa").1, 40, "even if it comes twice");
        assert_eq!(after("aaaaaxxxa"), (35, 0), "but three are another board");
        assert_eq!(after("aaxyxyx"), (10, 10));
    }

    #[test]
    fn a_blinking_piece_is_believed_in_the_end_and_a_flickering_one_never() {
        let blinks = after(&"aaaaa.....".repeat(4));
        assert!(blinks.0 >= 60 && blinks.1 == 0, "{blinks:?}");
        // With another piece under it that is new, too.
        let both = after(&"aaaaabbbbb".repeat(4));
        assert!(both.0 >= 100 && both.1 == 0, "{both:?}");
        let flickers = after(&".....a....aa....a......".repeat(20));
        assert!(flickers.0 <= 10, "{flickers:?}");
        assert_eq!(after(&format!("aaaaa{}a", "?".repeat(70))), (0, 0));
    }

    #[test]
    fn what_lies_under_a_blinking_piece_is_there_all_the_time() {
        let two = |classes: [u8; 2]| Reading {
            size: GridSize::new(2, 1),
            cells: classes.map(|c| board(c).cells[0]).to_vec(),
            beside: Vec::new(),
        };
        let (both, under, other) = (two([1, 2]), two([1, 0]), two([0, 2]));
        let mut support = Support::default();
        for i in 0..40u64 {
            let shown = if i % 10 < 5 { &both } else { &under };
            support.see(Sight::Board, shown, Time::from_millis(10 * i));
        }
        let total = |b| support.of(b).map(|s| s.total.as_millis());
        assert_eq!(
            total(&under),
            Some(280),
            "each time it was seen, and less one frame each"
        );
        assert_eq!(total(&both), Some(160 - 40));
        assert_eq!(total(&other), None);
    }

    #[test]
    fn single_bad_frames_are_nothing_to_wait_for() {
        assert!(!support("..a..b..a").is_gathering());
        assert!(support("..a..b..a").is_begun());
        assert!(support("..aa.").is_gathering());
        assert!(!support("..aa......").is_gathering(), "it was nothing");
        assert!(support("..aaa........").is_gathering(), "it may blink");
        assert!(!support(&format!("aaa{}", ".".repeat(61))).is_gathering());
        assert!(!support(&format!("aa{}", "?".repeat(70))).is_begun());
    }

    #[test]
    fn only_the_board_itself_has_its_support() {
        let mut support = support("xxxxx");
        let (x, y) = (board(b'x'), board(b'y'));
        let (ms, none) = (Duration::from_millis, Duration::ZERO);
        assert!(support.has(&x, ms(40), 5) && !support.has(&x, ms(41), 5));
        assert!(!support.has(&x, none, 6) && !support.has(&y, none, 1));
        assert!(support.has_steadily(&x, ms(40), 3));
        assert_eq!(support.first_seen(&x), Some(Time::ZERO));
        support.reset();
        assert!(!support.is_begun() && !support.has(&x, none, 0));
    }
}
