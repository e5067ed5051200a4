//! A mind whose ticks are recorded: it passes every input on, and hands what went in and what came
//! out to a recorder.
//!
//! Must never change what the mind inside it does, nor wait.

use crate::journal::recording::{EffectLine, FrameFacts, InputWhat, Recorder, Tick};
use crate::types::{BoardText, Calibration, Frame, Reading, Time, Witness};

use super::mind::{Effect, Input, Mind};

/// A mind, and who writes down what it does.
pub struct Recorded {
    mind: Box<dyn Mind>,
    recorder: Recorder,
    witness: Witness,
    tick: u64,
    reading: Reading,
    believed: Option<BoardText>,
}

impl Recorded {
    /// Records this mind. `witness` is the one that its clock and its budgets have.
    #[must_use]
    pub fn new(mind: Box<dyn Mind>, recorder: Recorder, witness: Witness) -> Self {
        Self {
            mind,
            recorder,
            witness,
            tick: 0,
            reading: Reading::default(),
            believed: None,
        }
    }

    fn keep(&mut self, what: InputWhat, frame: Option<&Frame>, now: Time, effects: &[Effect]) {
        self.tick += 1;
        // Taken in any case: the next tick's must not be mixed with it.
        let testimony = self.witness.take();
        if self.recorder.is_over() {
            return;
        }
        let read = self.mind.reading();
        let seen = (frame.is_some() && !read.same_labels(&self.reading)).then(|| {
            self.reading.clone_from(read);
            (self.mind.seen(), read.unknown(), read.confidence())
        });
        let believed = (frame.is_some() || !effects.is_empty())
            .then(|| self.mind.believed())
            .filter(|board| *board != self.believed);
        if let Some(board) = &believed {
            self.believed.clone_from(board);
        }
        self.recorder.tick(Tick {
            tick: self.tick,
            now,
            what,
            picture: frame.map(|f| f.picture.clone()),
            testimony,
            effects: effects.iter().map(line).collect(),
            seen,
            believed,
        });
    }
}

/// An effect as it is written down.
pub(super) fn line(effect: &Effect) -> EffectLine {
    match effect {
        Effect::Note(event) => EffectLine::Note(event.clone()),
        Effect::Act(action, _) => EffectLine::Act(action.clone()),
        Effect::Eager(eager) => EffectLine::Eager(*eager),
        Effect::End(end) => EffectLine::End {
            why: end.why.clone(),
            complete: end.complete,
        },
    }
}

fn what(input: &Input<'_>) -> InputWhat {
    match input {
        Input::Frame(frame) => InputWhat::Frame(FrameFacts {
            seq: frame.seq,
            captured_at: frame.captured_at.0,
            source: frame.source.to_string(),
            changed: frame.changed,
            picture: None,
            placement: frame.placement,
            windows: frame.windows.as_ref().map(|all| all.to_vec()),
        }),
        Input::Quiet => InputWhat::Quiet,
        Input::Hidden(how) => InputWhat::Hidden(*how),
        Input::Ended(why) => InputWhat::Ended((*why).to_owned()),
        Input::Performed { down, up } => InputWhat::Performed {
            down: down.0,
            up: up.0,
        },
        Input::Refused { cause, why } => InputWhat::Refused {
            cause: *cause,
            why: why.clone(),
        },
        Input::Arm(armed) => InputWhat::Arm(*armed),
    }
}

impl Mind for Recorded {
    fn tick(&mut self, input: Input<'_>, now: Time, out: &mut Vec<Effect>) {
        let given = what(&input);
        let frame = match &input {
            Input::Frame(frame) => Some(*frame),
            _ => None,
        };
        let before = out.len();
        self.mind.tick(input, now, out);
        self.keep(given, frame, now, &out[before..]);
    }

    fn end(&mut self, why: &str, now: Time, out: &mut Vec<Effect>) {
        let before = out.len();
        self.mind.end(why, now, out);
        self.keep(InputWhat::End(why.to_owned()), None, now, &out[before..]);
    }

    fn calibration(&self) -> Option<&Calibration> {
        self.mind.calibration()
    }

    fn reading(&self) -> &Reading {
        self.mind.reading()
    }

    fn seen(&self) -> BoardText {
        self.mind.seen()
    }

    fn believed(&self) -> Option<BoardText> {
        self.mind.believed()
    }

    fn is_armed(&self) -> bool {
        self.mind.is_armed()
    }
}
