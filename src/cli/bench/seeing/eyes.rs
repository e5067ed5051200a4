//! The finder and the reader as the program uses them.

use super::score::Finding;
use crate::calibrate;
use crate::classify::Reader;
use crate::types::{Calibration, Picture, Reading, Wanted};

/// All boards that are found, best first.
#[must_use]
pub fn find(picture: &Picture, wanted: &Wanted) -> Vec<Calibration> {
    calibrate::find(picture, wanted)
}

/// The cells of each; a finding that cannot be read has none.
#[must_use]
pub fn read(picture: &Picture, found: Vec<Calibration>) -> Vec<Finding> {
    found
        .into_iter()
        .map(|calibration| {
            let mut reading = Reading::default();
            if let Ok(reader) = Reader::new(&calibration) {
                // Refused only for pictures of another size, which this is not.
                let _ = reader.read(picture, &mut reading);
            }
            Finding {
                calibration,
                reading,
            }
        })
        .collect()
}
