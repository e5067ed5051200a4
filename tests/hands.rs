//! Mouse, keyboard and emergency stop on a real X server: what programs get is what was asked.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::emergency::{EmergencyWatch, Triggers, watch};
use kibitzer::act::mouse::X11Mouse;
use kibitzer::act::release::release_everything;
use kibitzer::act::{ActError, Actuator};
use kibitzer::capture::FrameSource;
use kibitzer::capture::pace::Pace;
use kibitzer::capture::query::WindowQuery;
use kibitzer::capture::window::WindowSource;
use kibitzer::decide::{Facts, Gate, Limits};
use kibitzer::types::{Armed, Clock, Feed, Frame, Point, Stop, Stroke, SystemClock};

use crate::support::x11_window::{Plan, Xvfb, wait_for};
use crate::support::{alone, together};

const SCREEN: &str = "800x600x24";

/// Permission that lasts for a minute from now, or has just expired.
fn permit(clock: &SystemClock, valid: bool) -> Armed {
    let minute = Duration::from_secs(60);
    let expiry = if valid { minute } else { Duration::ZERO };
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: minute,
        expiry,
    };
    let now = clock.now();
    let facts = Facts {
        now,
        captured_at: now,
        certain: true,
        still: true,
        reachable: true,
    };
    Gate::new(true, limits).ask(&facts).expect("all is well")
}

struct Hands {
    clock: Arc<SystemClock>,
    mouse: X11Mouse,
}

impl Hands {
    fn on(x: &Xvfb) -> Self {
        let clock = Arc::new(SystemClock::start());
        let mouse = X11Mouse::open(Some(&x.display), clock.clone()).expect("hands");
        Self { clock, mouse }
    }

    fn try_to(&mut self, stroke: &Stroke, window: Option<u32>) -> Result<(), ActError> {
        let permit = permit(&self.clock, true);
        self.mouse.perform(stroke, window, &permit)
    }

    fn click(&mut self, x: f64, y: f64, window: u32) -> Result<(), ActError> {
        self.try_to(&Stroke::Click(Point::new(x, y)), Some(window))
    }

    fn key(&mut self, name: &str, window: u32) -> Result<(), ActError> {
        self.try_to(&Stroke::Key(name.into()), Some(window))
    }
}

#[test]
fn clicks_reach_the_window_and_only_the_window() {
    let _together = together();
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let check = || {
        let w = Plan::new("Target", (100, 80, 200, 150)).open(&x);
        let (left, top) = w.origin();
        let at = |dx: f64, dy: f64| (f64::from(left) + dx, f64::from(top) + dy);
        let mut hands = Hands::on(&x);
        w.events();
        let (px, py) = at(20.0, 30.99);
        hands.click(px, py, w.id).expect("a click");
        // A window manager may hold a press back until it has given the focus.
        let told = w.events_until("release");
        assert_eq!(told, ["press 1 at 20,30", "release 1 at 20,30"]);

        // A popup has come between look and click.
        let popup = Plan::popup((left as i16 + 10, top as i16 + 20, 50, 50)).open(&x);
        let error = hands.click(px, py, w.id).expect_err("the popup is there");
        assert!(
            matches!(error, ActError::NotTarget { wanted, found, .. }
                if wanted == w.id && found == popup.id),
            "{error}"
        );
        let (px, py) = at(120.0, 100.0);
        hands.click(px, py, w.id).expect("beside the popup");
        let told = w.events_until("release");
        assert_eq!(told, ["press 1 at 120,100", "release 1 at 120,100"]);
        assert!(
            popup.events().is_empty(),
            "nothing was pressed on the popup"
        );

        // Outside of it, and far outside of everything.
        let error = hands.click(5.0, 590.0, w.id).expect_err("not there");
        assert!(matches!(error, ActError::NotTarget { .. }), "{error}");
        let error = hands
            .click(5000.0, 100.0, w.id)
            .expect_err("beyond the screen");
        assert!(
            matches!(error, ActError::PointerElsewhere { .. }),
            "{error}"
        );
        for nowhere in [f64::NAN, -1.0, 1e12] {
            let error = hands
                .click(nowhere, 100.0, w.id)
                .expect_err("no such place");
            assert!(matches!(error, ActError::Unsupported(_)), "{error}");
        }
        assert!(w.events().is_empty(), "nothing was pressed");

        let late = permit(&hands.clock, false);
        let click = Stroke::Click(Point::new(px, py));
        let error = hands
            .mouse
            .perform(&click, Some(w.id), &late)
            .expect_err("too late");
        assert!(matches!(error, ActError::Expired), "{error}");
        assert!(w.events().is_empty(), "nothing was pressed");

        hands.mouse.set_target(Some(w.id));
        let valid = permit(&hands.clock, true);
        let hover = hands
            .mouse
            .hover(Point::new(px, py), &valid)
            .expect("a place");
        assert_eq!(
            (hover.over, hover.at.distance(Point::new(px, py)) < 1.0),
            (Some(w.id), true)
        );
        let (px, py) = at(20.0, 30.0);
        let hover = hands
            .mouse
            .hover(Point::new(px, py), &valid)
            .expect("a place");
        assert_eq!(hover.over, Some(popup.id));
        hands
            .try_to(&Stroke::Park(Point::new(700.0, 500.0)), None)
            .expect("a place to rest");
        assert_eq!(hands.mouse.last_move().places(), [Some((700, 500)), None]);
    };
    check();
    let Some(_manager) = x.openbox() else { return };
    check();
}

#[test]
fn keys_reach_the_window_wherever_the_focus_was() {
    let _together = together();
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let check = |managed: bool| {
        let w = Plan::new("Typist", (100, 80, 200, 150)).open(&x);
        let other = Plan::new("Other", (400, 80, 200, 150)).open(&x);
        if managed {
            // A busy manager gives it late, perhaps in the middle of a key.
            wait_for("the focus of a new window", || other.has_focus());
        }
        let mut hands = Hands::on(&x);
        other.events();
        let mut typed = |name: &str| -> Vec<String> {
            w.events();
            hands.key(name, w.id).expect(name);
            w.events()
        };
        // Keycodes of the server's built-in US layout.
        assert_eq!(typed("n"), ["key 57 state 0", "key up 57"]);
        assert_eq!(typed("Left"), ["key 113 state 0", "key up 113"]);
        let shifted = ["key 50 state 0", "key 57 state 1", "key up 57", "key up 50"];
        assert_eq!(typed("N"), shifted);
        let control = ["key 37 state 0", "key 57 state 4", "key up 57", "key up 37"];
        assert_eq!(typed("ctrl+n"), control);
        let both = [
            "key 37 state 0",
            "key 50 state 4",
            "key 57 state 5",
            "key up 57",
            "key up 50",
            "key up 37",
        ];
        assert_eq!(typed("ctrl+N"), both);
        assert!(other.events().is_empty(), "the other window got nothing");
        let error = hands
            .key("Lefft", w.id)
            .expect_err("no such key")
            .to_string();
        assert!(error.contains("Lefft"), "{error}");
        let error = hands
            .key("ж", w.id)
            .expect_err("not on this keyboard")
            .to_string();
        assert!(error.contains("no key for"), "{error}");
        assert!(w.events().is_empty(), "nothing was pressed");
        w.unmap();
        let error = hands
            .key("n", w.id)
            .expect_err("a window that cannot have the focus");
        assert!(matches!(error, ActError::NotTarget { .. }), "{error}");
    };
    check(false);
    let Some(_manager) = x.openbox() else { return };
    check(true);
}

#[test]
fn everything_is_released_on_every_way_out() {
    let _alone = alone();
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let w = Plan::new("Held", (0, 0, 300, 200)).open(&x);
    let mut hands = Hands::on(&x);
    hands.click(50.0, 50.0, w.id).expect("a click");
    hands.key("n", w.id).expect("a key");
    let held = |release: &mut dyn FnMut()| {
        w.events();
        if x.run("xdotool", &["keydown", "a", "mousedown", "1"])
            .is_none()
        {
            return;
        }
        w.events_until("press 1");
        assert!(
            !w.events().iter().any(|e| e.starts_with("release")),
            "still held"
        );
        release();
        let told = w.events_until("release 1");
        if !told.iter().any(|e| e == "key up 38") {
            w.events_until("key up 38");
        }
    };
    held(&mut || hands.mouse.release_all().expect("released"));
    held(&mut release_everything);
    let mut gone = Some(hands);
    held(&mut || drop(gone.take()));
    held(&mut || drop(Hands::on(&x)));
}

struct Emergency {
    stop: Stop,
    clock: Arc<SystemClock>,
    _watch: EmergencyWatch,
}

impl Emergency {
    fn on(x: &Xvfb, hands: Option<&Hands>) -> Self {
        let (stop, clock) = (Stop::new(), Arc::new(SystemClock::start()));
        let last = hands.map(|h| h.mouse.last_move());
        let triggers = Triggers::default();
        let made = watch(
            Some(&x.display),
            &triggers,
            last,
            clock.clone(),
            stop.clone(),
        );
        Self {
            stop,
            clock,
            _watch: made.expect("a watch"),
        }
    }

    fn reason(&self) -> String {
        let begun = self.clock.now();
        wait_for("the stop", || self.stop.is_pulled());
        let reason = self.stop.reason().expect("pulled").to_owned();
        println!("{:?} later: {reason}", self.clock.now().since(begun));
        reason
    }
}

#[test]
fn the_chord_and_the_corner_stop_everything() {
    let _alone = alone();
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let few_looks = Duration::from_millis(120);

    let e = Emergency::on(&x, None);
    if x.run("xdotool", &["keydown", "ctrl", "keydown", "alt"])
        .is_none()
    {
        return;
    }
    std::thread::sleep(few_looks);
    assert!(!e.stop.is_pulled(), "half a chord is none");
    x.run("xdotool", &["keydown", "x"]);
    assert!(e.reason().contains("ctrl+alt+x"), "{}", e.reason());
    x.run("xdotool", &["keyup", "x", "keyup", "alt", "keyup", "ctrl"]);

    let mut hands = Hands::on(&x);
    let e = Emergency::on(&x, Some(&hands));
    // Our own hands may go into a corner.
    hands
        .try_to(&Stroke::Park(Point::new(799.0, 599.0)), None)
        .expect("parked");
    std::thread::sleep(few_looks);
    hands
        .try_to(&Stroke::Park(Point::new(300.0, 300.0)), None)
        .expect("parked");
    std::thread::sleep(few_looks);
    assert!(!e.stop.is_pulled(), "{:?}", e.stop.reason());
    x.run("xdotool", &["mousemove", "0", "599"]);
    assert!(e.reason().contains("corner at 0,599"), "{}", e.reason());

    // Where the pointer rests at the start means nothing, nor does moving along the corner.
    let e = Emergency::on(&x, None);
    std::thread::sleep(few_looks);
    assert!(!e.stop.is_pulled(), "{:?}", e.stop.reason());

    let bad = Triggers {
        chord: Some("hyper+x".into()),
        corners: false,
    };
    let clock = Arc::new(SystemClock::start());
    let error = watch(Some(&x.display), &bad, None, clock, Stop::new()).expect_err("unknown");
    assert!(error.to_string().contains("hyper"), "{error}");
}

#[test]
fn hands_and_watch_survive_the_server() {
    let _alone = alone();
    let Some(mut x) = Xvfb::start(SCREEN) else {
        return;
    };
    let w = Plan::new("Doomed", (0, 0, 300, 200)).open(&x);
    let mut hands = Hands::on(&x);
    let e = Emergency::on(&x, Some(&hands));
    hands.click(50.0, 50.0, w.id).expect("a click");
    x.kill();
    assert!(e.reason().contains("X server went away"), "{}", e.reason());
    for stroke in [Stroke::Click(Point::new(9.0, 9.0)), Stroke::Key("n".into())] {
        let error = hands.try_to(&stroke, Some(w.id)).expect_err("gone");
        assert!(matches!(error, ActError::Gone(_)), "{error}");
    }
    assert!(matches!(hands.mouse.release_all(), Err(ActError::Gone(_))));
    release_everything();
    let clock = Arc::new(SystemClock::start());
    // Not the number of the server that is gone: another test's server may have taken it.
    let nowhere = ":64999";
    let error = X11Mouse::open(Some(nowhere), clock)
        .err()
        .expect("no display")
        .to_string();
    assert!(
        error.contains(nowhere) && error.contains("DISPLAY"),
        "{error}"
    );
}

#[test]
fn a_click_floods_a_real_game() {
    let _together = together();
    let Some(x) = Xvfb::start("1280x800x24") else {
        return;
    };
    let Some(_manager) = x.openbox() else { return };
    let Some(_game) = x.spawn("/usr/games/sgt-flood", &["14x14c6m5#42"]) else {
        return;
    };
    let clock = Arc::new(SystemClock::start());
    let until = clock.now() + Duration::from_secs(10);
    let query = WindowQuery::titled("Flood");
    let pace = Pace::new(Pace::EAGER);
    let mut eye = WindowSource::open_before(Some(&x.display), &query, clock.clone(), pace, until)
        .expect("the game's window");
    let window = eye.window();
    let mut frame = || -> Frame {
        match eye.next(clock.now() + Duration::from_secs(5)) {
            Ok(Feed::Frame(frame)) => frame,
            other => panic!("{other:?}"),
        }
    };
    // The middle of the cell at the top left, and of the nearest cell of another colour.
    let (left, top, pitch) = (16 + 16, 41 + 16, 32);
    let mut first = frame();
    wait_for("the board to be drawn", || {
        first = frame();
        first.picture.width() > left
            && first.picture.at(left, top) & 0xff_ffff != 0xd5_d5d5
            && first.picture.at(left, top) != 0
    });
    let colour = first.picture.at(left, top);
    let col = (1..14).find(|c| first.picture.at(left + c * pitch, top) != colour);
    let other = left + col.expect("two colours in a row") * pitch;
    let wanted = first.picture.at(other, top);
    let placement = first.placement.expect("on a screen");
    let px = Point::new(f64::from(other) + 0.5, f64::from(top) + 0.5);
    let at = placement.screen_from_px(px, first.picture.width(), first.picture.height());
    let mut hands = Hands::on(&x);
    hands.click(at.x, at.y, window).expect("a click");
    wait_for("the flood", || frame().picture.at(left, top) == wanted);
}
