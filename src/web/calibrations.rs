//! Boards that are being calibrated, by number.
//!
//! Takes what somebody wants to look at and opens it; only what is listed, or runs here already.
//! Must never hold more than a few, nor one that nobody looks at.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::daemon::{Asked, Daemon, Refused};
use super::session::SessionId;
use crate::assemble::easel::{Easel, Shot, sources};
use crate::assemble::{Order, SourceSpec};
use crate::config::profile;
use crate::types::{Clock, SystemClock};

/// Counts from 1.
pub type CalibrationId = u32;

/// So many at most: each holds a source open.
const MOST: usize = 4;

/// One that nobody asked about for this long is closed.
const IDLE: Duration = Duration::from_secs(300);

/// Where there are as many as there may be, one that nobody asked about for this long makes room:
/// a page asks several times a second while somebody looks at it.
const LEFT: Duration = Duration::from_secs(20);

/// How long a window or camera may take to open.
const WAIT: Duration = Duration::from_secs(2);

/// What somebody wants to look at.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Wish {
    /// The id of a window that is listed.
    Window(u32),
    /// The name of a monitor that is listed, or `all`.
    Screen(String),
    /// The name of a camera that is listed.
    Camera(String),
    /// What a profile looks at.
    Profile(String),
    /// What a session sees.
    Session(SessionId),
}

/// One of them.
#[derive(Debug)]
pub struct Calibration {
    /// Its number.
    pub id: CalibrationId,
    /// What is looked at, in words.
    pub source: String,
    /// The picture and what is said of it.
    pub easel: Easel,
    asked: Mutex<Instant>,
}

/// All of them.
pub struct Calibrations {
    all: Mutex<(CalibrationId, BTreeMap<CalibrationId, Arc<Calibration>>)>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Calibrations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calibrations").finish_non_exhaustive()
    }
}

impl Default for Calibrations {
    fn default() -> Self {
        Self {
            all: Mutex::default(),
            clock: Arc::new(SystemClock::start()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wrong(error: impl std::fmt::Display) -> Refused {
    Refused::Wrong(format!("{error:#}"))
}

impl Calibrations {
    /// The clock by which they look.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    fn tidied(&self) -> MutexGuard<'_, (CalibrationId, BTreeMap<CalibrationId, Arc<Calibration>>)> {
        let mut all = lock(&self.all);
        all.1.retain(|_, c| lock(&c.asked).elapsed() < IDLE);
        all
    }

    /// All that are open.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<Calibration>> {
        self.tidied().1.values().cloned().collect()
    }

    /// One of them.
    ///
    /// # Errors
    /// When there is none with this number.
    pub fn get(&self, id: CalibrationId) -> Result<Arc<Calibration>, Refused> {
        let found = self.tidied().1.get(&id).cloned();
        let found = found.ok_or(Refused::Closed(id))?;
        *lock(&found.asked) = Instant::now();
        Ok(found)
    }

    /// Closes one.
    ///
    /// # Errors
    /// When there is none with this number.
    pub fn close(&self, id: CalibrationId) -> Result<(), Refused> {
        let removed = self.tidied().1.remove(&id);
        removed.map(|_| ()).ok_or(Refused::Closed(id))
    }

    /// Opens what is wished for.
    ///
    /// # Errors
    /// When there are too many, it is not there, or shows nothing.
    pub fn open(&self, daemon: &Arc<Daemon>, wish: &Wish) -> Result<Arc<Calibration>, Refused> {
        if !self.has_room() {
            let text = format!("{MOST} calibrations are open already: close one first");
            return Err(Refused::Conflict(text));
        }
        let (source, easel) = self.easel(daemon, wish)?;
        let mut all = self.tidied();
        all.0 += 1;
        let opened = Arc::new(Calibration {
            id: all.0,
            source,
            easel,
            asked: Mutex::new(Instant::now()),
        });
        all.1.insert(opened.id, Arc::clone(&opened));
        Ok(opened)
    }

    /// Whether another one may be opened; one that was left makes room.
    fn has_room(&self) -> bool {
        let mut all = self.tidied();
        if all.1.len() < MOST {
            return true;
        }
        let oldest = { all.1.values() }
            .map(|c| (lock(&c.asked).elapsed(), c.id))
            .max();
        match oldest {
            Some((since, id)) if since > LEFT => all.1.remove(&id).is_some(),
            _ => false,
        }
    }

    fn easel(&self, daemon: &Arc<Daemon>, wish: &Wish) -> Result<(String, Easel), Refused> {
        let settings = daemon.settings();
        let bare = |words: &str, source: SourceSpec| Order {
            wait: WAIT,
            // The board will say which game it is.
            ..Order::bare("calibrate", words.to_owned(), source, "", &settings)
        };
        let open = |words: String, now: SourceSpec, named: SourceSpec| {
            let easel = Easel::open(bare(&words, now), named, None, &self.clock);
            Ok((words, easel.map_err(wrong)?))
        };
        match wish {
            Wish::Window(id) => {
                let listed = sources();
                let gone = || Refused::Wrong("this window is not there any more".to_owned());
                let (now, named) = listed.window(*id).ok_or_else(gone)?;
                let title = listed.windows.iter().find(|w| w.id == *id);
                let title = title.map(|w| w.title.clone()).unwrap_or_default();
                open(title, now, named)
            }
            Wish::Screen(name) => {
                let listed = sources();
                if name != "all" && !listed.screens.iter().any(|s| s.name == *name) {
                    return Err(Refused::Wrong(format!("there is no monitor \"{name}\"")));
                }
                let all = if name == "all" { "" } else { name };
                let area = SourceSpec::Screen(all.parse().map_err(wrong)?);
                open(name.clone(), area.clone(), area)
            }
            Wish::Camera(name) => {
                let none = || Refused::Wrong(format!("there is no camera \"{name}\" that works"));
                let camera = sources().camera(name).ok_or_else(none)?;
                open(name.clone(), camera.clone(), camera)
            }
            Wish::Profile(name) => {
                let (order, base) = profile_of(daemon, name)?;
                if order.simulated.is_some() {
                    let text = "what this profile shows is simulated: begin a session with it, and \
                                calibrate that";
                    return Err(Refused::Conflict(text.to_owned()));
                }
                let named = order.source.clone();
                let order = Order {
                    wait: WAIT,
                    ..order
                };
                let easel = Easel::open(order, named, Some(base), &self.clock);
                Ok((name.clone(), easel.map_err(wrong)?))
            }
            Wish::Session(id) => {
                let session = daemon.session(*id).map_err(wrong)?;
                let state = session.state(u64::MAX);
                // One that was not begun with a profile can be looked at, too.
                let (order, base) = match profile_of(daemon, &state.profile) {
                    Ok((order, base)) => (order, Some(base)),
                    Err(_) => (bare(&state.profile, SourceSpec::Simulated), None),
                };
                let live = Arc::clone(session.live());
                let glance = move || {
                    let inner = live.lock();
                    let picture = inner.picture.clone();
                    let none = || format!("the session shows nothing yet: {}", inner.words);
                    Ok(Shot {
                        n: inner.frame_seq,
                        picture: picture.ok_or_else(none)?,
                        placement: None,
                    })
                };
                let easel = Easel::of(order, base, Box::new(glance));
                Ok((format!("{id}. {}", state.profile), easel))
            }
        }
    }
}

/// What a profile that is installed asks for, and the profile itself.
fn profile_of(daemon: &Daemon, name: &str) -> Result<(Order, profile::Profile), Refused> {
    if name.contains(['/', '\\']) || name.ends_with(".toml") {
        let text = "name a profile, not a file: GET /api/profiles lists them";
        return Err(Refused::Wrong(text.to_owned()));
    }
    let asked = Asked {
        profile: name.to_owned(),
        policy: None,
        games: None,
    };
    let order = daemon.order(&asked).map_err(wrong)?;
    let base = profile::load(name, &daemon.settings().folders).map_err(wrong)?;
    Ok((order, base))
}
