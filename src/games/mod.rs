//! The games: each folder has its rules, how it looks, its policies and its target.
//!
//! Nothing of a game lives outside its folder; rules import only `types`. What all policies
//! share is the `gauge` of their budgets and the `spec` that names them; games for two are also
//! `duel`s. Targets are drawn on the `canvas`, and those for two are games of `facing` seats.

pub mod canvas;
pub mod connect4;
pub mod duel;
pub mod facing;
pub mod flood;
mod gauge;
pub mod gomoku;
pub mod spec;
pub mod tetris;
pub mod triplex;
