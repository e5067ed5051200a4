//! Kibitzer watches a board game on any screen, works out the position, decides the next
//! action and, when armed, plays it. `ARCHITECTURE.md` has the code map and the invariants.
//!
//! The modules stand in the order in which a frame passes through them.

pub mod types;

pub mod capture;

pub mod calibrate;

pub mod classify;

pub mod reconcile;

pub mod decide;

pub mod act;

pub mod journal;

pub mod games;

pub mod brains;

pub mod pipeline;

pub mod config;

pub mod assemble;

pub mod web;

pub mod cli;
