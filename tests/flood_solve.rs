//! `kibitzer solve flood` and `kibitzer bench flood` as other programs see them.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use kibitzer::games::flood::rules::{SeededBoards, parse_position};
use kibitzer::types::{Cell, GridSize};
use serde_json::Value;

use crate::support::program;

fn kibitzer(args: &[&str], input: &str) -> (Vec<Value>, i32) {
    let ran = program::kibitzer(args, input);
    (ran.objects(), ran.code)
}

/// Replays the answer's moves on the line's board.
fn is_solution(line: &str, start: Cell, answer: &Value) -> bool {
    let position = parse_position(line, 1, start).expect("a position");
    let moves = answer["moves"].as_str().expect("moves");
    let moves: Vec<u8> = moves
        .chars()
        .map(|c| c.to_digit(36).expect("a symbol") as u8)
        .collect();
    answer["length"] == moves.len() && position.board.replay(&moves).is_ok()
}

#[test]
fn answers_are_solutions_in_the_lines_own_symbols() {
    let lines = ["4x3:012101200212", "0110", "3x2:aAb/bCa,9", "5x1:55z5Z"];
    let (answers, code) = kibitzer(&["solve", "flood"], &lines.join("\n"));
    assert_eq!((answers.len(), code), (4, 0));
    for (line, answer) in lines.iter().zip(&answers) {
        assert!(
            is_solution(line, Cell::default(), answer),
            "{line} {answer}"
        );
        assert_eq!(answer["optimal"], true);
        assert_eq!(answer["lower_bound"], answer["length"]);
        let moves = answer["moves"].as_str().expect("moves");
        assert_eq!(answer["move"], moves[..1], "{answer}");
    }
    assert_eq!(answers[3]["moves"], "z5z");
    let (solved, _) = kibitzer(&["solve", "flood"], "000000000\n");
    assert_eq!(solved[0]["move"], Value::Null);
    assert_eq!(solved[0]["length"], 0);
}

#[test]
fn a_bad_line_is_told_and_the_others_are_solved() {
    let (answers, code) = kibitzer(&["solve", "flood"], "0110\r\n01_0\r\n\r\n01101\n1001");
    assert_eq!((answers.len(), code), (4, 1));
    let told = "line 2, column 3: `_` is not a colour: write one digit 0-9 or letter a-z per cell";
    assert_eq!(answers[1]["error"], told);
    assert_eq!(answers[1]["line"], 2);
    assert_eq!(answers[2]["line"], 4);
    assert_eq!(answers[3]["length"], 2);
}

#[test]
fn other_starts_policies_and_limits() {
    let line = "7x5:01234012340123401234012340123401234";
    let start = Cell::new(3, 2);
    let mut lengths = Vec::new();
    for policy in ["optimal", "lookahead", "greedy"] {
        let args = [
            "solve", "flood", "--start", "3,2", "--policy", policy, "--depth", "3",
        ];
        let (answers, code) = kibitzer(&args, line);
        assert_eq!(code, 0);
        assert!(is_solution(line, start, &answers[0]), "{policy}");
        lengths.push(answers[0]["length"].as_u64().expect("a number"));
    }
    assert!(
        lengths[0] <= lengths[1] && lengths[0] <= lengths[2],
        "{lengths:?}"
    );
    let (outside, code) = kibitzer(&["solve", "flood", "--start", "7,0"], line);
    assert_eq!(code, 1);
    assert!(
        outside[0]["error"]
            .as_str()
            .is_some_and(|e| e.contains("7,0"))
    );
    let (poor, code) = kibitzer(&["solve", "flood", "--nodes", "1", "--memory", "1"], line);
    assert_eq!(code, 0);
    assert!(is_solution(line, Cell::default(), &poor[0]));
}

#[test]
fn it_answers_line_by_line() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["solve", "flood", "--policy", "greedy"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("it was piped"));
    for _ in 0..3 {
        writeln!(stdin, "0110").expect("it reads");
        let mut answer = String::new();
        stdout
            .read_line(&mut answer)
            .expect("it answers before more is asked");
        assert!(answer.starts_with("{\"move\":\"1\""), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

/// Boards of the real game, with the number of moves that its own solver would allow.
#[test]
fn real_games_are_solved_within_their_limit() {
    let game = "/usr/games/sgt-flood";
    let Ok(out) = Command::new(game)
        .args(["--generate", "5", "10x8c5m0#7"])
        .output()
    else {
        println!("skipped: {game} is not installed");
        return;
    };
    let text = String::from_utf8(out.stdout).expect("ASCII");
    let (answers, code) = kibitzer(&["solve", "flood"], &text);
    assert_eq!((answers.len(), code), (5, 0), "{text}");
    for (line, answer) in text.lines().zip(&answers) {
        assert!(is_solution(line, Cell::default(), answer), "{line}");
        let limit = line.rsplit(',').next().and_then(|n| n.parse::<u64>().ok());
        assert!(answer["length"].as_u64() <= limit, "{line} {answer}");
    }
}

/// The shortest solutions known of the published boards, of which a sample is solved here; the
/// bench solves all.
#[test]
fn as_short_as_the_published_solutions() {
    let shared = std::env::var_os("KIBITZER_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")),
        PathBuf::from,
    );
    for set in ["pc19_tiles.txt pc19", "rand14x14x6_1000.txt rand"] {
        let (boards, solutions) = set.split_once(' ').expect("two words");
        let read = |name: &str| std::fs::read_to_string(shared.join("data/flood").join(name));
        let (Ok(boards), Ok(solutions)) = (
            read(boards),
            read(&format!("{solutions}_optimal_solutions.txt")),
        ) else {
            println!("skipped: no {boards} in {}", shared.display());
            continue;
        };
        let boards: Vec<&str> = boards.lines().step_by(40).collect();
        let (answers, _) = kibitzer(&["solve", "flood"], &boards.join("\n"));
        for ((board, answer), known) in boards
            .iter()
            .zip(&answers)
            .zip(solutions.lines().step_by(40))
        {
            assert!(is_solution(board, Cell::default(), answer));
            assert_eq!(answer["length"], known.trim().len(), "{board}");
        }
    }
}

#[test]
fn the_bench_counts_what_it_plays_and_proves_it() {
    let args = ["bench", "flood", "--limit-boards", "20", "--json"];
    let (rows, code) = kibitzer(&args, "");
    assert_eq!((rows.len(), code), (3, 0));
    // The first 20 games of an independent 4-ply and greedy player and of an exact solver.
    for (row, (policy, moves)) in
        rows.iter()
            .zip([("optimal", 409), ("lookahead", 451), ("greedy", 537)])
    {
        assert_eq!(
            (&row["policy"], &row["moves"]),
            (&policy.into(), &moves.into())
        );
        assert_eq!(row["games"], 20);
    }
    assert_eq!(rows[0]["proven"], 20);

    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("easy.txt");
    let easy = SeededBoards::new(1, GridSize::new(4, 4), 3).take(5);
    let lines: Vec<String> = easy
        .map(|b| b.cells().iter().map(|c| char::from(b'0' + c)).collect())
        .collect();
    std::fs::write(&file, lines.join("\n")).expect("written");
    let path = file.to_str().expect("UTF-8");
    let args = [
        "bench", "flood", "--boards", path, "--prove", "--policy", "optimal", "--json",
    ];
    let (rows, code) = kibitzer(&args, "");
    assert_eq!(code, 0);
    assert_eq!(
        (&rows[0]["boards"], &rows[0]["proven"]),
        (&"easy".into(), &5.into())
    );
    let (_, code) = kibitzer(&["bench", "flood", "--boards", "/no/such/file"], "");
    assert_eq!(code, 1);
    // A solver without memory proves nothing, and that is told.
    let starved = [
        "bench",
        "flood",
        "--limit-boards",
        "5",
        "--policy",
        "optimal",
        "--memory",
        "0",
        "--prove",
    ];
    let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(starved)
        .output();
    let out = out.expect("the program starts");
    assert_eq!(out.status.code(), Some(1));
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(told.contains("missed: 14x14x6, optimal:"), "{told}");
}

#[test]
fn starts_in_the_centre_and_where_it_is_shortest() {
    let board = SeededBoards::new(5, GridSize::new(5, 5), 4)
        .next()
        .expect("endless");
    let line: String = board.cells().iter().map(|c| char::from(b'0' + c)).collect();
    let solve = |start: &str| {
        let (mut answers, code) = kibitzer(&["solve", "flood", "--start", start], &line);
        assert_eq!(code, 0);
        answers.remove(0)
    };
    let centre = solve("centre");
    assert!(is_solution(&line, Cell::new(2, 2), &centre), "{centre}");
    assert_eq!(centre["moves"], solve("2,2")["moves"]);
    assert_eq!(centre.get("start"), None);
    let best = solve("any");
    let at = |i: usize| best["start"][i].as_u64().expect("a number") as u16;
    assert!(is_solution(&line, Cell::new(at(0), at(1)), &best), "{best}");
    assert_eq!(best["optimal"], true);
    let starts = board.size().cells();
    let each = starts.map(|c| solve(&format!("{},{}", c.col, c.row))["length"].as_u64());
    assert_eq!(best["length"].as_u64(), each.min().expect("starts"));
    let (solved, _) = kibitzer(&["solve", "flood", "--start", "any"], "3x1:000");
    assert_eq!(
        (&solved[0]["move"], &solved[0]["length"]),
        (&Value::Null, &0.into())
    );
    let (bad, code) = kibitzer(&["solve", "flood", "--start", "any"], "3x1:00");
    assert!(code == 1 && bad[0]["error"].is_string());
    let (none, code) = kibitzer(
        &["solve", "flood", "--start", "any", "--policy", "greedy"],
        &line,
    );
    assert_eq!((none.len(), code), (0, 1));
    let (none, code) = kibitzer(&["solve", "flood", "--start", "middle"], &line);
    assert_eq!((none.len(), code), (0, 2));
}

#[test]
fn harder_sets_are_measured_whole_and_held_short() {
    let args = [
        "bench",
        "flood",
        "--hard",
        "--limit-boards",
        "2",
        "--policy",
        "optimal",
        "--json",
    ];
    let (rows, code) = kibitzer(&args, "");
    assert_eq!((rows.len(), code), (12, 0));
    for of_one in rows.chunks(3) {
        let moves = |i: usize| of_one[i]["moves"].as_u64().expect("a number");
        assert_eq!(of_one[0]["proven"], 2, "{of_one:?}");
        assert!(moves(1) >= moves(0) && moves(2) >= moves(0), "{of_one:?}");
        assert!(
            of_one[1]["policy"]
                .as_str()
                .expect("a name")
                .contains("positions")
        );
    }
    assert_eq!(rows[9]["boards"], "19x19x6 centre");
    assert_eq!(rows[9]["published moves"], 19.850_78);
}

#[test]
fn boards_of_the_challenge_are_squares_of_lines() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("squares.txt");
    std::fs::write(&file, "1 2 1\n2 3 2\n1 2 1\n\n112\n121\n222\n").expect("written");
    let path = file.to_str().expect("UTF-8");
    let args = [
        "bench", "flood", "--boards", path, "--start", "centre", "--policy", "optimal", "--json",
    ];
    let (rows, code) = kibitzer(&args, "");
    assert_eq!(code, 0);
    // 2 and 1; then 1, which floods all but a corner, and 2.
    assert_eq!(
        (&rows[0]["games"], &rows[0]["moves"]),
        (&2.into(), &4.into())
    );
}
