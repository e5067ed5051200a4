//! TripleX: figures of two and three squares that fill a rectangle in exactly one way.

pub mod levels;
pub mod policies;
pub mod rules;
