//! The budget of a decision and the gate before every action.
//!
//! Must be the only place that grants [`Armed`](crate::types::Armed).
