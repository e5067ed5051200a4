//! Which placements the rules allow from where a piece appears.

use super::bits::Bits;
use super::features::Ground;
use super::pile::Pile;
use super::shape::{self, Shape, Shapes};
use crate::games::tetris::rules::Kind;

/// When a piece can be turned and moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MoveModel {
    /// The piece falls one row as it appeared; in that row it is turned, then moved one column at
    /// a time, never through the pile; then it is dropped. One that cannot fall stays where it
    /// appeared.
    #[default]
    AfterOneStep,
    /// Besides, it can be moved in the row where it appears, and is then dropped as it appeared.
    AlsoAtSpawn,
    /// All that the rules allow before the second step: moved in the row where it appears, and
    /// turned and moved in any order in the row below.
    AnyOrder,
    /// Any orientation in any column from above the board, as in most papers; the game is over
    /// when the pile sticks out at the top.
    Ideal,
}

impl MoveModel {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::AfterOneStep,
        Self::AlsoAtSpawn,
        Self::AnyOrder,
        Self::Ideal,
    ];

    /// Its name as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AfterOneStep => "f",
            Self::AlsoAtSpawn => "s",
            Self::AnyOrder => "a",
            Self::Ideal => "i",
        }
    }

    /// The model of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// Whether a shape with its left column at `left` (from 1) and its lowest row at `lowest` lies on
/// empty cells between the walls and in the board.
#[inline]
fn is_free<C: Bits, const W: usize>(
    pile: &Pile<C, W>,
    shape: &Shape,
    left: i32,
    lowest: i32,
) -> bool {
    let width = i32::from(shape.width);
    let rows = i32::from(pile.rows);
    if left < 1
        || left + width > i32::from(pile.cols) + 1
        || lowest < 0
        || lowest + i32::from(shape.height) > rows
    {
        return false;
    }
    (0..usize::from(shape.width)).all(|i| {
        let from = lowest as u32 + u32::from(shape.bottom[i]);
        let cells = C::range(from, from + u32::from(shape.count[i]));
        (pile.col[left as usize + i] & cells).is_empty()
    })
}

/// Column (from 1) of a new piece's origin.
#[inline(always)]
fn origin(cols: u16) -> i32 {
    i32::from(cols / 2) + 1
}

/// Whether a new piece would overlap the pile: the end of the game.
#[must_use]
#[inline]
pub fn is_blocked<C: Bits, const W: usize>(pile: &Pile<C, W>, kind: Kind) -> bool {
    let shape = &shape::standard()[kind.index()].turns()[0];
    let left = origin(pile.cols) + i32::from(shape.dx);
    let lowest = i32::from(pile.rows) - 1 + i32::from(shape.dy);
    !is_free(pile, shape, left, lowest)
}

/// Whether a new piece would overlap the pile or rest on it at once, before it can be turned.
#[must_use]
#[inline]
pub fn is_stuck<C: Bits, const W: usize>(pile: &Pile<C, W>, kind: Kind) -> bool {
    let shape = &shape::standard()[kind.index()].turns()[0];
    let left = origin(pile.cols) + i32::from(shape.dx);
    let lowest = i32::from(pile.rows) - 2 + i32::from(shape.dy);
    is_blocked(pile, kind) || !is_free(pile, shape, left, lowest)
}

/// Calls `visit(turn, shape, left)` (left from 1) for every placement that can be reached, by
/// orientation, then from left to right; none when the piece cannot even appear.
#[inline(always)]
pub fn for_each<C: Bits, const W: usize>(
    ground: &Ground<C, W>,
    shapes: &Shapes,
    model: MoveModel,
    mut visit: impl FnMut(usize, &Shape, usize),
) {
    let cols = usize::from(ground.pile.cols);
    // Turning takes up to three rows below the top row.
    let open = model == MoveModel::Ideal || ground.top + 4 <= ground.pile.rows;
    let reached = if open {
        None
    } else {
        Some(crowded(ground, shapes, model))
    };
    for (turn, shape) in shapes.turns().iter().enumerate() {
        for left in 1..=(cols + 1).saturating_sub(usize::from(shape.width)) {
            // One call only: what is called is then compiled into this loop.
            if reached.as_ref().is_none_or(|r| r[turn][left]) {
                visit(turn, shape, left);
            }
        }
    }
}

/// The placements that can be reached where the pile is near the top.
#[inline(never)]
fn crowded<C: Bits, const W: usize>(
    ground: &Ground<C, W>,
    shapes: &Shapes,
    model: MoveModel,
) -> [[bool; W]; 4] {
    let mut reached = [[false; W]; 4];
    let pile = &ground.pile;
    let turns = shapes.turns();
    let rows = i32::from(pile.rows);
    let free = |turn: usize, x: i32, y: i32| {
        let s = &turns[turn];
        is_free(pile, s, x + i32::from(s.dx), y + i32::from(s.dy))
    };
    let mut add = |turn: usize, x: i32, y: i32| {
        // Where an overhang reaches over the piece it lands lower than a drop from above the
        // board: such a landing has no name here and is left out.
        let s = &turns[turn];
        let left = (x + i32::from(s.dx)) as usize;
        let rest = Pile::<C, W>::rest(&ground.height[left..], s) as i32;
        if rest <= y + i32::from(s.dy) {
            reached[turn][left] = true;
        }
    };
    let spawn = (origin(pile.cols), rows - 1);
    if !free(0, spawn.0, spawn.1) {
        return reached;
    }
    // Columns of the origin (from 1) in which the piece stands before it falls.
    let mut starts = [spawn.0, spawn.0];
    if model != MoveModel::AfterOneStep {
        while free(0, starts[0] - 1, spawn.1) {
            starts[0] -= 1;
        }
        while free(0, starts[1] + 1, spawn.1) {
            starts[1] += 1;
        }
    }
    // In the row below.
    let y = rows - 2;
    let cols = usize::from(pile.cols);
    let mut open = [[false; W]; 4];
    for turn in 0..turns.len() {
        for x in 1..=cols {
            open[turn][x] = free(turn, x as i32, y);
        }
    }
    let mut seen = [[false; W]; 4];
    let anywhere = model == MoveModel::AnyOrder;
    for start in starts[0]..=starts[1] {
        let falls = open[0][start as usize];
        if !falls || model != MoveModel::AfterOneStep {
            add(0, start, spawn.1);
        }
        seen[0][start as usize] |= falls && (anywhere || start == spawn.0);
    }
    let spread = |seen: &mut [bool; W], open: &[bool; W]| {
        for x in 2..=cols {
            seen[x] |= seen[x - 1] && open[x];
        }
        for x in (1..cols).rev() {
            seen[x] |= seen[x + 1] && open[x];
        }
    };
    // Turning first, as often as it takes, then moving.
    for turn in 1..turns.len() {
        for x in 1..=cols {
            seen[turn][x] = seen[turn - 1][x] && open[turn][x];
        }
    }
    for turn in 0..turns.len() {
        spread(&mut seen[turn], &open[turn]);
    }
    let mut changed = anywhere;
    while changed {
        changed = false;
        for turn in 0..turns.len() {
            let next = (turn + 1) % turns.len();
            for x in 1..=cols {
                if seen[turn][x] && open[next][x] && !seen[next][x] {
                    seen[next][x] = true;
                    changed = true;
                }
            }
            spread(&mut seen[next], &open[next]);
        }
    }
    for turn in 0..turns.len() {
        for x in 1..=cols {
            if seen[turn][x] {
                add(turn, x as i32, y);
            }
        }
    }
    reached
}
