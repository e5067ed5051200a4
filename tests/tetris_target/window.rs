use std::process::Command;

use kibitzer::games::tetris::rules::{Board, Kind, System};
use kibitzer::types::Rect;

use super::{Shown, next_box, places, read};

fn filled(board: &str) -> Vec<(usize, usize)> {
    let mut all: Vec<_> = "OISZLJT#m".chars().flat_map(|c| places(board, c)).collect();
    all.sort_unstable();
    all
}

fn columns(board: &str) -> Vec<usize> {
    let mut all: Vec<usize> = filled(board).into_iter().map(|c| c.0).collect();
    all.sort_unstable();
    all
}

#[test]
fn real_keys_play_it() {
    let Some(shown) = Shown::start(&["tetris", "--start", "--seed", "42", "--next"]) else {
        return;
    };
    let first = shown.board("the first piece", |b| filled(b).len() == 4);
    // Slow, so that a busy machine has time to look.
    shown.keys("minus minus minus minus minus minus minus minus");
    let before = columns(&first);
    let moved = |by: isize| -> Vec<usize> {
        before
            .iter()
            .map(|&x| x.saturating_add_signed(by))
            .collect()
    };
    shown.keys("Left Left");
    shown.board("two columns to the left", |b| columns(b) == moved(-2));
    shown.keys("Right");
    shown.board("one to the right", |b| columns(b) == moved(-1));
    let picture = shown.until("the next piece", |p| {
        next_box(p).contains(|c| c != '.' && c != '/')
    });
    let next = next_box(&picture).replace(['.', '/'], "");
    assert_eq!(next.len(), 4, "{next}");

    shown.keys("space");
    let landed = shown.board("it landed", |b| filled(b).iter().any(|c| c.1 == 19));
    assert!(filled(&landed).iter().all(|c| c.1 >= 17), "{landed}");
    shown.keys("plus plus plus plus plus plus plus plus");
    let both = shown.board("the next one", |b| filled(b).len() == 8);
    let top: Vec<_> = filled(&both).into_iter().filter(|c| c.1 < 17).collect();
    assert_eq!(top.len(), 4, "{both}");
    let letter = next.chars().next().expect("four letters");
    assert!(
        top.iter().all(|c| places(&both, letter).contains(c)),
        "as announced"
    );

    shown.keys("shift+j");
    shown.board("junk", |b| places(b, '#').len() == 9);
    shown.keys("shift+k");
    shown.board("one colour", |b| {
        places(b, 'm').len() == filled(b).len() && filled(b).len() == 17
    });
}

#[test]
fn calibration_in_any_window_size() {
    let Some(shown) = Shown::start(&["tetris", "--start", "--window", "900x700"]) else {
        return;
    };
    shown.keys("c");
    for (i, kind) in Kind::ALL.into_iter().enumerate() {
        if i == 3 {
            shown
                .desktop
                .resize(shown.window, 520, 430)
                .expect("resized");
        }
        shown.keys(&kind.number().to_string());
        let mut wanted = Board::empty(10, 20);
        let system = System::standard();
        wanted.lock(&system, system.spawn(kind, 10, 20));
        shown.board(&format!("{kind} at the top"), |b| b == wanted.text());
    }
    let client = shown.desktop.client(shown.window).expect("there");
    assert_eq!((client.width, client.height), (520, 430));
    shown.keys("0");
    shown.board("an empty board", |b| {
        filled(b).is_empty() && !b.contains('?')
    });
}

#[test]
fn a_saved_game_is_loaded_by_another_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("saved.txt");
    let path = file.to_string_lossy().into_owned();
    let words = ["tetris", "--start", "--seed", "3", "--save", &path];
    let Some(shown) = Shown::start(&words) else {
        return;
    };
    shown.keys("shift+j shift+j");
    shown.board("two junk rows", |b| places(b, '#').len() == 18);
    shown.board("a piece", |b| filled(b).len() == 22);
    shown.keys("p shift+w");
    let text = shown
        .desktop
        .wait("the file", |_| Ok(std::fs::read_to_string(&file).ok()))
        .expect("written");
    assert!(text.starts_with("kibitzer tetris 1\n") && text.contains("\nheights 0 0"));
    let junk = places(&shown.board("still there", |b| filled(b).len() == 22), '#');
    drop(shown);

    let shown = Shown::start(&["tetris", "--load", &path]).expect("as before");
    let again = shown.board("the same game", |b| filled(b).len() == 22);
    assert_eq!(places(&again, '#'), junk);
}

#[test]
fn start_screen_help_and_mouse() {
    let Some(shown) = Shown::start(&["tetris", "--seed", "1"]) else {
        return;
    };
    let start = shown.until("the start screen", |p| read(p, 10, 20).contains('?'));
    shown.keys("F1");
    let help = shown.until("the help", |p| *p != start && read(p, 10, 20).contains('?'));
    shown.keys("Escape");
    shown.until("the start screen again", |p| *p == start);
    shown.keys("Return");
    shown.board("a game", |b| !b.contains('?'));
    shown.keys("question");
    shown.until("the help again", |p| *p == help);
    shown.keys("F1 c v");
    shown.until("the grid", has_grid);
    let at = shown.desktop.client(shown.window).expect("there");
    let go = |x: i32, y: i32| {
        shown.tool(&[
            "mousemove",
            &(at.x + x).to_string(),
            &(at.y + y).to_string(),
        ]);
    };
    go(40, 300);
    shown.tool(&["mousedown", "1"]);
    go(80, 320);
    go(120, 340);
    shown.tool(&["mouseup", "1"]);
    shown.until("the grid where it was drawn", |p| {
        grid(p) == Some((40, 300, 120, 340))
    });
    shown.keys("Left Up shift+Right shift+Down shift+Down");
    shown.until("the refined grid", |p| grid(p) == Some((39, 299, 121, 342)));
}

/// Left, top, right and bottom of everything in the grid's colour.
fn grid(picture: &kibitzer::types::Picture) -> Option<(u32, u32, u32, u32)> {
    let mut found: Option<(u32, u32, u32, u32)> = None;
    for y in 0..picture.height() {
        for x in 0..picture.width() {
            if picture.rgb(x, y) == [0xff, 0x50, 0xd0] {
                let (l, t, r, b) = found.unwrap_or((x, y, x + 1, y + 1));
                found = Some((l.min(x), t.min(y), r.max(x + 1), b.max(y + 1)));
            }
        }
    }
    found
}

fn has_grid(picture: &kibitzer::types::Picture) -> bool {
    grid(picture).is_some()
}

#[test]
fn the_window_closes_and_has_its_name() {
    let Some(shown) = Shown::start(&["tetris"]) else {
        return;
    };
    let title = Command::new("xdotool")
        .env("DISPLAY", shown.desktop.display())
        .args(["getwindowname", &shown.window.to_string()])
        .output()
        .expect("xdotool runs");
    assert_eq!(
        String::from_utf8_lossy(&title.stdout).trim(),
        "Kibitzer Tetris"
    );
    shown.desktop.close(shown.window).expect("asked");
    shown
        .desktop
        .wait("closed", |d| {
            Ok((!d.windows()?.contains(&shown.window)).then_some(()))
        })
        .expect("it closed");
}

#[test]
fn flood_is_shown_and_played_in_the_same_kind_of_window() {
    let Some(shown) = Shown::start(&["flood", "--seed", "5", "--size", "6x6"]) else {
        return;
    };
    let at: Rect = shown.desktop.client(shown.window).expect("there");
    let before = shown.until("the board", |_| true);
    // Any of these is another colour than the corner's.
    for (x, y) in [(0.3, 0.3), (0.5, 0.3), (0.3, 0.5), (0.6, 0.6)] {
        let place = |of: u32, f: f64| (f64::from(of) * f) as i32;
        shown
            .desktop
            .click(at.x + place(at.width, x), at.y + place(at.height, y))
            .expect("clicked");
    }
    shown.until("the moves", |p| *p != before);
}

#[test]
fn without_a_display_it_says_so() {
    let run = |display: Option<&str>, words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
        command.arg("target").args(words).env_remove("DISPLAY");
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        let out = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&out.stderr).into_owned()
            + &String::from_utf8_lossy(&out.stdout);
        (out.status.code(), text)
    };
    let (status, text) = run(None, &["tetris"]);
    assert_eq!(status, Some(1));
    assert!(
        text.contains("DISPLAY is not set") && text.contains("xvfb-run"),
        "{text}"
    );
    for nowhere in [":59999", ":987", "nonsense"] {
        let (status, text) = run(Some(nowhere), &["flood"]);
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains(&format!("display \"{nowhere}\"")), "{text}");
    }
    let (status, text) = run(None, &["tetris", "--size", "3x900"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("from 4x4 to 200x400"), "{text}");
    let (status, text) = run(None, &["tetris", "--ai", "nobody"]);
    assert_eq!(status, Some(1));
    assert!(text.contains("nobody") && text.contains("dt10"), "{text}");
    let (status, text) = run(None, &["tetris", "--load", "/nowhere/game"]);
    assert_eq!(status, Some(1));
    assert!(text.contains("/nowhere/game"), "{text}");
    let (status, text) = run(None, &["tetris", "--help"]);
    assert_eq!(status, Some(0));
    assert!(
        text.contains("Examples:") && text.contains("kibitzer target tetris"),
        "{text}"
    );
}
