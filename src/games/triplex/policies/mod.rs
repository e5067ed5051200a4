//! Policies that solve TripleX levels, by name.
//!
//! Takes a level and a budget, gives solutions one by one. Must never look at a clock but through
//! the budget's gauge.

mod dead;
mod exact;
mod word;

pub use exact::Exact;

use crate::games::spec::{Listed, Spec, SpecError};
use crate::games::triplex::rules::{Level, Tiling};
use crate::types::Budget;

/// Who solves when nobody says.
pub const USUAL: &str = "exact";

/// All policies.
pub const LIST: &[Listed] = &[
    Listed {
        name: "exact",
        about: "tries the square that the fewest figures can cover; finds all solutions",
        options: &[],
    },
    Listed {
        name: "reading",
        about: "tries the first free square in reading order; finds all solutions, slowly",
        options: &[],
    },
];

/// Solves levels.
pub trait TriplexPolicy: Send {
    /// Its name.
    fn name(&self) -> &str;

    /// Gives each solution of a level to `found`, until that says no, the budget is spent or
    /// there are no more. Identical figures are interchangeable: no solution is given twice.
    fn solve(
        &mut self,
        level: &Level,
        budget: &Budget,
        found: &mut dyn FnMut(Tiling) -> bool,
    ) -> Outcome;
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Figures laid down in the whole search.
    pub iterations: u64,
    /// Solutions found.
    pub solutions: u64,
    /// Whether there are no others.
    pub complete: bool,
}

impl Outcome {
    /// Whether there is exactly one solution; unknown if the search was cut short.
    #[must_use]
    pub const fn unique(&self) -> Option<bool> {
        match (self.solutions, self.complete) {
            (2.., _) => Some(false),
            (_, false) => None,
            (n, true) => Some(n == 1),
        }
    }
}

/// A policy by its name and options.
///
/// # Errors
/// When there is none of that name, with those there are.
pub fn by_name(spec: &str) -> Result<Box<dyn TriplexPolicy>, SpecError> {
    let spec = Spec::parse(spec, LIST)?;
    Ok(match spec.name() {
        "reading" => Box::new(Exact::reading()),
        _ => Box::new(Exact::new()),
    })
}

/// The only solution of a level and the iterations that finding it and no other took; `None` if it
/// has none or several. As long as it takes.
#[must_use]
pub fn only_solution(level: &Level, policy: &mut dyn TriplexPolicy) -> Option<(Tiling, u64)> {
    let budget = Budget::default();
    let mut solutions = Vec::new();
    let outcome = policy.solve(level, &budget, &mut |tiling| {
        solutions.push(tiling);
        solutions.len() < 2
    });
    match outcome.unique() {
        Some(true) => solutions.pop().map(|s| (s, outcome.iterations)),
        _ => None,
    }
}
