//! One integration binary: a link step costs more than all of these modules together.

mod architecture;
mod capture;
mod flood_rules;
mod hands;
mod journal;
mod stage;
mod support;
