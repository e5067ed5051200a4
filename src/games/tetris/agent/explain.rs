//! One frame explained: which of the things that can have happened since the last one it shows.
//!
//! Takes the believed pile and piece, the keys on their way, how far it can have fallen and a
//! [`View`]; gives the best [`Story`]. Must never change a belief, and never allocate once its
//! buffers have grown.

use super::super::rules::{Board, Kind, Pose};
use super::paths::{Ground, Paths, Reach};
use super::story::{Landed, Scene, Story, Stranger};
use super::torn::Tear;
use super::view::{FULL, Gap};

/// Cost of something that only somebody else can have done.
const STRANGE: f32 = 7.0;
/// Cost of another piece than the one that was shown as the next.
const NOT_NEXT: f32 = 5.0;
/// Cost of the piece having been in the other of two orientations that look the same.
const TWIN: f32 = 0.4;
/// Steps beyond what the clock allows that are still taken for its error.
const MORE_STEPS: i16 = 4;
/// Cost of a piece that appears sooner after a drop than the standard allows.
const HURRY: f32 = 3.0;
/// Cost of a frame that shows two moments.
const TEAR: f32 = 2.5;
/// What costs less can make up one half of a torn frame.
const LIKELY: f32 = 6.0;

/// The buffers of explaining.
#[derive(Clone, Debug, Default)]
pub struct Explainer {
    paths: Paths,
    reaches: Vec<Reach>,
    landings: Vec<(Reach, Option<Stranger>)>,
    fresh: Vec<Reach>,
    /// A pile to work on.
    spare: Option<Board>,
    best: Option<Story>,
}

fn step_cost(steps: i16, (least, most): (i16, i16)) -> f32 {
    let beyond = (least - steps).max(steps - most);
    if beyond <= 0 {
        0.0
    } else {
        0.5 + 1.5 * f32::from(beyond)
    }
}

impl Explainer {
    /// The best explanation of a frame; there is always one, however bad.
    pub fn explain(&mut self, scene: &Scene<'_>) -> Story {
        self.best = None;
        let gap = scene.view.gap(scene.ground.pile);
        match scene.piece {
            Some(pose) => {
                self.still_falling(scene, gap, pose);
                if !self.is_perfect() {
                    self.has_landed(scene, false);
                }
                if !self.is_likely() && self.is_torn(scene) {
                    return self.told(gap, true);
                }
                if !self.is_perfect() {
                    self.was_moved(scene, gap, pose);
                    self.has_landed(scene, true);
                }
            }
            None => {
                self.offer(scene, gap, None, None, None, 0.0);
                self.has_appeared(scene, gap, scene.ground, None, 0, 0, 0.0, None);
                if !self.is_likely() && self.is_torn(scene) {
                    return self.told(gap, true);
                }
            }
        }
        self.told(gap, false)
    }

    fn told(&self, gap: Gap, torn: bool) -> Story {
        // Something was offered in any case.
        let best = self.best.unwrap_or(Story {
            cost: f32::INFINITY,
            gap,
            evidence: 0,
            visible: 0,
            piece: None,
            landed: None,
            stranger: None,
            lead: 0.0,
            torn,
        });
        Story { torn, ..best }
    }

    /// Whether two likely boards make up the frame.
    fn is_torn(&mut self, scene: &Scene<'_>) -> bool {
        let (view, ground) = (scene.view, scene.ground);
        let mut tear = Tear::default();
        if scene.piece.is_none() {
            tear.offer(view, ground.system, ground.pile, None);
            appearing(scene, ground, &mut tear);
        }
        for reach in &self.reaches {
            let cost = reach.cost + self.cost_of_steps(scene, reach);
            if scene.piece.is_some() && cost < LIKELY {
                tear.offer(view, ground.system, ground.pile, Some(reach.pose));
            }
        }
        let mut after = self.spare.take().unwrap_or_else(|| ground.pile.clone());
        for (reach, who) in &self.landings {
            if scene.piece.is_none() || who.is_some() || reach.cost > LIKELY {
                continue;
            }
            after.clone_from(ground.pile);
            after.lock(ground.system, reach.pose);
            after.clear_full();
            tear.offer(view, ground.system, &after, None);
            let (spent, hurry) = haste(scene, reach);
            if hurry == 0.0 && spent <= scene.steps.1 {
                appearing(scene, ground.with(&after), &mut tear);
            }
        }
        self.spare = Some(after);
        tear.explains(usize::from(ground.pile.rows()))
    }

    fn is_perfect(&self) -> bool {
        (self.best).is_some_and(|b| b.gap.cells() == 0 && b.evidence == b.visible)
    }

    /// Whether a perfect story needs nothing more unlikely than a frame that shows two moments.
    fn is_likely(&self) -> bool {
        let falling = |b: &Story| b.landed.is_none() && b.piece.is_some();
        let likely = |b: Story| falling(&b) || b.cost < TEAR;
        self.is_perfect() && self.best.is_some_and(likely)
    }

    #[allow(clippy::too_many_arguments)]
    fn offer(
        &mut self,
        scene: &Scene<'_>,
        gap: Gap,
        piece: Option<Reach>,
        landed: Option<Landed>,
        stranger: Option<Stranger>,
        cost: f32,
    ) {
        let (mut full, mut evidence, mut visible) = (gap, 0, 0);
        let mut cost = cost;
        if let Some(reach) = piece {
            let system = scene.ground.system;
            (full, evidence) = scene.view.gap_with(gap, system, reach.pose);
            let top = scene.ground.pile.rows() as i16;
            visible = (system.cells(reach.pose).iter())
                .filter(|&&(_, y)| y < top)
                .count() as u8;
            cost += scene.view.colour_cost(system, reach.pose);
        }
        let new = Story {
            cost: cost + full.cost,
            gap: full,
            evidence,
            visible,
            piece,
            landed,
            stranger,
            lead: f32::INFINITY,
            torn: false,
        };
        match &mut self.best {
            None => self.best = Some(new),
            Some(best) if new.ends_like(best, scene.ground.system) => {
                if new.cost < best.cost {
                    let lead = best.lead - (best.cost - new.cost);
                    // The rival's distance grows with the better cost.
                    let lead = lead + 2.0 * (best.cost - new.cost);
                    *best = Story { lead, ..new };
                }
            }
            Some(best) if new.cost < best.cost => {
                let lead = best.cost - new.cost;
                *best = Story { lead, ..new };
            }
            Some(best) => best.lead = best.lead.min(new.cost - best.cost),
        }
    }

    /// The same piece, moved by keys and fall steps.
    fn still_falling(&mut self, scene: &Scene<'_>, gap: Gap, pose: Pose) {
        let mut reaches = std::mem::take(&mut self.reaches);
        reaches.clear();
        let start = Reach {
            pose,
            steps: 0,
            cost: 0.0,
            marks: 0,
            next: 0,
            dropped: false,
        };
        let most = scene.steps.1 + MORE_STEPS;
        (self.paths).explore(scene.ground, start, scene.keys, most, &mut reaches);
        if scene.keys.iter().any(|k| k.press.turns()) {
            for pose in scene.ground.system.twins(pose) {
                let twin = Reach {
                    pose,
                    cost: TWIN,
                    ..start
                };
                (self.paths).explore(scene.ground, twin, scene.keys, most, &mut reaches);
            }
        }
        for &reach in &reaches {
            let cost = reach.cost + self.cost_of_steps(scene, &reach);
            self.offer(scene, gap, Some(reach), None, None, cost);
        }
        self.reaches = reaches;
    }

    fn cost_of_steps(&self, scene: &Scene<'_>, reach: &Reach) -> f32 {
        if reach.dropped {
            return 0.0;
        }
        // A piece that lies makes no more steps, however many were due.
        let lies = reach.steps < scene.steps.0 && scene.ground.rests(reach.pose);
        if lies {
            0.0
        } else {
            step_cost(reach.steps, scene.steps)
        }
    }

    /// The piece has landed, rows may have vanished, the next one may have appeared.
    fn has_landed(&mut self, scene: &Scene<'_>, strange: bool) {
        let mut landings = std::mem::take(&mut self.landings);
        landings.clear();
        for reach in &self.reaches {
            let lies = scene.ground.rests(reach.pose);
            if !strange && !lies {
                continue;
            }
            let (mut cost, mut who) = (reach.cost + self.cost_of_steps(scene, reach), None);
            let mut pose = reach.pose;
            if !lies {
                (pose, who) = (scene.ground.dropped(pose), Some(Stranger::Fell));
                cost += STRANGE;
            } else if strange {
                continue;
            }
            add(
                &mut landings,
                Reach {
                    pose,
                    cost,
                    ..*reach
                },
                who,
            );
        }
        if strange {
            self.anywhere(scene, &mut landings);
        }
        let mut after = (self.spare.take()).unwrap_or_else(|| scene.ground.pile.clone());
        for &(reach, who) in &landings {
            after.clone_from(scene.ground.pile);
            after.lock(scene.ground.system, reach.pose);
            let rows = after.clear_full();
            let landed = Landed {
                pose: reach.pose,
                rows,
                marks: reach.marks,
                next: reach.next,
            };
            let from = if rows > 0 && scene.clearing {
                height_with(scene.ground, reach.pose) + rows
            } else {
                0
            };
            let gap = scene.view.gap_from(&after, from);
            let hopeless = |b: Story| gap.cost - 20.0 + reach.cost > b.cost;
            if self.best.is_some_and(hopeless) {
                continue;
            }
            if rows > 0 {
                self.offer(scene, gap, None, Some(landed), who, reach.cost);
            }
            let ground = scene.ground.with(&after);
            let next = usize::from(reach.next);
            let (spent, hurry) = haste(scene, &reach);
            let cost = reach.cost + hurry;
            self.has_appeared(scene, gap, ground, Some(landed), next, spent, cost, who);
        }
        self.spare = Some(after);
        self.landings = landings;
    }

    /// Every place where the piece can come to rest from above, whoever brought it there.
    fn anywhere(&self, scene: &Scene<'_>, landings: &mut Vec<(Reach, Option<Stranger>)>) {
        let Some(pose) = scene.piece else { return };
        let cols = scene.ground.pile.cols() as i16;
        for turn in 0..scene.ground.system.turns_of(pose.kind) {
            for x in -2..cols + 2 {
                let there = Pose { turn, x, ..pose };
                if !scene.ground.fits(there) {
                    continue;
                }
                let reach = Reach {
                    pose: scene.ground.dropped(there),
                    steps: 0,
                    cost: STRANGE + 2.0,
                    marks: 0,
                    next: scene.keys.len() as u8,
                    dropped: true,
                };
                add(landings, reach, Some(Stranger::Moved));
            }
        }
    }

    /// A piece has appeared on `ground`; keys from `first` on may have moved it.
    #[allow(clippy::too_many_arguments)]
    fn has_appeared(
        &mut self,
        scene: &Scene<'_>,
        gap: Gap,
        ground: Ground<'_>,
        landed: Option<Landed>,
        first: usize,
        spent: i16,
        cost: f32,
        who: Option<Stranger>,
    ) {
        // Cells beyond a pile that are too few for a piece, or too many to be one.
        if gap.extra == 0 && scene.view.dark() == 0 {
            return;
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        for kind in Kind::ALL {
            let (cols, rows) = (ground.pile.cols(), ground.pile.rows());
            for pose in ground.system.spawns(kind, cols, rows) {
                if !ground.fits(pose) {
                    continue;
                }
                let unlikely = scene.next.is_some_and(|n| n != kind);
                let start = Reach {
                    pose,
                    steps: 0,
                    cost: cost + if unlikely { NOT_NEXT } else { 0.0 },
                    marks: 0,
                    next: first as u8,
                    dropped: false,
                };
                fresh.clear();
                let most = (scene.steps.1 - spent).max(0);
                (self.paths).explore(ground, start, scene.keys, most + 2, &mut fresh);
                for &reach in &fresh {
                    let late = step_cost(reach.steps + spent, (0, scene.steps.1));
                    self.offer(scene, gap, Some(reach), landed, who, reach.cost + late);
                }
            }
        }
        self.fresh = fresh;
    }

    /// The piece is where only somebody else can have moved it.
    fn was_moved(&mut self, scene: &Scene<'_>, gap: Gap, pose: Pose) {
        if gap.extra != 4 || gap.missing != 0 {
            return;
        }
        let mut cells = [(0_i16, 0_i16); 4];
        let mut found = 0;
        for (i, (&seen, &pile)) in (scene.view.cells().iter())
            .zip(scene.ground.pile.cells())
            .enumerate()
        {
            if seen == FULL && pile == 0 && found < 4 {
                let cols = scene.view.cols();
                cells[found] = ((i % cols) as i16, (i / cols) as i16);
                found += 1;
            }
        }
        let Some(there) = pose_of(scene.ground, pose.kind, &cells) else {
            return;
        };
        if there.y > pose.y {
            return;
        }
        let who = if (there.x, there.turn) == (pose.x, pose.turn) {
            Stranger::Fell
        } else {
            Stranger::Moved
        };
        let reach = Reach {
            pose: there,
            steps: pose.y - there.y,
            cost: STRANGE,
            marks: 0,
            next: scene.keys.len() as u8,
            dropped: false,
        };
        self.offer(scene, gap, Some(reach), None, Some(who), STRANGE);
    }
}

/// Fall steps that a landing and the appearance after it take, and a cost when there was no time
/// for them. In the standard each takes a step, but after a drop the piece appears a whole delay
/// later; one that lay already may have landed long ago.
fn haste(scene: &Scene<'_>, landing: &Reach) -> (i16, f32) {
    match landing.dropped {
        true if scene.delays < 1 && !scene.at_once => (0, HURRY),
        false if landing.steps > 0 => (landing.steps + 2, 0.0),
        _ => (0, 0.0),
    }
}

/// How high the pile is with a piece on it.
#[must_use]
pub fn height_with(ground: Ground<'_>, pose: Pose) -> u16 {
    let cells = ground.system.cells(pose);
    let top = cells.iter().map(|&(_, y)| y + 1).max();
    let top = top.and_then(|y| u16::try_from(y).ok()).unwrap_or(0);
    top.max(ground.pile.height()).min(ground.pile.rows())
}

/// Offers every piece where it appears.
fn appearing(scene: &Scene<'_>, ground: Ground<'_>, tear: &mut Tear) {
    let (cols, rows) = (ground.pile.cols(), ground.pile.rows());
    let kinds = Kind::ALL.into_iter();
    for kind in kinds.filter(|&k| scene.next.is_none_or(|n| n == k)) {
        for pose in ground.system.spawns(kind, cols, rows) {
            if ground.fits(pose) {
                tear.offer(scene.view, ground.system, ground.pile, Some(pose));
            }
        }
    }
}

/// The pose of a kind whose cells are these; they are in the order of the board.
#[must_use]
pub fn pose_of(ground: Ground<'_>, kind: Kind, cells: &[(i16, i16); 4]) -> Option<Pose> {
    let (x0, y0) = cells[0];
    for turn in 0..ground.system.turns_of(kind) {
        let origin = Pose {
            kind,
            turn,
            x: 0,
            y: 0,
        };
        let mut shape = ground.system.cells(origin);
        shape.sort_unstable_by_key(|&(x, y)| (y, x));
        let (dx, dy) = (x0 - shape[0].0, y0 - shape[0].1);
        if (shape.iter().zip(cells)).all(|(&(sx, sy), &(x, y))| (sx + dx, sy + dy) == (x, y)) {
            return Some(origin.moved(dx, dy));
        }
    }
    None
}

fn add(landings: &mut Vec<(Reach, Option<Stranger>)>, new: Reach, who: Option<Stranger>) {
    let same = |(r, _): &&mut (Reach, Option<Stranger>)| r.pose == new.pose && r.next == new.next;
    match landings.iter_mut().find(same) {
        Some((old, _)) if old.cost <= new.cost => {}
        Some(old) => *old = (new, who),
        None => landings.push((new, who)),
    }
}
