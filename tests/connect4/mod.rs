//! Tests of `connect4`.
