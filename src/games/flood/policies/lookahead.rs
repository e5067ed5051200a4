//! Looks a fixed number of moves ahead and counts flooded cells; with depth 1 it is the greedy.

use super::bits::Bits;
use super::bound::moves_needed;
use super::graph::{Flood, Graph, with_graph};
use super::{Choice, FloodPolicy};
use crate::games::flood::rules::Board;
use crate::games::gauge::Gauge;
use crate::types::Budget;

/// All sequences of `depth` moves; the first move of the one that floods most cells.
///
/// A sequence that ends the game beats all that do not, and a shorter one a longer one. Of equals
/// the first is taken, in the order of the colours' numbers. When the budget is spent, the best
/// sequence found so far counts.
#[derive(Clone, Debug)]
pub struct Lookahead {
    name: &'static str,
    depth: u32,
}

impl Lookahead {
    /// Looks `depth` moves ahead (at least 1).
    #[must_use]
    pub fn new(depth: u32) -> Self {
        Self {
            name: "lookahead",
            depth: depth.max(1),
        }
    }

    /// One move ahead: the colour that floods most cells now.
    #[must_use]
    pub fn greedy() -> Self {
        Self {
            name: "greedy",
            depth: 1,
        }
    }
}

impl FloodPolicy for Lookahead {
    fn name(&self) -> &'static str {
        self.name
    }

    fn decide(&mut self, board: &Board, budget: &Budget) -> Option<Choice> {
        let mut gauge = Gauge::start(budget);
        with_graph!(board, |graph| {
            let mut walk = Walk {
                graph,
                depth: self.depth,
                first: 0,
                best: (0, 0),
                colour: None,
            };
            let flood = graph.start();
            let area = graph.area(&flood.wet);
            walk.go(&flood, area, 0, &mut gauge);
            walk.colour.map(|c| {
                let (area, spare) = walk.best;
                let solved = graph.area(&graph.all) == area;
                let ahead = self.depth - spare;
                let note = if solved {
                    format!("solves the board in {ahead}")
                } else {
                    format!("{area} cells after {ahead}")
                };
                Choice {
                    colour: graph.palette[c],
                    score: f64::from(area),
                    nodes: gauge.nodes(),
                    note,
                    plan: None,
                    lower_bound: moves_needed(graph, &flood),
                }
            })
        })
    }
}

struct Walk<'a, const N: usize> {
    graph: &'a Graph<N>,
    depth: u32,
    /// The first move of the sequence being tried.
    first: usize,
    /// Most cells, and with how many moves to spare.
    best: (u32, u32),
    colour: Option<usize>,
}

impl<const N: usize> Walk<'_, N> {
    fn go(&mut self, flood: &Flood<N>, area: u32, ply: u32, gauge: &mut Gauge) {
        let spare = self.depth - ply;
        if ply > 0 && (spare == 0 || flood.shore.is_empty()) {
            if (area, spare) > self.best {
                self.best = (area, spare);
                self.colour = Some(self.first);
            }
            return;
        }
        for c in 0..self.graph.colours {
            let gain: Bits<N> = self.graph.gain(flood, c);
            if gain.is_empty() {
                continue;
            }
            // The first sequence is always walked to its end, so that there is an answer.
            if !gauge.node() && self.colour.is_some() {
                return;
            }
            if ply == 0 {
                self.first = c;
            }
            let area = area + self.graph.area(&gain);
            if spare == 1 {
                if (area, 0) > self.best {
                    self.best = (area, 0);
                    self.colour = Some(self.first);
                }
                continue;
            }
            self.go(&self.graph.join(flood, &gain), area, ply + 1, gauge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::flood::rules::SeededBoards;
    use crate::types::{Cell, GridSize};

    fn play(policy: &mut dyn FloodPolicy, mut board: Board) -> usize {
        let mut n = 0;
        while let Some(choice) = policy.decide(&board, &Budget::default()) {
            board.flood(choice.colour);
            n += 1;
        }
        assert!(board.is_solved());
        n
    }

    /// The totals are those of an independent program on the same boards, board for board equal.
    #[test]
    fn plays_as_many_moves_as_the_published_players() {
        let boards = || SeededBoards::new(0x0141_46C0_FFEE, GridSize::new(14, 14), 6).take(100);
        for (depth, total) in [(1, 2630), (4, 2205)] {
            let mut policy = Lookahead::new(depth);
            let moves: usize = boards().map(|b| play(&mut policy, b)).sum();
            assert_eq!(moves, total, "depth {depth}");
        }
    }

    #[test]
    fn an_end_within_sight_is_taken_by_the_shortest_way() {
        // The most cells in one move are b's, yet only c, b ends the game in two.
        let board = Board::from_text("acbb/ccbb/bbbb", Cell::default()).expect("a board");
        let choice = Lookahead::new(4)
            .decide(&board, &Budget::default())
            .expect("a move");
        assert_eq!(
            (choice.colour, choice.note.as_str()),
            (2, "solves the board in 2")
        );
        let solved = Board::from_text("aa", Cell::default()).expect("a board");
        assert_eq!(Lookahead::new(4).decide(&solved, &Budget::default()), None);
    }

    #[test]
    fn a_spent_budget_still_gives_a_move() {
        let board = SeededBoards::new(1, GridSize::new(20, 20), 8)
            .next()
            .expect("endless");
        let poor = Budget {
            nodes: Some(0),
            ..Budget::default()
        };
        let choice = Lookahead::new(6).decide(&board, &poor).expect("a move");
        assert!(board.is_move(choice.colour) && choice.nodes < 20);
    }
}
