//! Tests of `triplex`.
