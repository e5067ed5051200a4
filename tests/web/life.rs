//! A daemon that runs for days: told to read its settings again, watched by a service manager, ended
//! in whatever state it is. The real program, real signals, a real datagram socket.

use std::io::{BufRead as _, BufReader};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::client::{Daemon, GAME, NOWHERE, Setting};
use crate::support;

const HERE: &str = "127.0.0.1:0";
/// Longer than anything takes that works.
const PATIENCE: Duration = Duration::from_secs(60);

fn runs(daemon: &Daemon) -> Vec<String> {
    let runs = daemon.get("/api/journal/runs").json();
    { runs.as_array().expect("runs").iter() }
        .map(|r| r["why"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_hangup_has_settings_and_profiles_read_again() {
    let _alone = support::cores();
    let setting = Setting {
        config: "[log]\nlevel = \"info\"\n",
        ..Setting::default()
    };
    let daemon = Daemon::set(HERE, &[("game", GAME), ("nowhere", NOWHERE)], 2, setting);
    daemon.until(1, "it runs", |s| s["frames"].as_u64() > Some(3));
    daemon.configure("[log]\nlevel = \"debug\"\nmax_mb = 7\n[play]\nretries = 4\n");
    daemon.signal("-HUP");
    let log = daemon.logs(&["settings and profiles were read again"]);
    for line in [
        "log.level changed from info to debug",
        "log.max_mb changed from 10 to 7: restart needed",
        "play.retries changed from 2 to 4",
        "session 1 (game) has changed and is begun anew",
        "session 2 (nowhere) has changed and is begun anew",
    ] {
        assert_eq!(log.matches(line).count(), 1, "{line}: {log}");
    }
    assert!(!log.contains("DEBUG"), "{log}");
    let began = Instant::now();
    while runs(&daemon).len() < 2 {
        assert!(began.elapsed() < PATIENCE, "it runs anew");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(
        runs(&daemon)[1],
        "its profile or the settings have changed",
        "the end of the run before"
    );
    daemon.logs(&["DEBUG"]);
    // Nothing has changed: nothing is begun anew.
    daemon.signal("-HUP");
    let began = Instant::now();
    let again = "settings and profiles were read again";
    while daemon.logs(&[again]).matches(again).count() < 2 {
        assert!(began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(runs(&daemon).len(), 2);
    assert!(daemon.interrupt(), "a clean end");
}

#[test]
fn what_is_wrong_at_a_hangup_leaves_all_as_it_was() {
    let daemon = Daemon::start(HERE, &[("game", GAME), ("nowhere", NOWHERE)], 2);
    daemon.until(1, "it runs", |s| s["phase"] == "running");
    daemon.configure("[play]\nretries = \"many\"\n[log]\nlevle = \"info\"\n");
    daemon.signal("-HUP");
    daemon.logs(&["settings are as before", "config.toml:2", "play.retries"]);
    daemon.logs(&["settings are as before", "config.toml:4", "log.level"]);
    daemon.configure("");
    daemon.profile("game", "version = 1\n[game]\nnmae = \"connect4\"\n");
    daemon.profile("nowhere", &NOWHERE.replace("flood", "gomoku"));
    daemon.signal("-HUP");
    daemon.logs(&["session 1 (game) goes on as before", "game.toml:3"]);
    daemon.logs(&["session 2 (nowhere) goes on as before", "its game"]);
    let state = daemon.until(1, "it goes on", |s| s["phase"] == "running");
    assert_eq!((&state["restarts"], runs(&daemon).len()), (&0.into(), 1));
    // What a person has armed goes on until he disarms it.
    daemon.profile("game", &GAME.replace("seed = 1", "seed = 2"));
    assert_eq!(daemon.post("/api/sessions/1/arm", "").status, 202);
    daemon.signal("-HUP");
    daemon.logs(&["session 1 (game) has changed", "armed"]);
    assert_eq!(runs(&daemon).len(), 1);
    assert_eq!(daemon.post("/api/sessions/1/disarm", "").status, 202);
    let began = Instant::now();
    while runs(&daemon).len() < 2 {
        assert!(began.elapsed() < PATIENCE, "begun anew when disarmed");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(daemon.interrupt(), "a clean end");
}

/// Started in a terminal by a person, who closes its window.
#[test]
fn a_terminal_that_is_closed_ends_it() {
    let home = tempfile::tempdir().expect("a folder");
    let line = format!(
        "exec {} serve --listen {HERE}",
        env!("CARGO_BIN_EXE_kibitzer")
    );
    let mut terminal = Command::new("script")
        .args(["-qfc", &line, "/dev/null"])
        .env("HOME", home.path())
        .env("XDG_STATE_HOME", home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a terminal");
    let log = || std::fs::read_to_string(home.path().join("kibitzer/log/kibitzer.log"));
    let until = |what: &str, is: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !is() {
            assert!(began.elapsed() < PATIENCE, "{what}: {:?}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let stdout = terminal.stdout.take().expect("piped");
    let first = BufReader::new(stdout).lines().next().expect("a line");
    assert!(first.expect("UTF-8").starts_with("dashboard"));
    let id = terminal.id();
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
    let pid = children.expect("a process").trim().to_owned();
    let sent = Command::new("kill").args(["-HUP", &pid]).status();
    assert!(sent.expect("kill").success());
    until("it reads its settings again", &|| {
        log().is_ok_and(|l| l.contains("were read again"))
    });
    terminal.kill().expect("closed");
    terminal.wait().expect("closed");
    until("it ends", &|| !Path::new(&format!("/proc/{pid}")).exists());
    let told = log().expect("a log");
    assert!(!told.contains("hangs"), "{told}");
    assert_eq!(told.matches("were read again").count(), 1, "{told}");
}

/// A session that waits in a system call while it is opened, which nothing can interrupt.
#[test]
fn a_daemon_ends_well_while_a_session_is_being_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("film.png");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let profile = format!(
        "version = 1\n[game]\nname = \"flood\"\n[source]\nfile = \"{}\"\n",
        pipe.display()
    );
    let daemon = Daemon::start(HERE, &[("film", &profile)], 1);
    daemon.until(1, "it is opened", |s| s["phase"] == "opening");
    assert!(daemon.interrupt(), "a clean end");
}

/// What a service manager is told.
struct Manager(UnixDatagram);

impl Manager {
    /// The next datagram and when it came.
    fn next(&self) -> (Instant, String) {
        self.0.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let mut bytes = [0; 4096];
        let n = self.0.recv(&mut bytes).expect("a datagram");
        let text = String::from_utf8_lossy(&bytes[..n]).into_owned();
        (Instant::now(), text)
    }

    /// Reads until one begins so.
    fn until(&self, what: &str) -> String {
        let began = Instant::now();
        loop {
            let (at, text) = self.next();
            if text.starts_with(what) {
                return text;
            }
            assert!(at - began < PATIENCE, "{what}");
        }
    }

    /// The longest time without a sign of life in the next so many datagrams.
    fn longest(&self, datagrams: usize) -> Duration {
        let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
        for _ in 0..datagrams {
            let (at, text) = self.next();
            if text == "WATCHDOG=1" {
                longest = longest.max(at - last);
                last = at;
            }
        }
        longest
    }
}

#[test]
fn a_service_manager_is_told_how_it_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify");
    let manager = Manager(UnixDatagram::bind(&path).expect("a socket"));
    let path = path.to_str().expect("UTF-8");
    let setting = Setting {
        env: &[("NOTIFY_SOCKET", path), ("WATCHDOG_USEC", "3000000")],
        ..Setting::default()
    };
    let daemon = Daemon::set(HERE, &[("nowhere", NOWHERE)], 1, setting);
    assert_eq!(manager.next().1, "READY=1");
    let status = manager.until("STATUS=");
    assert!(status.starts_with("STATUS=sessions: "), "{status}");
    let longest = manager.longest(8);
    assert!(longest < Duration::from_secs(3), "{longest:?}");
    daemon.signal("-HUP");
    let reloading = manager.until("RELOADING=1\n");
    let micros = reloading.strip_prefix("RELOADING=1\nMONOTONIC_USEC=");
    assert!(
        micros.is_some_and(|m| m.parse::<u64>().is_ok()),
        "{reloading}"
    );
    manager.until("READY=1");
    // A stopped process is what the manager's limit is for; it goes on where nobody ends it.
    daemon.signal("-STOP");
    manager
        .0
        .set_read_timeout(Some(Duration::from_secs(3)))
        .expect("a socket");
    let mut bytes = [0; 256];
    let began = Instant::now();
    while manager.0.recv(&mut bytes).is_ok() {
        assert!(
            began.elapsed() < PATIENCE,
            "it goes on although it is stopped"
        );
    }
    daemon.signal("-CONT");
    manager.until("WATCHDOG=1");
    daemon.signal("-TERM");
    manager.until("STOPPING=1");
    assert!(daemon.ends(), "a clean end");
}

#[test]
fn a_loop_that_hangs_gives_no_sign_of_life() {
    let _alone = support::cores();
    let name = format!("kibitzer-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).expect("a name");
    let manager = Manager(UnixDatagram::bind_addr(&address).expect("a socket"));
    let socket = format!("@{name}");
    // A decision on the first board takes as long as it may: the loop waits for it.
    let setting = Setting {
        config: "[policy]\ntime_ms = 9000\n",
        env: &[("NOTIFY_SOCKET", &socket), ("WATCHDOG_USEC", "4000000")],
        ..Setting::default()
    };
    let daemon = Daemon::set(HERE, &[("game", GAME)], 0, setting);
    manager.until("WATCHDOG=1");
    let asked = "{\"profile\":\"game\",\"policy\":\"minimax:depth=42,k=0\"}";
    assert_eq!(daemon.post("/api/sessions", asked).status, 201);
    manager.until("STATUS=hangs: session 1");
    let began = Instant::now();
    // Then it is decided, and all turns again.
    let (_, next) = manager.next();
    assert!(next.starts_with("STATUS=sessions"), "{next}");
    manager.until("WATCHDOG=1");
    assert!(
        began.elapsed() > Duration::from_secs(4),
        "ended by the manager before"
    );
    daemon.logs(&["hangs since more than 2s: session 1"]);
    assert!(daemon.interrupt(), "a clean end");
}

#[test]
fn another_process_s_watchdog_is_not_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify");
    let manager = Manager(UnixDatagram::bind(&path).expect("a socket"));
    let path = path.to_str().expect("UTF-8");
    let setting = Setting {
        env: &[
            ("NOTIFY_SOCKET", path),
            ("WATCHDOG_USEC", "400000"),
            ("WATCHDOG_PID", "1"),
        ],
        ..Setting::default()
    };
    let daemon = Daemon::set(HERE, &[], 0, setting);
    manager.until("READY=1");
    std::thread::sleep(Duration::from_secs(1));
    daemon.signal("-INT");
    loop {
        let (_, text) = manager.next();
        assert!(!text.contains("WATCHDOG"), "{text}");
        if text == "STOPPING=1" {
            break;
        }
    }
    assert!(daemon.ends(), "a clean end");
}

#[test]
fn the_unit_is_one_that_systemd_takes() {
    let unit = include_str!("../../hardware/kibitzer.service");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kibitzer.service");
    let ours = unit.replace("/usr/local/bin/kibitzer", env!("CARGO_BIN_EXE_kibitzer"));
    assert_ne!(ours, unit);
    std::fs::write(&path, ours).expect("written");
    let mut verify = Command::new("systemd-analyze");
    let Ok(out) = verify.arg("verify").arg(&path).output() else {
        println!("not checked: there is no systemd-analyze");
        return;
    };
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success() && told.is_empty(), "{told}");
}
