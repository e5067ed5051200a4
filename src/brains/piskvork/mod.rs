//! The protocol of Gomocup and Piskvork, both ways: other programs' engines as players of five in
//! a row here, and our policies as an engine there.
//!
//! Lines of words on standard input and output; cells are `x,y` from 0,0 at the top left. As a host
//! we send `START`, `RECTSTART`, `INFO`, `BEGIN`, `TURN`, `BOARD`, `RESTART`, `TAKEBACK`, `PLAY` and
//! `END`. As an engine we obey all of these, `SWAP2BOARD` and `ABOUT`. Of the rules' bits only
//! "exactly five" is played.

mod client;
mod clock;
mod engine;
mod swap;
pub mod words;

pub use client::Piskvork;
pub use engine::{Engine, Remake};
