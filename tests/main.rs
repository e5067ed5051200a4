//! One integration binary: a link step costs more than all of these modules together.
mod flood_rules;
mod flood_solve;
