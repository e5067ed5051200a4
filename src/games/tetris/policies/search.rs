//! The searches, over piles of any size: one piece, two pieces, unknown pieces.
//!
//! A line of placements is worth what its placements did (landing heights, rows) and what the
//! last pile looks like. A position in which a piece cannot appear is worth [`Sight::death`].

use super::bits::Bits;
use super::counting::counting;
use super::features::{Counts, FEATURES, Ground};
use super::pile::Pile;
use super::reach::{self, MoveModel};
use super::shape::{self, Shape, Shapes};
use crate::games::gauge::Gauge;
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
    /// Whether the kinds that could not appear after a placement count as lost games.
    pub sees_spawns: bool,
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
    /// Its features.
    pub counts: Counts,
    /// The best placement of the known next piece.
    pub next: Option<Pick>,
}

/// The best few of the placements that were offered, best first.
struct Lines {
    kept: [Root; WIDEST],
    len: usize,
    width: usize,
    offered: u64,
}

impl Lines {
    fn new(width: usize) -> Self {
        let nothing = Root {
            pick: Pick {
                turn: 0,
                left: 0,
                value: f64::NEG_INFINITY,
            },
            gain: 0.0,
            counts: Counts::default(),
            next: None,
        };
        Self {
            kept: [nothing; WIDEST],
            len: 0,
            width: width.clamp(1, WIDEST),
            offered: 0,
        }
    }

    fn offer(&mut self, root: Root) {
        self.offered += 1;
        let mut at = self.len;
        while at > 0 && self.kept[at - 1].pick.value < root.pick.value {
            at -= 1;
        }
        if at >= self.width {
            return;
        }
        self.len = (self.len + 1).min(self.width);
        self.kept.copy_within(at..self.len - 1, at + 1);
        self.kept[at] = root;
    }

    fn kept(&self) -> &[Root] {
        &self.kept[..self.len]
    }
}

/// Lines that a search below the root can keep: on boards with more placements of a piece than
/// this, the worst are not looked at.
pub const WIDEST: usize = 48;

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
        let value = counts.value(&self.weights);
        if self.sees_spawns && counts.height + 3 > i32::from(ground.pile.rows) {
            return value + self.death * self.lost_share(ground, shape, left);
        }
        value
    }

    /// The share of the seven kinds that could not appear after a placement, or not fall a row.
    #[inline(never)]
    fn lost_share<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shape: &Shape,
        left: usize,
    ) -> f64 {
        if self.moves == MoveModel::Ideal {
            return 0.0;
        }
        let mut pile = ground.pile;
        pile.drop_piece(shape, left);
        let lost = Kind::ALL.iter().filter(|k| reach::is_stuck(&pile, **k));
        lost.count() as f64 / 7.0
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
    #[inline]
    #[must_use]
    pub fn one<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shapes: &Shapes,
    ) -> (Option<Pick>, u64) {
        counting(|| self.one_counted(ground, shapes))
    }

    #[inline(always)]
    fn one_counted<C: Bits, const W: usize>(
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

    /// Every placement of `kind` with its own value, in the order in which they are found.
    pub fn roots<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        roots: &mut Vec<Root>,
    ) {
        roots.clear();
        let shapes = &shape::standard()[kind.index()];
        counting(|| {
            reach::for_each(ground, shapes, self.moves, |turn, shape, left| {
                roots.push(self.root(ground, shape, turn, left));
            });
        });
    }

    /// One placement with its own value.
    #[must_use]
    #[inline(always)]
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
            counts,
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
        let order = |p: &Pick| self.order(cols, turns, p);
        roots.sort_unstable_by(|a, b| {
            let by_value = b.pick.value.total_cmp(&a.pick.value);
            by_value.then_with(|| order(&a.pick).cmp(&order(&b.pick)))
        });
    }

    /// Brings `after` to the ground after a placement; false when that ends the game.
    #[inline(always)]
    fn after<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        shape: &Shape,
        root: &Root,
        after: &mut Ground<C, W>,
    ) -> bool {
        let left = usize::from(root.pick.left);
        if self.sticks_out(ground, shape, left) {
            return false;
        }
        after.follow(ground, shape, left, &root.counts);
        true
    }

    /// The value of a line's rest when the next piece is known: the best placement of it, valued
    /// by `depth` unknown pieces after it.
    fn known<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        depth: u32,
        width: usize,
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
        let mut lines = Lines::new(width);
        counting(|| {
            reach::for_each(ground, shapes, self.moves, |turn, shape, left| {
                lines.offer(self.root(ground, shape, turn, left));
            });
        });
        gauge.add(lines.offered);
        let mut best: Option<Pick> = None;
        let mut after = ground.clone();
        for line in lines.kept() {
            if best.is_some() && gauge.is_spent() {
                break;
            }
            let shape = &shapes.turns()[usize::from(line.pick.turn)];
            let value = if self.after(ground, shape, line, &mut after) {
                line.gain + self.unknown(&after, depth, width, gauge)
            } else {
                self.death
            };
            if best.is_none_or(|b| value > b.value) {
                best = Some(Pick { value, ..line.pick });
            }
        }
        (best.map_or(self.death, |p| p.value), best)
    }

    /// The mean over the seven kinds of the best that can be done, `depth` pieces deep.
    pub fn unknown<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        depth: u32,
        width: usize,
        gauge: &mut Gauge,
    ) -> f64 {
        let (mut sum, mut done) = (0.0, 0.0);
        for kind in Kind::ALL {
            sum += self
                .known(ground, kind, depth.saturating_sub(1), width, gauge)
                .0;
            done += 1.0;
            if gauge.is_spent() {
                // What is valued in part is not taken, unless there is nothing else.
                break;
            }
        }
        sum / done
    }

    /// Values the roots by the known next piece (if any) and `depth` unknown ones after it; how
    /// many. Those the budget does not reach, the last ones, keep their values.
    // What is looked at, how far, and what it may cost: nothing that belongs together.
    #[allow(clippy::too_many_arguments)]
    pub fn deepen<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        next: Option<Kind>,
        depth: u32,
        width: usize,
        roots: &mut [Root],
        gauge: &mut Gauge,
    ) -> usize {
        let turns = shape::standard()[kind.index()].turns();
        let mut valued = 0;
        let mut after = ground.clone();
        for root in roots.iter_mut() {
            if valued > 0 && gauge.is_spent() {
                break;
            }
            let shape = &turns[usize::from(root.pick.turn)];
            let alive = self.after(ground, shape, root, &mut after);
            let before = root.pick.value;
            match next {
                _ if !alive => root.pick.value = self.death,
                Some(next) => {
                    let (value, pick) = self.known(&after, next, depth, width, gauge);
                    root.pick.value = root.gain + value;
                    root.next = pick;
                }
                None if depth > 0 => {
                    root.pick.value = root.gain + self.unknown(&after, depth, width, gauge);
                }
                None => {}
            }
            if gauge.is_spent() && valued > 0 {
                // Valued in part only.
                root.pick.value = before;
                root.next = None;
                break;
            }
            valued += 1;
        }
        valued
    }

    /// Brings the best to the front; the others keep no order.
    pub fn front<C: Bits, const W: usize>(
        &self,
        ground: &Ground<C, W>,
        kind: Kind,
        roots: &mut [Root],
    ) {
        let turns = shape::standard()[kind.index()].turns();
        let cols = ground.pile.cols();
        let mut best = 0;
        for i in 1..roots.len() {
            let by_value = roots[i].pick.value.total_cmp(&roots[best].pick.value);
            let better = by_value.then_with(|| {
                let [new, old] = [i, best].map(|i| self.order(cols, turns, &roots[i].pick));
                old.cmp(&new)
            });
            if better.is_gt() {
                best = i;
            }
        }
        if best > 0 {
            roots.swap(0, best);
        }
    }

    /// The order of placements of the same value, smaller first.
    fn order(&self, cols: u16, turns: &[Shape], pick: &Pick) -> (i32, u8, u16) {
        let turn = usize::from(pick.turn);
        let tie = if self.dellacherie {
            -tie_order(cols, &turns[turn], turn, usize::from(pick.left))
        } else {
            0
        };
        (tie, pick.turn, pick.left)
    }
}

/// Dellacherie's order of equal values, larger preferred.
fn tie_order(cols: u16, shape: &Shape, turn: usize, left: usize) -> i32 {
    let origin = left as i32 - i32::from(shape.dx);
    let moved = origin - i32::from(cols / 2) - 1;
    100 * moved.abs() + if moved < 0 { 10 } else { 0 } - turn as i32
}
