//! Where the piece shall go and which key comes next.
//!
//! Takes the belief, gives keys one by one: nothing is remembered of a plan but its place, so that
//! a lost key is pressed again and a doubled one pressed back as soon as it is seen. Must never
//! drop a piece that was not seen where it shall fall, if that is asked for.

use super::super::policies::{MoveModel, Placement, Position};
use super::super::rules::Pose;
use super::live::TetrisAgent;
use super::plan::{Start, is_due};
use super::press::{Press, REPEAT};
use crate::types::{BoardText, Budget, Control, Decision, Time};

/// Where the piece shall land.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// The pose there.
    pub landing: Pose,
}

/// How careful a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// Each key surely has its effect.
    Sure,
    /// Each key probably has.
    Bold,
}

/// Fewer places than this are too few to choose from.
const ENOUGH: [(Care, usize); 2] = [(Care::Sure, 5), (Care::Bold, 0)];

impl TetrisAgent {
    /// The piece as it will be when every key on its way has acted; `None` when it is dropped.
    fn piece_to_be(&self) -> Option<Pose> {
        let pose = self.belief.piece?;
        let ground = self.ground();
        let mut there = pose;
        for key in self.flights.open() {
            if key.press == Press::Drop {
                return None;
            }
            let (least, most) = (self.clock).steps(pose.y, self.belief.seen_at, key.down);
            let here = Pose {
                y: pose.y - i16::midpoint(least, most),
                ..there
            };
            let here = if ground.fits(here) { here } else { there };
            let moved = ground.pressed(here, key.press);
            there = Pose { y: pose.y, ..moved };
        }
        Some(there)
    }

    fn explore(&mut self, piece: Pose, now: Time, care: Care) {
        let timing = self.options.timing;
        let mut planner = std::mem::take(&mut self.planner);
        let start = Start {
            ground: self.ground(),
            clock: &self.clock,
            timing,
            piece,
            seen_at: self.belief.seen_at,
            now,
            turns_back: self.options.keys.rotate_back.is_some(),
            bold: care == Care::Bold,
        };
        planner.explore(&start);
        self.planner = planner;
    }

    pub(super) fn choose(&mut self, budget: &Budget, now: Time) -> Option<Decision> {
        if !self.known || self.belief.over || self.aim.is_some() || self.is_dim(now) {
            return None;
        }
        if self.doubt.strikes > 0 || self.ground().rests(self.belief.piece?) {
            return None;
        }
        let piece = self.piece_to_be()?;
        for (care, enough) in ENOUGH {
            self.explore(piece, now, care);
            self.list_places();
            if self.allowed.len() >= enough {
                break;
            }
        }
        let position = Position {
            board: &self.belief.pile,
            kind: piece.kind,
            next: self.belief.next,
            model: MoveModel::AlsoAtSpawn,
            allowed: Some(&self.allowed),
        };
        let choice = self.policy.choose(&position, budget)?;
        let placement = choice.placement;
        let i = (self.allowed.iter()).position(|p| *p == placement)?;
        let landing = self.landings[i];
        self.aim = Some(Aim { landing });
        let (after, rows) = placement.applied(&self.belief.pile)?;
        Some(Decision {
            action: placement.to_string(),
            controls: self.controls(landing),
            expected: Some(BoardText(after.text())),
            score: choice.value,
            nodes: choice.nodes,
            note: format!(
                "{} of {} places can be reached; it completes {rows} rows",
                self.allowed.len(),
                Placement::all(piece.kind, self.options.size.cols).count()
            ),
        })
    }

    /// The places of the last exploration as policies know them.
    fn list_places(&mut self) {
        self.allowed.clear();
        self.landings.clear();
        for spot in self.planner.spots() {
            let (system, pile) = (&self.options.system, &self.belief.pile);
            if let Some(placement) = self.turns.placement(system, spot.landing, pile)
                && !self.allowed.contains(&placement)
            {
                self.allowed.push(placement);
                self.landings.push(spot.landing);
            }
        }
    }

    /// The keys towards a place of the last exploration, for a person.
    fn controls(&self, landing: Pose) -> Vec<Control> {
        let spot = self.planner.spots().iter().find(|s| s.landing == landing);
        let mut keys: Vec<Press> = spot
            .map(|s| self.planner.keys(s).collect())
            .unwrap_or_default();
        keys.reverse();
        keys.push(Press::Drop);
        keys.into_iter()
            .filter_map(|k| self.options.keys.name(k))
            .map(|name| Control::Key(name.to_owned()))
            .collect()
    }

    pub(super) fn next_press(&mut self, now: Time) -> Option<Press> {
        if !self.known || self.belief.over || self.is_dim(now) || self.doubt.strikes > 0 {
            return None;
        }
        let landing = self.aim?.landing;
        let piece = self.piece_to_be()?;
        if self.ground().rests(self.belief.piece?) && self.is_at(piece, landing) {
            // It lands by itself.
            return None;
        }
        if self.is_at(piece, landing) {
            return self.may_drop(now).then_some(Press::Drop);
        }
        for care in [Care::Sure, Care::Bold] {
            self.explore(piece, now, care);
            let spot = (self.planner.spots().iter()).find(|s| self.is_at(s.landing, landing));
            if let Some((press, ask)) = spot.and_then(|s| self.planner.next(s)) {
                return is_due(ask, now).then_some(press);
            }
        }
        if self.flights.open().next().is_none() {
            // It cannot be reached any more: another place is chosen.
            self.aim = None;
        }
        None
    }

    /// Whether a piece would land there if it were dropped.
    fn is_at(&self, piece: Pose, landing: Pose) -> bool {
        if piece.kind != landing.kind {
            return false;
        }
        let system = &self.options.system;
        let cells = system.cells(Pose {
            y: landing.y,
            ..piece
        });
        let wanted = system.cells(landing);
        let lowest = |c: &[(i16, i16); 4]| c.iter().map(|&(_, y)| y).min().unwrap_or(0);
        let up = lowest(&wanted) - lowest(&cells);
        cells.iter().all(|&(x, y)| wanted.contains(&(x, y + up)))
    }

    /// Whether it was seen that the piece is where it shall fall, and nothing can change that.
    fn may_drop(&self, now: Time) -> bool {
        if self.flights.keys().iter().any(|k| k.press == Press::Drop) {
            // Dropped, or not seen to be lost for long enough.
            return false;
        }
        if !self.options.confirm_before_drop {
            return true;
        }
        let settled = self.options.timing.latency + REPEAT;
        let seen_at = self.belief.seen_at;
        let over = |k: &super::press::Flight| seen_at >= k.down + settled;
        now.since(seen_at) <= self.options.frame_interval * 2 + self.options.timing.lead
            && self.flights.open().next().is_none()
            && self.flights.keys().iter().all(over)
    }
}
