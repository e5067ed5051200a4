//! The exact solver.

pub mod follow;
pub mod search;
pub mod table;
