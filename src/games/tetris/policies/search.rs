//! The searches, over piles of any size: one piece, two pieces, unknown pieces.
//!
//! A line of placements is worth what its placements did (landing heights, rows) and what the
//! last pile looks like. A position in which a piece cannot appear is worth [`Sight::death`].

use super::bits::Bits;
use super::features::{Counts, FEATURES, Ground};
use super::gauge::Gauge;
use super::pile::Pile;
use super::reach::{self, MoveModel};
use super::shape::{self, Shape, Shapes};
use crate::games::tetris::rules::Kind;

/// Features that belong to the placement and not to the pile it leaves: the first three.
const OF_THE_PLACEMENT: usize = 3;

/// What a search needs to know besides the position.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// Weights of the features.
    pub weights: [f64; FEATURES],
    /// Which placements there are.
    pub moves: MoveModel,
    /// Value of a lost game.
    pub death: f64,
    /// Whether equal values are told apart as Dellacherie does.
    pub dellacherie: bool,
}

/// A placement that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Orientation.
    pub turn: u8,
    /// Leftmost column, from 1.
    pub left: u16,
    /// Its value.
    pub value: f64,
}

/// One placement at the root of a search.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// Where, and the value found so far.
    pub pick: Pick,
    /// What it does itself: part of every line that begins with it.
    pub gain: f64,
    /// The best placement of the known next piece.
    pub next: Option<Pick>,
}

impl Sight {
    /// Value of a placement by what it does and what it leaves.
    #[inline(always)]
    pub fn value<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shape: &Shape,
        left: usize,
        counts: &Counts,
    ) -> f64 {
        if self.sticks_out(ground, shape, left) {
            return self.death;
        }
        counts.value(&self.weights)
    }

    /// Whether a placement ends the game: under the ideal rules one that sticks out at the top,
    /// even if rows then vanish.
    #[inline(always)]
    #[must_use]
    pub fn sticks_out<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shape: &Shape,
        left: usize,
    ) -> bool {
        self.moves == MoveModel::Ideal
            && Pile::<C, W>::rest(&ground.height[left..], shape) + u32::from(shape.height)
                > u32::from(ground.pile.rows)
    }

    /// Whether a new piece of this kind ends the game.
    #[inline]
    #[must_use]
    pub fn is_lost<C: Bits, const W: usize>(&self, ground: &Ground<C, W>, kind: Kind) -> bool {
        // New pieces take the two top rows.
        self.moves != MoveModel::Ideal
            && ground.top + 2 > ground.pile.rows
            && reach::is_blocked(&ground.pile, kind)
    }

    /// What a placement does itself.
    #[inline(always)]
    fn gain(&self, counts: &Counts) -> f64 {
        let values = counts.values();
        (0..OF_THE_PLACEMENT)
            .map(|i| self.weights[i] * values[i])
            .sum()
    }

    /// The placement of one piece with the best value, and how many there are.
    #[inline(always)]
    #[must_use]
    pub fn one<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shapes: &Shapes,
    ) -> (Option<Pick>, u64) {
        let mut best = Pick {
            turn: 0,
            left: 0,
            value: f64::NEG_INFINITY,
        };
        let mut order = i32::MIN;
        let mut nodes = 0;
        reach::for_each(ground, shapes, self.moves, |turn, shape, left| {
            let counts = ground.rate(shape, left);
            let value = self.value(ground, shape, left, &counts);
            nodes += 1;
            if value > best.value {
                best = Pick {
                    turn: turn as u8,
                    left: left as u16,
                    value,
                };
                order = i32::MIN;
            } else if self.dellacherie && value == best.value {
                if order == i32::MIN {
                    let turn = usize::from(best.turn);
                    let before = &shapes.turns()[turn];
                    order = tie_order(ground.pile.cols(), before, turn, usize::from(best.left));
                }
                let this = tie_order(ground.pile.cols(), shape, turn, left);
                if this > order {
                    order = this;
                    best.turn = turn as u8;
                    best.left = left as u16;
                }
            }
        });
        ((best.left > 0).then_some(best), nodes)
    }

    /// Every placement of `kind` with its own value, best first.
    pub fn roots<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        roots: &mut Vec<Root>,
    ) {
        roots.clear();
        let shapes = &shape::standard()[kind.index()];
        reach::for_each(ground, shapes, self.moves, |turn, shape, left| {
            roots.push(self.root(ground, shape, turn, left));
        });
        self.sort(ground, kind, roots);
    }

    /// One placement with its own value.
    #[must_use]
    pub fn root<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shape: &Shape,
        turn: usize,
        left: usize,
    ) -> Root {
        let counts = ground.rate(shape, left);
        Root {
            pick: Pick {
                turn: turn as u8,
                left: left as u16,
                value: self.value(ground, shape, left, &counts),
            },
            gain: self.gain(&counts),
            next: None,
        }
    }

    /// Best first; equal ones in the order of the tie-break.
    pub fn sort<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        roots: &mut [Root],
    ) {
        let turns = shape::standard()[kind.index()].turns();
        let cols = ground.pile.cols();
        let order = |p: &Pick| {
            let turn = usize::from(p.turn);
            let tie = if self.dellacherie {
                -tie_order(cols, &turns[turn], turn, usize::from(p.left))
            } else {
                0
            };
            (tie, p.turn, p.left)
        };
        roots.sort_unstable_by(|a, b| {
            let by_value = b.pick.value.total_cmp(&a.pick.value);
            by_value.then_with(|| order(&a.pick).cmp(&order(&b.pick)))
        });
    }

    /// The ground after a placement; `None` when that ends the game.
    #[inline(always)]
    fn after<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shape: &Shape,
        left: usize,
    ) -> Option<Ground<C, W>> {
        if self.sticks_out(ground, shape, left) {
            return None;
        }
        let mut pile = ground.pile;
        pile.drop_piece(shape, left);
        Some(Ground::new(&pile))
    }

    /// The value of a line's rest when the next piece is known: the best placement of it, valued
    /// by `depth` unknown pieces after it.
    fn known<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        depth: u32,
        gauge: &mut Gauge,
    ) -> (f64, Option<Pick>) {
        if self.is_lost(ground, kind) {
            gauge.add(1);
            return (self.death, None);
        }
        let shapes = &shape::standard()[kind.index()];
        if depth == 0 {
            let (best, nodes) = self.one(ground, shapes);
            gauge.add(nodes);
            // Nothing can be done with it: it stays where it appeared, as good as lost.
            return (best.map_or(self.death, |p| p.value), best);
        }
        let mut best: Option<Pick> = None;
        reach::for_each(ground, shapes, self.moves, |turn, shape, left| {
            if gauge.is_spent() {
                return;
            }
            let gain = self.gain(&ground.rate(shape, left));
            let value = match self.after(ground, shape, left) {
                Some(after) => gain + self.unknown(&after, depth, gauge),
                None => self.death,
            };
            if best.is_none_or(|b| value > b.value) {
                best = Some(Pick {
                    turn: turn as u8,
                    left: left as u16,
                    value,
                });
            }
        });
        (best.map_or(self.death, |p| p.value), best)
    }

    /// The mean over the seven kinds of the best that can be done, `depth` pieces deep.
    pub fn unknown<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        depth: u32,
        gauge: &mut Gauge,
    ) -> f64 {
        let sum: f64 = Kind::ALL
            .iter()
            .map(|&kind| self.known(ground, kind, depth.saturating_sub(1), gauge).0)
            .sum();
        sum / 7.0
    }

    /// Values the roots by the known next piece (if any) and `depth` unknown ones after it, and
    /// brings the best to the front. Those the budget does not reach keep their places behind.
    pub fn deepen<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        next: Option<Kind>,
        depth: u32,
        roots: &mut [Root],
        gauge: &mut Gauge,
    ) {
        let turns = shape::standard()[kind.index()].turns();
        let mut valued = 0;
        for root in roots.iter_mut() {
            if valued > 0 && gauge.is_spent() {
                break;
            }
            let shape = &turns[usize::from(root.pick.turn)];
            let after = self.after(ground, shape, usize::from(root.pick.left));
            let before = root.pick.value;
            match (after, next) {
                (None, _) => root.pick.value = self.death,
                (Some(after), Some(next)) => {
                    let (value, pick) = self.known(&after, next, depth, gauge);
                    root.pick.value = root.gain + value;
                    root.next = pick;
                }
                (Some(after), None) if depth > 0 => {
                    root.pick.value = root.gain + self.unknown(&after, depth, gauge);
                }
                (Some(_), None) => {}
            }
            if gauge.is_spent() && valued > 0 {
                // Valued in part only.
                root.pick.value = before;
                root.next = None;
                break;
            }
            valued += 1;
        }
        self.sort(ground, kind, &mut roots[..valued]);
    }
}

/// Dellacherie's order of equal values, larger preferred.
fn tie_order(cols: u16, shape: &Shape, turn: usize, left: usize) -> i32 {
    let origin = left as i32 - i32::from(shape.dx);
    let moved = origin - i32::from(cols / 2) - 1;
    100 * moved.abs() + if moved < 0 { 10 } else { 0 } - turn as i32
}
