//! How the belief changes when a board is accepted.

use super::{DuelAgent, FEW, Grid, Piece};
use crate::games::duel::Side;
use crate::games::duel::belief::Belief;
use crate::games::duel::explain::{Explained, rename};

impl DuelAgent {
    /// Takes moves as made.
    pub(super) fn advance(&mut self, plies: &[Piece]) {
        let Some(mut belief) = self.belief.take() else {
            return;
        };
        let theirs = self.is_theirs_after_all(&belief, plies);
        let pending = self.pending.take();
        let ours_at = pending.and_then(|p| match plies.first() {
            _ if theirs => None,
            Some(first) if first.at == p.at => Some(p.at),
            // On an empty board somebody else has begun; else it is our side's move at any rate.
            Some(first) if belief.grid().count() > 0 && plies.len() == 1 => Some(first.at),
            _ => None,
        });
        let begun = pending.filter(|_| belief.grid().count() == 0);
        self.sides.moved(belief.grid(), plies, ours_at);
        for &piece in plies {
            belief.put(self.seat.rules(), piece);
        }
        self.news = self.told(plies);
        if let Some(ours) = begun.filter(|p| plies.iter().any(|ply| ply.at == p.at)) {
            self.sides.doubt_the_beginning(belief.grid(), ours.again);
        }
        // Who was first may be known only now.
        let first = self.sides.kind_of(Side::First);
        if first.is_some_and(|first| !belief.is_in_turn(first)) {
            belief = Belief::begin(self.seat.rules(), belief.grid().clone());
        }
        self.belief = Some(belief);
    }

    pub(super) fn begin(&mut self, grid: Grid, same: bool) {
        self.sides.begin(&grid, same);
        self.pending = None;
        self.news = format!("a board with {} pieces", grid.count());
        self.belief = Some(Belief::begin(self.seat.rules(), grid));
    }

    /// A first board: the game that was forgotten, if it goes on here, or another one.
    pub(super) fn first(&mut self, grid: Grid) {
        let known = self
            .last
            .take()
            .filter(|b| b.end().is_none() && grid.count() > FEW);
        let Some(belief) = known else {
            self.begin(grid, false);
            return;
        };
        let goes_on = *belief.grid() == grid
            || !matches!(
                self.explained(&belief, &grid),
                Explained::Fresh | Explained::Nowhere
            );
        self.belief = Some(belief);
        if goes_on {
            self.take(&grid);
        } else {
            self.begin(grid, false);
        }
    }

    /// Takes a board as the position, by its explanation.
    pub(super) fn take(&mut self, grid: &Grid) {
        let Some(belief) = self.belief.take() else {
            return;
        };
        if belief.grid() == grid {
            self.belief = Some(belief);
            return;
        }
        let explained = self.explained(&belief, grid);
        let rules = self.seat.rules();
        match explained {
            Explained::Forward(plies) => {
                self.belief = Some(belief);
                self.advance(&plies);
            }
            Explained::Back { gone, then } => {
                let belief = belief.without(rules, &gone);
                self.sides.taken_back(belief.grid());
                self.belief = Some(belief);
                self.pending = None;
                self.advance(&then);
                let action = |p: &Piece| self.seat.rules().action(p.at);
                let gone: Vec<String> = gone.iter().map(action).collect();
                self.news = format!("taken back: {}; {}", gone.join(", "), self.told(&then));
            }
            Explained::Renamed(kinds) => {
                let other = belief.renamed(rules, |kind| rename(&kinds, kind));
                self.sides.renamed(|kind| rename(&kinds, kind));
                self.belief = Some(other);
                // What else has happened since.
                self.take(grid);
            }
            Explained::Fresh => self.begin(grid.clone(), false),
            Explained::Nowhere => self.begin(grid.clone(), true),
        }
    }
}
