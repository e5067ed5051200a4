//! One session: an order that is carried out on a thread of its own, and begun again when it fails.
//!
//! A run that fails (its window is closed, its camera is gone for good, its journal cannot be
//! written) is tried again after longer and longer pauses; the other sessions go on. Must never
//! arm a run that no person has armed, nor again after an emergency stop or a fault in the program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;

use super::attempt::{Attempt, Plan};
use super::live::{BoardView, DecisionView, Inner, Live, Phase, Told};
use crate::assemble::Order;
use crate::journal::restarts::{self, Restart};
use crate::journal::wall;
use crate::pipeline::pulse::Pulse;
use crate::types::{Arming, GameResult, HandsSpec, Stop};

/// Counts the sessions of a daemon from 1.
pub type SessionId = u32;

/// The pause before the first new try; each next one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A run that has lasted this long was no failure at start.
const LASTED: Duration = Duration::from_secs(60);
/// How soon a pause looks at the stop switch.
const GLANCE: Duration = Duration::from_millis(10);
/// Why a run ends that somebody stopped here; anything else pulled its switch in an emergency.
const ASKED: &str = "the session was stopped";
/// Why a run ends that is begun anew.
const RENEWED: &str = "its profile or the settings have changed";

/// The hands of a session: what two of them must not move at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandsKey {
    /// Mouse and keyboard of the screen.
    Screen,
    /// A serial port.
    Port(String),
    /// Simulated hands: everybody has his own.
    Own,
}

/// A session.
#[derive(Debug)]
pub struct Session {
    id: SessionId,
    game: String,
    profile: String,
    hands: HandsKey,
    /// `None` for a run of somebody else's.
    plan: Mutex<Option<Arc<Plan>>>,
    /// Whether the present run goes by an older plan.
    stale: AtomicBool,
    live: Arc<Live>,
    /// Beats with its loop.
    pulse: Arc<Pulse>,
    arming: Arming,
    /// Whether a person wants it armed.
    wanted: AtomicBool,
    /// The switch of the present run.
    stop: Mutex<Stop>,
    /// Nothing is begun again.
    closed: AtomicBool,
    /// Nobody can ask for it any more: streams of it end.
    removed: AtomicBool,
    /// A run of somebody else's, whose command has decided whether it is armed.
    attached: bool,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A session as its JSON object.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// Its number.
    pub id: SessionId,
    /// The game.
    pub game: String,
    /// The profile, or how the source was named.
    pub profile: String,
    /// The source.
    pub source: String,
    /// The policy.
    pub policy: String,
    /// Where it stands.
    pub phase: Phase,
    /// In words.
    pub words: String,
    /// Whether anything may be done.
    pub armed: bool,
    /// Number of the last frame.
    pub frame: u64,
    /// Width and height of the frames in px.
    pub size: Option<[u32; 2]>,
    /// Frames per second.
    pub fps: f64,
    /// Frames handled.
    pub frames: u64,
    /// Mean milliseconds from a frame's light to the end of its handling.
    pub latency_ms: Option<f64>,
    /// The board.
    pub board: Option<BoardView>,
    /// The last decision.
    pub decision: Option<DecisionView>,
    /// The strokes last asked for.
    pub sent: String,
    /// Games won, lost, drawn, aborted.
    pub tally: [u32; 4],
    /// Finished games, the newest last.
    pub results: Vec<GameResult>,
    /// Mismatches by cause.
    pub mismatches: std::collections::BTreeMap<String, u64>,
    /// Times it was begun again.
    pub restarts: u64,
    /// The newest things that happened.
    pub log: Vec<Told>,
}

/// Whom a session tells of an emergency stop.
pub type Alarm = Arc<dyn Fn(&str) + Send + Sync>;

impl Session {
    /// A session that carries out a plan, on a thread of its own.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(id: SessionId, plan: Plan, alarm: Alarm) -> anyhow::Result<Arc<Self>> {
        let session = Arc::new(Self {
            id,
            game: plan.order.game.clone(),
            profile: plan.order.profile.clone(),
            hands: hands_key(&plan.order),
            plan: Mutex::new(Some(Arc::new(plan))),
            stale: AtomicBool::new(false),
            live: Arc::default(),
            pulse: Arc::default(),
            arming: Arming::new(),
            wanted: AtomicBool::new(false),
            stop: Mutex::default(),
            closed: AtomicBool::new(false),
            removed: AtomicBool::new(false),
            attached: false,
            thread: Mutex::default(),
        });
        let own = Arc::clone(&session);
        let thread = std::thread::Builder::new()
            .name(format!("session {id}"))
            .spawn(move || own.live_on(&alarm))?;
        *session.thread() = Some(thread);
        Ok(session)
    }

    /// A run that goes on elsewhere in this program and is shown here; `stop` stops it.
    #[must_use]
    pub fn attached(id: SessionId, game: &str, profile: &str, stop: Stop) -> Arc<Self> {
        let session = Self {
            id,
            game: game.to_owned(),
            profile: profile.to_owned(),
            hands: HandsKey::Own,
            plan: Mutex::default(),
            stale: AtomicBool::new(false),
            live: Arc::default(),
            pulse: Arc::default(),
            arming: Arming::new(),
            wanted: AtomicBool::new(false),
            stop: Mutex::new(stop),
            closed: AtomicBool::new(false),
            removed: AtomicBool::new(false),
            attached: true,
            thread: Mutex::default(),
        };
        session.enter(Phase::Running, "looking for the board");
        Arc::new(session)
    }

    /// Whether a person may arm and disarm it here.
    #[must_use]
    pub const fn is_attached(&self) -> bool {
        self.attached
    }

    fn thread(&self) -> std::sync::MutexGuard<'_, Option<JoinHandle<()>>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its number.
    #[must_use]
    pub const fn id(&self) -> SessionId {
        self.id
    }

    /// Its profile, or how its source was named.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// Its hands.
    #[must_use]
    pub const fn hands(&self) -> &HandsKey {
        &self.hands
    }

    /// What is known of it.
    #[must_use]
    pub const fn live(&self) -> &Arc<Live> {
        &self.live
    }

    /// Whether a person wants it armed.
    #[must_use]
    pub fn is_wanted_armed(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }

    /// A person arms or disarms it.
    pub fn arm(&self, armed: bool) {
        self.wanted.store(armed, Ordering::SeqCst);
        self.arming.ask(armed);
        self.begin_anew();
    }

    /// Stops the run, disarmed for good; returns at once.
    pub fn stop(&self, why: &str) {
        self.closed.store(true, Ordering::SeqCst);
        self.wanted.store(false, Ordering::SeqCst);
        self.switch().pull(why);
    }

    /// Stops it because a person asked for it.
    pub fn close(&self) {
        self.stop(ASKED);
    }

    /// Nobody can ask for it any more: whoever streams it is told, and its streams end.
    pub fn forget(&self) {
        self.removed.store(true, Ordering::SeqCst);
        self.live.changed();
        self.live.frame_changed();
    }

    /// Whether it was forgotten.
    #[must_use]
    pub fn is_removed(&self) -> bool {
        self.removed.load(Ordering::SeqCst)
    }

    /// Waits for its thread.
    pub fn join(&self) {
        let thread = self.thread().take();
        if let Some(thread) = thread {
            // Panics of a run are caught inside.
            let _ = thread.join();
        }
    }

    fn switch(&self) -> Stop {
        { self.stop.lock() }
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Whether it will never run again.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// What it was begun with, or what it has been given since; `None` for a run of somebody
    /// else's.
    #[must_use]
    pub fn plan(&self) -> Option<Arc<Plan>> {
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        plan.clone()
    }

    /// Gives it another plan: a run that is not armed is begun anew with it at once, one that is
    /// armed when it is disarmed. False, and nothing is changed, where it has another game or other
    /// hands: whoever has armed this session did not mean those.
    #[must_use]
    pub fn renew(&self, plan: Plan) -> bool {
        if hands_key(&plan.order) != self.hands || plan.order.game != self.game {
            return false;
        }
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(plan));
        self.stale.store(true, Ordering::SeqCst);
        self.begin_anew();
        true
    }

    /// Ends a run that goes by an older plan, unless a person has armed it.
    fn begin_anew(&self) {
        if self.stale.load(Ordering::SeqCst) && !self.is_wanted_armed() {
            self.switch().pull(RENEWED);
        }
    }

    /// Since when its loop has not turned, while it runs.
    #[must_use]
    pub fn silence(&self) -> Option<Duration> {
        self.pulse.silence()
    }

    /// Whether its thread has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.thread().as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn live_on(&self, alarm: &Alarm) {
        let mut pause = FIRST_PAUSE;
        let mut attempts = 0;
        while !self.is_closed() {
            let stop = Stop::new();
            *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
            self.stale.store(false, Ordering::SeqCst);
            let Some(plan) = self.plan().filter(|_| !self.is_closed()) else {
                break;
            };
            self.enter(Phase::Opening, "opening");
            let began = Instant::now();
            let attempt = Attempt::new(&self.live, &self.pulse, &self.arming, stop.clone());
            let opened = || self.enter(Phase::Running, "looking for the board");
            let once = || attempt.carry_out(&plan, &self.wanted, opened);
            let why = match catch_unwind(AssertUnwindSafe(once)) {
                Ok(Ok(ending)) if ending.complete => {
                    self.enter(Phase::Ended, &ending.why);
                    self.closed.store(true, Ordering::SeqCst);
                    return;
                }
                Ok(Ok(ending)) => ending.why,
                Ok(Err(error)) => format!("{error:#}"),
                Err(_) => {
                    self.arm(false);
                    "a fault in the program ended the run; the log has its place".to_owned()
                }
            };
            let reason = stop.reason().filter(|_| !self.is_closed());
            if reason == Some(RENEWED) {
                (pause, attempts) = (FIRST_PAUSE, 0);
                continue;
            }
            if let Some(reason) = reason {
                // Nobody asked here: it was the chord, the corner or the screen itself.
                self.stop(reason);
                alarm(reason);
            }
            if self.is_closed() {
                self.enter(Phase::Ended, &why);
                return;
            }
            if began.elapsed() >= LASTED {
                (pause, attempts) = (FIRST_PAUSE, 0);
            }
            attempts += 1;
            tracing::warn!(session = self.id, %why, ?pause, "a run has failed; it is tried again");
            self.keep_restart(&plan, &attempt, attempts, &why, pause);
            self.live.lock().restarts += 1;
            let words = format!("{why}; tried again in {} s", pause.as_secs());
            self.enter(Phase::Restarting, &words);
            let until = Instant::now() + pause;
            while Instant::now() < until && !stop.is_pulled() && !self.is_closed() {
                std::thread::sleep(GLANCE);
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        self.enter(Phase::Ended, ASKED);
    }

    /// Tells the journal, too. Where that is what has failed the log alone knows.
    fn keep_restart(
        &self,
        plan: &Plan,
        attempt: &Attempt,
        attempts: u32,
        why: &str,
        pause: Duration,
    ) {
        let restart = Restart {
            at_ms: wall::millis(SystemTime::now()),
            session: self.id,
            profile: self.profile.clone(),
            game: self.game.clone(),
            run: attempt.run(),
            attempt: attempts,
            why: why.to_owned(),
            pause_ms: pause.as_millis() as u64,
        };
        if let Err(error) = restarts::keep(&plan.settings.journal.path, &restart) {
            tracing::warn!(session = self.id, %error, "the journal does not keep why it has failed");
        }
    }

    fn enter(&self, phase: Phase, words: &str) {
        let mut inner = self.live.lock();
        inner.phase = phase;
        words.clone_into(&mut inner.words);
        if phase != Phase::Running {
            inner.armed = false;
            inner.fps = 0.0;
        }
        drop(inner);
        self.live.changed();
    }

    /// Its state, with what was told after the `since`th thing.
    #[must_use]
    pub fn state(&self, since: u64) -> State {
        let inner: &Inner = &self.live.lock();
        State {
            id: self.id,
            game: self.game.clone(),
            profile: self.profile.clone(),
            source: inner.source.clone(),
            policy: inner.policy.clone(),
            phase: inner.phase,
            words: inner.words.clone(),
            armed: inner.armed,
            frame: inner.frame_seq,
            size: inner.picture.as_ref().map(|p| [p.width(), p.height()]),
            fps: inner.fps,
            frames: inner.frames,
            latency_ms: inner.handled.mean().map(|s| s * 1e3),
            board: inner.board.clone(),
            decision: inner.decision.clone(),
            sent: inner.sent.clone(),
            tally: inner.tally,
            results: inner.results.iter().cloned().collect(),
            mismatches: inner.mismatches.clone(),
            restarts: inner.restarts,
            log: inner.since(since).cloned().collect(),
        }
    }
}

fn hands_key(order: &Order) -> HandsKey {
    match (&order.simulated, &order.hands) {
        (Some(_), _) => HandsKey::Own,
        (None, Some(HandsSpec::Relays(relays))) => HandsKey::Port(relays.line.port.clone()),
        (None, Some(HandsSpec::Usb(chip))) => HandsKey::Port(chip.line.port.clone()),
        // The kernel's virtual mouse moves the same pointer.
        (None, Some(HandsSpec::Screen(_) | HandsSpec::Kernel(_)) | None) => HandsKey::Screen,
    }
}
