//! The shell: frames in, effects carried out, everything released at the end.
//!
//! Takes an assembled [`Rig`], returns a [`Report`]. Must never decide anything itself.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::mind::{Effect, Ending, Input, Mind};
use crate::act::{ActError, Done, Hands};
use crate::capture::CaptureError;
use crate::types::{
    Action, Armed, Arming, Cause, Clock, Event, EventSink, Feed, Frame, GameResult, SinkError,
    Stop, Time,
};

/// Where the loop gets its frames: the slot of a capturing thread, or a source in virtual time.
pub trait Feeder {
    /// The newest frame, or what there is instead at `deadline`.
    ///
    /// # Errors
    /// When the source has failed for good.
    fn wait(&mut self, deadline: Time) -> Result<Feed, CaptureError>;

    /// Frames that were overtaken by newer ones before the loop took them.
    fn dropped(&self) -> u64;

    /// Frames are wanted as fast as they come, or at the usual pace.
    fn set_eager(&mut self, eager: bool);
}

/// Somebody who looks over the loop's shoulder: the terminal, later the dashboard.
pub trait Observer {
    /// Something was recorded.
    fn event(&mut self, at: Time, event: &Event, mind: &dyn Mind);
    /// A frame was handled.
    fn frame(&mut self, frame: &Frame, mind: &dyn Mind);
}

/// All parts of a run.
pub struct Rig<'a> {
    /// Frames.
    pub feeder: Box<dyn Feeder>,
    /// Hands; `None` when only watching.
    pub hands: Option<Box<dyn Hands>>,
    /// State and logic.
    pub mind: Box<dyn Mind>,
    /// Where events are kept.
    pub journal: Box<dyn EventSink>,
    /// The clock of the run.
    pub clock: Arc<dyn Clock>,
    /// The stop switch.
    pub stop: Stop,
    /// The switch of a person who arms and disarms the run, where that was meant.
    pub arming: Arming,
    /// Who looks on.
    pub observer: &'a mut dyn Observer,
}

/// How a run went.
#[derive(Clone, Debug)]
pub struct Report {
    /// Why it ended.
    pub ending: Ending,
    /// The games, in order.
    pub games: Vec<GameResult>,
    /// Frames handled and frames dropped.
    pub frames: (u64, u64),
}

/// Why a run could not go on. Hands are released before it is returned.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Events can no longer be kept, so nothing more is done.
    #[error(transparent)]
    Journal(#[from] SinkError),
}

/// The longest the loop waits before it looks at the stop switch.
const LOOK_UP: Duration = Duration::from_millis(20);
/// How soon it looks at hands that are busy and cannot say for how long.
const GLANCE: Duration = Duration::from_millis(2);

/// Runs until the task is done, the source ends or the stop switch is pulled.
///
/// `started` is the first event of the run.
///
/// # Errors
/// See [`RunError`].
pub fn run(rig: Rig<'_>, started: Event) -> Result<Report, RunError> {
    let mut shell = Shell {
        hands: Held(rig.hands),
        feeder: rig.feeder,
        mind: rig.mind,
        journal: rig.journal,
        clock: rig.clock,
        stop: rig.stop,
        arming: rig.arming,
        observer: rig.observer,
        waiting: false,
        games: Vec::new(),
        handled: 0,
    };
    shell.record(&started)?;
    let ending = shell.play();
    // Before anything else that may fail or wait.
    let _ = shell.hands.release();
    let ending = match ending {
        Ok(ending) => ending,
        Err(error) => {
            shell.abandon(&error.to_string());
            return Err(error);
        }
    };
    let frames = (shell.handled, shell.feeder.dropped());
    shell.record(&Event::RunEnded {
        why: ending.why.clone(),
        frames,
    })?;
    Ok(Report {
        ending,
        games: shell.games,
        frames,
    })
}

/// Hands that are released however the loop is left, also by a panic.
struct Held(Option<Box<dyn Hands>>);

impl Held {
    /// An error means that the device is gone, and with it all that was held.
    fn release(&mut self) -> Result<(), ActError> {
        self.0.as_mut().map_or(Ok(()), |hands| hands.release_all())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Err(error) = self.release() {
            tracing::warn!(%error, "releasing the hands");
        }
    }
}

struct Shell<'a> {
    hands: Held,
    feeder: Box<dyn Feeder>,
    mind: Box<dyn Mind>,
    journal: Box<dyn EventSink>,
    clock: Arc<dyn Clock>,
    stop: Stop,
    arming: Arming,
    observer: &'a mut dyn Observer,
    /// Whether the hands have something to do.
    waiting: bool,
    games: Vec<GameResult>,
    handled: u64,
}

impl Shell<'_> {
    fn play(&mut self) -> Result<Ending, RunError> {
        let mut effects = Vec::new();
        loop {
            let fed = if self.stop.is_pulled() {
                Ok(Feed::Quiet)
            } else {
                self.feeder.wait(self.deadline())
            };
            let now = self.clock.now();
            // Asked again: a source that stops because all is to stop is not gone.
            if let Some(reason) = self.stop.reason() {
                let reason = reason.to_owned();
                match self.hands.release() {
                    // Of a board that is away nothing can be let go; it opens all when it is back.
                    Ok(()) | Err(ActError::Away(_)) => self.mind.end(&reason, now, &mut effects),
                    // The stop was pulled because the screen is gone.
                    Err(gone) => {
                        let why = gone.to_string();
                        self.mind.tick(Input::Ended(&why), now, &mut effects);
                    }
                }
            } else {
                // What was done before the frame was taken is known before the frame is judged.
                if let Some(ending) = self.hear(now, &mut effects)? {
                    return Ok(ending);
                }
                self.obey(now, &mut effects);
                self.take_in(fed, now, &mut effects);
            }
            if let Some(ending) = self.carry_out(&mut effects)? {
                return Ok(ending);
            }
        }
    }

    /// What a person wants of a run that may be armed and disarmed.
    fn obey(&mut self, now: Time, effects: &mut Vec<Effect>) {
        let Some(armed) = self.arming.take() else {
            return;
        };
        if !armed && let Err(error) = self.hands.release() {
            tracing::warn!(%error, "releasing the hands");
        }
        self.mind.tick(Input::Arm(armed), now, effects);
    }

    fn deadline(&self) -> Time {
        let now = self.clock.now();
        let due = self.hands.0.as_ref().and_then(|h| h.due());
        match due {
            // Also when nothing is under way: a key may still be on its way to the game.
            Some(due) => due.min(now + LOOK_UP).max(now),
            None if self.waiting => now + GLANCE,
            None => now + LOOK_UP,
        }
    }

    /// Asks the hands whether they are done, and tells the mind.
    fn hear(&mut self, now: Time, effects: &mut Vec<Effect>) -> Result<Option<Ending>, RunError> {
        let Some(done) = self.hands.0.as_mut().and_then(|hands| hands.poll(now)) else {
            return Ok(None);
        };
        self.waiting = false;
        self.answer(done, effects);
        self.carry_out(effects)
    }

    /// What came of an action, for the mind.
    fn answer(&mut self, done: Result<Done, ActError>, effects: &mut Vec<Effect>) {
        let now = self.clock.now();
        let input = match &done {
            Ok(Done { down, up, .. }) => Input::Performed {
                down: *down,
                up: *up,
            },
            // A mistake in the profile: trying again does not mend it.
            Err(ActError::Unsupported(what)) => {
                self.mind.end(what, now, effects);
                return;
            }
            Err(ActError::Gone(why)) => Input::Ended(why),
            Err(error) => Input::Refused {
                cause: cause(error),
                why: error.to_string(),
            },
        };
        self.mind.tick(input, now, effects);
    }

    fn take_in(&mut self, fed: Result<Feed, CaptureError>, now: Time, effects: &mut Vec<Effect>) {
        let ended;
        let input = match &fed {
            Ok(Feed::Frame(frame)) => {
                let span = tracing::trace_span!("tick", seq = frame.seq);
                let _in = span.enter();
                self.mind.tick(Input::Frame(frame), now, effects);
                self.handled += 1;
                self.observer.frame(frame, self.mind.as_ref());
                return;
            }
            Ok(Feed::Quiet) => Input::Quiet,
            Ok(Feed::Hidden(how)) => Input::Hidden(*how),
            Ok(Feed::Ended(why)) => Input::Ended(why),
            Err(error) => {
                ended = error.to_string();
                Input::Ended(&ended)
            }
        };
        self.mind.tick(input, now, effects);
    }

    /// Carries out effects in order, and those that follow from them.
    fn carry_out(&mut self, effects: &mut Vec<Effect>) -> Result<Option<Ending>, RunError> {
        let mut queue: VecDeque<Effect> = effects.drain(..).collect();
        let mut ending = None;
        while let Some(effect) = queue.pop_front() {
            match effect {
                Effect::Note(event) => self.record(&event)?,
                Effect::Eager(eager) => self.feeder.set_eager(eager),
                Effect::End(end) => {
                    ending.get_or_insert(end);
                }
                Effect::Act(action, permit) => {
                    if self.stop.is_pulled() {
                        // A stop that came while thinking is honoured before the hands move.
                        continue;
                    }
                    let now = self.clock.now();
                    let done = tracing::trace_span!("act", action = action.id)
                        .in_scope(|| self.begin(action, permit, now));
                    self.waiting = done.is_none();
                    if let Some(done) = done {
                        self.answer(done, effects);
                        queue.extend(effects.drain(..));
                    }
                }
            }
        }
        Ok(ending)
    }

    /// Has the hands begin; `None` while they are busy with it.
    fn begin(
        &mut self,
        action: Action,
        permit: Armed,
        now: Time,
    ) -> Option<Result<Done, ActError>> {
        let Some(hands) = &mut self.hands.0 else {
            let why = "there are no hands to act with".to_owned();
            return Some(Err(ActError::Unsupported(why)));
        };
        match hands.start(action, permit, now) {
            Ok(()) => hands.poll(self.clock.now()),
            Err(error) => Some(Err(error)),
        }
    }

    /// The end of a run whose events can no longer be kept: only who looks on is told.
    fn abandon(&mut self, why: &str) {
        let mut effects = Vec::new();
        let now = self.clock.now();
        self.mind.end(why, now, &mut effects);
        for effect in effects {
            if let Effect::Note(event) = effect {
                self.observer.event(now, &event, self.mind.as_ref());
            }
        }
    }

    fn record(&mut self, event: &Event) -> Result<(), RunError> {
        let at = self.clock.now();
        // Kept before it is told: what somebody has read is in the journal, also after a kill.
        let kept = tracing::trace_span!("journal").in_scope(|| self.journal.record(at, event));
        self.observer.event(at, event, self.mind.as_ref());
        if let Event::Finished(result) = event {
            self.games.push(result.clone());
        }
        if let Err(error) = kept {
            let _ = self.hands.release();
            return Err(error.into());
        }
        Ok(())
    }
}

fn cause(error: &ActError) -> Cause {
    match error {
        ActError::NotTarget { .. } => Cause::NotTarget,
        ActError::Moved { .. } => Cause::WindowMoved,
        ActError::PointerElsewhere { .. } => Cause::PointerElsewhere,
        ActError::Expired | ActError::Busy | ActError::Stopped => Cause::Expired,
        ActError::Away(_) => Cause::HandsAway,
        ActError::Unsupported(_) | ActError::Gone(_) => Cause::SourceGone,
    }
}
