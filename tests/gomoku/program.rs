//! `kibitzer solve gomoku` and `kibitzer bench gomoku` as other programs see them.

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
