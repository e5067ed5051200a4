//! However a program ends, the relays are open: except by a kill that no program sees.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::release::{release_everything, release_on_panic};
use kibitzer::act::serial::RelayKeyboard;
use kibitzer::act::worker::Worker;
use kibitzer::act::{ActError, Actuator as _, Hands as _};
use kibitzer::types::{Clock, RelayHands, Stop, Stroke, SystemClock};

use super::{Bench, Running, action, permit, wait_for, wiring};
use crate::support::alone;

#[test]
fn whoever_lets_go_ends_the_hold_at_once() {
    let mut bench = Bench::new();
    bench.together = None;
    let _alone = alone();
    let slow = |bench: &Bench| {
        let mut spec = bench.spec();
        spec.lead = Duration::ZERO;
        spec.hold = Duration::from_secs(600);
        bench.open(spec).expect("a board")
    };
    let held = |bench: &Bench| wait_for("the relay", || bench.board.closed() == 1);
    let open = |bench: &Bench| wait_for("open relays", || bench.board.closed() == 0);
    let clock: Arc<dyn Clock> = bench.clock.clone();

    // The owner of the hands.
    let mut worker = Worker::spawn(Box::new(slow(&bench)), clock.clone()).expect("a thread");
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    worker.release_all().expect("released");
    open(&bench);

    // Anybody, as a panic or the emergency stop does.
    worker
        .start(action(&["Left", "Up"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    release_everything();
    open(&bench);
    wait_for("the end", || worker.poll(bench.clock.now()).is_some());

    // Whoever drops them in the middle.
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    drop(worker);
    open(&bench);

    // The stop switch alone; and after it nothing is pressed any more.
    let mut worker = Worker::spawn(Box::new(slow(&bench)), clock).expect("a thread");
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    held(&bench);
    bench.stop.pull("enough");
    open(&bench);
    let mut ended = None;
    wait_for("the end", || {
        ended = worker.poll(bench.clock.now());
        ended.is_some()
    });
    assert!(matches!(ended, Some(Err(ActError::Stopped))), "{ended:?}");
    let heard = bench.heard();
    worker
        .start(action(&["Left"]), permit(), bench.clock.now())
        .expect("free");
    wait_for("the end", || worker.poll(bench.clock.now()).is_some());
    assert_eq!(bench.heard(), heard);
}

/// Tells a child that it is one, and its port.
const PORT: &str = "KIBITZER_TEST_BOARD";

/// The program itself, holding a key of the board for ten minutes.
pub fn holding(bench: &Bench, more: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    command
        .args(["bench", "hands", "--keys", "1", "--hold-ms", "600000"])
        .args(["--lead-ms", "0", "--port", &bench.port()])
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let running = Running(command.spawn().expect("the program starts"));
    wait_for("the relay", || bench.board.closed() == 1);
    running
}

#[test]
fn signals_open_the_relays() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let bench = Bench::new();
        let mut program = holding(&bench, &[]);
        program.signal(name);
        let (status, said, _) = program.end();
        wait_for("open relays", || bench.board.closed() == 0);
        let signal = name.replace('-', "SIG");
        assert!(
            !status.success() && said.contains(&signal),
            "{status}: {said}"
        );
        // The last of it may still be on the line.
        bench.heard_until("MK000 ");
    }
}

#[test]
fn a_kill_leaves_a_relay_closed_until_the_next_start() {
    let bench = Bench::new();
    let mut program = holding(&bench, &[]);
    program.signal("-KILL");
    let (status, ..) = program.end();
    assert_eq!(status.signal(), Some(9));
    // No program can do anything about this: a timer in the board's firmware would.
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(bench.board.closed(), 1);
    let hands = bench.hands();
    wait_for("open relays", || bench.board.closed() == 0);
    drop(hands);
}

#[test]
fn a_run_to_its_end_leaves_all_open() {
    let bench = Bench::new();
    let program = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args([
            "bench",
            "hands",
            "--keys",
            "3",
            "--hold-ms",
            "10",
            "--lead-ms",
            "1",
        ])
        .args(["--json", "--port", &bench.port()])
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&program.stderr);
    assert!(program.status.success(), "{said}");
    let text = bench.heard_until("MK001 MK000 MK000 ");
    assert_eq!(text, "MK000 RPK MK001 MK000 MK001 MK000 MK001 MK000 MK000 ");
}

/// The body of a process whose hands are never dropped: another thread panics while a key is
/// held, and what opens the relays is the panic's hook alone.
#[test]
fn child_that_panics() {
    let Ok(port) = std::env::var(PORT) else {
        return;
    };
    release_on_panic();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let spec = RelayHands {
        lead: Duration::ZERO,
        hold: Duration::from_secs(600),
        ..RelayHands::adr2200(&port, wiring())
    };
    let mut hands = RelayKeyboard::open(spec, clock, Stop::new()).expect("a board");
    std::thread::spawn(move || {
        let _ = hands.perform(&Stroke::Key("Left".into()), None, &permit());
        // Never dropped.
        std::thread::sleep(Duration::from_secs(600));
    });
    let (told, wait) = std::sync::mpsc::channel::<()>();
    let failing = std::thread::spawn(move || {
        let _ = wait.recv();
        panic!("as asked");
    });
    // Whoever started this process sees the relay closed first.
    std::thread::sleep(Duration::from_millis(300));
    drop(told);
    assert!(failing.join().is_err());
    std::process::abort();
}

#[test]
fn a_panic_in_any_thread_opens_the_relays() {
    let bench = Bench::new();
    let itself = std::env::current_exe().expect("this program");
    let mut command = Command::new(itself);
    command
        .args([
            "--exact",
            "relays::ways_out::child_that_panics",
            "--nocapture",
        ])
        .env(PORT, bench.port())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut program = Running(command.spawn().expect("the program starts"));
    wait_for("the relay", || bench.board.closed() == 1);
    wait_for("open relays", || bench.board.closed() == 0);
    let (status, said, _) = program.end();
    assert_eq!(status.signal(), Some(6), "{status}: {said}");
    assert!(said.contains("as asked"), "{said}");
}
