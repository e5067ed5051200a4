//! What is known of whose turn it is, as the kind of pieces that is put next.
//!
//! A word between who is who (`sides`) and what must have happened (`explain`). Must never hold
//! more than that: how it is known is the sides' affair.

use crate::types::ClassId;

/// What is known of the kind that moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is this.
    Kind(ClassId),
    /// It has not been seen yet, and it is not this.
    Not(ClassId),
    /// It may be either.
    Any,
    /// It may be either, and is rather this.
    Rather(ClassId),
    /// It may be either, and is rather another than this.
    RatherNot(ClassId),
}

impl Turn {
    /// Whether a kind may be it.
    #[must_use]
    pub fn allows(self, kind: ClassId) -> bool {
        match self {
            Self::Kind(wanted) => kind == wanted,
            Self::Not(other) => kind != other,
            Self::Any | Self::Rather(_) | Self::RatherNot(_) => true,
        }
    }

    /// Whether a kind that may be it rather is not.
    #[must_use]
    pub fn doubts(self, kind: ClassId) -> bool {
        match self {
            Self::Rather(wanted) => kind != wanted,
            Self::RatherNot(other) => kind == other,
            _ => false,
        }
    }

    /// The same in other kinds.
    #[must_use]
    pub fn renamed(self, name: impl Fn(ClassId) -> ClassId) -> Self {
        match self {
            Self::Kind(kind) => Self::Kind(name(kind)),
            Self::Not(kind) => Self::Not(name(kind)),
            Self::Any => Self::Any,
            Self::Rather(kind) => Self::Rather(name(kind)),
            Self::RatherNot(kind) => Self::RatherNot(name(kind)),
        }
    }
}
