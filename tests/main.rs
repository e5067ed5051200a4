//! One integration binary: a link step costs more than all of these modules together.

mod architecture;
mod capture;
mod config;
mod flood_rules;
mod hands;
mod journal;
mod journal_cli;
mod seeing;
mod stage;
mod support;
