//! `kibitzer match`, as other programs and people use it.

use serde_json::Value;

use super::bots::{bad, bot};
use crate::support::program::kibitzer;

const KIBITZER: &str = env!("CARGO_BIN_EXE_kibitzer");

/// What a match gave: its games and the summary.
fn matched(args: &[&str]) -> (Vec<Value>, Value) {
    let ran = kibitzer(&[&["match"], args, &["--json"]].concat(), "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut all = ran.objects();
    let summary = all.pop().expect("a summary");
    (all, summary)
}

#[test]
fn our_engine_as_a_process_plays_as_the_policy_itself() {
    let engine = format!("piskvork:'{KIBITZER}' brain piskvork --policy evaluator");
    let (games, summary) = matched(&[
        "gomoku",
        "evaluator",
        &engine,
        "--games",
        "4",
        "--size",
        "11x11",
        "--time",
        "20",
    ]);
    assert_eq!(games.len(), 4);
    for pair in games.chunks(2) {
        // Who moves first is another, and nothing else is.
        assert_eq!(pair[0]["moves"], pair[1]["moves"]);
        assert_ne!(pair[0]["first"], pair[1]["first"]);
        assert_eq!(pair[0]["forfeit"], false, "{}", pair[0]["reason"]);
    }
    assert_eq!(summary["pairs"], serde_json::json!([0, 0, 2, 0, 0]));
    assert_eq!(summary["elo"], 0.0);
}

#[test]
fn who_misbehaves_loses_with_the_reason() {
    let good = bot("jsonl", "bot.py", "");
    // Only who hangs is waited for to the end; the others have all the time that they may need.
    for (fault, says, time) in [
        ("lie", "illegal move", "60"),
        ("crash", "out of ideas", "60"),
        ("hang", "no answer in time", "1"),
        ("crash-start", "no weights", "60"),
    ] {
        let lame = bad("jsonl", fault);
        let (games, summary) = matched(&[
            "connect4",
            &good,
            &lame,
            "--games",
            "2",
            "--time",
            time,
            "--grace",
            "4",
            "--openings",
            "0",
        ]);
        for game in &games {
            assert_eq!(game["winner"], *good, "{game}");
            assert_eq!(game["forfeit"], true, "{game}");
            let reason = game["reason"].as_str().expect("a reason");
            assert!(
                reason.contains(says) && reason.contains("bad.py"),
                "{reason}"
            );
        }
        assert_eq!(summary["wins"], 2);
        assert_eq!(summary["forfeits"], serde_json::json!([0, 2]));
    }
}

#[test]
fn a_match_leaves_a_record_that_can_be_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("games.txt");
    let openings = folder.path().join("openings.txt");
    std::fs::write(&openings, "# two of them\n7,7 8,8 9,7\n\nh8 a1\n").expect("written");
    let args = [
        "gomoku",
        "evaluator",
        "evaluator:a=0.5",
        "--games",
        "4",
        "--time",
        "20",
        "--openings",
        openings.to_str().expect("text"),
        "--out",
        out.to_str().expect("text"),
    ];
    let (games, _) = matched(&args);
    let record = std::fs::read_to_string(&out).expect("written");
    let count = |what: &str| record.lines().filter(|l| l.starts_with(what)).count();
    assert_eq!((count("[Event "), count("[Result ")), (4, 4));
    assert_eq!(count("[First \"evaluator\"]"), 2);
    let book = |i: usize| games[i]["book"].as_u64();
    assert_eq!([0, 1, 2, 3].map(book), [3, 3, 2, 2].map(Some));
    assert_eq!(games[2]["moves"][0], "7,7", "h8 is the middle");
    // The moves on record are those of the objects.
    let body = record
        .split("\n\n")
        .nth(1)
        .expect("moves")
        .replace('\n', " ");
    let mut words: Vec<String> = Vec::new();
    let mut depth = 0;
    for word in body.split_whitespace() {
        depth += word.matches('{').count();
        if depth == 0 && word.contains(',') {
            words.push(word.to_owned());
        }
        depth -= word.matches('}').count();
    }
    let moves: Vec<String> = serde_json::from_value(games[0]["moves"].clone()).expect("texts");
    assert_eq!(words, moves);
    let (again, _) = matched(&args);
    let same = |g: &Value| (g["moves"].clone(), g["scores"].clone());
    assert_eq!(
        again.iter().map(same).collect::<Vec<_>>(),
        games.iter().map(same).collect::<Vec<_>>()
    );
}

#[test]
fn a_match_that_cannot_be_is_told() {
    for (args, code, says) in [
        (vec!["flood", "optimal", "greedy"], 2, "played alone"),
        (vec!["chess", "a", "b"], 2, "connect4 and gomoku"),
        (vec!["gomoku", "a"], 2, "<B>"),
        (
            vec!["gomoku", "evaluator", "evaluator", "--games", "3"],
            2,
            "even number",
        ),
        (
            vec!["gomoku", "nobody", "evaluator"],
            1,
            "there is no such policy",
        ),
        (
            vec!["gomoku", "evaluator", "piskvork:/no/such"],
            1,
            "cannot be started",
        ),
        (
            vec!["gomoku", "evaluator", "tbp:x"],
            1,
            "gomoku is not played in it",
        ),
        (
            vec!["gomoku", "evaluator", "evaluator", "--size", "4x4"],
            1,
            "5 to 25",
        ),
        (
            vec!["gomoku", "evaluator", "evaluator", "--rule", "renju"],
            1,
            "five-or-more and exact",
        ),
        (
            vec!["gomoku", "evaluator", "evaluator", "--openings", "/no/such"],
            1,
            "/no/such",
        ),
    ] {
        let ran = kibitzer(&[&["match"], &args[..]].concat(), "");
        assert_eq!(ran.code, code, "{args:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
}

/// However nothing is written, it is the empty board.
#[test]
fn no_openings_are_the_empty_board() {
    for none in ["0", "00", "000"] {
        let (games, _) = matched(&[
            "connect4",
            "minimax:depth=1",
            "minimax:depth=1",
            "--games",
            "4",
            "--nodes",
            "100",
            "--openings",
            none,
        ]);
        assert_eq!(games.len(), 4);
        assert!(games.iter().all(|g| g["book"] == 0), "{games:?}");
    }
}
