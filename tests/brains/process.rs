//! A child process: heard, told, limited, and gone when it shall be.

use std::time::{Duration, Instant};

use kibitzer::brains::process::{Launch, Process, Trouble};
use kibitzer::types::Stop;

use super::bots::{eventually, runs};

fn start(script: &str) -> Process {
    let launch = Launch::parse("test", &format!("sh -c '{script}'")).expect("a command");
    Process::start(&launch).expect("a shell")
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

#[test]
fn lines_go_both_ways() {
    let mut cat = start("exec cat");
    for line in ["one", "two words", "drei \u{2603}"] {
        cat.say(line, soon()).expect("told");
        assert_eq!(cat.line(soon(), &Stop::new()).as_deref(), Ok(line));
    }
    cat.say("left", soon()).expect("told");
    let wait = Instant::now() + Duration::from_millis(50);
    assert_eq!(cat.line(wait, &Stop::new()).as_deref(), Ok("left"));
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

/// Kilobytes of memory of this process.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status
        .lines()
        .find(|l| l.starts_with("VmRSS"))
        .expect("a line");
    line.split_whitespace()
        .nth(1)
        .expect("a number")
        .parse()
        .expect("a number")
}

#[test]
fn floods_cost_no_memory() {
    let flood = start("yes it is a line of some length, and there are many of it");
    let endless = start("yes | tr -d \"\\n\"");
    let complaints = start("yes 1>&2");
    let before = memory();
    std::thread::sleep(Duration::from_millis(200));
    let more = memory().saturating_sub(before);
    // Other tests run beside this one; the floods would be hundreds of megabytes.
    assert!(more < 150_000, "{more} kB more");
    for mut process in [flood, endless, complaints] {
        let heard = process.line(Instant::now(), &Stop::new());
        assert!(!matches!(heard, Err(Trouble::Ended(_))), "{heard:?}");
    }
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
