//! Whole games for two in virtual time: boards as letters, a program that answers, and everything
//! that can go wrong between it and the loop.

mod assembled;
mod faults;
mod games;
mod program;
mod screen;
mod table;
mod watch;
