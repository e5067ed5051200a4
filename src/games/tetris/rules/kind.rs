//! The seven kinds of pieces.

use serde::{Deserialize, Serialize};

/// A kind of piece, numbered 1 to 7 in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    /// The square.
    O = 1,
    /// Four in a row.
    I,
    /// The step up to the right.
    S,
    /// The step down to the right.
    Z,
    /// Three in a row and one below its left end.
    L,
    /// Three in a row and one below its right end.
    J,
    /// Three in a row and one below its middle.
    T,
}

impl Kind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::O,
        Self::I,
        Self::S,
        Self::Z,
        Self::L,
        Self::J,
        Self::T,
    ];

    /// 1 to 7.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// 0 to 6, for tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The kind of this number, 1 to 7.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Its letter, also on boards as text.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::O => 'O',
            Self::I => 'I',
            Self::S => 'S',
            Self::Z => 'Z',
            Self::L => 'L',
            Self::J => 'J',
            Self::T => 'T',
        }
    }

    /// The kind of this letter; capitals only.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.letter() == letter)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}
