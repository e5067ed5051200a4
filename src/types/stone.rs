//! Where a stone on a crossing is looked at, in cells from its middle.
//!
//! The stage that learns a board and the one that reads it use the same points, so that a colour
//! means the same to both.

/// Where its colour is taken: off the lines, outside most marks.
pub const CORE: [(f64, f64); 12] = [
    (0.26, 0.11),
    (0.11, 0.26),
    (-0.11, 0.26),
    (-0.26, 0.11),
    (-0.26, -0.11),
    (-0.11, -0.26),
    (0.11, -0.26),
    (0.26, -0.11),
    (0.15, 0.15),
    (-0.15, 0.15),
    (-0.15, -0.15),
    (0.15, -0.15),
];

/// Where its colour shows beside a mark in its middle.
pub const OUTER: [(f64, f64); 12] = [
    (0.29, 0.29),
    (0.34, 0.24),
    (0.24, 0.34),
    (-0.29, 0.29),
    (-0.34, 0.24),
    (-0.24, 0.34),
    (0.29, -0.29),
    (0.34, -0.24),
    (0.24, -0.34),
    (-0.29, -0.29),
    (-0.34, -0.24),
    (-0.24, -0.34),
];
