//! Moves, undos, new games, and what no rules allow.

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
    t.look(".../.../...");
    t.play();
    t.look(".../.../a..");
    t.look(".../.b./a..");
    let story = t.look("aba/.ba/...");
    assert_eq!(cause(&story), (Some(Cause::Impossible), 0));
    assert_eq!(t.agent.believed(), Some(BoardText("aba/.ba/...".into())));
    assert_eq!(t.status(), Status::Theirs);
    // Two moves in a row of one side: nobody knows what comes next.
    assert_eq!(cause(&t.look("aba/.ba/aa.")).0, Some(Cause::Impossible));
    assert_eq!(t.status(), Status::Unclear);
    assert!(t.words().contains("numbers of pieces"), "{}", t.words());
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
