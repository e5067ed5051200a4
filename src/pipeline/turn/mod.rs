//! The mind for games that wait for a move: everything the loop knows, and its pure tick.
//!
//! Takes one [`Input`] at a time with the time it happened, gives [`Effect`]s in the order in
//! which the shell must carry them out. The same inputs give the same effects.

mod moves;
mod place;
mod script;
mod sight;
mod track;
mod turns;
mod words;

use std::sync::Arc;
use std::time::Duration;

use self::sight::{Unrest, covers_known, obscured};
use self::track::Footing;
use super::eyes::Eyes;
use super::mind::{Effect, Ending, Input, Mind};
use super::script::Runner;
use crate::decide::Gate;
use crate::reconcile::{Contradiction, Reconciler, Seen, Verdict};
use crate::types::{
    ActionId, Agent, BoardText, Budget, Calibration, Cause, Clock, Control, Decision, Event, Frame,
    Handling, Hidden, Outcome, Reading, Script, Status, Time,
};

/// What the loop is to do, as the command and the profile say.
#[derive(Clone, Debug)]
pub struct Task {
    /// Games to play; `None` is until stopped.
    pub games: Option<u32>,
    /// How a new game is started, if the program allows it.
    pub new_game: Option<Vec<Control>>,
    /// What is done beside moves, if the profile says so.
    pub script: Script,
    /// What a decision may cost.
    pub budget: Budget,
    /// An armed run in which nothing succeeds for this long ends.
    pub give_up: Duration,
    /// Whether mismatches keep the picture.
    pub evidence: bool,
}

/// Where the loop is in the course of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Looking for a position or playing from one.
    Playing,
    /// A game has ended; a new one may be asked for.
    Over,
    /// A new game was asked for.
    Starting { since: Time },
}

/// What is on its way to the hands.
#[derive(Clone, Debug)]
enum Sent {
    Move(Decision),
    NewGame,
    Step,
    Parking,
}

/// How long a new game may take to appear, per try.
const NEW_GAME_PATIENCE: Duration = Duration::from_secs(3);
/// The same after the steps of a script: its program may have pages to turn and a first move to
/// make, and starting once more would throw a game away.
const SCRIPT_PATIENCE: Duration = Duration::from_secs(8);
/// How long to wait after hands were refused before asking again; twice as long after each
/// refusal in a row, up to sixteen times.
const REFUSED_PAUSE: Duration = Duration::from_millis(100);
/// A turn that comes within this time is waited for with frames as fast as they come.
const SOON: Duration = Duration::from_millis(40);
/// Moves in a row without effect before the run ends: something is wrong with the hands.
const LOST_IN_A_ROW: u32 = 3;

/// Everything the loop knows.
pub struct TurnMind {
    pub(super) eyes: Eyes,
    pub(super) agent: Box<dyn Agent>,
    reconciler: Reconciler,
    gate: Gate,
    task: Task,
    /// Only to tell how long finding and thinking took.
    stopwatch: Arc<dyn Clock>,
    phase: Phase,
    chosen: Option<Decision>,
    sent: Option<Sent>,
    under_way: Option<Decision>,
    hold_until: Time,
    /// When the rate limit lets the chosen move through.
    turn_at: Time,
    next_find: Time,
    next_seek: Time,
    footing: Footing,
    /// Where the frame lay on the screen, and when it was last seen to move.
    origin: Option<(i32, i32)>,
    moved_at: Option<Time>,
    unrest: Option<Unrest>,
    lost_at: Time,
    start_tries: u8,
    runner: Runner,
    /// The script has started a game in this run.
    started: bool,
    /// Since when no position is believed.
    unknown_since: Option<Time>,
    /// Refusals in a row, what was told of them and the hands' last words.
    refusals: u32,
    refusal_reported: Option<Cause>,
    refused: Option<String>,
    frame_seq: u64,
    captured_at: Time,
    hidden: Option<Hidden>,
    lost_reported: bool,
    /// A part of the board is outside the screen, and it was told.
    cut: bool,
    /// Another window lay over the one in which a board was to be found, and it was told.
    veiled: bool,
    next_park: Time,
    eager: bool,
    /// A move was thought about for long: it is made on a frame that is captured after that.
    looks_again: bool,
    /// Since when nobody has moved whose turn it is, and whether that was told.
    their_turn: Option<(Time, bool)>,
    /// When something last went well; the first input counts.
    progress_at: Option<Time>,
    lost_in_a_row: u32,
    game_began: Option<Time>,
    mismatches: u32,
    games: u32,
}

impl TurnMind {
    /// A mind that has seen nothing.
    #[must_use]
    pub fn new(
        eyes: Eyes,
        agent: Box<dyn Agent>,
        reconciler: Reconciler,
        gate: Gate,
        task: Task,
        stopwatch: Arc<dyn Clock>,
    ) -> Self {
        Self {
            eyes,
            agent,
            reconciler,
            gate,
            runner: Runner::new(task.script.clone()),
            started: false,
            unknown_since: None,
            task,
            stopwatch,
            phase: Phase::Playing,
            chosen: None,
            sent: None,
            under_way: None,
            hold_until: Time::ZERO,
            turn_at: Time::ZERO,
            next_find: Time::ZERO,
            next_seek: Time::ZERO,
            footing: Footing::default(),
            origin: None,
            moved_at: None,
            unrest: None,
            lost_at: Time::ZERO,
            start_tries: 0,
            refusals: 0,
            refusal_reported: None,
            refused: None,
            frame_seq: 0,
            captured_at: Time::ZERO,
            hidden: None,
            lost_reported: false,
            cut: false,
            veiled: false,
            next_park: Time::ZERO,
            eager: false,
            looks_again: false,
            their_turn: None,
            progress_at: None,
            lost_in_a_row: 0,
            game_began: None,
            mismatches: 0,
            games: 0,
        }
    }
}

impl Mind for TurnMind {
    fn calibration(&self) -> Option<&Calibration> {
        self.eyes.calibration()
    }

    fn reading(&self) -> &Reading {
        self.eyes.reading()
    }

    fn seen(&self) -> BoardText {
        self.agent.text(self.eyes.reading())
    }

    fn believed(&self) -> Option<BoardText> {
        self.agent.believed()
    }

    fn is_armed(&self) -> bool {
        self.gate.is_armed()
    }

    fn tick(&mut self, input: Input<'_>, now: Time, out: &mut Vec<Effect>) {
        match input {
            Input::Frame(frame) => self.frame(frame, now, out),
            Input::Quiet => {}
            Input::Hidden(hidden) => self.hide(hidden, out),
            Input::Ended(why) => {
                self.mismatch(Cause::SourceGone, Handling::End, why, None, out);
                self.end(why, now, out);
            }
            Input::Performed { .. } => self.performed(now, out),
            Input::Refused { cause, why } => self.refused(cause, &why, now, out),
            Input::Arm(armed) => {
                if self.gate.set_armed(armed) {
                    self.chosen = None;
                    self.progress_at = Some(now);
                }
            }
        }
        let progress_at = *self.progress_at.get_or_insert(now);
        if self.gate.is_armed() && now.since(progress_at) > self.task.give_up {
            let why = format!(
                "nothing could be done for {} s: {}",
                self.task.give_up.as_secs(),
                self.standstill()
            );
            self.end(&why, now, out);
        }
    }

    fn end(&mut self, why: &str, now: Time, out: &mut Vec<Effect>) {
        if self.gate.is_armed() && self.game_began.is_some() {
            self.finish(Outcome::Aborted, why, now, out);
        }
        self.gate.disarm();
        out.push(Effect::End(Ending {
            why: why.to_owned(),
            complete: false,
        }));
    }
}

impl TurnMind {
    fn frame(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        self.frame_seq = frame.seq;
        self.captured_at = frame.captured_at;
        self.hidden = None;
        self.watch_place(frame, now, out);
        if self.follow_script(frame, now, out) {
            return;
        }
        self.watch_size(frame, out);
        let found = self.eyes.calibration().is_some() || self.seek(frame, now, out);
        let read = found
            && self.watch_edges(frame, out)
            && tracing::trace_span!("read").in_scope(|| self.eyes.read(&frame.picture));
        if !read {
            return;
        }
        self.watch_pointer(frame, now, out);
        if self.has_slipped(frame, now, out) {
            return;
        }
        if self.start_overdue(now) {
            self.phase = Phase::Over;
        }
        if self.phase == Phase::Over {
            self.next_game(frame, now, out);
            return;
        }
        let seen = Seen {
            reading: self.eyes.reading(),
            captured_at: frame.captured_at,
            obscured: obscured(frame),
            covers_known: covers_known(frame),
        };
        let verdict = tracing::trace_span!("reconcile")
            .in_scope(|| self.reconciler.absorb(self.agent.as_mut(), seen));
        self.follow(verdict, frame, now, out);
        // A frame is needed when its turn comes, not a calm interval later.
        let waits = self.chosen.is_some() && self.turn_at > now && self.turn_at - now < SOON;
        let unsettled = self.reconciler.is_unsettled(self.agent.as_ref());
        let waits = waits || self.looks_again || unsettled;
        if self.sent.is_none() && self.under_way.is_none() {
            self.set_eager(waits, out);
        }
    }

    fn follow(&mut self, verdict: Verdict, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        match verdict {
            Verdict::Waiting => {
                if !self.track(frame, now, out) {
                    self.relearn_if_due(frame, now, out);
                }
            }
            Verdict::RetryDue => self.retry(frame, now, out),
            Verdict::Settled => {
                self.watch_turn(now, out);
                self.choose(frame, now, out);
            }
            Verdict::Replied { action, since } => self.replied(action, since, frame, now, out),
            Verdict::EndedUnseen => self.ended_unseen(now, out),
            Verdict::Recovered => {
                self.progress_at = Some(now);
                self.choose(frame, now, out);
            }
            Verdict::Started => {
                self.progress_at = Some(now);
                self.phase = Phase::Playing;
                self.game_began = Some(now);
                self.mismatches = 0;
                self.moved_on(frame, now, out);
            }
            Verdict::Confirmed(action) => {
                self.confirmed(action, now, out);
                self.moved_on(frame, now, out);
            }
            Verdict::Contradicted(c) => self.contradicted(c, frame, now, out),
        }
    }

    fn confirmed(&mut self, action: ActionId, now: Time, out: &mut Vec<Effect>) {
        self.progress_at = Some(now);
        self.lost_in_a_row = 0;
        self.under_way = None;
        out.push(Effect::Note(Event::Confirmed {
            action,
            frame_seq: self.frame_seq,
            captured_at: self.captured_at,
        }));
    }

    /// The position is another than before: the game may be over, or a move is to be chosen.
    fn moved_on(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        self.chosen = None;
        self.their_turn = None;
        if let Status::Over(outcome) = self.agent.status() {
            let why = match outcome {
                Outcome::Won => "the game was seen to be won",
                Outcome::Lost => "the game was seen to be lost",
                Outcome::Draw => "the game was seen to be drawn",
                Outcome::Aborted => "the game was given up",
            };
            let why = match self.agent.words() {
                Some(words) => format!("{why}: {words}"),
                None => why.to_owned(),
            };
            self.conclude(outcome, &why, now, out);
        } else {
            self.choose(frame, now, out);
        }
    }

    /// A game is over: the run, too, if it was the last one.
    fn conclude(&mut self, outcome: Outcome, why: &str, now: Time, out: &mut Vec<Effect>) {
        self.finish(outcome, why, now, out);
        self.phase = Phase::Over;
        if self.task.games.is_some_and(|n| self.games >= n) {
            self.gate.disarm();
            let why = format!("{} of {} games played", self.games, self.games);
            out.push(Effect::End(Ending {
                why,
                complete: true,
            }));
        }
    }

    fn contradicted(&mut self, c: Contradiction, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        match c.handling {
            Handling::Accept => {
                if c.cause == Cause::BoardChanged
                    && self.eyes.still_there(&frame.picture) == Some(false)
                {
                    if self.find_elsewhere(frame, now, out) {
                        return;
                    }
                    self.note_contradiction(
                        Contradiction {
                            cause: Cause::BoardMoved,
                            handling: Handling::Refind,
                            ..c
                        },
                        frame,
                        out,
                    );
                    self.lose_sight(frame.captured_at);
                    return;
                }
                let swept = c.cause == Cause::NewGame;
                if swept && self.swept(now, out) {
                    return;
                }
                // While only watching, somebody else's moves are the game and no mismatch.
                if self.gate.is_armed() || c.cause != Cause::UserMoved {
                    self.note_contradiction(c, frame, out);
                }
                let reading = self.eyes.reading().clone();
                self.reconciler.accept(self.agent.as_mut(), &reading);
                if self.under_way.take().is_some() {
                    // Whatever it did, it reached the game.
                    self.lost_in_a_row = 0;
                }
                self.progress_at = Some(now);
                self.moved_on(frame, now, out);
            }
            Handling::Retry => {
                self.note_contradiction(c, frame, out);
                self.retry(frame, now, out);
            }
            Handling::LookAgain => {
                self.note_contradiction(c, frame, out);
                self.agent.withdraw();
                self.under_way = None;
                self.chosen = None;
                self.lost_in_a_row += 1;
                if self.lost_in_a_row >= LOST_IN_A_ROW {
                    let why = format!(
                        "{LOST_IN_A_ROW} moves in a row had no effect: do clicks reach the game?"
                    );
                    self.end(&why, now, out);
                }
            }
            _ => self.note_contradiction(c, frame, out),
        }
    }
}
