//! The mind of games that do not wait, with a scripted game: starting, keys, goals, knocks, ends.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::decide::{Gate, Limits};
use kibitzer::pipeline::eyes::Eyes;
use kibitzer::pipeline::live::{Goal, LiveMind, LiveTask};
use kibitzer::pipeline::mind::{Effect, Input, Mind};
use kibitzer::types::*;

/// What the scripted game is told and says; shared with the test.
#[derive(Default)]
struct Script {
    seen: u32,
    status: Option<Status>,
    keys: Vec<&'static str>,
    sent: Vec<(String, Time, Time)>,
    refused: Vec<String>,
    forgotten: u32,
    moves: u32,
    confidence: f32,
}

#[derive(Clone)]
struct Scripted(Arc<Mutex<Script>>);

impl Scripted {
    fn with<T>(&self, f: impl FnOnce(&mut Script) -> T) -> T {
        f(&mut self.0.lock().expect("sound"))
    }
}

impl LiveAgent for Scripted {
    fn game(&self) -> &'static str {
        "scripted"
    }
    fn policy(&self) -> &str {
        "none"
    }
    fn believed(&self) -> Option<BoardText> {
        Some(BoardText("....".into()))
    }
    fn text(&self, _: &Reading) -> BoardText {
        BoardText::default()
    }
    fn status(&self) -> Status {
        self.with(|s| s.status.unwrap_or(Status::Unknown))
    }
    fn forget(&mut self) {
        self.with(|s| s.forgotten += 1);
    }
    fn see(&mut self, _: &Reading, _: Time, _: &mut Vec<Finding>) {
        self.with(|s| s.seen += 1);
    }
    fn decide(&mut self, _: &Budget, _: Time) -> Option<Decision> {
        None
    }
    fn next_key(&mut self, _: Time) -> Option<String> {
        self.with(|s| (!s.keys.is_empty()).then(|| s.keys.remove(0).to_owned()))
    }
    fn sent(&mut self, key: &str, down: Time, up: Time) {
        self.with(|s| s.sent.push((key.to_owned(), down, up)));
    }
    fn refused(&mut self, key: &str) {
        self.with(|s| s.refused.push(key.to_owned()));
    }
    fn moves(&self) -> u32 {
        self.with(|s| s.moves)
    }
    fn confidence(&self) -> f32 {
        self.with(|s| s.confidence)
    }
    fn result_note(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }
}

/// A chequered board of 6x6 cells of 20 px at (x, y): something that is found and read.
fn board(x: u32, y: u32) -> Picture {
    let mut picture = Picture::filled(220, 200, [40, 44, 52]);
    for py in 0..120 {
        for px in 0..120 {
            let (col, row) = (px / 20, py / 20);
            let rgb = match (col * 7 + row * 5 + col * row) % 3 {
                0 => [220, 40, 40],
                1 => [40, 200, 60],
                _ => [40, 80, 230],
            };
            picture.set(i64::from(x + px), i64::from(y + py), rgb);
        }
    }
    picture
}

struct Table {
    mind: LiveMind,
    game: Scripted,
    seq: u64,
    now: Time,
}

impl Table {
    fn new(armed: bool, task: LiveTask) -> Self {
        let game = Scripted(Arc::default());
        game.with(|s| s.confidence = 1.0);
        let wanted = Wanted {
            kind: BoardKind::Cells,
            min: GridSize::new(4, 4),
            max: GridSize::new(10, 10),
            classes: (2, 6),
            size: None,
        };
        let limits = Limits {
            min_interval: Duration::ZERO,
            max_age: Duration::from_millis(500),
            expiry: Duration::from_millis(500),
        };
        let mind = LiveMind::new(
            Eyes::new(wanted),
            Box::new(game.clone()),
            Gate::new(armed, limits),
            task,
            Arc::new(ManualClock::default()),
        );
        Self {
            mind,
            game,
            seq: 0,
            now: Time::ZERO,
        }
    }

    /// A frame 40 ms after the last one.
    fn see(&mut self, picture: &Picture) -> Vec<Effect> {
        self.seq += 1;
        self.now = self.now + Duration::from_millis(40);
        let frame = Frame {
            seq: self.seq,
            captured_at: self.now,
            source: Arc::from("test"),
            picture: Arc::new(picture.clone()),
            changed: true,
            placement: None,
            windows: None,
        };
        self.tick(Input::Frame(&frame))
    }

    fn tick(&mut self, input: Input<'_>) -> Vec<Effect> {
        let mut out = Vec::new();
        self.mind.tick(input, self.now, &mut out);
        out
    }

    fn performed(&mut self) -> Vec<Effect> {
        let (down, up) = (self.now, self.now + Duration::from_millis(30));
        self.tick(Input::Performed { down, up })
    }
}

fn task() -> LiveTask {
    LiveTask {
        games: Some(1),
        start: Vec::new(),
        script: kibitzer::types::Script::default(),
        goal: None,
        budget: Budget::default(),
        give_up: Duration::from_secs(60),
        evidence: false,
    }
}

/// The strokes that were asked for.
fn strokes(effects: &[Effect]) -> Vec<String> {
    let acts = effects.iter().filter_map(|e| match e {
        Effect::Act(action, _) => Some(action.strokes.iter().map(ToString::to_string)),
        _ => None,
    });
    acts.flatten().collect()
}

fn causes(effects: &[Effect]) -> Vec<Cause> {
    let notes = effects.iter().filter_map(|e| match e {
        Effect::Note(Event::Mismatch { cause, .. }) => Some(*cause),
        _ => None,
    });
    notes.collect()
}

fn result(effects: &[Effect]) -> Option<GameResult> {
    effects.iter().find_map(|e| match e {
        Effect::Note(Event::Finished(result)) => Some(result.clone()),
        _ => None,
    })
}

#[test]
fn keys_go_out_one_by_one_and_the_next_when_the_last_is_made() {
    let mut table = Table::new(true, task());
    table.game.with(|s| {
        s.status = Some(Status::ToMove);
        s.keys = vec!["Left", "Up", "space"];
    });
    let picture = board(30, 40);
    assert_eq!(strokes(&table.see(&picture)), ["key Left"]);
    assert!(strokes(&table.see(&picture)).is_empty(), "one at a time");
    assert_eq!(strokes(&table.performed()), ["key Up"]);
    let sent = table.game.with(|s| s.sent.clone());
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0].0.as_str(), sent[0].1), ("Left", table.now));
    let refused = Input::Refused {
        cause: Cause::NotTarget,
        why: "another window".into(),
    };
    assert_eq!(causes(&table.tick(refused)), [Cause::NotTarget]);
    assert_eq!(table.game.with(|s| s.refused.clone()), ["Up"]);
    assert!(strokes(&table.see(&picture)).is_empty(), "a pause first");
}

#[test]
fn nothing_is_pressed_unarmed_or_in_doubt() {
    let picture = board(30, 40);
    for armed in [false, true] {
        let mut table = Table::new(armed, task());
        table.game.with(|s| {
            s.status = Some(Status::ToMove);
            s.keys = vec!["Left"];
            s.confidence = if armed { 0.3 } else { 1.0 };
        });
        for _ in 0..5 {
            assert!(strokes(&table.see(&picture)).is_empty(), "armed {armed}");
        }
        assert_eq!(table.game.with(|s| s.seen), 5);
    }
}

#[test]
fn a_goal_wins_and_an_end_loses() {
    let picture = board(30, 40);
    let goal = LiveTask {
        goal: Some(Goal::Pieces(3)),
        ..task()
    };
    let mut table = Table::new(true, goal);
    table.game.with(|s| s.status = Some(Status::ToMove));
    assert_eq!(result(&table.see(&picture)), None);
    table.game.with(|s| s.moves = 3);
    let effects = table.see(&picture);
    assert_eq!(result(&effects).expect("an end").result, Outcome::Won);
    let ended = |e: &Effect| matches!(e, Effect::End(end) if end.complete);
    assert!(effects.iter().any(ended));

    let mut table = Table::new(true, task());
    table.game.with(|s| s.status = Some(Status::ToMove));
    table.see(&picture);
    table
        .game
        .with(|s| s.status = Some(Status::Over(Outcome::Lost)));
    let lost = result(&table.see(&picture)).expect("an end");
    assert_eq!(lost.result, Outcome::Lost);
}

#[test]
fn a_game_is_started_where_none_runs_and_not_for_ever() {
    let picture = board(30, 40);
    let start = LiveTask {
        start: vec![Control::Key("Return".into())],
        ..task()
    };
    let mut table = Table::new(true, start);
    let (mut starts, mut ending) = (0, None);
    for _ in 0..2000 {
        let effects = table.see(&picture);
        if !strokes(&effects).is_empty() {
            assert_eq!(strokes(&effects), ["key Return"]);
            starts += 1;
            table.performed();
        }
        let ends = effects.into_iter().find_map(|e| match e {
            Effect::End(end) => Some(end),
            _ => None,
        });
        if ends.is_some() {
            ending = ends;
            break;
        }
    }
    assert_eq!(starts, 6, "a key may have to turn several pages");
    let ending = ending.expect("it gives up");
    assert!(ending.why.contains("started 6 times"), "{}", ending.why);
}

#[test]
fn a_board_that_makes_no_sense_is_looked_for_elsewhere() {
    let mut table = Table::new(true, task());
    table.game.with(|s| s.status = Some(Status::ToMove));
    table.see(&board(30, 40));
    let before = table.mind.calibration().expect("found").px_from_cell;
    let forgotten = table.game.with(|s| {
        s.confidence = 0.0;
        s.forgotten
    });
    let mut told = Vec::new();
    for _ in 0..20 {
        told.extend(causes(&table.see(&board(52, 61))));
    }
    assert_eq!(told, [Cause::BoardMoved]);
    let after = table.mind.calibration().expect("found").px_from_cell;
    let moved = before
        .map(Point::default())
        .distance(after.map(Point::default()));
    let wanted = 22f64.hypot(21.0);
    assert!((moved - wanted).abs() < 1.0, "moved by {moved}");
    assert_eq!(
        table.game.with(|s| s.forgotten),
        forgotten,
        "the same board"
    );
}
