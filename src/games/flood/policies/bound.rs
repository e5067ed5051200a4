//! How many moves are needed at least: an estimate that is never too high.
//!
//! The game is made easier: where no colour can be finished with one move, one move plays all
//! colours at once. A colour that one move finishes costs that move in every solution, and to
//! play it at once loses nothing, so all such are played and counted first.

use super::bits::Bits;
use super::graph::{Flood, Graph};

/// Moves needed at least to flood everything from `flood`.
#[must_use]
pub fn moves_needed<const N: usize>(graph: &Graph<N>, flood: &Flood<N>) -> u32 {
    let mut shore = flood.shore;
    // Neither flooded nor next to it.
    let mut hidden = graph.all.minus(&flood.wet).minus(&shore);
    // One hidden region of each colour: while it stays hidden, the colour cannot be finished. The
    // highest number is about the farthest, so a new witness is seldom needed.
    let mut witnesses = Bits::EMPTY;
    let mut finish = Bits::EMPTY;
    let mut finished = 0;
    for colour in &graph.of_colour[..graph.colours] {
        let near = *colour & shore;
        if let Some(w) = (*colour & hidden).last() {
            witnesses.insert(w);
        } else if !near.is_empty() {
            finish |= near;
            finished += 1;
        }
    }
    let mut moves = 0;
    while !shore.is_empty() {
        if finished == 0 {
            finish = shore;
            finished = 1;
        }
        moves += finished;
        finished = 0;
        let reached = graph.around(&finish) & hidden;
        shore = shore.minus(&finish) | reached;
        hidden = hidden.minus(&reached);
        finish = Bits::EMPTY;
        let found = witnesses & reached;
        if !found.is_empty() {
            witnesses = witnesses.minus(&found);
            found.for_each(|r| {
                let colour = graph.of_colour[usize::from(graph.colour_of[r])];
                if let Some(w) = (colour & hidden).last() {
                    witnesses.insert(w);
                } else {
                    finish |= colour & shore;
                    finished += 1;
                }
            });
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::flood::policies::graph::with_graph;
    use crate::games::flood::rules::Board;
    use crate::types::Cell;

    #[test]
    fn small_boards_by_hand() {
        for (text, moves) in [
            ("a", 0),
            ("ab", 1),
            ("abab", 3),
            // c and d are finished at once, then nothing is left.
            ("cad", 2),
            // One layer of three colours, each finished by a move of its own.
            ("bac/bad", 3),
            // No colour can be finished: one layer for one move, then b, then c.
            ("abc/bcb", 3),
        ] {
            let start = Cell::new(u16::from(text.as_bytes()[0] != b'a'), 0);
            let board = Board::from_text(text, start).expect("a board");
            let bound = with_graph!(&board, |graph| moves_needed(graph, &graph.start()));
            assert_eq!(bound, moves, "{text}");
        }
    }
}
