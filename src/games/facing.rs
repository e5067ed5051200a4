//! What the targets of two-player games share: somebody at one board, facing a policy or a second
//! person.
//!
//! Takes a game's rules (a [`Contest`]), how it looks (a [`Face`]) and a policy (a [`Thinker`]);
//! gives a [`Target`](crate::types::Target): whose turn it is, the reply after a while, undo,
//! hints, levels, who starts, marks, messages. The same setup and inputs give the same pictures.
//! Must never know a game, look at a clock or start anything.

mod advice;
mod contest;
mod level;
pub mod manner;
mod paint;
mod plan;
mod session;
mod target;
#[cfg(test)]
mod tests;
mod words;

pub use advice::Advice;
pub use contest::{Contest, Thinker, winning_row, winning_rows};
pub use level::{Level, budget};
pub use manner::Manner;
pub use plan::{Plan, Rims};
pub use session::{Finish, Played, Seat, Session, Setup};
pub use target::{Face, FacingTarget, Steer};
