//! The commands that brains are used by, as other programs and people use them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use super::bots::{bad, bot, eventually, runs};
use crate::support::program;

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
    // Enough for a start on any machine.
    let solve = |args: &[&str], position: &str| {
        let args = [&["solve", args[0], "--time-ms", "120000"], &args[1..]].concat();
        let ran = program::kibitzer(&args, position);
        let answer = ran.objects().swap_remove(0);
        (answer, ran.err)
    };
    let example = bot("jsonl", "bot.py", "");
    let (answer, _) = solve(&["flood", "--policy", &example], "4x3:001201220110\n");
    assert_eq!(
        answer["length"].as_u64(),
        answer["moves"].as_str().map(|m| m.len() as u64)
    );
    assert!(answer["length"].as_u64().expect("a number") >= 3);
    let lame = bad("jsonl", "crash-start");
    let args = ["flood", "--policy", &lame, "--fallback", "optimal"];
    let (answer, told) = solve(&args, "4x3:001201220110\n");
    assert_eq!(answer["length"], 3, "by the fallback");
    assert!(
        told.contains("no weights") && told.contains("optimal makes this move"),
        "{told}"
    );
    let policy = bot("tbp", "tbp_bot.py", "");
    let empty = [".........."; 6].join("/");
    let (answer, _) = solve(&["tetris", "--policy", &policy], &format!("{empty} I O\n"));
    assert_eq!(answer["turn"], 0, "flat on the ground");
    let (answer, _) = solve(&["connect4", "--policy", &example], "445566\n");
    assert!(["3", "7"].contains(&answer["move"].as_str().expect("a column")));
    let policy = bad("piskvork", "lie");
    let args = ["gomoku", "--policy", &policy, "--fallback", "evaluator"];
    let (answer, told) = solve(&args, "7,7 0,0 8,7 0,1 9,7 0,2 10,7\n");
    assert!(
        ["6,7", "11,7"].contains(&answer["move"].as_str().expect("a move")),
        "by the fallback: {answer}"
    );
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
            let args = ["solve", game, "--policy", policy, "--time-ms", "120000"];
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
