//! The benches of the daemon, small: they play to the end and tell their figures.

use std::process::Command;

use serde_json::Value;

#[test]
fn many_games_at_once_are_played_to_their_end() {
    let told = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args([
            "bench",
            "web-games",
            "--games",
            "12",
            "--rounds",
            "2",
            "--json",
        ])
        .output()
        .expect("the program starts");
    let text = String::from_utf8(told.stdout).expect("UTF-8");
    let error = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{text} {error}");
    let rows: Vec<Value> = (text.lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 2, "alone, and beside searches");
    for row in rows {
        assert_eq!(
            (&row["at_once"], &row["games"]),
            (&12.into(), &24.into()),
            "{row}"
        );
        let number = |name: &str| row[name].as_f64().expect("a number");
        assert!(
            number("replies") >= 24.0 * 5.0,
            "five in a row take five stones: {row}"
        );
        assert!(number("p50_ms") <= number("p99_ms") && number("p99_ms") <= number("max_ms"));
    }
}

#[test]
fn three_sessions_play_and_are_stopped() {
    let told = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args([
            "bench",
            "serve",
            "--minutes",
            "0.1",
            "--stops",
            "2",
            "--json",
        ])
        .output()
        .expect("the program starts");
    let text = String::from_utf8(told.stdout).expect("UTF-8");
    let error = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{text} {error}");
    let rows: Vec<Value> = (text.lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let names: Vec<_> = rows.iter().map(|r| r["session"].as_str()).collect();
    let profiles = ["sgt-flood", "webcam-tetris", "webcam-gomoku"].map(Some);
    assert_eq!(names, [&profiles[..], &[None]].concat(), "{text}");
    for row in &rows[..3] {
        let number = |name: &str| row[name].as_f64().expect("a number");
        assert!(
            number("actions") > 0.0 && number("frames_per_s") > 0.0,
            "{row}"
        );
        assert_eq!(row["restarts"], 0, "{row}");
    }
    let whole = &rows[3];
    let number = |name: &str| whole[name].as_f64().expect("a number");
    assert_eq!(whole["stops"], 2);
    assert!(
        number("memory_mib") > 1.0 && number("cpu_percent") > 0.0,
        "{whole}"
    );
    assert!(number("stop_p50_ms") > 0.0 && number("stop_p50_ms") <= number("stop_p99_ms"));
}
