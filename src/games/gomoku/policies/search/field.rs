//! The board of the search: line patterns of every cell, kept up to date by each stone.
//!
//! Cells are numbers in rows of 32 with a border of walls; a row is also a word of 32 bits in the
//! sets of cells. A stone changes the lines of the cells near it, these change patterns, and only
//! where a pattern changes are sums and sets touched. Taking a stone back is the same in reverse.

use super::cell::{Cells, KINDS, MAKES_FOUR, MAKES_THREE, NOTHING, WINS, WINS_BY_FOUR};
use super::line::{EMPTY, Lines, WALL};
use super::weights;
use crate::games::gomoku::rules::{Board, Square};
use crate::types::{Cell, GridSize};

/// Rows of walls above and below.
const BORDER: usize = 6;
/// Rows with their borders.
pub(super) const ROWS: usize = 25 + 2 * BORDER;
/// Cells with their borders, and up to a power of two, so that a mask keeps a number within.
pub(super) const AREA: usize = 2048;
/// No cell.
pub(super) const NOWHERE: u16 = 0;

/// Steps in the four directions.
pub(super) const STEPS: [isize; 4] = [1, 32, 33, 31];

/// A set of cells.
pub(super) type Rows = [u32; ROWS];

/// The state of a game for the search.
#[derive(Clone, Debug)]
pub(super) struct Field {
    lines: &'static Lines,
    cells: &'static Cells,
    size: GridSize,
    /// 0 for X, 1 for O.
    pub(super) turn: usize,
    /// Empty cells left.
    pub(super) free: u32,
    pub(super) hash: u64,
    stones: Box<[u8; AREA]>,
    /// The lines through each empty cell.
    window: Box<[[u32; 4]; AREA]>,
    /// The four patterns of each empty cell, four bits each: for X in the low half, for O in the
    /// high one.
    patterns: Box<[u32; AREA]>,
    /// By colour and kind.
    sets: [[Rows; KINDS]; 2],
    counts: [[i32; KINDS]; 2],
    /// By colour: sums of [`Worth::own`] and [`Worth::other`].
    sums: [[i32; 2]; 2],
    occupied: Rows,
    empty: Rows,
    /// What the stones have changed, so that it can be put back; and for each stone what was
    /// before it.
    log: Vec<Change>,
    before: Vec<Before>,
}

/// Patterns of a cell that a stone has changed.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: u16,
    /// By colour: the kinds before and after.
    kinds: [[u8; 2]; 2],
    patterns: u32,
}

/// What a stone has changed beside patterns.
#[derive(Clone, Copy, Debug)]
struct Before {
    log: usize,
    counts: [[i32; KINDS]; 2],
    sums: [[i32; 2]; 2],
}

/// The number of a cell.
#[inline]
pub(super) const fn number(cell: Cell) -> u16 {
    ((cell.row as usize + BORDER) * 32 + cell.col as usize) as u16
}

/// The cell of a number.
#[inline]
pub(super) const fn cell(number: u16) -> Cell {
    Cell::new(number % 32, number / 32 - BORDER as u16)
}

impl Field {
    /// The position of a board; `None` if the game is over.
    pub(super) fn new(board: &Board) -> Option<Self> {
        if board.is_over() {
            return None;
        }
        let size = board.size();
        let lines = Lines::of(board.rule());
        let mut field = Self {
            lines,
            cells: Cells::get(),
            size,
            turn: board.to_move() as usize,
            free: 0,
            hash: key(usize::from(size.cols), 4)
                ^ key(usize::from(size.rows), 5)
                ^ key(board.rule() as usize, 6),
            stones: Box::new([WALL; AREA]),
            window: Box::new([[0; 4]; AREA]),
            patterns: Box::new([0; AREA]),
            sets: [[[0; ROWS]; KINDS]; 2],
            counts: [[0; KINDS]; 2],
            sums: [[0; 2]; 2],
            occupied: [0; ROWS],
            empty: [0; ROWS],
            log: Vec::with_capacity(4096),
            before: Vec::with_capacity(128),
        };
        if field.turn == 1 {
            field.hash ^= TURN;
        }
        for (at, &square) in size.cells().zip(board.squares()) {
            let at = number(at);
            let (row, bit) = place(at);
            let stone = match square {
                Square::Empty => EMPTY,
                Square::Stone(s) => s as u8 + 1,
                Square::Blocked => WALL,
            };
            field.stones[usize::from(at)] = stone;
            match stone {
                EMPTY => {
                    field.free += 1;
                    field.empty[row] |= bit;
                }
                WALL => field.hash ^= key(usize::from(at), 3),
                _ => {
                    field.occupied[row] |= bit;
                    field.hash ^= key(usize::from(at), stone);
                }
            }
        }
        for at in size.cells() {
            field.read(number(at));
        }
        Some(field)
    }

    /// Patterns of a cell from the stones around it.
    fn read(&mut self, at: u16) {
        let at = usize::from(at);
        let reach = self.lines.reach as isize;
        for (d, &step) in STEPS.iter().enumerate() {
            let mut line = 0;
            for k in (-reach..=reach).filter(|&k| k != 0) {
                let stone = self.stones[at.wrapping_add_signed(k * step)];
                line |= u32::from(stone) << Lines::shift(self.lines.reach, k);
            }
            self.window[at][d] = line;
            self.patterns[at] |= spread(self.lines.get(line)) << (4 * d);
        }
        if self.stones[at] == EMPTY {
            for colour in 0..2 {
                self.count(at, colour, 1);
            }
        }
    }

    /// Adds or takes away what an empty cell is worth for a colour.
    #[inline]
    fn count(&mut self, at: usize, colour: usize, sign: i32) {
        let worth = self
            .cells
            .worth((self.patterns[at] >> (16 * colour)) as u16);
        self.sums[colour][0] += sign * i32::from(worth.own);
        self.sums[colour][1] += sign * i32::from(worth.other);
        if worth.kind != NOTHING {
            let kind = usize::from(worth.kind);
            self.counts[colour][kind] += sign;
            self.sets[colour][kind][at / 32] ^= 1 << (at % 32);
        }
    }

    /// What a stone of the colour to move on this cell changes in the hash.
    #[inline]
    pub(super) fn hash_of_move(&self, at: u16) -> u64 {
        key(usize::from(at), self.turn as u8 + 1) ^ TURN
    }

    /// Puts a stone of the colour to move on an empty cell.
    pub(super) fn make(&mut self, at: u16) {
        let colour = self.turn;
        let i = usize::from(at);
        debug_assert_eq!(self.stones[i], EMPTY);
        self.before.push(Before {
            log: self.log.len(),
            counts: self.counts,
            sums: self.sums,
        });
        for c in 0..2 {
            self.count(i, c, -1);
        }
        self.put(i, colour as u8 + 1);
        self.free -= 1;
        self.hash ^= key(i, colour as u8 + 1) ^ TURN;
        self.turn = 1 - colour;
        self.change(i, colour as u32 + 1);
    }

    /// Takes back the stone on this cell, the last that was put.
    pub(super) fn undo(&mut self, at: u16) {
        let Some(before) = self.before.pop() else {
            return;
        };
        let colour = 1 - self.turn;
        let i = usize::from(at);
        self.put_back(i, colour as u32 + 1, before.log);
        self.put(i, EMPTY);
        self.free += 1;
        self.hash ^= key(i, colour as u8 + 1) ^ TURN;
        self.turn = colour;
        for c in 0..2 {
            self.count(i, c, 1);
        }
        self.counts = before.counts;
        self.sums = before.sums;
    }

    fn put(&mut self, at: usize, stone: u8) {
        self.stones[at] = stone;
        let (row, bit) = (at / 32, 1 << (at % 32));
        self.occupied[row] ^= bit;
        self.empty[row] ^= bit;
    }

    /// Passes, or takes a pass back.
    pub(super) fn pass(&mut self) {
        self.turn = 1 - self.turn;
        self.hash ^= TURN;
    }

    /// Turns the bits of a stone in the lines of the empty cells around it. Cells with stones on
    /// them have nothing to keep: what they had is right again when these stones are taken back.
    #[inline]
    fn change(&mut self, at: usize, bits: u32) {
        let reach = self.lines.reach;
        for (d, &step) in STEPS.iter().enumerate() {
            let keep = !(0xf_000f << (4 * d));
            for sign in [-1, 1] {
                for k in 1..=reach as isize {
                    let q = at.wrapping_add_signed(sign * k * step) % AREA;
                    match self.stones[q] {
                        EMPTY => {}
                        // Nothing reaches through a wall.
                        WALL => break,
                        _ => continue,
                    }
                    let line = self.window[q][d] ^ bits << Lines::shift(reach, -sign * k);
                    self.window[q][d] = line;
                    let old = self.patterns[q];
                    let new = old & keep | spread(self.lines.get(line)) << (4 * d);
                    if new != old {
                        self.repattern(q, old, new);
                    }
                }
            }
        }
    }

    #[inline]
    fn repattern(&mut self, at: usize, old: u32, new: u32) {
        self.patterns[at] = new;
        let mut kinds = [[NOTHING; 2]; 2];
        for colour in 0..2 {
            let (was, is) = ((old >> (16 * colour)) as u16, (new >> (16 * colour)) as u16);
            if was == is {
                continue;
            }
            let (was, is) = (self.cells.worth(was), self.cells.worth(is));
            self.sums[colour][0] += i32::from(is.own) - i32::from(was.own);
            self.sums[colour][1] += i32::from(is.other) - i32::from(was.other);
            if was.kind != is.kind {
                kinds[colour] = [was.kind, is.kind];
                self.counts[colour][usize::from(was.kind)] -= 1;
                self.counts[colour][usize::from(is.kind)] += 1;
                self.turn_sets(at, colour, kinds[colour]);
            }
        }
        self.log.push(Change {
            at: at as u16,
            kinds,
            patterns: old,
        });
    }

    /// Moves a cell from the set of one kind to that of another, or back. (That of `NOTHING` is
    /// nobody's.)
    #[inline]
    fn turn_sets(&mut self, at: usize, colour: usize, kinds: [u8; 2]) {
        for kind in kinds {
            self.sets[colour][usize::from(kind)][at / 32 % ROWS] ^= 1 << (at % 32);
        }
    }

    /// Undoes [`Field::change`].
    #[inline]
    fn put_back(&mut self, at: usize, bits: u32, log: usize) {
        let reach = self.lines.reach;
        for (d, &step) in STEPS.iter().enumerate() {
            for sign in [-1, 1] {
                for k in 1..=reach as isize {
                    let q = at.wrapping_add_signed(sign * k * step) % AREA;
                    match self.stones[q] {
                        EMPTY => self.window[q][d] ^= bits << Lines::shift(reach, -sign * k),
                        WALL => break,
                        _ => {}
                    }
                }
            }
        }
        while self.log.len() > log {
            let Some(c) = self.log.pop() else {
                return;
            };
            let at = usize::from(c.at);
            self.patterns[at % AREA] = c.patterns;
            for colour in 0..2 {
                if c.kinds[colour] != [NOTHING; 2] {
                    self.turn_sets(at, colour, c.kinds[colour]);
                }
            }
        }
    }

    /// The value of the position for the side to move.
    #[inline]
    pub(super) fn value(&self) -> i32 {
        let sums = self.sums[self.turn][0] - self.sums[1 - self.turn][1];
        sums + weights::TENSION[self.tension()]
    }

    /// Which of the two sides threatens what: a number below [`weights::TENSIONS`].
    #[inline]
    pub(super) fn tension(&self) -> usize {
        let (own, other) = (&self.counts[self.turn], &self.counts[1 - self.turn]);
        let few = |n: i32| n.clamp(0, 2) as usize;
        let threes = few(own[usize::from(MAKES_THREE)]) * 3 + few(other[usize::from(MAKES_THREE)]);
        let fours = few(own[usize::from(MAKES_FOUR)]) * 3 + few(other[usize::from(MAKES_FOUR)]);
        (few(other[usize::from(WINS_BY_FOUR)]) * 9 + fours) * 9 + threes
    }

    /// Empty cells where a stone of this colour does what `kind` says, and nothing stronger.
    #[inline]
    pub(super) fn count_of(&self, colour: usize, kind: u8) -> i32 {
        self.counts[colour][usize::from(kind)]
    }

    /// These cells.
    #[inline]
    pub(super) fn set(&self, colour: usize, kind: u8) -> &Rows {
        &self.sets[colour][usize::from(kind)]
    }

    /// The first of these cells, if there is one.
    #[inline]
    pub(super) fn first(&self, colour: usize, kind: u8) -> Option<u16> {
        if self.count_of(colour, kind) == 0 {
            return None;
        }
        cells_of(self.set(colour, kind)).next()
    }

    /// Whether this colour can make five at once.
    #[inline]
    pub(super) fn can_win(&self, colour: usize) -> bool {
        self.count_of(colour, WINS) > 0
    }

    /// Whether this colour can make a four that cannot be stopped.
    #[inline]
    pub(super) fn can_win_by_four(&self, colour: usize) -> bool {
        self.count_of(colour, WINS_BY_FOUR) > 0
    }

    /// What a cell is worth for a colour.
    #[inline]
    pub(super) fn worth(&self, at: u16, colour: usize) -> &'static super::cell::Worth {
        self.cells.worth(self.patterns(at, colour))
    }

    /// The four patterns of a cell.
    #[inline]
    pub(super) fn patterns(&self, at: u16, colour: usize) -> u16 {
        (self.patterns[usize::from(at) % AREA] >> (16 * colour)) as u16
    }

    /// The pattern that a colour's stone on `at` would make in direction `d` if the other colour
    /// had a stone `k` steps along it.
    #[inline]
    pub(super) fn pattern_against(&self, at: u16, colour: usize, d: usize, k: isize) -> u8 {
        let against = 2 - colour as u32;
        let line = self.window[usize::from(at)][d] | against << Lines::shift(self.lines.reach, k);
        self.lines.get(line) >> (4 * colour) & 15
    }

    /// Cells to either side that matter to a line.
    pub(super) const fn reach(&self) -> isize {
        self.lines.reach as isize
    }

    /// Whether a cell of the board is empty.
    #[inline]
    pub(super) fn is_empty(&self, at: u16) -> bool {
        self.stones.get(usize::from(at)) == Some(&EMPTY)
    }

    /// What is on a cell: 0 nothing, 1 X, 2 O, 3 neither's.
    #[inline]
    pub(super) fn stone(&self, at: u16) -> u8 {
        self.stones[usize::from(at)]
    }

    /// Empty cells at most two from a stone; where there is no stone, all.
    pub(super) fn near(&self) -> Rows {
        let wide = |row: u32| row | row << 1 | row >> 1 | row << 2 | row >> 2;
        let mut near = [0; ROWS];
        for row in BORDER..BORDER + usize::from(self.size.rows) {
            let o = &self.occupied;
            let all = o[row - 2] | o[row - 1] | o[row] | o[row + 1] | o[row + 2];
            near[row] = wide(all) & self.empty[row];
        }
        if near.iter().all(|&row| row == 0) {
            return self.empty;
        }
        near
    }

    /// Whether there is no stone at all.
    pub(super) fn is_bare(&self) -> bool {
        self.occupied.iter().all(|&row| row == 0)
    }

    /// The empty cells.
    pub(super) const fn empty_cells(&self) -> &Rows {
        &self.empty
    }

    /// Columns and rows.
    pub(super) const fn size(&self) -> GridSize {
        self.size
    }
}

/// Patterns for both colours, apart as the cells keep them.
#[inline]
const fn spread(both: u8) -> u32 {
    (both as u32 & 15) | (both as u32 >> 4) << 16
}

/// Word and bit of a cell in a set.
#[inline]
pub(super) const fn place(at: u16) -> (usize, u32) {
    (at as usize / 32, 1 << (at % 32))
}

/// The cells of a set.
pub(super) fn cells_of(rows: &Rows) -> impl Iterator<Item = u16> + '_ {
    rows.iter().enumerate().flat_map(|(row, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let col = bits.trailing_zeros();
                bits &= bits - 1;
                (row * 32) as u16 + col as u16
            })
        })
    })
}

const TURN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a stone on a cell.
#[inline]
pub(super) fn key(at: usize, stone: u8) -> u64 {
    // One round of a well-mixing generator; no table to keep in the cache.
    let mut z = ((at as u64) << 3 | u64::from(stone)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z ^= z >> 32;
    z = z.wrapping_mul(0xd6e8_feb8_6659_fd93);
    z ^= z >> 29;
    z.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests;
