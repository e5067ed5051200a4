//! Ways for the falling piece: which places it can surely be brought to, and by which keys.
//!
//! Takes the piece as it will be when the keys on their way have acted, the fall clock and the
//! timing of the hands; gives places with the next key towards them. A key counts only where it
//! has the same effect in every row in which the piece can be at that time. Must never plan a
//! drop: that is decided by what is seen.

use std::time::Duration;

use super::super::rules::Pose;
use super::clock::FallClock;
use super::paths::Ground;
use super::press::Press;
use crate::types::{KeyTiming, Time};

/// From where, when and how a plan is made.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The pile and the rules.
    pub ground: Ground<'a>,
    /// The fall clock.
    pub clock: &'a FallClock,
    /// The hands.
    pub timing: KeyTiming,
    /// The piece with its orientation and column as they will be; its row is that of `seen_at`.
    pub piece: Pose,
    /// When it was seen.
    pub seen_at: Time,
    /// When the hands are free.
    pub now: Time,
    /// Whether the program has a key that turns back.
    pub turns_back: bool,
    /// Whether the fall clock is taken at its middle instead of at its bounds: better than
    /// nothing where nothing is sure.
    pub bold: bool,
}

/// One orientation and column that can be reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    pose: Pose,
    arrive: Time,
    from: usize,
    press: Press,
    /// When the key towards it is asked for.
    ask: Time,
    keys: u8,
    done: bool,
}

/// A place that can be reached.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Where the piece lands.
    pub landing: Pose,
    /// Its node, for [`Planner::next`].
    node: usize,
}

/// The buffers of planning.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    nodes: Vec<Node>,
    spots: Vec<Spot>,
}

/// So long before its time a key is asked for all the same.
const EARLY: Duration = Duration::from_millis(2);
/// Moments in a fall delay at which a key may be asked for after waiting. They are the same for all
/// ways, so that none is quicker for pressing a key more.
const MOMENTS: u32 = 8;
/// So many fall delays a key may wait.
const WAITS: u32 = 3;

impl Start<'_> {
    /// The rows in which the piece is while a key that goes down between `from` and `to` acts.
    fn rows(&self, from: Time, to: Time) -> (i16, i16) {
        let y = self.piece.y;
        let (least, _) = self.clock.steps(y, self.seen_at, from);
        let (_, most) = self.clock.steps(y, self.seen_at, to);
        if self.bold {
            let (_, a) = self.clock.steps(y, self.seen_at, from);
            let (b, _) = self.clock.steps(y, self.seen_at, to);
            let middle = (a + b) / 2;
            return (y - middle, y - middle);
        }
        (y - most, y - least)
    }

    /// Where the piece is after a press asked for at `ask`, if that is sure; the row stays that
    /// of `seen_at`.
    fn sure(&self, pose: Pose, press: Press, ask: Time) -> Option<Pose> {
        let down = ask + self.timing.lead;
        let (low, high) = self.rows(down, down + self.timing.latency);
        let mut shift = None;
        for y in low..=high {
            let here = Pose { y, ..pose };
            if !self.ground.fits(here) {
                return None;
            }
            let there = self.ground.pressed(here, press);
            let moved = (there.turn, there.x, there.y - y);
            if there == here || moved.2 != 0 || shift.is_some_and(|s| s != moved) {
                return None;
            }
            shift = Some(moved);
        }
        let (turn, x, _) = shift?;
        Some(Pose { turn, x, ..pose })
    }
}

impl Planner {
    /// Finds all places; the first is the one reached without any key.
    pub fn explore(&mut self, start: &Start<'_>) -> &[Spot] {
        self.nodes.clear();
        self.spots.clear();
        self.nodes.push(Node {
            pose: start.piece,
            arrive: start.now,
            from: 0,
            press: Press::Drop,
            ask: start.now,
            keys: 0,
            done: false,
        });
        let open = |(_, n): &(usize, &Node)| !n.done;
        while let Some((i, _)) =
            (self.nodes.iter().enumerate().filter(open)).min_by_key(|(_, n)| (n.arrive, n.keys))
        {
            self.nodes[i].done = true;
            self.spread(start, i);
        }
        for i in 0..self.nodes.len() {
            if let Some(landing) = Self::lands(start, &self.nodes[i]) {
                self.spots.push(Spot { landing, node: i });
            }
        }
        &self.spots
    }

    fn spread(&mut self, start: &Start<'_>, i: usize) {
        let node = self.nodes[i];
        let moment = (start.clock.delay() / MOMENTS).max(Duration::from_millis(1));
        let gone = node.arrive.since(start.now);
        // Small: a few hundred keys at most.
        let next = (gone.as_micros() / moment.as_micros()) as u32 + 1;
        let presses = [Press::Left, Press::Right, Press::Rotate, Press::RotateBack];
        for press in presses {
            if press == Press::RotateBack && !start.turns_back {
                continue;
            }
            let later = (next..next + MOMENTS * WAITS).map(|n| start.now + moment * n);
            let asks = std::iter::once(node.arrive).chain(later);
            let sure = |ask: Time| start.sure(node.pose, press, ask).map(|pose| (pose, ask));
            let Some((pose, ask)) = ({ asks }).find_map(sure) else {
                continue;
            };
            let arrive = ask + start.timing.period();
            let new = Node {
                pose,
                arrive,
                from: i,
                press,
                ask,
                keys: node.keys.saturating_add(1),
                done: false,
            };
            match self.nodes.iter_mut().find(|n| n.pose == pose) {
                Some(old) if (old.arrive, old.keys) <= (arrive, new.keys) || old.done => {}
                Some(old) => *old = new,
                None => self.nodes.push(new),
            }
        }
    }

    /// Where a piece lands from a node, if that is the same from every row it can be in then.
    fn lands(start: &Start<'_>, node: &Node) -> Option<Pose> {
        let seen_by = if node.keys == 0 {
            node.arrive
        } else {
            node.ask + start.timing.lead + start.timing.latency
        };
        let (low, high) = start.rows(seen_by, seen_by);
        let top = Pose {
            y: high,
            ..node.pose
        };
        if !start.ground.fits(top) {
            return None;
        }
        let landing = start.ground.dropped(top);
        // Without a key there is nothing that could go wrong.
        let enough = node.keys == 0 || low >= landing.y;
        enough.then_some(landing)
    }

    /// The places found last.
    #[must_use]
    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The first key towards a place and when to ask for it; `None` for the place where the piece
    /// is.
    #[must_use]
    pub fn next(&self, spot: &Spot) -> Option<(Press, Time)> {
        let mut i = spot.node;
        let mut first = None;
        while let Some(node) = self.nodes.get(i).filter(|n| n.keys > 0) {
            first = Some((node.press, node.ask));
            i = node.from;
        }
        first
    }

    /// All keys towards a place, the last first.
    pub fn keys(&self, spot: &Spot) -> impl Iterator<Item = Press> {
        let mut i = spot.node;
        std::iter::from_fn(move || {
            let node = self.nodes.get(i).filter(|n| n.keys > 0)?;
            i = node.from;
            Some(node.press)
        })
    }
}

/// Whether a key that is due at `ask` is due now.
#[must_use]
pub fn is_due(ask: Time, now: Time) -> bool {
    ask <= now + EARLY
}
