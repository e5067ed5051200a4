//! Brains in other processes: those that play, and those that do anything else.

mod answers;
mod bots;
mod cli;
mod duels;
mod engine;
mod faults;
mod fuzz;
mod matches;
mod process;
mod tbp;
mod triplex;
