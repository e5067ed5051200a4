//! Tests of `brains`.
