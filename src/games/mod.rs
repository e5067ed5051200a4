//! The games: each folder has its rules, how it looks, its policies and its target.
//!
//! Nothing of a game lives outside its folder; rules import only `types`. What all policies
//! share is the `gauge` of their budgets.

pub mod flood;
mod gauge;
pub mod tetris;
