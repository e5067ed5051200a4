//! The standard's rules, proven by counting: tables, placements, what is conserved, how long
//! alternating S and Z can be survived, and saved games.

mod alternating;
mod perft;
mod saved;
mod stream;
mod tables;
