//! Tests of `gomoku`.
