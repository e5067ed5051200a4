use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::types::BoardSight;
use crate::types::{Picture, Rect, Start, WindowName};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// A window of 200x100 at 300,400 that is looked at every 50 ms.
struct Desk {
    now: Time,
    frame: Frame,
    board: Option<BoardSight>,
    runner: Runner,
}

impl Desk {
    fn new(script: Script) -> Self {
        let on_screen = Rect {
            x: 300,
            y: 400,
            width: 200,
            height: 100,
        };
        let placement = Placement {
            on_screen,
            visible: Rect {
                x: 0,
                y: 0,
                ..on_screen
            },
            window: Some(7),
            obscured: false,
            pointer: None,
        };
        Self {
            now: Time::ZERO,
            frame: Frame {
                seq: 0,
                captured_at: Time::ZERO,
                source: "window:test".into(),
                picture: Arc::new(Picture::filled(200, 100, [40, 40, 40])),
                changed: false,
                placement: Some(placement),
                windows: None,
            },
            board: None,
            runner: Runner::new(script),
        }
    }

    /// One frame later.
    fn look(&mut self) -> Due {
        self.now = self.now + MS(50);
        self.frame.captured_at = self.now;
        let scene = Scene {
            frame: &self.frame,
            calibration: None,
            board: self.board,
        };
        self.runner.look(&scene, self.now)
    }

    /// Looks until something else comes than waiting, for at most so long.
    fn until(&mut self, limit: Duration) -> Due {
        let end = self.now + limit;
        loop {
            match self.look() {
                Due::Wait | Due::Nothing if self.now < end => {}
                due => return due,
            }
        }
    }

    /// The next step, made at once.
    fn made(&mut self) -> Planned {
        match self.until(MS(20_000)) {
            Due::Step(planned) => {
                self.runner.performed(self.now);
                planned
            }
            due => panic!("{due:?} at {:?}", self.now),
        }
    }

    fn open(&mut self, titles: &[&str]) {
        let window = |(title, id): (&&str, u32)| OtherWindow {
            id,
            title: (*title).to_owned(),
            class: ["test".into(), "Test".into()],
            rect: Rect {
                x: 10,
                y: 20,
                width: 101,
                height: 51,
            },
        };
        self.frame.windows = Some(titles.iter().zip(20..).map(window).collect());
    }

    /// Paints a square of a colour.
    fn paint(&mut self, rgb: [u8; 3]) {
        let mut picture = Picture::clone(&self.frame.picture);
        for y in 0..20 {
            for x in 0..40 {
                picture.set(100 + x, 50 + y, rgb);
            }
        }
        self.frame.picture = Arc::new(picture);
    }
}

fn step(act: Act) -> Step {
    Step {
        act,
        window: None,
        within: MS(1000),
    }
}

fn key(name: &str) -> Step {
    step(Act::Key(name.into()))
}

fn click(place: Place) -> Step {
    step(Act::Click(place))
}

fn red() -> Look {
    Look::Colour {
        rgb: [255, 0, 0],
        tolerance: 10,
        least: 0.01,
    }
}

fn again(steps: Vec<Step>) -> Script {
    Script {
        again: steps,
        ..Script::default()
    }
}

fn named(title: &str) -> Option<WindowName> {
    Some(WindowName {
        title: Some(title.into()),
        ..WindowName::default()
    })
}

fn dialog(window: &str, steps: Vec<Step>) -> Dialog {
    Dialog {
        name: "scores".into(),
        window: named(window),
        see: None,
        board: None,
        after: MS(300),
        steps,
    }
}

#[test]
fn steps_are_made_one_after_the_other() {
    let part = Place::Part(Point::new(0.5, 0.0));
    let mut desk = Desk::new(again(vec![key("n"), click(part), step(Act::Focus)]));
    assert_eq!(desk.look(), Due::Nothing, "nobody has asked");
    desk.runner.begin(Part::Again, desk.now);
    let first = desk.made();
    assert_eq!(first.words, "again 1: key n");
    assert_eq!((first.window, first.origin), (Some(7), Some((300, 400))));
    // The middle of the 200 pixels from 300, and the first row from 400.
    assert_eq!(
        desk.made().strokes,
        [Stroke::Click(Point::new(400.0, 400.5))]
    );
    assert_eq!(desk.made().strokes, [Stroke::Focus]);
    assert_eq!(desk.look(), Due::Done(Part::Again));
    assert_eq!(desk.look(), Due::Nothing);
}

#[test]
fn a_step_waits_for_what_it_needs_and_fails_in_time() {
    let mut desk = Desk::new(again(vec![click(Place::Seen(red())), key("n")]));
    desk.runner.begin(Part::Again, desk.now);
    assert_eq!(desk.until(MS(500)), Due::Wait);
    desk.paint([255, 0, 0]);
    let Stroke::Click(at) = desk.made().strokes[0] else {
        panic!("a click");
    };
    assert!(at.distance(Point::new(420.0, 460.0)) < 2.0, "{at:?}");
    desk.paint([0, 0, 0]);
    desk.made();
    assert_eq!(desk.look(), Due::Done(Part::Again));
    desk.runner.begin(Part::Again, desk.now);
    let Due::Failed(Part::Again, why) = desk.until(MS(5000)) else {
        panic!("it cannot be made");
    };
    let words =
        "again 1 (click #ff0000) could not be made within 1000 ms: #ff0000 is not to be seen";
    assert_eq!(why, words);
    assert_eq!(desk.look(), Due::Nothing, "given up");
}

/// A search takes its time, and on a busy machine longer than a frame stays fresh.
#[test]
fn what_was_found_is_clicked_on_a_later_frame_if_it_is_still_there() {
    let mut desk = Desk::new(again(vec![click(Place::Seen(red()))]));
    desk.runner.begin(Part::Again, desk.now);
    desk.paint([255, 0, 0]);
    let Due::Step(first) = desk.look() else {
        panic!("it is there");
    };
    // The gate has refused it. Elsewhere things move on.
    let mut picture = Picture::clone(&desk.frame.picture);
    picture.set(3, 3, [9, 9, 9]);
    desk.frame.picture = Arc::new(picture);
    desk.frame.changed = true;
    assert_eq!(desk.look(), Due::Step(first));
    desk.paint([0, 0, 200]);
    assert_eq!(desk.look(), Due::Wait, "it has gone");
}

#[test]
fn hands_that_are_refused_try_again_until_it_is_late() {
    let mut desk = Desk::new(again(vec![key("n")]));
    desk.runner.begin(Part::Again, desk.now);
    let mut tries = 0;
    let why = loop {
        match desk.look() {
            Due::Step(_) => {
                tries += 1;
                desk.runner.refused("a person holds the pointer");
            }
            Due::Failed(_, why) => break why,
            due => panic!("{due:?}"),
        }
    };
    assert_eq!(tries, 20, "every 50 ms for a second");
    assert!(why.ends_with("a person holds the pointer"), "{why}");
}

#[test]
fn pauses() {
    let steps = vec![
        step(Act::Wait(MS(400))),
        step(Act::Still(MS(200))),
        key("n"),
    ];
    let mut desk = Desk::new(again(steps));
    desk.runner.begin(Part::Again, desk.now);
    desk.frame.changed = true;
    while desk.now < Time::ZERO + MS(800) {
        assert_eq!(desk.look(), Due::Wait, "{:?}", desk.now);
    }
    desk.frame.changed = false;
    desk.made();
    assert_eq!(
        desk.now,
        Time::ZERO + MS(1050),
        "still for 200 ms, and one frame later"
    );
}

#[test]
fn other_windows() {
    let in_menu = |act| Step {
        window: named("menu"),
        ..step(act)
    };
    let corner = Place::Part(Point::new(1.0, 1.0));
    let mut desk = Desk::new(again(vec![
        in_menu(Act::Key("Return".into())),
        in_menu(Act::Click(corner)),
    ]));
    desk.runner.begin(Part::Again, desk.now);
    desk.open(&["Menu 1", "Menu 2"]);
    assert_eq!(desk.until(MS(500)), Due::Wait, "which of them?");
    desk.open(&["Notes", "Menu 2"]);
    let key = desk.made();
    assert_eq!((key.window, key.origin), (Some(21), Some((10, 20))));
    assert_eq!(key.words, "again 1: key Return in \"menu\"");
    // The last pixel of 101x51 at 10,20.
    assert_eq!(
        desk.made().strokes,
        [Stroke::Click(Point::new(110.5, 70.5))]
    );
}

#[test]
fn a_dialog_is_answered_when_it_stays_and_what_was_under_way_goes_on() {
    let script = Script {
        dialogs: vec![dialog("scores", vec![key("Escape")])],
        ..again(vec![key("n"), key("y")])
    };
    let mut desk = Desk::new(script);
    desk.open(&["High scores"]);
    assert_eq!(desk.until(MS(200)), Due::Nothing, "it may go by itself");
    desk.open(&[]);
    assert_eq!(desk.until(MS(1000)), Due::Nothing, "it did");
    desk.runner.begin(Part::Again, desk.now);
    assert_eq!(desk.made().words, "again 1: key n");
    desk.open(&["High scores"]);
    assert_eq!(desk.made().words, "dialog scores 1: key Escape");
    assert_eq!(desk.look(), Due::Done(Part::Dialog(0)));
    assert_eq!(desk.until(MS(500)), Due::Wait, "as long as it is there");
    desk.open(&[]);
    assert_eq!(desk.made().words, "again 2: key y");
}

#[test]
fn a_dialog_that_stays_is_answered_three_times() {
    let script = Script {
        dialogs: vec![dialog("scores", vec![key("Escape")])],
        ..Script::default()
    };
    let mut desk = Desk::new(script);
    desk.open(&["High scores"]);
    for _ in 0..3 {
        desk.made();
        assert_eq!(desk.look(), Due::Done(Part::Dialog(0)));
    }
    let words = "dialog scores is still there after 3 answers";
    assert_eq!(desk.until(MS(10_000)), Due::Stuck(words.into()));
}

#[test]
fn dialogs_by_the_board_and_by_what_is_seen() {
    let seen = Dialog {
        name: "seen".into(),
        window: None,
        see: Some(red()),
        board: Some(BoardSight::Absent),
        after: MS(100),
        steps: vec![key("s")],
    };
    let over = Dialog {
        name: "over".into(),
        see: None,
        board: Some(BoardSight::Over),
        steps: vec![key("o")],
        ..seen.clone()
    };
    let mut desk = Desk::new(Script {
        dialogs: vec![seen, over],
        start: Start::default(),
        again: Vec::new(),
    });
    desk.paint([255, 0, 0]);
    assert_eq!(desk.until(MS(1000)), Due::Nothing, "the board is there");
    desk.board = Some(BoardSight::Absent);
    assert_eq!(desk.made().words, "dialog seen 1: key s");
    desk.look();
    desk.board = Some(BoardSight::Over);
    assert_eq!(desk.made().words, "dialog over 1: key o");
    desk.look();
    assert_eq!(
        desk.until(MS(5000)),
        Due::Nothing,
        "once, though it is still over"
    );
    desk.board = None;
    desk.look();
    desk.board = Some(BoardSight::Over);
    assert_eq!(desk.made().words, "dialog over 1: key o");
}
