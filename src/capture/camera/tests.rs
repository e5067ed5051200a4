//! What the source says of a camera that does what a test tells it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::grab::{Grab, Opened};
use super::*;
use crate::types::{Picture, SystemClock};

/// What the camera does next.
enum Do {
    /// It shows a picture of this grey.
    Show(u8),
    /// It shows none.
    Nothing,
    /// It shows a damaged one.
    Damage,
    /// It fails in this way.
    Fail(CameraTrouble),
    /// A library below falls over.
    Panic,
    /// A call into the driver takes this long.
    Hang(Duration),
}

/// Opens as it is told; `None` opens.
struct Bench {
    openings: Arc<Mutex<Vec<Option<CameraTrouble>>>>,
    acts: Arc<Mutex<Receiver<Do>>>,
    clock: Arc<SystemClock>,
}

struct Actor {
    acts: Arc<Mutex<Receiver<Do>>>,
    clock: Arc<SystemClock>,
    told: Told,
}

fn fault(trouble: CameraTrouble) -> Fault {
    let text = format!("/dev/video0 {}", trouble.name());
    Fault { trouble, text }
}

impl Opener for Bench {
    fn open(&mut self) -> Result<Box<dyn Opened>, Fault> {
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        let first = (!openings.is_empty()).then(|| openings.remove(0));
        if let Some(Some(trouble)) = first {
            return Err(fault(trouble));
        }
        Ok(Box::new(Actor {
            acts: Arc::clone(&self.acts),
            clock: Arc::clone(&self.clock),
            told: Told::default(),
        }))
    }
}

impl Opened for Actor {
    fn told(&self) -> &Told {
        &self.told
    }

    fn grab(&mut self, _: Duration, into: &mut Picture) -> Result<Grab, Fault> {
        let act = self
            .acts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv_timeout(
                // As soon as a real one would.
                Duration::from_millis(5),
            );
        match act {
            Ok(Do::Show(grey)) => {
                into.reshape(4, 3);
                into.pixels_mut().fill(u32::from(grey) * 0x01_01_01);
                Ok(Grab::Picture {
                    captured_at: self.clock.now(),
                    missed: 0,
                })
            }
            Ok(Do::Damage) => Ok(Grab::Damaged("half of it".into())),
            Ok(Do::Fail(trouble)) => Err(fault(trouble)),
            Ok(Do::Panic) => panic!("invalid colour space"),
            Ok(Do::Hang(time)) => {
                std::thread::sleep(time);
                Ok(Grab::Nothing)
            }
            Ok(Do::Nothing) | Err(_) => Ok(Grab::Nothing),
        }
    }
}

struct Test {
    acts: Sender<Do>,
    clock: Arc<SystemClock>,
    source: CameraSource,
}

impl Test {
    fn new(openings: &[Option<CameraTrouble>], sameness: Option<Duration>) -> Self {
        let (acts, told) = channel();
        let clock = Arc::new(SystemClock::start());
        let opener = Bench {
            openings: Arc::new(Mutex::new(openings.to_vec())),
            acts: Arc::new(Mutex::new(told)),
            clock: clock.clone(),
        };
        let source = CameraSource::with("camera:test", Box::new(opener), clock.clone(), sameness);
        Self {
            acts,
            clock,
            source: source.expect("a thread"),
        }
    }

    fn act(&self, act: Do) {
        self.acts.send(act).expect("the camera listens");
    }

    fn next(&mut self, within: Duration) -> String {
        let deadline = self.clock.now() + within;
        match self.source.next(deadline).expect("never an error") {
            Feed::Frame(frame) => format!("{} {}", frame.seq, frame.picture.rgb(0, 0)[0]),
            Feed::Hidden(Hidden::Camera(trouble)) => trouble.name().to_owned(),
            Feed::Hidden(hidden) => hidden.to_string(),
            Feed::Quiet => "quiet".to_owned(),
            Feed::Ended(why) => why,
        }
    }

    /// Asks until it hears something, `false` if it does not for long.
    fn hears(&mut self, wanted: &str) -> bool {
        let until = self.clock.now() + Duration::from_secs(20);
        while self.clock.now() < until {
            if self.next(Duration::from_millis(20)) == wanted {
                return true;
            }
        }
        false
    }
}

const LONG: Duration = Duration::from_secs(20);

#[test]
fn the_newest_picture_wins() {
    let mut t = Test::new(&[], None);
    t.act(Do::Show(10));
    assert_eq!(t.next(LONG), "1 10");
    assert_eq!(t.next(Duration::from_millis(10)), "quiet");
    for grey in [20, 30, 40] {
        t.act(Do::Show(grey));
    }
    while t.source.counts().taken < 4 {
        std::thread::yield_now();
    }
    assert_eq!(t.next(LONG), "2 40");
}

#[test]
fn each_trouble_is_told_and_passes() {
    for trouble in [
        CameraTrouble::Gone,
        CameraTrouble::Busy,
        CameraTrouble::Denied,
        CameraTrouble::Refusing,
    ] {
        // At the first opening, and when it already works.
        let mut t = Test::new(&[Some(trouble), Some(trouble), None, Some(trouble)], None);
        assert!(t.hears(trouble.name()), "{trouble:?}");
        let text = t.source.fault().map(|f| f.text);
        assert_eq!(text, Some(format!("/dev/video0 {}", trouble.name())));
        t.act(Do::Show(1));
        assert!(t.hears("1 1"), "{trouble:?}");
        t.act(Do::Fail(trouble));
        assert!(t.hears(trouble.name()), "{trouble:?}");
        t.act(Do::Show(2));
        assert!(t.hears("2 2"), "{trouble:?}");
        assert_eq!(t.source.counts().opened, 2);
    }
}

#[test]
fn a_picture_from_before_the_trouble_is_not_shown_after_it() {
    let mut t = Test::new(&[], None);
    t.act(Do::Show(7));
    t.act(Do::Fail(CameraTrouble::Gone));
    while t.source.fault().is_none() {
        std::thread::yield_now();
    }
    assert_eq!(t.next(Duration::ZERO), "gone");
}

#[test]
fn no_pictures_and_damaged_ones_are_different_troubles() {
    let mut t = Test::new(&[], None);
    t.act(Do::Show(1));
    assert!(t.hears("1 1"));
    assert!(t.hears("hanging"));
    t.act(Do::Show(2));
    assert!(t.hears("2 2"));
    let acts = t.acts.clone();
    let damages = std::thread::spawn(move || {
        for _ in 0..150 {
            let _ = acts.send(Do::Damage);
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    assert!(t.hears("damaged"));
    damages.join().expect("no panic");
    assert!(t.source.counts().damaged > 0);
    t.act(Do::Show(3));
    assert!(t.hears("3 3"));
}

#[test]
fn a_frozen_camera_is_told_and_opened_again() {
    let mut t = Test::new(&[], Some(Duration::from_millis(100)));
    let acts = t.acts.clone();
    let (enough, stop) = channel::<()>();
    let repeats = std::thread::spawn(move || {
        while stop.try_recv().is_err() {
            let _ = acts.send(Do::Show(5));
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    assert!(t.hears("1 5"));
    assert!(t.hears("frozen"));
    while t.source.counts().opened < 2 {
        std::thread::yield_now();
    }
    // The same picture as before is no fresh one because the camera was opened anew.
    for _ in 0..20 {
        assert_eq!(t.next(Duration::from_millis(10)), "frozen");
    }
    enough.send(()).expect("still repeating");
    repeats.join().expect("no panic");
    t.act(Do::Show(6));
    let until = t.clock.now() + LONG;
    let mut heard = t.next(Duration::from_millis(20));
    while !heard.ends_with(" 6") && t.clock.now() < until {
        heard = t.next(Duration::from_millis(20));
    }
    assert!(heard.ends_with(" 6"), "{heard}");
}

#[test]
fn a_library_that_falls_over_is_a_trouble_like_any_other() {
    let mut t = Test::new(&[], None);
    t.act(Do::Show(1));
    assert!(t.hears("1 1"));
    t.act(Do::Panic);
    assert!(t.hears("refusing"));
    t.act(Do::Show(2));
    assert!(t.hears("2 2"));
}

#[test]
fn a_driver_that_does_not_return_is_told_by_whoever_waits() {
    let mut t = Test::new(&[], None);
    t.act(Do::Show(1));
    assert!(t.hears("1 1"));
    t.act(Do::Hang(Duration::from_secs(4)));
    let began = t.clock.now();
    assert!(t.hears("hanging"));
    assert!(
        t.clock.now().since(began) < Duration::from_secs(4),
        "it waited for the driver"
    );
    t.act(Do::Show(2));
    assert!(t.hears("2 2"));
}

#[test]
fn the_thread_ends_with_the_source() {
    let t = Test::new(&[], None);
    let (acts, source) = (t.acts.clone(), t.source);
    drop(source);
    let until = t.clock.now() + LONG;
    while acts.send(Do::Nothing).is_ok() && t.clock.now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(acts.send(Do::Nothing).is_err(), "the camera is still held");
}
