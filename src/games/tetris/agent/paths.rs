//! Where a piece can be: every pose that keys on their way and fall steps may have led to.
//!
//! Takes a pose, the pile and the odds of each key; gives poses with their costs. Fall steps may
//! come between any two keys. Must never allocate once its buffers have grown.

use super::super::rules::{Board, Kind, Pose, System};
use super::press::{Odds, Press};

/// A pose that a piece may have reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The pose.
    pub pose: Pose,
    /// Fall steps made.
    pub steps: i16,
    /// Cost of what became of the keys.
    pub cost: f32,
    /// Two bits for each key: how often it acted (0 to 2), or 3 for one that may yet act.
    pub marks: u32,
    /// The first key that has not acted on this piece.
    pub next: u8,
    /// The piece was dropped and lies.
    pub dropped: bool,
}

/// Cost of a shift that is seen later than a turn that was made after it.
const OVERTAKEN: f32 = 0.5;

/// A key that may yet act, in [`Reach::marks`].
const WAITS: u32 = 3;

impl Reach {
    fn marked(mut self, key: usize, mark: u32) -> Self {
        self.marks |= mark << (2 * key);
        self
    }
}

/// Buffers of a search.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    here: Vec<Reach>,
    there: Vec<Reach>,
}

/// A pile and the rules for what may move on it.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The pile.
    pub pile: &'a Board,
    /// The pieces.
    pub system: &'a System,
    /// Pieces may reach above the board: where the system says so, or they appear partly hidden.
    pub sky: bool,
}

impl<'a> Ground<'a> {
    /// The ground of a pile.
    #[must_use]
    pub fn new(pile: &'a Board, system: &'a System) -> Self {
        let top = pile.rows() as i16;
        let hidden = |kind| {
            let spawn = system.spawn(kind, pile.cols(), pile.rows());
            system.cells(spawn).iter().any(|&(_, y)| y >= top)
        };
        let sky = system.open_top || Kind::ALL.into_iter().any(hidden);
        Self { pile, system, sky }
    }

    /// The same rules on another pile of the same size.
    #[must_use]
    pub const fn with(self, pile: &'a Board) -> Self {
        Self { pile, ..self }
    }

    /// Whether a piece may be there.
    #[must_use]
    pub fn fits(&self, pose: Pose) -> bool {
        let (cols, rows) = (self.pile.cols() as i16, self.pile.rows() as i16);
        self.system.cells(pose).iter().all(|&(x, y)| {
            self.pile.get(x, y) == Some(0) || self.sky && y >= rows && x >= 0 && x < cols
        })
    }

    /// Whether a piece lies on something.
    #[must_use]
    pub fn rests(&self, pose: Pose) -> bool {
        !self.fits(pose.moved(0, -1))
    }

    /// Where it comes to rest when it falls straight down.
    #[must_use]
    pub fn dropped(&self, pose: Pose) -> Pose {
        let mut rest = pose;
        while !self.rests(rest) {
            rest = rest.moved(0, -1);
        }
        rest
    }

    /// The piece after one press; itself when the press has no effect.
    #[must_use]
    pub fn pressed(&self, pose: Pose, press: Press) -> Pose {
        let turns = self.system.turns_of(pose.kind).max(1);
        let wanted = match press {
            Press::Left => pose.moved(-1, 0),
            Press::Right => pose.moved(1, 0),
            Press::Rotate => self.system.turned(pose),
            Press::RotateBack => Pose {
                turn: (pose.turn + turns - 1) % turns,
                ..pose
            },
            Press::Drop => return self.dropped(pose),
        };
        if self.fits(wanted) {
            return wanted;
        }
        if wanted.turn == pose.turn {
            return pose;
        }
        let kicked = |&(dx, dy): &(i8, i8)| wanted.moved(dx.into(), dy.into());
        let mut kicks = self.system.kicks.iter().map(kicked);
        kicks.find(|&p| self.fits(p)).unwrap_or(pose)
    }
}

fn add(states: &mut Vec<Reach>, new: Reach) {
    let same = |r: &&mut Reach| r.pose == new.pose && r.dropped == new.dropped;
    match states.iter_mut().find(same) {
        Some(old) if old.cost <= new.cost => {}
        Some(old) => *old = new,
        None => states.push(new),
    }
}

impl Paths {
    /// Appends all poses that can be reached from `start` with the keys from index `first`, and at
    /// most `steps` fall steps.
    pub fn explore(
        &mut self,
        ground: Ground<'_>,
        start: Reach,
        keys: &[Odds],
        steps: i16,
        out: &mut Vec<Reach>,
    ) {
        let first = usize::from(start.next);
        self.here.clear();
        self.here.push(start);
        for (j, key) in keys.iter().enumerate().skip(first) {
            self.fall(ground, steps);
            self.there.clear();
            for &state in &self.here {
                let next = j as u8 + 1;
                if key.wait.is_finite() {
                    let waiting = Reach {
                        cost: state.cost + key.wait,
                        next: j as u8,
                        ..state
                    };
                    out.push((j..keys.len()).fold(waiting, |w, k| w.marked(k, WAITS)));
                }
                let shifts = matches!(key.press, Press::Left | Press::Right);
                if shifts && ground.system.slides && key.wait.is_finite() {
                    let cost = state.cost + key.wait + OVERTAKEN;
                    let sliding = Reach {
                        cost,
                        next,
                        ..state
                    };
                    add(&mut self.there, sliding.marked(j, WAITS));
                }
                if key.none.is_finite() {
                    let cost = state.cost + key.none;
                    add(
                        &mut self.there,
                        Reach {
                            cost,
                            next,
                            ..state
                        },
                    );
                }
                if key.once.is_infinite() {
                    continue;
                }
                let once = Reach {
                    pose: ground.pressed(state.pose, key.press),
                    cost: state.cost + key.once,
                    next,
                    ..state
                };
                if key.press == Press::Drop {
                    // What comes after it is for the next piece.
                    let dropped = Reach {
                        dropped: true,
                        ..once
                    };
                    out.push(dropped.marked(j, 1));
                    continue;
                }
                add(&mut self.there, once.marked(j, 1));
                if key.twice.is_finite() {
                    let twice = Reach {
                        pose: ground.pressed(once.pose, key.press),
                        cost: state.cost + key.twice,
                        next,
                        ..state
                    };
                    if twice.pose != once.pose {
                        add(&mut self.there, twice.marked(j, 2));
                    }
                }
            }
            std::mem::swap(&mut self.here, &mut self.there);
        }
        self.fall(ground, steps);
        out.extend_from_slice(&self.here);
    }

    /// Adds all poses below those there are.
    fn fall(&mut self, ground: Ground<'_>, steps: i16) {
        let mut i = 0;
        while i < self.here.len() {
            let state = self.here[i];
            let below = state.pose.moved(0, -1);
            if state.steps < steps && ground.fits(below) {
                let fallen = Reach {
                    pose: below,
                    steps: state.steps + 1,
                    ..state
                };
                add(&mut self.here, fallen);
            }
            i += 1;
        }
    }
}
