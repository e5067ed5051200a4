//! Contradictions: when a frame fits nothing that can have happened, and what is made of it.
//!
//! One such frame changes nothing. When the next ones show the same pile, that pile is believed:
//! after two frames where the rules know how it can have come about, after more where they do not.
//! Must never take over a frame of which much cannot be read.

use super::super::rules::{Board, Kind, Pose};
use super::paths::Ground;
use super::split::Split;
use super::story::Stranger;
use crate::types::Cause;

/// Frames in a row that must show a pile which nothing explains.
const UNEXPLAINED: u32 = 5;
/// A new game begins with no more filled cells than junk rows at the bottom may have.
const NEW_GAME_CELLS: usize = 2;
/// Junk rows looked for at once.
const JUNK_ROWS: u16 = 4;

/// See [`Doubt::strange`].
type Strange = (Stranger, Option<(Kind, u8, i16)>, Option<Pose>);

/// Frames that contradict the belief.
#[derive(Clone, Debug, Default)]
pub struct Doubt {
    /// Contradictions in a row.
    pub strikes: u32,
    /// Frames in a row that showed the last pile.
    agreeing: u32,
    last: Option<(Split, Cause)>,
    /// Frames in a row that may show a piece between two places.
    pub torn: u32,
    /// Something was told about this doubt.
    pub told: bool,
    /// That much is covered was told.
    pub covered: bool,
    /// What only somebody else can have done, in the last frame: who, where the piece is (kind,
    /// orientation, column), where the one before landed.
    pub strange: Option<Strange>,
    /// Cells of the pile that are seen otherwise again and again: index and frames in a row.
    pub suspects: Vec<(usize, u8)>,
}

impl Doubt {
    /// A frame agreed.
    pub fn settle(&mut self) {
        self.strikes = 0;
        self.agreeing = 0;
        self.last = None;
        self.strange = None;
        self.torn = 0;
        self.told = false;
        self.covered = false;
    }

    /// A frame contradicts; gives it back when it is to be believed.
    pub fn strike(&mut self, split: Split, cause: Cause) -> Option<Split> {
        self.strikes += 1;
        let explained = !matches!(cause, Cause::BoardChanged | Cause::Misread);
        // The piece may have landed between two frames that both show, say, the same junk row.
        let agrees = |(last, why): &(Split, Cause)| {
            last.same_pile(&split) || explained && cause != Cause::UserMoved && *why == cause
        };
        let agreed = self.last.as_ref().is_some_and(agrees);
        self.agreeing = if agreed { self.agreeing + 1 } else { 1 };
        if self.agreeing >= if explained { 2 } else { UNEXPLAINED } {
            return Some(split);
        }
        self.last = Some((split, cause));
        None
    }
}

fn filled(board: &Board) -> usize {
    board.cells().iter().filter(|&&v| v != 0).count()
}

fn same(a: &Board, b: &Board) -> bool {
    a.cells()
        .iter()
        .zip(b.cells())
        .all(|(&a, &b)| (a != 0) == (b != 0))
}

/// How many rows were pushed in from below between two piles, if that is what happened.
fn junk_rows(old: &Board, new: &Board) -> Option<u16> {
    let cols = usize::from(old.cols());
    (1..=JUNK_ROWS.min(old.rows())).find(|&n| {
        let (pushed, above) = new.cells().split_at(usize::from(n) * cols);
        // Each pushed row has a hole, else it would have vanished, and is otherwise nearly full.
        let junk = pushed.chunks(cols).all(|row| {
            let holes = row.iter().filter(|&&v| v == 0).count();
            holes > 0 && holes * 2 <= cols
        });
        let raised = (above.iter().zip(old.cells())).all(|(&a, &b)| (a != 0) == (b != 0));
        junk && raised
    })
}

/// What turned the believed position into the one that was seen, as far as the rules tell;
/// [`Cause::BoardChanged`] when they do not.
#[must_use]
pub fn cause(ground: Ground<'_>, piece: Option<Pose>, over: bool, seen: &Split) -> Cause {
    let old = ground.pile;
    let (before, after) = (filled(old), filled(&seen.pile));
    if after <= NEW_GAME_CELLS && (over || before >= 10) {
        return Cause::NewGame;
    }
    let mut with_piece = None;
    if let Some(pose) = piece {
        let mut landed = old.clone();
        landed.lock(ground.system, ground.dropped(pose));
        landed.clear_full();
        with_piece = Some(landed);
    }
    for pile in [Some(old), with_piece.as_ref()].into_iter().flatten() {
        if junk_rows(pile, &seen.pile).is_some() {
            return Cause::JunkRow;
        }
    }
    if same(old, &seen.pile) {
        // The pile is as believed: only the piece is another or elsewhere.
        return Cause::UserMoved;
    }
    if let Some(pose) = piece
        && landed_somewhere(ground, pose, &seen.pile)
    {
        return Cause::LandedEarly;
    }
    if over && after * 2 < before {
        return Cause::NewGame;
    }
    Cause::BoardChanged
}

/// Whether the piece alone, wherever it came to rest, made this pile.
fn landed_somewhere(ground: Ground<'_>, pose: Pose, seen: &Board) -> bool {
    let (cols, rows) = (ground.pile.cols() as i16, ground.pile.rows() as i16);
    let mut after = ground.pile.clone();
    for turn in 0..ground.system.turns_of(pose.kind) {
        for x in -2..cols + 2 {
            for y in -2..rows + 2 {
                let there = Pose { turn, x, y, ..pose };
                if !ground.fits(there) || !ground.rests(there) {
                    continue;
                }
                after.clone_from(ground.pile);
                after.lock(ground.system, there);
                after.clear_full();
                if same(&after, seen) {
                    return true;
                }
            }
        }
    }
    false
}
