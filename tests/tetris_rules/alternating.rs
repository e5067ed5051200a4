//! S and Z in turn: no way to survive on 10 columns, a simple way for ever on 8.

use std::collections::HashSet;

use kibitzer::games::tetris::policies::{MoveModel, Policy, Position, by_name};
use kibitzer::games::tetris::rules::{Board, Draw, Game, Key, Kind, Pose, Setup};
use kibitzer::types::{Budget, Time};

fn alternating(cols: u16) -> Game {
    let setup = Setup {
        cols,
        draw: Draw::AlternatingSz,
        level: 10,
        ..Setup::default()
    };
    Game::new(setup, Time::ZERO)
}

/// Lets the next piece appear and fall one row, so that it can turn.
fn appear(game: &mut Game) -> Option<(Pose, Time)> {
    game.advance(game.next_step_at()?);
    let now = game.next_step_at()?;
    game.advance(now);
    Some((game.piece()?, now))
}

/// Turns it so often, brings its origin to a column and drops it.
fn put(game: &mut Game, turns: u8, x: i16, now: Time) {
    for _ in 0..turns {
        game.press(Key::Rotate, now);
    }
    while let Some(piece) = game.piece()
        && piece.x != x
    {
        let key = if piece.x > x { Key::Left } else { Key::Right };
        if !game.press(key, now).acted {
            break;
        }
    }
    game.press(Key::Drop, now);
}

/// A pile's badness with weights for height, holes, roughness of the surface and wells.
fn badness(board: &Board, weights: [i64; 4]) -> i64 {
    let (cols, rows) = (board.cols() as i16, board.rows() as i16);
    let filled = |x, y| board.get(x, y) != Some(0);
    let tops: Vec<i64> = (0..cols)
        .map(|x| {
            (0..rows)
                .rev()
                .find(|&y| filled(x, y))
                .map_or(0, |y| i64::from(y) + 1)
        })
        .collect();
    let height: i64 = tops.iter().sum();
    let holes = (0..cols)
        .flat_map(|x| (0..tops[x as usize] as i16).map(move |y| (x, y)))
        .filter(|&(x, y)| !filled(x, y))
        .count() as i64;
    let rough = tops.windows(2).map(|t| (t[0] - t[1]).abs()).sum::<i64>();
    let side = |x: usize, dx: isize| x.checked_add_signed(dx).and_then(|i| tops.get(i));
    let wells: i64 = (0..tops.len())
        .map(|x| {
            let walls = [side(x, -1), side(x, 1)].map(|t| *t.unwrap_or(&99));
            (walls[0].min(walls[1]) - tops[x]).max(0).pow(2)
        })
        .sum();
    let parts = [height, holes, rough, wells];
    parts.iter().zip(weights).map(|(p, w)| p * w).sum()
}

/// Plays the placement with the least badness.
fn greedy(game: &mut Game, weights: [i64; 4]) -> bool {
    let Some((piece, now)) = appear(game) else {
        // It may have come to rest where it appeared.
        return !game.is_over();
    };
    let mut best: Option<(i64, u8, i16)> = None;
    for turns in 0..game.system().turns_of(piece.kind) {
        for x in 0..game.board().cols() as i16 {
            let pose = Pose {
                turn: turns,
                x,
                ..piece
            };
            if !game.board().is_free(game.system(), pose) {
                continue;
            }
            let mut board = game.board().clone();
            let rest = board.dropped(game.system(), pose);
            board.lock(game.system(), rest);
            board.clear_full();
            let bad = badness(&board, weights);
            if best.is_none_or(|(least, ..)| bad < least) {
                best = Some((bad, turns, x));
            }
        }
    }
    let (_, turns, x) = best.unwrap_or((0, 0, piece.x));
    put(game, turns, x, now);
    true
}

/// Plays the placement that a policy of the program chooses.
fn policy(game: &mut Game, policy: &mut dyn Policy, next: bool) -> bool {
    let Some((piece, now)) = appear(game) else {
        return !game.is_over();
    };
    let position = Position {
        board: game.board(),
        kind: piece.kind,
        next: next.then(|| game.next()),
        model: MoveModel::AfterOneStep,
        allowed: None,
    };
    let budget = Budget {
        nodes: Some(2_000),
        ..Budget::default()
    };
    let placement = policy.choose(&position, &budget).map(|c| c.placement);
    let (turn, x) = placement.map_or((0, piece.x), |p| (p.turn, p.origin_x()));
    put(game, turn, x, now);
    true
}

#[test]
fn ten_columns_are_lost_before_70_000_pieces() {
    for weights in [[1, 8, 1, 1], [2, 3, 1, 0], [1, 20, 2, 3], [0, 1, 0, 0]] {
        let mut game = alternating(10);
        while game.pieces() < 70_000 && greedy(&mut game, weights) {}
        assert!(game.is_over(), "{weights:?}: {}", game.board().text());
    }
    for (name, next) in [("dt10", false), ("dellacherie", false), ("two-piece", true)] {
        let mut player = by_name(name).expect("a policy");
        let mut game = alternating(10);
        while game.pieces() < 70_000 && policy(&mut game, player.as_mut(), next) {}
        assert!(game.is_over(), "{name}: {}", game.board().text());
        let mut usual = Game::new(Setup::default(), Time::ZERO);
        while usual.pieces() < 1_000 && policy(&mut usual, player.as_mut(), next) {}
        assert!(!usual.is_over(), "{name} is a player worth the name");
    }
}

/// Upright pieces in towers of two columns: S in the two towers at the left, Z at the right.
fn towers(game: &mut Game) -> bool {
    let Some((piece, now)) = appear(game) else {
        return false;
    };
    let second = (game.pieces() / 2) % 2;
    let x = match piece.kind {
        Kind::S => 0,
        _ => 4,
    } + 2 * second as i16;
    put(game, 1, x, now);
    true
}

#[test]
fn eight_columns_are_survived_for_ever() {
    let mut game = alternating(8);
    let mut seen = HashSet::new();
    // After every fourth piece the state is the pile alone. Once one comes again, so do all.
    loop {
        for _ in 0..4 {
            assert!(towers(&mut game), "{}", game.board().text());
        }
        if !seen.insert(game.board().clone()) {
            break;
        }
        assert!(seen.len() < 100, "no cycle");
    }
    let pieces = game.pieces();
    while game.pieces() < pieces + 100_000 {
        assert!(towers(&mut game));
    }
    assert!(game.board().height() < 10);
    assert_eq!(game.lines(), game.pieces() / 2 - 1);
}
