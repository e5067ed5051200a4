//! From calibrated pixels to labels: precomputed sampling points, colours, confidence.
//!
//! Takes a picture and a calibration, fills a reused [`Reading`](crate::types::Reading). Must never allocate per frame.
