//! The target plays by the rules and draws what it plays.

use super::*;

fn usual() -> FloodTarget {
    FloodTarget::new(Setup::default(), Style::default()).expect("a board")
}

fn target(rows: &str) -> FloodTarget {
    let lines: Vec<&str> = rows.split('/').collect();
    let size = GridSize::new(lines[0].len() as u16, lines.len() as u16);
    let board = lines.concat().bytes().map(|b| b - b'a').collect();
    let setup = Setup {
        size,
        board: Some(board),
        ..Setup::default()
    };
    FloodTarget::new(setup, Style::plain(size, 20.0)).expect("a board")
}

fn centre(t: &FloodTarget, col: u16, row: u16) -> Point {
    t.px_from_cell().map(Cell::new(col, row).centre())
}

#[test]
fn a_click_floods_and_undo_takes_it_back() {
    let mut t = target("aab/cab/ccb");
    t.click(centre(&t, 2, 0), Time::ZERO);
    assert_eq!(t.truth().0, "bbb/cbb/ccb");
    t.click(centre(&t, 0, 1), Time::ZERO);
    assert_eq!(t.truth().0, "ccc/ccc/ccc");
    assert!(t.is_complete());
    t.key("u", Time::ZERO);
    assert_eq!(t.truth().0, "bbb/cbb/ccb");
    assert_eq!(t.moves().0, 1);
}

#[test]
fn clicks_off_the_board_and_on_the_own_colour_do_nothing() {
    let mut t = target("ab/bc");
    for at in [
        Point::new(3.0, 3.0),
        Point::new(-1.0, 1e9),
        centre(&t, 0, 0),
    ] {
        t.click(at, Time::ZERO);
    }
    assert_eq!(t.truth().0, "ab/bc");
    assert_eq!(t.moves().0, 0);
}

#[test]
fn the_picture_shows_the_true_board() {
    let mut t = usual();
    let mut out = Picture::default();
    t.render(Time::ZERO, &mut out);
    for (cell, &colour) in t.size().cells().zip(t.board().cells()) {
        let at = t.px_from_cell().map(cell.centre());
        let rgb = out.rgb(at.x as u32, at.y as u32);
        assert_eq!(rgb, t.style().palette[usize::from(colour)], "{cell:?}");
    }
}

#[test]
fn a_button_plays_its_colour() {
    let size = GridSize::new(3, 3);
    let style = Style {
        picture: (300, 300),
        buttons: Some(style::Buttons {
            origin: Point::new(100.0, 100.0),
            pitch: 45.0,
            side: 40.0,
            columns: 3,
            round: false,
        }),
        ..Style::plain(size, 20.0)
    };
    let setup = Setup {
        size,
        board: Some(vec![0, 1, 2, 3, 4, 5, 0, 1, 2]),
        ..Setup::default()
    };
    let mut t = FloodTarget::new(setup, style).expect("a board");
    // The second button of the second row is the fifth colour.
    t.click(Point::new(100.0 + 67.0, 100.0 + 67.0), Time::ZERO);
    assert_eq!(t.truth().0, "ebc/def/abc");
}

#[test]
fn the_end_is_a_wave_of_one_second_then_a_still_board() {
    let mut t = target("ab/ab");
    let (mut before, mut during, mut after) =
        (Picture::default(), Picture::default(), Picture::default());
    t.click(centre(&t, 1, 0), Time::from_millis(100));
    t.render(Time::from_millis(500), &mut before);
    t.render(Time::from_millis(600), &mut during);
    t.render(Time::from_millis(1200), &mut after);
    assert_ne!(before, during);
    let mut later = Picture::default();
    t.render(Time::from_millis(9000), &mut later);
    assert_eq!(after, later);
    let c = centre(&t, 0, 0);
    assert_eq!(after.rgb(c.x as u32, c.y as u32), t.style().palette[1]);
    assert!(t.status().starts_with("COMPLETED! 1 /"));
}

#[test]
fn too_many_moves_fail_the_game() {
    let mut t = target("abc/bca/cab");
    t.limit = 1;
    t.click(centre(&t, 1, 0), Time::ZERO);
    assert!(t.status().starts_with("FAILED! 1 / 1"));
}

#[test]
fn new_games_come_from_the_seed() {
    let play = || {
        let mut t = usual();
        let first = t.truth();
        t.key("n", Time::ZERO);
        (first, t.truth())
    };
    let (a, b) = play();
    assert_ne!(a, b);
    assert_eq!((a, b), play());
}

#[test]
fn another_start_cell_floods_from_there() {
    let size = GridSize::new(2, 2);
    let setup = Setup {
        size,
        start: Cell::new(1, 1),
        board: Some(vec![0, 1, 1, 2]),
        ..Setup::default()
    };
    let mut t = FloodTarget::new(setup, Style::plain(size, 20.0)).expect("a board");
    t.click(centre(&t, 1, 0), Time::ZERO);
    assert_eq!(t.truth().0, "ab/bb");
}

#[test]
fn greedy_play_completes_the_board_with_the_usual_limit_shown() {
    let mut t = usual();
    while let Some(c) = t.greedy() {
        t.recolour(c, Time::ZERO);
    }
    assert!(t.is_complete());
    assert_eq!(t.moves().1, 25);
}
