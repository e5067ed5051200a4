//! Games by keys and clicks, read back from the pictures.

mod playing;

use super::*;
use crate::games::facing::manner::{Mark, Message};
use crate::games::facing::{Finish, Level, Seat};
use crate::types::{Pointer, Target};

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn people() -> Setup {
    Setup {
        policy: None,
        ..Setup::default()
    }
}

fn against(level: u8, starts: Seat) -> Setup {
    let usual = Setup::default();
    Setup {
        policy: Some("minimax:depth=4".to_owned()),
        play: facing::Setup {
            level: Level::new(level),
            starts,
            ..usual.play
        },
        ..usual
    }
}

fn shown(setup: &Setup, look: &str) -> Connect4Target {
    let style = Style::by_name(look).expect("a look");
    let picture = picture(setup.size, &style, 40);
    target(setup, style, picture).expect("a game")
}

fn drawn(target: &mut Connect4Target, now: Time) -> Picture {
    let mut out = Picture::default();
    target.render(now, &mut out);
    out
}

/// Half a second after each key.
fn keys(target: &mut Connect4Target, names: &str, from: Time) -> Time {
    let mut now = from;
    for name in names.split_whitespace() {
        target.key(name, now);
        now = now + Duration::from_millis(500);
    }
    now
}

/// What an eye without mistakes reads: the nearest of three colours a little off the middle, where
/// no mark lies. `a` is the look's first colour.
fn read(target: &Connect4Target, picture: &Picture) -> String {
    let manner = &target.face().style().manner;
    let at = target.plan().px_from_cell();
    let size = target.plan().size;
    let cells = size.cells().map(|cell| {
        let c = cell.centre();
        let px = at.map(Point::new(
            c.x + 0.43 * manner.radius,
            c.y + 0.14 * manner.radius,
        ));
        let seen = picture.rgb(px.x as u32, px.y as u32);
        let far = |rgb: [u8; 3]| -> i32 {
            let d = |i: usize| (i32::from(rgb[i]) - i32::from(seen[i])).pow(2);
            d(0) + d(1) + d(2)
        };
        let [a, b] = manner.stones;
        let all = [(manner.empty, '.'), (a, 'a'), (b, 'b')];
        all.into_iter()
            .min_by_key(|(rgb, _)| far(*rgb))
            .map_or('?', |f| f.1)
    });
    crate::types::BoardText::from_cells(size.cols.into(), cells).0
}

/// What is read at a time.
fn seen(target: &mut Connect4Target, now: Time) -> String {
    let picture = drawn(target, now);
    read(target, &picture)
}

#[test]
fn keys_and_clicks_drop_discs() {
    let mut t = shown(&people(), "classic");
    let now = keys(&mut t, "d e d Left Down", Time::ZERO);
    // The first arrow shows the cursor, in the middle.
    assert_eq!(
        t.truth().0,
        "......./......./......./...O.../...X.../...XO.."
    );
    let now = keys(&mut t, "Left Left space Right Return", now);
    assert_eq!(
        t.truth().0,
        "......./......./......./...O.../...X.../.XOXO.."
    );
    let at = t.plan().px(6.5, 0.2);
    t.click(at, now);
    assert_eq!(
        t.truth().0,
        "......./......./......./...O.../...X.../.XOXO.X"
    );
    for outside in [
        t.plan().px(-0.2, 3.0),
        t.plan().px(7.2, 3.0),
        Point::new(-1.0, 1e9),
    ] {
        t.click(outside, now);
    }
    assert_eq!(t.session().moves().len(), 7);
}

#[test]
fn every_look_shows_the_truth() {
    for look in Style::NAMES {
        let setup = Setup {
            moves: "44535546122".to_owned(),
            ..people()
        };
        let mut t = shown(&setup, look);
        // After all blinking and messages.
        let picture = drawn(&mut t, ms(60_000));
        let first = t
            .face()
            .manner()
            .stone(t.session(), crate::games::duel::Side::First);
        let letters = [['a', 'b'], ['b', 'a']][first];
        let wanted = t.truth().0.replace('X', &letters[0].to_string());
        let wanted = wanted.replace('O', &letters[1].to_string());
        assert_eq!(read(&t, &picture), wanted, "{look}");
    }
}

#[test]
fn any_board_that_the_rules_allow() {
    for (cols, rows, row, moves) in [
        (4, 4, 4, "1234"),
        (13, 5, 4, "d"),
        (35, 35, 5, "z1"),
        (2, 1, 2, "1"),
    ] {
        let setup = Setup {
            size: GridSize::new(cols, rows),
            row,
            moves: moves.to_owned(),
            ..people()
        };
        let mut t = shown(&setup, "dark");
        let picture = drawn(&mut t, ms(9000));
        let (a, b) = (moves.len().div_ceil(2), moves.len() / 2);
        let seen = read(&t, &picture);
        let count = |c: char| seen.chars().filter(|&s| s == c).count();
        assert_eq!((count('a'), count('b')), (a, b), "{cols}x{rows} {seen}");
    }
    // On a wide board h is a column, and ? still asks for a hint.
    let wide = Setup {
        size: GridSize::new(9, 4),
        ..people()
    };
    let mut t = shown(&wide, "dark");
    keys(&mut t, "h", Time::ZERO);
    assert_eq!(t.session().moves()[0].action, 7);
    let bad = Setup { row: 8, ..people() };
    assert!(matches!(
        target(&bad, Style::default(), (640, 480)),
        Err(SetupError::Board(_))
    ));
}

#[test]
fn a_setup_that_is_none_says_why() {
    let text = |setup: Setup| match target(&setup, Style::default(), (640, 480)) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("{setup:?}"),
    };
    let nobody = Setup {
        policy: Some("nobody".to_owned()),
        ..Setup::default()
    };
    assert!(text(nobody).contains("there are: "));
    for moves in ["448", "4444444", "12121213", "4?"] {
        let setup = Setup {
            moves: moves.to_owned(),
            ..people()
        };
        assert!(text(setup).contains("cannot be made"), "{moves}");
    }
}

#[test]
fn discs_fall_and_come_to_rest() {
    for look in ["rings", "dark", "signs"] {
        let mut t = shown(&people(), look);
        let before = drawn(&mut t, ms(900));
        t.key("d", ms(1000));
        let fall = t.session().settled_at().since(ms(1000));
        assert!(fall >= Duration::from_millis(150), "{look} {fall:?}");
        let half = drawn(&mut t, ms(1000) + fall / 2);
        assert!(half != before);
        let bottom = t.plan().px(3.2, 5.5);
        let pixel = |p: &Picture| p.rgb(bottom.x as u32, bottom.y as u32);
        assert_eq!(pixel(&half), pixel(&before), "{look}: not there yet");
        t.key("d", ms(1000) + fall / 2);
        assert_eq!(t.session().moves().len(), 1, "nothing is taken meanwhile");
        let rest = drawn(&mut t, ms(20_000));
        assert_ne!(pixel(&rest), pixel(&before), "{look}");
        // Drawn a second time, from another moment, it is the same picture.
        let mut again = shown(&people(), look);
        again.key("d", ms(1000));
        assert!(drawn(&mut again, ms(20_000)) == rest);
    }
}

#[test]
fn a_disc_behind_the_plate_is_seen_only_through_the_holes() {
    let mut t = shown(&people(), "rings");
    let before = drawn(&mut t, ms(0));
    t.key("d", ms(0));
    let hole = t.face().style().hole.radius * t.plan().cell;
    for at in 0..25 {
        let now = drawn(&mut t, ms(10 * at));
        for y in 0..now.height() {
            for x in 0..now.width() {
                let c = t
                    .plan()
                    .cell_at(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
                // The status line says whose turn it is.
                if now.rgb(x, y) == before.rgb(x, y) || c.y > 6.3 {
                    continue;
                }
                let off = (c.x - c.x.floor() - 0.5).hypot(c.y - c.y.floor() - 0.5);
                assert!(off * t.plan().cell <= hole + 1.0, "{x},{y}");
                assert_eq!(c.x.floor(), 3.0);
            }
        }
    }
}

#[test]
fn the_last_move_blinks_and_then_stays() {
    let mut t = shown(&people(), "glossy");
    t.key("d", ms(0));
    let seen: Vec<bool> = (0..60)
        .map(|i| {
            let picture = drawn(&mut t, ms(300 + 50 * i));
            read(&t, &picture).ends_with("...a...")
        })
        .collect();
    let changes = seen.windows(2).filter(|w| w[0] != w[1]).count();
    assert_eq!(changes, 6, "away three times: {seen:?}");
    assert!(seen[0] && seen[50..].iter().all(|&s| s));
}

#[test]
fn a_game_ends_in_title_status_and_a_box_that_a_click_closes() {
    let mut t = shown(&people(), "rings");
    assert_eq!(t.title(), "Kibitzer Connect-4: red to move");
    let now = keys(&mut t, "a b a b a b", Time::ZERO);
    let before = drawn(&mut t, now);
    t.key("a", now);
    assert_eq!(
        t.session().finish(),
        Some(Finish::Row(crate::games::duel::Side::First))
    );
    assert_eq!(t.title(), "Kibitzer Connect-4: red wins");
    assert!(t.status().starts_with("Red wins"), "{}", t.status());
    // The last move is seen for a while before the box covers the board.
    let end = drawn(&mut t, now + Duration::from_millis(500));
    assert_eq!(&read(&t, &end)[16..], "a....../ab...../ab...../ab.....");
    let later = now + Duration::from_millis(2000);
    let told = drawn(&mut t, later);
    assert_ne!(read(&t, &told), read(&t, &end), "something lies over it");
    let at = t.plan().px(6.5, 0.5);
    t.click(at, later);
    assert_eq!(t.session().moves().len(), 7, "it only closes the box");
    assert_eq!(seen(&mut t, later), read(&t, &end));
    t.click(at, later);
    assert_eq!(t.session().moves().len(), 7, "the game is over");
    keys(&mut t, "n", later);
    assert_eq!(
        t.truth().0,
        "......./......./......./......./......./......."
    );
    assert!(drawn(&mut t, later) != before);
}

#[test]
fn nothing_covers_the_board_where_the_status_line_tells_the_end() {
    let mut t = shown(&people(), "classic");
    let now = keys(&mut t, "a b a b a b a", Time::ZERO);
    let late = drawn(&mut t, now + Duration::from_secs(9));
    assert!(read(&t, &late).ends_with("a....../ab...../ab...../ab....."));
    assert_eq!(t.title(), "Kibitzer Connect-4: yellow wins");
}

#[test]
fn a_full_board_is_a_draw() {
    // Three in a row cannot be made on four cells of a column by two who take turns.
    let setup = Setup {
        size: GridSize::new(2, 3),
        row: 3,
        moves: "121212".to_owned(),
        ..people()
    };
    let lost = target(&setup, Style::default(), (300, 300));
    assert!(lost.is_err(), "the first has a row with his third disc");
    let setup = Setup {
        moves: "121221".to_owned(),
        ..setup
    };
    let mut t = target(&setup, Style::default(), (300, 300)).expect("a game");
    drawn(&mut t, ms(0));
    assert_eq!(t.session().finish(), Some(Finish::Draw));
    assert_eq!(t.title(), "Kibitzer Connect-4: a draw");
}

#[test]
fn the_pointer_shows_a_ghost_only_when_it_is_our_turn() {
    let mut t = shown(&people(), "rings");
    let plain = drawn(&mut t, ms(0));
    let over = t.plan().px(1.5, 2.0);
    t.pointer(Pointer::Move, over, ms(0));
    let ghost = drawn(&mut t, ms(0));
    assert!(ghost != plain);
    assert_eq!(t.session().moves().len(), 0);
    t.pointer(Pointer::Leave, over, ms(0));
    assert!(drawn(&mut t, ms(0)) == plain);
    t.pointer(Pointer::Press, over, ms(0));
    t.pointer(Pointer::Release, over, ms(0));
    assert_eq!(t.session().moves()[0].action, 1);
    let mut t = shown(&against(9, Seat::Opponent), "rings");
    let thinking = drawn(&mut t, ms(0));
    t.pointer(Pointer::Move, over, ms(0));
    assert!(drawn(&mut t, ms(0)) == thinking, "the policy is to move");
}

#[test]
fn giving_up_is_asked_first() {
    let mut t = shown(&people(), "classic");
    let plain = drawn(&mut t, ms(0));
    t.key("r", ms(0));
    assert!(drawn(&mut t, ms(0)) != plain);
    t.key("d", ms(0));
    assert!(t.session().moves().is_empty(), "the box takes the keys");
    t.key("Escape", ms(0));
    assert!(drawn(&mut t, ms(0)) == plain);
    keys(&mut t, "r Return", ms(0));
    assert_eq!(t.title(), "Kibitzer Connect-4: yellow gave up: red wins");
    t.key("u", ms(2000));
    assert!(drawn(&mut t, ms(2000)) == plain);
}

#[test]
fn the_board_grows_with_its_window_and_the_sheet_surrounds_it() {
    let mut t = shown(&people(), "dark");
    keys(&mut t, "d e", Time::ZERO);
    for (width, height) in [(900, 800), (300, 500), (160, 120)] {
        t.resize(width, height);
        let picture = drawn(&mut t, ms(5000));
        assert_eq!((picture.width(), picture.height()), (width, height));
        assert!(read(&t, &picture).ends_with("/...ab.."), "{width}x{height}");
        t.key("F3", ms(5000));
        let sheet = t.plan().sheet.expect("shown");
        let picture = drawn(&mut t, ms(5000));
        assert!(read(&t, &picture).ends_with("/...ab.."), "{width}x{height}");
        for area in sheet.markers {
            let c = area.middle();
            let p = t.plan().px(c.x, c.y);
            assert!(p.x > 0.0 && p.x < f64::from(width) && p.y > 0.0 && p.y < f64::from(height));
        }
        t.key("F3", ms(5000));
    }
    t.resize(1, 1);
    drawn(&mut t, ms(6000));
}

#[test]
fn marks_and_messages_are_the_looks() {
    for (_, mark) in Mark::ALL {
        let mut style = Style::by_name("dark").expect("a look");
        style.manner.mark = mark;
        style.manner.message = Message::Board;
        let mut t = target(&people(), style, (400, 400)).expect("a game");
        t.key("d", ms(0));
        let at = t.plan().px(3.5, 5.5);
        let middle = drawn(&mut t, ms(9000)).rgb(at.x as u32, at.y as u32);
        let own = t.face().manner().stones[0];
        let marked = matches!(mark, Mark::Dot | Mark::Plus);
        assert_eq!(middle != own, marked, "{mark:?}");
    }
}
