//! The finder and the reader as the program uses them.

use super::score::Finding;
use crate::calibrate;
use crate::classify::Reader;
use crate::games::flood::vision::wanted;
use crate::types::{Calibration, Picture, Reading};

/// All boards that are found, best first.
#[must_use]
pub fn find(picture: &Picture) -> Vec<Calibration> {
    calibrate::find(picture, &wanted())
}

/// The cells of each; a finding that its own reader refuses is left out, with a warning.
#[must_use]
pub fn read(picture: &Picture, found: Vec<Calibration>) -> Vec<Finding> {
    found
        .into_iter()
        .filter_map(|calibration| {
            let mut reading = Reading::default();
            let done = Reader::new(&calibration).and_then(|r| r.read(picture, &mut reading));
            if let Err(error) = done {
                tracing::warn!(%error, size = %calibration.size, "a finding cannot be read");
                return None;
            }
            Some(Finding {
                calibration,
                reading,
            })
        })
        .collect()
}
