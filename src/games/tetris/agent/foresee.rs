//! Places that would leave the next pieces too little time: a policy takes any place for reachable
//! later, but on a high pile a fast piece cannot be brought everywhere.
//!
//! Takes the places a policy likes best, gives the one that loses least when the following pieces
//! can only go where the hands can bring them. Must never make up values of its own: what is lost
//! is what the same policy says.

use std::time::Duration;

use super::super::policies::{Choice, MoveModel, Placement, Policy, Position};
use super::super::rules::{Board, Kind, Pose, System};
use super::clock::FallClock;
use super::paths::Ground;
use super::plan::{Planner, Start};
use super::turns::Turns;
use crate::types::{Budget, KeyTiming, Time};

/// Positions a policy may visit for each of the pieces that may follow.
const NODES: u64 = 150;
/// A following piece that can go nowhere costs so many times what the worst other one loses.
const NOWHERE: f64 = 3.0;

/// What is needed to see ahead.
pub struct Foresight<'a> {
    /// How pieces appear and turn.
    pub system: &'a System,
    /// Orientations as policies know them.
    pub turns: &'a Turns,
    /// The fall clock.
    pub clock: &'a FallClock,
    /// The hands.
    pub timing: KeyTiming,
    /// From a piece appearing to the first key being asked for.
    pub reaction: Duration,
    /// Whether the program has a key that turns back.
    pub turns_back: bool,
}

impl Foresight<'_> {
    /// The best of a policy's choice and its alternatives.
    pub fn best(
        &self,
        policy: &mut dyn Policy,
        choice: &Choice,
        board: &Board,
        next: Option<Kind>,
        budget: &Budget,
    ) -> Placement {
        let short = Budget {
            nodes: Some(NODES),
            ..budget.clone()
        };
        let mut best = (choice.placement, f64::NEG_INFINITY);
        let first = (choice.placement, choice.value);
        for (placement, value) in std::iter::once(first).chain(choice.alternatives.iter().copied())
        {
            if value <= best.1 {
                // Nothing can be gained by losing less.
                break;
            }
            let Some((after, _)) = placement.applied(board) else {
                continue;
            };
            let worth = value - self.loss(policy, &after, next, &short);
            if worth > best.1 {
                best = (placement, worth);
            }
        }
        best.0
    }

    /// What the following piece loses because it cannot be brought everywhere.
    fn loss(
        &self,
        policy: &mut dyn Policy,
        board: &Board,
        next: Option<Kind>,
        budget: &Budget,
    ) -> f64 {
        let mut planner = Planner::default();
        let (mut sum, mut weights, mut worst) = (0.0, 0.0, 1.0_f64);
        let mut nowhere = 0.0;
        for kind in Kind::ALL {
            let weight = if next == Some(kind) { 7.0 } else { 1.0 };
            weights += weight;
            let spawn = (self.system).spawn(kind, board.cols(), board.rows());
            let allowed = self.reachable(&mut planner, board, spawn);
            let mut value = |allowed: Option<&[Placement]>| {
                let position = Position {
                    board,
                    kind,
                    next: None,
                    model: MoveModel::AlsoAtSpawn,
                    allowed,
                };
                policy.choose(&position, budget).map(|c| c.value)
            };
            let Some(free) = value(None) else {
                nowhere += weight;
                continue;
            };
            match value(Some(&allowed)) {
                Some(bound) => {
                    let lost = (free - bound).max(0.0);
                    worst = worst.max(lost);
                    sum += weight * lost;
                }
                None => nowhere += weight,
            }
        }
        (sum + nowhere * NOWHERE * worst) / weights
    }

    fn reachable(&self, planner: &mut Planner, board: &Board, spawn: Pose) -> Vec<Placement> {
        let ground = Ground::new(board, self.system);
        if !ground.fits(spawn) {
            return Vec::new();
        }
        let mut clock = self.clock.clone();
        let appeared = Time::from_millis(10_000);
        clock.appeared(spawn.y, appeared, appeared);
        let start = Start {
            ground,
            clock: &clock,
            timing: self.timing,
            piece: spawn,
            seen_at: appeared,
            now: appeared + self.reaction,
            turns_back: self.turns_back,
            spare: 0,
            bold: true,
        };
        planner.explore(&start);
        let mut places = Vec::new();
        for spot in planner.spots() {
            if let Some(placement) = self.turns.placement(self.system, spot.landing, board)
                && !places.contains(&placement)
            {
                places.push(placement);
            }
        }
        places
    }
}
