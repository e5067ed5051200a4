//! What an event costs before the action it announces may be made: `cargo bench --profile dev
//! --bench journal`. On a real file on the disk of the checkout, as in use.

use std::sync::Arc;
use std::time::Duration;

use divan::Bencher;
use kibitzer::journal::{Journal, Limits};
use kibitzer::types::{BoardText, Cause, Cell, Event, EventSink, Handling, Picture, Time};

fn main() {
    divan::main();
}

fn journal() -> (tempfile::TempDir, Journal) {
    let folder = tempfile::tempdir_in(".").expect("a folder");
    let mut journal =
        Journal::open(&folder.path().join("journal.db"), Limits::default()).expect("opened");
    let started = Event::RunStarted {
        command: "bench".into(),
        profile: "none".into(),
        source: "none".into(),
        game: "flood".into(),
        policy: "optimal".into(),
        config: "{}".into(),
    };
    journal.record(Time(0), &started).expect("kept");
    (folder, journal)
}

fn board() -> BoardText {
    BoardText(["abcdefabcdefab"; 14].join("/"))
}

fn decided(n: u64) -> Event {
    Event::Decided {
        frame_seq: n,
        captured_at: Time(n),
        board: board(),
        action: "c".into(),
        score: 12.0,
        nodes: 4000,
        took: Duration::from_millis(2),
        note: "12 to go, proven to be the fewest".into(),
    }
}

fn acted(n: u64) -> Event {
    Event::Acted {
        action: n,
        frame_seq: n,
        captured_at: Time(n),
        strokes: "click 784.0,545.0, park 560,652".into(),
        retry: 0,
    }
}

/// A decision and its action, as before every move.
#[divan::bench]
fn decision_and_action(bencher: Bencher) {
    let (_folder, mut journal) = journal();
    let mut n = 0;
    bencher.bench_local(|| {
        n += 1;
        journal.record(Time(n), &decided(n)).expect("kept");
        journal.record(Time(n), &acted(n)).expect("kept");
    });
}

/// A mismatch with the picture of a board; the picture is stored behind the loop's back.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn mismatch_with_picture(bencher: Bencher) {
    let (_folder, mut journal) = journal();
    let mut picture = Picture::filled(400, 400, [220; 3]);
    for (i, pixel) in picture.pixels_mut().iter_mut().enumerate() {
        *pixel = 0x30_4050 * ((i % 400 / 28 + i / 400 / 28 * 5) % 5) as u32;
    }
    let picture = Arc::new(picture);
    let mut n = 0;
    bencher.bench_local(|| {
        n += 1;
        let event = Event::Mismatch {
            frame_seq: n,
            captured_at: Time(n),
            expected: board(),
            seen: board(),
            cells: vec![Cell::new(3, 4)],
            cause: Cause::ClickLost,
            handling: Handling::Retry,
            evidence: Some(Arc::clone(&picture)),
            text: "after action 7".into(),
        };
        journal.record(Time(n), &event).expect("kept");
    });
}
