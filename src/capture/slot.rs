//! The slot of one frame between a capturing thread and the loop: the newest frame wins.
//!
//! Takes a [`FrameSource`], runs it on a thread of its own and gives what it said last; frames
//! that nobody took in time are counted as dropped, never queued. An end or an error is never
//! overwritten and, once delivered, is all there is. Must never block the source.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::frozen::{Patience, Watch};
use super::{CaptureError, FrameSource};
use crate::types::{Clock, Feed, Hidden, SourceId, Stop, Time};

/// How long the source may wait in one call, and so how soon its thread notices that it is to
/// end.
const CALL: Duration = Duration::from_millis(100);

/// What lies between the two threads.
struct Slot {
    inside: Mutex<Inside>,
    filled: Condvar,
}

struct Inside {
    /// The newest frame or hidden state that has not been taken.
    newest: Option<Feed>,
    /// Why nothing will come any more.
    end: Option<End>,
    dropped: u64,
    watch: Watch,
    reader_gone: bool,
}

/// The last word of a source, which can be repeated.
#[derive(Clone)]
enum End {
    Ended(String),
    Open(String),
    Lost(String),
}

impl End {
    fn say(&self) -> Result<Feed, CaptureError> {
        match self.clone() {
            Self::Ended(why) => Ok(Feed::Ended(why)),
            Self::Open(why) => Err(CaptureError::Open(why)),
            Self::Lost(why) => Err(CaptureError::Lost(why)),
        }
    }
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        // Nothing in a critical section can panic halfway through a change.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts in what the source said; false when it need not say more.
    fn put(&self, said: Result<Feed, CaptureError>, now: Time) -> bool {
        let mut inside = self.lock();
        if inside.reader_gone || inside.end.is_some() {
            return false;
        }
        match said {
            Ok(feed) => {
                inside.watch.answer(&feed, now);
                match feed {
                    Feed::Quiet => return true,
                    Feed::Ended(why) => inside.end = Some(End::Ended(why)),
                    news => {
                        if let Some(Feed::Frame(_)) = inside.newest.replace(news) {
                            inside.dropped += 1;
                        }
                    }
                }
            }
            Err(CaptureError::Open(why)) => inside.end = Some(End::Open(why)),
            Err(CaptureError::Lost(why)) => inside.end = Some(End::Lost(why)),
        }
        let goes_on = inside.end.is_none();
        drop(inside);
        self.filled.notify_one();
        goes_on
    }
}

/// Starts the source on a thread of its own, which ends when the reader is dropped, when `stop`
/// is pulled, or with the source.
///
/// # Errors
/// [`CaptureError::Open`] if the system gives no thread.
pub fn spawn(
    mut source: Box<dyn FrameSource>,
    clock: Arc<dyn Clock>,
    stop: Stop,
    patience: Patience,
) -> Result<SlotReader, CaptureError> {
    let id = source.id();
    let slot = Arc::new(Slot {
        inside: Mutex::new(Inside {
            newest: None,
            end: None,
            dropped: 0,
            watch: Watch::new(patience, clock.now()),
            reader_gone: false,
        }),
        filled: Condvar::new(),
    });
    let writer = Arc::clone(&slot);
    let time = Arc::clone(&clock);
    std::thread::Builder::new()
        .name("capture".into())
        .spawn(move || {
            loop {
                if stop.is_pulled() {
                    let why = stop.reason().unwrap_or("stopped").to_owned();
                    writer.put(Ok(Feed::Ended(why)), time.now());
                    return;
                }
                // A source that panicked is not called again.
                let said = catch_unwind(AssertUnwindSafe(|| source.next(time.now() + CALL)))
                    .unwrap_or_else(|cause| {
                        Err(CaptureError::Lost(format!(
                            "the source {} failed by a fault of this program: {}",
                            source.id(),
                            panic_text(&*cause)
                        )))
                    });
                if !writer.put(said, time.now()) {
                    return;
                }
            }
        })
        .map_err(|e| CaptureError::Open(format!("no thread for the source {id}: {e}")))?;
    Ok(SlotReader { slot, clock, id })
}

fn panic_text(cause: &(dyn std::any::Any + Send)) -> &str {
    cause
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| cause.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// The loop's end of the slot. Dropping it ends the thread after the call it is in.
pub struct SlotReader {
    slot: Arc<Slot>,
    clock: Arc<dyn Clock>,
    id: SourceId,
}

impl SlotReader {
    /// The newest frame as soon as there is one, or what there is instead at `deadline`.
    ///
    /// # Errors
    /// That of the source, again at every call.
    pub fn wait(&self, deadline: Time) -> Result<Feed, CaptureError> {
        let mut inside = self.slot.lock();
        loop {
            let now = self.clock.now();
            if let Some(news) = inside.newest.take() {
                // A repeated picture of a hung camera must not pass as a fresh one.
                if matches!(news, Feed::Frame(_)) && inside.watch.is_frozen(now) {
                    return Ok(Feed::Hidden(Hidden::Frozen));
                }
                return Ok(news);
            }
            if let Some(end) = &inside.end {
                return end.say();
            }
            if now >= deadline {
                return Ok(if inside.watch.is_frozen(now) {
                    Feed::Hidden(Hidden::Frozen)
                } else {
                    Feed::Quiet
                });
            }
            inside = self
                .slot
                .filled
                .wait_timeout(inside, deadline.since(now))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Frames that were replaced by newer ones before anybody took them.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.slot.lock().dropped
    }
}

impl FrameSource for SlotReader {
    fn id(&self) -> SourceId {
        Arc::clone(&self.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        self.wait(deadline)
    }
}

impl Drop for SlotReader {
    fn drop(&mut self) {
        self.slot.lock().reader_gone = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Frame, Picture, SystemClock};
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// Says what the test sends; a closed channel hangs.
    struct Told {
        said: Receiver<Say>,
        gone: Sender<()>,
        seq: u64,
    }

    enum Say {
        Frame,
        Feed(Feed),
        Fail,
        Panic,
        Hang(Duration),
    }

    impl FrameSource for Told {
        fn id(&self) -> SourceId {
            "told".into()
        }
        fn next(&mut self, _: Time) -> Result<Feed, CaptureError> {
            match self.said.recv_timeout(Duration::from_millis(5)) {
                Ok(Say::Frame) => {
                    self.seq += 1;
                    Ok(Feed::Frame(Frame {
                        seq: self.seq,
                        captured_at: Time::ZERO,
                        source: self.id(),
                        picture: Arc::new(Picture::default()),
                        changed: self.seq == 1,
                        placement: None,
                        windows: None,
                    }))
                }
                Ok(Say::Feed(feed)) => Ok(feed),
                Ok(Say::Fail) => Err(CaptureError::Lost("cable pulled".into())),
                Ok(Say::Panic) => panic!("index out of range"),
                Ok(Say::Hang(time)) => {
                    std::thread::sleep(time);
                    Ok(Feed::Quiet)
                }
                Err(_) => Ok(Feed::Quiet),
            }
        }
    }

    impl Drop for Told {
        fn drop(&mut self) {
            let _ = self.gone.send(());
        }
    }

    struct Bench {
        say: Sender<Say>,
        gone: Receiver<()>,
        clock: Arc<SystemClock>,
        stop: Stop,
        reader: Option<SlotReader>,
    }

    impl Bench {
        fn new(patience: Patience) -> Self {
            let (say, said) = channel();
            let (send_gone, gone) = channel();
            let clock = Arc::new(SystemClock::start());
            let stop = Stop::new();
            let source = Told {
                said,
                gone: send_gone,
                seq: 0,
            };
            let reader =
                spawn(Box::new(source), clock.clone(), stop.clone(), patience).expect("a thread");
            Self {
                say,
                gone,
                clock,
                stop,
                reader: Some(reader),
            }
        }

        fn say(&self, what: Say) {
            self.say.send(what).expect("source listens");
        }

        fn hear(&self, within: Duration) -> String {
            let reader = self.reader.as_ref().expect("not dropped");
            match reader.wait(self.clock.now() + within) {
                Ok(Feed::Frame(f)) => format!("frame {}", f.seq),
                Ok(Feed::Quiet) => "quiet".into(),
                Ok(Feed::Hidden(how)) => how.to_string(),
                Ok(Feed::Ended(why)) => format!("ended: {why}"),
                Err(e) => format!("error: {e}"),
            }
        }

        fn thread_ends(&self) -> bool {
            self.gone.recv_timeout(Duration::from_secs(5)).is_ok()
        }
    }

    const LONG: Duration = Duration::from_secs(10);
    const SHORT: Duration = Duration::from_millis(40);

    #[test]
    fn the_newest_frame_wins_and_the_rest_is_counted() {
        let b = Bench::new(Patience::STILL);
        assert_eq!(b.hear(SHORT), "quiet");
        for _ in 0..5 {
            b.say(Say::Frame);
        }
        let reader = b.reader.as_ref().expect("there");
        while reader.dropped() < 4 {
            std::thread::yield_now();
        }
        assert_eq!(b.hear(LONG), "frame 5");
        assert_eq!(b.hear(SHORT), "quiet");
        assert_eq!(reader.dropped(), 4);
    }

    #[test]
    fn the_last_word_is_kept() {
        let b = Bench::new(Patience::STILL);
        b.say(Say::Frame);
        b.say(Say::Feed(Feed::Ended("window closed: Flood".into())));
        b.say(Say::Frame);
        assert!(b.thread_ends());
        assert_eq!(b.hear(LONG), "frame 1");
        assert_eq!(b.hear(LONG), "ended: window closed: Flood");
        assert_eq!(b.hear(LONG), "ended: window closed: Flood");
    }

    #[test]
    fn errors_and_panics_arrive() {
        let b = Bench::new(Patience::STILL);
        b.say(Say::Fail);
        assert_eq!(b.hear(LONG), "error: cable pulled");
        assert_eq!(b.hear(LONG), "error: cable pulled");
        assert!(b.thread_ends());

        let b = Bench::new(Patience::STILL);
        b.say(Say::Panic);
        let heard = b.hear(LONG);
        assert!(heard.starts_with("error: the source told"), "{heard}");
        assert!(heard.ends_with("index out of range"), "{heard}");
        assert!(b.thread_ends());
    }

    #[test]
    fn a_hung_source_is_told_and_may_come_back() {
        let patience = Patience {
            silence: Duration::from_millis(60),
            sameness: None,
        };
        let b = Bench::new(patience);
        b.say(Say::Hang(Duration::from_millis(400)));
        assert_eq!(b.hear(Duration::from_millis(200)), "frozen");
        b.say(Say::Frame);
        assert_eq!(b.hear(LONG), "frame 1");
    }

    #[test]
    fn a_repeated_camera_picture_is_frozen() {
        let patience = Patience {
            silence: LONG,
            sameness: Some(Duration::from_millis(30)),
        };
        let b = Bench::new(patience);
        b.say(Say::Frame);
        assert_eq!(b.hear(LONG), "frame 1");
        std::thread::sleep(Duration::from_millis(60));
        b.say(Say::Frame);
        assert_eq!(b.hear(LONG), "frozen");
    }

    #[test]
    fn hidden_windows_are_told() {
        let b = Bench::new(Patience::STILL);
        b.say(Say::Feed(Feed::Hidden(Hidden::Minimised)));
        assert_eq!(b.hear(LONG), "minimised");
    }

    #[test]
    fn the_thread_ends_with_its_reader_or_the_stop() {
        let mut b = Bench::new(Patience::STILL);
        b.reader = None;
        assert!(b.thread_ends());

        let b = Bench::new(Patience::STILL);
        b.stop.pull("key chord");
        assert!(b.thread_ends());
        assert_eq!(b.hear(LONG), "ended: key chord");
    }
}
