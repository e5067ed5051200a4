//! TripleX: figures of two and three squares that fill a rectangle in exactly one way.

pub mod chain;
pub mod levels;
pub mod page;
pub mod plan;
pub mod policies;
pub mod rules;
pub mod vision;
