//! Who is who, and whose turn it is.

use super::*;

#[test]
fn the_colour_that_appears_where_we_moved_is_ours() {
    let mut t = free("1,1 0,0 2,0");
    assert!(t.agent.may_be_start(&reading(".../.../...")));
    t.look(".../.../...");
    // Nobody has said who begins: the other side is given time to.
    assert_eq!(t.status(), Status::ToMove);
    assert_eq!(t.decide(0), None);
    assert_eq!(t.decide(1000), None);
    let first = t.decide(1500).expect("nobody else began");
    assert_eq!(
        (first.action.as_str(), first.expected.clone()),
        ("1,1", None)
    );
    t.agent.commit(&first);
    assert_eq!(t.agent.expected(), Some(BoardText(".../.?./...".into())));
    assert_eq!(t.look(".../.../..."), Story::Same);
    assert_eq!(t.look(".../.b./..."), Story::Done);
    assert_eq!(
        (t.status(), t.words().as_str()),
        (Status::ToMove, "the opponent thinks"),
        "but if nobody answers for long it was their piece, in the same place"
    );
    assert_eq!(t.decide(2000), None);
    assert_eq!(cause(&t.look("..a/.b./...")), (WAITED_FOR, 1));
    assert_eq!(t.status(), Status::ToMove);
    assert_eq!(t.words(), "the opponent plays 2,0 (a)");
    // No waiting any more: it is certain.
    let second = t.decide(0).expect("a move");
    assert_eq!(second.expected, Some(BoardText("b.a/.b./...".into())));
    assert_eq!(second.note, "..O/.X./...", "what the policy saw");
    t.agent.commit(&second);
    assert_eq!(t.look("b.a/.b./..."), Story::Done);
    assert_eq!(cause(&t.look("b.a/.b./a..")), (WAITED_FOR, 1));
    assert_eq!(t.note()["side"], "first");
    assert_eq!(t.note()["colour"], "b");
}

#[test]
fn who_has_begun_without_us_is_the_other_side() {
    let mut t = free("0,0 2,2 0,2");
    t.look(".../.../...");
    assert_eq!(cause(&t.look(".../.a./...")), (WAITED_FOR, 1));
    // In the first game it might be a person's move for us, which a program answers soon.
    assert_eq!(t.decide(0), None);
    let decision = t.decide(1000).expect("nothing has followed");
    t.agent.commit(&decision);
    assert_eq!(t.look("b../.a./..."), Story::Done);
    assert_eq!(cause(&t.look("b../.aa/...")), (WAITED_FOR, 1));
    assert_eq!(t.play(), "2,2");
    assert_eq!(t.look("b../.aa/..b"), Story::Done);
    assert_eq!(cause(&t.look("b../aaa/..b")), (WAITED_FOR, 1));
    assert_eq!(t.status(), Status::Over(Outcome::Lost));
    assert_eq!(t.words(), "3 of a stand in a row");
    // The colours are known now.
    t.agent.forget();
    t.look(".../.../...");
    t.look("a../.../...");
    assert!(t.decide(0).is_some(), "the same colour has begun again");
}

#[test]
fn when_colours_go_by_who_begins_ours_of_the_last_game_is_waited_with() {
    let mut t = free("0,0 1,0 2,0 0,2");
    t.look(".../.../...");
    t.play();
    t.look("a../.../...");
    t.look("a../.b./...");
    t.play();
    t.look("aa./.b./...");
    t.look("aa./.b./..b");
    t.play();
    assert_eq!(t.look("aaa/.b./..b"), Story::Done);
    assert_eq!(t.status(), Status::Over(Outcome::Won));
    assert_eq!(t.note()["winner"], "first");
    t.agent.forget();
    t.look(".../.../...");
    // Either a person has begun for us, or the first side is always `a`.
    t.look(".../.a./...");
    assert_eq!(t.status(), Status::ToMove);
    assert_eq!(t.decide(0), None);
    assert_eq!(t.decide(4000), None);
    assert!(t.decide(1000).is_some(), "nobody has answered");
    // The other case: it was answered.
    assert_eq!(cause(&t.look(".b./.a./...")).1, 1);
    assert_eq!(t.status(), Status::ToMove, "it is our colour's turn");
    assert!(t.decide(0).is_some());
}

#[test]
fn what_is_said_needs_no_proof() {
    let first = table(false, "0,0", side(SideName::First));
    let second = table(false, "0,0", side(SideName::Second));
    for (mut t, status) in [(first, Status::ToMove), (second, Status::Theirs)] {
        t.look(".../.../...");
        assert_eq!(t.status(), status);
        assert_eq!(t.decide(0).is_some(), status == Status::ToMove);
    }
    let mut t = table(false, "0,0", side(SideName::Kind(KindName::Letter('b'))));
    let look = |letter| ClassLook {
        letter,
        rgb: [0.0; 3],
        spread: 0.0,
        mark: None,
    };
    t.agent.looks(&[look('.'), look('a'), look('b')]);
    t.look(".../.../...");
    t.look(".../.a./...");
    assert!(t.decide(0).is_some(), "`a` is not ours, so it is our turn");
    t.agent.forget();
    t.look(".../.b./...");
    assert_eq!(t.status(), Status::Theirs, "somebody has begun for us");
    // In the middle of a game: as many of both, and only who began tells whose turn it is.
    t.agent.forget();
    t.look(".ab/.../...");
    assert_eq!(t.status(), Status::Unclear);
    assert!(t.words().contains("as many a as b"), "{}", t.words());
    let mut t = table(
        false,
        "0,0",
        Who {
            side: Some(SideName::Kind(KindName::Letter('b'))),
            begins: Some(Beginner::They),
            looks_on: false,
        },
    );
    t.agent.looks(&[look('.'), look('a'), look('b')]);
    t.look(".ab/.../...");
    assert_eq!(t.status(), Status::Theirs);
}

#[test]
fn a_game_joined_in_the_middle_is_not_played_before_it_is_clear() {
    let mut t = free("0,2");
    assert!(t.agent.may_be_start(&reading("ab./.../...")));
    t.look("ab./.../...");
    assert_eq!((t.status(), t.decide(60_000)), (Status::Unclear, None));
    assert!(t.words().contains("game.begins"), "{}", t.words());
    // A move shows who has begun, but not who we are.
    assert_eq!(cause(&t.look("ab./b../...")), (WAITED_FOR, 1));
    assert_eq!(t.status(), Status::Unclear);
    assert!(t.words().contains("game.side"), "{}", t.words());
    assert_eq!(cause(&t.look("ab./b../a..")), (WAITED_FOR, 1));
    assert_eq!(t.decide(60_000), None);
    // Told in time, the same position is enough.
    let mut t = table(false, "2,2", side(SideName::Second));
    t.look("ab./b../...");
    assert_eq!(t.status(), Status::ToMove);
    assert_eq!(t.decide(0).expect("a move").note, "OX./X../...");
}

#[test]
fn who_was_first_of_two_that_are_seen_at_once_shows_later() {
    let mut t = free("2,2 2,1");
    t.look(".../.../...");
    assert_eq!(cause(&t.look("ab./.../...")), (WAITED_FOR, 2));
    assert_eq!(t.status(), Status::Unclear);
    assert_eq!(cause(&t.look("ab./b../...")), (WAITED_FOR, 1));
    assert_eq!(t.note()["side"], Value::Null);
    // Our move was among them.
    let mut t = free("1,0 2,2");
    t.look(".../.../...");
    t.play();
    assert_eq!(cause(&t.look("ab./.../...")), (WAITED_FOR, 2));
    assert_eq!(
        (t.status(), t.note()["colour"].as_str()),
        (Status::ToMove, Some("b"))
    );
    assert_eq!(t.decide(0).expect("a move").note, "OX./.../...");
}

#[test]
fn who_was_first_shows_when_moves_are_taken_back() {
    let who = side(SideName::Kind(KindName::Letter('a')));
    let mut t = table(false, "0,0", who);
    let look = |letter| ClassLook {
        letter,
        rgb: [0.0; 3],
        spread: 0.0,
        mark: None,
    };
    t.agent.looks(&[look('.'), look('a'), look('b')]);
    t.look(".../.../...");
    assert_eq!(cause(&t.look(".a./.b./...")), (WAITED_FOR, 2));
    assert_eq!(t.status(), Status::Unclear);
    // The piece that is left was the first.
    assert_eq!(cause(&t.look(".../.b./...")), (Some(Cause::Undone), 0));
    assert_eq!((t.status(), t.words().is_empty()), (Status::ToMove, false));
    t.look("..a/.b./...");
    assert_eq!(t.status(), Status::Theirs);
    assert_eq!(t.note()["side"], "second");
}
