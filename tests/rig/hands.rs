//! Hands that fail, a loop that panics, a journal that is full: nothing stays pressed, nothing is
//! done twice, and the end says why.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kibitzer::act::{ActError, Actuator, Hover};
use kibitzer::pipeline::blocking::Blocking;
use kibitzer::pipeline::mind::Mind;
use kibitzer::pipeline::run::{Observer, Rig, run};
use kibitzer::types::*;

use super::scene::{Log, Parts, Scene};
use super::{orderly, won};

/// Hands that count releases and fail as told.
struct Clumsy {
    inner: Box<dyn Actuator>,
    released: Arc<AtomicU32>,
    fail: Fail,
}

/// What comes of a stroke instead of it.
type Fail = Box<dyn FnMut(&Stroke) -> Option<ActError> + Send>;

impl Actuator for Clumsy {
    fn perform(&mut self, s: &Stroke, w: Option<u32>, p: &Armed) -> Result<(), ActError> {
        match (self.fail)(s) {
            Some(error) => Err(error),
            None => self.inner.perform(s, w, p),
        }
    }
    fn hover(&mut self, at: Point, permit: &Armed) -> Result<Hover, ActError> {
        self.inner.hover(at, permit)
    }
    fn release_all(&mut self) -> Result<(), ActError> {
        self.released.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

fn clumsy(
    scene: Scene,
    fail: impl FnMut(&Stroke) -> Option<ActError> + Send + 'static,
) -> (Parts, Arc<AtomicU32>) {
    let mut parts = scene.parts();
    let released = Arc::new(AtomicU32::new(0));
    parts.hands = Box::new(Clumsy {
        inner: parts.hands,
        released: Arc::clone(&released),
        fail: Box::new(fail),
    });
    (parts, released)
}

#[test]
fn a_panic_in_the_loop_releases_everything() {
    struct Bomb(u32);
    impl Observer for Bomb {
        fn event(&mut self, _: Time, _: &Event, _: &dyn Mind) {}
        fn frame(&mut self, _: &Frame, _: &dyn Mind) {
            self.0 -= 1;
            assert_ne!(self.0, 0, "a fault of this program");
        }
    }
    let (parts, released) = clumsy(Scene::default(), |_| None);
    let fell = catch_unwind(AssertUnwindSafe(|| parts.run(&mut Bomb(15))));
    assert!(fell.is_err());
    assert_eq!(released.load(Ordering::SeqCst), 1);
}

#[test]
fn a_journal_that_cannot_be_written_stops_the_hands_and_says_so() {
    /// Full after so many events.
    struct Full(Log, u32);
    impl EventSink for Full {
        fn record(&mut self, at: Time, event: &Event) -> Result<(), SinkError> {
            if self.1 == 0 {
                return Err(SinkError("journal: disk full at /j: free space".into()));
            }
            self.1 -= 1;
            self.0.record(at, event)
        }
    }
    struct Heard(Vec<GameResult>);
    impl Observer for Heard {
        fn event(&mut self, _: Time, event: &Event, _: &dyn Mind) {
            if let Event::Finished(result) = event {
                self.0.push(result.clone());
            }
        }
        fn frame(&mut self, _: &Frame, _: &dyn Mind) {}
    }
    let strokes = Arc::new(AtomicU32::new(0));
    let made = Arc::clone(&strokes);
    let (parts, released) = clumsy(Scene::default(), move |_| {
        made.fetch_add(1, Ordering::SeqCst);
        None
    });
    let mut heard = Heard(Vec::new());
    let log = parts.log.clone();
    let rig = Rig {
        feeder: parts.feeder,
        hands: Some(Box::new(Blocking::new(
            parts.hands,
            Arc::clone(&parts.clock),
        ))),
        mind: parts.mind,
        journal: Box::new(Full(log.clone(), 20)),
        clock: parts.clock,
        stop: parts.stop,
        arming: Arming::new(),
        observer: &mut heard,
    };
    let error = run(rig, parts.started).expect_err("the disk is full");
    assert_eq!(error.to_string(), "journal: disk full at /j: free space");
    assert!(released.load(Ordering::SeqCst) >= 1);
    let recorded = log
        .all()
        .iter()
        .filter(|(_, e)| matches!(e, Event::Acted { .. }))
        .count();
    // A click and a park for each that was recorded, and none for one that was not.
    assert_eq!(strokes.load(Ordering::SeqCst), 2 * recorded as u32);
    assert_eq!(heard.0.len(), 1, "the game is told as aborted");
    assert_eq!(
        (heard.0[0].result, heard.0[0].why.as_str()),
        (Outcome::Aborted, "journal: disk full at /j: free space")
    );
}

#[test]
fn a_refused_move_is_the_same_move_later_and_no_retry() {
    // Refused for the first second, as by a window that lies over the board.
    let mut refusals = 5;
    let (parts, _) = clumsy(Scene::default(), move |stroke| match stroke {
        Stroke::Click(at) if refusals > 0 => {
            refusals -= 1;
            Some(ActError::NotTarget {
                wanted: 1,
                found: 2,
                x: at.x,
                y: at.y,
            })
        }
        _ => None,
    });
    let (report, log) = parts.play();
    assert_eq!(won(&report), 1, "{}", report.ending.why);
    orderly(&log);
    assert_eq!(log.causes(), [Cause::NotTarget], "told once");
    let first: Vec<(Time, u8)> = log
        .all()
        .into_iter()
        .filter_map(|(at, e)| match e {
            Event::Acted { retry, .. } => Some((at, retry)),
            _ => None,
        })
        .take(6)
        .collect();
    assert!(first.iter().all(|(_, retry)| *retry == 0), "{first:?}");
    let waits: Vec<Duration> = first.windows(2).map(|w| w[1].0 - w[0].0).collect();
    assert!(
        waits.windows(2).all(|w| w[1] > w[0]),
        "longer and longer: {waits:?}"
    );
}

#[test]
fn hands_that_stay_refused_are_named_in_the_end() {
    let scene = Scene {
        give_up: Duration::from_secs(3),
        ..Scene::default()
    };
    let (parts, _) = clumsy(scene, |stroke| match stroke {
        Stroke::Click(at) => Some(ActError::NotTarget {
            wanted: 1,
            found: 2,
            x: at.x,
            y: at.y,
        }),
        _ => None,
    });
    let (report, _) = parts.play();
    let why = &report.ending.why;
    assert!(
        why.starts_with("nothing could be done for 3 s: window 0x2 lies under"),
        "{why}"
    );
}

#[test]
fn a_click_that_was_made_is_not_made_again_because_parking_failed() {
    let (parts, _) = clumsy(Scene::default(), |stroke| {
        matches!(stroke, Stroke::Park(_)).then_some(ActError::Expired)
    });
    let (report, log) = parts.play();
    assert_eq!(won(&report), 1, "{}", report.ending.why);
    orderly(&log);
    assert_eq!(log.causes(), []);
}

#[test]
fn hands_that_cannot_do_it_end_the_run_with_their_words() {
    let (parts, released) = clumsy(Scene::default(), |_| {
        Some(ActError::Unsupported("there is no key Lefft".into()))
    });
    let (report, _) = parts.play();
    assert_eq!(report.ending.why, "there is no key Lefft");
    assert_eq!(report.games[0].result, Outcome::Aborted);
    assert!(released.load(Ordering::SeqCst) >= 1);
}
