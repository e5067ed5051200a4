//! A brain that plays Flood-It, with a policy of ours behind it.

use super::brain::{Brain, Failure};
use super::jsonl::{Jsonl, gains, of_flood};
use super::process::{Launch, Trouble};
use super::share::Share;
use super::takeover::Reports;
use crate::games::flood::policies::{Choice, FloodPolicy};
use crate::games::flood::rules::{Board, colour_of};
use crate::types::Budget;

/// A policy in another process.
pub struct FloodBrain {
    brain: Brain<Jsonl>,
    fallback: Box<dyn FloodPolicy>,
    reports: Reports,
}

impl FloodBrain {
    /// Starts it.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(launch: Launch, fallback: Box<dyn FloodPolicy>) -> Result<Self, Trouble> {
        Ok(Self {
            brain: Brain::new(launch, Jsonl::new("flood"))?,
            reports: Reports::new(fallback.name()),
            fallback,
        })
    }

    fn ask(&mut self, board: &Board, budget: &Budget, share: &Share) -> Result<Choice, Failure> {
        self.brain
            .asked(share.until, &share.stop, |jsonl, process| {
                let position = of_flood(board, budget, share.told_ms());
                let id = jsonl.ask(process, position, share.until)?;
                let answer = jsonl.answer(process, id, share.until, &share.stop)?;
                let mut letters = answer.action.chars();
                let colour = match (letters.next().and_then(colour_of), letters.next()) {
                    (Some(colour), None) if gains(board, colour) => colour,
                    _ => {
                        let why = "the flooded region does not grow by it".to_owned();
                        let action = answer.action.chars().take(40).collect();
                        return Err(Trouble::Illegal { action, why });
                    }
                };
                Ok(Choice {
                    colour,
                    score: answer.score.unwrap_or(0.0),
                    nodes: answer.nodes,
                    note: answer.note,
                    plan: None,
                    lower_bound: 0,
                })
            })
    }
}

impl FloodPolicy for FloodBrain {
    fn name(&self) -> &str {
        self.brain.name()
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        if board.is_solved() {
            return None;
        }
        let share = Share::with_fallback(budget);
        match self.ask(board, budget, &share) {
            Ok(choice) => {
                self.reports.answered();
                Some(choice)
            }
            Err(failure) => {
                let note = self.reports.takes_over(&failure);
                let mut choice = self.fallback.decide(board, &share.rest(budget))?;
                choice.note = format!("{note}; {}", choice.note);
                // The next move may be the brain's again.
                choice.plan = None;
                Some(choice)
            }
        }
    }
}
