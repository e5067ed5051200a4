//! `kibitzer solve tetris`, `bench tetris` and `tune tetris` as other programs see them.

use kibitzer::games::tetris::policies::{MoveModel, Placement, by_name};
use kibitzer::games::tetris::rules::Kind;
use kibitzer::types::Budget;
use serde_json::Value;

use crate::support::program;

use super::{board, position};

fn kibitzer(args: &[&str], input: &str) -> (Vec<Value>, String, i32) {
    let ran = program::kibitzer(args, input);
    let lines = ran.out.lines();
    let objects = lines.filter_map(|l| serde_json::from_str(l).ok());
    (objects.collect(), ran.err, ran.code)
}

const PILE: &str = "........../........../........../........../##.#######/##..######";

#[test]
fn answers_are_the_policys_choices() {
    let lines = format!("{PILE} J\n\n{PILE} T O\n");
    let args = [
        "solve",
        "tetris",
        "--policy",
        "two-piece:dt10",
        "--model",
        "f",
    ];
    let (answers, _, code) = kibitzer(&args, &lines);
    assert_eq!((answers.len(), code), (2, 0));
    let pile = board(PILE);
    for (answer, (kind, next)) in answers
        .iter()
        .zip([(Kind::J, None), (Kind::T, Some(Kind::O))])
    {
        let mut policy = by_name("two-piece:dt10").expect("known");
        let asked = position(&pile, kind, next, MoveModel::AfterOneStep);
        let choice = policy
            .choose(&asked, &Budget::default())
            .expect("a placement");
        assert_eq!(answer["move"], choice.placement.to_string());
        assert_eq!(answer["turn"], choice.placement.turn);
        assert_eq!(answer["left"], choice.placement.left);
        assert_eq!(answer["score"], choice.value);
        assert_eq!(answer["nodes"], choice.nodes);
        let (after, rows) = choice.placement.applied(&pile).expect("fits");
        assert_eq!(answer["board"], after.text());
        assert_eq!(answer["rows"], rows);
        assert_eq!(answer["cells"].as_array().expect("cells").len(), 4);
        assert!(answer["features"]["rows removed"].is_number());
        assert_eq!(answer["next"].is_string(), next.is_some());
        assert!(answer["micros"].is_u64());
    }
}

#[test]
fn cells_count_from_the_top() {
    let (answers, _, _) = kibitzer(
        &["solve", "tetris", "--policy", "dt10"],
        &format!("{PILE} I"),
    );
    let placement = Placement {
        kind: Kind::I,
        turn: answers[0]["turn"].as_u64().expect("a number") as u8,
        left: answers[0]["left"].as_u64().expect("a number") as u16,
    };
    let cells = placement.cells(&board(PILE)).expect("fits");
    let wanted: Vec<Value> = cells
        .iter()
        .map(|(x, y)| Value::from(vec![*x, 5 - y]))
        .collect();
    assert_eq!(answers[0]["cells"], Value::from(wanted));
}

#[test]
fn a_bad_line_is_told_and_the_rest_is_answered() {
    let lines =
        format!("{PILE} Q\n{PILE}\n..x./..../..../.... T\n{PILE} T O S\n{PILE} T\n\u{fffd}\n");
    let (answers, _, code) = kibitzer(&["solve", "tetris"], &lines);
    assert_eq!((answers.len(), code), (6, 1));
    let told = |i: usize| answers[i]["error"].as_str().expect("an error").to_owned();
    assert!(told(0).contains("`Q` is no piece") && answers[0]["line"] == 1);
    assert!(told(1).contains("there is no piece") && answers[1]["line"] == 2);
    assert!(told(2).contains("row 1, column 3: `x`"));
    assert!(told(3).contains("`S` is too much"));
    assert!(answers[4]["move"].is_string());
    assert!(told(5).contains("the board: "));
    let (_, told, code) = kibitzer(&["solve", "tetris", "--policy", "dt11"], "");
    assert_eq!(code, 1);
    assert!(told.contains("did you mean `dt10`?"), "{told}");
}

#[test]
fn a_piece_that_cannot_appear_has_no_move() {
    let full = "....#...../........../........../..........";
    let (answers, _, code) = kibitzer(&["solve", "tetris"], &format!("{full} O"));
    assert_eq!(code, 0);
    assert_eq!(answers[0]["move"], Value::Null);
}

#[test]
fn a_bench_row_has_its_figures() {
    let args = [
        "bench",
        "tetris",
        "--board",
        "10x10",
        "--policy",
        "dellacherie",
        "--deaths",
        "50",
        "--climb",
        "50",
        "--json",
    ];
    let (rows, _, code) = kibitzer(&args, "");
    assert_eq!((rows.len(), code), (1, 0));
    let row = &rows[0];
    assert_eq!(row["games"], 50);
    // Four standard errors around the mean of 254.
    let mean = row["rows"].as_f64().expect("a number");
    assert!((110.0..400.0).contains(&mean), "{row}");
    assert!(
        row["climbed"].is_number() && row["per second"].as_u64() > Some(0),
        "{row}"
    );
    let (_, told, code) = kibitzer(&["bench", "tetris", "--board", "3x3"], "");
    assert_eq!(code, 2);
    assert!(told.contains("4x4 to 200x400"), "{told}");
}

#[test]
fn tuning_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let tune = |out: &str, generations: &str| {
        let args = [
            "tune",
            "tetris",
            "--start",
            "dellacherie",
            "--board",
            "10x10",
            "--out",
            &path(out),
            "--trials",
            "4",
            "--pieces",
            "500",
            "--starts",
            "10",
            "--threads",
            "1",
            "--generations",
            generations,
        ];
        let (_, told, code) = kibitzer(&args, "");
        assert_eq!(code, 0, "{told}");
    };
    tune("once.toml", "4");
    tune("twice.toml", "2");
    tune("twice.toml", "2");
    let read = |name: &str| std::fs::read_to_string(path(name)).expect("written");
    assert_eq!(
        read("once.toml").replace("once", "twice"),
        read("twice.toml")
    );
    assert!(by_name(&path("once.toml")).is_ok());
    let other = [
        "tune",
        "tetris",
        "--start",
        "dt10",
        "--out",
        &path("once.toml"),
    ];
    let (_, told, code) = kibitzer(&other, "");
    assert_eq!(code, 1);
    assert!(told.contains("another task"), "{told}");
}
