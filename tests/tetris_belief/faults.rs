//! One known fault at a time: it is named rightly and the belief is right again soon.

use super::rig::{Faults, Rig, rig, setup};
use kibitzer::games::tetris::rules::{Board, Game, delay};
use kibitzer::types::{Cause, Handling, Status, Time};

/// No fault of its own.
fn calm(level: u8, seed: u64) -> Rig {
    rig(level, seed, "two-piece:dt10", Faults::default())
}

/// After the fault at `ms`: the causes found, each once, in order; those under which something
/// was believed, not first guesses.
fn causes_since(rig: &Rig, ms: u64) -> Vec<String> {
    let mut causes: Vec<String> = Vec::new();
    for (at, finding) in &rig.findings {
        let name = finding.cause.to_string();
        let sure = finding.handling != Handling::LookAgain;
        if *at >= ms && sure && !causes.contains(&name) {
            causes.push(name);
        }
    }
    causes
}

/// Runs until a piece has been falling for some rows, with its keys done or under way.
fn until_falling(rig: &mut Rig, rows: u32) {
    while rig.game.piece().is_none() || rig.game.fallen() < rows {
        rig.tick();
        assert!(rig.ms < 600_000, "a piece must fall");
    }
}

#[test]
fn without_faults_there_is_nothing_to_tell() {
    for level in [1, 5, 10] {
        for seed in 0..3 {
            let mut rig = calm(level, seed);
            rig.run_pieces(60);
            assert!(!rig.tally.over, "level {level} seed {seed}");
            assert_eq!(
                rig.causes(),
                Vec::<String>::new(),
                "level {level} seed {seed}"
            );
            assert_eq!(rig.tally.astray, 0, "level {level} seed {seed}");
            assert!(rig.tally.worst_pile < 200, "{:?}", rig.tally);
        }
    }
}

#[test]
fn a_lost_key_is_named_and_pressed_again() {
    for level in [1, 6, 10] {
        let mut rig = calm(level, 5);
        rig.run_pieces(10);
        let before = (rig.ms, rig.tally.astray);
        // The next key is lost; a drop that is lost shows as much.
        rig.next_keys.push_back(0);
        rig.run_pieces(13);
        assert_eq!(causes_since(&rig, before.0), ["key-lost"], "level {level}");
        assert_eq!(rig.tally.astray, 0, "level {level}");
    }
}

#[test]
fn a_doubled_key_is_named_and_pressed_back() {
    for level in [1, 6, 10] {
        let mut named = 0;
        for seed in 0..12 {
            let mut rig = calm(level, seed);
            rig.run_pieces(10);
            let before = rig.ms;
            rig.next_keys.push_back(2);
            rig.run_pieces(13);
            let causes = causes_since(&rig, before);
            // A doubled key may have no second effect: at a wall, or where it was needed twice.
            assert!(
                causes.is_empty() || causes == ["key-doubled"],
                "level {level} {causes:?}"
            );
            named += causes.len();
            assert_eq!(rig.tally.astray, 0, "level {level} seed {seed}");
        }
        assert!(
            named >= 4,
            "level {level}: {named} of 12 doubled keys were seen"
        );
    }
}

#[test]
fn a_junk_row_is_named_and_believed() {
    for level in [1, 6, 10] {
        for seed in 0..4 {
            let mut rig = calm(level, seed);
            rig.run_pieces(12);
            until_falling(&mut rig, 2);
            let at = rig.ms;
            rig.game.push_junk(3, Time::from_millis(at));
            rig.run(at + 4000);
            // The very frame that shows it may show a landing too, and be explained by that at
            // first.
            let since = rig.findings.iter().filter(|(t, _)| *t >= at);
            let named = { since }.any(|(_, f)| f.cause == Cause::JunkRow);
            assert!(
                named,
                "level {level} seed {seed}: {:?}",
                causes_since(&rig, at)
            );
            assert!(rig.tally.worst_pile < 500, "{:?}", rig.tally);
            assert!(rig.tally.worst_wrong < 150, "{:?}", rig.tally);
        }
    }
}

#[test]
fn a_new_game_is_named_and_counted_from_nothing() {
    for level in [1, 6, 10] {
        let mut rig = calm(level, 3);
        rig.run_pieces(13);
        until_falling(&mut rig, 1);
        let at = rig.ms;
        rig.game = Game::new(setup(level, 99), Time::from_millis(at));
        rig.run(at + 3000);
        assert_eq!(causes_since(&rig, at), ["new-game"], "level {level}");
        assert!(u64::from(rig.agent.moves()) <= rig.game.pieces());
        assert!(rig.tally.worst_pile < 500, "{:?}", rig.tally);
        rig.run_pieces(20);
        rig.run(rig.ms + 200);
        assert!(u64::from(rig.agent.moves()).abs_diff(rig.game.pieces()) <= 1);
        assert_eq!(u64::from(rig.agent.rows()), rig.game.lines());
    }
}

#[test]
fn a_piece_that_falls_further_is_named() {
    for level in [1, 6] {
        for seed in 0..4 {
            let mut rig = calm(level, seed);
            rig.run_pieces(10);
            // Time goes on for the game alone: what somebody's soft drop would do.
            rig.muted = true;
            rig.run_pieces(12);
            until_falling(&mut rig, 3);
            let at = rig.ms;
            rig.ahead += 4 * delay(level).as_millis() as u64;
            rig.run(at + 1500);
            let causes = causes_since(&rig, at);
            assert_eq!(causes, ["fell-further"], "level {level} seed {seed}");
            assert!(rig.tally.worst_wrong < 150, "{:?}", rig.tally);
        }
    }
}

#[test]
fn a_board_that_is_covered_for_three_seconds_is_believed_again() {
    for level in [1, 6, 10] {
        for seed in 0..4 {
            let mut rig = calm(level, seed);
            rig.run_pieces(10);
            let at = rig.ms + 20;
            rig.cover = Some((at, at + 3000));
            rig.run(at + 3000);
            assert!(rig.agent.confidence() < 0.5, "level {level} seed {seed}");
            rig.tally.worst_pile = 0;
            rig.tally.worst_wrong = 0;
            let causes = causes_since(&rig, at);
            assert_eq!(
                causes.first().map(String::as_str),
                Some("covered"),
                "{causes:?}"
            );
            rig.run(at + 8000);
            // From the start of the cover until shortly after its end nothing was believed.
            assert!(rig.tally.worst_wrong < 500, "{:?}", rig.tally);
            assert!(rig.agent.confidence() > 0.5 || rig.game.is_over());
        }
    }
}

#[test]
fn the_end_of_a_game_is_seen() {
    for level in [1, 6, 10] {
        let full: Vec<String> = (0..20)
            .map(|i| match i {
                0..3 => "..........".to_owned(),
                _ if i % 2 == 0 => "##.#######".to_owned(),
                _ => "#######.##".to_owned(),
            })
            .collect();
        let board = Board::from_text(&full.join("/")).expect("a board");
        let game = Game::with_board(setup(level, 4), board, Time::ZERO);
        let mut rig = Rig::new(game, "dt10", super::rig::options(), Faults::default(), 1);
        while !rig.game.is_over() {
            rig.tick();
            assert!(rig.ms < 60_000, "the game must end");
        }
        let at = rig.ms;
        rig.run(at + 2000);
        assert_eq!(
            rig.causes().last().map(String::as_str),
            Some("game-over"),
            "level {level}"
        );
        assert!(matches!(rig.agent.status(), Status::Over(_)));
        assert_eq!(u64::from(rig.agent.moves()), rig.game.pieces());
    }
}

#[test]
fn one_spoilt_frame_changes_nothing() {
    for seed in 0..10 {
        let faults = Faults {
            spoil: 0.10,
            ..Faults::default()
        };
        let mut rig = rig(6, seed, "two-piece:dt10", faults);
        rig.run_pieces(40);
        assert!(!rig.tally.over);
        assert_eq!(rig.tally.astray, 0, "{:?}", rig.tally);
        assert!(rig.tally.worst_wrong < 150, "{:?}", rig.tally);
        let allowed = ["misread", "covered"];
        for cause in causes_since(&rig, 0) {
            assert!(allowed.contains(&cause.as_str()), "{cause}");
        }
    }
}
