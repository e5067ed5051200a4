//! The finder and the reader as the program uses them.

use super::score::Finding;
use crate::types::{Calibration, Picture};

/// All boards that are found, best first.
#[must_use]
pub fn find(_picture: &Picture) -> Vec<Calibration> {
    Vec::new()
}

/// The cells of each.
#[must_use]
pub fn read(_picture: &Picture, _found: Vec<Calibration>) -> Vec<Finding> {
    Vec::new()
}
