//! What a board tells: moves, moves taken back, new games, covers, ends.

use super::*;

#[test]
fn moves_that_were_missed_are_told_apart() {
    let mut t = table(true, "0 1 2 3", side(SideName::First));
    t.look("..../..../....");
    t.play();
    // Ours and the answer.
    assert_eq!(cause(&t.look("..../..../a.b.")), (WAITED_FOR, 2));
    assert_eq!(t.status(), Status::ToMove);
    // A person moves for us.
    assert_eq!(
        cause(&t.story("..../..../aab.")),
        (Some(Cause::UserMoved), 1)
    );
    assert_eq!(
        cause(&t.story("..../b.../aab.")),
        (Some(Cause::UserMoved), 2)
    );
    t.play();
    // Ours went elsewhere.
    assert_eq!(
        cause(&t.story("..../..../aab.")),
        (Some(Cause::WrongMove), 1)
    );
    assert_eq!(
        t.story("..../a.../a.b."),
        Story::Done,
        "this is where it was to go"
    );
    // Ours, the answer, ours again by the same click.
    assert_eq!(
        cause(&t.story("a.../b.../a.b.")),
        (Some(Cause::Impossible), 0),
        "three in the column are one too many of theirs"
    );
    let story = t.look("a.../a.../a.bb");
    assert_eq!(cause(&story), (Some(Cause::ClickDoubled), 3));
    assert_eq!(t.status(), Status::Over(Outcome::Won));
    assert_eq!(t.agent.moves(), 5);
}

#[test]
fn moves_taken_back_are_an_undo() {
    let mut t = table(true, "0 1 2 3", side(SideName::First));
    t.look("..../..../....");
    for (ours, theirs) in [
        ("..../..../a...", "..../..../a.b."),
        ("..../a.../a.b.", "b.../a.../a.b."),
    ] {
        t.play();
        t.look(ours);
        t.look(theirs);
    }
    assert_eq!(cause(&t.story("..../a.../a.b.")), (Some(Cause::Undone), 0));
    assert_eq!(cause(&t.look("..../..../a.b.")), (Some(Cause::Undone), 0));
    assert_eq!((t.status(), t.agent.moves()), (Status::ToMove, 2));
    // Another move in its place.
    t.play();
    t.look("..../a.../a.b.");
    assert_eq!(cause(&t.look("..../..../aab.")), (Some(Cause::Undone), 0));
    assert_eq!((t.status(), t.agent.moves()), (Status::Theirs, 3));
    // Older than anything that is known.
    let mut t = free("");
    t.look("abb/baa/...");
    assert_eq!(cause(&t.look("ab./.aa/...")), (Some(Cause::Impossible), 0));
    let mut t = free("");
    t.look("abb/baa/...");
    assert_eq!(cause(&t.look("abb/ba./...")), (Some(Cause::Undone), 0));
    assert_eq!(cause(&t.look("ab./ba./...")), (Some(Cause::Undone), 0));
}

#[test]
fn a_move_that_was_taken_back_may_be_made_again_after_another() {
    let mut t = table(false, "0,0 2,1", side(SideName::First));
    t.look(".../.../...");
    t.play();
    t.look("a../.../...");
    t.look("a../b../...");
    t.play();
    t.look("a../b.a/...");
    t.look("a../b.a/..b");
    // Two moves back; ours is another one now, the answer is the same.
    assert_eq!(cause(&t.look("a../b../.ab")), (Some(Cause::Undone), 0));
    assert_eq!((t.status(), t.agent.moves()), (Status::ToMove, 4));
    // All of them back, or a new game: the answer is the same again.
    assert_eq!(cause(&t.look("..a/b../b.a")), (Some(Cause::NewGame), 0));
    assert_eq!((t.status(), t.agent.moves()), (Status::ToMove, 4));
}

#[test]
fn a_new_game_is_one_whoever_begins_it() {
    let mut t = free("1,1 0,0");
    t.look(".../.../...");
    t.play();
    t.look(".../.a./...");
    t.look(".b./.a./...");
    t.play();
    t.look("ab./.a./...");
    t.look("ab./.a./..b");
    assert_eq!(cause(&t.story(".../.../...")), (Some(Cause::NewGame), 0));
    // `b` has begun it already, or `a` has.
    assert_eq!(cause(&t.story("..b/.../...")), (Some(Cause::NewGame), 0));
    assert_eq!(cause(&t.story("..a/.../...")), (Some(Cause::NewGame), 0));
    assert_eq!(cause(&t.look(".../.../...")), (Some(Cause::NewGame), 0));
    assert_eq!((t.status(), t.agent.moves()), (Status::ToMove, 0));
    assert_eq!(t.decide(0), None, "either side may begin");
    assert_eq!(cause(&t.look("b../.../...")), (WAITED_FOR, 1));
    assert!(t.decide(0).is_some(), "it is theirs by its colour");
}

#[test]
fn a_position_from_nowhere_is_told_and_accepted_as_it_is() {
    let mut t = table(false, "0,2", side(SideName::First));
    t.look("ab./.../a..");
    // It was not the last piece that is gone, and nobody knows what came before.
    let story = t.look("a.b/.../a..");
    assert_eq!(cause(&story), (Some(Cause::Impossible), 0));
    assert_eq!(t.agent.believed(), Some(BoardText("a.b/.../a..".into())));
    assert_eq!(t.status(), Status::Theirs);
    // Two moves in a row of one side: nobody knows what comes next.
    assert_eq!(cause(&t.look("aab/..a/a..")).0, Some(Cause::Impossible));
    assert_eq!(t.status(), Status::Unclear);
    assert!(t.words().contains("numbers of pieces"), "{}", t.words());
}

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
fn a_row_that_is_marked_may_look_empty_through_a_camera() {
    let mut t = table(true, "0 1", side(SideName::First));
    t.look("..../..../....");
    for (ours, theirs) in [
        ("..../..../a...", "..../..../a..b"),
        ("..../..../aa.b", "..../...b/aa.b"),
    ] {
        t.agent
            .commit(&column(if ours.contains("aa") { "1" } else { "0" }));
        t.look(ours);
        t.look(theirs);
    }
    t.agent.commit(&column("2"));
    let ended = |t: &Table, rows: &str| matches!(t.story(rows), Story::Ended { .. });
    assert!(ended(&t, "..../...b/...b") && ended(&t, "..../...b/.?.b"));
    assert!(!ended(&t, "..../...b/a..b"), "two are no row");
    assert!(!ended(&t, "..../..../...b"), "more has gone");
    assert!(ended(&t, "..../...b/???b"));
    t.look("..../...b/...b");
    assert_eq!(t.status(), Status::Over(Outcome::Won));
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
    t.agent.commit(&column("3"));
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
    assert!(new(&t, "..../..../?.?."), "the last move has lost its mark");
    assert!(!new(&t, "..../..../..?."), "a hand over the last move");
    t.look("..../..../b.a.");
    assert!(!new(&t, "..../..../b?a."), "both kinds are known");
    assert!(
        new(&t, "..../..../?.aa"),
        "the mark has gone to the next move"
    );
    assert!(!new(&t, "..../..../?.a."), "a hand");
}

#[test]
fn the_same_position_in_other_colours_goes_on() {
    let mut t = table(false, "0,0 1,1 2,1", Who::default());
    t.look(".../.../...");
    t.play();
    t.look("a../.../...");
    t.look("a../b../...");
    assert_eq!(cause(&t.look("b../a../...")), (Some(Cause::Recoloured), 0));
    assert_eq!(
        (t.status(), t.note()["colour"].as_str()),
        (Status::ToMove, Some("b"))
    );
    // As other classes, and with a move since.
    assert_eq!(t.play(), "1,1");
    assert_eq!(cause(&t.look("d../cd./...")), (Some(Cause::Recoloured), 0));
    assert_eq!(t.status(), Status::Theirs);
    assert_eq!(t.agent.moves(), 3);
    // Also when the board had to be found anew.
    t.agent.forget();
    t.look("a../ba./.b.");
    assert_eq!((t.status(), t.agent.moves()), (Status::ToMove, 4));
    assert_eq!(t.note()["colour"], "a");
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

#[test]
fn who_looks_on_advises_both_and_counts_for_the_first() {
    let who = Who {
        looks_on: true,
        ..Who::default()
    };
    let mut t = table(false, "0,0 1,1", who);
    t.look(".../.../...");
    assert!(t.decide(0).is_some(), "nobody is waited for");
    assert_eq!(cause(&t.look(".../.../..a")), (WAITED_FOR, 1));
    assert!(t.decide(0).is_some());
    assert_eq!(t.words(), "the first side plays 2,2 (a)");
    assert_eq!(cause(&t.look(".b./.../a.a")), (WAITED_FOR, 2));
    assert_eq!(cause(&t.look(".b./.../aba")).1, 1);
    assert_eq!(cause(&t.look(".b./.b./aba")).0, Some(Cause::Impossible));
    let mut t = table(false, "", who);
    t.look("ab./ab./...");
    t.look("ab./ab./a..");
    assert_eq!(t.status(), Status::Over(Outcome::Won));
    assert_eq!(
        (&t.note()["winner"], &t.note()["side"]),
        (&"first".into(), &Value::Null)
    );
}

#[test]
fn a_first_move_without_effect_was_not_ours_to_make() {
    let mut t = free("1,1 0,0");
    t.look(".../.../...");
    t.play();
    t.agent.withdraw();
    assert_eq!(t.status(), Status::Unclear);
    assert!(t.words().contains("no effect"), "{}", t.words());
    assert_eq!(cause(&t.look("a../.../...")), (WAITED_FOR, 1));
    assert_eq!(t.status(), Status::ToMove);
    // The other side was only slow, and came before our click.
    let mut t = free("1,1 0,0");
    t.look(".../.../...");
    t.play();
    assert_eq!(cause(&t.look("a../.../...")), (WAITED_FOR, 1));
    assert_eq!(t.status(), Status::ToMove);
    assert_eq!(t.note()["side"], "second");
    // A later move that is lost is made again.
    t.play();
    t.agent.withdraw();
    assert_eq!(t.status(), Status::ToMove);
}

#[test]
fn a_policy_without_a_move_is_told() {
    let mut t = table(false, "9,9", side(SideName::First));
    t.look(".../.../...");
    assert_eq!(t.decide(0), None);
    assert_eq!(
        (t.status(), t.words().as_str()),
        (Status::Unclear, "the script is over")
    );
}

#[test]
fn readings_of_other_sizes_are_other_boards() {
    let mut t = free("0,0");
    t.look("ab./ab./...");
    assert_eq!(cause(&t.story("ab../ab../....")).0, Some(Cause::Impossible));
    assert_eq!(cause(&t.story("..../..../....")).0, Some(Cause::NewGame));
    assert_eq!(t.story("?b../ab../...."), Story::Partial { agrees: false });
    assert_eq!(grid("..").count(), 0);
}

proptest! {
    #[test]
    fn no_reading_makes_it_panic_or_lose_the_story(
        falls in any::<bool>(),
        looks in proptest::collection::vec(
            ("[.abc?]{3}/[.ab]{3}/[.ab]{3}", any::<bool>(), 0..4u8), 1..14),
    ) {
        let mut t = table(falls, "0 1 2 0,0 1,1 2,2 0,2 1,2", Who::default());
        for (rows, act, what) in looks {
            let seen = reading(&rows);
            let story = t.agent.interpret(&seen);
            t.agent.accept(&seen, &story);
            let taken = matches!(story, Story::Done | Story::Moved { .. } | Story::Other { .. });
            if taken {
                prop_assert_eq!(t.agent.interpret(&seen), Story::Same);
            }
            if act && let Some(decision) = t.decide(4000) {
                t.agent.commit(&decision);
                if decision.expected.is_some() {
                    prop_assert_eq!(t.agent.expected(), decision.expected);
                }
            }
            match what {
                0 => t.agent.withdraw(),
                1 => t.agent.forget(),
                _ => {}
            }
            let _ = (t.agent.words(), t.agent.ended_unseen(), t.agent.may_be_start(&seen));
        }
    }
}
