//! The daemon and its dashboard: several sessions under one roof, an HTTP interface, live streams,
//! and the pages that use them.
//!
//! Takes sessions as they are asked for and makes each of them a run of the pipeline on a thread of
//! its own; gives their state, pictures and history to whoever may see them. Must never act by
//! itself: a session begins disarmed, and only a person's request arms it. Must never serve anybody
//! whom [`guard`] has not let through.

pub mod api;
pub mod attempt;
pub mod calibrations;
pub mod daemon;
pub mod guard;
pub mod histogram;
pub mod lines;
pub mod live;
pub mod metrics;
pub mod pages;
pub mod play;
pub mod publisher;
pub mod routes;
pub mod server;
pub mod session;
pub mod solvers;
pub mod stream;
pub mod token;
pub mod tools;

pub use daemon::{Asked, Daemon};
pub use server::{Listening, ServeOptions, start};
