//! One integration binary: a link step costs more than all of these modules together.

mod config;
mod journal;
mod journal_cli;
