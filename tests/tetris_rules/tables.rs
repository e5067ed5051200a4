//! Every figure of the standard's tables.

use std::time::Duration;

use kibitzer::games::tetris::rules::{
    Board, Draw, FRAME, Game, Key, Kind, Setup, System, biased_delay, delay, earned_level, points,
};
use kibitzer::types::Time;

const LONG: Duration = Duration::from_secs(60);

fn game(level: u8, kind: Kind) -> Game {
    let setup = Setup {
        level,
        ..Setup::default()
    };
    let mut game = Game::new(setup, Time::ZERO);
    game.set_next(kind);
    game
}

/// Falls by itself until it lands.
fn fall(game: &mut Game) -> u64 {
    while game.pieces() == 0 {
        game.advance(game.next_step_at().expect("it runs"));
    }
    game.score()
}

#[test]
fn delays() {
    let ms = [500, 450, 400, 350, 300, 250, 200, 150, 100, 50];
    for (level, ms) in (1..=10).zip(ms) {
        assert_eq!(delay(level), Duration::from_millis(ms), "level {level}");
        let game = game(level, Kind::O);
        assert_eq!(game.next_step_at(), Some(Time::from_millis(ms)));
    }
}

#[test]
fn speed_bias() {
    for level in 1..=10 {
        let own = delay(level);
        let of = |bias| biased_delay(level, bias);
        assert_eq!(of(0), own);
        assert_eq!(of(-1), own.max(Duration::from_millis(200)));
        assert_eq!(of(-2), delay(1));
        assert_eq!(of(-3), 2 * delay(1));
        assert_eq!(of(-5), 4 * delay(1));
        assert_eq!(of(1), Duration::from_millis(50));
        assert_eq!(of(2), FRAME);
        assert_eq!(of(3), FRAME / 2);
        assert_eq!(of(5), FRAME / 4);
    }
}

#[test]
fn a_changed_bias_acts_within_the_delay_that_runs() {
    let mut game = game(1, Kind::O);
    game.set_bias(1, Time::from_millis(100));
    assert_eq!(game.next_step_at(), Some(Time::from_millis(100)));
    assert_eq!(game.advance(Time::from_millis(100)).steps, 1);
    game.set_bias(-2, Time::from_millis(120));
    assert_eq!(game.next_step_at(), Some(Time::from_millis(600)));
    game.hold(true, Time::from_millis(300));
    game.set_bias(-3, Time::from_millis(900));
    game.hold(false, Time::from_millis(1300));
    assert_eq!(game.next_step_at(), Some(Time::from_millis(2100)));
}

#[test]
fn earned_levels() {
    let table = [
        (0, 1),
        (1, 1),
        (10, 1),
        (11, 2),
        (20, 2),
        (21, 3),
        (80, 8),
        (81, 9),
        (90, 9),
        (91, 10),
        (7_216_290, 10),
    ];
    for (lines, level) in table {
        assert_eq!(earned_level(lines), level, "{lines} lines");
    }
}

#[test]
fn the_higher_of_initial_and_earned_level_counts() {
    // Twelve rows complete one by one under I pieces dropped into a well at the right.
    let rows = ["#########."; 12].join("/");
    let pile = Board::from_text(&format!("{}/{rows}", [".........."; 8].join("/"))).expect("one");
    for (initial, at_last) in [(1, 2), (2, 2), (7, 7)] {
        let setup = Setup {
            level: initial,
            ..Setup::default()
        };
        let mut game = Game::with_board(setup, pile.clone(), Time::ZERO);
        while game.lines() < 12 {
            game.set_next(Kind::I);
            let came = game.next_step_at().expect("it runs");
            game.advance(came);
            let lower = game.next_step_at().expect("it runs");
            game.press(Key::Rotate, lower);
            for _ in 0..9 {
                game.press(Key::Right, lower);
            }
            game.press(Key::Drop, lower);
        }
        assert_eq!((game.pieces(), game.level()), (3, at_last));
        assert_eq!(game.board().height(), 0);
    }
}

#[test]
fn points_on_an_empty_board() {
    for kind in Kind::ALL.into_iter().filter(|&k| k != Kind::I) {
        for (level, free, dropped) in [(1, 6, 24), (10, 33, 51)] {
            assert_eq!(fall(&mut game(level, kind)), free, "{kind}, level {level}");
            let mut quick = game(level, kind);
            quick.press(Key::Drop, quick.next_step_at().expect("it runs"));
            assert_eq!(quick.score(), dropped, "{kind}, level {level}");
        }
    }
    assert_eq!(fall(&mut game(1, Kind::I)), 5, "one row further");
    assert_eq!(points(1, 400), 0, "never less than none");
}

#[test]
fn a_piece_that_fell_a_while_before_its_drop_gives_that_much_less() {
    let mut game = game(4, Kind::S);
    let came = game.next_step_at().expect("it runs");
    game.press(Key::Drop, came + 5 * delay(4));
    assert_eq!(game.score(), 21 + 12 - 5);
}

#[test]
fn orientations_and_where_pieces_appear() {
    let system = System::standard();
    let turns = Kind::ALL.map(|k| system.turns_of(k));
    assert_eq!(turns, [1, 2, 2, 2, 4, 4, 4]);
    // Columns 4-7 counted from 1, the two top rows.
    for kind in Kind::ALL {
        let cells = system.cells(system.spawn(kind, 10, 20));
        assert!(cells.iter().all(|&(x, y)| (3..7).contains(&x) && y >= 18));
        assert!(cells.iter().any(|&(_, y)| y == 19), "{kind}");
    }
}

#[test]
fn each_quarter_turn_is_counter_clockwise() {
    let drawn = |kind, turn| {
        let system = System::standard();
        let mut board = Board::empty(5, 5);
        let pose = system.spawn(kind, 5, 5);
        board.lock(
            &system,
            kibitzer::games::tetris::rules::Pose { turn, y: 2, ..pose },
        );
        board.text().replace(kind.letter(), "#")
    };
    let table = [
        (Kind::I, 0, "...../...../####./...../....."),
        (Kind::I, 1, "...../..#../..#../..#../..#.."),
        (Kind::S, 1, "...../..#../..##./...#./....."),
        (Kind::Z, 1, "...../...#./..##./..#../....."),
        (Kind::L, 0, "...../...../.###./.#.../....."),
        (Kind::L, 1, "...../..#../..#../..##./....."),
        (Kind::L, 2, "...../...#./.###./...../....."),
        (Kind::L, 3, "...../.##../..#../..#../....."),
        (Kind::J, 0, "...../...../.###./...#./....."),
        (Kind::J, 1, "...../..##./..#../..#../....."),
        (Kind::J, 2, "...../.#.../.###./...../....."),
        (Kind::J, 3, "...../..#../..#../.##../....."),
        (Kind::T, 0, "...../...../.###./..#../....."),
        (Kind::T, 1, "...../..#../..##./..#../....."),
        (Kind::T, 2, "...../..#../.###./...../....."),
        (Kind::T, 3, "...../..#../.##../..#../....."),
    ];
    for (kind, turn, picture) in table {
        assert_eq!(drawn(kind, turn), picture, "{kind} turned {turn} times");
    }
}

/// The most rows that one piece can complete, over all single gaps it could fill.
#[test]
fn rows_that_one_piece_can_complete() {
    let most = [(Kind::I, 4), (Kind::L, 3), (Kind::J, 3), (Kind::O, 2)];
    let rest = [(Kind::S, 2), (Kind::Z, 2), (Kind::T, 2)];
    let system = System::standard();
    for (kind, rows) in most.into_iter().chain(rest) {
        let best = (0..system.turns_of(kind))
            .map(|turn| {
                let pose = kibitzer::games::tetris::rules::Pose {
                    kind,
                    turn,
                    x: 5,
                    y: 5,
                };
                let mut board = Board::empty(10, 20);
                for y in 0..8 {
                    for x in 0..10 {
                        board.set(x, y, 8);
                    }
                }
                for (x, y) in system.cells(pose) {
                    // Open upwards, so that rows above do not count.
                    for y in y..8 {
                        board.set(x, y, 0);
                    }
                }
                let before = full_rows(&board);
                board.lock(&system, pose);
                full_rows(&board) - before
            })
            .max();
        assert_eq!(best, Some(rows), "{kind}");
    }
}

fn full_rows(board: &Board) -> usize {
    let rows = board.cells().chunks(usize::from(board.cols()));
    rows.filter(|r| r.iter().all(|&v| v != 0)).count()
}

#[test]
fn draws_are_uniform_and_independent() {
    const N: usize = 70_000;
    let mut game = kibitzer::games::tetris::rules::Dealer::new(Draw::Uniform, 1);
    let kinds: Vec<usize> = (0..N).map(|_| game.deal().index()).collect();
    let mut single = [0usize; 7];
    let mut pairs = [[0usize; 7]; 7];
    for &k in &kinds {
        single[k] += 1;
    }
    for two in kinds.windows(2) {
        pairs[two[0]][two[1]] += 1;
    }
    let n = N as f64;
    // Mean n/7, variance n * 1/7 * 6/7; five standard deviations.
    let far = 5.0 * (n * 6.0 / 49.0).sqrt();
    assert!(single.iter().all(|&c| (c as f64 - n / 7.0).abs() < far));
    // Chi-square with 48 degrees of freedom: mean 48, standard deviation 9.8.
    let wanted = n / 49.0;
    let chi: f64 = pairs
        .iter()
        .flatten()
        .map(|&c| (c as f64 - wanted).powi(2) / wanted)
        .sum();
    assert!((10.0..100.0).contains(&chi), "{chi}");
}

#[test]
fn s_and_z_alternate_when_asked() {
    let setup = Setup {
        draw: Draw::AlternatingSz,
        seed: 5,
        ..Setup::default()
    };
    let mut game = Game::new(setup, Time::ZERO);
    let mut came = Vec::new();
    for _ in 0..6 {
        game.advance(game.next_step_at().expect("it runs"));
        came.push(game.piece().expect("it came").kind);
        game.press(Key::Drop, game.next_step_at().expect("it runs"));
    }
    assert_eq!(came, [Kind::S, Kind::Z].repeat(3));
    assert!(game.advance(Time::ZERO + LONG * 100).ended);
}
