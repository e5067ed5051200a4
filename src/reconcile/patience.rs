//! How long to look before something is believed.

use std::time::Duration;

use super::reconciler::Seen;
use crate::types::{Cause, Cell};

/// How long to wait and how often to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// An unexpected board is believed after it was still for this long.
    pub settle: Duration,
    /// A move whose effect is not seen after this long is lost.
    pub confirm: Duration,
    /// How often a lost move is made again before it is given up.
    pub retries: u8,
}

/// An unexplained board that is mostly as it was must be still for this long where something may
/// lie over it unnoticed: a hand in front of a camera rests for a while, a program does not
/// change a part of its board and nothing else.
const OCCLUDER_PATIENCE: Duration = Duration::from_secs(3);

/// Moves that seem taken back may be pieces that blink; known programs hide them for up to half a
/// second at a time.
const UNDO_PATIENCE: Duration = Duration::from_secs(1);
/// A position that no moves lead to is rather a wrong reading than a right one.
const IMPOSSIBLE_PATIENCE: Duration = Duration::from_secs(3);
/// Something on its way does not rest for so long.
pub(super) const PASSING_PATIENCE: Duration = Duration::from_millis(1500);
/// A board that its program covers with the words that its game is over stays covered for so long.
pub(super) const COVER_PATIENCE: Duration = Duration::from_secs(5);

impl Patience {
    /// How long an unexpected board must be still before it is believed.
    pub(super) fn for_cause(self, cause: Cause, cells: &[Cell], seen: Seen<'_>) -> Duration {
        let mostly_as_before = cells.len() * 2 < seen.reading.size.len();
        match cause {
            Cause::BoardChanged if mostly_as_before && !seen.covers_known => {
                self.settle.max(OCCLUDER_PATIENCE)
            }
            Cause::Undone => self.settle.max(UNDO_PATIENCE),
            Cause::Impossible => self.settle.max(IMPOSSIBLE_PATIENCE),
            // A board may be swept for a moment to be drawn anew.
            Cause::NewGame | Cause::Recoloured => self.settle * 3,
            _ => self.settle,
        }
    }

    /// How long a board must be seen to which legal moves lead: longer where something may lie
    /// over it, and for more moves than those that were waited for.
    pub(super) fn for_moves(self, seen: Seen<'_>, moves: usize, waited_for: bool) -> Duration {
        let covered = match (seen.obscured, seen.covers_known) {
            (true, _) => 4,
            (false, false) => 2,
            (false, true) => 1,
        };
        // A move of ours and its answer are as good as one, and so are those of a person for us.
        let more = u32::try_from(moves.saturating_sub(2) / 3).unwrap_or(u32::MAX);
        let unexpected = u32::from(!waited_for);
        self.settle * covered * (1 + unexpected).saturating_add(more)
    }
}
