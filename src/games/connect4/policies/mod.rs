//! Policies for Connect-4.

pub mod perfect;
