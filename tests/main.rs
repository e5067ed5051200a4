//! One integration binary: a link step costs more than all of these modules together.

mod architecture;
mod flood_rules;
mod capture;
mod hands;
mod support;
mod journal;
mod stage;
mod support;
