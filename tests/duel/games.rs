//! Games without trouble, and random games with random trouble.

use std::time::Duration;

use kibitzer::games::duel::sides::Who;
use kibitzer::types::*;
use proptest::prelude::*;

use super::program::Manner;
use super::screen::{Deed, Faults};
use super::table::Scene;
use super::watch::Played;

const BOTH: [&str; 2] = ["connect4", "gomoku"];

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// The program's own results are those that were told.
fn told_right(played: &Played) {
    let shown = played.shared().program.results.clone();
    assert_eq!(played.results(), shown, "{}", played.story());
}

#[test]
fn whole_games_are_played_whoever_begins() {
    for game in BOTH {
        for person_begins in [true, false] {
            for falls in [0, 60] {
                let mut scene = Scene::of(game);
                scene.games = 3;
                scene.manner.person_begins = person_begins;
                scene.manner.falls = ms(if game == "connect4" { falls } else { 0 });
                let played = scene.play();
                played.holds();
                assert!(played.checked > 5, "{} comparisons", played.checked);
                told_right(&played);
                let ending = &played.report.ending;
                assert!(ending.complete, "{}\n{}", ending.why, played.story());
                assert_eq!(
                    played.causes(),
                    [],
                    "{game} {person_begins}: {}",
                    played.story()
                );
                let won = played.results().iter().filter(|r| *r == "won").count();
                assert!(won >= 2, "{:?} against moves at random", played.results());
            }
        }
    }
}

#[test]
fn an_answer_comes_in_time() {
    for game in BOTH {
        let mut scene = Scene::of(game);
        scene.games = 2;
        scene.manner.falls = ms(if game == "connect4" { 40 } else { 0 });
        let played = scene.play();
        played.holds();
        let mean = played.mean_answer();
        println!("{game}: {mean:?} from a move to the answer, without thinking");
        assert!(mean < ms(250), "{mean:?}");
    }
}

#[test]
fn sides_that_change_are_followed() {
    for game in BOTH {
        for colours_by_turn in [true, false] {
            let mut scene = Scene::of(game);
            scene.games = 4;
            scene.manner.alternates = true;
            scene.manner.colours_by_turn = colours_by_turn;
            let played = scene.play();
            played.holds();
            told_right(&played);
            let sides: Vec<_> = played
                .report
                .games
                .iter()
                .map(|g| g.extra["side"].clone())
                .collect();
            assert_eq!(
                sides,
                ["first", "second", "first", "second"],
                "{}",
                played.story()
            );
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = |seed| {
        let mut scene = Scene::of("connect4");
        scene.faults = Faults {
            lost: 0.2,
            misread: 0.1,
            seed,
            ..Faults::default()
        };
        scene.play().story()
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}

#[test]
fn who_looks_on_touches_nothing_and_tells_the_result() {
    for game in BOTH {
        let mut scene = Scene::of(game);
        scene.who = Who {
            looks_on: true,
            ..Who::default()
        };
        scene.manner.thinks = ms(400);
        // Somebody else plays the person's side.
        scene.deeds = (1..60).map(|i| (i * 300, Deed::Move)).collect();
        scene.longest = Duration::from_secs(60);
        let played = scene.play();
        played.holds();
        let acted = |(_, e): &(Time, Event)| matches!(e, Event::Acted { .. });
        assert!(!played.events.iter().any(acted));
        let first = played.report.games.first().expect("a game was seen to end");
        let shown = played.shared().program.results[0];
        assert_eq!(played.results()[0], shown, "the person is the first side");
        assert_eq!(first.extra["side"], serde_json::Value::Null);
        assert_eq!(first.mismatches, 0, "{}", played.story());
    }
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => Just(Deed::Move),
        1 => Just(Deed::MoveTwice),
        2 => (1..4usize).prop_map(Deed::Undo),
        1 => Just(Deed::New),
        3 => ((0..6u16, 0..5u16, 1..5u16, 1..5u16), 20..2500u64).prop_map(|((x, y, w, h), ms)| {
            Deed::Hand([x, y, x + w, y + h], ms)
        }),
        1 => (-50..50i32, -50..50i32).prop_map(|(x, y)| Deed::Shift(x, y)),
    ]
}

prop_compose! {
    fn manner()(
        game in 0..2usize,
        person_begins in any::<bool>(),
        alternates in any::<bool>(),
        thinks in prop_oneof![Just(0u64), 1..1500u64],
        falls in prop_oneof![Just(0u64), 10..120u64],
        blinks in prop_oneof![3 => Just(0u64), 1 => 60..500u64],
        words in proptest::option::of(0..300u64),
        seed in any::<u64>(),
        cols in 6..9u16,
        rows in 5..9u16,
    ) -> Manner {
        let game = BOTH[game];
        let millis = Duration::from_millis;
        Manner {
            size: GridSize::new(cols, rows),
            person_begins,
            alternates,
            thinks: millis(thinks),
            falls: millis(if game == "connect4" { falls } else { 0 }),
            blinks: millis(blinks),
            words_after: words.map(millis),
            seed,
            ..Manner::of(game)
        }
    }
}

prop_compose! {
    pub(super) fn scene()(
        manner in manner(),
        lost in prop_oneof![Just(0.0), 0.0..0.3f64],
        doubled in prop_oneof![Just(0.0), 0.0..0.2f64],
        misread in prop_oneof![Just(0.0), 0.0..0.1f64],
        stale in prop_oneof![Just(0.0), 0.0..0.1f64],
        seed in any::<u64>(),
        deeds in proptest::collection::vec((0..1500u64, deed()), 0..8),
        camera in any::<bool>(),
    ) -> Scene {
        // Who is who is said: a person who begins for us in the first game cannot be told from a
        // program that begins.
        let who = Who {
            side: Some(SideName::Kind(KindName::Letter('a'))),
            begins: (!manner.alternates).then_some(match manner.person_begins {
                true => Beginner::We,
                false => Beginner::They,
            }),
            looks_on: false,
        };
        // Nobody does two things at once.
        let deeds: Vec<(u64, Deed)> = (0..).zip(deeds).map(|(i, (t, d))| (2500 * i + t, d)).collect();
        // A piece that is hidden whenever no hand is over the board cannot be seen by anybody.
        let hands = deeds.iter().any(|(_, deed)| matches!(deed, Deed::Hand(..)));
        let blinks = if hands { Duration::ZERO } else { manner.blinks };
        let manner = Manner { blinks, ..manner };
        Scene {
            manner,
            faults: Faults { lost, doubled, swallowed: 0, misread, stale, seed },
            who,
            games: 3,
            deeds,
            camera,
            longest: Duration::from_secs(60),
            moment: Duration::from_millis(2000) + blinks * 2,
            ..Scene::of("connect4")
        }
    }
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scene")
            .field("manner", &self.manner)
            .field("faults", &self.faults)
            .field("deeds", &self.deeds)
            .field("camera", &self.camera)
            .finish_non_exhaustive()
    }
}

/// As many games as a quick run has time for; `CASES=5000` looks for what is rare.
fn cases() -> u32 {
    let told = std::env::var("CASES").ok();
    told.map_or(48, |n| n.parse().expect("CASES is a number of games"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_happens_the_belief_is_true_after_a_moment_and_nothing_is_done_out_of_turn(
        scene in scene()
    ) {
        let checked = scene.play().check();
        prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
}
