//! What the seen means: stillness, explanation, retries, mismatches, being lost.
//!
//! Takes readings and an agent (which knows the rules), gives verdicts. Must never act and
//! must never look at a clock: every time comes with the frame.

mod patience;
mod reconciler;
mod replies;
mod stillness;
mod support;

pub use patience::Patience;
pub use reconciler::{Contradiction, Doubt, Reconciler, Seen, Verdict};
pub use stillness::Stillness;
