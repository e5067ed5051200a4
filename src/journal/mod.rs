//! The store of a run: events in SQLite, evidence pictures, export.
//!
//! Takes [`Event`](crate::types::Event)s. Must never lose one that was acknowledged, and must never know a game.
