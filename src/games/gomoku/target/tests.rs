//! Games by keys and clicks, read back from the pictures.

use super::style::{Lattice, Stones};
use super::*;
use crate::games::duel::Side;
use crate::games::facing::{Finish, Level, Seat};
use crate::games::gomoku::policies::{Proof, Search};
use crate::types::{BoardText, Pointer, Target};

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn people(cols: u16, rows: u16) -> Setup {
    Setup {
        size: GridSize::new(cols, rows),
        policy: None,
        ..Setup::default()
    }
}

fn shown(setup: &Setup, look: &str) -> GomokuTarget {
    let style = Style::by_name(look).expect("a look");
    let picture = picture(setup.size, &style, 30);
    target(setup, style, picture).expect("a game")
}

fn drawn(target: &mut GomokuTarget, now: Time) -> Picture {
    let mut out = Picture::default();
    target.render(now, &mut out);
    out
}

fn click(target: &mut GomokuTarget, col: u16, row: u16, now: Time) {
    let at = target
        .plan()
        .px_from_cell()
        .map(Cell::new(col, row).centre());
    target.click(at, now);
}

/// What an eye without mistakes reads: of the pixels where a stone of either colour would be, the
/// colour that most of them are nearest to.
fn read(target: &GomokuTarget, picture: &Picture) -> String {
    let style = target.face().style();
    let manner = &style.manner;
    let size = target.plan().size;
    let reach = 0.7 * manner.radius.min(0.5);
    let places: Vec<Point> = match style.stones {
        Stones::Marks(_) => {
            let ring = (0..16).map(|k| f64::from(k) * std::f64::consts::TAU / 16.0);
            ring.map(|a| Point::new(a.cos() * manner.radius, a.sin() * manner.radius))
                .collect()
        }
        _ => [
            (-1.0, -0.6),
            (-0.6, -1.0),
            (1.0, 0.6),
            (0.6, 1.0),
            (-1.0, 0.6),
        ]
        .map(|(x, y)| Point::new(x * 0.55 * reach, y * 0.55 * reach))
        .to_vec(),
    };
    let cells = size.cells().map(|cell| {
        let c = cell.centre();
        let [a, b] = manner.stones;
        let all = [(manner.empty, '.'), (a, 'a'), (b, 'b')];
        let nearest = |at: &Point| {
            let px = target.plan().px(c.x + at.x, c.y + at.y);
            let seen = picture.rgb(px.x as u32, px.y as u32);
            let far = |rgb: [u8; 3]| -> i32 {
                let d = |i: usize| (i32::from(rgb[i]) - i32::from(seen[i])).pow(2);
                d(0) + d(1) + d(2)
            };
            all.into_iter()
                .min_by_key(|(rgb, _)| far(*rgb))
                .map_or('?', |f| f.1)
        };
        if let Stones::Marks(_) = style.stones {
            // The ring is O's; X is there in the middle, where O has nothing.
            let ring = places.iter().filter(|p| nearest(p) == 'b').count();
            let middle = nearest(&Point::default());
            return match (ring >= 12, middle) {
                (true, _) => 'b',
                (false, 'a') => 'a',
                _ => '.',
            };
        }
        let count = |letter: char| places.iter().filter(|p| nearest(p) == letter).count();
        let most = ['b', 'a', '.'].into_iter().max_by_key(|&l| count(l));
        match (most, style.stones) {
            // A stone of the ground's colour is known by its edge.
            (Some('.'), Stones::Flat(Some(edge))) if b == manner.empty => {
                let out = (manner.radius - 0.5 / target.plan().cell) * 0.5f64.sqrt();
                let at = target.plan().px(c.x + out, c.y - out);
                let rgb = picture.rgb(at.x as u32, at.y as u32);
                if rgb[0].abs_diff(edge[0]) < 128 {
                    'b'
                } else {
                    '.'
                }
            }
            (most, _) => most.unwrap_or('?'),
        }
    });
    BoardText::from_cells(size.cols.into(), cells).0
}

/// What is read at a time.
fn seen(target: &mut GomokuTarget, now: Time) -> String {
    let picture = drawn(target, now);
    read(target, &picture)
}

#[test]
fn clicks_and_keys_put_stones_on_crossings() {
    let mut t = shown(&people(7, 6), "plain");
    click(&mut t, 0, 0, ms(0));
    click(&mut t, 6, 5, ms(100));
    // Anywhere nearer to this crossing than to another.
    let at = t.plan().px(2.05, 3.95);
    t.click(at, ms(200));
    assert_eq!(
        t.truth().0,
        "X....../......./......./..X..../......./......O"
    );
    click(&mut t, 0, 0, ms(300));
    t.click(t.plan().px(-0.1, 0.5), ms(300));
    t.click(t.plan().px(3.5, 6.1), ms(300));
    t.click(Point::new(1e9, -1e9), ms(300));
    assert_eq!(t.session().moves().len(), 3, "taken, or outside");
    for key in [
        "Up", "Left", "Up", "Return", "Right", "Down", "Down", "space",
    ] {
        t.key(key, ms(400));
    }
    assert_eq!(
        t.truth().0,
        "X....../......./..O..../..X..../...X.../......O"
    );
}

#[test]
fn every_look_shows_the_truth() {
    for look in Style::NAMES {
        let setup = Setup {
            moves: "h8 i8 h9 h7 i7 j9 g10 f11 k8 a1 o15 a15 o1".to_owned(),
            ..people(15, 15)
        };
        let mut t = shown(&setup, look);
        let picture = drawn(&mut t, ms(60_000));
        let first = t.face().manner().stone(t.session(), Side::First);
        assert_eq!(first, 0);
        let wanted = t.truth().0.replace('X', "a").replace('O', "b");
        assert_eq!(read(&t, &picture), wanted, "{look}");
    }
}

#[test]
fn any_board_that_the_rules_allow() {
    for (cols, rows) in [(5, 5), (8, 8), (22, 22), (25, 6), (25, 25)] {
        for look in ["wood", "paper"] {
            let mut t = shown(&people(cols, rows), look);
            click(&mut t, cols - 1, rows - 1, ms(0));
            click(&mut t, 0, rows - 1, ms(1000));
            let picture = drawn(&mut t, ms(60_000));
            let last = format!("/b{}a", ".".repeat(usize::from(cols) - 2));
            assert!(read(&t, &picture).ends_with(&last), "{cols}x{rows} {look}");
        }
    }
    let tiny = people(4, 5);
    assert!(matches!(
        target(&tiny, Style::default(), (640, 480)),
        Err(SetupError::Board(_))
    ));
    let setup = Setup {
        moves: "h8 h8".to_owned(),
        ..people(15, 15)
    };
    let wrong = target(&setup, Style::default(), (640, 480)).err();
    assert!(
        wrong
            .expect("taken")
            .to_string()
            .starts_with("move 2, `h8`")
    );
}

#[test]
fn five_in_a_row_win_and_the_rule_decides_about_six() {
    let row = "a1 a2 b1 b2 c1 c2 e1 e2 f1 f2 d1";
    for (rule, over) in [(Rule::FiveOrMore, true), (Rule::Exact, false)] {
        let setup = Setup {
            rule,
            moves: row.to_owned(),
            ..people(9, 9)
        };
        let mut t = shown(&setup, "dark");
        drawn(&mut t, ms(0));
        assert_eq!(t.session().finish().is_some(), over, "{rule:?}");
        let wanted = if over { 6 } else { 0 };
        assert_eq!(t.session().row().len(), wanted);
    }
}

#[test]
fn the_end_is_told_over_the_board_where_the_look_does() {
    for (look, covered) in [("wood", true), ("plain", false)] {
        let setup = Setup {
            moves: "e5 a1 e6 a2 e7 a3 e8 a4".to_owned(),
            ..people(9, 9)
        };
        let mut t = shown(&setup, look);
        click(&mut t, 4, 0, ms(1000));
        assert_eq!(t.session().finish(), Some(Finish::Row(Side::First)));
        assert_eq!(t.title(), "Kibitzer five in a row: black wins");
        let soon = drawn(&mut t, ms(1400));
        let late = drawn(&mut t, ms(9000));
        let stones = |p: &Picture| {
            let text = read(&t, p);
            text.chars().filter(|c| *c == 'a' || *c == 'b').count()
        };
        assert_eq!(stones(&soon), 9, "{look}");
        let (before, after) = (read(&t, &soon), read(&t, &late));
        assert_eq!(before != after, covered, "{look}");
    }
}

#[test]
fn hints_are_the_searchs_and_find_wins() {
    // Black has three open fours to choose from.
    let setup = Setup {
        moves: "h8 a1 h9 a3 h10 a5".to_owned(),
        ..people(15, 15)
    };
    let mut t = shown(&setup, "wood");
    let plain = drawn(&mut t, ms(500));
    t.key("h", ms(500));
    let hint = t.advice().and_then(|a| a.best).expect("a hint");
    assert!(drawn(&mut t, ms(500)) != plain);
    let mut search = Search::new(16 << 20, 1).expect("there is room");
    let choice = super::super::policies::GomokuPolicy::decide(
        &mut search,
        t.session().board(),
        &budget(NODES, 0),
    );
    let choice = choice.expect("not over");
    assert_eq!(hint, choice.cell);
    assert!(matches!(choice.proof, Proof::Win(_)), "{choice:?}");
}

#[test]
fn a_policy_replies_undo_and_either_side_starts() {
    let mut setup = Setup {
        policy: Some("evaluator".to_owned()),
        ..people(15, 15)
    };
    setup.play.starts = Seat::Opponent;
    let mut t = shown(&setup, "wood");
    assert_eq!(t.title(), "Kibitzer five in a row: black is thinking");
    drawn(&mut t, ms(299));
    assert!(t.session().moves().is_empty());
    drawn(&mut t, ms(300));
    assert_eq!(t.session().moves().len(), 1);
    click(&mut t, 0, 0, ms(2000));
    drawn(&mut t, ms(2100));
    assert_eq!(t.title(), "Kibitzer five in a row: black is thinking");
    drawn(&mut t, ms(4000));
    assert_eq!(t.session().moves().len(), 3);
    t.key("u", ms(4000));
    assert_eq!(t.session().moves().len(), 1);
    t.key("s", ms(4000));
    drawn(&mut t, ms(8000));
    assert!(t.session().moves().is_empty() && t.title().ends_with("your turn, black"));
    // In this look the person stays black, although the policy starts.
    let mut t = shown(&setup, "brown");
    drawn(&mut t, ms(2000));
    assert!(seen(&mut t, ms(2000)).contains('b'));
}

#[test]
fn slips_are_moves_beside_other_stones() {
    let mut setup = Setup {
        policy: Some("evaluator".to_owned()),
        ..people(15, 15)
    };
    setup.play.level = Level::new(1);
    for seed in 0..8 {
        setup.play.seed = seed;
        let mut t = shown(&setup, "plain");
        for (i, col) in [2u16, 5, 8].into_iter().enumerate() {
            click(&mut t, col, 7, ms(2000 * i as u64));
            drawn(&mut t, ms(2000 * i as u64 + 1900));
        }
        let moves = t.session().moves();
        assert_eq!(moves.len(), 6);
        for (i, m) in moves.iter().enumerate().skip(1).step_by(2) {
            let near =
                |o: &Cell| o.col.abs_diff(m.cell.col) <= 2 && o.row.abs_diff(m.cell.row) <= 2;
            assert!(moves[..i].iter().any(|o| near(&o.cell)), "{moves:?}");
        }
    }
}

#[test]
fn the_same_inputs_give_the_same_pictures() {
    let play = || {
        let mut setup = people(11, 11);
        setup.policy = Some("search:memory=1".to_owned());
        setup.play.nodes = 2000;
        setup.play.level = Level::new(6);
        let mut t = shown(&setup, "paper");
        let mut pictures = Vec::new();
        for (i, (col, row)) in [(5, 5), (4, 4), (6, 6), (2, 3)].into_iter().enumerate() {
            let now = ms(1500 * i as u64);
            click(&mut t, col, row, now);
            t.pointer(Pointer::Move, Point::new(90.0, 70.0), now);
            pictures.push(drawn(&mut t, now + Duration::from_millis(200)));
            pictures.push(drawn(&mut t, now + Duration::from_millis(1400)));
        }
        (pictures, t.truth())
    };
    assert!(play() == play());
}

#[test]
fn stones_appear_and_overlap_in_the_order_of_the_moves() {
    let mut t = shown(&people(9, 9), "wood");
    click(&mut t, 4, 4, ms(0));
    let growing = drawn(&mut t, ms(30));
    let there = drawn(&mut t, ms(500));
    assert!(growing != there);
    // However a position came about, it looks the same.
    let mut t = shown(&people(9, 9), "brown");
    for (i, (col, row)) in [(4, 4), (5, 4), (4, 5)].into_iter().enumerate() {
        click(&mut t, col, row, ms(100 * i as u64));
    }
    let straight = drawn(&mut t, ms(9000));
    t.key("u", ms(9000));
    click(&mut t, 0, 0, ms(9100));
    drawn(&mut t, ms(9200));
    t.key("u", ms(9300));
    drawn(&mut t, ms(9300));
    click(&mut t, 4, 5, ms(9400));
    assert!(drawn(&mut t, ms(20_000)) == straight);
}

#[test]
fn squares_hold_their_stones_between_the_lines() {
    let style = Style::by_name("paper").expect("a look");
    assert_eq!(style.lattice, Lattice::Squares);
    let mut t = shown(&people(8, 8), "paper");
    let picture = drawn(&mut t, ms(0));
    let ink = style.line.0;
    let at = |x: f64, y: f64| {
        let p = t.plan().px(x, y);
        picture.rgb(p.x as u32, p.y as u32)
    };
    for k in 0..=8 {
        assert_eq!(at(f64::from(k), 0.5), ink);
        assert_eq!(at(0.5, f64::from(k)), ink);
    }
    assert_ne!(at(0.5, 0.5), ink);
}

/// Of a board that is won, whoever moved last and however many rows there are: only rows that win.
#[test]
fn the_rows_of_a_won_board_are_found_without_its_last_move() {
    use crate::games::facing::winning_rows;
    use crate::games::gomoku::rules::{Rule, parse_position};
    let rows = |text: &str, rule: Rule| {
        let board = parse_position(text, 1, GridSize::new(7, 7), rule).expect("a position");
        let won = winning_rows(&board);
        let letter = |x, y| match won.contains(&Cell::new(x, y)) {
            true => '*',
            false => '.',
        };
        let line = |y| -> String { (0..7).map(|x| letter(x, y)).collect() };
        (0..7).map(line).collect::<Vec<_>>().join("/")
    };
    let none = ["......."; 7].join("/");
    let five = "XXXXX../.OOOO../......./......./......./......./....... O";
    let won = format!("*****../{}", ["......."; 6].join("/"));
    assert_eq!(rows(five, Rule::FiveOrMore), won);
    assert_eq!(rows(five, Rule::Exact), won);
    let four = "XXXX.../.OOOO../......./......./......./......./....... X";
    assert_eq!(rows(four, Rule::FiveOrMore), none);
    // Six are a row of the one rule and none of the other.
    let both = "XXXXXX./OOOOO../O....../O....../O....../O....../....... X";
    let cross = "......./*****../*....../*....../*....../*....../.......";
    assert_eq!(rows(both, Rule::Exact), cross);
}
