//! The player of a running Tetris: what it believes, how it explains every frame, what it plans.
//!
//! Takes readings of frames and the keys that were sent, each with its time; gives findings, the
//! next key and the believed board. Must never look at a clock, draw a random number, or believe
//! anything that a readable frame contradicts for longer than a few frames.
//!
//! The way of a frame: `view` (what was seen) - `explain` (what can have happened: `paths`
//! of the piece by keys (`press`) and fall steps (`clock`), landings, new pieces) - `live`
//! (believed, or a contradiction: `correct`, `split`). The way to a key: `plan` (what can
//! surely be reached) - a policy - `steer`.

mod belief;
mod blind;
mod clock;
mod correct;
mod doubt;
mod explain;
mod live;
mod next_box;
mod options;
mod paths;
mod plan;
mod press;
mod see;
mod split;
mod steer;
mod story;
#[cfg(test)]
mod tests;
mod torn;
mod turns;
mod view;

pub use blind::BlindAgent;
pub use clock::FallPrior;
pub use live::TetrisAgent;
pub use options::{AgentOptions, Mode};
pub use press::{KeyNames, Press};

use super::policies::Policy;
use crate::types::LiveAgent;

/// The agent of the mode that the options ask for.
#[must_use]
pub fn agent(policy: Box<dyn Policy>, options: AgentOptions) -> Box<dyn LiveAgent> {
    match options.mode {
        Mode::RealityCheck => Box::new(TetrisAgent::new(policy, options)),
        Mode::DeadReckoning => Box::new(BlindAgent::new(policy, options)),
    }
}
