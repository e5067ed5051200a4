//! Notices that a source is frozen: it does not answer, or shows the same picture for too long
//! although it should never be the same.
//!
//! Takes when a source last gave a sign of life and when its picture last changed; gives a
//! verdict. Must never look at a clock or at pixels itself.

use std::time::Duration;

use crate::types::{Feed, Time};

/// How long is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Without any answer, not even "nothing new".
    pub silence: Duration,
    /// With identical pixels. Only for sources whose pictures always differ: the noise of a
    /// camera's sensor changes some pixel of every exposure, so a picture repeated bit for bit
    /// comes out of a buffer. A screen may rightly stand still for ever: `None`.
    pub sameness: Option<Duration>,
}

impl Patience {
    /// For screens and files: only silence counts.
    pub const STILL: Self = Self {
        silence: Duration::from_secs(2),
        sameness: None,
    };

    /// For cameras.
    pub const LIVE: Self = Self {
        silence: Duration::from_secs(2),
        sameness: Some(Duration::from_secs(2)),
    };
}

/// What has been noticed of one source.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    patience: Patience,
    answered: Time,
    changed: Time,
}

impl Watch {
    /// Begins to watch; the source is taken to be alive now.
    #[must_use]
    pub const fn new(patience: Patience, now: Time) -> Self {
        Self {
            patience,
            answered: now,
            changed: now,
        }
    }

    /// The source has answered at `now`.
    pub fn answer(&mut self, feed: &Feed, now: Time) {
        self.answered = now;
        match feed {
            Feed::Frame(frame) if !frame.changed => {}
            // Whoever delivers nothing does not repeat itself either.
            Feed::Quiet => {}
            _ => self.changed = now,
        }
    }

    /// Whether the source must be taken as frozen.
    #[must_use]
    pub fn is_frozen(&self, now: Time) -> bool {
        now.since(self.answered) > self.patience.silence
            || self
                .patience
                .sameness
                .is_some_and(|limit| now.since(self.changed) > limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Frame, Hidden, Picture};
    use std::sync::Arc;

    fn frame(changed: bool) -> Feed {
        Feed::Frame(Frame {
            seq: 1,
            captured_at: Time::ZERO,
            source: "camera:0".into(),
            picture: Arc::new(Picture::default()),
            changed,
            placement: None,
            windows: None,
        })
    }

    /// The first millisecond at which a source that answers every 100 ms counts as frozen.
    fn frozen_at(patience: Patience, feed_at: impl Fn(u64) -> Option<Feed>) -> Option<u64> {
        let mut watch = Watch::new(patience, Time::ZERO);
        (0..10_000).find(|&ms| {
            if ms % 100 == 0
                && let Some(feed) = feed_at(ms)
            {
                watch.answer(&feed, Time::from_millis(ms));
            }
            watch.is_frozen(Time::from_millis(ms))
        })
    }

    #[test]
    fn only_cameras_must_change() {
        let stuck = |ms: u64| Some(frame(ms < 1000));
        assert_eq!(frozen_at(Patience::LIVE, stuck), Some(2901));
        assert_eq!(frozen_at(Patience::STILL, stuck), None);
        assert_eq!(frozen_at(Patience::LIVE, |_| Some(frame(true))), None);
        let hidden = |_| Some(Feed::Hidden(Hidden::Minimised));
        assert_eq!(frozen_at(Patience::LIVE, hidden), None);
    }

    #[test]
    fn everyone_must_answer() {
        let silent = |ms: u64| (ms < 500).then_some(Feed::Quiet);
        assert_eq!(frozen_at(Patience::STILL, silent), Some(2401));
        assert_eq!(frozen_at(Patience::STILL, |_| Some(Feed::Quiet)), None);
        // A camera that only says "nothing new" shows the same old picture.
        assert_eq!(frozen_at(Patience::LIVE, |_| Some(Feed::Quiet)), Some(2001));
    }
}
