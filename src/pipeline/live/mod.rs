//! The mind for games that do not wait (Tetris): every frame is read and explained, keys go out
//! one by one, and what they did is seen while the next ones are on their way.
//!
//! Takes [`Input`]s with the time they happened, gives [`Effect`]s in order; the same inputs give
//! the same effects. Whoever explains and plans is the [`LiveAgent`]; finding the board, passing
//! the gate, games and their ends are here.

mod course;
mod script;
mod sight;

use std::sync::Arc;
use std::time::Duration;

use self::course::Phase;
use super::eyes::Eyes;
use super::mind::{Effect, Ending, Input, Mind};
use super::script::Runner;
use super::strokes::strokes_for;
use crate::decide::{Gate, Refusal};
use crate::types::{
    Action, Armed, BoardText, Budget, Calibration, Cause, Cell, Clock, Control, Event, Finding,
    Frame, Handling, Hidden, LiveAgent, Outcome, Picture, Placement, Reading, Script, Stroke, Time,
};

/// When a game is won: there is no other way to win one that only ends by being lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// So many pieces have landed.
    Pieces(u32),
    /// So many rows have been completed.
    Rows(u32),
}

/// What the loop is to do, as the command and the profile say.
#[derive(Clone, Debug)]
pub struct LiveTask {
    /// Games to play; `None` is until stopped.
    pub games: Option<u32>,
    /// How a game is started where none is running.
    pub start: Vec<Control>,
    /// What is done beside moves, if the profile says so.
    pub script: Script,
    /// When a game is won, if it can be.
    pub goal: Option<Goal>,
    /// What a decision may cost.
    pub budget: Budget,
    /// An armed run in which nothing succeeds for this long ends.
    pub give_up: Duration,
    /// Whether mismatches keep the picture.
    pub evidence: bool,
}

/// A belief less sure than this sends no keys.
const CERTAIN: f32 = 0.5;

/// What is on its way to the hands.
#[derive(Clone, Debug)]
enum Sent {
    Key(String),
    Start,
    Step,
}

/// Everything the loop knows.
pub struct LiveMind {
    eyes: Eyes,
    agent: Box<dyn LiveAgent>,
    gate: Gate,
    task: LiveTask,
    runner: Runner,
    /// The script has started a game in this run.
    begun: bool,
    /// Only to tell how long finding and thinking took.
    stopwatch: Arc<dyn Clock>,
    phase: Phase,
    sent: Option<Sent>,
    findings: Vec<Finding>,
    frame_seq: u64,
    captured_at: Time,
    placement: Option<Placement>,
    hidden: Option<Hidden>,
    search: sight::Search,
    hold_until: Time,
    refusals: u32,
    refused: Option<Cause>,
    eager: bool,
    /// When something last went well; the first input counts.
    progress_at: Option<Time>,
    moves: u32,
    mismatches: u32,
    games: u32,
}

impl LiveMind {
    /// A mind that has seen nothing.
    #[must_use]
    pub fn new(
        eyes: Eyes,
        agent: Box<dyn LiveAgent>,
        gate: Gate,
        task: LiveTask,
        stopwatch: Arc<dyn Clock>,
    ) -> Self {
        Self {
            eyes,
            agent,
            gate,
            runner: Runner::new(task.script.clone()),
            begun: false,
            task,
            stopwatch,
            phase: Phase::default(),
            sent: None,
            findings: Vec::new(),
            frame_seq: 0,
            captured_at: Time::ZERO,
            placement: None,
            hidden: None,
            search: sight::Search::default(),
            hold_until: Time::ZERO,
            refusals: 0,
            refused: None,
            eager: false,
            progress_at: None,
            moves: 0,
            mismatches: 0,
            games: 0,
        }
    }

    /// The game with its belief.
    #[must_use]
    pub fn agent(&self) -> &dyn LiveAgent {
        self.agent.as_ref()
    }

    fn frame(&mut self, frame: &Frame, now: Time, out: &mut Vec<Effect>) {
        self.frame_seq = frame.seq;
        self.captured_at = frame.captured_at;
        self.placement = frame.placement;
        self.hidden = None;
        if !std::mem::replace(&mut self.eager, true) {
            out.push(Effect::Eager(true));
        }
        if self.follow_script(frame, now, out) || !self.look(frame, now, out) {
            return;
        }
        let mut findings = std::mem::take(&mut self.findings);
        {
            let _span = tracing::trace_span!("reconcile").entered();
            let reading = self.eyes.reading();
            self.agent.see(reading, frame.captured_at, &mut findings);
        }
        for finding in findings.drain(..) {
            self.report(finding, frame, out);
        }
        self.findings = findings;
        self.watch_sight(frame, now, out);
        self.follow_course(now, out);
    }

    /// Whatever happened: a decision may be due, and a key.
    fn go_on(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.is_playing() {
            self.choose(out, now);
            self.press(now, out);
        } else {
            self.start_game(now, out);
        }
    }

    fn choose(&mut self, out: &mut Vec<Effect>, now: Time) {
        let began = self.stopwatch.now();
        let span = tracing::trace_span!("decide").entered();
        let decided = self.agent.decide(&self.task.budget, now);
        drop(span);
        let Some(decision) = decided else {
            return;
        };
        out.push(Effect::Note(Event::Decided {
            frame_seq: self.frame_seq,
            captured_at: self.captured_at,
            board: self.agent.believed().unwrap_or_default(),
            action: decision.action,
            score: decision.score,
            nodes: decision.nodes,
            took: self.stopwatch.now().since(began),
            note: decision.note,
        }));
    }

    fn press(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.sent.is_some() || now < self.hold_until || !self.gate.is_armed() {
            return;
        }
        if self.agent.confidence() < CERTAIN || self.hidden.is_some() {
            return;
        }
        let Some(key) = self.agent.next_key(now) else {
            return;
        };
        let strokes = vec![Stroke::Key(key.clone())];
        if self.act(strokes, now, out) {
            self.sent = Some(Sent::Key(key));
        } else {
            self.agent.refused(&key);
        }
    }

    /// Passes the gate with strokes; whether they are on their way.
    fn act(&mut self, strokes: Vec<Stroke>, now: Time, out: &mut Vec<Effect>) -> bool {
        match self.gate.ask_live(now, self.captured_at, true) {
            Ok(permit) => {
                let listed: Vec<String> = strokes.iter().map(ToString::to_string).collect();
                out.push(Effect::Note(Event::Acted {
                    action: permit.action(),
                    frame_seq: self.frame_seq,
                    captured_at: self.captured_at,
                    strokes: listed.join(", "),
                    retry: 0,
                }));
                let action = self.action(&permit, strokes);
                out.push(Effect::Act(action, permit));
                true
            }
            Err(Refusal::NotArmed | Refusal::TooSoon(_)) => false,
            Err(refusal) => {
                tracing::debug!(?refusal, "the gate is closed");
                false
            }
        }
    }

    fn action(&self, permit: &Armed, strokes: Vec<Stroke>) -> Action {
        let place = self.placement.as_ref();
        Action {
            id: permit.action(),
            cause_seq: self.frame_seq,
            cause_at: self.captured_at,
            expires_at: permit.expires_at(),
            strokes,
            window: place.and_then(|p| p.window),
            origin: place.map(|p| (p.on_screen.x, p.on_screen.y)),
        }
    }

    fn performed(&mut self, down: Time, up: Time, now: Time) {
        self.gate.ended(now);
        self.refusals = 0;
        self.refused = None;
        match self.sent.take() {
            Some(Sent::Key(key)) => self.agent.sent(&key, down, up),
            Some(Sent::Start) => self.started(now),
            Some(Sent::Step) => self.runner.performed(now),
            None => {}
        }
    }

    fn refused(&mut self, cause: Cause, why: &str, now: Time, out: &mut Vec<Effect>) {
        self.gate.ended(now);
        // 100 ms, twice as long after each refusal in a row, up to a second and a half.
        self.hold_until = now + Duration::from_millis(100) * (1 << self.refusals.min(4));
        self.refusals += 1;
        match self.sent.take() {
            Some(Sent::Key(key)) => self.agent.refused(&key),
            Some(Sent::Step) => self.runner.refused(why),
            Some(Sent::Start) | None => {}
        }
        if self.refused.replace(cause) != Some(cause) {
            self.mismatch(cause, Handling::LookAgain, why, None, out);
        }
    }

    fn report(&mut self, finding: Finding, frame: &Frame, out: &mut Vec<Effect>) {
        self.mismatches += 1;
        let evidence = self.evidence(frame);
        let seen = self.agent.text(self.eyes.reading());
        out.push(Effect::Note(Event::Mismatch {
            frame_seq: frame.seq,
            captured_at: frame.captured_at,
            expected: finding.expected,
            seen,
            cells: finding.cells,
            cause: finding.cause,
            handling: finding.handling,
            evidence,
            text: finding.text,
        }));
    }

    /// A mismatch that is not about the cells of a board that was read.
    fn mismatch(
        &mut self,
        cause: Cause,
        handling: Handling,
        text: &str,
        frame: Option<&Frame>,
        out: &mut Vec<Effect>,
    ) {
        self.mismatches += 1;
        let evidence = frame.and_then(|f| self.evidence(f));
        out.push(Effect::Note(Event::Mismatch {
            frame_seq: self.frame_seq,
            captured_at: self.captured_at,
            expected: self.agent.believed().unwrap_or_default(),
            seen: BoardText::default(),
            cells: Vec::<Cell>::new(),
            cause,
            handling,
            evidence,
            text: text.to_owned(),
        }));
    }

    fn evidence(&self, frame: &Frame) -> Option<Arc<Picture>> {
        (self.task.evidence).then(|| self.eyes.evidence(&frame.picture))
    }

    /// In words, why nothing goes on.
    fn standstill(&self) -> String {
        if let Some(hidden) = self.hidden {
            return format!("the source is {hidden}");
        }
        if self.eyes.calibration().is_none() {
            return "no board is found in the picture".to_owned();
        }
        if let Some(cause) = self.refused {
            return format!("the hands were refused ({cause})");
        }
        if !self.is_playing() {
            return "no game is seen to run".to_owned();
        }
        "no piece has landed".to_owned()
    }
}

impl Mind for LiveMind {
    fn tick(&mut self, input: Input<'_>, now: Time, out: &mut Vec<Effect>) {
        let mut ended = false;
        match input {
            Input::Frame(frame) => self.frame(frame, now, out),
            Input::Quiet => {}
            Input::Hidden(hidden) => self.hide(hidden, out),
            Input::Ended(why) => {
                self.mismatch(Cause::SourceGone, Handling::End, why, None, out);
                self.end(why, now, out);
                ended = true;
            }
            Input::Performed { down, up } => self.performed(down, up, now),
            Input::Refused { cause, why } => self.refused(cause, &why, now, out),
            Input::Arm(armed) => {
                if self.gate.set_armed(armed) {
                    self.progress_at = Some(now);
                }
            }
        }
        if ended {
            return;
        }
        self.go_on(now, out);
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
        if self.gate.is_armed() && self.is_playing() {
            self.finish(Outcome::Aborted, why, now, out);
        }
        self.gate.disarm();
        out.push(Effect::End(Ending {
            why: why.to_owned(),
            complete: false,
        }));
    }

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
}
