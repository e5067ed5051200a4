//! The games: each folder has its rules, how it looks, its policies and its target.
//!
//! Nothing of a game lives outside its folder; rules import only `types`.

pub mod flood;
pub mod tetris;
