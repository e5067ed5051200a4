//! What a stone of one colour on an empty cell is worth: its four line patterns taken together.
//!
//! The order of the directions does not matter, so the four patterns have a code that is the same
//! for all orders; tables go from the four patterns to the code and from the code to the values.

use std::sync::LazyLock;

use super::line::{FIVE, FOUR, OPEN_FOUR, THREE};
use super::weights;

/// What a stone there threatens or does; each cell is in exactly one of these for each colour.
pub(super) const NOTHING: u8 = 0;
/// An open three, at least one, and no four.
pub(super) const MAKES_THREE: u8 = 1;
/// One four.
pub(super) const MAKES_FOUR: u8 = 2;
/// An open four or two fours: wins unless the other side has five first.
pub(super) const WINS_BY_FOUR: u8 = 3;
/// Five.
pub(super) const WINS: u8 = 4;
/// How many of these there are.
pub(super) const KINDS: usize = 5;

/// Values of a code.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worth {
    /// Added to the evaluation of the colour when it is to move.
    pub(super) own: i16,
    /// The same when the other colour is to move.
    pub(super) other: i16,
    /// How early to look at the move for the colour itself.
    pub(super) attack: i16,
    /// How early to look at it for the other colour, which takes the cell away.
    pub(super) defence: i16,
    /// One of the kinds above.
    pub(super) kind: u8,
}

/// Tables for all sets of four patterns.
#[derive(Debug)]
pub(super) struct Cells {
    /// By four patterns of four bits: the code.
    code: Vec<u16>,
    /// By code.
    worth: Vec<Worth>,
}

static CELLS: LazyLock<Cells> = LazyLock::new(Cells::new);

impl Cells {
    pub(super) fn get() -> &'static Self {
        &CELLS
    }

    /// The values of a cell by its four patterns.
    #[inline]
    pub(super) fn worth(&self, patterns: u16) -> &Worth {
        &self.worth[usize::from(self.code[usize::from(patterns)])]
    }

    fn new() -> Self {
        let mut sets = Vec::new();
        let mut places = std::collections::HashMap::new();
        let code = (0..=u16::MAX)
            .map(|patterns| {
                let sorted = sorted(patterns);
                *places.entry(sorted).or_insert_with(|| {
                    sets.push(sorted);
                    (sets.len() - 1) as u16
                })
            })
            .collect();
        let worth = sets.iter().map(|&set| worth(set)).collect();
        Self { code, worth }
    }
}

/// The four patterns, strongest first.
fn sorted(patterns: u16) -> [u8; 4] {
    let mut set = [0, 4, 8, 12].map(|s| (patterns >> s & 15) as u8);
    set.sort_unstable_by(|a, b| b.cmp(a));
    set
}

fn worth(set: [u8; 4]) -> Worth {
    let fours = set.iter().filter(|&&p| p == FOUR).count();
    let kind = match () {
        () if set[0] == FIVE => WINS,
        () if set[0] == OPEN_FOUR || fours > 1 => WINS_BY_FOUR,
        () if fours == 1 => MAKES_FOUR,
        () if THREE.contains(&set[0]) => MAKES_THREE,
        () => NOTHING,
    };
    let value = |side: usize| weights::value(side, set).clamp(-3000, 3000) as i16;
    let order = |side: usize| weights::order(side, set).clamp(0, 8000) as i16;
    Worth {
        own: value(0),
        other: value(1),
        attack: order(0),
        defence: order(1),
        kind,
    }
}
