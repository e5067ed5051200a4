//! Boards of up to 8x8 as bits: a column has one bit for each row and one more above them, so that
//! no shift carries a row over into the next column. Nothing here is checked: it is the searches'
//! inner loop.
//!
//! The bit above a column also makes `mask + bottom` the cells that can be played.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

use super::board::{Board, Disc};

/// An unsigned number that holds a board.
pub trait Word:
    Copy
    + Eq
    + Ord
    + Debug
    + Send
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No bits.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;
    /// Number of bits set.
    fn count(self) -> u32;
    /// Zeros below the lowest bit set.
    fn lowest(self) -> u32;
    /// A number below two to the `bits`, taken apart without loss into where it goes, which looks
    /// random, and the lower `tag` bits of what is left.
    fn scatter(self, bits: u32, tag: u32) -> (usize, u64);
}

macro_rules! word {
    ($t:ty, $odd:expr) => {
        impl Word for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn scatter(self, bits: u32, tag: u32) -> (usize, u64) {
                let room = Self::BITS - bits;
                let mixed = self.wrapping_mul($odd) << room >> room;
                ((mixed >> tag) as usize, (mixed & ((1 << tag) - 1)) as u64)
            }
        }
    };
}
// Odd, without pattern: the fraction of the golden ratio.
word!(u64, 0x9E37_79B9_7F4A_7C15);
word!(u128, 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);

/// Whether at most one bit is set.
#[inline(always)]
pub fn at_most_one<W: Word>(bits: W) -> bool {
    bits == W::ZERO || bits & (bits - W::ONE) == W::ZERO
}

/// The shape of a board and what wins on it.
pub trait Shape: Copy + Send + Debug {
    /// Holds the board.
    type Word: Word;
    /// Columns.
    fn cols(self) -> u32;
    /// Rows.
    fn rows(self) -> u32;
    /// All cells.
    fn cells(self) -> Self::Word;
    /// The lowest cell of each column.
    fn bottom(self) -> Self::Word;
    /// The first, third, ... row.
    fn odd_rows(self) -> Self::Word;
    /// Cells, empty or not, that make a row together with these discs; the cells beside the board
    /// are among them.
    fn completing(self, discs: Self::Word) -> Self::Word;
    /// Whether these discs hold a row.
    fn has_row(self, discs: Self::Word) -> bool;
    /// All cells of the rows that these discs hold.
    fn in_rows(self, discs: Self::Word) -> Self::Word;

    /// Bits from a column to the next.
    #[inline(always)]
    fn stride(self) -> u32 {
        self.rows() + 1
    }

    /// The cells of a column.
    #[inline(always)]
    fn column(self, col: u32) -> Self::Word {
        ((Self::Word::ONE << self.rows()) - Self::Word::ONE) << (col * self.stride())
    }

    /// Left and right exchanged; of cells and of the bits above them.
    #[inline]
    fn mirror(self, bits: Self::Word) -> Self::Word {
        let whole = (Self::Word::ONE << (self.stride() - 1) << 1) - Self::Word::ONE;
        let mut mirrored = Self::Word::ZERO;
        for col in 0..self.cols() {
            let column = bits >> (col * self.stride()) & whole;
            mirrored = mirrored | column << ((self.cols() - 1 - col) * self.stride());
        }
        mirrored
    }
}

/// Seven columns of six, four in a row: all of it known to the compiler.
#[derive(Clone, Copy, Debug)]
pub struct Usual;

impl Shape for Usual {
    type Word = u64;
    #[inline(always)]
    fn cols(self) -> u32 {
        7
    }
    #[inline(always)]
    fn rows(self) -> u32 {
        6
    }
    #[inline(always)]
    fn cells(self) -> u64 {
        0x0_FDFB_F7EF_DFBF
    }
    #[inline(always)]
    fn bottom(self) -> u64 {
        0x0_0408_1020_4081
    }
    #[inline(always)]
    fn odd_rows(self) -> u64 {
        self.bottom() * 0b01_0101
    }
    #[inline(always)]
    fn completing(self, d: u64) -> u64 {
        // Upright: a disc on three.
        let mut found = (d << 1) & (d << 2) & (d << 3);
        for s in [7, 6, 8] {
            let pair = (d << s) & (d << (2 * s));
            found |= pair & (d << (3 * s));
            found |= pair & (d >> s);
            let pair = (d >> s) & (d >> (2 * s));
            found |= pair & (d << s);
            found |= pair & (d >> (3 * s));
        }
        found
    }
    #[inline(always)]
    fn has_row(self, d: u64) -> bool {
        let mut found = 0;
        for s in [1, 7, 6, 8] {
            let pair = d & (d >> s);
            found |= pair & (pair >> (2 * s));
        }
        found != 0
    }
    #[inline(always)]
    fn in_rows(self, d: u64) -> u64 {
        let mut found = 0;
        for s in [1, 7, 6, 8] {
            let pair = d & (d >> s);
            let first = pair & (pair >> (2 * s));
            let two = first | first << s;
            found |= two | two << (2 * s);
        }
        found
    }
    #[inline(always)]
    fn mirror(self, b: u64) -> u64 {
        const COL: u64 = 0x7F;
        (b & COL) << 42
            | (b & COL << 7) << 28
            | (b & COL << 14) << 14
            | b & COL << 21
            | b >> 14 & COL << 14
            | b >> 28 & COL << 7
            | b >> 42 & COL
    }
}

/// Any shape that fits into the word.
#[derive(Clone, Copy, Debug)]
pub struct Any<W> {
    cols: u32,
    rows: u32,
    row: u32,
    cells: W,
    bottom: W,
    odd_rows: W,
}

impl<W: Word> Any<W> {
    /// The shape of a board, if it fits.
    #[must_use]
    pub fn of(board: &Board) -> Option<Self> {
        let (cols, rows) = (board.size().cols.into(), u32::from(board.size().rows));
        let bits = u32::try_from(size_of::<W>() * 8).ok()?;
        if cols > 8 || rows > 8 || cols * (rows + 1) > bits {
            return None;
        }
        let (mut bottom, mut odd_rows, mut cells) = (W::ZERO, W::ZERO, W::ZERO);
        for col in 0..cols {
            bottom = bottom | W::ONE << (col * (rows + 1));
            for row in 0..rows {
                let cell = W::ONE << (col * (rows + 1) + row);
                cells = cells | cell;
                if row % 2 == 0 {
                    odd_rows = odd_rows | cell;
                }
            }
        }
        Some(Self {
            cols,
            rows,
            row: board.row().into(),
            cells,
            bottom,
            odd_rows,
        })
    }

    fn steps(self) -> [u32; 4] {
        [1, self.rows + 1, self.rows, self.rows + 2]
    }
}

/// A shift by as many bits as there are, or more, leaves none.
#[inline(always)]
fn up<W: Word>(bits: W, by: u32) -> W {
    if by as usize >= size_of::<W>() * 8 {
        W::ZERO
    } else {
        bits << by
    }
}

/// As [`up`], towards the first bit.
#[inline(always)]
fn down<W: Word>(bits: W, by: u32) -> W {
    if by as usize >= size_of::<W>() * 8 {
        W::ZERO
    } else {
        bits >> by
    }
}

impl<W: Word> Shape for Any<W> {
    type Word = W;
    fn cols(self) -> u32 {
        self.cols
    }
    fn rows(self) -> u32 {
        self.rows
    }
    fn cells(self) -> W {
        self.cells
    }
    fn bottom(self) -> W {
        self.bottom
    }
    fn odd_rows(self) -> W {
        self.odd_rows
    }
    fn completing(self, discs: W) -> W {
        // Upright there is nothing above an empty cell.
        let mut found = (1..self.row).fold(!W::ZERO, |run, j| run & up(discs, j));
        for s in self.steps().into_iter().skip(1) {
            // `below[j]`: cells with j discs next to them on the lower side.
            let mut below = [!W::ZERO; 9];
            for j in 1..self.row {
                below[j as usize] = below[j as usize - 1] & up(discs, j * s);
            }
            let mut above = !W::ZERO;
            for j in 0..self.row {
                found = found | below[(self.row - 1 - j) as usize] & above;
                above = above & down(discs, (j + 1) * s);
            }
        }
        found
    }
    fn has_row(self, discs: W) -> bool {
        self.steps()
            .into_iter()
            .any(|s| (1..self.row).fold(discs, |run, j| run & down(discs, j * s)) != W::ZERO)
    }
    fn in_rows(self, discs: W) -> W {
        let mut found = W::ZERO;
        for s in self.steps() {
            let first = (1..self.row).fold(discs, |run, j| run & down(discs, j * s));
            found = (0..self.row).fold(found, |all, j| all | up(first, j * s));
        }
        found
    }
}

/// A position as the player to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<W> {
    /// Discs of the player to move.
    pub own: W,
    /// All discs.
    pub mask: W,
}

impl<W: Word> Bits<W> {
    /// The bits of a board of this shape.
    #[must_use]
    pub fn of(board: &Board, stride: u32) -> Self {
        let (mut own, mut mask) = (W::ZERO, W::ZERO);
        for col in 0..u32::from(board.size().cols) {
            for row in 0..u32::from(board.size().rows) {
                let cell = W::ONE << (col * stride + row);
                match board.at(col as usize, row as usize) {
                    None => continue,
                    Some(disc) if disc == board.to_move() => own = own | cell,
                    Some(Disc::First | Disc::Second) => {}
                }
                mask = mask | cell;
            }
        }
        Self { own, mask }
    }

    /// The position after a disc on this cell.
    #[inline(always)]
    #[must_use]
    pub fn after(self, cell: W) -> Self {
        Self {
            own: self.own ^ self.mask,
            mask: self.mask | cell,
        }
    }
}
