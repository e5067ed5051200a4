//! The Tetris Bot Protocol with a small bot that checks the order of messages.

use std::time::{Duration, Instant};

use kibitzer::brains::external;
use kibitzer::games::tetris::policies::{MoveModel, Policy, Position, by_name};
use kibitzer::games::tetris::rules::{Board, Kind};

use super::bots::{AMPLE, bot, budget};

fn brain(args: &str, patience: Option<Duration>) -> Box<dyn Policy> {
    let fallback = by_name("dt10").expect("dt10");
    external::tetris(&bot("tbp", "tbp_bot.py", args), fallback, patience).expect("it starts")
}

fn empty(cols: usize, rows: usize) -> Board {
    Board::from_text(&vec![".".repeat(cols); rows].join("/")).expect("a board")
}

fn at<'a>(board: &'a Board, kind: Kind, next: Option<Kind>) -> Position<'a> {
    Position {
        board,
        kind,
        next,
        model: MoveModel::AnyOrder,
        allowed: None,
    }
}

/// Plays so many pieces; how many were the bot's own, and the board.
fn play(policy: &mut dyn Policy, pieces: usize, shows_next: bool) -> (usize, Board) {
    let mut board = empty(10, 20);
    let order: Vec<Kind> = Kind::ALL.into_iter().cycle().take(pieces + 1).collect();
    let mut own = 0;
    for pair in order.windows(2) {
        let next = shows_next.then_some(pair[1]);
        let choice = policy
            .choose(&at(&board, pair[0], next), &budget(AMPLE))
            .expect("a place");
        own += usize::from(choice.features.is_empty());
        board = choice.placement.applied(&board).expect("fits").0;
    }
    (own, board)
}

#[test]
fn the_bot_plays_with_and_without_the_next_piece() {
    for shows_next in [true, false] {
        let (own, board) = play(brain("", None).as_mut(), 40, shows_next);
        assert_eq!(own, 40);
        assert!(
            board.height() < 12,
            "rows vanish for both:\n{}",
            board.text()
        );
    }
}

#[test]
fn moves_that_hold_or_cannot_be_dropped_are_passed_over() {
    let plain = play(brain("", None).as_mut(), 20, true);
    for mode in ["hold", "tuck", "hold tuck"] {
        assert_eq!(play(brain(mode, None).as_mut(), 20, true), plain, "{mode}");
    }
}

#[test]
fn a_bot_that_lies_babbles_or_refuses_is_replaced() {
    for mode in ["outside", "garbage", "refuse"] {
        let (own, _) = play(brain(mode, None).as_mut(), 3, true);
        assert_eq!(own, 0, "{mode}");
    }
}

#[test]
fn boards_of_another_width_are_not_its_to_play() {
    let board = empty(8, 12);
    let mut policy = brain("", None);
    let choice = policy
        .choose(&at(&board, Kind::T, None), &budget(AMPLE))
        .expect("a place");
    assert!(!choice.features.is_empty(), "made by dt10");
    // Nothing is wrong with the bot.
    let board = empty(10, 12);
    let choice = policy
        .choose(&at(&board, Kind::T, None), &budget(AMPLE))
        .expect("a place");
    assert!(choice.features.is_empty(), "made by the bot");
}

#[test]
fn only_what_can_be_reached_is_played() {
    let board = empty(10, 20);
    let mut policy = brain("", None);
    let first = policy
        .choose(&at(&board, Kind::I, None), &budget(AMPLE))
        .expect("a place");
    let others: Vec<_> = kibitzer::games::tetris::policies::Placement::all(Kind::I, 10)
        .filter(|p| *p != first.placement)
        .collect();
    let position = Position {
        allowed: Some(&others),
        ..at(&board, Kind::I, None)
    };
    let second = policy.choose(&position, &budget(AMPLE)).expect("a place");
    assert!(second.features.is_empty() && others.contains(&second.placement));
    // The game goes on from what was really played.
    let (board, _) = second.placement.applied(&board).expect("fits");
    let third = policy
        .choose(&at(&board, Kind::O, None), &budget(AMPLE))
        .expect("a place");
    assert!(third.features.is_empty());
}

#[test]
fn a_caller_with_little_patience_is_not_kept() {
    let board = empty(10, 20);
    let mut policy = brain("", Some(Duration::ZERO));
    let position = at(&board, Kind::S, Some(Kind::O));
    let until = Instant::now() + AMPLE;
    let mut looks = 0;
    let choice = loop {
        match policy.choose(&position, &budget(AMPLE)) {
            // While it starts, the fallback plays.
            Some(choice) if choice.features.is_empty() => break choice,
            _ => looks += 1,
        }
        assert!(Instant::now() < until, "{looks} looks");
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(looks > 0 && choice.placement.kind == Kind::S);
}

#[test]
fn answers_about_a_position_that_has_changed_are_passed_over() {
    let board = empty(10, 20);
    let mut policy = brain("", Some(Duration::ZERO));
    let until = Instant::now() + AMPLE;
    let mut ask = |kind: Kind| {
        let choice = policy.choose(&at(&board, kind, None), &budget(AMPLE));
        choice.map(|c| (c.placement.kind, c.features.is_empty()))
    };
    // Until it has started, the fallback answers at once.
    while ask(Kind::S).is_some() {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(1));
    }
    // Both are asked before the first is answered, or not: it must not matter.
    for kind in [Kind::T, Kind::I, Kind::T, Kind::L, Kind::O] {
        ask(kind);
    }
    let answer = loop {
        if let Some(answer) = ask(Kind::J) {
            break answer;
        }
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(answer, (Kind::J, true), "by the bot");
}
