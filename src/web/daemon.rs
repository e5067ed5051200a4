//! All sessions, by number.
//!
//! Must never let two armed sessions share the same hands: one would click where the other looks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::attempt::Plan;
use super::live::Phase;
use super::session::{HandsKey, Session, SessionId, State};
use crate::act::release::release_everything;
use crate::assemble::Order;
use crate::config::Settings;
use crate::types::Stop;

/// So many sessions at most: each has threads and a capture of its own.
const MOST: usize = 16;
/// How soon the end of a session is noticed.
const GLANCE: Duration = Duration::from_millis(2);

/// What somebody asks for.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The profile's name.
    pub profile: String,
    /// The policy; the usual one of the game, or the profile's, by default.
    #[serde(default)]
    pub policy: Option<String>,
    /// Games to play; as many as come by default.
    #[serde(default)]
    pub games: Option<u32>,
}

/// Makes an order, and the settings it runs with, of what was asked for.
pub type Maker = dyn Fn(&Asked) -> anyhow::Result<(Order, Settings)> + Send + Sync;

/// Why something asked for was not done.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// There is no such session.
    #[error("there is no session {0}")]
    Unknown(SessionId),
    /// There is no such calibration.
    #[error("there is no calibration {0}: it may have been closed, open its source again")]
    Closed(u32),
    /// The request itself is wrong.
    #[error("{0}")]
    Wrong(String),
    /// It contradicts what goes on.
    #[error("{0}")]
    Conflict(String),
}

/// The daemon.
pub struct Daemon {
    sessions: Mutex<(SessionId, BTreeMap<SessionId, Arc<Session>>)>,
    /// Who else has the mouse of the screen just now, and the switch that stops it.
    mouse: Mutex<Option<Stop>>,
    maker: Box<Maker>,
    settings: Mutex<Arc<Settings>>,
    own: Weak<Daemon>,
}

/// The mouse of the screen, taken for something else than a session.
#[derive(Debug)]
pub struct Mouse<'a> {
    daemon: &'a Daemon,
    /// Pulled by an emergency stop.
    pub stop: Stop,
}

impl Drop for Mouse<'_> {
    fn drop(&mut self) {
        let mouse = &self.daemon.mouse;
        *mouse.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl std::fmt::Debug for Daemon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daemon").finish_non_exhaustive()
    }
}

impl Daemon {
    /// A daemon without sessions.
    #[must_use]
    pub fn new(settings: Settings, maker: Box<Maker>) -> Arc<Self> {
        Arc::new_cyclic(|own| Self {
            sessions: Mutex::default(),
            mouse: Mutex::default(),
            maker,
            settings: Mutex::new(Arc::new(settings)),
            own: own.clone(),
        })
    }

    /// The settings of the daemon itself, as they were last taken up.
    #[must_use]
    pub fn settings(&self) -> Arc<Settings> {
        let settings = self.settings.lock();
        Arc::clone(&settings.unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes up settings that have changed, and profiles; says of each session what came of it.
    ///
    /// A session whose profile has become wrong goes on as before, and so does one with another
    /// game or other hands; an armed one goes on until it is disarmed.
    pub fn reload(&self, settings: Settings) {
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
        for session in self.sessions() {
            let Some(plan) = session.plan().filter(|_| !session.is_closed()) else {
                continue;
            };
            let whose = format!("session {} ({})", session.id(), plan.order.profile);
            let made = match (self.maker)(&plan.asked) {
                Ok((order, settings)) => Plan::new(plan.asked.clone(), order, settings),
                Err(error) => {
                    tracing::error!("{whose} goes on as before: {error:#}");
                    continue;
                }
            };
            if made.is_like(&plan) {
                continue;
            }
            if !session.renew(made) {
                tracing::warn!(
                    "{whose} goes on as before: its game or its hands have changed; remove it and \
                     begin another"
                );
            } else if session.is_wanted_armed() {
                tracing::info!("{whose} has changed; it is armed, so only when it is disarmed");
            } else {
                tracing::info!("{whose} has changed and is begun anew");
            }
        }
    }

    /// Which sessions' loops have not turned for this long, in words; a session that is being opened
    /// may wait for as long as its profile says.
    #[must_use]
    pub fn hung(&self, limit: Duration) -> Option<String> {
        let hangs = |s: &Arc<Session>| s.silence().is_some_and(|silence| silence > limit);
        let names: Vec<String> = { self.sessions().into_iter() }
            .filter(|s| hangs(s))
            .map(|s| format!("session {}", s.id()))
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// How many sessions there are and what they do, in one line.
    #[must_use]
    pub fn words(&self) -> String {
        let phases: Vec<(Phase, bool)> = { self.sessions().into_iter() }
            .map(|s| {
                let inner = s.live().lock();
                (inner.phase, inner.armed)
            })
            .collect();
        let count = |phase| phases.iter().filter(|(p, _)| *p == phase).count();
        format!(
            "sessions: {} running, {} armed, {} opening, {} restarting, {} ended",
            count(Phase::Running),
            phases.iter().filter(|(_, armed)| *armed).count(),
            count(Phase::Opening),
            count(Phase::Restarting),
            count(Phase::Ended),
        )
    }

    fn lock(&self) -> MutexGuard<'_, (SessionId, BTreeMap<SessionId, Arc<Session>>)> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a request comes to, without carrying it out.
    ///
    /// # Errors
    /// For a profile that is missing or wrong.
    pub fn order(&self, asked: &Asked) -> anyhow::Result<Order> {
        (self.maker)(asked).map(|(order, _)| order)
    }

    /// Takes the mouse of the screen for something else than a session: while this lives, none that
    /// moves it is armed, and an emergency stop pulls its switch.
    ///
    /// # Errors
    /// While somebody has it: a session that is armed, or another one like this.
    pub fn mouse(&self) -> Result<Mouse<'_>, Refused> {
        let all = self.lock();
        let has = |s: &&Arc<Session>| s.is_wanted_armed() && *s.hands() == HandsKey::Screen;
        if let Some(session) = all.1.values().find(has) {
            return Err(Refused::Conflict(format!(
                "session {} is armed and has the mouse: disarm it first",
                session.id()
            )));
        }
        let mut mouse = self.mouse.lock().unwrap_or_else(PoisonError::into_inner);
        if mouse.is_some() {
            return Err(Refused::Conflict("a click is under way".to_owned()));
        }
        let stop = Stop::new();
        *mouse = Some(stop.clone());
        Ok(Mouse { daemon: self, stop })
    }

    /// Begins a session, disarmed.
    ///
    /// # Errors
    /// For a profile that is missing or wrong, and when there are too many sessions.
    pub fn add(&self, asked: &Asked) -> Result<Arc<Session>, Refused> {
        let made = (self.maker)(asked);
        let (order, settings) = made.map_err(|e| Refused::Wrong(format!("{e:#}")))?;
        let plan = Plan::new(asked.clone(), order, settings);
        let own = self.own.clone();
        let alarm = Arc::new(move |why: &str| {
            if let Some(daemon) = own.upgrade() {
                daemon.emergency_stop(why);
            }
        });
        let mut all = self.lock();
        if all.1.len() >= MOST {
            let text = format!("there are {MOST} sessions already: remove one first");
            return Err(Refused::Conflict(text));
        }
        all.0 += 1;
        let id = all.0;
        let started = Session::start(id, plan, alarm);
        let session = started.map_err(|e| Refused::Conflict(format!("{e:#}")))?;
        all.1.insert(id, Arc::clone(&session));
        Ok(session)
    }

    /// Shows a run that goes on elsewhere in this program; `stop` stops it.
    #[must_use]
    pub fn attach(&self, game: &str, profile: &str, stop: Stop) -> Arc<Session> {
        let mut all = self.lock();
        all.0 += 1;
        let session = Session::attached(all.0, game, profile, stop);
        all.1.insert(session.id(), Arc::clone(&session));
        session
    }

    /// All sessions, in order.
    #[must_use]
    pub fn sessions(&self) -> Vec<Arc<Session>> {
        self.lock().1.values().cloned().collect()
    }

    /// The state of all.
    #[must_use]
    pub fn states(&self) -> Vec<State> {
        let brief = |s: &Arc<Session>| s.state(u64::MAX);
        self.sessions().iter().map(brief).collect()
    }

    /// One session.
    ///
    /// # Errors
    /// When there is none with this number.
    pub fn session(&self, id: SessionId) -> Result<Arc<Session>, Refused> {
        let found = self.lock().1.get(&id).cloned();
        found.ok_or(Refused::Unknown(id))
    }

    /// A session that goes on by this profile.
    #[must_use]
    pub fn session_of(&self, profile: &str) -> Option<Arc<Session>> {
        let plays = |s: &&Arc<Session>| s.profile() == profile && !s.is_closed();
        self.lock().1.values().find(plays).cloned()
    }

    /// Stops a session and forgets it.
    ///
    /// # Errors
    /// When there is none with this number.
    pub fn remove(&self, id: SessionId) -> Result<(), Refused> {
        let removed = self.lock().1.remove(&id);
        let session = removed.ok_or(Refused::Unknown(id))?;
        session.close();
        session.join();
        session.forget();
        Ok(())
    }

    /// Arms or disarms a session.
    ///
    /// # Errors
    /// When there is none, or another armed one has the same hands.
    pub fn arm(&self, id: SessionId, armed: bool) -> Result<Arc<Session>, Refused> {
        let session = self.session(id)?;
        if session.is_attached() {
            let text = "the command that runs this game has decided whether it is armed";
            return Err(Refused::Conflict(text.to_owned()));
        }
        if armed && session.is_closed() {
            let text = format!("session {id} has ended: remove it and begin another");
            return Err(Refused::Conflict(text));
        }
        let all = self.lock();
        let shares =
            |s: &&Arc<Session>| s.id() != id && s.is_wanted_armed() && s.hands() == session.hands();
        let other = all.1.values().find(shares);
        let taken = self.mouse.lock().unwrap_or_else(PoisonError::into_inner);
        if armed && *session.hands() == HandsKey::Screen && taken.is_some() {
            let text = "a click is being tried: arm it in a moment";
            return Err(Refused::Conflict(text.to_owned()));
        }
        let own = matches!(session.hands(), HandsKey::Own);
        if let Some(other) = other.filter(|_| armed && !own) {
            return Err(Refused::Conflict(format!(
                "session {} is armed and has the same hands: disarm it first",
                other.id()
            )));
        }
        session.arm(armed);
        Ok(Arc::clone(&session))
    }

    /// Stops everything at once: no session acts any more, and none is armed again by itself.
    pub fn emergency_stop(&self, why: &str) {
        for session in self.sessions() {
            session.stop(why);
        }
        let mouse = self.mouse.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stop) = &*mouse {
            stop.pull(why);
        }
        drop(mouse);
        // Not on this thread: a screen that does not answer would hold it for ever.
        std::thread::spawn(release_everything);
    }

    /// Ends all sessions and waits for them, but no longer than this. Returns those that have not
    /// ended; one that is still being opened holds nothing and is not waited for.
    pub fn close(&self, within: Duration) -> Vec<Arc<Session>> {
        let mut left = self.sessions();
        left.iter().for_each(|s| s.close());
        let until = Instant::now() + within;
        loop {
            left.retain(|s| !s.is_over());
            let opening = |s: &Arc<Session>| s.live().lock().phase == Phase::Opening;
            if left.iter().all(opening) {
                return Vec::new();
            }
            if Instant::now() >= until {
                left.retain(|s| !opening(s));
                return left;
            }
            std::thread::sleep(GLANCE);
        }
    }
}
