//! A recorded run once more: the same inputs into a fresh mind, and what comes out beside what was
//! recorded.
//!
//! Takes ticks and a mind whose clock and budgets have the witness that is passed in; gives the
//! events and the first difference. There is no waiting, no clock and no hand in it.

use std::sync::Arc;

use serde_json::Value;

use super::mind::{Effect, Input, Mind};
use super::recorded::line;
use crate::journal::recording::{FrameFacts, InputWhat, RecordedTick, RecordingError, Topic};
use crate::types::{BoardText, Event, Frame, Picture, Time, Witness};

/// Where a replay went another way than the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The tick.
    pub tick: u64,
    /// When it ran.
    pub at: Time,
    /// The frame that was looked at last.
    pub frame_seq: u64,
    /// What was recorded; `None` where nothing more was.
    pub recorded: Option<(Topic, Value)>,
    /// What the replay gave.
    pub replayed: Option<(Topic, Value)>,
    /// The board as read and as believed then, in the recording.
    pub recorded_boards: (Option<String>, Option<String>),
    /// And in the replay.
    pub replayed_boards: (String, Option<String>),
}

/// What a replay came to.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// Ticks run.
    pub ticks: u64,
    /// Frames among them.
    pub frames: u64,
    /// The time of the last tick.
    pub until: Time,
    /// All events of the replay, with the time of their tick.
    pub events: Vec<(Time, Event)>,
    /// The first difference, if there is one.
    pub difference: Option<Difference>,
    /// Ticks that are missing in the recording, or without their pixels: what comes after the first
    /// of them need not be equal.
    pub missing: u64,
    /// The first of them.
    pub missing_at: Option<(u64, Time)>,
}

/// Who looks over a replay's shoulder.
pub trait Onlooker {
    /// A tick has run, and gave these events.
    fn tick(&mut self, tick: &RecordedTick, events: &[Event], mind: &dyn Mind);
}

/// How outcomes are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparing {
    /// The policy's answers are those that were kept, without its words.
    pub retold: bool,
}

/// Runs the ticks through the mind, to the end of the recording or the first difference.
///
/// # Errors
/// When the recording is damaged; all before it has run.
pub fn replay(
    ticks: impl Iterator<Item = Result<RecordedTick, RecordingError>>,
    mind: &mut dyn Mind,
    witness: &Witness,
    comparing: Comparing,
    onlooker: &mut dyn Onlooker,
) -> Result<Replayed, RecordingError> {
    let mut run = Run {
        done: Replayed::default(),
        comparing,
        frame_seq: 0,
        boards: (None, None),
    };
    let mut effects = Vec::new();
    for tick in ticks {
        let tick = tick?;
        run.gap(&tick);
        if !run.feed(&tick, mind, witness, &mut effects) {
            continue;
        }
        let from = run.done.events.len();
        run.compare(&tick, mind, &effects, witness.ran_short());
        let now = Time(tick.input.now);
        run.done
            .events
            .extend(effects.drain(..).filter_map(|e| match e {
                Effect::Note(event) => Some((now, event)),
                Effect::Act(..) | Effect::Eager(_) | Effect::End(_) => None,
            }));
        let events: Vec<Event> = run.done.events[from..]
            .iter()
            .map(|(_, e)| e.clone())
            .collect();
        onlooker.tick(&tick, &events, mind);
        if run.done.difference.is_some() {
            break;
        }
    }
    Ok(run.done)
}

struct Run {
    done: Replayed,
    comparing: Comparing,
    frame_seq: u64,
    /// The board as read and as believed, as recorded last.
    boards: (Option<String>, Option<String>),
}

impl Run {
    fn lose(&mut self, ticks: u64, tick: &RecordedTick) {
        self.done.missing += ticks;
        self.done
            .missing_at
            .get_or_insert((tick.input.tick, Time(tick.input.now)));
    }

    /// Counts ticks that are missing before this one.
    fn gap(&mut self, tick: &RecordedTick) {
        let seen = self.done.ticks + self.done.missing;
        let missing = tick.input.tick.saturating_sub(seen + 1);
        if missing > 0 {
            self.lose(missing, tick);
        }
    }

    /// Gives the mind a tick; false if it has no pixels and was left out.
    fn feed(
        &mut self,
        tick: &RecordedTick,
        mind: &mut dyn Mind,
        witness: &Witness,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let now = Time(tick.input.now);
        let frame = match (&tick.input.what, &tick.picture) {
            (InputWhat::Frame(facts), Some(picture)) => Some(frame(facts, picture)),
            (InputWhat::Frame(_), None) => {
                self.lose(1, tick);
                return false;
            }
            _ => None,
        };
        witness.tell(tick.input.testimony.clone(), now);
        let input = match (&tick.input.what, &frame) {
            (InputWhat::Frame(_), Some(frame)) => {
                self.done.frames += 1;
                self.frame_seq = frame.seq;
                Input::Frame(frame)
            }
            // Without a frame there is nothing to look at.
            (InputWhat::Frame(_), None) | (InputWhat::Quiet, _) => Input::Quiet,
            (InputWhat::Hidden(how), _) => Input::Hidden(*how),
            (InputWhat::Ended(why), _) => Input::Ended(why),
            (InputWhat::Performed { down, up }, _) => Input::Performed {
                down: Time(*down),
                up: Time(*up),
            },
            (InputWhat::Refused { cause, why }, _) => Input::Refused {
                cause: *cause,
                why: why.clone(),
            },
            (InputWhat::Arm(armed), _) => Input::Arm(*armed),
            (InputWhat::End(why), _) => {
                self.count(tick);
                mind.end(why, now, effects);
                return true;
            }
        };
        mind.tick(input, now, effects);
        self.count(tick);
        true
    }

    fn count(&mut self, tick: &RecordedTick) {
        self.done.ticks += 1;
        self.done.until = Time(tick.input.now);
        let board = |v: &Value| v["board"].as_str().map(str::to_owned);
        if let Some(reading) = &tick.reading {
            self.boards.0 = board(reading);
        }
        if let Some(belief) = &tick.belief {
            self.boards.1 = board(belief);
        }
    }

    fn compare(&mut self, tick: &RecordedTick, mind: &dyn Mind, effects: &[Effect], short: bool) {
        let given: Vec<(Topic, Value)> = effects.iter().map(|e| line(e).message()).collect();
        let count = given.len().max(tick.outcomes.len());
        let unequal = (0..count).find(|&i| match (tick.outcomes.get(i), given.get(i)) {
            (Some(a), Some(b)) => !self.are_equal(a, b),
            _ => true,
        });
        // After a gap nothing is promised, but what is equal again may be told to be so.
        if self.done.missing > 0 {
            return;
        }
        // A clock that was read more often than in the run, without any effect, is one too.
        let Some(at) = unequal.or(short.then_some(count)) else {
            return;
        };
        self.done.difference = Some(Difference {
            tick: tick.input.tick,
            at: Time(tick.input.now),
            frame_seq: self.frame_seq,
            recorded: tick.outcomes.get(at).cloned(),
            replayed: given.get(at).cloned(),
            recorded_boards: self.boards.clone(),
            replayed_boards: (mind.seen().0, mind.believed().map(|BoardText(b)| b)),
        });
    }

    fn are_equal(&self, a: &(Topic, Value), b: &(Topic, Value)) -> bool {
        if a.0 != b.0 {
            return false;
        }
        if !self.comparing.retold || a.0 != Topic::Decision {
            return same(&a.1, &b.1);
        }
        let without = |v: &Value| {
            let mut v = v.clone();
            if let Some(o) = v.as_object_mut() {
                o.remove("note");
            }
            v
        };
        same(&without(&a.1), &without(&b.1))
    }
}

/// Two fractions are the same to this share: the libraries that find a board round the last digits
/// otherwise on another processor. Whole numbers are the same or not.
const DIGITS: f64 = 1e-5;

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap_or(0.0), b.as_f64().unwrap_or(0.0));
            (a - b).abs() <= DIGITS * a.abs().max(b.abs()).max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut keys = a.iter();
            a.len() == b.len() && keys.all(|(k, a)| b.get(k).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

fn frame(facts: &FrameFacts, picture: &Arc<Picture>) -> Frame {
    Frame {
        seq: facts.seq,
        captured_at: Time(facts.captured_at),
        source: Arc::from(facts.source.as_str()),
        picture: Arc::clone(picture),
        changed: facts.changed,
        placement: facts.placement,
        windows: facts.windows.as_ref().map(|all| Arc::from(all.as_slice())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::same;

    #[test]
    fn last_digits_are_no_difference_and_whole_numbers_are() {
        let a = json!({"n": 3, "x": [0.8732471, 120.00001], "t": "a"});
        assert!(same(
            &a,
            &json!({"n": 3, "x": [0.8732472, 120.00002], "t": "a"})
        ));
        for other in [
            json!({"n": 4, "x": [0.8732471, 120.00001], "t": "a"}),
            json!({"n": 3, "x": [0.8742471, 120.00001], "t": "a"}),
            json!({"n": 3, "x": [0.8732471], "t": "a"}),
            json!({"n": 3, "x": [0.8732471, 120.00001], "t": "b"}),
            json!({"n": 3, "x": [0.8732471, 120.00001], "u": "a"}),
        ] {
            assert!(!same(&a, &other), "{other}");
        }
    }
}
