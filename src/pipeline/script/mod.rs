//! The runner of scripts: which step of a profile is due, where its place is, and whether it has
//! failed.
//!
//! Takes a frame with what is known of the board, gives what is to be done next; the mind passes it
//! through the gate and tells what came of it. The same frames give the same steps. Must never act
//! by itself, nor hold anything that is open.

mod due;

use std::fmt::Write as _;
use std::time::Duration;

pub use due::{Due, Part, Planned, Scene};

use super::strokes::{park, strokes};
use crate::calibrate::spot;
use crate::types::{
    Act, Calibration, Control, Dialog, Frame, Look, OtherWindow, Picture, Place, Placement, Point,
    Script, Step, Stroke, Time, WindowName,
};

/// Something that was not to be seen is looked for again this often.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);
/// So long a dialog may take to go after its answer.
const GOING: Duration = Duration::from_secs(2);
/// So often a dialog is answered before the run ends.
const ANSWERS: u8 = 3;

/// A part under way.
#[derive(Clone, Copy, Debug)]
struct Running {
    part: Part,
    /// The step that is next.
    step: usize,
    /// Since when it is.
    since: Time,
}

/// What is known of one dialog.
#[derive(Clone, Copy, Debug, Default)]
struct Watch {
    since: Option<Time>,
    answers: u8,
    rest_until: Time,
    /// What is to be seen is not looked for before.
    next_look: Time,
}

/// Where something was found for the step under way.
#[derive(Debug)]
struct Found {
    at: Point,
    /// What was to be seen around it.
    around: Picture,
}

/// Goes through a script.
#[derive(Debug)]
pub struct Runner {
    script: Script,
    running: Option<Running>,
    /// What goes on when a dialog has been answered.
    aside: Option<Running>,
    watches: Vec<Watch>,
    /// Nothing is looked for before.
    next_look: Time,
    /// Nor the page of the first game before this.
    next_page: Time,
    /// When the picture last changed.
    changed_at: Time,
    /// A search may take longer than a frame stays fresh: what it found is used with the next one,
    /// if that shows the same there.
    found: Option<Found>,
    /// Why the last try of the step under way came to nothing.
    obstacle: String,
}

impl Runner {
    /// A runner that has done nothing.
    #[must_use]
    pub fn new(script: Script) -> Self {
        Self {
            watches: vec![Watch::default(); script.dialogs.len()],
            script,
            running: None,
            aside: None,
            next_look: Time::ZERO,
            next_page: Time::ZERO,
            changed_at: Time::ZERO,
            found: None,
            obstacle: String::new(),
        }
    }

    /// Whether there is nothing to do, ever.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.script.is_empty()
    }

    /// Whether the first game is started even where one seems to run.
    #[must_use]
    pub const fn starts_always(&self) -> bool {
        self.script.start.always
    }

    /// Whether a page is to be seen on which the first game is to be started, whatever it looks
    /// like; not looked for too often.
    pub fn start_is_seen(&mut self, frame: &Frame, now: Time) -> bool {
        let Some(look) = self
            .script
            .start
            .see
            .as_ref()
            .filter(|_| now >= self.next_page)
        else {
            return false;
        };
        self.next_page = now + LOOK_INTERVAL;
        spot::find(&frame.picture, look).is_some()
    }

    /// Whether it has steps for a part.
    #[must_use]
    pub fn has(&self, part: Part) -> bool {
        !self.steps(part).is_empty()
    }

    fn steps(&self, part: Part) -> &[Step] {
        match part {
            Part::Start => &self.script.start.steps,
            Part::Again => &self.script.again,
            Part::Dialog(i) => self.script.dialogs.get(i).map_or(&[], |d| &d.steps),
        }
    }

    fn name(&self, part: Part) -> String {
        match part {
            Part::Start => "start".to_owned(),
            Part::Again => "again".to_owned(),
            Part::Dialog(i) => {
                let name = self.script.dialogs.get(i).map_or("", |d| d.name.as_str());
                format!("dialog {name}")
            }
        }
    }

    /// Begins a part, unless one is under way.
    pub fn begin(&mut self, part: Part, now: Time) {
        if self.running.is_none() && self.has(part) {
            self.set(part, 0, now);
        }
    }

    fn set(&mut self, part: Part, step: usize, now: Time) {
        self.running = Some(Running {
            part,
            step,
            since: now,
        });
        self.next_look = now;
        self.found = None;
        self.obstacle.clear();
    }

    /// The step that was due has been made.
    pub fn performed(&mut self, now: Time) {
        if let Some(running) = self.running {
            self.set(running.part, running.step + 1, now);
        }
    }

    /// It was not, for a reason that may pass.
    pub fn refused(&mut self, why: &str) {
        why.clone_into(&mut self.obstacle);
    }

    /// Looks at a frame.
    #[must_use]
    pub fn look(&mut self, scene: &Scene<'_>, now: Time) -> Due {
        if scene.frame.changed {
            self.changed_at = scene.frame.captured_at;
        }
        if let Some(due) = self.watch(scene, now) {
            return due;
        }
        let Some(running) = self.running else {
            return Due::Nothing;
        };
        // Whatever else may be started waits until a dialog has gone.
        let waits = !matches!(running.part, Part::Dialog(_)) && self.is_asked();
        if waits {
            self.set(running.part, running.step, now);
            return Due::Wait;
        }
        let Some(step) = self.steps(running.part).get(running.step).cloned() else {
            self.close(running.part, now);
            return Due::Done(running.part);
        };
        let plan = self.plan(&step, scene, running.since, now);
        let late = now.since(running.since) > limit(&step);
        match plan {
            Plan::Made => {
                self.set(running.part, running.step + 1, now);
                Due::Wait
            }
            // What the hands were refused for long enough has failed too.
            Plan::Do(mut planned) if !late || self.obstacle.is_empty() => {
                let n = running.step + 1;
                planned.words = format!("{} {n}: {}", self.name(running.part), planned.words);
                // What was meant, and where that was.
                if let Some(Stroke::Click(at)) = planned.strokes.first() {
                    let _ = write!(planned.words, " at {:.1},{:.1}", at.x, at.y);
                }
                Due::Step(planned)
            }
            Plan::Do(_) => self.fail(running, &step, now),
            Plan::Not(why) => {
                if let Some(why) = why {
                    self.obstacle = why;
                }
                if late {
                    self.fail(running, &step, now)
                } else {
                    Due::Wait
                }
            }
        }
    }

    fn fail(&mut self, running: Running, step: &Step, now: Time) -> Due {
        self.close(running.part, now);
        let words = format!(
            "{} {} ({step}) could not be made within {} ms: {}",
            self.name(running.part),
            running.step + 1,
            limit(step).as_millis(),
            self.obstacle
        );
        Due::Failed(running.part, words)
    }

    /// Whether a dialog is there that has not been answered yet.
    fn is_asked(&self) -> bool {
        self.watches.iter().any(|w| w.since.is_some())
    }

    /// A part has come to its end, in one way or the other.
    fn close(&mut self, part: Part, now: Time) {
        self.running = None;
        let Part::Dialog(i) = part else {
            return;
        };
        if let Some(watch) = self.watches.get_mut(i) {
            watch.answers = watch.answers.saturating_add(1);
            watch.rest_until = now + GOING;
        }
        if let Some(before) = self.aside.take() {
            self.set(before.part, before.step, now);
        }
    }

    /// Which dialogs are there; begins the answer to one that has been there for long enough.
    fn watch(&mut self, scene: &Scene<'_>, now: Time) -> Option<Due> {
        if matches!(self.running, Some(r) if matches!(r.part, Part::Dialog(_))) {
            return None;
        }
        for i in 0..self.watches.len() {
            let dialog = &self.script.dialogs[i];
            let watch = &mut self.watches[i];
            if !is_there(dialog, scene) {
                *watch = Watch::default();
                continue;
            }
            if let Some(look) = &dialog.see {
                if now < watch.next_look {
                    continue;
                }
                let found = spot::find(&scene.frame.picture, look).is_some();
                if !found {
                    *watch = Watch::default();
                }
                watch.next_look = now + LOOK_INTERVAL;
                if !found {
                    continue;
                }
            }
            // What is only said about the board stays true after the answer.
            let once = dialog.window.is_none() && dialog.see.is_none();
            if once && watch.answers > 0 {
                watch.since = None;
                continue;
            }
            let since = *watch.since.get_or_insert(now);
            if now.since(since) < dialog.after || now < watch.rest_until {
                continue;
            }
            if watch.answers >= ANSWERS {
                let words = format!(
                    "dialog {} is still there after {ANSWERS} answers",
                    dialog.name
                );
                return Some(Due::Stuck(words));
            }
            self.aside = self.running.take();
            self.set(Part::Dialog(i), 0, now);
            break;
        }
        None
    }

    fn plan(&mut self, step: &Step, scene: &Scene<'_>, since: Time, now: Time) -> Plan {
        match &step.act {
            Act::Wait(time) if now.since(since) >= *time => return Plan::Made,
            Act::Wait(_) => return Plan::Not(None),
            Act::Still(time) => {
                let last = self.changed_at.max(since);
                let still = scene.frame.captured_at.since(last) >= *time;
                let why = "the picture goes on changing".to_owned();
                return if still {
                    Plan::Made
                } else {
                    Plan::Not(Some(why))
                };
            }
            Act::Await(look) => {
                return match self.seen(look, scene, now) {
                    Some(_) => Plan::Made,
                    None => Plan::Not(Some(format!("{look} is not to be seen"))),
                };
            }
            Act::Key(_) | Act::Click(_) | Act::Focus => {}
        }
        let target = match &step.window {
            None => Target::Watched,
            Some(name) => {
                let mut fitting = others(scene.frame).iter().filter(|w| name.fits(w));
                match (fitting.next(), fitting.next()) {
                    (Some(one), None) => Target::Other(one),
                    (None, _) => return Plan::Not(Some(format!("there is no window {name}"))),
                    (Some(_), Some(_)) => {
                        return Plan::Not(Some(format!("several windows are {name}")));
                    }
                }
            }
        };
        let strokes = match &step.act {
            Act::Key(name) => Ok(vec![Stroke::Key(name.clone())]),
            Act::Focus => Ok(vec![Stroke::Focus]),
            Act::Click(place) => self.click(place, &target, scene, now),
            Act::Wait(_) | Act::Await(_) | Act::Still(_) => Ok(Vec::new()),
        };
        let placement = scene.frame.placement.as_ref();
        let (window, origin) = match target {
            Target::Other(w) => (Some(w.id), Some((w.rect.x, w.rect.y))),
            Target::Watched => (
                placement.and_then(|p| p.window),
                placement.map(|p| (p.on_screen.x, p.on_screen.y)),
            ),
        };
        match strokes {
            Ok(strokes) => Plan::Do(Planned {
                strokes,
                window,
                origin,
                words: step.to_string(),
            }),
            Err(why) => Plan::Not(Some(why)),
        }
    }

    fn click(
        &mut self,
        place: &Place,
        target: &Target<'_>,
        scene: &Scene<'_>,
        now: Time,
    ) -> Result<Vec<Stroke>, String> {
        if let (Target::Other(window), Place::Part(part)) = (target, place) {
            let along = |from: i32, length: u32, part: f64| {
                // The last pixel still belongs to the window.
                let inside = f64::from(length.saturating_sub(1));
                f64::from(from) + inside * part + 0.5
            };
            let (rect, p) = (window.rect, part);
            let at = Point::new(
                along(rect.x, rect.width, p.x),
                along(rect.y, rect.height, p.y),
            );
            return Ok(vec![Stroke::Click(at)]);
        }
        let placement = scene.frame.placement.as_ref();
        let placement = placement.ok_or("the source lies on no screen that can be clicked")?;
        let picture = &scene.frame.picture;
        let (width, height) = (picture.width(), picture.height());
        let px = match place {
            Place::Board(at) => {
                let found = scene.calibration.ok_or("no board is found")?;
                let clicks = strokes(&[Control::At(*at)], found, placement);
                return clicks.ok_or_else(|| "the place cannot be reached".to_owned());
            }
            Place::Part(part) => {
                let inside = |side: u32| f64::from(side.saturating_sub(1));
                let at = Point::new(inside(width) * part.x, inside(height) * part.y);
                Point::new(at.x + 0.5, at.y + 0.5)
            }
            Place::Seen(look) => {
                (self.seen(look, scene, now)).ok_or_else(|| format!("{look} is not to be seen"))?
            }
        };
        if !placement.visible.contains(px) {
            return Err("the place is not on the screen".to_owned());
        }
        let mut all = vec![Stroke::Click(placement.screen_from_px(px, width, height))];
        all.extend(rest(scene.calibration, placement));
        Ok(all)
    }

    /// Looks for something, not too often.
    fn seen(&mut self, look: &Look, scene: &Scene<'_>, now: Time) -> Option<Point> {
        let picture = &scene.frame.picture;
        if let Some(found) = &self.found
            && around(picture, found.at) == found.around
        {
            return Some(found.at);
        }
        if now < self.next_look {
            return None;
        }
        let at = spot::find(picture, look);
        if at.is_none() {
            self.next_look = now + LOOK_INTERVAL;
        }
        self.found = at.map(|at| Found {
            at,
            around: around(picture, at),
        });
        at
    }
}

/// A small part of a picture around a point.
fn around(picture: &Picture, at: Point) -> Picture {
    const REACH: f64 = 12.0;
    let from = |v: f64| (v - REACH).max(0.0) as u32;
    picture.crop(from(at.x), from(at.y), 2 * REACH as u32, 2 * REACH as u32)
}

/// Whether a dialog is there, but for what must be seen of it.
fn is_there(dialog: &Dialog, scene: &Scene<'_>) -> bool {
    let board = dialog
        .board
        .is_none_or(|wanted| scene.board == Some(wanted));
    let window = |name: &WindowName| others(scene.frame).iter().any(|w| name.fits(w));
    board && dialog.window.as_ref().is_none_or(window)
}

/// What one look at a step comes to.
enum Plan {
    /// It needs nothing more.
    Made,
    /// This is to be done.
    Do(Planned),
    /// Nothing can be done yet; why, if it is known.
    Not(Option<String>),
}

/// What a step is about.
#[derive(Clone, Copy)]
enum Target<'a> {
    Watched,
    Other(&'a OtherWindow),
}

fn others(frame: &Frame) -> &[OtherWindow] {
    frame.windows.as_deref().unwrap_or_default()
}

/// A pause takes what it takes.
fn limit(step: &Step) -> Duration {
    match step.act {
        Act::Wait(time) => time.max(step.within),
        _ => step.within,
    }
}

/// Where the pointer is left after a click: off the board, where one is known.
fn rest(calibration: Option<&Calibration>, placement: &Placement) -> Option<Stroke> {
    park(calibration?, placement).map(Stroke::Park)
}

#[cfg(test)]
mod tests;
