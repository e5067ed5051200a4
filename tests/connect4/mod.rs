//! `kibitzer solve connect4` and its like as other programs see them, and the published sets of
//! positions.

use std::path::PathBuf;

use kibitzer::games::connect4::policies::{Perfect, book};
use kibitzer::games::connect4::rules::parse_position;
use kibitzer::types::Budget;
use serde_json::Value;

use crate::support::program;

fn kibitzer(args: &[&str], input: &str) -> (String, String, i32) {
    let ran = program::kibitzer(args, input);
    (ran.out, ran.err, ran.code)
}

fn solve(args: &[&str], input: &str) -> (Vec<Value>, i32) {
    let (out, _, code) = kibitzer(&[&["solve", "connect4"], args].concat(), input);
    let lines = out.lines().map(|l| serde_json::from_str(l).expect(l));
    (lines.collect(), code)
}

#[test]
fn every_column_has_its_score() {
    let late = "2252576253462244111563365343671351";
    let lines = [
        late,
        "121212",
        "4142434",
        "5x4x3:3",
        "7x6:......./......./......./......./O..O.../XXXO...",
    ];
    let (answers, code) = solve(&["--memory", "8"], &lines.join("\n"));
    assert_eq!((answers.len(), code), (5, 0));
    for answer in &answers {
        assert_eq!(answer["exact"], true, "{answer}");
        assert!(answer["nodes"].is_u64() && answer["micros"].is_u64());
    }
    // A full column has no score, and the best one has that of the position.
    let scores = answers[0]["scores"].as_array().expect("scores");
    let full: Vec<bool> = scores.iter().map(Value::is_null).collect();
    assert_eq!(
        full,
        [false, true, true, false, true, false, false],
        "{}",
        answers[0]
    );
    let best = scores
        .iter()
        .filter_map(Value::as_i64)
        .max()
        .expect("a score");
    assert_eq!(answers[0]["score"], best as f64);
    // Three upright and the move: won with the fourth disc, 22 - 4.
    assert_eq!(
        (&answers[1]["move"], &answers[1]["score"]),
        (&"1".into(), &18.0.into())
    );
    // Over: no move, and the score of the one who did not win.
    assert_eq!(
        (&answers[2]["move"], &answers[2]["score"]),
        (&Value::Null, &(-18.0).into())
    );
    assert_eq!(answers[3]["scores"].as_array().map(Vec::len), Some(5));
    assert!(answers[4]["move"].is_string() && answers[4]["bounds"][0].is_array());
}

#[test]
fn lines_that_are_no_positions_are_named() {
    let (answers, code) = solve(&["--policy", "minimax:depth=3"], "444\n8\n\nX\n4\n");
    assert_eq!((answers.len(), code), (4, 1));
    assert_eq!(answers[1]["line"], 2);
    assert_eq!(answers[1]["error"], "move 1, `8`: there is no column 8");
    assert_eq!(
        (&answers[2]["line"], answers[3]["move"].is_string()),
        (&4.into(), true)
    );
}

#[test]
fn limits_hold_and_bounds_are_true() {
    let (answers, _) = solve(
        &["--nodes", "2000", "--move-only", "--book", "none"],
        "7x6:\n9x8:555\n",
    );
    for answer in &answers {
        let bound: Vec<i64> = answer["bound"]
            .as_array()
            .expect("bounds")
            .iter()
            .filter_map(Value::as_i64)
            .collect();
        assert_eq!(answer["exact"], false, "{answer}");
        assert!(
            bound[0] < 1 && bound[1] >= 1 && answer["scores"].is_null(),
            "{answer}"
        );
        assert!(answer["nodes"].as_u64().expect("a number") <= 2001);
    }
    let (_, error, code) = kibitzer(&["solve", "connect4", "--policy", "minimaks"], "");
    assert!(
        code == 1 && error.contains("there are: minimax, general, perfect"),
        "{error}"
    );
    let (_, error, code) = kibitzer(
        &["solve", "connect4", "--policy", "minimax", "--memory", "3"],
        "",
    );
    assert!(code == 1 && error.contains("--memory is for"), "{error}");
}

/// A book of few discs is made in two runs, and solving with it finds what it holds.
#[test]
fn a_book_is_made_and_taken_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.book");
    let name = path.to_str().expect("UTF-8");
    let make = |seconds: &str| {
        kibitzer(
            &[
                "book",
                "connect4",
                "--plies",
                "0",
                "--out",
                name,
                "--seconds",
                seconds,
            ],
            "",
        )
    };
    // No time at all: a book of nothing, which says so.
    let (out, error, code) = make("0");
    assert_eq!(code, 0, "{error}");
    assert!(
        out.contains("0 positions") && out.contains("1 of 0 discs left"),
        "{out}"
    );
    // What another run has solved is taken up, half a line at the end left out.
    let work = path.with_extension("work");
    std::fs::write(&work, "kibitzer book connect4 1\n0 1 3\n81 ").expect("written");
    let (out, error, code) = make("0");
    assert_eq!(code, 0, "{error}");
    assert!(
        out.contains("1 positions") && out.contains("0 of 0 discs left"),
        "{out}"
    );
    let (answers, code) = solve(&["--book", name, "--move-only"], "7x6:");
    assert_eq!(
        (code, &answers[0]["move"], &answers[0]["score"]),
        (0, &"4".into(), &1.0.into())
    );
    // The book itself is as good as its work file.
    std::fs::remove_file(&work).expect("removed");
    let (out, error, code) = make("0");
    assert!(
        code == 0 && out.contains("0 of 0 discs left"),
        "{out}{error}"
    );
    // Lines that are no positions, and one that says something else than the book.
    for line in ["0 99 3", "0 -2147483648 3", "0 1 7", "7f 1 3", "0 2 3"] {
        std::fs::write(&work, format!("kibitzer book connect4 1\n{line}\n")).expect("written");
        let (_, error, code) = make("0");
        assert!(
            code == 1 && error.contains("own.work, line 2") && error.contains("remove the line"),
            "{line}: {error}"
        );
    }
    std::fs::write(&work, "Years of work").expect("written");
    let (_, error, code) = make("0");
    assert!(code == 1 && error.contains("another --work"), "{error}");
    let left_alone = std::fs::read_to_string(&work).expect("there");
    assert_eq!(left_alone, "Years of work");
    std::fs::remove_file(&work).expect("removed");
    std::fs::write(&path, "C4BOOK").expect("written");
    let (_, error, code) = make("0");
    assert!(code == 1 && error.contains("remove it"), "{error}");
    for (book, says) in [
        (name, "no opening book"),
        ("/dev/zero", "no opening book"),
        ("/no/such.book", "there is no such file"),
        ("/", "cannot be read"),
    ] {
        let (_, error, code) = kibitzer(&["solve", "connect4", "--book", book], "");
        assert!(
            code == 1 && error.contains(says) && error.contains(book),
            "{error}"
        );
    }
    // The place of the book is tried before anything is solved.
    let nowhere = folder.path().join("none/own.book");
    let args = ["book", "connect4", "--plies", "9", "--out"];
    let elsewhere = ["--work", work.to_str().expect("UTF-8")];
    std::fs::remove_file(&work).expect("removed");
    let nowhere = [nowhere.to_str().expect("UTF-8")];
    let (_, error, code) = kibitzer(&[&args[..], &nowhere, &elsewhere].concat(), "");
    assert!(code == 1 && error.contains("cannot be written"), "{error}");
    let (_, error, code) = kibitzer(
        &["book", "connect4", "--plies", "0", "--out", elsewhere[1]],
        "",
    );
    assert!(code == 1 && error.contains("another --work"), "{error}");
}

#[test]
fn positions_to_measure_are_named_where_they_are_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set.txt");
    let name = path.to_str().expect("UTF-8");
    for (line, says) in [
        ("4444", "one word alone"),
        ("48 1", "there is no column 8"),
        ("4142434 1", "the game is over"),
        ("44 many", "`many` is no score"),
    ] {
        std::fs::write(&path, format!("121212 18\n{line}\n")).expect("written");
        let (_, error, code) = kibitzer(&["bench", "connect4", "--positions", name], "");
        assert!(
            code == 1 && error.contains("set.txt, line 2") && error.contains(says),
            "{line}: {error}"
        );
    }
    // Nothing measured proves nothing.
    let (_, _, code) = kibitzer(&["bench", "connect4", "--limit", "0", "--prove"], "");
    assert_eq!(code, 2);
}

#[test]
fn tuning_is_taken_up_where_its_log_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("k.tsv");
    let name = log.to_str().expect("UTF-8");
    let tune = |openings: &str| {
        kibitzer(
            &[
                "tune",
                "connect4",
                "--depth",
                "3",
                "--values",
                "0,0.3",
                "--openings",
                openings,
                "--log",
                name,
            ],
            "",
        )
    };
    let (_, error, code) = tune("2");
    assert_eq!(code, 0, "{error}");
    let first = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(first.lines().count(), 5, "{first}");
    let (out, _, code) = tune("4");
    let second = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(
        (code, second.lines().count(), second.starts_with(&first)),
        (0, 9, true)
    );
    assert!(out.contains("best: K ="), "{out}");
    let (_, error, code) = kibitzer(&["tune", "connect4", "--depth", "4", "--log", name], "");
    assert!(
        code == 1 && error.contains("is of something else"),
        "{error}"
    );
    // A run that was killed in the middle of a line loses that line and no more.
    std::fs::write(&log, &second[..second.len() - 3]).expect("written");
    let (_, error, code) = tune("4");
    let third = std::fs::read_to_string(&log).expect("a log");
    assert_eq!((code, &third), (0, &second), "{error}");
    // A line that has lost its moves, one that is there twice, one that is none.
    let lines: Vec<&str> = second.lines().collect();
    let cut = lines[8].rsplit_once('\t').expect("moves").0;
    for (line, says) in [
        (format!("{cut}\t4"), "its moves do not lead to its result"),
        (lines[7].to_owned(), "this game is there already"),
        (format!("{cut}\t48"), "there is no column 8"),
        ("0\t1".to_owned(), "this is no game"),
        (lines[8].replacen("0\t1", "1\t0", 1), "this is no game"),
    ] {
        let text = format!("{}\n{line}\n", lines[..8].join("\n"));
        std::fs::write(&log, text).expect("written");
        let (_, error, code) = tune("4");
        assert!(
            code == 1 && error.contains("k.tsv, line 9") && error.contains(says),
            "{line}: {error}"
        );
    }
    for (values, says) in [
        ("0.1,0.1", "given twice"),
        ("0.1,2", "0 to 1"),
        ("0.1", "two"),
    ] {
        let (_, error, code) =
            kibitzer(&["tune", "connect4", "--values", values, "--log", name], "");
        assert!(code == 1 && error.contains(says), "{error}");
    }
}

/// Some lines of every published set; `make prove-connect4` has all of them.
#[test]
fn published_scores_come_out() {
    let shared = std::env::var_os("KIBITZER_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let mut policy = Perfect::new(32 << 20);
    for (set, lines) in [
        ("L3_R1", 300),
        ("L2_R1", 200),
        ("L2_R2", 60),
        ("L1_R1", 60),
        ("L1_R2", 4),
    ] {
        let path = shared.join(format!("data/connect4/Test_{set}"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skipped: {} is not there", path.display());
            continue;
        };
        for line in text.lines().take(lines) {
            let (moves, score) = line.split_once(' ').expect("MOVES SCORE");
            let board = parse_position(moves).expect(line);
            let (bounds, _) = policy.score(&board, &Budget::default());
            assert_eq!(bounds.exact(), score.trim().parse().ok(), "{set}: {line}");
        }
    }
}

/// Lines of our own book, spread over all of it, are solved anew without it.
#[test]
fn the_book_says_what_the_search_finds() {
    let own = book::own();
    let mut policy = Perfect::new(16 << 20);
    // The deepest are the quickest; those of few discs follow from them.
    let lines: Vec<book::Line> = own.lines().collect();
    let mut solved = 0;
    for line in lines.iter().rev().step_by(lines.len() / 4 + 1) {
        let limited = Budget {
            nodes: Some(3_000_000),
            ..Budget::default()
        };
        let position = book::making::Position::of_key(line.key).expect("a position");
        if let Some((score, _)) = policy.line(position.bits, &limited) {
            assert_eq!(score, line.score, "{line:?}");
            solved += 1;
        }
    }
    assert!(solved > 0, "none is solved within the limit");
}
