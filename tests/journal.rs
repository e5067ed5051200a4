//! The journal against killed processes, full disks, foreign files and readers beside the writer.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kibitzer::journal::read::{Evidence, Filter, Reader, What, Which};
use kibitzer::journal::{Journal, JournalError, Limits};
use kibitzer::types::*;

pub(crate) fn started() -> Event {
    Event::RunStarted {
        command: "play".into(),
        profile: "sgt-flood".into(),
        source: "window:Flood".into(),
        game: "flood".into(),
        policy: "greedy".into(),
        config: r#"{"play":{"retries":2}}"#.into(),
    }
}

pub(crate) fn decided(n: u64, note: &str) -> Event {
    Event::Decided {
        frame_seq: n,
        captured_at: Time(n * 1000),
        board: BoardText("abc/def/abc".into()),
        action: "b".into(),
        score: 1.5,
        nodes: 10,
        took: Duration::from_micros(700),
        note: note.into(),
    }
}

pub(crate) fn acted(n: u64) -> Event {
    Event::Acted {
        action: n,
        frame_seq: n,
        captured_at: Time(n * 1000),
        strokes: "click 1.0,2.0".into(),
        retry: 0,
    }
}

pub(crate) fn noise(seed: u64, side: u32) -> Arc<Picture> {
    let mut picture = Picture::filled(side, side, [0; 3]);
    let mut state = seed as u32 | 1;
    for pixel in picture.pixels_mut() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *pixel = state & 0x00ff_ffff;
    }
    Arc::new(picture)
}

pub(crate) fn mismatch(n: u64, evidence: Option<Arc<Picture>>) -> Event {
    Event::Mismatch {
        frame_seq: n,
        captured_at: Time(n * 1000),
        expected: BoardText("aa/bb".into()),
        seen: BoardText("aa/b?".into()),
        cells: vec![Cell { col: 1, row: 1 }],
        cause: Cause::Covered,
        handling: Handling::Pause,
        evidence,
        text: "a window lies over it".into(),
    }
}

/// A small file system of its own, unmounted when dropped.
struct Disk(tempfile::TempDir);

impl Disk {
    /// `None` with a message when mounting is not permitted.
    fn mount(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("folder");
        let done = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        if done.is_ok_and(|s| s.success()) {
            Some(Self(folder))
        } else {
            println!("skipped: mounting a small file system is not permitted here");
            None
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// Not a test: the process that is killed by the next one. Prints a number after each event that
/// was acknowledged.
#[test]
#[ignore = "runs as a child of killed_while_writing"]
fn child_writes_until_killed() {
    let Some(path) = std::env::var_os("JOURNAL_CHILD") else {
        return;
    };
    let mut j = Journal::open(Path::new(&path), Limits::default()).expect("opened");
    j.record(Time(0), &started()).expect("kept");
    let picture = noise(1, 64);
    for n in 1.. {
        let evidence = (n % 10 == 0).then(|| Arc::clone(&picture));
        let event = if evidence.is_some() {
            mismatch(n, evidence)
        } else {
            decided(n, "")
        };
        j.record(Time(n), &event).expect("kept");
        println!("ack {n}");
    }
}

#[test]
fn killed_while_writing_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("journal.db");
    for round in 1..=5u64 {
        let mut child = Command::new(std::env::current_exe().expect("this binary"))
            .args(["--ignored", "--exact", "--nocapture"])
            .arg("journal::child_writes_until_killed")
            .env("JOURNAL_CHILD", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        let mut acknowledged = 0;
        let mut note = |line: &str| {
            // A line cut off by the kill is not an acknowledgement.
            if let Some(n) = line.strip_prefix("ack ").and_then(|l| l.strip_suffix('\n')) {
                acknowledged = n.parse().expect("a number");
            }
            acknowledged
        };
        while note(&line) < 300 * round {
            line.clear();
            assert_ne!(out.read_line(&mut line).expect("pipe"), 0, "it ended early");
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("gone");
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("pipe");
        for line in rest.split_inclusive('\n') {
            note(line);
        }
        let reader = Reader::open(&path).expect("readable after a kill");
        let run = reader.reads().run(Which::Latest).expect("there");
        assert_eq!((run.run as u64, run.why.as_str()), (round, "unfinished"));
        let times: Vec<u64> = reader
            .reads()
            .timeline(run.run)
            .expect("read")
            .iter()
            .map(|e| e.at)
            .collect();
        assert!(times.len() as u64 >= acknowledged);
        assert_eq!(times, (1..=times.len() as u64).collect::<Vec<_>>());
        println!(
            "round {round}: {acknowledged} acknowledged, {} found",
            times.len()
        );
    }
    let conn = rusqlite::Connection::open(&path).expect("open");
    let check: String = conn
        .query_row("PRAGMA integrity_check", [], |r| r.get(0))
        .expect("checked");
    assert_eq!(check, "ok");
}

#[test]
fn a_full_disk_costs_pictures_first_and_then_says_what_to_do() {
    let Some(disk) = Disk::mount("size=2m") else {
        return;
    };
    let path = disk.path().join("journal.db");
    let mut j = Journal::open(&path, Limits::default()).expect("opened");
    j.record(Time(0), &started()).expect("kept");
    // Pictures of 8 MB in all pass through a disk of 2 MB; the rows stay.
    for n in 1..=160 {
        j.record(Time(n), &mismatch(n, Some(noise(n, 128))))
            .expect("pictures make room");
    }
    j.flush();
    let rows = j.reads(|r| r.mismatches(&Filter::default())).expect("read");
    assert_eq!(rows.len(), 160);
    let kept = |m: &Evidence| matches!(m, Evidence::Picture(_));
    assert!(
        rows.iter().any(|m| kept(&m.evidence)),
        "the newest pictures are kept"
    );
    assert!(rows.iter().any(|m| m.evidence == Evidence::Dropped));
    // Rows alone end at the disk.
    let long = "x".repeat(4000);
    let mut n = 200;
    let error = loop {
        match j.record(Time(n), &decided(n, &long)) {
            Ok(()) => n += 1,
            Err(error) => break error,
        }
        assert!(n < 2000, "two MB hold no 8 MB");
    };
    assert_eq!(
        error.to_string(),
        format!(
            "journal: disk full at {}: free space or set journal.max_mb",
            path.display()
        )
    );
    let rows = j.reads(|r| r.timeline(1)).expect("read");
    assert_eq!(
        rows.last().map(|e| e.at),
        Some(n - 1),
        "what was acknowledged is there"
    );
    println!("{} rows of 4 kB fit after the pictures", n - 200);
    drop(j);
    let reader = Reader::open(&path).expect("readable on a full disk");
    assert_eq!(reader.reads().timeline(1).expect("read").len(), rows.len());
}

#[test]
fn room_made_by_others_is_used_again() {
    let Some(disk) = Disk::mount("size=2m") else {
        return;
    };
    let path = disk.path().join("journal.db");
    let mut j = Journal::open(&path, Limits::default()).expect("opened");
    j.record(Time(0), &started()).expect("kept");
    j.flush();
    // Somebody else fills the disk, the reserve included.
    let filler = disk.path().join("filler");
    let mut failed = false;
    let _ = std::fs::write(&filler, vec![1u8; 4 << 20]);
    let long = "x".repeat(4000);
    for n in 1..200 {
        failed |= j.record(Time(n), &decided(n, &long)).is_err();
    }
    assert!(failed, "the disk was full");
    std::fs::remove_file(&filler).expect("removed");
    j.record(Time(500), &decided(500, &long))
        .expect("room again");
}

#[test]
fn files_that_are_no_journal_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("folder");
    let at = |name: &str| folder.path().join(name);
    let say = |path: &Path| {
        let error = Journal::open(path, Limits::default()).expect_err("refused");
        error
            .to_string()
            .replace(&folder.path().display().to_string(), "DIR")
    };
    std::fs::write(at("text"), "hello ".repeat(200)).expect("written");
    assert_eq!(
        say(&at("text")),
        "journal: DIR/text is not a journal of Kibitzer (it is not an SQLite file): move it away \
         or set journal.path to another file"
    );
    let other = rusqlite::Connection::open(at("other.db")).expect("made");
    other.execute_batch("CREATE TABLE t (x)").expect("made");
    assert_eq!(
        say(&at("other.db")),
        "journal: DIR/other.db is not a journal of Kibitzer (it is another program's SQLite \
         file): move it away or set journal.path to another file"
    );
    assert_eq!(
        say(folder.path()),
        "journal: DIR is a folder: set journal.path to a file"
    );
    assert_eq!(
        say(&at("text/journal.db")),
        "journal: cannot make the folder DIR/text: File exists (os error 17): set journal.path to \
         a place that can be written"
    );
    // Damage in the page that lists the tables.
    drop(Journal::open(&at("hurt.db"), Limits::default()).expect("made"));
    let mut bytes = std::fs::read(at("hurt.db")).expect("read");
    bytes[100..2000].fill(0xa5);
    std::fs::write(at("hurt.db"), bytes).expect("written");
    assert_eq!(
        say(&at("hurt.db")),
        "journal: DIR/hurt.db is damaged (database disk image is malformed): move it away (a new \
         one is made) or try `sqlite3 FILE .recover`"
    );
    let missing = Reader::open(&at("none.db")).expect_err("missing");
    assert!(matches!(missing, JournalError::Missing { .. }), "{missing}");
    // Somebody holds the lock for longer than we wait.
    let path = at("locked.db");
    drop(Journal::open(&path, Limits::default()).expect("made"));
    let holder = rusqlite::Connection::open(&path).expect("open");
    holder.execute_batch("BEGIN IMMEDIATE").expect("held");
    let mut j = Journal::open(&path, Limits::default()).expect("opening needs no lock");
    let error = j
        .record(Time(0), &started())
        .expect_err("locked")
        .to_string();
    assert!(
        error.contains("is locked by another program: close what holds it"),
        "{error}"
    );
    holder.execute_batch("ROLLBACK").expect("released");
    j.record(Time(0), &started()).expect("free again");
}

#[test]
fn whoever_reads_a_journal_in_the_making_does_not_stop_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for i in 0..30 {
        let path = folder.path().join(format!("{i}.db"));
        let made = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !made.load(Ordering::Relaxed) {
                        let _ = Reader::open(&path);
                    }
                });
            }
            let journal = Journal::open(&path, Limits::default());
            made.store(true, Ordering::Relaxed);
            journal.expect("made beside its readers");
        });
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let Some(disk) = Disk::mount("size=1m,ro") else {
        return;
    };
    let path = disk.path().join("journal.db");
    let error = Journal::open(&path, Limits::default()).expect_err("read only");
    assert_eq!(
        error.to_string(),
        format!(
            "journal: cannot write {}: Read-only file system (os error 30): check its permissions \
             or set journal.path to a place that can be written",
            path.display()
        )
    );
    let below = disk.path().join("a/b/journal.db");
    let error = Journal::open(&below, Limits::default()).expect_err("read only");
    assert!(
        error.to_string().contains("cannot make the folder"),
        "{error}"
    );
}

#[test]
fn a_reader_beside_the_writer_sees_whole_transactions_only() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("journal.db");
    let mut j = Journal::open(&path, Limits::default()).expect("opened");
    j.record(Time(0), &started()).expect("kept");
    let done = Arc::new(AtomicBool::new(false));
    let watcher = {
        let (path, done) = (path.clone(), Arc::clone(&done));
        std::thread::spawn(move || {
            let reader = Reader::open(&path).expect("opened");
            let (mut looks, mut last) = (0, 0);
            while !done.load(Ordering::SeqCst) {
                let seen = reader.reads().timeline(1).expect("read while written");
                let count = |f: fn(&What) -> bool| seen.iter().filter(|e| f(&e.what)).count();
                let decisions = count(|w| matches!(w, What::Decided { .. }));
                let actions = count(|w| matches!(w, What::Acted { .. }));
                // Two queries, so the writer may be ahead in the second; never behind.
                assert!(actions >= decisions, "{decisions} {actions}");
                assert!(seen.len() >= last);
                last = seen.len();
                looks += 1;
            }
            looks
        })
    };
    for n in 1..=3000 {
        let (d, a) = (decided(n, ""), acted(n));
        j.record_all(&[(Time(n), &d), (Time(n), &a)])
            .expect("kept while read");
    }
    done.store(true, Ordering::SeqCst);
    let looks = watcher.join().expect("no panic");
    assert!(looks > 0);
    assert_eq!(j.reads(|r| r.timeline(1)).expect("read").len(), 6000);
}

#[test]
fn several_may_open_and_write_one_journal_at_the_same_time() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("journal.db");
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| {
                    let mut j = Journal::open(&path, Limits::default()).expect("opened");
                    j.record(Time(0), &started()).expect("kept");
                    for n in 1..=50 {
                        j.record(Time(n), &decided(n, "")).expect("kept");
                    }
                });
            }
        });
        let reader = Reader::open(&path).expect("opened");
        let runs = reader.reads().runs(None).expect("read");
        assert_eq!(runs.len(), 4);
        for run in runs {
            assert_eq!(reader.reads().timeline(run.run).expect("read").len(), 50);
            let last = reader.reads().last_of(run.run, Some(7)).expect("read");
            let times: Vec<u64> = last.iter().map(|e| e.at).collect();
            assert_eq!(times, (44..=50).collect::<Vec<_>>());
        }
    }
}
