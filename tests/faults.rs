//! Everything that happens to a player of a real program: each fault is made on purpose, told in
//! the journal with its cause, and survived, or the run ends with a clear word. Never is anything
//! but the board clicked.

mod clicks;
mod ends;
mod people;
pub mod run;
mod scripts;
pub mod table;
mod windows;
