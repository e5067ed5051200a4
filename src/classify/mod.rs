//! From calibrated pixels to labels: precomputed sampling points, colours, confidence.
//!
//! Takes a picture and a calibration, fills a reused [`Reading`](crate::types::Reading). Must never allocate per frame.

mod colours;
mod crossings;
mod holes;
mod reader;
mod squares;
mod stack;
mod state;
mod well;

pub use reader::{ReadError, Reader};
pub use state::state;
