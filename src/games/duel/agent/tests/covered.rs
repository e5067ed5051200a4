//! Boards that cannot be read as a whole, and pieces on their way.

use super::*;

#[test]
fn what_hangs_in_the_air_is_on_its_way() {
    let mut t = table(true, "1 2", side(SideName::First));
    t.look("..../..../....");
    t.play();
    for falling in [".a../..../....", "..../.a../...."] {
        assert_eq!(t.look(falling), Story::Passing);
        assert_eq!(t.status(), Status::UnderWay);
    }
    assert_eq!(t.look("..../..../.a.."), Story::Done);
    assert_eq!(t.story("..b./..../.a.."), Story::Passing);
    assert_eq!(t.story("..?./..../.a.."), Story::Partial { agrees: true });
    assert_eq!(cause(&t.story("..../..../.ab.")), (WAITED_FOR, 1));
    assert!(!t.agent.may_be_start(&reading("..b./..../.a..")));
}

#[test]
fn behind_a_cover_nothing_is_certain_but_an_end_that_shows() {
    let mut t = table(true, "0 1 2 3", side(SideName::First));
    t.look("..../..../....");
    for (ours, theirs) in [
        ("..../..../a...", "..../b.../a..."),
        ("..../b.../aa..", "..../bb../aa.."),
    ] {
        t.play();
        t.look(ours);
        t.look(theirs);
    }
    let partial = |t: &Table, rows: &str| match t.story(rows) {
        Story::Partial { agrees } => agrees,
        other => panic!("{rows}: {other:?}"),
    };
    assert!(partial(&t, "..??/bb??/aa??"));
    assert!(!partial(&t, "..??/ab??/aa??"), "another board");
    t.play();
    // Our winning piece shows, whatever lies over the rest.
    assert!(matches!(t.story("????/????/aaa."), Story::Ended { .. }));
    // The row is marked and cannot be read.
    assert!(matches!(t.story("..../bb../???."), Story::Ended { .. }));
    // A hand at the place of the move says nothing.
    assert!(partial(&t, "..../bb../aa?."));
    assert!(partial(&t, "..../bb??/aa??"));
    let story = t.look("????/????/aaa.");
    assert!(matches!(story, Story::Ended { .. }));
    assert_eq!(t.status(), Status::Over(Outcome::Won));
    assert_eq!(t.agent.moves(), 5);
}

#[test]
fn the_opponents_winning_row_is_seen_under_its_marks() {
    let mut t = table(true, "0 2", side(SideName::First));
    t.look("..../..../....");
    for (ours, theirs) in [
        ("..../..../a...", "..../..../ab.."),
        ("..../a.../ab..", "..../ab../ab.."),
    ] {
        t.play();
        t.look(ours);
        t.look(theirs);
    }
    t.agent.commit(&Decision {
        action: "3".into(),
        controls: Vec::new(),
        expected: None,
        score: 0.0,
        nodes: 0,
        note: String::new(),
    });
    t.look("..../ab../ab.a");
    assert_eq!(t.status(), Status::Theirs);
    let unseen = t.agent.ended_unseen().expect("they could win");
    assert_eq!(unseen.outcome, Outcome::Lost);
    assert!(matches!(t.story(".?../a?../a?.a"), Story::Ended { .. }));
    let Story::Ended { .. } = t.look(".b??/ab??/ab.a") else {
        panic!("it shows");
    };
    assert_eq!(t.status(), Status::Over(Outcome::Lost));
}

#[test]
fn how_a_game_must_have_ended_is_said_only_when_it_is_certain() {
    let mut t = table(false, "0,0 1,0 2,0", side(SideName::First));
    t.look(".../.../...");
    assert_eq!(t.agent.ended_unseen(), None);
    t.play();
    assert_eq!(t.agent.ended_unseen(), None, "nobody can have won");
    t.look("a../.../...");
    t.look("a../b../...");
    t.play();
    t.look("aa./b../...");
    t.look("aa./b../.b.");
    assert_eq!(t.agent.ended_unseen(), None, "it is ours to move");
    t.play();
    let unseen = t.agent.ended_unseen().expect("our move wins");
    assert_eq!(unseen.outcome, Outcome::Won);
    // The last place of all.
    let mut t = table(false, "0,0 3,0", side(SideName::First));
    t.look("....");
    t.play();
    t.look("a...");
    t.look("ab..");
    t.play();
    t.look("ab.a");
    let unseen = t.agent.ended_unseen().expect("there is no other move");
    assert_eq!(unseen.outcome, Outcome::Draw);
}

#[test]
fn kinds_never_seen_before_may_be_what_cannot_be_read() {
    let mut t = table(true, "0", Who::default());
    t.look("..../..../....");
    let new = |t: &Table, rows: &str| t.agent.may_be_new(&reading(rows));
    assert!(new(&t, "..../..../..?."));
    assert!(new(&t, "..../..?./..?."), "both sides have moved");
    assert!(!new(&t, "..../..?./...."), "it falls");
    assert!(!new(&t, "..??/..??/..??"), "a hand");
    assert!(!new(&t, "..../..../...."));
    t.look("..../..../..a.");
    assert!(new(&t, "..../..../?.a."));
    t.look("..../..../b.a.");
    assert!(!new(&t, "..../..../b?a."), "both kinds are known");
}

#[test]
fn a_mark_is_no_kind() {
    let mut t = table(false, "2,2", side(SideName::First));
    t.look("a../b../...");
    assert_eq!(t.story("a../b../.c."), Story::Partial { agrees: true });
    assert_eq!(t.story("ac./bc./.a."), Story::Partial { agrees: true });
    assert_eq!(t.story("b../b../..c"), Story::Partial { agrees: false });
}

#[test]
fn a_finished_game_that_blinks_is_no_start_but_one_that_goes_on_is() {
    let mut t = table(false, "0,0 1,0 2,0", side(SideName::First));
    t.look(".../.../...");
    for (ours, theirs) in [
        ("a../.../...", "a../b../..."),
        ("aa./b../...", "aa./b../.b."),
    ] {
        t.play();
        t.look(ours);
        t.look(theirs);
    }
    t.play();
    assert_eq!(t.look("aaa/b../.b."), Story::Done);
    t.agent.forget();
    let start = |t: &Table, rows: &str| t.agent.may_be_start(&reading(rows));
    assert!(!start(&t, "aaa/b../.b."), "over");
    assert!(!start(&t, "..a/b../.b."), "a row that blinks");
    assert!(start(&t, ".../.../..."));
    assert!(start(&t, "b../.../..."));
    assert!(start(&t, "aa./b../.b."), "a move was taken back");
    assert!(!start(&t, "aab/b../a.?"));
    assert!(!start(&t, "aab/bc./..."), "three kinds");
    assert!(!start(&t, "aab/aa./..."), "no game has so many more of one");
}
