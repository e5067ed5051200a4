use std::sync::Arc;
use std::time::Duration;

use super::read::{Evidence, Filter, Which};
use super::*;
use crate::types::*;

pub(super) fn started() -> Event {
    Event::RunStarted {
        command: "play".into(),
        profile: "sgt-flood".into(),
        source: "window:Flood".into(),
        game: "flood".into(),
        policy: "greedy".into(),
        config: "{}".into(),
    }
}

fn decided(n: u64) -> Event {
    Event::Decided {
        frame_seq: n,
        captured_at: Time(n * 1000),
        board: BoardText("abc/def/abc".into()),
        action: "b".into(),
        score: 1.5,
        nodes: 10,
        took: Duration::from_micros(700),
        note: String::new(),
    }
}

fn acted(n: u64, retry: u8) -> Event {
    Event::Acted {
        action: n,
        frame_seq: n,
        captured_at: Time(n * 1000),
        strokes: "click 1.0,2.0".into(),
        retry,
    }
}

fn confirmed(n: u64) -> Event {
    Event::Confirmed {
        action: n,
        frame_seq: n + 1,
        captured_at: Time(n * 1000 + 900),
    }
}

fn observed(n: u64, since: u64, what: Observation) -> Event {
    Event::Observed {
        frame_seq: n,
        captured_at: Time(n * 1000),
        since: Time(since),
        what,
        board: BoardText("ab/ba".into()),
        text: "the opponent plays 4 (b)".into(),
    }
}

fn noise(seed: u32, width: u32, height: u32) -> Arc<Picture> {
    let mut picture = Picture::filled(width, height, [0; 3]);
    let mut state = seed | 1;
    for pixel in picture.pixels_mut() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *pixel = state & 0x00ff_ffff;
    }
    Arc::new(picture)
}

fn mismatch(n: u64, evidence: Option<Arc<Picture>>) -> Event {
    Event::Mismatch {
        frame_seq: n,
        captured_at: Time(n * 1000),
        expected: BoardText("aa/bb".into()),
        seen: BoardText("aa/b?".into()),
        cells: vec![Cell { col: 1, row: 1 }],
        cause: Cause::Covered,
        handling: Handling::Pause,
        evidence,
        text: "half of it".into(),
    }
}

#[test]
fn a_run_comes_back_as_it_was_written() {
    let mut j = Journal::in_memory().expect("memory");
    let picture = noise(7, 40, 30);
    j.record(Time(0), &started()).expect("kept");
    j.record_all(&[(Time(1500), &decided(1)), (Time(1600), &acted(1, 0))])
        .expect("kept");
    j.record(Time(2500), &mismatch(2, Some(Arc::clone(&picture))))
        .expect("kept");
    j.record(Time(2600), &acted(1, 1)).expect("kept");
    j.record(Time(3000), &confirmed(1)).expect("kept");
    j.record(Time(3400), &observed(3, 3100, Observation::Moved))
        .expect("kept");
    j.flush();
    let run = j.run().expect("started");
    let entries = j.reads(|r| r.timeline(run)).expect("read");
    let names: Vec<String> = entries
        .iter()
        .map(|e| {
            let v = serde_json::to_value(e).expect("plain data");
            format!("{} {}", v["at"], v["event"].as_str().expect("tag"))
        })
        .collect();
    assert_eq!(
        names,
        [
            "1500 decided",
            "1600 acted",
            "2500 mismatch",
            "2600 acted",
            "3000 confirmed",
            "3400 observed"
        ]
    );
    let last = serde_json::to_value(entries.last()).expect("plain data");
    assert_eq!(
        (&last["what"], &last["since"]),
        (&"moved".into(), &3100.into())
    );
    let m = j
        .reads(|r| r.mismatches(&Filter::default()))
        .expect("read")
        .remove(0);
    assert_eq!(
        (m.cause.as_str(), m.handling.as_str()),
        ("covered", "pause")
    );
    assert_eq!(m.cells, [[1, 1]]);
    let Evidence::Picture(id) = m.evidence else {
        panic!("{m:?}")
    };
    let png = j.reads(|r| r.picture(id)).expect("read").expect("stored");
    let back = image::load_from_memory(&png).expect("a PNG").to_rgb8();
    assert_eq!(Picture::from_rgb(&back), *picture);
    let row = j.reads(|r| r.run(Which::Latest)).expect("there");
    assert_eq!(
        (row.why.as_str(), row.moves, row.mismatches),
        ("unfinished", 1, 1)
    );
}

#[test]
fn an_event_before_the_run_is_refused_and_a_confirmation_of_nothing_is_kept() {
    let mut j = Journal::in_memory().expect("memory");
    assert!(matches!(
        j.record_all(&[(Time(0), &decided(1))]),
        Err(JournalError::NoRun)
    ));
    j.record(Time(0), &started()).expect("kept");
    j.record(Time(5), &confirmed(9)).expect("kept");
    let entries = j.reads(|r| r.timeline(1)).expect("read");
    assert_eq!(entries.len(), 1);
}

#[test]
fn latencies_count_first_tries_and_leave_out_the_gap_between_games() {
    let mut j = Journal::in_memory().expect("memory");
    j.record(Time(0), &started()).expect("kept");
    // Captured at n * 1000; acted 200, 300, 400 later; seen at n * 1000 + 900.
    for (n, late) in [(1, 200), (2, 300), (10, 400)] {
        if n == 10 {
            let result = GameResult {
                game: "flood".into(),
                result: Outcome::Won,
                moves: 2,
                seconds: 0.1,
                mismatches: 0,
                why: "won".into(),
                extra: serde_json::Map::new(),
            };
            j.record(Time(4000), &Event::Finished(result))
                .expect("kept");
        }
        let at = Time(n * 1000 + late);
        j.record_all(&[(at, &decided(n)), (at, &acted(n, 0))])
            .expect("kept");
        if n == 2 {
            j.record(Time(2850), &acted(n, 1)).expect("kept");
        }
        j.record(Time(n * 1000 + 950), &confirmed(n)).expect("kept");
    }
    let l = j.reads(|r| r.latencies(1)).expect("read");
    assert_eq!(
        (l.screen_to_click.count, l.screen_to_click.median),
        (3, Some(300))
    );
    assert_eq!(l.screen_to_click.max, Some(400));
    // 700, then 50 for the retry that worked, then 500.
    assert_eq!(
        (l.click_to_seen.median, l.click_to_seen.p95),
        (Some(500), Some(700))
    );
    assert_eq!((l.period.count, l.period.median), (1, Some(1100)));
    assert_eq!(l.thinking.median, Some(700));
    assert_eq!(
        l.period.to_string(),
        "median 1.10 ms, 95% 1.10 ms, most 1.10 ms (n 1)"
    );
}

#[test]
fn an_answer_takes_from_the_first_sight_of_a_move_to_the_next_action() {
    let mut j = Journal::in_memory().expect("memory");
    j.record(Time(0), &started()).expect("kept");
    let mut at = |t: u64, event: Event| j.record(Time(t), &event).expect("kept");
    at(1000, observed(1, 800, Observation::Moved));
    at(1100, decided(1));
    at(1200, acted(1, 0));
    // Somebody else has answered this one, and nothing was waited for in the last.
    at(2000, observed(2, 1900, Observation::Moved));
    at(2100, observed(2, 2050, Observation::Moved));
    at(2200, acted(2, 0));
    at(3000, observed(3, 2000, Observation::Waits));
    at(3100, acted(3, 0));
    let answer = j.reads(|r| r.latencies(1)).expect("read").answer;
    assert_eq!(
        (answer.count, answer.median, answer.max),
        (2, Some(150), Some(400))
    );
}

#[test]
fn an_older_format_is_brought_forward_and_a_newer_one_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("j.db");
    drop(Journal::open(&path, Limits::default()).expect("made"));
    let conn = rusqlite::Connection::open(&path).expect("open");
    let mut more = schema::MIGRATIONS.to_vec();
    more.push("ALTER TABLE runs ADD COLUMN mood TEXT");
    schema::prepare(&conn, &path, &more).expect("brought forward");
    conn.execute("UPDATE runs SET mood = 'fine'", [])
        .expect("the new column is there");
    schema::prepare(&conn, &path, &more).expect("nothing to do the second time");
    drop(conn);
    let error = Journal::open(&path, Limits::default()).expect_err("newer");
    assert_eq!(
        error.to_string(),
        format!(
            "journal: {} has format 4, this Kibitzer knows up to 3: use the newer Kibitzer or set \
             journal.path to another file",
            path.display()
        )
    );
}

#[test]
fn a_journal_from_before_restarts_keeps_its_runs_and_takes_restarts() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("j.db");
    let conn = rusqlite::Connection::open(&path).expect("open");
    schema::prepare(&conn, &path, &schema::MIGRATIONS[..2]).expect("the format of then");
    conn.execute(
        "INSERT INTO runs (program, command, profile, source, game, policy, config)
         VALUES ('0.0.9', 'serve', 'four', 'w', 'connect4', 'perfect', '{}')",
        [],
    )
    .expect("a run of then");
    drop(conn);
    let mut restart = restarts::Restart {
        at_ms: 1_700_000_000_000,
        session: 3,
        profile: "four".into(),
        game: "connect4".into(),
        run: Some(1),
        attempt: 1,
        why: "its window was closed".into(),
        pause_ms: 1000,
    };
    restarts::keep(&path, &restart).expect("kept");
    let reader = read::Reader::open(&path).expect("opened");
    let kept = |limit| reader.reads().restarts(limit).expect("read");
    let first = &kept(None)[0];
    assert_eq!(
        (first.at.as_str(), first.run, first.why.as_str()),
        ("2023-11-14 22:13:20", Some(1), "its window was closed")
    );
    assert_eq!(reader.reads().runs(None).expect("read").len(), 1);
    // What fails for days does not fill the journal.
    let conn = schema::open(&path).expect("opened");
    for _ in 0..restarts::KEPT {
        restart.attempt += 1;
        restart.run = None;
        restarts::insert(&conn, &restart).expect("kept");
    }
    let all = kept(None);
    assert_eq!(all.len() as i64, restarts::KEPT);
    assert_eq!(i64::from(all[0].attempt), restarts::KEPT + 1);
    assert_eq!(kept(Some(5)).len(), 5);
}

#[test]
fn the_oldest_pictures_go_first_and_then_the_oldest_rows() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("j.db");
    let limits = Limits {
        max_mb: 1,
        evidence: true,
    };
    let mut j = Journal::open(&path, limits).expect("made");
    j.record(Time(0), &started()).expect("kept");
    for n in 0..40 {
        j.record(Time(n), &mismatch(n, Some(noise(n as u32 + 1, 128, 128))))
            .expect("kept");
    }
    j.flush();
    let used = |j: &Journal| {
        let db = background::lock(j.db());
        room::used_bytes(&db.conn).expect("pages")
    };
    assert!(used(&j) <= 1 << 20, "{}", used(&j));
    let rows = j.reads(|r| r.mismatches(&Filter::default())).expect("read");
    let kept: Vec<bool> = rows
        .iter()
        .map(|m| matches!(m.evidence, Evidence::Picture(_)))
        .collect();
    let first = kept.iter().position(|k| *k).expect("the newest are kept");
    assert!(first > 0, "something had to go");
    assert!(kept[first..].iter().all(|k| *k), "{kept:?}");
    assert_eq!(rows.len(), 40, "rows stay while pictures can go");
    // A second run of rows alone: now the first run's rows go.
    j.record(Time(0), &started()).expect("kept");
    for n in 0..30_000 {
        j.record(Time(n), &decided(n)).expect("kept");
    }
    j.flush();
    assert!(used(&j) <= 1 << 20, "{}", used(&j));
    let runs = j.reads(|r| r.runs(None)).expect("read");
    assert_eq!(runs.iter().map(|r| r.run).collect::<Vec<_>>(), [2]);
    let last = j
        .reads(|r| r.timeline(2))
        .expect("read")
        .pop()
        .expect("rows");
    assert_eq!(last.at, 29_999);
}
