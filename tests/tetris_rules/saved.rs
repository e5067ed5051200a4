//! Saved games: they go on as they would have, and no text harms the program.

use std::time::Duration;

use kibitzer::games::tetris::rules::{Draw, Game, Key, Setup};
use kibitzer::types::Time;
use proptest::prelude::*;

/// A game some way on, deterministic.
fn played(setup: Setup, keys: &[(usize, u64)]) -> (Game, Time) {
    let mut game = Game::new(setup, Time::ZERO);
    let mut now = Time::ZERO;
    for &(key, wait) in keys {
        now = now + Duration::from_millis(wait);
        game.press(Key::ALL[key], now);
        if wait == 7 {
            game.push_junk(3, now);
        }
    }
    (game, now)
}

fn example() -> (Game, Time) {
    let keys: Vec<(usize, u64)> = (0..40).map(|i| (i % 4, 90 + 7 * i as u64)).collect();
    played(
        Setup {
            seed: 9,
            level: 4,
            ..Setup::default()
        },
        &keys,
    )
}

fn refused(text: &str) -> String {
    Game::load(text, Time::ZERO)
        .expect_err("no game")
        .to_string()
}

#[test]
fn errors_name_the_line_and_what_should_stand_there() {
    let (game, now) = example();
    let text = game.save(now);
    let lines: Vec<&str> = text.lines().collect();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        text.replace(from, to)
    };
    let line = |start: &str| {
        lines
            .iter()
            .position(|l| l.starts_with(start))
            .expect("there")
            + 1
    };
    assert!(refused("").starts_with("line 1: ``: a saved game begins with `kibitzer tetris 1`"));
    assert!(refused(&with("tetris 1", "tetris 2")).contains("another version"));
    assert!(refused(&with("level 4", "level 11")).contains("from 1 to 10"));
    let dropped = with("draw uniform\n", "");
    assert_eq!(
        refused(&dropped),
        "line 5: `seed 9` stands where `draw ...` should"
    );
    assert!(refused(&with("draw uniform", "draw bag")).contains("uniform or alternating-sz"));
    assert!(refused(&with("wait ", "wait x")).starts_with(&format!("line {}: ", line("wait"))));
    let (first, last) = (line("board") + 1, lines.len());
    let mut ragged = lines.clone();
    ragged[first + 4] = "...";
    assert!(refused(&ragged.join("\n")).starts_with(&format!("line {}: ", first + 5)));
    let short = lines[..last - 1].join("\n");
    assert!(refused(&short).starts_with("line "), "{}", refused(&short));
    let buried = text.replace(lines[line("piece ") - 1], "piece O turn 0 column 1 row 0");
    assert!(refused(&buried).starts_with(&format!("line {}: the piece", line("piece "))));
}

#[test]
fn a_loaded_game_shows_the_same_text() {
    let (game, now) = example();
    let text = game.save(now);
    let loaded = Game::load(&text, Time::ZERO).expect("a game");
    assert_eq!(loaded.save(Time::ZERO), text);
    assert_eq!(loaded.heights(), game.heights());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_loaded_game_goes_on_identically(
        seed in any::<u64>(),
        sz in any::<bool>(),
        cols in 4..12u16,
        before in prop::collection::vec((0..4usize, 0..900u64), 0..80),
        after in prop::collection::vec((0..4usize, 0..900u64), 0..80),
        shift in 0..1_000_000u64,
    ) {
        let draw = if sz { Draw::AlternatingSz } else { Draw::Uniform };
        let (mut game, now) = played(Setup { seed, draw, cols, ..Setup::default() }, &before);
        // The clock of the program that loads it is another one.
        let mut other = Game::load(&game.save(now), Time(shift)).expect("a game");
        let mut past = Duration::ZERO;
        for (key, wait) in after {
            past += Duration::from_millis(wait);
            let happened = game.press(Key::ALL[key], now + past);
            prop_assert_eq!(happened, other.press(Key::ALL[key], Time(shift) + past));
        }
        prop_assert_eq!(game.save(now + past), other.save(Time(shift) + past));
    }

    #[test]
    fn no_text_panics(text in "(?s).{0,300}") {
        let _ = Game::load(&text, Time::ZERO);
    }

    #[test]
    fn no_damage_to_a_saved_game_panics(
        edits in prop::collection::vec((0..900usize, "[ -~\n]{0,6}"), 1..8),
        jump in 0..2_000_000_000u64,
    ) {
        let (game, now) = example();
        let mut text: Vec<char> = game.save(now).chars().collect();
        for (at, put) in edits {
            let at = at.min(text.len());
            let end = (at + 1).min(text.len());
            text.splice(at..end, put.chars());
        }
        if let Ok(mut game) = Game::load(&text.iter().collect::<String>(), Time::ZERO) {
            game.press(Key::Rotate, Time(jump));
            game.press(Key::Drop, Time(jump));
            game.push_junk(0, Time(jump));
        }
    }
}
