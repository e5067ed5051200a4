use super::*;

/// Until the next step and then that step.
fn step(game: &mut Game) -> (Time, Happened) {
    let at = game.next_step_at().expect("it runs");
    (at, game.advance(at))
}

#[test]
fn a_piece_comes_after_a_delay_falls_and_lands() {
    let mut game = Game::new(Setup::default(), Time::ZERO);
    game.set_next(Kind::T);
    assert_eq!(game.advance(Time::from_millis(499)), Happened::default());
    assert_eq!(game.advance(Time::from_millis(500)).spawned, 1);
    let piece = game.piece().expect("it came");
    assert_eq!((piece.x, piece.y), (5, 19));
    for n in 1..=18 {
        let (at, _) = step(&mut game);
        assert_eq!(at, Time::from_millis(500 + 500 * n));
        assert_eq!(game.piece().expect("falling").y, 19 - n as i16);
    }
    let (at, happened) = step(&mut game);
    assert_eq!((at, happened.landed), (Time::from_millis(10_000), 1));
    assert_eq!((game.piece(), game.score()), (None, 6));
    let (at, happened) = step(&mut game);
    assert_eq!((at, happened.spawned), (Time::from_millis(10_500), 1));
}

#[test]
fn a_drop_lands_at_once_and_the_next_comes_a_delay_later() {
    let mut game = Game::new(Setup::default(), Time::ZERO);
    game.set_next(Kind::O);
    let happened = game.press(Key::Drop, Time::from_millis(730));
    assert_eq!((happened.spawned, happened.landed), (1, 1));
    assert_eq!((game.piece(), game.score()), (None, 24));
    assert_eq!(game.next_step_at(), Some(Time::from_millis(1230)));
    assert!(game.board().text().ends_with("/....OO..../....OO...."));
}

#[test]
fn nothing_turns_where_it_appears() {
    for kind in Kind::ALL {
        let mut game = Game::new(Setup::default(), Time::ZERO);
        game.set_next(kind);
        let came = Time::from_millis(500);
        assert!(!game.press(Key::Rotate, came).acted, "{kind}");
        let lower = Time::from_millis(1000);
        assert_eq!(
            game.press(Key::Rotate, lower).acted,
            kind != Kind::O,
            "{kind}"
        );
    }
}

#[test]
fn walls_stop_a_piece() {
    let mut game = Game::new(Setup::default(), Time::ZERO);
    game.set_next(Kind::I);
    let now = Time::from_millis(500);
    let moves = |game: &mut Game, key| (0..20).filter(|_| game.press(key, now).acted).count();
    assert_eq!(moves(&mut game, Key::Left), 3);
    assert_eq!(moves(&mut game, Key::Right), 6);
}

#[test]
fn it_ends_when_a_new_piece_would_overlap() {
    let mut game = Game::new(Setup::default(), Time::ZERO);
    let mut now = Time::ZERO;
    for landed in 0..10 {
        assert!(!game.is_over());
        game.set_next(Kind::O);
        now = game.next_step_at().expect("it runs");
        game.press(Key::Drop, now);
        assert_eq!(game.pieces(), landed + 1);
    }
    game.set_next(Kind::O);
    let end = game.advance(now + std::time::Duration::from_secs(9));
    assert!(end.ended && game.is_over());
    assert_eq!((end.steps, game.next_step_at()), (1, None));
    assert_eq!(game.heights()[20], 1);
}

#[test]
fn time_stands_still_while_held() {
    let mut game = Game::new(Setup::default(), Time::ZERO);
    game.hold(true, Time::from_millis(400));
    assert_eq!(game.advance(Time::from_millis(9000)), Happened::default());
    assert!(!game.press(Key::Left, Time::from_millis(9000)).acted);
    game.hold(false, Time::from_millis(10_000));
    assert_eq!(game.next_step_at(), Some(Time::from_millis(10_100)));
}

#[test]
fn calibration_shows_pieces_and_gives_the_game_back() {
    let mut game = Game::new(Setup::default(), Time::ZERO);
    game.press(Key::Left, Time::from_millis(600));
    let before = game.clone();
    game.calibrate(true, Time::from_millis(700));
    assert_eq!(game.piece(), None);
    for kind in Kind::ALL {
        game.show(Some(kind));
        assert_eq!(game.piece(), Some(game.system().spawn(kind, 10, 20)));
    }
    game.show(None);
    assert_eq!(game.piece(), None);
    game.calibrate(false, Time::from_millis(900));
    assert_eq!(game.piece(), before.piece());
    assert_eq!(game.next_step_at(), Some(Time::from_millis(1200)));
}

#[test]
fn junk_lifts_the_pile_and_a_piece_in_its_way() {
    let pile = Board::from_text("....../....../....../....../##.###").expect("a board");
    let mut game = Game::with_board(Setup::default(), pile, Time::ZERO);
    game.set_next(Kind::O);
    let now = Time::from_millis(1500);
    game.advance(now);
    let piece = game.piece().expect("falling");
    assert_eq!(piece.y, 2, "resting on the pile");
    game.push_junk(0, now);
    assert_eq!(game.piece(), Some(piece.moved(0, 1)));
    assert_eq!(game.board().text(), "....../....../....../##.###/.#####");
    game.push_junk(1, now);
    assert!(!game.is_over());
    game.push_junk(1, now);
    assert!(game.is_over(), "the piece would leave the board");
}
