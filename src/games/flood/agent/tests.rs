//! Stories told about boards: ASCII boards in, stories out.

use super::*;
use crate::games::flood::policies::Lookahead;
use crate::types::{CellReading, GridSize};

/// `?` is a cell that could not be read.
fn seen(text: &str) -> Reading {
    let rows: Vec<&str> = text.split('/').collect();
    let cells = text.chars().filter(|c| *c != '/').map(|c| CellReading {
        label: colour_of(c).map_or(Label::Unknown, Label::Class),
        confidence: 1.0,
    });
    Reading {
        size: GridSize::new(rows[0].len() as u16, rows.len() as u16),
        cells: cells.collect(),
        beside: Vec::new(),
    }
}

fn agent_with(options: AgentOptions) -> FloodAgent {
    FloodAgent::new(Box::new(Lookahead::new(4)), options)
}

fn agent() -> FloodAgent {
    agent_with(AgentOptions::default())
}

/// Interprets and accepts, as the loop does with a certain board.
fn look(agent: &mut FloodAgent, text: &str) -> Story {
    let reading = seen(text);
    let story = agent.interpret(&reading);
    agent.accept(&reading, &story);
    story
}

fn commit(agent: &mut FloodAgent, action: &str) {
    let decision = Decision {
        action: action.to_owned(),
        controls: Vec::new(),
        expected: None,
        score: 0.0,
        nodes: 0,
        note: String::new(),
    };
    agent.commit(&decision);
}

fn cause(story: &Story) -> Cause {
    match story {
        Story::Other { cause, .. } => *cause,
        other => panic!("not a mismatch: {other:?}"),
    }
}

const BOARD: &str = "aab/bca/aac";

#[test]
fn a_game_from_start_to_end() {
    let mut a = agent();
    assert_eq!(a.status(), Status::Unknown);
    assert!(a.may_be_start(&seen(BOARD)));
    assert_eq!(cause(&look(&mut a, BOARD)), Cause::BoardChanged);
    assert_eq!(a.status(), Status::ToMove);
    assert_eq!(look(&mut a, BOARD), Story::Same);

    let mut moves = 0;
    while a.status() == Status::ToMove {
        let decision = a.decide(&Budget::default(), Time::ZERO).expect("a move");
        let [Control::Cell(cell)] = decision.controls[..] else {
            panic!("one click on a cell: {:?}", decision.controls);
        };
        let before = a.belief.clone().expect("a belief");
        let clicked = before.cells()[before.size().index(cell)];
        assert_eq!(letter(clicked).to_string(), decision.action);
        a.commit(&decision);
        assert_eq!(a.status(), Status::UnderWay);
        assert_eq!(a.expected(), decision.expected);
        assert_eq!(a.decide(&Budget::default(), Time::ZERO), None);
        assert_eq!(look(&mut a, &before.text().0), Story::Same, "not yet");
        let expected = a.expected().expect("a move is under way").0;
        assert_eq!(look(&mut a, &expected), Story::Done);
        moves += 1;
        assert_eq!(a.moves(), moves);
    }
    assert_eq!(a.status(), Status::Over(Outcome::Won));
    assert_eq!(moves, 3);
    let note = Value::Object(a.result_note());
    // Only the program knows the limit of such a board.
    let wanted =
        serde_json::json!({"limit": null, "within_limit": null, "colours": 3, "size": "3x3"});
    assert_eq!(note, wanted);
}

#[test]
fn the_end_shows_in_any_colour_and_a_new_game_is_a_change() {
    let mut a = agent();
    look(&mut a, "ab");
    commit(&mut a, "b");
    assert_eq!(a.interpret(&seen("cc")), Story::Done, "fireworks are over");
    assert_eq!(cause(&a.interpret(&seen("ca"))), Cause::BoardChanged);
    assert_eq!(look(&mut a, "bb"), Story::Done);
    assert_eq!(a.interpret(&seen("aa")), Story::Same);
    assert_eq!(a.interpret(&seen("?a")), Story::Partial { agrees: true });
    assert_eq!(cause(&a.interpret(&seen("ab"))), Cause::BoardChanged);
    assert_eq!(cause(&look(&mut a, "ca")), Cause::BoardChanged);
    assert_eq!((a.status(), a.moves()), (Status::ToMove, 0));
}

#[test]
fn a_wrong_move_is_told_from_the_users() {
    let mut a = agent();
    look(&mut a, BOARD);
    commit(&mut a, "b");
    let story = look(&mut a, "ccb/bca/aac");
    assert_eq!(cause(&story), Cause::WrongMove);
    assert_eq!((a.moves(), a.status()), (1, Status::ToMove));

    let mut a = agent();
    look(&mut a, BOARD);
    let story = look(&mut a, "bbb/bca/aac");
    assert_eq!(cause(&story), Cause::UserMoved);
    let Story::Other { cells, .. } = story else {
        unreachable!("a cause was told");
    };
    assert_eq!(cells, [Cell::new(0, 0), Cell::new(1, 0)]);
    assert_eq!(cause(&look(&mut a, "ccc/cca/aac")), Cause::UserMoved);
    assert_eq!(a.moves(), 2);
}

#[test]
fn moves_unseen_are_counted() {
    let mut a = agent();
    look(&mut a, BOARD);
    commit(&mut a, "b");
    // Ours and one more.
    assert_eq!(cause(&look(&mut a, "aaa/aca/aac")), Cause::UserMoved);
    assert_eq!((a.moves(), a.expected()), (2, None));

    let mut a = agent();
    look(&mut a, "abcd");
    assert_eq!(cause(&look(&mut a, "dddd")), Cause::UserMoved);
    assert_eq!(a.moves(), 3);
    assert_eq!(a.status(), Status::Over(Outcome::Won));
}

#[test]
fn an_undo_takes_moves_back_and_another_board_begins_anew() {
    let mut a = agent();
    look(&mut a, BOARD);
    look(&mut a, "bbb/bca/aac");
    look(&mut a, "aaa/aca/aac");
    assert_eq!(a.moves(), 2);
    assert_eq!(cause(&look(&mut a, "bbb/bca/aac")), Cause::BoardChanged);
    assert_eq!(a.moves(), 1);
    assert_eq!(cause(&look(&mut a, BOARD)), Cause::BoardChanged);
    assert_eq!(a.moves(), 0);
    assert_eq!(cause(&look(&mut a, "bca/abc")), Cause::BoardChanged);
    assert_eq!(a.believed(), Some(BoardText("bca/abc".into())));
    let note = a.result_note();
    assert_eq!(note["size"], "3x2");
}

#[test]
fn cells_that_cannot_be_read_are_compared_with_before_and_after() {
    let mut a = agent();
    let partial = |a: &FloodAgent, text: &str| match a.interpret(&seen(text)) {
        Story::Partial { agrees } => agrees,
        other => panic!("{text}: {other:?}"),
    };
    assert!(partial(&a, "?ab"), "nothing is believed yet");
    assert!(!a.may_be_start(&seen("?ab")));
    look(&mut a, BOARD);
    assert!(partial(&a, "??b/bca/aac"));
    assert!(!partial(&a, "??b/bca/aab"));
    assert!(!partial(&a, "bb?/bca/aac"), "no move is under way");
    assert!(!partial(&a, "?ab"), "another size");
    commit(&mut a, "b");
    assert!(partial(&a, "bb?/bca/aac"));
    assert!(!partial(&a, "ba?/bca/aac"), "neither before nor after");
    look(&mut a, "??b/bca/aac");
    assert_eq!(a.status(), Status::UnderWay, "doubt changes nothing");
}

#[test]
fn withdrawing_and_forgetting() {
    let mut a = agent();
    look(&mut a, BOARD);
    commit(&mut a, "b");
    a.withdraw();
    assert_eq!((a.status(), a.moves()), (Status::ToMove, 0));
    assert_eq!(a.believed(), Some(BoardText(BOARD.into())));
    commit(&mut a, "a");
    assert_eq!(a.status(), Status::ToMove, "its own colour is no move");
    a.forget();
    assert_eq!((a.status(), a.believed()), (Status::Unknown, None));
    assert!(!a.may_be_start(&seen("aaa/aaa")), "no game starts solved");
}

#[test]
fn swatches_are_clicked_where_they_are() {
    let at = Point::new(-1.5, 2.0);
    let mut a = agent_with(AgentOptions {
        controls: Controls::Swatches(vec![(0, Point::default()), (1, at)]),
        limit: Some(9),
        start: Cell::new(1, 0),
    });
    look(&mut a, "ba");
    let decision = a.decide(&Budget::default(), Time::ZERO).expect("a move");
    assert_eq!(decision.action, "b");
    assert_eq!(decision.controls, [Control::At(at)]);
    assert_eq!(a.result_note()["limit"], 9);

    look(&mut a, "ca");
    let decision = a.decide(&Budget::default(), Time::ZERO).expect("a move");
    assert!(decision.controls.is_empty());
    assert!(decision.note.starts_with("no button is known for colour c"));
}

proptest::proptest! {
    #[test]
    fn no_reading_makes_it_panic_or_lose_the_story(
        looks in proptest::collection::vec(("[a-d?]{2}/[a-d?]{2}", proptest::bool::ANY), 1..12),
    ) {
        let mut a = agent();
        for (text, act) in looks {
            let reading = seen(&text);
            let story = a.interpret(&reading);
            proptest::prop_assert_eq!(
                matches!(story, Story::Partial { .. }), reading.unknown() > 0
            );
            a.accept(&reading, &story);
            if matches!(story, Story::Done | Story::Other { .. }) && !a.text(&reading).0.contains('?') {
                proptest::prop_assert_eq!(a.interpret(&reading), Story::Same);
            }
            if act && let Some(decision) = a.decide(&Budget::default(), Time::ZERO) {
                a.commit(&decision);
                proptest::prop_assert_eq!(a.expected(), decision.expected);
            }
        }
    }
}
