use proptest::prelude::*;

use super::palette::{EMPTY, MONOCHROME, Rgb};
use super::*;
use crate::games::tetris::rules::{Board, Key};
use crate::types::GridSize;

const SECOND: u64 = 1_000_000;

fn target(options: Options) -> TetrisTarget {
    TetrisTarget::new(options, Time::ZERO).expect("a known AI")
}

/// A game that has begun, in a window of the usual size.
fn started() -> TetrisTarget {
    target(Options {
        start_screen: false,
        ..Options::default()
    })
}

fn drawn(target: &mut TetrisTarget, now: Time) -> Picture {
    let mut out = Picture::default();
    target.render(now, &mut out);
    out
}

/// The colours in the middles of the cells, row by row from the top.
fn colours(target: &TetrisTarget, picture: &Picture) -> Vec<Rgb> {
    let layout = target.layout();
    let at = layout.px_from_cell();
    let middle = |cell: crate::types::Cell| at.map(cell.centre());
    let size: GridSize = layout.size;
    size.cells()
        .map(|c| picture.rgb(middle(c).x as u32, middle(c).y as u32))
        .collect()
}

/// What an eye without mistakes reads.
fn read(target: &TetrisTarget, picture: &Picture) -> String {
    let letter = |rgb: Rgb| match (1..=8).find(|&v| target.options.palette.of(v, false) == rgb) {
        Some(8) => '#',
        Some(v) => Kind::from_number(v).map_or('?', Kind::letter),
        None if rgb == EMPTY => '.',
        None => '?',
    };
    let cells = colours(target, picture).into_iter().map(letter);
    BoardText::from_cells(target.layout().size.cols.into(), cells).0
}

fn keys(target: &mut TetrisTarget, names: &str, now: Time) {
    for name in names.split(' ') {
        target.key(name, now);
    }
}

#[test]
fn the_picture_shows_the_truth() {
    let mut target = started();
    keys(&mut target, "s shift+h n", Time::ZERO);
    let names = [
        "Left", "Right", "Up", "space", "shift+j", "Left", "Right", "Left",
    ];
    for i in 0..600u64 {
        let now = Time(i * 177_000);
        target.key(names[(i * i % 8) as usize], now);
        let picture = drawn(&mut target, now);
        assert_eq!(read(&target, &picture), target.truth().0, "step {i}");
        if target.game().is_over() {
            target.key("Return", now);
        }
    }
}

#[test]
fn the_start_screen_waits() {
    let mut target = target(Options::default());
    let first = drawn(&mut target, Time(SECOND));
    assert_eq!(drawn(&mut target, Time(60 * SECOND)), first);
    keys(&mut target, "7 z +", Time(60 * SECOND));
    assert_ne!(drawn(&mut target, Time(60 * SECOND)), first);
    target.key("Return", Time(61 * SECOND));
    let game = target.game();
    assert_eq!((game.level(), game.setup().bias), (7, 1));
    assert_eq!(game.next_step_at(), Some(Time(61 * SECOND + 50_000)));
    target.run(Time(61 * SECOND + 50_000));
    assert_eq!(target.game().piece().map(|p| p.kind), Some(Kind::S));
}

#[test]
fn in_monochrome_all_filled_cells_are_equal() {
    let mut target = started();
    keys(&mut target, "shift+j shift+k", Time::ZERO);
    let picture = drawn(&mut target, Time(SECOND));
    let truth = target.truth().0.replace('/', "");
    for (rgb, letter) in colours(&target, &picture).into_iter().zip(truth.chars()) {
        assert_eq!(rgb, if letter == '.' { EMPTY } else { MONOCHROME });
    }
    keys(&mut target, "K shift+p", Time(SECOND));
    let picture = drawn(&mut target, Time(SECOND));
    assert_eq!(target.options().palette, Palette::ColourBlind);
    assert_eq!(read(&target, &picture), target.truth().0);
}

#[test]
fn calibration_shows_each_piece_and_the_sheet() {
    let mut target = started();
    keys(&mut target, "shift+j shift+j space", Time(SECOND));
    let before = target.truth();
    let plain = drawn(&mut target, Time(SECOND));
    target.key("c", Time(SECOND));
    let empty = [".........."; 20].join("/");
    assert_eq!(target.truth().0, empty);
    for kind in Kind::ALL {
        target.key(&kind.number().to_string(), Time(2 * SECOND));
        let picture = drawn(&mut target, Time(9 * SECOND));
        let mut board = Board::empty(10, 20);
        let system = target.game().system();
        board.lock(system, system.spawn(kind, 10, 20));
        assert_eq!(read(&target, &picture), board.text());
        assert_eq!(target.truth().0, board.text());
        let mark = target.layout().markers[2];
        let corner = |p: &Picture| p.rgb(mark.x as u32 + 1, mark.y as u32 + 1);
        assert_ne!(corner(&picture), corner(&plain), "the markers are shown");
    }
    target.key("0", Time(9 * SECOND));
    assert_eq!(target.truth().0, empty);
    target.key("c", Time(10 * SECOND));
    assert_eq!(target.truth(), before);
    assert_eq!(drawn(&mut target, Time(10 * SECOND)), plain);
}

#[test]
fn the_speed_bias_has_all_its_steps() {
    let mut target = started();
    keys(&mut target, "- - - -", Time::ZERO);
    assert_eq!(target.game().setup().bias, -4);
    for _ in 0..9 {
        target.key("plus", Time::ZERO);
    }
    assert_eq!(target.game().setup().bias, 5);
    for _ in 0..300 {
        target.key("-", Time::ZERO);
    }
    assert_eq!(target.game().setup().bias, -50);
}

#[test]
fn boards_grow_and_shrink_within_their_limits() {
    let mut target = started();
    keys(&mut target, "ctrl+Right ctrl+Up ctrl+Up", Time::ZERO);
    assert_eq!(target.layout().size, GridSize::new(11, 22));
    let picture = drawn(&mut target, Time(SECOND));
    assert_eq!(read(&target, &picture), target.truth().0);
    for _ in 0..500 {
        keys(&mut target, "ctrl+Right ctrl+Up", Time::ZERO);
    }
    assert_eq!(target.layout().size, GridSize::new(200, 400));
    drawn(&mut target, Time(SECOND));
    for _ in 0..500 {
        keys(&mut target, "ctrl+Left ctrl+Down", Time::ZERO);
    }
    assert_eq!(target.layout().size, GridSize::new(4, 4));
    drawn(&mut target, Time(SECOND));
}

#[test]
fn help_and_pause_stop_the_time() {
    for key in ["F1", "?", "p"] {
        let mut target = started();
        target.key(key, Time(SECOND));
        let stopped = drawn(&mut target, Time(2 * SECOND));
        assert_eq!(drawn(&mut target, Time(90 * SECOND)), stopped);
        target.key("space", Time(90 * SECOND));
        assert_eq!(target.game().pieces(), 0, "nothing acts under {key}");
        target.key(if key == "p" { "p" } else { "Escape" }, Time(90 * SECOND));
        let due = target.game().next_step_at().expect("it goes on");
        assert!(due > Time(90 * SECOND) && due <= Time(90 * SECOND + 500_000));
    }
}

#[test]
fn a_game_is_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let save = folder.path().join("game.txt");
    let mut target = target(Options {
        save: save.clone(),
        start_screen: false,
        ..Options::default()
    });
    keys(&mut target, "space shift+l", Time(SECOND));
    assert!(target.message.contains("game.txt: "), "{}", target.message);
    keys(
        &mut target,
        "space Left Left space shift+w",
        Time(2 * SECOND),
    );
    let (truth, score) = (target.truth(), target.game().score());
    keys(&mut target, "F2 shift+j shift+j", Time(3 * SECOND));
    assert_ne!(target.truth(), truth);
    target.key("shift+l", Time(4 * SECOND));
    assert_eq!((target.truth(), target.game().score()), (truth, score));
    std::fs::write(&save, "no game").expect("written");
    target.key("shift+l", Time(5 * SECOND));
    assert!(target.message.contains("line 1"), "{}", target.message);
}

#[test]
fn the_hint_is_where_the_ai_puts_the_piece() {
    let mut target = started();
    for _ in 0..40 {
        target.run(target.game().next_step_at().expect("it runs"));
        let hint = target.pilot.plan(&target.game, None).expect("a place");
        let cells = hint.cells(target.game().board()).expect("on the board");
        let pieces = target.game().pieces();
        target.key("a", target.game().next_step_at().expect("it runs"));
        while target.game().pieces() == pieces {
            target.run(target.game().next_step_at().expect("it runs"));
        }
        target.key("a", Time::ZERO);
        let landing = target.game().landing().expect("landed").pose;
        let landed = target.game().system().cells(landing);
        let sorted = |mut c: [(i16, i16); 4]| {
            c.sort_unstable();
            c
        };
        assert_eq!(sorted(landed), sorted(cells));
    }
}

#[test]
fn a_hidden_next_piece_changes_nothing() {
    let hint = |first: Kind, next: Kind, shown: bool| {
        let mut target = target(Options {
            start_screen: false,
            ai: "two-piece".into(),
            next: shown,
            ..Options::default()
        });
        let game = target.game_mut();
        game.set_next(first);
        game.advance(Time(SECOND / 2));
        game.set_next(next);
        let known = target.next_shown();
        target.pilot.plan(&target.game, known)
    };
    let hints = |first, shown| Kind::ALL.map(|next| hint(first, next, shown));
    let differ = |hints: [_; 7]| hints.iter().any(|h| *h != hints[0]);
    for first in Kind::ALL {
        assert!(!differ(hints(first, false)), "{first} with the next hidden");
    }
    assert!(
        Kind::ALL
            .into_iter()
            .any(|first| differ(hints(first, true))),
        "it matters when it is shown"
    );
}

#[test]
fn the_ai_plays_the_same_at_every_frame_rate() {
    let play = |rate: u64| {
        let mut target = started();
        keys(&mut target, "a + +", Time::ZERO);
        for i in 0..=20 * rate {
            target.run(Time(i * SECOND / rate));
        }
        target.game().clone()
    };
    let game = play(1);
    assert_eq!(game, play(75));
    assert!(game.pieces() > 200 && !game.is_over());
    assert!(
        game.heights()[12..].iter().all(|&n| n == 0),
        "{:?}",
        game.heights()
    );
}

#[test]
fn another_ai_is_chosen_by_a_key() {
    let mut target = started();
    let first = target.pilot.name().to_owned();
    let mut names = vec![first.clone()];
    loop {
        target.key("shift+a", Time::ZERO);
        if target.pilot.name() == first {
            break;
        }
        names.push(target.pilot.name().to_owned());
        assert!(names.len() < 50);
    }
    assert!(names.len() > 3, "{names:?}");
    let unknown = Options {
        ai: "nobody".into(),
        ..Options::default()
    };
    let error = TetrisTarget::new(unknown, Time::ZERO).err().expect("none");
    assert!(error.to_string().contains("dt10"), "{error}");
}

#[test]
fn the_grid_tells_the_piece_of_the_board_below_it() {
    let mut target = started();
    keys(&mut target, "c v", Time::ZERO);
    for kind in Kind::ALL {
        target.key(&kind.number().to_string(), Time::ZERO);
        drawn(&mut target, Time::ZERO);
        assert_eq!(target.recognition().map(|r| r.1), Some(Seen::Piece(kind)));
    }
    target.key("0", Time::ZERO);
    drawn(&mut target, Time::ZERO);
    assert_eq!(target.recognition().map(|r| r.1), Some(Seen::Nothing));
    // Drawn elsewhere, then refined.
    target.pointer(Pointer::Press, Point::new(10.0, 20.0), Time::ZERO);
    target.pointer(Pointer::Move, Point::new(50.0, 30.0), Time::ZERO);
    target.pointer(Pointer::Release, Point::new(90.0, 60.0), Time::ZERO);
    keys(
        &mut target,
        "Left Up shift+Right shift+Down shift+Down Down",
        Time::ZERO,
    );
    let area = target.recognition().expect("on").0.area();
    assert_eq!((area.x, area.y, area.width, area.height), (9, 20, 82, 42));
    target.key("Escape", Time::ZERO);
    assert_eq!(target.recognition(), None);
}

/// The reference's rig: one program plays, another sees its window and mirrors the pieces.
#[test]
fn a_video_of_another_target_is_followed() {
    let remote = |seed| {
        let mut remote = target(Options {
            setup: Setup {
                seed,
                ..Setup::default()
            },
            start_screen: false,
            auto: true,
            ..Options::default()
        });
        remote.resize(800, 600);
        remote
    };
    let mut player = remote(4);
    let area = player.spawn_area();
    let mut local = started();
    local.resize(800, 600);
    local.set_video(Box::new(move |now, out| {
        player.render(now, out);
        true
    }));
    keys(&mut local, "a v", Time::ZERO);
    local.pointer(
        Pointer::Press,
        Point::new(area.x.into(), area.y.into()),
        Time::ZERO,
    );
    let end = Point::new(
        f64::from(area.x) + f64::from(area.width),
        f64::from(area.y) + f64::from(area.height),
    );
    local.pointer(Pointer::Release, end, Time::ZERO);
    let mut twin = remote(4);
    for i in 0..30 * 40 {
        let now = Time(i * SECOND / 30);
        drawn(&mut local, now);
        twin.run(now);
    }
    assert!(twin.game().pieces() > 30);
    // Both let the same AI place the same pieces.
    let ahead = local.game().pieces() - twin.game().pieces();
    assert!(ahead <= 1, "{ahead}");
    let pile = |t: &TetrisTarget| t.game().board().text();
    while twin.game().pieces() < local.game().pieces() {
        twin.run(twin.game().next_step_at().expect("it runs"));
    }
    assert_eq!(pile(&local), pile(&twin));
}

#[test]
fn keys_act_at_once() {
    let mut target = started();
    target.run(Time(SECOND));
    let before = target.game().piece().expect("falling");
    target.key("Left", Time(SECOND + 1));
    assert_eq!(target.game().piece(), Some(before.moved(-1, 0)));
    let mut twin = target.game().clone();
    target.key("space", Time(SECOND + 2));
    twin.press(Key::Drop, Time(SECOND + 2));
    assert_eq!(target.game(), &twin);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn nothing_panics(
        inputs in prop::collection::vec((0..40usize, any::<String>(), 0..700_000u64), 0..60),
        width in 0..900u32,
        height in 0..700u32,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut target = target(Options {
            save: folder.path().join("x"),
            ..Options::default()
        });
        if width % 2 == 0 {
            target.set_video(Box::new(|now, out| {
                *out = Picture::filled(3, 2, [now.0 as u8; 3]);
                now.0 % 3 > 0
            }));
        }
        let mut out = Picture::default();
        let mut now = Time::ZERO;
        let table: Vec<&str> = keys::entries().flat_map(|e| e.keys.iter().copied()).collect();
        for (i, text, wait) in inputs {
            now = Time(now.0 + wait);
            target.key(table.get(i).copied().unwrap_or(&text), now);
            target.pointer(Pointer::Move, Point::new(wait as f64, -3.0), now);
            target.resize(width, height);
            target.render(now, &mut out);
        }
        prop_assert_eq!((out.width(), out.height()), if target.figures.frames == 0 { (0, 0) } else { (width, height) });
    }
}
