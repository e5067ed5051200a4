//! One searcher: principal variation search from a position, with the memory of one thread.
//!
//! Takes a position and a gauge, gives values. Knows no clock and no other thread; what it shares
//! with others is the table.

use std::sync::LazyLock;

use super::cell::{MAKES_FOUR, MAKES_THREE, NOTHING, WINS, WINS_BY_FOUR};
use super::field::{AREA, Field, NOWHERE, cells_of};
use super::moves::{defences, either, fours};
use super::table::{Bound, Entry, Table};
use super::vcf::Fours;
use super::vct::Threats;
use crate::games::gauge::Gauge;

/// The value of having won; less the stones that it takes.
pub(super) const MATE: i32 = 30_000;
/// Values beyond this are proven.
pub(super) const DECIDED: i32 = 29_000;
/// Stones ahead at most.
pub(super) const MAX_PLY: usize = 100;
/// Values of the evaluation stay below this.
const MOST: i32 = 20_000;
/// More than any value.
pub(super) const INFINITE: i32 = 32_000;

/// A move in the order of looking at it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ordered {
    pub(super) at: u16,
    pub(super) order: i32,
}

/// One thread's search.
#[derive(Debug)]
pub(super) struct Seeker<'a> {
    pub(super) field: Field,
    pub(super) gauge: Gauge<'a>,
    pub(super) table: &'a Table,
    pub(super) memory: &'a mut Memory,
    /// Added to the depth of each iteration, so that threads do not all do the same.
    pub(super) ahead: i32,
}

/// What a searcher keeps between searches.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) fours: Fours,
    pub(super) threats: Threats,
    killers: Vec<[u16; 2]>,
    history: [Vec<i32>; 2],
    counter: [Vec<u16>; 2],
    /// Lists of moves, the deepest ply's last.
    moves: Vec<Ordered>,
    /// The last move at each ply.
    path: Vec<u16>,
    /// The expected moves from each ply on.
    lines: Vec<Vec<u16>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            fours: Fours::default(),
            threats: Threats::default(),
            killers: vec![[NOWHERE; 2]; MAX_PLY + 1],
            history: [vec![0; AREA], vec![0; AREA]],
            counter: [vec![NOWHERE; AREA], vec![NOWHERE; AREA]],
            moves: Vec::with_capacity(1 << 14),
            path: vec![NOWHERE; MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }
}

impl Memory {
    /// What it takes, nearly.
    pub(super) const BYTES: usize = Fours::BYTES + Threats::BYTES + (1 << 18);

    /// Another position is searched next.
    pub(super) fn fade(&mut self) {
        self.killers.fill([NOWHERE; 2]);
        for side in &mut self.history {
            side.iter_mut().for_each(|h| *h /= 4);
        }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.fours.forget();
        self.threats.forget();
        self.fade();
        for side in 0..2 {
            self.history[side].fill(0);
            self.counter[side].fill(NOWHERE);
        }
    }

    /// The expected moves from the root.
    pub(super) fn line(&self) -> &[u16] {
        &self.lines[0]
    }

    /// `at` is best at `ply`, and then what is expected after it.
    pub(super) fn expect(&mut self, ply: usize, at: u16) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(at);
        head[ply].extend_from_slice(&tail[0]);
    }

    fn expect_nothing(&mut self, ply: usize) {
        self.lines[ply].clear();
    }
}

impl Seeker<'_> {
    /// Puts a stone and remembers it as the move of this ply.
    pub(super) fn make(&mut self, at: u16, ply: usize) {
        self.memory.path[ply] = at;
        self.field.make(at);
    }

    /// The value for the side to move, between `alpha` and `beta`; means nothing once the gauge
    /// is spent. `quiet` counts the answers to threats beyond the depth.
    pub(super) fn search(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        may_pass: bool,
        mut quiet: u32,
    ) -> i32 {
        self.memory.expect_nothing(ply);
        if !self.gauge.node() {
            return 0;
        }
        let mate_in = |n: usize| MATE - (ply + n) as i32;
        let (own, other) = (self.field.turn, 1 - self.field.turn);
        if let Some(at) = self.field.first(own, WINS) {
            self.memory.lines[ply].push(at);
            return mate_in(1);
        }
        if self.field.free == 0 {
            return 0;
        }
        match self.field.count_of(other, WINS) {
            0 => {}
            1 if ply < MAX_PLY - 2 => {
                let Some(at) = self.field.first(other, WINS) else {
                    return 0;
                };
                self.make(at, ply);
                let value = -self.search(-beta, -alpha, depth, ply + 1, may_pass, quiet);
                self.field.undo(at);
                self.memory.expect(ply, at);
                return value;
            }
            1 => return self.still(),
            _ => return -mate_in(2),
        }
        if let Some(at) = self.field.first(own, WINS_BY_FOUR) {
            self.memory.lines[ply].push(at);
            return mate_in(3);
        }
        let threatened = self.field.can_win_by_four(other);

        // Nothing better than winning by the next fours, nothing worse than losing to them.
        beta = beta.min(mate_in(5));
        alpha = alpha.max(-mate_in(4));
        if alpha >= beta {
            return alpha;
        }

        let wide = beta - alpha > 1;
        let hash = self.field.hash;
        let mut hint = NOWHERE;
        if let Some(e) = self.table.get(hash) {
            let value = from_table(e.value, ply);
            let tells = match e.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if tells && !wide && i32::from(e.depth) >= depth {
                return value;
            }
            if self.field.is_empty(e.best) {
                hint = e.best;
            }
        }
        if ply >= MAX_PLY - 2 {
            return self.still();
        }

        if self.field.count_of(own, MAKES_FOUR) > 0 {
            let limit = if depth > 1 { 200 } else { 60 };
            let memory = &mut *self.memory;
            let found = memory
                .fours
                .search(&mut self.field, 12, limit, &mut self.gauge);
            if let Some(n) = found {
                let value = mate_in(n as usize);
                memory.lines[ply].extend(memory.fours.line());
                let best = memory.lines[ply].first().copied().unwrap_or(NOWHERE);
                self.remember(hash, best, value, 100, Bound::Exact, ply);
                return value;
            }
            if self.gauge.is_spent() {
                return 0;
            }
        }

        let still = self.still();
        if depth <= 0 {
            if !threatened || quiet >= QUIET {
                return still;
            }
            depth = 1;
            quiet += 1;
        }

        let calm = !wide && !threatened && beta.abs() < DECIDED;
        if calm && depth <= 4 && still - MARGIN * depth >= beta {
            return still;
        }
        if calm && may_pass && depth >= 3 && still >= beta {
            self.memory.path[ply] = NOWHERE;
            self.field.pass();
            let less = depth - 3 - depth / 4;
            let value = -self.search(-beta, 1 - beta, less, ply + 1, false, quiet);
            self.field.pass();
            if value >= beta && !self.gauge.is_spent() {
                return if value > DECIDED { beta } else { value };
            }
        }
        if hint == NOWHERE && depth >= 5 {
            depth -= 1;
        }

        let set = if threatened {
            either(defences(&self.field, other), &fours(&self.field, own))
        } else {
            self.field.near()
        };
        let base = self.memory.moves.len();
        let previous = if ply > 0 {
            self.memory.path[ply - 1]
        } else {
            NOWHERE
        };
        let killers = self.memory.killers[ply];
        let answer = self.memory.counter[own][usize::from(previous)];
        for at in cells_of(&set) {
            let mine = self.field.worth(at, own);
            let theirs = self.field.worth(at, other);
            let mut order = i32::from(mine.attack) + i32::from(theirs.defence);
            order += self.memory.history[own][usize::from(at)] / 64;
            if at == hint {
                order += 1 << 20;
            } else if at == killers[0] || at == killers[1] {
                order += 60;
            }
            if at == answer {
                order += 40;
            }
            self.memory.moves.push(Ordered { at, order });
        }
        let count = self.memory.moves.len() - base;
        if count == 0 {
            // Every move loses to the threat, or (where there is none) no empty cell is left.
            return if threatened { -mate_in(4) } else { 0 };
        }

        let start = alpha;
        let mut best = -INFINITE;
        let mut best_at = NOWHERE;
        let most = if threatened || wide && depth > 2 {
            count
        } else {
            WIDTH[(depth as usize).min(WIDTH.len() - 1)]
        };
        for i in 0..count {
            // The next in order, found when it is needed: most often few are.
            let list = &mut self.memory.moves[base..base + count];
            let mut next = i;
            for j in i + 1..count {
                if list[j].order > list[next].order {
                    next = j;
                }
            }
            list.swap(i, next);
            let at = list[i].at;
            let kind = self.field.worth(at, own).kind;
            let forcing = kind >= MAKES_THREE;
            if i >= most && best > -DECIDED && !forcing {
                continue;
            }
            let hopeless = calm && depth <= 3 && still + HOPE * depth <= alpha;
            if hopeless && i > 2 && !forcing && best > -DECIDED {
                break;
            }
            let mut reduced = 0;
            if depth >= 3 && i >= 2 && !threatened {
                reduced = lessening(depth, i);
                if wide {
                    reduced -= 1;
                }
                if forcing || self.field.worth(at, other).kind >= MAKES_FOUR {
                    reduced -= 1;
                }
                reduced = reduced.clamp(0, depth - 1);
            }
            self.make(at, ply);
            let below = depth - 1;
            let value = if i == 0 {
                -self.search(-beta, -alpha, below, ply + 1, true, quiet)
            } else {
                let mut v = -self.search(-alpha - 1, -alpha, below - reduced, ply + 1, true, quiet);
                if v > alpha && reduced > 0 && !self.gauge.is_spent() {
                    v = -self.search(-alpha - 1, -alpha, below, ply + 1, true, quiet);
                }
                if v > alpha && v < beta && !self.gauge.is_spent() {
                    v = -self.search(-beta, -alpha, below, ply + 1, true, quiet);
                }
                v
            };
            self.field.undo(at);
            if self.gauge.is_spent() {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_at = at;
                    self.memory.expect(ply, at);
                    if value >= beta {
                        self.praise(base, i, depth, ply, previous);
                        break;
                    }
                }
            }
        }
        self.memory.moves.truncate(base);
        if self.gauge.is_spent() {
            return 0;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let remembered = if best_at == NOWHERE { hint } else { best_at };
        self.remember(hash, remembered, best, depth, bound, ply);
        best
    }

    /// The evaluation of the position as it stands.
    fn still(&self) -> i32 {
        self.field.value().clamp(-MOST, MOST)
    }

    fn remember(&self, hash: u64, best: u16, value: i32, depth: i32, bound: Bound, ply: usize) {
        let ply = ply as i32;
        let value = match value {
            v if v > DECIDED => v + ply,
            v if v < -DECIDED => v - ply,
            v => v,
        };
        let entry = Entry {
            best,
            value: value as i16,
            depth: depth.clamp(-1, 120) as i8,
            bound,
        };
        self.table.put(hash, entry);
    }

    /// The i-th move in the list that begins at `base` refuted the position; those before it did
    /// not.
    fn praise(&mut self, base: usize, i: usize, depth: i32, ply: usize, previous: u16) {
        let own = self.field.turn;
        let at = self.memory.moves[base + i].at;
        if self.field.worth(at, own).kind > NOTHING {
            return;
        }
        let memory = &mut *self.memory;
        if memory.killers[ply][0] != at {
            memory.killers[ply] = [at, memory.killers[ply][0]];
        }
        memory.counter[own][usize::from(previous)] = at;
        let bonus = (depth * depth).min(400);
        let history = &mut memory.history[own];
        let mut add = |at: u16, bonus: i32| {
            let h = &mut history[usize::from(at)];
            *h += bonus * 16 - *h * bonus.abs() / 512;
        };
        add(at, bonus);
        for m in &memory.moves[base..base + i] {
            add(m.at, -bonus);
        }
    }
}

/// Answers to threats of open fours beyond the depth.
const QUIET: u32 = 4;
/// What a ply may change in the evaluation.
const MARGIN: i32 = 45;
/// What a move near the leaves may gain in the evaluation.
const HOPE: i32 = 120;
/// Moves to look at, by depth.
const WIDTH: [usize; 6] = [4, 6, 8, 13, 18, 28];

/// Plies less for the i-th move.
#[inline]
fn lessening(depth: i32, i: usize) -> i32 {
    let row = &LESSENING[(depth.max(0) as usize).min(31)];
    i32::from(row[i.min(63)])
}

static LESSENING: LazyLock<[[i8; 64]; 32]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|i| {
            let (d, i) = ((depth.max(1) as f32).ln(), (i.max(1) as f32).ln());
            (0.6 + d * i / 2.0) as i8
        })
    })
});

fn from_table(value: i16, ply: usize) -> i32 {
    let ply = ply as i32;
    match i32::from(value) {
        v if v > DECIDED => v - ply,
        v if v < -DECIDED => v + ply,
        v => v,
    }
}
