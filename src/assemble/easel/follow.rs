//! A source that is followed on a thread of its own, as long as somebody looks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};

use super::Shot;
use crate::assemble::{Order, source};
use crate::capture::FrameSource;
use crate::capture::pace::Pace;
use crate::types::{Clock, Feed, Frame, Stop};

/// From one picture to the next: a person needs no more.
const CALM: Duration = Duration::from_millis(100);

/// How long the first picture is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// A source that nobody has looked at for this long is let go.
pub(super) const IDLE: Duration = Duration::from_secs(300);

#[derive(Debug)]
struct Seen {
    newest: Option<Shot>,
    /// Why there is nothing newer.
    trouble: Option<String>,
    asked: Instant,
}

/// The newest look at a source.
#[derive(Debug)]
pub(super) struct Follower {
    seen: Arc<Mutex<Seen>>,
    stop: Stop,
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.stop.pull("closed");
    }
}

impl Follower {
    /// Opens the source of an order and waits for its first picture.
    ///
    /// # Errors
    /// When it cannot be opened, or shows nothing.
    pub(super) fn open(order: &Order, clock: &Arc<dyn Clock>) -> anyhow::Result<Self> {
        let pace = Pace::new(CALM);
        let (mut source, _) = source(&order.source, clock, &pace, order.wait, false)?;
        let first = first(source.as_mut(), clock)?;
        let seen = Arc::new(Mutex::new(Seen {
            newest: Some(shot(&first, 1)),
            trouble: None,
            asked: Instant::now(),
        }));
        let stop = Stop::new();
        let (into, until, time) = (Arc::clone(&seen), stop.clone(), Arc::clone(clock));
        std::thread::Builder::new()
            .name("easel".to_owned())
            .spawn(move || follow(source.as_mut(), &into, &until, &time))?;
        Ok(Self { seen, stop })
    }

    /// The newest look, or why there is none.
    pub(super) fn shot(&self) -> Result<Shot, String> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.asked = Instant::now();
        match (&seen.trouble, &seen.newest) {
            (None, Some(shot)) => Ok(shot.clone()),
            (why, _) => Err(why.clone().unwrap_or_else(|| "it shows nothing".to_owned())),
        }
    }
}

fn shot(frame: &Frame, n: u64) -> Shot {
    Shot {
        n,
        picture: Arc::clone(&frame.picture),
        placement: frame.placement,
    }
}

/// The first frame of a source.
pub(super) fn first(source: &mut dyn FrameSource, clock: &Arc<dyn Clock>) -> anyhow::Result<Frame> {
    let deadline = clock.now() + PATIENCE;
    let mut why = "it delivers no picture".to_owned();
    while clock.now() < deadline {
        match source.next(deadline)? {
            Feed::Frame(frame) => return Ok(frame),
            Feed::Hidden(hidden) => why = format!("it is {hidden}"),
            Feed::Quiet => {}
            Feed::Ended(end) => bail!("{end}"),
        }
    }
    Err(anyhow!("there is no picture: {why}"))
}

fn follow(source: &mut dyn FrameSource, into: &Mutex<Seen>, stop: &Stop, clock: &Arc<dyn Clock>) {
    loop {
        let fed = source.next(clock.now() + CALM);
        let mut seen = into.lock().unwrap_or_else(PoisonError::into_inner);
        if stop.is_pulled() {
            return;
        }
        if seen.asked.elapsed() > IDLE {
            seen.trouble = Some("nobody looked for five minutes: open it again".to_owned());
            return;
        }
        match fed {
            Ok(Feed::Frame(frame)) => {
                let n = seen.newest.as_ref().map_or(0, |s| s.n) + u64::from(frame.changed);
                seen.newest = Some(shot(&frame, n.max(1)));
                seen.trouble = None;
            }
            Ok(Feed::Quiet) => {}
            Ok(Feed::Hidden(hidden)) => seen.trouble = Some(format!("it is {hidden}")),
            Ok(Feed::Ended(why)) => {
                seen.trouble = Some(why);
                return;
            }
            Err(error) => {
                seen.trouble = Some(error.to_string());
                return;
            }
        }
        drop(seen);
    }
}
