//! Sessions from their beginning to their end, as the dashboard uses them.

use serde_json::Value;

use super::client::{Daemon, GAME, NOWHERE};
use crate::support;

fn won(state: &Value) -> u64 {
    state["tally"][0].as_u64().expect("a number")
}

#[test]
fn a_session_is_seen_armed_played_disarmed_and_removed() {
    let _alone = support::cores();
    let daemon = Daemon::start("127.0.0.1:0", &[("game", GAME)], 0);
    let begun = daemon.post(
        "/api/sessions",
        "{\"profile\":\"game\",\"policy\":\"minimax:depth=6\"}",
    );
    assert_eq!(begun.status, 201, "{}", begun.text());
    let id = begun.json()["id"].as_u64().expect("a number") as u32;
    let state = daemon.until(id, "a board", |s| s["decision"].is_object());
    assert_eq!(state["armed"], false);
    assert_eq!(state["sent"], "", "nothing is done before somebody arms it");
    assert_eq!(
        (&state["board"]["cols"], &state["board"]["rows"]),
        (&7.into(), &6.into())
    );
    let path = format!("/api/sessions/{id}");

    let still = daemon.get(&format!("{path}/frame.jpg"));
    let picture = image::load_from_memory(&still.body).expect("a picture");
    assert_eq!(
        state["size"],
        serde_json::json!([picture.width(), picture.height()])
    );
    let parts = |all: &[u8]| all.windows(16).filter(|w| w == b"--kibitzer-frame").count();
    daemon.stream(&format!("{path}/frames.mjpg"), |all| parts(all) >= 3);
    let events = daemon.stream(&format!("{path}/events"), |all| {
        String::from_utf8_lossy(all).matches("event: state").count() >= 3
    });
    let events = String::from_utf8_lossy(&events).into_owned();
    let first = events
        .lines()
        .find_map(|l| l.strip_prefix("data: "))
        .expect("a state");
    let first: Value = serde_json::from_str(first).expect("JSON");
    assert!(
        first["log"].as_array().is_some_and(|log| !log.is_empty()),
        "all that was told: {first:#}"
    );

    assert_eq!(daemon.post(&format!("{path}/arm"), "").status, 202);
    let state = daemon.until(id, "a game is won", |s| won(s) > 0);
    assert!(state["armed"] == true && state["sent"] != "", "{state:#}");
    assert_eq!(daemon.post(&format!("{path}/disarm"), "").status, 202);
    daemon.until(id, "disarmed", |s| s["armed"] == false);
    let metrics = daemon.get("/metrics").text();
    let value = |name: &str| {
        let line = metrics
            .lines()
            .find(|l| l.starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {metrics}"));
        line.rsplit(' ')
            .next()
            .and_then(|v| v.parse::<f64>().ok())
            .expect("a number")
    };
    assert!(
        value("kibitzer_frames_total") > 10.0 && value("kibitzer_actions_confirmed_total") > 3.0
    );
    assert!(value("kibitzer_games_total{session=\"1\",result=\"won\"") >= 1.0);
    assert!(
        value("kibitzer_think_seconds_count") > 3.0
            && value("kibitzer_confirm_seconds_count") > 3.0
    );
    let runs = daemon.get("/api/journal/runs").json();
    assert_eq!(
        runs[0]["won"].as_u64(),
        Some(won(&state)).filter(|n| *n > 0),
        "{runs:#}"
    );
    let whole = daemon.get("/api/journal/runs/latest?limit=5").json();
    assert_eq!(
        whole["entries"].as_array().map(Vec::len),
        Some(5),
        "{whole:#}"
    );

    let open = ["events", "frames.mjpg"].map(|what| daemon.to_its_end(&format!("{path}/{what}")));
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(daemon.with("DELETE", &path, &[], "").status, 204);
    for stream in open {
        let all = stream.join().expect("it ends with its session");
        assert!(all.starts_with(b"HTTP/1.1 200") && all.len() > 1000);
    }
    assert_eq!(daemon.get(&path).status, 404);
    assert!(daemon.interrupt(), "a clean end");
}

#[test]
fn the_emergency_stop_ends_all_and_nothing_is_armed_again() {
    let _alone = support::cores();
    let daemon = Daemon::start("127.0.0.1:0", &[("one", GAME), ("two", GAME)], 2);
    for id in [1, 2] {
        daemon.until(id, "a board", |s| s["decision"].is_object());
        assert_eq!(
            daemon.post(&format!("/api/sessions/{id}/arm"), "").status,
            202
        );
        daemon.until(id, "armed", |s| s["armed"] == true);
    }
    assert_eq!(daemon.post("/api/stop", "").status, 200);
    for id in [1, 2] {
        let state = daemon.until(id, "ended", |s| s["phase"] == "ended");
        assert_eq!(state["armed"], false);
        assert!(
            state["words"]
                .as_str()
                .is_some_and(|w| w.contains("dashboard")),
            "{state:#}"
        );
        assert_eq!(
            daemon.post(&format!("/api/sessions/{id}/arm"), "").status,
            409
        );
    }
    let runs = daemon.get("/api/journal/runs").json();
    let whys: Vec<&str> = runs
        .as_array()
        .expect("runs")
        .iter()
        .filter_map(|r| r["why"].as_str())
        .collect();
    assert_eq!(whys, ["stopped from the dashboard"; 2], "in the journal");
}

#[test]
fn a_session_that_fails_is_tried_again_and_the_others_go_on() {
    let daemon = Daemon::start(
        "127.0.0.1:0",
        &[("nowhere", NOWHERE), ("elsewhere", NOWHERE), ("game", GAME)],
        3,
    );
    let state = daemon.until(1, "a new try", |s| s["restarts"].as_u64() > Some(1));
    assert!(
        state["words"]
            .as_str()
            .is_some_and(|w| w.contains("tried again")),
        "{state:#}"
    );
    let rows = daemon.get("/api/journal/restarts").json();
    let of_first = { rows.as_array().expect("rows").iter() }.filter(|r| r["session"] == 1);
    let told: Vec<_> = of_first
        .map(|r| {
            (
                r["attempt"].clone(),
                r["pause_ms"].clone(),
                r["run"].clone(),
            )
        })
        .collect();
    let failed = |attempt: u32, pause: u32| (attempt.into(), pause.into(), Value::Null);
    assert_eq!(told, [failed(2, 2000), failed(1, 1000)], "{rows:#}");
    let why = |r: &Value| r["why"].as_str().is_some_and(|w| w.contains("DISPLAY"));
    assert!(why(&rows[0]), "{rows:#}");
    daemon.until(3, "the other one plays on", |s| s["decision"].is_object());
    // Two armed sessions may not share a mouse.
    assert_eq!(daemon.post("/api/sessions/1/arm", "").status, 202);
    let refused = daemon.post("/api/sessions/2/arm", "");
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert_eq!(
        daemon.post("/api/sessions/3/arm", "").status,
        202,
        "with hands of its own"
    );
    assert_eq!(daemon.post("/api/sessions/1/disarm", "").status, 202);
    assert_eq!(daemon.post("/api/sessions/2/arm", "").status, 202);
    assert!(daemon.interrupt(), "a clean end from every state");
}

#[test]
fn the_journal_says_which_run_failed_and_why() {
    // A film is watched to its end, and then there is nothing to look at.
    let film = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/target.png");
    let profile = format!("version = 1\n[game]\nname = \"flood\"\n[source]\nfile = \"{film}\"\n");
    let daemon = Daemon::start("127.0.0.1:0", &[("film", &profile)], 1);
    daemon.until(1, "its end", |s| s["restarts"].as_u64() > Some(0));
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["journal", "restarts", "--json", "--db"])
        .arg(daemon.home.path().join("state/kibitzer/journal.db"))
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let last = text.lines().last().expect("a line");
    let row: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!((&row["profile"], &row["run"]), (&"film".into(), &1.into()));
    let run = daemon.get("/api/journal/runs/1").json();
    assert_eq!(row["why"], run["run"]["why"], "{text}");
}

#[test]
fn what_can_be_chosen_is_listed() {
    let daemon = Daemon::start(
        "127.0.0.1:0",
        &[("game", GAME), ("wrong", "version = 1\n")],
        0,
    );
    let profiles = daemon.get("/api/profiles").json();
    let of = |name: &str| {
        let all = profiles.as_array().expect("profiles");
        all.iter()
            .find(|p| p["name"] == name)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(of("game")["game"], "connect4");
    assert!(
        of("wrong")["error"]
            .as_str()
            .is_some_and(|e| e.contains("game.name")),
        "{profiles:#}"
    );
    assert_eq!(
        of("sgt-flood")["game"],
        "flood",
        "those that come with the program"
    );
    let policies = daemon.get("/api/policies/connect4").json();
    assert!(
        policies
            .as_array()
            .is_some_and(|l| l.iter().any(|p| p["name"] == "perfect")),
        "{policies:#}"
    );
    let pages = [
        "/",
        "/app.js",
        "/live.js",
        "/board.js",
        "/mismatches.js",
        "/calibrate.css",
        "/calibrate.js",
        "/calibrate-words.js",
        "/easel.js",
        "/words.js",
        "/style.css",
        "/icon.svg",
    ];
    for path in pages {
        assert_eq!(daemon.get(path).status, 200, "{path}");
    }
}
