//! Tests of `gomoku`: the program as others see it, the strength that `cargo test` can afford, the
//! signature of the search.

mod program;
mod signature;
mod strength;
