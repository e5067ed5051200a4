//! temporary
/// x
pub fn start(_s: &crate::config::Settings) {}
