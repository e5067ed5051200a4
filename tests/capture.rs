//! Capturing real windows of a real X server: what is delivered is what is on the screen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kibitzer::capture::frozen::Patience;
use kibitzer::capture::pace::Pace;
use kibitzer::capture::query::WindowQuery;
use kibitzer::capture::screen::{Area, ScreenSource};
use kibitzer::capture::slot;
use kibitzer::capture::window::WindowSource;
use kibitzer::types::{Clock, Feed, Frame, Hidden, Picture, Stop, SystemClock};
use x11rb::protocol::xproto::{ConfigureWindowAux, StackMode};

use crate::support::eye::{Eye, assert_pattern, failure, rect};
use crate::support::x11_window::{Plan, TestWindow, Xvfb, pattern, wait_for};

const SCREEN: &str = "800x600x24";

#[test]
fn the_screen_as_imagemagick_sees_it() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let _a = Plan::new("A", (37, 21, 301, 203)).open(&x);
    let _b = Plan::new("B", (250, 150, 333, 222)).open(&x);
    let Some(png) = x.run("import", &["-window", "root", "-depth", "8", "png:-"]) else {
        return;
    };
    let theirs = image::load_from_memory(&png).expect("a picture").to_rgb8();
    let theirs = Picture::from_rgb(&theirs);
    assert!(theirs.pixels().iter().any(|&p| p != 0));

    let clock = Arc::new(SystemClock::start());
    let open = |area: &str| {
        let area: Area = area.parse().expect("an area");
        ScreenSource::open(Some(&x.display), area, clock.clone(), Pace::default())
    };
    let mut whole = Eye::on(open("").expect("the screen"), &clock);
    assert!(*whole.frame().picture == theirs, "whole screen");

    let mut by_socket = open("1").expect("the first monitor");
    by_socket.use_socket();
    assert!(
        *Eye::on(by_socket, &clock).frame().picture == theirs,
        "through the socket"
    );

    let frame = Eye::on(open("30,10,200x100").expect("a region"), &clock).frame();
    assert!(*frame.picture == theirs.crop(30, 10, 200, 100), "region");

    let frame = Eye::on(open("-50,-20,200x100").expect("a region"), &clock).frame();
    assert!(
        frame.picture.crop(50, 20, 150, 80) == theirs.crop(0, 0, 150, 80),
        "across the edge"
    );
    let placement = frame.placement.expect("on a screen");
    assert_eq!(placement.visible, rect(50, 20, 150, 80));
    assert_eq!(placement.on_screen, rect(-50, -20, 200, 100));

    let mut outside = Eye::on(open("900,0,10x10").expect("a region"), &clock);
    assert!(matches!(
        outside.look(),
        Ok(Feed::Hidden(Hidden::OffScreen))
    ));
    let unknown = failure(open("HDMI-9"));
    assert!(
        unknown.contains("HDMI-9") && unknown.contains("there are: screen"),
        "{unknown}"
    );
}

#[test]
fn windows_are_found_with_and_without_a_manager() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let check = || {
        let a = Plan {
            class: "Alpha-game",
            ..Plan::new("Alpha", (40, 60, 120, 90))
        }
        .open(&x);
        let b = Plan::new("Alphabet soup", (300, 200, 140, 80)).open(&x);
        for query in [
            "Alpha",
            "alpha",
            "class:alpha-GAME",
            &format!("id:{}", a.id),
        ] {
            let frame = Eye::window(&x, query).expect(query).frame();
            let placement = frame.placement.expect("on a screen");
            assert_eq!(placement.window, Some(a.id), "{query}");
            let (left, top) = a.origin();
            assert_eq!(placement.on_screen, rect(left, top, 120, 90), "{query}");
            assert_pattern(&frame);
            assert_eq!(
                &*frame.source,
                format!(
                    "window:{}",
                    query.replace(&format!("id:{}", a.id), &format!("id:{:#x}", a.id))
                )
            );
        }
        let frame = Eye::window(&x, "SOUP")
            .expect("a part of the title")
            .frame();
        assert_eq!(frame.placement.expect("on a screen").window, Some(b.id));
        let several = failure(Eye::window(&x, "alph"));
        assert!(
            several.contains("several") && several.contains("\"Alphabet soup\""),
            "{several}"
        );
        let none = failure(Eye::window(&x, "=alpha"));
        assert!(
            none.contains("no window matches") && none.contains("Alpha-game"),
            "{none}"
        );
    };
    check();
    let Some(_manager) = x.openbox() else { return };
    check();
}

/// Everything that can happen to a window while it is watched.
fn life_of_a_window(x: &Xvfb, managed: bool) {
    let w = Plan::new("Life", (100, 80, 200, 150)).open(x);
    // A manager lists a window a moment after it has framed it.
    let until = Instant::now() + Duration::from_secs(5);
    let mut eye = loop {
        match Eye::window(x, "Life") {
            Ok(eye) => break eye,
            Err(e) => assert!(managed && Instant::now() < until, "{e:?}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let at = |f: &Frame| f.placement.expect("on a screen").on_screen;
    let first = eye.frame();
    assert!(first.changed);
    assert_pattern(&first);
    let second = eye.frame();
    assert!(!second.changed, "nothing was drawn");
    assert!(second.captured_at > first.captured_at && second.seq > first.seq);
    w.dot(5, 7, 0x12_3456);
    let third = eye.frame();
    assert!(third.changed, "a dot was drawn");
    assert_eq!(third.picture.at(5, 7), 0x12_3456);
    assert_eq!(
        first.picture.at(5, 7),
        pattern(5, 7),
        "a frame that is held does not change"
    );
    w.dot(5, 7, pattern(5, 7));

    w.move_to(200, 180);
    let frame = eye.frame_where("the move", |f| {
        at(f) != at(&first) && (at(f).x, at(f).y) == w.origin()
    });
    assert_pattern(&frame);

    w.configure(ConfigureWindowAux::new().width(170).height(130));
    let frame = eye.frame_where("the new size", |f| at(f).width == 170);
    assert_eq!((frame.picture.width(), frame.picture.height()), (170, 130));
    assert_pattern(&frame);

    // A popup that no manager knows covers one corner and goes again.
    let (left, top) = w.origin();
    let popup = Plan::popup((left as i16 + 150, top as i16 + 110, 60, 60)).open(x);
    let frame = eye.frame();
    assert!(
        frame.placement.expect("on a screen").obscured,
        "covered by a popup"
    );
    popup.move_to(600, 450);
    assert!(
        !eye.frame().placement.expect("on a screen").obscured,
        "the popup moved away"
    );
    popup.move_to(left + 10, top + 10);
    assert!(
        eye.frame().placement.expect("on a screen").obscured,
        "and back"
    );
    popup.unmap();
    let frame = eye.frame();
    assert!(
        !frame.placement.expect("on a screen").obscured,
        "the popup was closed"
    );
    assert_pattern(&frame);

    // Another window over it, then under it.
    let other = Plan::new("Other", (left as i16, top as i16, 90, 90)).open(x);
    other.configure(ConfigureWindowAux::new().stack_mode(StackMode::ABOVE));
    let covered = |f: &Frame| f.placement.expect("on a screen").obscured;
    eye.frame_where("being covered", covered);
    w.configure(ConfigureWindowAux::new().stack_mode(StackMode::ABOVE));
    if !managed {
        let frame = eye.frame_where("being on top", |f| !covered(f));
        assert_pattern(&frame);
    }
    other.destroy();
    eye.frame_where("being alone", |f| !covered(f));

    // Partly outside on the left and above, then on the right and below.
    for (x_to, y_to) in [(-60, -45), (700, 520)] {
        w.move_to(x_to, y_to);
        let frame = eye.frame_where("the edge", |f| {
            let p = f.placement.expect("on a screen");
            let cut = (p.visible.width, p.visible.height) != (170, 130);
            // A manager takes its time: this edge, not the one before.
            cut && (at(f).x, at(f).y) == w.origin() && (at(f).x < 0) == (x_to < 0)
        });
        assert_eq!(frame.picture.width(), 170, "a frame is the whole window");
        assert!(!covered(&frame));
        assert_pattern(&frame);
    }
    if !managed {
        // Managers do not let a window leave the screen.
        w.move_to(3000, 3000);
        eye.hidden_as(Hidden::OffScreen);
    }
    w.move_to(120, 90);
    assert_pattern(&eye.frame_where("coming back", |f| !covered(f) && at(f).x < 200));

    if managed {
        w.minimise();
        eye.hidden_as(Hidden::Minimised);
        w.map();
    } else {
        w.unmap();
        eye.hidden_as(Hidden::Minimised);
        w.map();
    }
    assert_pattern(&eye.frame_where("being mapped", |_| true));

    w.destroy();
    assert_eq!(eye.end(), "window closed: Life");
    assert_eq!(eye.end(), "window closed: Life", "and it stays closed");
}

#[test]
fn a_window_is_followed_without_a_manager() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    life_of_a_window(&x, false);
}

#[test]
fn a_window_is_followed_under_a_manager() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let Some(_manager) = x.openbox() else { return };
    life_of_a_window(&x, true);
}

#[test]
fn a_covered_window_shows_itself_under_a_compositor() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let w = Plan::new("Redirected", (100, 80, 200, 150)).open(&x);
    let popup = Plan::popup((150, 120, 60, 60)).open(&x);
    let mut eye = Eye::window(&x, "Redirected").expect("found");
    let covered = |f: &Frame| f.placement.expect("on a screen").obscured;
    let frame = eye.frame();
    assert!(covered(&frame), "covered from the start");
    assert_ne!(frame.picture.at(70, 60), pattern(70, 60), "the popup shows");
    w.redirect();
    let frame = eye.frame_where("its own pixels", |f| {
        f.picture.at(70, 60) == pattern(70, 60)
    });
    assert!(covered(&frame), "a click would still hit the popup");
    assert_pattern(&frame);
    popup.unmap();
    let frame = eye.frame();
    assert!(!covered(&frame));
    assert_pattern(&frame);
}

#[test]
fn pictures_are_written_again_when_nobody_holds_them() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let w = Plan::new("Busy", (100, 80, 200, 150)).open(&x);
    let mut eye = Eye::window(&x, "Busy").expect("found");
    let mut places: Vec<_> = (0..60)
        .map(|i| {
            w.dot(3, 4, i);
            let frame = eye.frame();
            assert_eq!(frame.picture.at(3, 4), i);
            Arc::as_ptr(&frame.picture)
        })
        .collect();
    places.sort();
    places.dedup();
    assert!(places.len() <= 3, "{} pictures for 60 frames", places.len());
}

#[test]
fn a_window_that_moves_all_the_time_is_never_misplaced() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let w: TestWindow = Plan::new("Restless", (0, 0, 100, 100)).open(&x);
    let mut eye = Eye::window(&x, "Restless").expect("found");
    // The picture is the window's own wherever it is; its size and place belong together.
    std::thread::scope(|s| {
        let moving = s.spawn(|| {
            for i in 0..400 {
                let side = 60 + i as u32 % 40;
                let aux = ConfigureWindowAux::new()
                    .x(i)
                    .y(i / 2)
                    .width(side)
                    .height(side);
                w.configure(aux);
            }
        });
        let mut seen = 0;
        while !moving.is_finished() {
            match eye.look() {
                Ok(Feed::Frame(f)) => {
                    let place = f.placement.expect("on a screen");
                    assert_eq!(place.on_screen.width, f.picture.width());
                    assert_pattern(&f);
                    seen += 1;
                }
                Ok(Feed::Quiet) => {}
                other => panic!("{other:?}"),
            }
        }
        println!("{seen} frames of a moving window");
    });
    assert_pattern(&eye.frame());
}

#[test]
fn the_server_dies() {
    let Some(mut x) = Xvfb::start(SCREEN) else {
        return;
    };
    let _w = Plan::new("Doomed", (0, 0, 100, 100)).open(&x);
    let clock = Arc::new(SystemClock::start());
    let (query, pace) = (
        WindowQuery::titled("Doomed"),
        Pace::new(Duration::from_millis(1)),
    );
    let source = WindowSource::open(Some(&x.display), &query, clock.clone(), pace.clone());
    let source = Box::new(source.expect("found"));
    let reader =
        slot::spawn(source, clock.clone(), Stop::new(), Patience::STILL).expect("a thread");
    let mut screen = Eye::on(
        ScreenSource::open(Some(&x.display), Area::Whole, clock.clone(), pace).expect("open"),
        &clock,
    );
    screen.frame();
    let soon = || clock.now() + Duration::from_secs(5);
    assert!(matches!(reader.wait(soon()), Ok(Feed::Frame(_))));
    x.kill();
    let mut error = String::new();
    wait_for("the loss to be told", || {
        if let Err(e) = reader.wait(soon()) {
            error = e.to_string();
        }
        !error.is_empty()
    });
    assert!(error.starts_with("the X server went away"), "{error}");
    assert!(failure(screen.look()).starts_with("the X server went away"));
    let reopened = failure(Eye::window(&x, "Doomed"));
    assert!(
        reopened.contains(&x.display) && reopened.contains("DISPLAY"),
        "{reopened}"
    );
}

#[test]
fn a_window_is_waited_for() {
    let Some(x) = Xvfb::start(SCREEN) else { return };
    let clock = Arc::new(SystemClock::start());
    let open = |patience: Duration| {
        let until = clock.now() + patience;
        let query = WindowQuery::titled("Late");
        WindowSource::open_before(
            Some(&x.display),
            &query,
            clock.clone(),
            Pace::default(),
            until,
        )
    };
    let none = failure(open(Duration::from_millis(50)));
    assert!(
        none.contains("there is no window on this display"),
        "{none}"
    );
    std::thread::scope(|s| {
        let opened = s.spawn(|| open(Duration::from_secs(10)).map(|w| w.window()));
        std::thread::sleep(Duration::from_millis(100));
        let w = Plan::new("Late", (0, 0, 100, 100)).open(&x);
        let found = opened.join().expect("no panic").expect("found");
        assert_eq!(found, w.id);
    });
}

#[test]
fn screens_of_few_colours_are_refused() {
    let Some(x) = Xvfb::start("320x240x16") else {
        return;
    };
    let clock = Arc::new(SystemClock::start());
    let source = ScreenSource::open(Some(&x.display), Area::Whole, clock, Pace::default());
    let error = failure(source);
    assert!(
        error.contains("its depth is 16") && error.contains("depth 24"),
        "{error}"
    );
}
