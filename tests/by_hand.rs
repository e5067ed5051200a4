//! Boards that are shown by hand: corners, nudged edges, named cells, checks, other sizes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use kibitzer::assemble::{self, targets};
use kibitzer::calibrate;
use kibitzer::calibrate::shown::{lessons, shown};
use kibitzer::capture::files::load;
use kibitzer::classify::Reader;
use kibitzer::games::flood::vision::text;
use kibitzer::pipeline::saved;
use kibitzer::types::{Calibration, Picture, Point, Reading, Time};
use serde_json::{Value, json};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
}

/// A position on the built-in target of a game for two, and what lies there.
fn table(game: &str, settings: &Value) -> (Picture, String) {
    let mut built = targets::target(game, settings).expect("a target");
    let mut out = Picture::default();
    built.target.render(Time(5_000_000), &mut out);
    (out, built.target.truth().to_string())
}

fn discs(style: &str) -> (Picture, String) {
    let moves = "44535546122";
    table(
        "connect4",
        &json!({"policy": "nobody", "moves": moves, "cell": 44, "style": style}),
    )
}

fn stones(style: &str) -> (Picture, String) {
    let moves = "h8 g7 i7 h6 g9 j6 f10";
    table(
        "gomoku",
        &json!({"policy": "nobody", "moves": moves, "cell": 29, "style": style}),
    )
}

fn read(c: &Calibration, picture: &Picture) -> String {
    let mut reading = Reading::default();
    let reader = Reader::new(c).expect("a calibration to read with");
    reader
        .read(picture, &mut reading)
        .expect("of the calibrated size");
    text(c, &reading).to_string()
}

fn found(game: &str, picture: &Picture) -> Calibration {
    let wanted = assemble::wanted(game).expect("a game");
    let all = calibrate::find(picture, &wanted);
    all.into_iter().next().expect("a board that is found")
}

/// What is read of a board that is shown by its place and a few cells.
fn by_hand(name: &str, picture: &Picture, game: &str, taught: &str) -> String {
    let found = found(game, picture);
    let lessons = lessons(taught).expect("well written");
    let shown = shown(
        picture,
        found.kind,
        &found.px_from_cell,
        found.size,
        &lessons,
    );
    let shown = shown.unwrap_or_else(|e| panic!("{name}: {e}"));
    let fit = saved::fitness(&shown, picture).expect("readable");
    assert!(fit >= Calibration::MIN_QUALITY, "{name}: {fit}");
    read(&shown, picture)
}

#[test]
fn a_board_shown_by_its_place_is_read() {
    let flood = load(&golden("target.png")).expect("a golden picture");
    let truth = read(&found("flood", &flood), &flood);
    let mut all = vec![("flood", "flood", (flood, truth))];
    for style in ["classic", "rings", "wood", "glossy", "dark"] {
        all.push((style, "connect4", discs(style)));
    }
    all.push(("wood", "gomoku", stones("wood")));
    let mut wrong = String::new();
    for (name, game, (picture, truth)) in all {
        let seen = by_hand(name, &picture, game, "");
        if shape(&seen) != shape(&truth) {
            let _ = writeln!(wrong, "{game} {name}\n{truth}\n\n{seen}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    // What was played last is marked in another colour there: it has to be named.
    let (picture, truth) = stones("dark");
    let seen = by_hand("dark", &picture, "gomoku", "5,5=black 6,6=black");
    assert_eq!(shape(&seen), shape(&truth));
    let tetris = load(&golden("tetris-game.png")).expect("a golden picture");
    let seen = by_hand("tetris", &tetris, "tetris", "0,0=empty");
    let filled = |b: &str| b.replace(|c: char| c.is_alphanumeric(), "#");
    let truth = read(&found("tetris", &tetris), &tetris);
    assert_eq!(filled(&seen), filled(&truth));
}

/// The board with its letters in the order in which they come.
fn shape(board: &str) -> String {
    let mut seen: Vec<char> = Vec::new();
    { board.chars() }
        .map(|c| match c {
            '.' | '?' | '\n' => c,
            c => {
                let at = seen.iter().position(|s| *s == c).unwrap_or_else(|| {
                    seen.push(c);
                    seen.len() - 1
                });
                char::from(b'a' + u8::try_from(at).expect("few letters"))
            }
        })
        .collect()
}

fn kibitzer(dir: &Path, args: &[&str]) -> (bool, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(args)
        .current_dir(dir)
        .env("XDG_DATA_HOME", dir)
        .env("XDG_CONFIG_HOME", dir)
        .output()
        .expect("the program runs");
    let told = [out.stdout, out.stderr].concat();
    (
        out.status.success(),
        String::from_utf8_lossy(&told).into_owned(),
    )
}

fn save(picture: &Picture, path: &Path) {
    picture.to_rgb().save(path).expect("written");
}

/// The picture in a larger window: below a bar, in the middle, or twice as large.
fn in_window(picture: &Picture, scale: u32, left: u32, top: u32) -> Picture {
    let (w, h) = (picture.width() * scale, picture.height() * scale);
    let mut out = Picture::filled(w + 2 * left, h + top, [40, 44, 52]);
    for y in 0..h {
        for x in 0..w {
            let rgb = picture.rgb(x / scale, y / scale);
            out.set(i64::from(left + x), i64::from(top + y), rgb);
        }
    }
    out
}

#[test]
fn on_the_terminal_a_board_is_shown_taught_nudged_and_checked() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let (picture, _) = discs("classic");
    save(&picture, &dir.join("small.png"));
    let board = found("connect4", &picture);
    let corners = board.px_from_cell.corners(board.size);
    // A pixel or two beside, as hands are.
    let four: Vec<String> = { corners.iter() }
        .map(|p| format!("{:.0},{:.0}", p.x + 1.0, p.y - 1.0))
        .collect();
    let (four, size) = (four.join(" "), board.size.to_string());
    let expected = read(&board, &picture);
    let cell = |letter: char| {
        let at = { board.size.cells() }
            .zip(expected.replace('\n', "").chars().collect::<Vec<_>>())
            .find(|(_, c)| *c == letter);
        let (cell, _) = at.unwrap_or_else(|| panic!("{letter} in\n{expected}"));
        format!("{},{}", cell.col, cell.row)
    };
    let letters: Vec<char> = board.classes.iter().map(|c| c.letter).collect();
    let taught = format!(
        "{}=empty {}=Person {}=Computer",
        cell('.'),
        cell(letters[1]),
        cell(letters[2])
    );
    let base = ["calibrate", "--file", "small.png", "--game", "connect4"];
    let make = |more: &[&str]| kibitzer(dir, &[&base, more].concat());
    let (good, told) = make(&[
        "--corners",
        &four,
        "--size",
        &size,
        "--teach",
        &taught,
        "--name",
        "mine",
        "--into",
        ".",
        "--annotate",
        "seen.png",
    ]);
    assert!(good, "{told}");
    let renamed = expected.replace(letters[1], "P").replace(letters[2], "C");
    assert!(told.contains(&renamed), "{told}\n\n{renamed}");
    assert!(dir.join("seen.png").exists());
    let profile = std::fs::read_to_string(dir.join("mine.toml")).expect("written");
    assert!(
        profile.contains("# ") && profile.contains("[calibration]"),
        "{profile}"
    );

    let (good, told) = kibitzer(dir, &["calibrate", "mine.toml", "--check"]);
    assert!(good && told.contains(&renamed), "{told}");

    // Nothing is written over without being told, and a nudge is.
    let nudge = [
        "calibrate",
        "mine.toml",
        "--into",
        ".",
        "--nudge",
        "left=-1 right=-1 top=1 bottom=1",
    ];
    let (good, told) = kibitzer(dir, &nudge);
    assert!(!good && told.contains("--force"), "{told}");
    let (good, told) = kibitzer(dir, &[&nudge[..], &["--force"]].concat());
    assert!(good && told.contains(&renamed), "{told}");

    // The window is larger: twice, below a bar, in the middle.
    for (name, scale, left, top) in [("large", 2, 0, 0), ("bar", 2, 0, 48), ("middle", 1, 70, 0)] {
        let file = format!("{name}.png");
        save(&in_window(&picture, scale, left, top), &dir.join(&file));
        let (good, told) = kibitzer(
            dir,
            &["calibrate", "mine.toml", "--check", "--picture", &file],
        );
        assert!(good && told.contains(&renamed), "{name}: {told}");
    }

    // Something lies over a part of it: that part is uncertain, and the status says so.
    let mut hidden = picture;
    let at = board.px_from_cell.map(Point::new(2.2, 2.2));
    for y in 0..60 {
        for x in 0..90 {
            hidden.set(at.x as i64 + x, at.y as i64 + y, [200, 205, 210]);
        }
    }
    save(&hidden, &dir.join("hidden.png"));
    let (good, told) = kibitzer(
        dir,
        &[
            "calibrate",
            "mine.toml",
            "--check",
            "--picture",
            "hidden.png",
        ],
    );
    assert!(!good && told.contains("uncertain: column"), "{told}");
}

#[test]
fn what_does_not_fit_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    save(
        &load(&golden("target.png")).expect("a golden picture"),
        &dir.join("seen.png"),
    );
    let base = [
        "calibrate",
        "--file",
        "seen.png",
        "--game",
        "flood",
        "--into",
        ".",
    ];
    for (more, part) in [
        (vec!["--corners", "0,0 10,0 10,10 0,10"], "without its size"),
        (vec!["--corners", "0,0 10,0"], "2 points are given"),
        (vec!["--teach", "1,1"], "COLUMN,ROW=NAME"),
        (vec!["--teach", "99,1=red"], "is not on a board"),
        (
            vec!["--corners", "0,0 9000,0 9000,9000 0,9000", "--size", "9x9"],
            "outside the picture",
        ),
        (
            vec!["--corners", "13,17 121,17 121,99 13,99", "--size", "23x17"],
            "does not fit",
        ),
        (vec!["--nudge", "up=1"], "EDGE=PIXELS"),
        (vec!["--check"], "PROFILE"),
    ] {
        let (good, told) = kibitzer(dir, &[&base[..], &more].concat());
        assert!(!good && told.contains(part), "{more:?}: {told}");
    }
    assert!(!dir.join("seen-png.toml").exists(), "nothing was written");
}
