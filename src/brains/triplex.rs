//! A brain that solves TripleX levels, with a policy of ours behind it.
//!
//! Takes a level; gives one packing that the rules allow. Whether there are others a brain is not
//! asked, and that there is none it is not believed: then the policy of ours looks for itself.

use super::brain::{Brain, Failure};
use super::jsonl::{Jsonl, of_triplex};
use super::process::{Launch, Trouble};
use super::share::Share;
use super::takeover::Reports;
use crate::games::triplex::policies::{Outcome, TriplexPolicy};
use crate::games::triplex::rules::{Level, Tiling};
use crate::types::Budget;

/// A policy in another process.
pub struct TriplexBrain {
    brain: Brain<Jsonl>,
    fallback: Box<dyn TriplexPolicy>,
    reports: Reports,
}

impl TriplexBrain {
    /// Starts it.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(launch: Launch, fallback: Box<dyn TriplexPolicy>) -> Result<Self, Trouble> {
        Ok(Self {
            brain: Brain::new(launch, Jsonl::new("triplex"))?,
            reports: Reports::new(fallback.name()),
            fallback,
        })
    }

    /// A packing, and the figures that the brain says it has laid down for it.
    fn ask(
        &mut self,
        level: &Level,
        budget: &Budget,
        share: &Share,
    ) -> Result<(Tiling, u64), Failure> {
        self.brain
            .asked(share.until, &share.stop, |jsonl, process| {
                let position = of_triplex(level, budget, share.told_ms());
                let id = jsonl.ask(process, position, share.until)?;
                let answer = jsonl.answer(process, id, share.until, &share.stop)?;
                let tiling = Tiling::from_text(level.field(), &answer.action);
                let checked = tiling.and_then(|t| t.check(level).map(|()| t));
                let tiling = checked.map_err(|wrong| Trouble::Illegal {
                    action: answer.action.chars().take(40).collect(),
                    why: wrong.to_string(),
                })?;
                Ok((tiling, answer.nodes))
            })
    }
}

impl TriplexPolicy for TriplexBrain {
    fn name(&self) -> &str {
        self.brain.name()
    }

    fn solve(
        &mut self,
        level: &Level,
        budget: &Budget,
        found: &mut dyn FnMut(Tiling) -> bool,
    ) -> Outcome {
        let share = Share::with_fallback(budget);
        match self.ask(level, budget, &share) {
            Ok((tiling, iterations)) => {
                self.reports.answered();
                found(tiling);
                Outcome {
                    iterations,
                    solutions: 1,
                    complete: false,
                }
            }
            Err(failure) => {
                self.reports.takes_over(&failure);
                self.fallback.solve(level, &share.rest(budget), found)
            }
        }
    }
}
