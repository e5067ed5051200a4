//! Looks over a loop's shoulder and keeps what a page shows.
//!
//! Must never hold the loop up: pictures are shared, not copied, and boards are put into words only
//! while somebody looks, or a few times a second.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::live::{BoardView, DecisionView, Inner, Live};
use crate::pipeline::mind::Mind;
use crate::pipeline::run::Observer;
use crate::types::{ActionId, Clock, Event, Frame, GameResult, Handling, Outcome, Time};

/// A page is told of changes this often at most.
const TOLD: Duration = Duration::from_millis(100);
/// The same while nobody looks: what is asked for later is not older than this.
const UNWATCHED: Duration = Duration::from_millis(500);
/// So many finished games are kept for the page.
const RESULTS: usize = 50;
/// Actions that are never confirmed are forgotten when there are so many.
const PENDING: usize = 64;

/// The observer of one run.
pub struct Publisher {
    live: Arc<Live>,
    clock: Arc<dyn Clock>,
    began: Time,
    told: Option<Time>,
    second: Option<(Time, u64)>,
    acted: HashMap<ActionId, Time>,
}

impl Publisher {
    /// Publishes into `live`, by the run's own clock.
    #[must_use]
    pub fn new(live: Arc<Live>, clock: Arc<dyn Clock>) -> Self {
        let began = clock.now();
        Self {
            live,
            clock,
            began,
            told: None,
            second: None,
            acted: HashMap::new(),
        }
    }

    fn ms(&self, at: Time) -> u64 {
        u64::try_from(at.since(self.began).as_millis()).unwrap_or(u64::MAX)
    }

    /// Frames per second, over whole seconds.
    fn count(&mut self, at: Time, inner: &mut Inner) {
        inner.frames += 1;
        let (since, before) = *self.second.get_or_insert((at, inner.frames));
        let passed = at.since(since);
        if passed >= Duration::from_secs(1) {
            inner.fps = (inner.frames - before) as f64 / passed.as_secs_f64();
            self.second = Some((at, inner.frames));
        }
    }
}

impl Observer for Publisher {
    fn event(&mut self, at: Time, event: &Event, mind: &dyn Mind) {
        let ms = self.ms(at);
        let live = Arc::clone(&self.live);
        let mut inner = live.lock();
        inner.armed = mind.is_armed();
        match event {
            Event::RunStarted { source, policy, .. } => {
                inner.source.clone_from(source);
                inner.policy.clone_from(policy);
                inner.words = "looking for the board".to_owned();
                inner.tell(ms, "started", format!("watching {source}, policy {policy}"));
            }
            Event::Calibrated {
                size,
                quality,
                took,
                ..
            } => {
                inner.finding.add(*took);
                inner.words = format!("a board of {size}");
                let text = format!("found a board of {size}, quality {quality:.2}");
                inner.tell(ms, "found", text);
            }
            Event::Decided {
                action,
                score,
                nodes,
                took,
                note,
                ..
            } => {
                inner.thinking.add(*took);
                inner.nodes += nodes;
                inner.words = format!("the move is {action}");
                inner.decision = Some(DecisionView {
                    action: action.clone(),
                    score: *score,
                    nodes: *nodes,
                    ms: took.as_secs_f64() * 1e3,
                    note: note.clone(),
                });
                inner.tell(ms, "decided", format!("{action} ({note})"));
            }
            Event::Acted {
                action,
                strokes,
                retry,
                ..
            } => {
                inner.actions.0 += 1;
                inner.sent.clone_from(strokes);
                if self.acted.len() >= PENDING {
                    self.acted.clear();
                }
                self.acted.insert(*action, at);
                let again = match retry {
                    0 => String::new(),
                    n => format!(" (again, {n})"),
                };
                inner.tell(ms, "acted", format!("{strokes}{again}"));
            }
            Event::Confirmed { action, .. } => {
                inner.actions.1 += 1;
                if let Some(since) = self.acted.remove(action) {
                    inner.confirming.add(at.since(since));
                }
            }
            Event::Observed { text, .. } => {
                inner.words.clone_from(text);
                inner.tell(ms, "observed", text.clone());
            }
            Event::Mismatch {
                cause,
                handling,
                text,
                ..
            } => {
                *inner.mismatches.entry(cause.to_string()).or_default() += 1;
                inner.words = match handling {
                    Handling::Wait | Handling::Pause => format!("{cause}: waiting"),
                    _ => format!("{cause}: {handling}"),
                };
                let more = if text.is_empty() { "" } else { ": " };
                inner.tell(ms, "mismatch", format!("{cause}, {handling}{more}{text}"));
            }
            Event::Finished(result) => finished(&mut inner, ms, result),
            Event::RunEnded { why, .. } => {
                inner.words.clone_from(why);
                inner.tell(ms, "ended", why.clone());
            }
        }
        drop(inner);
        self.live.changed();
    }

    fn frame(&mut self, frame: &Frame, mind: &dyn Mind) {
        let now = self.clock.now();
        let live = Arc::clone(&self.live);
        let pause = if live.is_watched() { TOLD } else { UNWATCHED };
        let due = self.told.is_none_or(|at| now.since(at) >= pause);
        let mut inner = live.lock();
        inner.picture = Some(Arc::clone(&frame.picture));
        inner.frame_seq = frame.seq;
        inner.handled.add(now.since(frame.captured_at));
        self.count(frame.captured_at, &mut inner);
        if due {
            self.told = Some(now);
            inner.armed = mind.is_armed();
            describe(&mut inner, mind);
        }
        drop(inner);
        live.frame_changed();
        if due {
            live.changed();
        }
    }
}

fn finished(inner: &mut Inner, ms: u64, result: &GameResult) {
    let place = match result.result {
        Outcome::Won => 0,
        Outcome::Lost => 1,
        Outcome::Draw => 2,
        Outcome::Aborted => 3,
    };
    inner.tally[place] += 1;
    inner.words.clone_from(&result.why);
    inner.tell(ms, "finished", result.why.clone());
    if inner.results.len() == RESULTS {
        inner.results.pop_front();
    }
    inner.results.push_back(result.clone());
}

/// Board, belief and lattice as of the last frame.
fn describe(inner: &mut Inner, mind: &dyn Mind) {
    let Some(calibration) = mind.calibration() else {
        (inner.board, inner.calibration) = (None, None);
        return;
    };
    let same = |old: &Arc<_>| **old == *calibration;
    if !inner.calibration.as_ref().is_some_and(same) {
        inner.calibration = Some(Arc::new(calibration.clone()));
    }
    let reading = mind.reading();
    inner.reading.size = reading.size;
    inner.reading.cells.clone_from(&reading.cells);
    let rows = |text: crate::types::BoardText| text.rows().map(str::to_owned).collect();
    inner.board = Some(BoardView {
        cols: calibration.size.cols,
        rows: calibration.size.rows,
        seen: rows(mind.seen()),
        believed: mind.believed().map(rows).unwrap_or_default(),
        confidence: reading.cells.iter().map(|c| c.confidence).collect(),
        classes: { calibration.classes.iter() }
            .map(|c| (c.letter, c.hex()))
            .collect(),
        px_from_cell: calibration.px_from_cell.0,
        quality: calibration.quality,
    });
}
