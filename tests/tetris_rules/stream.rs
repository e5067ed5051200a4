//! Whatever keys come at whatever times: what must hold holds.

use kibitzer::games::tetris::rules::{Draw, Game, Key, Setup};
use kibitzer::types::Time;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Input {
    Key(Key),
    Wait,
    Junk(u16),
    Bias(i8),
    Pause,
    Calibrate,
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        12 => (0..4usize).prop_map(|i| Input::Key(Key::ALL[i])),
        3 => Just(Input::Wait),
        1 => (0..250u16).prop_map(Input::Junk),
        1 => any::<i8>().prop_map(Input::Bias),
        1 => Just(Input::Pause),
        1 => Just(Input::Calibrate),
    ]
}

fn setup() -> impl Strategy<Value = Setup> {
    (0..30u16, 0..30u16, any::<u8>(), any::<u64>(), any::<bool>()).prop_map(
        |(cols, rows, level, seed, sz)| Setup {
            cols,
            rows,
            level,
            seed,
            draw: if sz {
                Draw::AlternatingSz
            } else {
                Draw::Uniform
            },
            ..Setup::default()
        },
    )
}

fn give(game: &mut Game, input: &Input, now: Time) {
    match *input {
        Input::Key(key) => {
            game.press(key, now);
        }
        Input::Wait => {
            game.advance(now);
        }
        Input::Junk(hole) => {
            game.push_junk(hole, now);
        }
        Input::Bias(bias) => game.set_bias(bias, now),
        Input::Pause => game.hold(!game.is_held(), now),
        Input::Calibrate => game.calibrate(!game.is_calibrating(), now),
    }
}

fn check(game: &Game) {
    let board = game.board();
    let occupied = board.cells().iter().filter(|&&v| v != 0).count() as u64;
    let gone = u64::from(board.cols()) * game.lines();
    assert_eq!(
        4 * game.pieces() + game.junk(),
        occupied + gone,
        "cells are conserved"
    );
    if let (Some(piece), false) = (game.piece(), game.is_calibrating()) {
        assert!(board.is_free(game.system(), piece), "no overlap");
    }
    assert_eq!(game.heights().iter().sum::<u64>(), game.pieces());
    let full = |row: &[u8]| row.iter().all(|&v| v != 0);
    assert!(!board.cells().chunks(board.cols().into()).any(full));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_overlaps_and_cells_are_conserved(
        setup in setup(),
        inputs in prop::collection::vec((input(), 0..400u64), 0..300),
    ) {
        let mut game = Game::new(setup, Time::ZERO);
        let mut now = Time::ZERO;
        for (input, wait) in &inputs {
            now = Time(now.0 + wait * 1000);
            give(&mut game, input, now);
            check(&game);
        }
    }

    #[test]
    fn looking_more_often_changes_nothing(
        setup in setup(),
        inputs in prop::collection::vec((input(), 0..3000u64, 1..5u64), 0..60),
    ) {
        let mut seldom = Game::new(setup, Time::ZERO);
        let mut often = seldom.clone();
        let mut now = Time::ZERO;
        for (input, wait, parts) in &inputs {
            let then = Time(now.0 + wait * 1000);
            for part in 1..=*parts {
                often.advance(Time(now.0 + wait * 1000 * part / parts));
            }
            now = then;
            give(&mut seldom, input, now);
            give(&mut often, input, now);
            prop_assert_eq!(&seldom, &often);
        }
    }

    #[test]
    fn the_end_is_the_end(setup in setup()) {
        let mut game = Game::new(setup, Time::ZERO);
        game.advance(Time::from_millis(100_000_000));
        prop_assert!(game.is_over());
        let before = game.clone();
        for key in Key::ALL {
            game.press(key, Time::from_millis(200_000_000));
        }
        prop_assert_eq!(before, game);
    }
}
