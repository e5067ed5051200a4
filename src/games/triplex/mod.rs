//! TripleX: figures of two and three squares that fill a rectangle in exactly one way.

pub mod chain;
pub mod levels;
pub mod page;
pub mod policies;
pub mod rules;
