//! An opening book: exact scores and best moves of positions of the usual board.
//!
//! The file: eight bytes that name the format and its version; the deepest positions' number of
//! discs and that up to which every position that needs it is there; the number of positions; then
//! the positions in the order of their keys, each as the difference from the key before it and
//! its value, in groups of seven bits; at the end a check sum. Of a position and its mirror image
//! the one with the smaller key is there. Reading checks all of it, and that every line can be one
//! of a position: a damaged file is an error, and so is one that never was a book.

pub mod making;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use super::perfect::search::Book;
use crate::games::connect4::rules::bits::{Bits, Shape as _, Usual};
use making::Position;

/// What the program brings along.
static OWN: &[u8] = include_bytes!("../../../../../models/connect4.book");

/// Names the format; the last byte is the version.
pub const FORMAT: &[u8; 8] = b"C4BOOK\0\x01";
/// Scores are kept as numbers from 0.
const SHIFT: i32 = 21;
/// Keys have so many bits.
const KEY_BITS: u32 = 49;
/// More positions are refused before they are read.
const MOST: usize = 1 << 24;

/// A file of more bytes is no book.
pub const LARGEST: u64 = 1 << 26;

/// Why a file is no book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// It is something else, or of another version.
    #[error("this is no opening book of this version; make one with `kibitzer book connect4`")]
    Format,
    /// It has been cut off or changed.
    #[error(
        "the opening book is damaged ({0}); get it again or make one with `kibitzer book connect4`"
    )]
    Damaged(&'static str),
}

/// One position of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The discs of the player to move and all discs as two numbers of 49 bits, added up: the
    /// smaller sum of the position and its mirror image.
    pub key: u64,
    /// The exact score.
    pub score: i32,
    /// A best column, from 0, in the position of that key.
    pub best: u32,
}

impl Line {
    /// Whether there is such a position, of it and its mirror image the one with the smaller key,
    /// with a score that a game can end with and a column that is not full.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let Some(position) = Position::of_key(self.key) else {
            return false;
        };
        let Bits { own, mask } = position.bits;
        let playable = (mask + Usual.bottom()) & Usual.cells();
        // Scores are those of a win at once, and of one by the other right after it, at most.
        let (first, second) = (position.score_of_win(0), position.score_of_win(1));
        self.best < Usual.cols()
            && playable & Usual.column(self.best) != 0
            && Position::of(position.bits).key == self.key
            && own.count_ones() == mask.count_ones() / 2
            && !Usual.has_row(own)
            && !Usual.has_row(own ^ mask)
            && (-second..=first).contains(&self.score)
    }
}

/// The book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningBook {
    deepest: u8,
    complete: u8,
    keys: Vec<u64>,
    values: Vec<u16>,
}

/// The book that the program brings along; an empty one should it be damaged.
#[must_use]
pub fn own() -> Arc<OpeningBook> {
    static BOOK: OnceLock<Arc<OpeningBook>> = OnceLock::new();
    BOOK.get_or_init(|| Arc::new(OpeningBook::from_bytes(OWN).unwrap_or_default()))
        .clone()
}

impl OpeningBook {
    /// A book of these positions. `deepest` is the largest number of discs in it, `complete` that
    /// up to which no position is missing that takes long to solve.
    #[must_use]
    pub fn new(mut lines: Vec<Line>, deepest: u8, complete: u8) -> Self {
        lines.sort_unstable();
        lines.dedup_by_key(|l| l.key);
        let value =
            |l: &Line| ((l.score.clamp(-SHIFT, SHIFT) + SHIFT) as u16) << 3 | (l.best & 7) as u16;
        Self {
            deepest,
            complete,
            keys: lines.iter().map(|l| l.key).collect(),
            values: lines.iter().map(value).collect(),
        }
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// [`BookError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let damaged = |what| Err(BookError::Damaged(what));
        let Some(rest) = bytes.strip_prefix(FORMAT) else {
            return Err(BookError::Format);
        };
        let Some((body, sum)) = rest.split_last_chunk::<8>() else {
            return damaged("it ends too early");
        };
        if check_sum(body) != u64::from_le_bytes(*sum) {
            return damaged("its check sum is wrong");
        }
        let mut at = body;
        let (Some(deepest), Some(complete), Some(count)) =
            (number(&mut at), number(&mut at), number(&mut at))
        else {
            return damaged("it ends too early");
        };
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        // Every position takes at least two bytes.
        if count > MOST || count > at.len() / 2 || deepest > 42 || complete > deepest {
            return damaged("its head is wrong");
        }
        let mut book = Self {
            deepest: deepest as u8,
            complete: complete as u8,
            keys: Vec::with_capacity(count),
            values: Vec::with_capacity(count),
        };
        let mut key = 0u64;
        for i in 0..count {
            let (Some(step), Some(value)) = (number(&mut at), number(&mut at)) else {
                return damaged("it ends too early");
            };
            let next = key.checked_add(step).filter(|k| k >> KEY_BITS == 0);
            let Some(next) = next.filter(|_| i == 0 || step > 0) else {
                return damaged("its positions are out of order");
            };
            key = next;
            let Ok(value) = u16::try_from(value) else {
                return damaged("a score is none");
            };
            let line = line(key, value);
            let within =
                Position::of_key(key).is_some_and(|p| p.discs() <= i32::from(book.deepest));
            if !line.is_possible() || !within {
                return damaged("a position is none");
            }
            book.keys.push(key);
            book.values.push(value);
        }
        if !at.is_empty() {
            return damaged("something follows its end");
        }
        Ok(book)
    }

    /// The file's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = FORMAT.to_vec();
        for n in [
            self.deepest.into(),
            self.complete.into(),
            self.keys.len() as u64,
        ] {
            put(&mut bytes, n);
        }
        let mut last = 0;
        for (&key, &value) in self.keys.iter().zip(&self.values) {
            put(&mut bytes, key - last);
            put(&mut bytes, value.into());
            last = key;
        }
        let sum = check_sum(&bytes[FORMAT.len()..]);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// What it says of a position, by the smaller key of it and its mirror image.
    #[must_use]
    pub fn line(&self, key: u64) -> Option<Line> {
        let i = self.keys.binary_search(&key).ok()?;
        Some(line(key, *self.values.get(i)?))
    }

    /// Every position.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.keys.iter().filter_map(|&k| self.line(k))
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Up to so many discs every position is there that is not quickly solved.
    #[must_use]
    pub fn complete(&self) -> u8 {
        self.complete
    }

    /// No position of more discs is there.
    #[must_use]
    pub fn deepest(&self) -> u8 {
        self.deepest
    }
}

impl Book<u64> for OpeningBook {
    fn deepest(&self) -> i32 {
        if self.is_empty() {
            -1
        } else {
            self.deepest.into()
        }
    }

    fn score(&self, key: u64) -> Option<i32> {
        self.line(key).map(|l| l.score)
    }

    fn best(&self, key: u64) -> Option<u32> {
        self.line(key).map(|l| l.best)
    }
}

/// A line as it is kept.
fn line(key: u64, value: u16) -> Line {
    Line {
        key,
        score: i32::from(value >> 3) - SHIFT,
        best: u32::from(value & 7),
    }
}

/// A number of seven bits a byte, the lowest first; a set eighth bit says that more follow.
fn put(bytes: &mut Vec<u8>, mut n: u64) {
    while n > 0x7F {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn number(at: &mut &[u8]) -> Option<u64> {
    let mut n = 0u64;
    for i in 0..9 {
        let (&byte, rest) = at.split_first()?;
        *at = rest;
        n |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

/// FNV-1a of 64 bits.
fn check_sum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, &b: &u8| (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3);
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, step)
}
