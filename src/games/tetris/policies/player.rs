//! A policy of this program: weights and how far they look ahead.

use super::bits::Bits;
use super::features::{FEATURES, Ground, NAMES};
use super::model::{Deeper, Model, TieBreak};
use super::pile::{Large, Middle, Pile, Small};
use super::search::{Pick, Root, Sight, WIDEST};
use super::shape;
use super::{Choice, MoveModel, Placement, Policy, Position};
use crate::games::gauge::Gauge;
use crate::games::tetris::rules::Kind;
use crate::types::Budget;

/// How far a policy looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The piece alone.
    One,
    /// Every pair of placements where the next piece is known, else the piece alone.
    Two,
    /// Besides the known pieces so many unknown ones, each kind equally likely.
    Expect(u32),
    /// The piece alone while the pile is low, unknown pieces too as it comes near the top: by the
    /// steps of the weights' file.
    Hybrid,
    /// The best so many lines at each known piece, then one unknown piece.
    Beam(u32),
}

/// Weights and a plan.
#[derive(Clone, Debug)]
pub struct Player {
    name: String,
    model: Model,
    plan: Plan,
    roots: Vec<Root>,
}

/// A lost game is worth so many times the sum of all weights less than nothing.
const DEATH: f64 = 100.0;

impl Player {
    /// A policy of these weights under a name of its own.
    #[must_use]
    pub fn new(name: &str, model: Model, plan: Plan) -> Self {
        Self {
            name: name.to_owned(),
            model,
            plan,
            roots: Vec::new(),
        }
    }

    /// Its weights.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How far it looks.
    #[must_use]
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// What its searches know under a move model.
    #[must_use]
    pub fn sight(&self, moves: MoveModel) -> Sight {
        self.sight_of(&self.model.weights, moves)
    }

    /// The same near the top, if that is different for this policy.
    fn sight_near_top<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        moves: MoveModel,
    ) -> Option<Sight> {
        let weights = self.model.near_top.as_ref()?;
        let due = self.plan == Plan::Hybrid && self.step(ground).is_some();
        due.then(|| self.sight_of(weights, moves))
    }

    fn sight_of(&self, weights: &[f64; FEATURES], moves: MoveModel) -> Sight {
        let sum: f64 = weights.iter().map(|w| w.abs()).sum();
        Sight {
            weights: *weights,
            moves,
            death: -DEATH * sum,
            sees_spawns: self.model.sees_spawns,
            dellacherie: self.model.tie_break == TieBreak::Dellacherie,
        }
    }

    /// The placement alone, for simulations: nothing is explained and nothing allocated once the
    /// first pieces are placed.
    #[inline(always)]
    pub fn pick<C: Bits, const W: usize>(
        &mut self,
        sight: &Sight,
        ground: &Ground<C, W>,
        kind: Kind,
        next: Option<Kind>,
        gauge: &mut Gauge,
    ) -> Option<Pick> {
        let alone = match self.plan {
            Plan::One => true,
            Plan::Two => next.is_none(),
            Plan::Hybrid => next.is_none() && self.step(ground).is_none(),
            _ => false,
        };
        if alone {
            let (best, nodes) = sight.one(ground, &shape::standard()[kind.index()]);
            gauge.add(nodes);
            return best;
        }
        let near_top = self.sight_near_top(ground, sight.moves);
        let sight = near_top.as_ref().unwrap_or(sight);
        let mut roots = std::mem::take(&mut self.roots);
        sight.roots(ground, kind, &mut roots);
        gauge.add(roots.len() as u64);
        if gauge.is_limited() || !matches!(self.plan, Plan::Two | Plan::Expect(_)) {
            sight.sort(ground, kind, &mut roots);
        }
        let valued = self.search(sight, ground, kind, next, &mut roots, gauge);
        sight.front(ground, kind, &mut roots[..valued]);
        let best = roots.first().map(|r| r.pick);
        self.roots = roots;
        best
    }

    /// The step of a hybrid that is due: the one for the fewest free rows that are enough.
    fn step<C: Bits, const W: usize>(&self, ground: &Ground<C, W>) -> Option<&Deeper> {
        let free = ground.pile().rows().saturating_sub(ground.top());
        let due = self.model.deeper.iter().filter(|s| free <= s.free_rows);
        due.min_by_key(|s| s.free_rows)
    }

    /// Values the roots by the plan; how many of them, from the first.
    fn search<C: Bits, const W: usize>(
        &self,
        sight: &Sight,
        ground: &Ground<C, W>,
        kind: Kind,
        next: Option<Kind>,
        roots: &mut [Root],
        gauge: &mut Gauge,
    ) -> usize {
        match self.plan {
            Plan::One => roots.len(),
            Plan::Two => sight.deepen(ground, kind, next, 0, WIDEST, roots, gauge),
            Plan::Expect(depth) => sight.deepen(ground, kind, next, depth, WIDEST, roots, gauge),
            Plan::Hybrid => match self.step(ground) {
                Some(step) => {
                    let width = roots.len().min(step.width as usize);
                    let inner = step.inner_width as usize;
                    let some = &mut roots[..width];
                    sight.deepen(ground, kind, next, step.unknown, inner, some, gauge)
                }
                // With the next piece known, every pair.
                None => sight.deepen(ground, kind, next, 0, WIDEST, roots, gauge),
            },
            Plan::Beam(width) => {
                let mut width = roots.len().min(width as usize);
                if next.is_some() {
                    let some = &mut roots[..width];
                    let valued = sight.deepen(ground, kind, next, 0, WIDEST, some, gauge);
                    sight.sort(ground, kind, &mut some[..valued]);
                    if gauge.is_spent() {
                        return valued;
                    }
                    width = width.div_ceil(2);
                }
                sight.deepen(ground, kind, next, 1, WIDEST, &mut roots[..width], gauge)
            }
        }
    }

    fn choose_on<C: Bits, const W: usize>(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Option<Choice> {
        let kind = position.kind;
        let mut gauge = Gauge::start(budget);
        let ground = Ground::new(&Pile::<C, W>::of(position.board));
        let near_top = self.sight_near_top(&ground, position.model);
        let sight = near_top.unwrap_or_else(|| self.sight(position.model));
        let mut roots = std::mem::take(&mut self.roots);
        match position.allowed {
            None => sight.roots(&ground, kind, &mut roots),
            Some(allowed) => {
                roots.clear();
                let cols = position.board.cols();
                for placement in allowed.iter().filter(|p| p.kind == kind) {
                    let shape = placement.shape();
                    if placement.left + u16::from(shape.width) <= cols {
                        let left = usize::from(placement.left) + 1;
                        roots.push(sight.root(&ground, shape, usize::from(placement.turn), left));
                    }
                }
            }
        }
        sight.sort(&ground, kind, &mut roots);
        gauge.add(roots.len() as u64);
        let valued = self.search(&sight, &ground, kind, position.next, &mut roots, &mut gauge);
        sight.sort(&ground, kind, &mut roots[..valued]);
        let placed = |kind: Kind, pick: &Pick| Placement {
            kind,
            turn: pick.turn,
            left: pick.left - 1,
        };
        let choice = roots.first().map(|best| {
            let placement = placed(kind, &best.pick);
            let counts = ground.rate(placement.shape(), usize::from(best.pick.left));
            Choice {
                placement,
                value: best.pick.value,
                nodes: gauge.nodes(),
                features: NAMES.into_iter().zip(counts.values()).collect(),
                next_placement: position
                    .next
                    .zip(best.next)
                    .map(|(kind, pick)| placed(kind, &pick)),
                alternatives: roots[1..]
                    .iter()
                    .take(4)
                    .map(|r| (placed(kind, &r.pick), r.pick.value))
                    .collect(),
            }
        });
        self.roots = roots;
        choice
    }
}

impl Policy for Player {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, position: &Position, budget: &Budget) -> Option<Choice> {
        let (cols, rows) = (position.board.cols(), position.board.rows());
        if Small::has_place(cols, rows) {
            self.choose_on::<u32, 20>(position, budget)
        } else if Middle::has_place(cols, rows) {
            self.choose_on::<u64, 64>(position, budget)
        } else {
            debug_assert!(Large::has_place(cols, rows));
            self.choose_on::<super::bits::Wide, 203>(position, budget)
        }
    }
}
