//! The gate before every action.
//!
//! Takes what is known about the present frame, gives permission or the reason why not. Must be
//! the only place that grants [`Armed`](crate::types::Armed).

mod gate;

pub use gate::{Facts, Gate, Limits, Refusal};
