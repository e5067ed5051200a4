//! Mouse and keyboard: whether they may be used, and with `--test-click` whether what they do
//! arrives and is seen.

use std::sync::Arc;
use std::time::Duration;

use super::finding::Finding;
use super::window::{Shown, TestWindow};
use crate::act::mouse::X11Mouse;
use crate::act::release;
use crate::act::{ActError, Actuator as _};
use crate::capture::pace::Pace;
use crate::capture::query::WindowQuery;
use crate::capture::window::WindowSource;
use crate::capture::{CaptureError, FrameSource as _};
use crate::decide::{Gate, Limits};
use crate::types::{Clock, Feed, Point, Stroke, SystemClock, Time};

/// How long something may take to be seen.
const PATIENCE: Duration = Duration::from_secs(3);

/// Looks.
pub(super) fn look(click: bool, tell: &mut dyn FnMut(Finding)) {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let mouse = match X11Mouse::open(None, Arc::clone(&clock)) {
        Ok(mouse) => mouse,
        Err(error) => {
            tell(Finding::fail(
                "hands",
                "mouse and keyboard",
                error.to_string(),
                "allow synthetic input: an X server with XTEST, and no sandbox between",
            ));
            return;
        }
    };
    let text = "this user may move the pointer and press keys";
    tell(Finding::ok("hands", "mouse and keyboard", text));
    if !click {
        return;
    }
    release::release_on_panic();
    let mut test = match Test::begin(mouse, &clock) {
        Ok(test) => test,
        Err(trouble) => {
            tell(trouble.finding("test click"));
            return;
        }
    };
    for (name, wanted) in [("test click", Shown::Clicked), ("test key", Shown::Typed)] {
        tell(match test.make(wanted) {
            Ok(took) => {
                let text = format!("seen {:.0} ms after it was made", took.as_secs_f64() * 1e3);
                Finding::ok("hands", name, text)
            }
            Err(trouble) => trouble.finding(name),
        });
    }
}

/// Why a test did not work.
enum Trouble {
    Hands(ActError),
    Eyes(CaptureError),
    Window(String),
    Unseen,
    Shut,
}

impl Trouble {
    fn finding(&self, name: &str) -> Finding {
        let (text, fix) = match self {
            Self::Hands(error) => (
                error.to_string(),
                "leave the mouse alone while this runs, and close what lies over the test window",
            ),
            Self::Eyes(error) => (
                error.to_string(),
                "mend what is wrong with the display first",
            ),
            Self::Window(error) => (
                format!("no test window could be opened: {error}"),
                "mend what is wrong with the display first",
            ),
            Self::Unseen => (
                "it was made, and the window did not show it within 3 s".to_owned(),
                "see whether something keeps synthetic input away (a screen lock, a remote \
                 desktop, a grab by another program)",
            ),
            Self::Shut => (
                "the gate did not let it through".to_owned(),
                "report this: it is a fault of Kibitzer's",
            ),
        };
        Finding::fail("hands", name, text, fix)
    }
}

impl From<ActError> for Trouble {
    fn from(error: ActError) -> Self {
        Self::Hands(error)
    }
}

impl From<CaptureError> for Trouble {
    fn from(error: CaptureError) -> Self {
        Self::Eyes(error)
    }
}

struct Test {
    mouse: X11Mouse,
    eyes: WindowSource,
    window: TestWindow,
    gate: Gate,
    clock: Arc<dyn Clock>,
    /// The window's middle on the screen.
    middle: Point,
    captured_at: Time,
}

impl Test {
    fn begin(mut mouse: X11Mouse, clock: &Arc<dyn Clock>) -> Result<Self, Trouble> {
        let window = TestWindow::open().map_err(Trouble::Window)?;
        let query = WindowQuery {
            id: Some(window.id()),
            ..WindowQuery::default()
        };
        let pace = Pace::new(Duration::from_millis(5));
        let deadline = clock.now() + PATIENCE;
        let time = Arc::clone(clock);
        let eyes = WindowSource::open_before(None, &query, time, pace, deadline)?;
        mouse.set_target(Some(window.id()));
        let limits = Limits {
            min_interval: Duration::ZERO,
            max_age: Duration::from_millis(500),
            expiry: Duration::from_secs(2),
        };
        let mut test = Self {
            mouse,
            eyes,
            window,
            gate: Gate::new(true, limits),
            clock: Arc::clone(clock),
            middle: Point::default(),
            captured_at: Time::ZERO,
        };
        test.see(Shown::Nothing)?;
        Ok(test)
    }

    /// Does it and waits until it is seen; how long that took.
    fn make(&mut self, wanted: Shown) -> Result<Duration, Trouble> {
        // A fresh look, at where the window is now.
        let before = match wanted {
            Shown::Typed => Shown::Clicked,
            Shown::Clicked | Shown::Nothing => Shown::Nothing,
        };
        self.see(before)?;
        let now = self.clock.now();
        let Ok(permit) = self.gate.ask_for_step(now, self.captured_at, true) else {
            return Err(Trouble::Shut);
        };
        let stroke = match wanted {
            Shown::Typed => Stroke::Key("space".to_owned()),
            Shown::Clicked | Shown::Nothing => Stroke::Click(self.middle),
        };
        let target = Some(self.window.id());
        let done = self.mouse.perform(&stroke, target, &permit);
        self.gate.ended(self.clock.now());
        done?;
        self.see(wanted)?;
        Ok(self.captured_at - now)
    }

    /// Waits until the window shows this.
    fn see(&mut self, wanted: Shown) -> Result<(), Trouble> {
        let until = self.clock.now() + PATIENCE;
        while self.clock.now() < until {
            let Feed::Frame(frame) = self.eyes.next(until)? else {
                continue;
            };
            let (w, h) = (frame.picture.width(), frame.picture.height());
            if w == 0 || h == 0 || frame.picture.rgb(w / 2, h / 2) != wanted.colour() {
                continue;
            }
            let Some(place) = frame.placement else {
                continue;
            };
            let middle = Point::new(f64::from(w) / 2.0, f64::from(h) / 2.0);
            self.middle = place.screen_from_px(middle, w, h);
            self.captured_at = frame.captured_at;
            return Ok(());
        }
        Err(Trouble::Unseen)
    }
}
