//! The thread that holds a camera: opens it, takes its newest pictures, and opens it again after
//! every kind of trouble.
//!
//! Takes an [`Opener`]; leaves the newest picture, or what is wrong, in a `Mail`. A camera can
//! hang in any call of its driver, so nobody but this thread ever calls it, and whoever reads the
//! mail sees by the thread's last sign of life that it hangs. Must never give up, and never keep a
//! picture that a newer one has overtaken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::super::pool::Pool;
use super::controls::Kept;
use crate::types::{CameraTrouble, Clock, Picture, Time};

/// How long one wait for a picture lasts, and so how soon the thread notices that it shall end.
const WAIT: Duration = Duration::from_millis(100);

/// A camera that gives no picture for so long hangs. Exposures in the dark take up to a second.
pub(super) const HANGS: Duration = Duration::from_secs(2);

/// The first pause before a camera is opened again, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));

/// A camera that has worked for so long is opened again after the first pause.
const WORKED: Duration = Duration::from_secs(5);

/// What is wrong with a camera.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Fault {
    /// Its kind.
    pub trouble: CameraTrouble,
    /// For a person: which camera, and what it said.
    pub text: String,
}

/// Opens a camera, as often as it is asked to.
pub trait Opener: Send {
    /// Opens it and agrees on all settings.
    ///
    /// # Errors
    /// What is wrong; it is tried again later.
    fn open(&mut self) -> Result<Box<dyn Opened>, Fault>;
}

/// A camera that is open. It is closed by dropping it. It need not be sent: it is opened and
/// dropped on the thread that uses it.
pub trait Opened {
    /// What is known of it.
    fn told(&self) -> &Told;

    /// Waits for the newest picture, at most about `limit`, and writes it into `into`.
    ///
    /// # Errors
    /// When the camera must be opened again.
    fn grab(&mut self, limit: Duration, into: &mut Picture) -> Result<Grab, Fault>;
}

/// What one wait for a picture came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grab {
    /// A picture.
    Picture {
        /// When it was exposed.
        captured_at: Time,
        /// Pictures that were lost or overtaken since the one before.
        missed: u64,
    },
    /// None within the limit.
    Nothing,
    /// One that is none, and why.
    Damaged(String),
}

/// What an opened camera says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// Its names.
    pub camera: String,
    /// The format that was agreed on.
    pub format: String,
    /// Pictures a second by that format, if it is known.
    pub rate: Option<f64>,
    /// What became of the controls.
    pub controls: Vec<Kept>,
}

/// Counts since the camera was first opened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Pictures that were taken.
    pub taken: u64,
    /// Pictures that were lost in the driver or overtaken before they were decoded.
    pub missed: u64,
    /// Buffers that were no pictures.
    pub damaged: u64,
    /// How often it was opened.
    pub opened: u64,
    /// Pictures a second by their times of exposure, those that were missed included; zero before
    /// the second.
    pub rate: f64,
}

/// A picture on its way.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    pub picture: Arc<Picture>,
    pub captured_at: Time,
    /// Whether it differs from the one before.
    pub changed: bool,
}

/// Between the two threads.
#[derive(Default)]
pub(super) struct Mail {
    inside: Mutex<Inside>,
    news: Condvar,
}

#[derive(Default)]
pub(super) struct Inside {
    /// The newest picture that has not been taken out.
    pub shot: Option<Shot>,
    /// What is wrong now; `None` while it works and before it is first opened.
    pub fault: Option<Fault>,
    /// What the camera said when it was last opened.
    pub told: Option<Told>,
    /// Counts.
    pub counts: Counts,
    /// Whether the camera repeats its last picture: it is to be opened again.
    pub frozen: bool,
    /// The thread's last sign of life.
    pub alive: Time,
    /// The thread shall end.
    pub quit: bool,
    /// It has closed the camera and ends.
    pub ended: bool,
}

impl Mail {
    pub fn lock(&self) -> MutexGuard<'_, Inside> {
        // Nothing in a critical section can panic halfway through a change.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for news, at most for `limit`.
    pub fn wait<'a>(
        &self,
        inside: MutexGuard<'a, Inside>,
        limit: Duration,
    ) -> MutexGuard<'a, Inside> {
        let waited = self.news.wait_timeout(inside, limit);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    pub fn tell(&self) {
        self.news.notify_all();
    }
}

/// The thread's side.
struct Grabber {
    opener: Box<dyn Opener>,
    clock: Arc<dyn Clock>,
    mail: Arc<Mail>,
    /// A picture that does not change for so long comes out of a buffer.
    sameness: Option<Duration>,
    pool: Pool,
    last: Option<Arc<Picture>>,
    changed_at: Time,
    /// It has repeated itself for too long, and has not changed since: opening it anew does not make
    /// the same picture a fresh one.
    stuck: bool,
    rate: Rate,
}

/// Starts the thread. It ends when [`Inside::quit`] is set, after the call that it is in.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn spawn(
    opener: Box<dyn Opener>,
    clock: Arc<dyn Clock>,
    sameness: Option<Duration>,
) -> std::io::Result<Arc<Mail>> {
    let mail = Arc::new(Mail::default());
    mail.lock().alive = clock.now();
    let mut grabber = Grabber {
        opener,
        changed_at: clock.now(),
        clock,
        mail: Arc::clone(&mail),
        sameness,
        pool: Pool::default(),
        last: None,
        stuck: false,
        rate: Rate::default(),
    };
    std::thread::Builder::new()
        .name("camera".into())
        .spawn(move || grabber.run())?;
    Ok(mail)
}

impl Grabber {
    fn run(&mut self) {
        let mut pause = PAUSES.0;
        while !self.quits() {
            let began = self.clock.now();
            let opened = guarded(|| self.opener.open());
            let fault = match opened {
                Ok(mut camera) => {
                    self.opened(camera.told().clone());
                    let ended = guarded(|| self.work(camera.as_mut()));
                    // Closing must not take the thread with it either.
                    let _ = catch_unwind(AssertUnwindSafe(|| drop(camera)));
                    if self.clock.now().since(began) > WORKED {
                        pause = PAUSES.0;
                    }
                    ended.err()
                }
                Err(fault) => Some(fault),
            };
            if let Some(fault) = fault {
                self.failed(fault);
            }
            self.rest(pause);
            pause = (pause * 2).min(PAUSES.1);
        }
        self.mail.lock().ended = true;
        self.mail.tell();
    }

    /// Takes pictures until the camera must be opened again.
    fn work(&mut self, camera: &mut dyn Opened) -> Result<(), Fault> {
        let mut good = self.clock.now();
        let mut damaged: Option<String> = None;
        self.changed_at = good;
        loop {
            if self.quits() {
                return Ok(());
            }
            let size = self.last.as_ref().map(|p| (p.width(), p.height()));
            let (width, height) = size.unwrap_or_default();
            let mut shared = self.pool.take(width, height);
            // The pool gives pictures that nobody else holds.
            let Some(picture) = Arc::get_mut(&mut shared) else {
                return Ok(());
            };
            let grabbed = camera.grab(WAIT, picture)?;
            let now = self.clock.now();
            self.mail.lock().alive = now;
            match grabbed {
                Grab::Picture {
                    captured_at,
                    missed,
                } => {
                    good = now;
                    damaged = None;
                    self.picture(shared, captured_at, missed, now)?;
                    continue;
                }
                Grab::Damaged(why) => {
                    self.mail.lock().counts.damaged += 1;
                    tracing::debug!(camera = %camera.told().camera, "a damaged picture: {why}");
                    damaged = Some(why);
                }
                Grab::Nothing => {}
            }
            self.pool.keep(shared);
            if now.since(good) > HANGS {
                let seconds = HANGS.as_secs();
                let name = &camera.told().camera;
                return Err(match damaged {
                    Some(why) => Fault {
                        trouble: CameraTrouble::Damaged,
                        text: format!("{name}: all pictures are damaged for {seconds} s: {why}"),
                    },
                    None => Fault {
                        trouble: CameraTrouble::Hanging,
                        text: format!("{name} has given no picture for {seconds} s"),
                    },
                });
            }
        }
    }

    /// Leaves a picture for the reader, unless the camera only repeats itself.
    fn picture(
        &mut self,
        picture: Arc<Picture>,
        captured_at: Time,
        missed: u64,
        now: Time,
    ) -> Result<(), Fault> {
        // The first pixels of two exposures differ already: this is soon over.
        let changed = self.last.as_ref().is_none_or(|last| *last != picture);
        if changed {
            self.changed_at = now;
            self.stuck = false;
        }
        let rate = self.rate.add(captured_at, missed);
        let same = now.since(self.changed_at);
        self.stuck |= self.sameness.is_some_and(|limit| same > limit);
        let frozen = self.stuck;
        self.pool.keep(Arc::clone(&picture));
        self.last = Some(Arc::clone(&picture));
        let mut inside = self.mail.lock();
        inside.counts.taken += 1;
        inside.counts.missed += missed;
        inside.counts.rate = rate;
        inside.frozen = frozen;
        if !frozen {
            inside.fault = None;
            inside.shot = Some(Shot {
                picture,
                captured_at,
                changed,
            });
        }
        drop(inside);
        self.mail.tell();
        // Opening it anew wakes some cameras up.
        let limit = self.sameness.unwrap_or(Duration::MAX);
        if frozen && same > limit.saturating_mul(3) {
            return Err(Fault {
                trouble: CameraTrouble::Hanging,
                text: format!("the same picture again and again for {} s", same.as_secs()),
            });
        }
        Ok(())
    }

    fn opened(&mut self, told: Told) {
        self.rate = Rate::default();
        let mut inside = self.mail.lock();
        inside.counts.opened += 1;
        inside.alive = self.clock.now();
        let again = inside.told.replace(told.clone());
        drop(inside);
        if again.as_ref() != Some(&told) {
            tracing::info!(camera = %told.camera, format = %told.format, "opened the camera");
            for kept in told.controls.iter().filter(|k| k.refused.is_some()) {
                tracing::warn!(camera = %told.camera, "{kept}");
            }
        }
    }

    fn failed(&mut self, fault: Fault) {
        let mut inside = self.mail.lock();
        if inside.fault.as_ref().map(|f| f.trouble) != Some(fault.trouble) {
            tracing::warn!(trouble = fault.trouble.name(), "{fault}");
        }
        inside.frozen = self.stuck && fault.trouble == CameraTrouble::Hanging;
        inside.fault = Some(fault);
        // What was seen before is no longer what there is to see.
        inside.shot = None;
        drop(inside);
        self.mail.tell();
    }

    fn quits(&self) -> bool {
        let mut inside = self.mail.lock();
        inside.alive = self.clock.now();
        inside.quit
    }

    /// Waits until it is time to open the camera again, or to end.
    fn rest(&self, pause: Duration) {
        let until = self.clock.now() + pause;
        let mut inside = self.mail.lock();
        loop {
            let now = self.clock.now();
            inside.alive = now;
            if inside.quit || now >= until {
                return;
            }
            inside = self.mail.wait(inside, until.since(now).min(WAIT));
        }
    }
}

/// Calls a camera; a panic below is a fault of it like any other: drivers say things that the
/// libraries between them and us do not know.
pub(super) fn guarded<T>(call: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        Err(Fault {
            trouble: CameraTrouble::Refusing,
            text: "the camera says something that is not understood (see the message above)"
                .to_owned(),
        })
    })
}

/// Pictures a second, over the last few.
#[derive(Debug, Default)]
struct Rate {
    since: Option<Time>,
    pictures: u64,
    rate: f64,
}

impl Rate {
    /// Over how long it is measured.
    const SPAN: Duration = Duration::from_secs(2);

    fn add(&mut self, at: Time, missed: u64) -> f64 {
        let Some(since) = self.since else {
            self.since = Some(at);
            return 0.0;
        };
        self.pictures += 1 + missed;
        let span = at.since(since);
        if !span.is_zero() {
            let rate = self.pictures as f64 / span.as_secs_f64();
            if span > Self::SPAN {
                (self.since, self.pictures) = (Some(at), 0);
                self.rate = rate;
            } else if self.rate == 0.0 {
                return rate;
            }
        }
        self.rate
    }
}
