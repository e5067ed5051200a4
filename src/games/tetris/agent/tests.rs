//! Boards in, boards out: what is believed after a few frames.

use std::time::Duration;

use super::super::policies::by_name;
use super::super::rules::{Board, Kind, System};
use super::options::AgentOptions;
use super::paths::Ground;
use super::plan::{Planner, Start};
use super::turns::Turns;
use super::{FallPrior, TetrisAgent};
use crate::types::{
    Budget, CellReading, Control, Finding, GridSize, Label, LiveAgent, Reading, Status, Time,
};

/// A board of 6x8 as a reading: `.` empty, letters of kinds, `#` filled, `?` not read.
fn reading(text: &str) -> Reading {
    let cells: Vec<CellReading> = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '/')
        .map(|c| {
            let label = match c {
                '?' => Label::Unknown,
                '.' => Label::Class(0),
                '#' => Label::Class(8),
                c => Label::Class(Kind::from_letter(c).expect("a kind").number()),
            };
            let confidence = if label == Label::Unknown { 0.0 } else { 0.9 };
            CellReading { label, confidence }
        })
        .collect();
    assert_eq!(cells.len(), 48, "{text}");
    Reading {
        size: GridSize::new(6, 8),
        cells,
        beside: Vec::new(),
    }
}

/// An agent on a board of 6x8 at half a second per row, and the time.
struct Watched {
    agent: TetrisAgent,
    ms: u64,
    findings: Vec<Finding>,
}

impl Watched {
    /// Two frames of the same board make a belief.
    fn of(text: &str) -> Self {
        let options = AgentOptions {
            size: GridSize::new(6, 8),
            fall: FallPrior::Standard(Some(1)),
            next_shown: false,
            ..AgentOptions::default()
        };
        let agent = TetrisAgent::new(by_name("dt10").expect("a policy"), options);
        let mut watched = Self {
            agent,
            ms: 1000,
            findings: Vec::new(),
        };
        watched.look(text);
        watched.look(text);
        assert_eq!(watched.believed().as_deref(), Some(text));
        watched
    }

    fn look(&mut self, text: &str) {
        self.ms += 33;
        let at = Time::from_millis(self.ms);
        self.agent.see(&reading(text), at, &mut self.findings);
    }

    /// A key goes down now.
    fn press(&mut self, key: &str) {
        let at = Time::from_millis(self.ms);
        self.agent.sent(key, at, at + Duration::from_millis(30));
    }

    fn believed(&self) -> Option<String> {
        self.agent.believed().map(|b| b.0)
    }

    fn causes(&self) -> Vec<String> {
        self.findings.iter().map(|f| f.cause.to_string()).collect()
    }
}

const START: &str = "..OO../..OO../....../....../....../....../##..##/##.###";

#[test]
fn a_move_is_believed_when_it_is_seen() {
    let mut w = Watched::of(START);
    w.press("Left");
    w.look(START);
    let moved = ".OO.../.OO.../....../....../....../....../##..##/##.###";
    w.look(moved);
    assert_eq!(w.believed().as_deref(), Some(moved));
    assert_eq!(w.causes(), Vec::<String>::new());
}

#[test]
fn a_key_without_effect_is_lost_once_its_time_is_over() {
    let mut w = Watched::of(START);
    w.press("Left");
    w.look(START);
    w.look(START);
    assert_eq!(w.causes(), Vec::<String>::new());
    w.look(START);
    assert_eq!(w.causes(), ["key-lost"]);
    assert_eq!(w.believed().as_deref(), Some(START));
}

#[test]
fn a_key_that_acts_twice_is_doubled() {
    let mut w = Watched::of(START);
    w.press("Left");
    w.look(START);
    w.look(".OO.../.OO.../....../....../....../....../##..##/##.###");
    let twice = "OO..../OO..../....../....../....../....../##..##/##.###";
    w.look(twice);
    assert_eq!(w.causes(), ["key-doubled"]);
    assert_eq!(w.believed().as_deref(), Some(twice));
}

#[test]
fn a_drop_that_completes_rows_and_the_next_piece_are_followed() {
    let mut w = Watched::of("..OO../..OO../....../....../....../....../##..##/##..##");
    w.press("space");
    w.look("..OO../..OO../....../....../....../....../##..##/##..##");
    let gone = "....../....../....../....../....../....../....../......";
    w.look(gone);
    assert_eq!(w.believed().as_deref(), Some(gone));
    assert_eq!((w.agent.moves(), w.agent.rows()), (1, 2));
    w.ms += 500;
    let next = "..TTT./...T../....../....../....../....../....../......";
    w.look(next);
    assert_eq!(w.believed().as_deref(), Some(next));
    assert_eq!(w.causes(), Vec::<String>::new());
    assert_eq!(w.agent.status(), Status::ToMove);
}

#[test]
fn a_frame_of_two_moments_changes_nothing() {
    let mut w = Watched::of(START);
    w.press("Left");
    // The upper row is from before, the lower one from after.
    w.look("..OO../.OO.../....../....../....../....../##..##/##.###");
    assert_eq!(w.believed().as_deref(), Some(START));
    w.look(".OO.../.OO.../....../....../....../....../##..##/##.###");
    assert_eq!(w.causes(), Vec::<String>::new());
    // Nor does a drop of which the top is from before and the bottom from after.
    w.press("space");
    w.look(".OO.../.OO.../....../....../.OO.../.OO.../##..##/##.###");
    assert_eq!(w.causes(), Vec::<String>::new());
    let landed = "....../....../....../....../.OO.../.OO.../##..##/##.###";
    w.look(landed);
    assert_eq!(w.believed().as_deref(), Some(landed));
    assert_eq!(w.causes(), Vec::<String>::new());
}

#[test]
fn one_nonsensical_frame_is_forgotten() {
    let mut w = Watched::of(START);
    w.look("#.#.#./.#.#.#/#.#.#./.#.#.#/#.#.#./.#.#.#/#.#.#./.#.#.#");
    assert!(w.agent.confidence() < 0.5);
    w.look(START);
    assert!(w.agent.confidence() > 0.9);
    assert_eq!(w.believed().as_deref(), Some(START));
    assert_eq!(w.causes(), ["misread"]);
}

#[test]
fn what_cannot_be_read_changes_nothing_and_is_told_once() {
    let mut w = Watched::of(START);
    for _ in 0..3 {
        w.look("??????/??????/??????/....../....../....../##..##/##.###");
    }
    assert_eq!(w.believed().as_deref(), Some(START));
    assert_eq!(w.causes(), ["covered"]);
    w.ms += 500;
    w.look("??????/??????/??????/....../....../....../##..##/##.###");
    assert_eq!(w.believed(), None);
    assert!(w.agent.confidence() < 0.5);
    // It fell meanwhile and completed a row, and the next piece has fallen a row.
    let later = "....../..TTT./...T../....../....../....../..OO../##.###";
    w.look(later);
    w.look(later);
    assert_eq!(w.believed().as_deref(), Some(later));
}

#[test]
fn junk_is_believed_after_two_frames() {
    let mut w = Watched::of(START);
    let junk = "..OO../..OO../....../....../....../##..##/##.###/####.#";
    w.look(junk);
    assert!(w.agent.confidence() < 0.5);
    w.look(junk);
    assert_eq!(w.causes(), ["junk-row", "junk-row"]);
    assert_eq!(w.believed().as_deref(), Some(junk));
}

#[test]
fn another_game_is_noticed() {
    let mut w = Watched::of("..OO../..OO../....../....../####../####../##..##/##.###");
    let new = "..TTT./...T../....../....../....../....../....../......";
    w.look(new);
    w.look(new);
    assert_eq!(w.causes().last().map(String::as_str), Some("new-game"));
    assert_eq!(w.believed().as_deref(), Some(new));
    assert_eq!(w.agent.moves(), 0);
}

#[test]
fn a_piece_moved_by_somebody_is_believed_in_its_second_frame() {
    let mut w = Watched::of(START);
    let moved = "OO..../OO..../....../....../....../....../##..##/##.###";
    w.look(moved);
    assert_eq!(w.believed().as_deref(), Some(START));
    w.look(moved);
    assert_eq!(w.causes(), ["user-moved", "user-moved"]);
    assert_eq!(w.believed().as_deref(), Some(moved));
}

#[test]
fn a_monochrome_board_is_enough() {
    let mut w = Watched::of(
        "..##../..##../....../....../....../....../##..##/##.###"
            .replace('#', "O")
            .as_str(),
    );
    w.press("Right");
    w.look("...##./...##./....../....../....../....../##..##/##.###");
    let text = w.believed().expect("a belief");
    assert_eq!(&text[..13], "...OO./...OO.");
}

#[test]
fn keys_are_asked_for_until_the_piece_is_where_it_shall_fall() {
    let mut w = Watched::of("....../..OO../..OO../....../....../....../####../####..");
    let budget = Budget::default();
    let now = Time::from_millis(w.ms + 10);
    let decision = w.agent.decide(&budget, now).expect("a decision");
    assert_eq!(decision.action, "O turn 0 column 5");
    let keys = ["Right", "Right", "space"].map(|k| Control::Key(k.to_owned()));
    assert_eq!(decision.controls, keys);
    assert!(w.agent.decide(&budget, now).is_none(), "it is decided");
    assert_eq!(w.agent.next_key(now).as_deref(), Some("Right"));
    w.press("Right");
    let now = Time::from_millis(w.ms + 60);
    assert_eq!(w.agent.next_key(now).as_deref(), Some("Right"));
    w.ms += 60;
    w.press("Right");
    // The drop waits until it is seen, and until nothing can come late.
    let now = Time::from_millis(w.ms + 60);
    assert_eq!(w.agent.next_key(now), None);
    for _ in 0..5 {
        w.look("....../....OO/....OO/....../....../....../####../####..");
    }
    let now = Time::from_millis(w.ms + 10);
    assert_eq!(w.agent.next_key(now).as_deref(), Some("space"));
    w.agent.refused("space");
    assert_eq!(w.agent.next_key(now).as_deref(), Some("space"));
}

#[test]
fn every_place_can_be_reached_slowly_and_few_fast() {
    let system = System::standard();
    let turns = Turns::new(&system);
    let mut planner = Planner::default();
    let mut places = |pile: &Board, kind, ms: u64| {
        let mut clock = super::clock::FallClock::new(FallPrior::Fixed(Duration::from_millis(ms)));
        let spawn = system.spawn(kind, pile.cols(), pile.rows());
        let at = Time::from_millis(5000);
        clock.appeared(spawn.y, at, at);
        let start = Start {
            ground: Ground::new(pile, &system),
            clock: &clock,
            timing: AgentOptions::default().timing,
            piece: spawn,
            seen_at: at,
            now: at,
            turns_back: false,
            bold: false,
        };
        let mut all: Vec<_> = planner
            .explore(&start)
            .iter()
            .filter_map(|s| turns.placement(&system, s.landing, pile))
            .collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let empty = Board::empty(10, 20);
    assert_eq!(places(&empty, Kind::T, 500), 34);
    assert_eq!(places(&empty, Kind::I, 500), 17);
    assert_eq!(places(&empty, Kind::O, 50), 9);
    let mut high = Board::empty(10, 20);
    for y in 0..15 {
        for x in 0..10 {
            high.set(x, y, if (x + y) % 10 == 0 { 0 } else { 8 });
        }
    }
    let (slow, fast) = (places(&high, Kind::T, 500), places(&high, Kind::T, 50));
    assert_eq!(slow, 34);
    assert!(fast < 20, "{fast}");
}
