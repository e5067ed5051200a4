//! A frame becomes belief, or does not.

use std::time::Duration;

use super::super::rules::{Pose, earned_level};
use super::clock::FallPrior;
use super::explain::height_with;
use super::live::TetrisAgent;
use super::next_box::next_kind;
use super::paths::Reach;
use super::press::{Fate, Press};
use super::story::{Scene, Story, Stranger};
use super::view::{DARK, FULL};
use crate::types::{Cause, Cell, Finding, Handling, Reading, Time};

/// The more rows vanish, the further others fall.
const EACH_ROW: Duration = Duration::from_millis(70);
/// A key of this machine's keyboard is not taken for lost sooner: on a busy machine a program that
/// slides its pieces may need two pictures, of which each may take as long as ten usually do.
const UNHURRIED: Duration = Duration::from_millis(300);
/// No program takes longer to show what a key did.
const SLOWEST: Duration = Duration::from_millis(400);
/// Wrong cells of the pile that do not keep a frame from being believed.
const FEW: i32 = 3;
/// Wrong cells around the piece that may show it between two places.
const TORN: i32 = 6;
/// Frames in a row that may.
const TORN_FRAMES: u32 = 3;
/// Frames in a row after which a cell that is seen otherwise is believed.
const STUBBORN: u8 = 4;
/// A story must be so much better than the next.
const LEAD: f32 = 1.0;
/// What has happened in a frame with wrong cells must cost less.
const PLAIN: f32 = 3.0;
/// Without a frame that agrees for so long, nothing is believed. At the fastest level a piece
/// falls eight rows in this time.
const BLIND: Duration = Duration::from_millis(400);
/// And without one for so long, or four frames, no key is sent.
const DIM: Duration = Duration::from_millis(140);

impl TetrisAgent {
    pub(super) fn take(&mut self, seen: &Reading, at: Time, out: &mut Vec<Finding>) {
        let options = &self.options;
        if !self.view.take(seen, options.size, &options.values) {
            return;
        }
        self.looked_at = self.looked_at.max(at);
        if at < self.clearing.0 {
            self.view.hide_below(self.clearing.1);
        }
        let latency = options.timing.latency;
        // By the last frame that was believed: those since may have hidden what a key did.
        self.flights.tidy(self.belief.seen_at, latency);
        if options.next_shown {
            let (grid, system) = (options.next_grid, &options.system);
            self.shown = next_kind(&seen.beside, grid, system, &options.values);
        }
        if !self.known {
            self.acquire(at);
            return;
        }
        // A keyboard of this machine loses next to nothing, but programs may be slow to show it.
        let patience = if self.options.timing.lead.is_zero() {
            latency.max(UNHURRIED)
        } else {
            latency
        };
        self.odds.clear();
        self.odds
            .extend(self.flights.keys().iter().map(|k| k.odds(at, patience)));
        let row = self.belief.piece.map_or(0, |p| p.y);
        let scene = Scene {
            view: &self.view,
            ground: super::paths::Ground::new(&self.belief.pile, &self.options.system),
            piece: self.belief.piece,
            keys: &self.odds,
            steps: self.clock.steps(row, self.belief.seen_at, at),
            delays: self.clock.delays(self.belief.seen_at, at),
            next: self.belief.next,
            clearing: !self.options.clearing.is_zero(),
            at_once: matches!(self.options.fall, FallPrior::Program(..)),
        };
        let steps = scene.steps;
        let story = self.explainer.explain(&scene);
        self.judge(&story, steps, at, out);
        self.watch_end(at, out);
    }

    /// Whether no frame has agreed for so long that nothing can be said.
    pub(super) fn is_blind(&self, now: Time) -> bool {
        now.since(self.belief.seen_at) > BLIND
    }

    /// Whether no frame has agreed for so long that no key must be sent.
    pub(super) fn is_dim(&self, now: Time) -> bool {
        now.since(self.belief.seen_at) > DIM.max(self.options.frame_interval * 4)
    }

    pub(super) fn is_dark(&self) -> bool {
        self.view.dark() * 20 > self.view.cells().len()
    }

    pub(super) fn judge(
        &mut self,
        story: &Story,
        steps: (i16, i16),
        at: Time,
        out: &mut Vec<Finding>,
    ) {
        let wrong = story.gap.cells();
        let shown = match story.piece {
            // Where much is hidden, a piece that lies proves nothing: it may have landed long ago.
            Some(p) if self.is_dark() => {
                story.evidence == story.visible && story.lead >= LEAD && !self.lies(&p, story)
            }
            Some(_) => story.evidence >= story.visible.min(3) && story.lead >= LEAD,
            None => !self.is_dark(),
        };
        // A frame may show the piece between two places, but not for long.
        let moving = story.torn || wrong > 0 && wrong <= TORN && self.is_near(story);
        // Nothing unlikely is believed of a frame that is wrong elsewhere.
        let whole = story.evidence == story.visible && story.visible > 0;
        let plain = story.landed.is_none() && story.cost - story.gap.cost < PLAIN;
        if wrong == 0 && shown && !story.torn {
            if self.is_settled(story, out) {
                self.accept(story, steps, at, out);
            }
        } else if moving && self.doubt.torn < TORN_FRAMES {
            self.doubt.torn += 1;
        } else if wrong > 0 && wrong <= FEW && whole && plain && shown && !moving {
            self.suspect(story, out);
            self.accept(story, steps, at, out);
        } else if self.is_dark() {
            self.covered(out);
        } else if wrong > 0 {
            self.contradicted(at, out);
        }
    }

    fn lies(&self, piece: &Reach, story: &Story) -> bool {
        story.landed.is_none() && self.ground().rests(piece.pose)
    }

    /// What only somebody else can have done is believed when a second frame shows it too.
    fn is_settled(&mut self, story: &Story, out: &mut Vec<Finding>) -> bool {
        let Some(who) = story.stranger else {
            return true;
        };
        let place = |p: Pose| (p.kind, p.turn, p.x);
        let now = Some((
            who,
            story.piece.map(|p| place(p.pose)),
            story.landed.map(|l| l.pose),
        ));
        if self.doubt.strange == now {
            return true;
        }
        self.doubt.strange = now;
        self.doubt.strikes += 1;
        if !std::mem::replace(&mut self.doubt.told, true) {
            let text = "no key and no fall step leads there";
            let cause = strange_cause(who, story);
            let cells = self.cells_of(story);
            self.find(cause, Handling::LookAgain, cells, text, out);
        }
        false
    }

    /// Whether all wrong cells lie around the piece, or where pieces appear.
    fn is_near(&self, story: &Story) -> bool {
        let system = &self.options.system;
        let (cols, rows) = (self.options.size.cols as i16, self.options.size.rows as i16);
        let poses = [self.belief.piece, story.piece.map(|p| p.pose)];
        let mut zone: Option<(i16, i16, i16, i16)> = None;
        for (x, y) in poses.into_iter().flatten().flat_map(|p| system.cells(p)) {
            let (l, r, b, t) = zone.unwrap_or((x, x, y, y));
            zone = Some((l.min(x), r.max(x), b.min(y), t.max(y)));
        }
        let appears = |x: i16, y: i16| (x - cols / 2).abs() <= 2 && y >= rows - 3;
        let near = |x: i16, y: i16| {
            zone.is_some_and(|(l, r, b, t)| x >= l - 1 && x <= r + 1 && y >= b - 1 && y <= t + 1)
                || appears(x, y)
        };
        self.wrong_cells(story).all(|(x, y)| near(x, y))
    }

    /// Cells that are not as a story without a landing tells.
    fn wrong_cells(&self, story: &Story) -> impl Iterator<Item = (i16, i16)> {
        let cells = story
            .piece
            .map(|p| self.options.system.cells(p.pose))
            .unwrap_or([(-9, -9); 4]);
        let cols = self.view.cols();
        let pile = self.belief.pile.cells();
        (self.view.cells().iter().zip(pile).enumerate()).filter_map(move |(i, (&seen, &pile))| {
            let (x, y) = ((i % cols) as i16, (i / cols) as i16);
            let full = pile != 0 || cells.contains(&(x, y));
            (seen != DARK && (seen == FULL) != full).then_some((x, y))
        })
    }

    /// A frame is believed although a few cells are not as they should be; those that stay so
    /// are believed in the end.
    fn suspect(&mut self, story: &Story, out: &mut Vec<Finding>) {
        if story.landed.is_some() {
            return;
        }
        let mut suspects = std::mem::take(&mut self.doubt.suspects);
        let wrong: Vec<usize> = (self.wrong_cells(story))
            .filter_map(|(x, y)| self.view.index(x, y))
            .collect();
        suspects.retain(|(i, _)| wrong.contains(i));
        for &i in &wrong {
            match suspects.iter_mut().find(|(j, _)| *j == i) {
                Some((_, n)) => *n += 1,
                None => suspects.push((i, 1)),
            }
        }
        let told = std::mem::replace(&mut self.doubt.told, true);
        let cells: Vec<Cell> = wrong.iter().map(|&i| self.cell(i)).collect();
        let stubborn: Vec<usize> = suspects
            .iter()
            .filter(|(_, n)| *n >= STUBBORN)
            .map(|&(i, _)| i)
            .collect();
        if !stubborn.is_empty() {
            let text = "cells are seen otherwise again and again";
            self.find(Cause::Misread, Handling::Accept, cells, text, out);
            for &i in &stubborn {
                let cols = self.view.cols();
                let (x, y) = ((i % cols) as i16, (i / cols) as i16);
                let value = match self.view.cells()[i] {
                    FULL => self.view.values()[i].max(1),
                    _ => 0,
                };
                self.belief.pile.set(x, y, value);
            }
            suspects.retain(|(i, _)| !stubborn.contains(i));
            self.aim = None;
        } else if !told {
            let text = "cells of the pile are seen otherwise in one frame";
            self.find(Cause::Misread, Handling::LookAgain, cells, text, out);
        }
        self.doubt.suspects = suspects;
    }

    fn accept(&mut self, story: &Story, steps: (i16, i16), at: Time, out: &mut Vec<Finding>) {
        if story.gap.cells() == 0 {
            self.doubt.suspects.clear();
        }
        self.doubt.settle();
        let before = self.belief.piece;
        self.note_keys(story, out);
        self.note_strangers(story, steps, out);
        let last = self.belief.seen_at;
        let mut fresh = before.is_none();
        if let Some(landed) = story.landed {
            self.landed(landed.pose, out);
            fresh = true;
        }
        self.belief.seen_at = at;
        let Some(reach) = story.piece else {
            if self.belief.piece.take().is_some() || story.landed.is_some() {
                self.belief.still_since = at;
            }
            return;
        };
        let pose = reach.pose;
        if before != Some(pose) || fresh {
            self.belief.still_since = at;
        }
        self.belief.piece = Some(pose);
        if fresh {
            self.belief.started = true;
            self.belief.next = self.shown;
            self.belief.fallen = reach.steps.max(0) as u32;
            if self.options.steady_clock {
                self.clock.found(pose.y, at);
            } else {
                self.clock.appeared(pose.y, last, at);
            }
            return;
        }
        self.belief.next = self.belief.next.or(self.shown);
        if story.stranger.is_some() {
            self.clock.found(pose.y, at);
            self.belief.fallen += reach.steps.max(0) as u32;
        } else if !reach.dropped && !self.ground().rests(pose) {
            self.clock.seen(pose.y, at);
            self.belief.fallen += reach.steps.max(0) as u32;
        }
    }

    /// A key that was taken for lost has acted: a program on a busy machine takes its time, which
    /// boards of relays never do. Time is given to it until it is quicker again.
    fn was_late(&mut self, down: Time) {
        if self.options.timing.lead.is_zero() {
            let took = self.looked_at.since(down) + self.options.frame_interval;
            let latency = &mut self.options.timing.latency;
            *latency = took.min(SLOWEST).max(*latency);
        }
    }

    /// What a believed frame says about the keys.
    fn note_keys(&mut self, story: &Story, out: &mut Vec<Finding>) {
        let marks = story.landed.map_or(0, |l| l.marks) | story.piece.map_or(0, |p| p.marks);
        let next = match (story.piece, story.landed) {
            (Some(p), _) => usize::from(p.next),
            (None, Some(l)) => usize::from(l.next),
            (None, None) => 0,
        };
        for i in 0..next.min(self.flights.keys().len()) {
            let key = self.flights.keys()[i];
            if key.fate == Fate::Lost && marks >> (2 * i) & 3 == 1 {
                self.was_late(key.down);
            }
            match (key.fate, marks >> (2 * i) & 3) {
                (Fate::Asked, 1 | 2) | (Fate::Sent, 1) | (Fate::Lost, 1) => {
                    self.flights.set(i, Fate::Seen);
                }
                (Fate::Sent, 0) => {
                    self.flights.set(i, Fate::Lost);
                    let text = format!("{:?} had no effect", key.press);
                    self.find_at_piece(story, Cause::KeyLost, &text, out);
                }
                (Fate::Sent, 2) | (Fate::Seen, 1) => {
                    self.flights.set(i, Fate::Seen);
                    let text = format!("{:?} acted twice", key.press);
                    self.find_at_piece(story, Cause::KeyDoubled, &text, out);
                }
                _ => {}
            }
        }
    }

    fn note_strangers(&mut self, story: &Story, steps: (i16, i16), out: &mut Vec<Finding>) {
        let dropped_twice =
            |k: &super::press::Flight| k.press == Press::Drop && k.fate == Fate::Seen;
        let jumped = story
            .piece
            .is_some_and(|p| story.landed.is_none() && p.steps > steps.1 + 1 && !p.dropped);
        let (cause, text) = match story.stranger {
            Some(Stranger::Fell) if self.flights.keys().iter().any(dropped_twice) => {
                (Cause::KeyDoubled, "Drop acted twice")
            }
            Some(who) => (strange_cause(who, story), "no key had brought it there"),
            None if jumped && self.clock.is_known() => {
                (Cause::FellFurther, "it has fallen faster than it should")
            }
            None => return,
        };
        self.find_at_piece(story, cause, text, out);
    }

    pub(super) fn landed(&mut self, pose: Pose, out: &mut Vec<Finding>) {
        if let Some(aim) = self.aim.take() {
            let cells = self.options.system.cells(pose);
            let wanted = self.options.system.cells(aim.landing);
            if !cells.iter().all(|c| wanted.contains(c)) {
                let text = "it landed elsewhere than was planned";
                let cells = cells.iter().filter(|c| !wanted.contains(c));
                let cells = cells
                    .filter_map(|&(x, y)| self.view.index(x, y))
                    .map(|i| self.cell(i))
                    .collect();
                self.find(Cause::LandedEarly, Handling::Accept, cells, text, out);
            }
        }
        let height = height_with(self.ground(), pose);
        let rows = (self.belief).land(&self.options.system, pose, &self.clock);
        if rows > 0 {
            self.clock.completed(self.belief.lines, rows);
            // Blocks of the piece itself are shown up to as many rows higher than they were, and
            // the rows that vanished before it may still be on the move.
            let before = match self.clearing {
                (until, height) if until > self.looked_at => height,
                _ => 0,
            };
            let height = (height + rows).max(before);
            let moving = self.options.clearing + EACH_ROW * u32::from(rows);
            self.clearing = (self.looked_at + moving, height);
        }
        let latency = self.options.timing.latency.mul_f64(0.97);
        self.options.timing.latency = latency.max(self.latency);
        self.clock.landed();
        self.clock
            .levelled_up(earned_level(self.belief.lines.into()));
    }

    pub(super) fn covered(&mut self, out: &mut Vec<Finding>) {
        if !std::mem::replace(&mut self.doubt.covered, true) {
            let cells = (0..self.view.cells().len())
                .filter(|&i| self.view.cells()[i] == DARK)
                .map(|i| self.cell(i))
                .collect();
            let text = format!("{} cells cannot be read", self.view.dark());
            self.find(Cause::Covered, Handling::Pause, cells, &text, out);
        }
    }

    /// The cell of types (rows from the top) of an index of the view.
    pub(super) fn cell(&self, i: usize) -> Cell {
        let cols = self.view.cols().max(1);
        let (x, y) = ((i % cols) as u16, (i / cols) as u16);
        Cell {
            col: x,
            row: self.options.size.rows.saturating_sub(1 + y),
        }
    }

    fn cells_of(&self, story: &Story) -> Vec<Cell> {
        (story.piece.map(|p| self.options.system.cells(p.pose)))
            .into_iter()
            .flatten()
            .filter_map(|(x, y)| self.view.index(x, y))
            .map(|i| self.cell(i))
            .collect()
    }

    fn find_at_piece(&self, story: &Story, cause: Cause, text: &str, out: &mut Vec<Finding>) {
        let cells = self.cells_of(story);
        self.find(cause, Handling::Accept, cells, text, out);
    }

    pub(super) fn find(
        &self,
        cause: Cause,
        handling: Handling,
        cells: Vec<Cell>,
        text: &str,
        out: &mut Vec<Finding>,
    ) {
        out.push(Finding {
            expected: self.belief.text(self.ground(), self.belief.piece),
            cells,
            cause,
            handling,
            text: text.to_owned(),
        });
    }
}

/// What a stranger did.
fn strange_cause(who: Stranger, story: &Story) -> Cause {
    match who {
        Stranger::Fell => Cause::FellFurther,
        Stranger::Moved if story.landed.is_some() => Cause::LandedEarly,
        Stranger::Moved => Cause::UserMoved,
    }
}
