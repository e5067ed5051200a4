//! Who looks on: what was told, whether the belief was true, and what must hold in the end.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use kibitzer::pipeline::mind::Mind;
use kibitzer::pipeline::run::{Observer, Report};
use kibitzer::types::*;

use super::screen::Shared;

/// Looks on, keeps everything that is told, and compares the belief with the truth.
pub struct Watch {
    pub shared: Arc<Mutex<Shared>>,
    pub moment: Duration,
    pub events: Vec<(Time, Event)>,
    /// When and how the belief was wrong although the truth had been seen for a moment.
    pub wrong: Vec<String>,
    pub checked: usize,
}

impl Observer for Watch {
    fn event(&mut self, at: Time, event: &Event, _: &dyn Mind) {
        self.events.push((at, event.clone()));
    }

    fn frame(&mut self, frame: &Frame, mind: &dyn Mind) {
        let shared = self.shared.lock().expect("not poisoned");
        let now = frame.captured_at;
        if now.since(shared.unclear) < self.moment || now.since(Time::ZERO) < self.moment {
            return;
        }
        // Between two games nothing is believed.
        let Some(believed) = mind.believed() else {
            return;
        };
        self.checked += 1;
        let cols = shared.program.size().cols.into();
        let truth = BoardText::from_cells(cols, shared.program.truth());
        if believed != truth {
            self.wrong
                .push(format!("{now:?}: {believed:?} is {truth:?}"));
        }
    }
}

/// Lines of a story that a person reads.
const LINES: usize = 60;

/// What came of it.
pub struct Played {
    pub report: Report,
    pub events: Vec<(Time, Event)>,
    pub wrong: Vec<String>,
    pub checked: usize,
    /// Whether it was said who begins.
    pub begins_said: bool,
    pub shared: Arc<Mutex<Shared>>,
}

impl Played {
    pub fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("not poisoned")
    }

    /// The causes of all mismatches, in order.
    pub fn causes(&self) -> Vec<Cause> {
        let cause = |(_, e): &(Time, Event)| match e {
            Event::Mismatch { cause, .. } => Some(*cause),
            _ => None,
        };
        self.events.iter().filter_map(cause).collect()
    }

    pub fn count(&self, cause: Cause) -> usize {
        self.causes().iter().filter(|c| **c == cause).count()
    }

    /// The last of what was told, a line each.
    pub fn story(&self) -> String {
        let line = |(at, e): &(Time, Event)| format!("{at:?} {e:?}\n");
        let from = self.events.len().saturating_sub(LINES);
        self.events[from..].iter().map(line).collect()
    }

    /// The results that were told.
    pub fn results(&self) -> Vec<String> {
        let name = |g: &GameResult| match g.result {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Draw => "draw",
            Outcome::Aborted => "aborted",
        };
        self.report
            .games
            .iter()
            .map(|g| name(g).to_owned())
            .collect()
    }

    /// What must hold whatever happens: the belief is not wrong for longer than a moment, and
    /// nothing is done out of turn.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), String> {
        if let Some(first) = self.wrong.first() {
            let more = self.wrong.len() - 1;
            return Err(format!("{first} and {more} more\n{}", self.story()));
        }
        let program = &self.shared().program;
        let early = program.too_early.iter().filter(|_| self.begins_said);
        let out_of_turn: Vec<_> = program.out_of_turn.iter().chain(early).collect();
        match out_of_turn.is_empty() {
            true => Ok(()),
            false => Err(format!("{out_of_turn:?}\n{}", self.story())),
        }
    }

    /// Asserts it.
    pub fn holds(&self) {
        self.check().unwrap_or_else(|wrong| panic!("{wrong}"));
    }

    /// The mean time from the program's move lying still to our click.
    pub fn mean_answer(&self) -> Duration {
        let shared = self.shared();
        let answered = shared.program.answered.iter();
        let times: Vec<Duration> = answered
            .filter_map(|(rests, click)| Some(click.as_ref()?.since(*rests)))
            .collect();
        times.iter().sum::<Duration>() / u32::try_from(times.len().max(1)).expect("few")
    }
}
