//! A child process: heard, told, limited, and gone when it shall be.

use std::time::{Duration, Instant};

use kibitzer::brains::process::{Launch, Process, Trouble};
use kibitzer::types::Stop;

use super::bots::{AMPLE, eventually, runs};

fn start(script: &str) -> Process {
    let launch = Launch::parse("test", &format!("sh -c '{script}'")).expect("a command");
    Process::start(&launch).expect("a shell")
}

fn soon() -> Instant {
    Instant::now() + AMPLE
}

#[test]
fn lines_go_both_ways() {
    let mut cat = start("exec cat");
    for line in ["one", "two words", "drei \u{2603}"] {
        cat.say(line, soon()).expect("told");
        assert_eq!(cat.line(soon(), &Stop::new()).as_deref(), Ok(line));
    }
    let wait = Instant::now() + Duration::from_millis(50);
    assert_eq!(cat.line(wait, &Stop::new()), Err(Trouble::Late));
    assert!(Instant::now() >= wait, "the whole time is waited");
}

#[test]
fn what_cannot_be_started_is_told() {
    let launch = Launch::parse("x", "/no/such/program --fast").expect("a command");
    let error = Process::start(&launch).expect_err("none").to_string();
    assert!(
        error.contains("cannot be started: /no/such/program"),
        "{error}"
    );
}

#[test]
fn the_end_is_told_with_the_last_words() {
    let mut process = start("echo first; echo second thoughts >&2; sleep 0.2; exit 3");
    assert_eq!(process.line(soon(), &Stop::new()).as_deref(), Ok("first"));
    let error = process
        .line(soon(), &Stop::new())
        .expect_err("over")
        .to_string();
    assert_eq!(
        error,
        "it has ended: exit status 3; its last words: second thoughts"
    );
    let mut killed = start("kill -9 $$");
    let error = killed
        .line(soon(), &Stop::new())
        .expect_err("over")
        .to_string();
    assert_eq!(error, "it has ended: killed by signal 9");
    let mut closed = start("exec >&-; sleep 1000");
    let error = closed
        .line(soon(), &Stop::new())
        .expect_err("over")
        .to_string();
    assert!(error.contains("closed its output"), "{error}");
}

#[test]
fn a_wait_ends_when_the_switch_is_pulled() {
    let mut process = start("sleep 1000");
    let stop = Stop::new();
    let puller = stop.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        puller.pull("test");
    });
    let hour = Instant::now() + Duration::from_secs(3600);
    assert_eq!(process.line(hour, &stop), Err(Trouble::Stopped));
    thread.join().expect("pulled");
}

#[test]
fn who_does_not_read_is_not_waited_for() {
    let mut process = start("sleep 1000");
    let long = "x".repeat(10_000_000);
    let wait = Instant::now() + Duration::from_millis(50);
    assert_eq!(process.say(&long, wait), Err(Trouble::Deaf));
}

#[test]
fn it_dies_with_all_it_started_and_whatever_it_ignores() {
    let script = "trap \"\" TERM INT HUP; sleep 1000 & echo $!; sleep 1000 & echo $!; wait; wait";
    let mut process = start(script);
    let mut children = Vec::new();
    for _ in 0..2 {
        let line = process.line(soon(), &Stop::new()).expect("a number");
        children.push(line.parse::<u32>().expect("a number"));
    }
    children.push(process.id());
    assert!(children.iter().all(|&p| runs(p)));
    drop(process);
    eventually("all of them are gone", || {
        !children.iter().any(|&p| runs(p))
    });
}

/// Bytes that a process has written.
fn written(pid: u32) -> u64 {
    let io = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let count = io.lines().find_map(|l| l.strip_prefix("wchar: "));
    count.and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[test]
fn who_floods_has_to_wait_until_it_is_heard() {
    let flood = start("exec yes it is a line of some length, and there are many of it");
    let mut before = written(flood.id());
    eventually("it writes no more", || {
        std::thread::sleep(Duration::from_millis(100));
        let now = written(flood.id());
        now > 0 && std::mem::replace(&mut before, now) == now
    });
    // Complaints are heard all the time.
    let complains = start("exec yes 1>&2");
    let before = written(complains.id());
    eventually("it goes on", || {
        written(complains.id()) > before + 10_000_000
    });
}

/// Lines that are always there must not be waited for longer than a silence.
#[test]
fn a_flood_ends_with_the_deadline() {
    let mut flood = start("exec yes");
    flood.line(soon(), &Stop::new()).expect("it has begun");
    let until = Instant::now() + Duration::from_millis(50);
    let heard = std::iter::repeat_with(|| flood.line(until, &Stop::new()));
    let heard: Vec<_> = heard.take_while(Result::is_ok).collect();
    assert!(Instant::now() >= until);
    // None is lost: the next one is there for whoever asks again.
    let again = flood.line(soon(), &Stop::new());
    assert_eq!(again.as_deref(), Ok("y"), "after {} lines", heard.len());
}

#[test]
fn what_was_said_before_is_passed_over() {
    // Both in one piece, so that the second is there when the first is.
    let mut process = start("printf \"one\\ntwo\\n\"; read x; echo three; read x");
    assert_eq!(process.line(soon(), &Stop::new()).as_deref(), Ok("one"));
    process.forget_lines();
    process.say("", soon()).expect("told");
    assert_eq!(process.line(soon(), &Stop::new()).as_deref(), Ok("three"));
}

#[test]
fn a_line_without_end_is_told_as_one() {
    let mut endless = start("yes | tr -d \"\\n\"");
    let error = endless
        .line(soon(), &Stop::new())
        .expect_err("too long")
        .to_string();
    assert!(error.starts_with("a line of more than"), "{error}");
}
