//! Flood-It: recolour the region of the start cell until the board has one colour.

pub mod agent;
pub mod policies;
pub mod rules;
pub mod target;
pub mod vision;
