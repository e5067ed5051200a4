//! A program that is killed at any moment, again and again: the game in a real window is played by
//! relays whose board lives on, with journal and recording. Whatever was told is kept, nothing is
//! there twice, recordings replay to where they end, and no relay stays closed.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kibitzer::act::mouse::X11Mouse;
use kibitzer::act::simulated::{Faults, Manner, SimulatedBoard};
use kibitzer::types::{Board, SystemClock};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rusqlite::Connection;

use super::game::Keyboard;
use super::wait_for;
use crate::support::together;
use crate::tetris_target::Shown;

const TABLES: [&str; 6] = [
    "calibrations",
    "decisions",
    "actions",
    "mismatches",
    "observations",
    "results",
];

/// Rows of each table, run by run.
type Rows = BTreeMap<i64, Vec<i64>>;

/// What came of it, for who reads the proof.
#[derive(Debug, Default)]
struct Figures {
    kills: u32,
    /// Of them before the first line of the program.
    early: u32,
    /// Runs, decisions and actions that the journal has at the end.
    runs: usize,
    decisions: i64,
    actions: i64,
    /// Kills that caught a relay closed.
    closed: u32,
    /// Recordings that were replayed to their end, and those killed before a run was in them.
    replayed: u32,
    empty: u32,
    /// The longest time that a new start took to open the relays.
    opened: Duration,
}

fn kind(board: Board) -> &'static str {
    match board {
        Board::Arduino => "arduino",
        _ => "adr2200",
    }
}

struct Scene {
    shown: Shown,
    board: SimulatedBoard,
    kind: Board,
    folder: tempfile::TempDir,
}

impl Scene {
    /// `None` where programs are missing.
    fn new(kind_of: Board) -> Option<Self> {
        let shown = Shown::start(&["tetris", "--start", "--seed", "42", "--next"])?;
        let clock = Arc::new(SystemClock::start());
        let keyboard = Keyboard {
            keys: X11Mouse::open(Some(shown.desktop.display()), clock.clone()).expect("keys"),
            window: shown.window,
        };
        let folder = tempfile::tempdir().expect("a folder");
        let wiring = [
            ("Left", 0),
            ("Right", 1),
            ("Up", 2),
            ("space", 3),
            ("Return", 4),
        ];
        let manner = Manner {
            board: kind_of,
            ..Manner::default()
        };
        let board = SimulatedBoard::start(
            &folder.path().join("by-id"),
            wiring.map(|(k, r)| (k.to_owned(), r)).to_vec(),
            Arc::new(Mutex::new(keyboard)),
            clock,
            Faults::default(),
            manner,
        );
        let text = format!(
            "version = 1\n[source]\nwindow = \"Tetris\"\n[game]\nname = \"tetris\"\n\
             new_game = \"Return\"\n[hands]\nkind = \"{}\"\nport = \"{}\"\n\
             [hands.relays]\nLeft = 0\nRight = 1\nUp = 2\nspace = 3\nReturn = 4\n",
            kind(kind_of),
            folder.path().join("by-id").display()
        );
        std::fs::write(folder.path().join("relays.toml"), text).expect("written");
        Some(Self {
            shown,
            board: board.expect("a pseudo-terminal"),
            kind: kind_of,
            folder,
        })
    }

    fn start(&self) -> Child {
        let at = |name: &str| self.folder.path().join(name);
        Command::new(env!("CARGO_BIN_EXE_kibitzer"))
            .arg("play")
            .arg(at("relays.toml"))
            .args(["--games", "1000", "--journal"])
            .arg(at("journal.db"))
            .arg("--record")
            .arg(at("recordings"))
            .env("DISPLAY", self.shown.desktop.display())
            .env("HOME", self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    }

    /// The journal, sound as SQLite sees it; `None` before the first start has made it.
    fn rows(&self) -> Option<Rows> {
        let path = self.folder.path().join("journal.db");
        if !path.exists() {
            return None;
        }
        let conn = Connection::open(path).expect("it opens");
        conn.busy_timeout(Duration::from_secs(5)).expect("set");
        let sound: String = conn
            .query_row("PRAGMA integrity_check", [], |r| r.get(0))
            .expect("checked");
        assert_eq!(sound, "ok");
        let made: u32 = conn
            .query_row(
                "SELECT count(*) FROM sqlite_schema WHERE name = 'runs'",
                [],
                |r| r.get(0),
            )
            .expect("readable");
        if made == 0 {
            return Some(Rows::new());
        }
        let twice: u32 = conn
            .query_row(
                "SELECT count(*) FROM (SELECT 1 FROM actions GROUP BY run, action, retry
                 HAVING count(*) > 1)",
                [],
                |r| r.get(0),
            )
            .expect("readable");
        assert_eq!(twice, 0, "actions that are there twice");
        let mut runs = conn.prepare("SELECT id FROM runs").expect("readable");
        let runs = runs.query_map([], |r| r.get(0)).expect("readable");
        let count = |run: i64, table: &str| -> i64 {
            let sql = format!("SELECT count(*) FROM {table} WHERE run = ?1");
            conn.query_row(&sql, [run], |r| r.get(0)).expect("readable")
        };
        let all = |run: i64| (run, TABLES.map(|table| count(run, table)).to_vec());
        Some(runs.map(|run| all(run.expect("a number"))).collect())
    }
}

/// How many things a program has told that the journal must have, beside the beginning of its run.
fn told(text: &str) -> Option<i64> {
    let lines = text
        .lines()
        .filter(|l| l.get(..8).is_some_and(|t| t.trim().parse::<f64>().is_ok()));
    let mut lines = lines
        .filter(|l| l.get(8..10) == Some("  "))
        .map(|l| &l[10..]);
    lines.next().filter(|l| l.starts_with("watching "))?;
    Some(lines.count() as i64)
}

/// A recording that was cut off, as `kibitzer replay` sees it.
fn replay(path: &Path) -> bool {
    let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["replay", "--json"])
        .arg(path)
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let answer: serde_json::Value = serde_json::from_str(&text).expect("an object");
    if answer["error"].is_string() {
        return false;
    }
    assert!(out.status.success(), "{text}");
    true
}

/// Starts and kills the program so many times.
fn kills(seed: u64, board: Board, times: u32, replay_every: u32) -> Option<Figures> {
    let scene = Scene::new(board)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut figures = Figures::default();
    let mut before = Rows::new();
    for n in 0..times {
        let mut program = scene.start();
        let started = Instant::now();
        let mut out = program.stdout.take().expect("piped");
        let mut text = String::new();
        // Some moments lie in the start, most in the game.
        if rng.random_bool(0.25) {
            std::thread::sleep(Duration::from_micros(rng.random_range(0..400_000)));
        } else {
            let mut first = [0; 1];
            out.read_exact(&mut first).expect("its first line");
            text.push(char::from(first[0]));
            wait_for("open relays", || scene.board.closed() == 0);
            figures.opened = figures.opened.max(started.elapsed());
            std::thread::sleep(Duration::from_micros(rng.random_range(0..3_000_000)));
        }
        program.kill().expect("killed");
        program.wait().expect("ended");
        figures.kills += 1;
        out.read_to_string(&mut text).expect("text");
        figures.closed += u32::from(scene.board.closed() != 0);
        if board == Board::Arduino {
            wait_for("the board's own timer", || scene.board.closed() == 0);
        }

        let Some(now) = scene.rows() else {
            assert_eq!(told(&text), None, "{text}");
            continue;
        };
        for (run, rows) in &before {
            assert_eq!(now.get(run), Some(rows), "run {run} after kill {n}");
        }
        let fresh: Vec<(&i64, &Vec<i64>)> = now
            .iter()
            .filter(|(run, _)| !before.contains_key(run))
            .collect();
        assert!(fresh.len() <= 1, "{fresh:?}");
        let kept = fresh.first().map(|(_, rows)| rows.iter().sum::<i64>());
        match (told(&text), kept) {
            (None, None) => figures.early += 1,
            (None, Some(kept)) => {
                figures.early += 1;
                assert_eq!(
                    kept, 0,
                    "the first line is told before the next row: {text}"
                );
            }
            // One more may be kept that was not told yet.
            (Some(told), Some(kept)) => {
                assert!(
                    (told..=told + 1).contains(&kept),
                    "{told} told, {kept} kept: {text}"
                );
            }
            (Some(_), None) => panic!("a run was told and not kept: {text}"),
        }
        before = now;

        let folder = scene.folder.path().join("recordings");
        let Ok(files) = std::fs::read_dir(&folder) else {
            continue;
        };
        for file in files.flatten() {
            if n % replay_every == 0 {
                match replay(&file.path()) {
                    true => figures.replayed += 1,
                    false => {
                        figures.empty += 1;
                        let lived = told(&text).unwrap_or_default();
                        assert!(lived < 40, "{lived} things were told: {text}");
                    }
                }
            }
            std::fs::remove_file(file.path()).expect("removed");
        }
    }
    // Whatever the last one left closed the next start opens.
    let mut program = scene.start();
    let mut first = [0; 1];
    let mut out = program.stdout.take().expect("piped");
    out.read_exact(&mut first).expect("its first line");
    let pid = program.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill").success());
    program.wait().expect("ended");
    wait_for("open relays", || scene.board.closed() == 0);
    figures.runs = before.len();
    figures.decisions = before.values().map(|r| r[1]).sum();
    figures.actions = before.values().map(|r| r[2]).sum();
    assert!(figures.actions > 0, "something was played: {figures:?}");
    println!("{}, seed {seed}: {figures:?}", kind(scene.kind));
    Some(figures)
}

#[test]
fn a_program_killed_at_any_moment_keeps_what_it_told() {
    let _cores = crate::support::cores();
    let _together = together();
    kills(1, Board::Adr2200, 6, 1);
}

#[test]
#[ignore = "40 minutes; make prove-kills"]
fn a_thousand_kills() {
    let _together = together();
    let times = std::env::var("KIBITZER_KILLS").ok();
    let times = times.map_or(1000, |n| n.parse::<u32>().expect("a number"));
    kills(1, Board::Adr2200, times.div_ceil(2), 5);
    kills(2, Board::Arduino, times / 2, 5);
}
