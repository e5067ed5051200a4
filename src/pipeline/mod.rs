//! The loop on one screen of code, its pure tick, and the threads around it.
//!
//! [`Mind::tick`](mind::Mind::tick) is a function of state, input and time, without I/O, clock or
//! thread; [`run`](run::run) is the thin shell that feeds it frames and carries out its effects.
//! Must never know a game or a concrete device.

pub mod blocking;
pub mod drift;
pub mod eyes;
pub mod flash;
pub mod hand;
mod identity;
pub mod live;
pub mod mind;
pub mod probe;
pub mod pulse;
pub mod recorded;
pub mod replay;
pub mod run;
pub mod saved;
pub mod script;
pub mod strokes;
pub mod turn;
