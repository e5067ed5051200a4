//! The commands that brains are used by, as other programs and people use them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use super::bots::{bad, bot, eventually, runs};

const KIBITZER: &str = env!("CARGO_BIN_EXE_kibitzer");

fn kibitzer(args: &[&str]) -> Command {
    let mut command = Command::new(KIBITZER);
    command
        .args(args)
        .env_remove("DISPLAY")
        .env_remove("KIBITZER_LOG");
    command
}

fn run(args: &[&str], input: &str) -> Output {
    let mut child = kibitzer(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes())
        .expect("told");
    child.wait_with_output().expect("its output")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn objects(out: &Output) -> Vec<Value> {
    let out = text(&out.stdout);
    out.lines()
        .map(|l| serde_json::from_str(l).expect("an object"))
        .collect()
}

/// What a match gave: its games and the summary.
fn matched(args: &[&str]) -> (Vec<Value>, Value) {
    let out = run(&[&["match"], args, &["--json"]].concat(), "");
    assert!(out.status.success(), "{}", text(&out.stderr));
    let mut all = objects(&out);
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
        let out = run(&[&["match"], &args[..]].concat(), "");
        assert_eq!(out.status.code(), Some(code), "{args:?}");
        let told = text(&out.stderr);
        assert!(told.contains(says), "{args:?}: {told}");
    }
}

fn started(args: &[&str]) -> Child {
    kibitzer(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Ticks of processor time that a process has used, a hundredth of a second each.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // After the name in parentheses: the eleventh word is the user's time.
    let words = stat.rsplit(") ").next().unwrap_or_default();
    words
        .split(' ')
        .nth(11)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

#[test]
fn an_engine_ends_when_it_is_told_or_left_alone() {
    // It thinks for an hour when told END, and when its pipe is closed.
    for end in [Some("END\r\n"), None] {
        let mut engine = started(&["brain", "piskvork"]);
        let mut input = engine.stdin.take().expect("piped");
        input
            .write_all(b"INFO timeout_turn 3600000\r\nSTART 20\r\n")
            .expect("told");
        let mut lines = BufReader::new(engine.stdout.take().expect("piped")).lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "OK");
        let before = ticks(engine.id());
        input.write_all(b"TURN 9,9\r\n").expect("told");
        // Longer than lines that are piped in together take.
        eventually("it thinks", || ticks(engine.id()) > before + 30);
        if let Some(end) = end {
            input.write_all(end.as_bytes()).expect("told");
        } else {
            drop(input);
        }
        eventually("it has gone", || !runs(engine.id()));
        assert!(engine.wait().expect("its end").success());
        if end.is_some() {
            assert!(lines.next().is_none(), "END is silent");
        }
    }
}

#[test]
fn lines_of_any_length_cost_no_memory_and_are_answered() {
    let long = "4".repeat(3 << 20);
    for (args, line, answer) in [
        (&["brain", "connect4-line"][..], "445566", "3 18"),
        (&["brain", "piskvork"], "START 15", "OK"),
        (
            &["solve", "connect4", "--move-only"],
            "121212",
            "{\"move\":\"1\"",
        ),
        (
            &["brain", "jsonl", "connect4"],
            "{\"type\":\"hello\"}",
            "{\"games\":[\"connect4\"]",
        ),
    ] {
        let out = run(args, &format!("{long}\n{line}\n"));
        let out = text(&out.stdout);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 2, "{args:?}: {out}");
        let refused = ["error", "UNKNOWN", "{\"error\":"];
        assert!(
            refused.iter().any(|r| lines[0].starts_with(r)) && lines[0].len() < 100,
            "{args:?}: {out}"
        );
        assert!(lines[1].starts_with(answer), "{args:?}: {out}");
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

#[test]
fn lines_of_connect4_are_errors_or_silence_where_they_should() {
    let out = run(
        &["brain", "connect4-line", "--policy", "none-such"],
        "444\n",
    );
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("there is no such policy"));
}

#[test]
fn no_brain_outlives_a_host_that_is_killed() {
    let policy = bad("jsonl", "stay");
    let mut host = kibitzer(&["solve", "flood", "--policy", &policy])
        .env("KIBITZER_LOG", "kibitzer=debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = host.stdin.take().expect("piped");
    input.write_all(b"0120\n").expect("told");
    let errors = BufReader::new(host.stderr.take().expect("piped"));
    let child = errors.lines().map_while(Result::ok).find_map(|line| {
        let (_, number) = line.split_once("stderr: child ")?;
        number.split_whitespace().next()?.parse::<u32>().ok()
    });
    let child = child.expect("the child of the brain is told");
    assert!(runs(child));
    host.kill().expect("killed");
    host.wait().expect("its end");
    eventually("the brain's child is gone, too", || !runs(child));
}

#[test]
fn policies_are_listed() {
    for (game, name, option, outside) in [
        ("flood", "lookahead", "depth", "jsonl:COMMAND"),
        ("tetris", "expectimax", "weights", "tbp:COMMAND"),
        ("connect4", "minimax", "depth", "connect4-line:COMMAND"),
        ("gomoku", "evaluator", "a", "piskvork:COMMAND"),
    ] {
        let out = run(&["solve", game, "--list", "--json"], "");
        assert!(out.status.success());
        let all = objects(&out);
        let find = |name: &str| all.iter().find(|o| o["name"] == name).expect(name);
        let options = find(name)["options"].as_array().expect("a list");
        assert!(options.iter().any(|o| o["key"] == option));
        assert_eq!(find(outside)["external"], true);
        let people = text(&run(&["solve", game, "--list"], "").stdout);
        assert!(
            people.contains(name) && people.contains(outside),
            "{people}"
        );
    }
    assert_eq!(
        run(&["solve", "flood", "--json"], "").status.code(),
        Some(2)
    );
}

#[test]
fn positions_are_solved_from_outside() {
    let policy = bot("jsonl", "bot.py", "");
    let out = run(
        &["solve", "flood", "--policy", &policy],
        "4x3:001201220110\n",
    );
    let answer = &objects(&out)[0];
    assert_eq!(
        answer["length"].as_u64(),
        answer["moves"].as_str().map(|m| m.len() as u64)
    );
    assert!(answer["length"].as_u64().expect("a number") >= 3);
    let policy = bad("jsonl", "crash-start");
    let args = [
        "solve",
        "flood",
        "--policy",
        &policy,
        "--fallback",
        "optimal",
    ];
    let out = run(&args, "4x3:001201220110\n");
    assert_eq!(objects(&out)[0]["length"], 3, "by the fallback");
    let told = text(&out.stderr);
    assert!(
        told.contains("no weights") && told.contains("optimal makes this move"),
        "{told}"
    );
    let policy = bot("tbp", "tbp_bot.py", "");
    let empty = [".........."; 6].join("/");
    let out = run(
        &["solve", "tetris", "--policy", &policy],
        &format!("{empty} I O\n"),
    );
    assert_eq!(objects(&out)[0]["turn"], 0, "flat on the ground");
    let policy = bot("jsonl", "bot.py", "");
    let out = run(&["solve", "connect4", "--policy", &policy], "445566\n");
    assert!(["3", "7"].contains(&objects(&out)[0]["move"].as_str().expect("a column")));
    let policy = bad("piskvork", "lie");
    let args = [
        "solve",
        "gomoku",
        "--policy",
        &policy,
        "--fallback",
        "evaluator",
    ];
    let out = run(&args, "7,7 0,0 8,7 0,1 9,7 0,2 10,7\n");
    let answer = objects(&out)[0]["move"]
        .as_str()
        .expect("a move")
        .to_owned();
    assert!(
        ["6,7", "11,7"].contains(&answer.as_str()),
        "by the fallback: {answer}"
    );
    let told = text(&out.stderr);
    assert!(
        told.contains("illegal move 7,7") && told.contains("evaluator makes"),
        "{told}"
    );
}

/// A whole game in the loop: seen through a simulated webcam, decided by a bot that crashes.
#[test]
fn the_loop_goes_on_when_a_brain_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("j.db").display().to_string();
    let picture = folder.path().join("p.png").display().to_string();
    for (policy, says) in [
        (bot("jsonl", "bot.py", ""), ""),
        (
            bad("jsonl", "crash"),
            "out of ideas; it is started again; greedy makes this move",
        ),
    ] {
        let out = kibitzer(&[
            "demo",
            "flood",
            "--size",
            "8x8",
            "--colours",
            "4",
            "--fast",
            "--json",
            "--policy",
            &policy,
            "--set",
            "policy.fallback=greedy",
            "--set",
            "policy.time_ms=120000",
            "--journal",
            &journal,
            "--picture",
            &picture,
        ])
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .expect("the program runs");
        let told = text(&out.stderr);
        assert!(out.status.success(), "{told}");
        assert_eq!(objects(&out)[0]["result"], "won");
        match says.is_empty() {
            true => assert!(!told.contains("makes this move"), "{told}"),
            false => assert!(told.contains(says), "{told}"),
        }
    }
}

/// Both sides of the protocol, by every game: what our engine answers is what its policy does.
#[test]
fn json_lines_go_both_ways() {
    let empty = [".........."; 8].join("/");
    for (game, policy, position) in [
        ("flood", "optimal", "4x3:001201220110".to_owned()),
        ("tetris", "dt10", format!("{empty} L O")),
        ("connect4", "minimax:depth=4", "4455".to_owned()),
        ("gomoku", "evaluator", "7,7 8,8 7,6".to_owned()),
    ] {
        let outside = format!("jsonl:'{KIBITZER}' brain jsonl {game} --policy {policy}");
        let solved = |policy: &str| {
            let args = ["solve", game, "--policy", policy, "--time-ms", "20000"];
            let out = run(&args, &format!("{position}\n"));
            let told = text(&out.stderr);
            assert!(
                out.status.success() && !told.contains("makes this move"),
                "{told}"
            );
            objects(&out)[0]["move"].clone()
        };
        assert_eq!(solved(&outside), solved(policy), "{game}");
    }
    let lines = "nonsense\n{\"type\":\"weather\"}\n{\"type\":\"position\",\"id\":7,\"game\":\"chess\"}\n\
                 {\"type\":\"position\",\"id\":8,\"game\":\"flood\",\"board\":[\"aa\"]}\n{\"type\":\"bye\"}\n";
    let out = run(&["brain", "jsonl", "flood"], lines);
    let all = objects(&out);
    assert!(out.status.success() && all.len() == 3, "{all:?}");
    assert_eq!(all[1]["id"], 7);
    assert!(all.iter().all(|o| o["error"].is_string()), "{all:?}");
}
