//! One trouble at a time: what is told of it, and that the game goes on.

use std::time::Duration;

use kibitzer::games::connect4::agent::{Controls, Cursor, Stands};
use kibitzer::games::duel::sides::Who;
use kibitzer::types::*;

use super::screen::{Deed, Faults};
use super::table::Scene;
use super::watch::Played;

const BOTH: [&str; 2] = ["connect4", "gomoku"];

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Who is who is said, so that nothing has to be waited for.
fn said() -> Who {
    Who {
        side: Some(SideName::First),
        ..Who::default()
    }
}

fn played(game: &'static str, change: impl Fn(&mut Scene)) -> Played {
    let mut scene = Scene::of(game);
    scene.who = said();
    change(&mut scene);
    let played = scene.play();
    played.holds();
    let ending = &played.report.ending;
    assert!(ending.complete, "{}\n{}", ending.why, played.story());
    let shown = played.shared().program.results.clone();
    assert_eq!(played.results(), shown, "{}", played.story());
    played
}

#[test]
fn dropped_clicks_are_made_again() {
    for game in BOTH {
        let p = played(game, |s| s.faults.lost = 0.3);
        assert!(p.count(Cause::ClickLost) > 0, "three in ten are lost");
        assert!(
            p.causes().iter().all(|c| *c == Cause::ClickLost),
            "{:?}",
            p.causes()
        );
    }
}

#[test]
fn a_doubled_click_moves_twice_where_the_answer_comes_at_once() {
    // Between both halves of a double click the program has answered, so the second one counts.
    let p = played("connect4", |s| {
        s.faults.doubled = 0.5;
        s.manner.thinks = Duration::ZERO;
        s.games = 3;
    });
    assert!(p.count(Cause::ClickDoubled) > 0, "{:?}", p.causes());
}

#[test]
fn a_cell_misread_for_a_frame_is_no_move() {
    for game in BOTH {
        for camera in [false, true] {
            let p = played(game, |s| {
                s.faults.misread = 0.1;
                s.faults.stale = 0.1;
                s.camera = camera;
                s.games = 2;
            });
            assert_eq!(p.causes(), [], "{game}: {}", p.story());
        }
    }
}

#[test]
fn a_hand_over_a_part_is_waited_for() {
    for game in BOTH {
        for part in [[0, 0, 3, 9], [2, 3, 9, 9], [0, 0, 9, 9]] {
            let p = played(game, |s| s.deeds = vec![(1500, Deed::Hand(part, 2000))]);
            assert_eq!(p.causes(), [Cause::Covered], "{game} {part:?}");
            let behind = |at: &Time| (1600..3500).contains(&(at.0 / 1000));
            let acted = |(at, e): &(Time, Event)| matches!(e, Event::Acted { .. }) && behind(at);
            assert!(!p.events.iter().any(acted), "nothing is done behind a hand");
        }
    }
}

#[test]
fn a_falling_disc_is_no_position_at_any_height() {
    for falls in [20, 70, 250] {
        let p = played("connect4", |s| s.manner.falls = ms(falls));
        assert_eq!(p.causes(), [], "{falls}: {}", p.story());
    }
}

#[test]
fn a_last_move_that_blinks_is_there() {
    for game in BOTH {
        // Ours blinks, too, while the program thinks; the first one leaves an empty board.
        for (blinks, thinks) in [(70, 600), (120, 600), (300, 600), (500, 600), (477, 1400)] {
            let p = played(game, |s| {
                s.manner.blinks = ms(blinks);
                s.manner.thinks = ms(thinks);
            });
            assert_eq!(p.causes(), [], "{game} {blinks}: {}", p.story());
        }
    }
}

#[test]
fn a_person_moves_for_us_and_takes_moves_back() {
    for game in BOTH {
        let p = played(game, |s| {
            // An undo is believed later than a move.
            s.moment = ms(1500);
            s.manner.thinks = ms(700);
            s.deeds = vec![
                (1000, Deed::Move),
                (2000, Deed::Undo(2)),
                (4000, Deed::Undo(1)),
            ];
        });
        // Ours may have been chosen in the same moment; then it is the move that was not ours.
        let causes = p.causes();
        let undone = p.count(Cause::Undone);
        assert!(
            (1..=2).contains(&undone),
            "{game}: {causes:?}\n{}",
            p.story()
        );
        assert!(
            causes
                .iter()
                .all(|c| matches!(c, Cause::UserMoved | Cause::WrongMove | Cause::Undone)),
            "{game}: {causes:?}"
        );
    }
}

#[test]
fn a_person_moves_twice_before_we_look() {
    for game in BOTH {
        let p = played(game, |s| {
            s.manner.thinks = Duration::ZERO;
            s.deeds = vec![
                (400, Deed::Hand([0, 0, 9, 9], 1500)),
                (1000, Deed::MoveTwice),
            ];
        });
        let causes = p.causes();
        assert_eq!(
            causes,
            [Cause::Covered, Cause::UserMoved],
            "{game}: {}",
            p.story()
        );
    }
}

#[test]
fn a_new_game_in_the_middle_is_played_whoever_begins_it() {
    for game in BOTH {
        for alternates in [false, true] {
            let p = played(game, |s| {
                // Only our pieces are known.
                s.who = Who {
                    side: Some(SideName::Kind(KindName::Letter('a'))),
                    ..Who::default()
                };
                s.manner.alternates = alternates;
                s.deeds = vec![(5000, Deed::New)];
            });
            assert_eq!(p.count(Cause::NewGame), 1, "{game}: {:?}", p.causes());
            let side = &p.report.games[0].extra["side"];
            assert_eq!(*side, if alternates { "second" } else { "first" });
        }
    }
}

#[test]
fn a_program_that_begins_again_by_itself_is_followed() {
    for game in BOTH {
        for after in [0, 100, 1000] {
            let mut scene = Scene::of(game);
            scene.who = said();
            scene.new_game = false;
            scene.games = 3;
            scene.manner.restarts_after = Some(ms(after));
            let p = scene.play();
            p.holds();
            let shown = p.shared().program.results.clone();
            let told = p.results();
            assert_eq!(told.len(), 3, "{game} {after}: {}", p.story());
            assert_eq!(told, shown[..3], "{game} {after}: {}", p.story());
        }
    }
}

#[test]
fn words_over_the_board_do_not_hide_the_end() {
    for game in BOTH {
        for (after, window) in [(0, false), (50, false), (400, true), (0, true)] {
            let p = played(game, |s| {
                s.manner.words_after = Some(ms(after));
                s.manner.words_in_a_window = window;
                // Nor does a bad frame now and then.
                s.faults.misread = if after == 50 { 0.03 } else { 0.0 };
                s.games = 4;
            });
            let other = |c: &&Cause| !matches!(c, Cause::Covered);
            assert_eq!(p.causes().iter().find(other), None, "{:?}", p.causes());
        }
    }
}

#[test]
fn an_end_that_is_covered_at_once_is_concluded() {
    for game in BOTH {
        let p = played(game, |s| {
            s.manner.words_after = Some(ms(0));
            s.manner.words_everywhere = true;
            s.games = 3;
        });
        let why = &p.report.games[0].why;
        assert!(
            why.contains("was not seen") || why.contains("was seen"),
            "{why}"
        );
    }
}

#[test]
fn other_looks_in_the_middle_are_the_same_game() {
    for game in BOTH {
        let p = played(game, |s| {
            s.manner.thinks = ms(1200);
            s.deeds = vec![(4000, Deed::Recolour)];
        });
        assert_eq!(p.causes(), [Cause::Recoloured], "{game}: {}", p.story());
        assert_eq!(p.report.games[0].extra["colour"], "b");
    }
}

#[test]
fn moves_by_keys_that_are_lost_go_elsewhere_or_are_made_again() {
    let cursor = |stands| {
        Controls::Cursor(Cursor {
            left: "Left".into(),
            right: "Right".into(),
            drop: "Down".into(),
            stands,
        })
    };
    let digits = (1..=7).map(|n: u8| n.to_string()).collect();
    for controls in [
        Controls::Keys(digits),
        cursor(Stands::Last),
        cursor(Stands::Anywhere),
    ] {
        for lost in [0.0, 0.15] {
            let p = played("connect4", |s| {
                s.controls = controls.clone();
                s.manner.keys = true;
                s.faults.lost = lost;
                s.games = 2;
            });
            let known = [Cause::ClickLost, Cause::WrongMove];
            let all = p.causes().iter().all(|c| known.contains(c));
            assert!(
                all && (lost > 0.0 || p.causes().is_empty()),
                "{:?}",
                p.causes()
            );
        }
    }
}

#[test]
fn a_window_that_is_moved_is_followed() {
    for game in BOTH {
        let p = played(game, |s| {
            s.deeds = vec![(1200, Deed::Shift(40, -20)), (3000, Deed::Shift(-90, 60))];
        });
        assert_eq!(
            p.causes(),
            [Cause::WindowMoved, Cause::WindowMoved],
            "{game}"
        );
    }
}

#[test]
fn an_opponent_may_think_as_long_as_it_likes() {
    let p = played("gomoku", |s| {
        s.manner.thinks = Duration::from_secs(90);
        s.manner.size = GridSize::new(5, 5);
        s.longest = Duration::from_secs(3000);
    });
    assert_eq!(p.causes(), []);
    let thinks = |(_, e): &(Time, Event)| {
        matches!(e, Event::Observed { what: Observation::Waits, text, .. }
            if text == "the opponent thinks")
    };
    let told = p.events.iter().filter(|e| thinks(e)).count();
    let moves = p.shared().program.answered.len();
    assert!(
        told >= moves && told <= moves + 1,
        "once for each move: {told} of {moves}"
    );
}

#[test]
fn a_game_joined_in_the_middle_waits_until_it_is_clear_and_says_why() {
    let mut scene = Scene::of("connect4");
    // A person plays four moves behind a hand; then nobody does anything.
    scene.manner.thinks = ms(100);
    scene.deeds = vec![(0, Deed::Hand([0, 0, 9, 9], 2500))];
    scene
        .deeds
        .extend((0..4).map(|i| (200 + 400 * i, Deed::Move)));
    scene.longest = Duration::from_secs(200);
    let p = scene.play();
    p.holds();
    assert!(p.report.games.iter().all(|g| g.result == Outcome::Aborted));
    let why = &p.report.ending.why;
    assert!(why.contains("game.begins"), "{why}");
    let acted = |(_, e): &(Time, Event)| matches!(e, Event::Acted { .. });
    assert!(!p.events.iter().any(acted));
}

#[test]
fn several_troubles_at_once() {
    for game in BOTH {
        for seed in 0..6 {
            played(game, |s| {
                s.faults = Faults {
                    lost: 0.2,
                    doubled: 0.1,
                    swallowed: 0,
                    misread: 0.05,
                    stale: 0.05,
                    seed,
                };
                s.manner.seed = seed;
                s.manner.falls = ms(if game == "connect4" { 50 } else { 0 });
                s.deeds = vec![
                    (1500, Deed::Hand([1, 1, 5, 4], 900)),
                    (3000, Deed::Move),
                    (5000, Deed::Shift(9, 9)),
                ];
            });
        }
    }
}

#[test]
fn a_first_move_made_twice_that_appears_with_theirs_may_have_been_the_second() {
    // The next game is begun behind our back and is the program's to begin. What we do first has
    // no effect; when it is done again the program has moved a moment before.
    for game in BOTH {
        for (late, stale) in (0..200).step_by(2).flat_map(|n| [(n, 0.0), (n, 1.0)]) {
            let mut scene = Scene::of(game);
            scene.manner.alternates = true;
            scene.deeds = vec![(2050 + late, Deed::New)];
            scene.manner.thinks = ms(632);
            scene.moment = ms(2000);
            scene.longest = Duration::from_secs(120);
            // Each frame is the one before once more: a look that is one frame late.
            scene.faults.stale = stale;
            let p = scene.play();
            p.holds();
            let wrong = [Cause::Impossible, Cause::WrongMove];
            assert!(
                !p.causes().iter().any(|c| wrong.contains(c)),
                "{}",
                p.story()
            );
            assert!(p.report.ending.complete, "{}", p.story());
        }
    }
}

#[test]
fn a_person_who_plays_for_us_is_followed_although_the_last_piece_blinks() {
    // Each move comes before the one before it, with its answer, has been seen for long enough
    // without the blinking piece.
    let mut scene = Scene::of("connect4");
    scene.manner.size = GridSize::new(7, 5);
    scene.manner.person_begins = false;
    scene.manner.thinks = Duration::ZERO;
    scene.manner.falls = ms(72);
    scene.manner.blinks = ms(172);
    scene.manner.seed = 13911185775193210707;
    let times = [1014, 3034, 5014, 7734, 10000, 12500];
    scene.deeds = times.map(|at| (at, Deed::Move)).to_vec();
    scene.deeds[4].1 = Deed::MoveTwice;
    scene.camera = true;
    scene.moment = ms(2344);
    scene.longest = Duration::from_secs(60);
    scene.who.begins = Some(Beginner::They);
    scene.play().holds();
}

#[test]
fn an_answer_that_comes_late_is_no_move_of_ours() {
    // Our first move had to be made again, and nobody answers it for so long that it may have been
    // theirs. What we do then has no effect, and what appears next is the answer.
    for game in BOTH {
        for (seed, swallowed) in (0..16).map(|n| (n, n as u32 % 3)) {
            let mut scene = Scene::of(game);
            scene.manner.seed = seed;
            scene.faults.swallowed = swallowed;
            scene.manner.thinks = ms(5500);
            scene.moment = ms(2000);
            let p = scene.play();
            assert!(p.wrong.is_empty(), "{:?}\n{}", p.wrong.first(), p.story());
            assert!(p.report.ending.complete, "{}", p.story());
            assert_eq!(p.results(), p.shared().program.results, "{}", p.story());
            let side = &p.report.games[0].extra["side"];
            assert_eq!(side, "first", "{}", p.story());
        }
    }
}
