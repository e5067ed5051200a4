//! `kibitzer solve gomoku` and `kibitzer bench gomoku` as other programs see them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::program;

fn kibitzer(args: &[&str], input: &str) -> (Vec<Value>, i32) {
    let ran = program::kibitzer(args, input);
    (ran.objects(), ran.code)
}

#[test]
fn each_line_is_answered_in_its_place() {
    let lines = [
        "7,7 8,8 7,6 8,9 7,5 8,10 7,4 9,9",
        "10x10:a1 b9 a2 b8",
        "XXXX.O/OOO.../....../....../......",
        "7,7 7,7",
        "XXXXX./OOOO../....../....../......",
    ];
    let args = ["solve", "gomoku", "--nodes", "5000"];
    let (answers, code) = kibitzer(&args, &lines.join("\n"));
    assert_eq!((answers.len(), code), (5, 1));
    assert!(answers[0]["move"] == "7,3" || answers[0]["move"] == "7,8");
    assert_eq!(answers[0]["win"], true);
    assert_eq!(answers[0]["stones"], 1);
    assert_eq!(answers[1]["win"], false);
    assert!(answers[1]["nodes"].as_u64().expect("nodes") <= 5000);
    assert!(
        answers[1]["pv"]
            .as_str()
            .expect("pv")
            .starts_with(answers[1]["move"].as_str().expect("a move"))
    );
    assert_eq!(answers[2]["move"], "4,0", "five");
    assert_eq!(answers[3]["line"], 4);
    assert!(
        answers[3]["error"]
            .as_str()
            .expect("text")
            .contains("7,7 is not empty")
    );
    assert_eq!(answers[4]["move"], Value::Null, "the game is over");
}

#[test]
fn rules_sizes_and_policies_are_options() {
    // Six in a row win or are nothing.
    let six = "XXX.XX/OOOO../....../....../...... X";
    let with =
        |rule: &str| kibitzer(&["solve", "gomoku", "--nodes", "2000", "--rule", rule], six).0;
    assert_eq!(with("five-or-more")[0]["stones"], 1);
    assert_ne!(with("exact")[0]["stones"], 1);
    let args = [
        "solve",
        "gomoku",
        "--size",
        "10",
        "--policy",
        "evaluator:windows=full",
    ];
    let (answers, code) = kibitzer(&args, "5,5\n");
    assert_eq!(code, 0);
    assert_eq!(answers[0]["move"], "6,6");
    assert_eq!(answers[0]["score"], 0.8 * 36.0);
    for args in [
        ["--rule", "renju"],
        ["--size", "4"],
        ["--policy", "evaluator:a=9"],
    ] {
        let (lines, code) = kibitzer(&[&["solve", "gomoku"], &args[..]].concat(), "5,5\n");
        assert!(lines.is_empty() && code != 0, "{args:?}");
    }
}

#[test]
fn the_suite_is_solved() {
    // As many positions as a second is enough for; a busy machine must not fail it.
    let args = "bench gomoku --set suite --nodes 600000 --json";
    let args: Vec<&str> = args.split(' ').collect();
    let (rows, code) = kibitzer(&args, "");
    assert_eq!((rows.len(), code), (3, 0));
    let sum = |key: &str| {
        rows.iter()
            .map(|r| r[key].as_u64().expect(key))
            .sum::<u64>()
    };
    assert!(sum("positions") >= 60);
    assert_eq!(sum("solved"), sum("positions"), "{rows:?}");
}

/// What the program says when it may have no more than so many kB of memory; it must end by itself.
fn confined(kilobytes: u32, args: &str) -> (String, Option<i32>) {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" {args}");
    let out = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_kibitzer")])
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    (told, out.status.code())
}

#[test]
fn what_is_asked_for_and_not_there_is_told() {
    const GIGABYTES: u32 = 3 << 20;
    // A board is measured before there is memory for it: this one would have four gigabytes.
    let (told, code) = confined(GIGABYTES, "solve gomoku --size 65535x65535");
    assert!(
        code == Some(2) && told.contains("both sides must be 5 to 25"),
        "{told}"
    );
    let args = "match gomoku evaluator evaluator --size 65535x65535";
    let (told, code) = confined(GIGABYTES, args);
    assert!(
        code == Some(1) && told.contains("both sides must be 5 to 25"),
        "{told}"
    );
    let args = "solve gomoku --policy search:memory=4096";
    let (told, code) = confined(GIGABYTES, args);
    assert!(code == Some(1), "{told}");
    assert!(
        told.contains("does not give") && told.contains("ask for less"),
        "{told}"
    );
}

/// An opponent that makes illegal moves forfeits its games; they are told, and are no wins.
#[test]
fn forfeits_are_no_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    // A name with everything in it that a shell takes for something else.
    let engine = folder.path().join("pbrain 'bad'");
    let bad = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/brains/bad.py");
    let script = format!("#!/bin/sh\nexec python3 '{}' piskvork lie\n", bad.display());
    std::fs::write(&engine, script).expect("written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&engine, mode).expect("executable");
    let args = [
        "bench",
        "gomoku",
        "--set",
        "figrid",
        "--engine",
        engine.to_str().expect("UTF-8"),
        "--policy",
        "evaluator",
        "--time-ms",
        "60000",
        "--games",
        "20",
        "--prove",
        "--json",
    ];
    let ran = program::kibitzer(&args, "");
    let row = &ran.objects()[0];
    for (key, count) in [
        ("games", 20),
        ("wins", 0),
        ("draws", 0),
        ("losses", 0),
        ("forfeits", 20),
    ] {
        assert_eq!(row[key], count, "{key}: {row}");
    }
    assert_eq!(ran.err.matches("illegal move").count(), 20, "{}", ran.err);
    assert!(
        ran.err
            .contains("0 games are won, not 18 (20 that it forfeited are no wins)"),
        "{}",
        ran.err
    );
    assert_eq!(ran.code, 1);
}
