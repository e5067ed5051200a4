//! Counters for Prometheus.

use std::fmt::Write as _;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use super::histogram::Histogram;
use super::live::Inner;
use super::routes::App;

/// `GET /metrics`
pub async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let mut out = String::new();
    let sessions = app.daemon.sessions();
    gauge(&mut out, "kibitzer_sessions", "Sessions there are.");
    let _ = writeln!(out, "kibitzer_sessions {}", sessions.len());
    let labels = |s: &super::session::Session| format!("session=\"{}\"", s.id());
    // Lines of one name must stand together.
    for (name, kind, help, value) in SINGLE {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for session in &sessions {
            let value = value(&session.live().lock());
            let _ = writeln!(out, "{name}{{{}}} {value}", labels(session));
        }
    }
    let name = "kibitzer_games_total";
    let _ = writeln!(
        out,
        "# HELP {name} Finished games by result.\n# TYPE {name} counter"
    );
    for session in &sessions {
        let tally = session.live().lock().tally;
        for (result, n) in ["won", "lost", "draw", "aborted"].iter().zip(tally) {
            let _ = writeln!(out, "{name}{{{},result=\"{result}\"}} {n}", labels(session));
        }
    }
    let name = "kibitzer_mismatches_total";
    let _ = writeln!(
        out,
        "# HELP {name} Mismatches by cause.\n# TYPE {name} counter"
    );
    for session in &sessions {
        for (cause, n) in &session.live().lock().mismatches {
            let _ = writeln!(out, "{name}{{{},cause=\"{cause}\"}} {n}", labels(session));
        }
    }
    for (name, help, of) in SPREAD {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} histogram");
        for session in &sessions {
            let histogram = of(&session.live().lock());
            histogram.write(&mut out, name, &labels(session));
        }
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], out)
}

fn gauge(out: &mut String, name: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge");
}

type Single = (&'static str, &'static str, &'static str, fn(&Inner) -> f64);

const SINGLE: [Single; 8] = [
    (
        "kibitzer_armed",
        "gauge",
        "1 when the session may act.",
        |i| f64::from(i.armed),
    ),
    ("kibitzer_frames_total", "counter", "Frames handled.", |i| {
        i.frames as f64
    }),
    ("kibitzer_fps", "gauge", "Frames per second.", |i| i.fps),
    (
        "kibitzer_quality",
        "gauge",
        "How well the board was found, 0 to 1.",
        |i| i.board.as_ref().map_or(0.0, |b| f64::from(b.quality)),
    ),
    (
        "kibitzer_actions_total",
        "counter",
        "Actions asked for.",
        |i| i.actions.0 as f64,
    ),
    (
        "kibitzer_actions_confirmed_total",
        "counter",
        "Actions seen to take effect.",
        |i| i.actions.1 as f64,
    ),
    (
        "kibitzer_nodes_total",
        "counter",
        "Positions visited by the policy.",
        |i| i.nodes as f64,
    ),
    (
        "kibitzer_restarts_total",
        "counter",
        "Runs begun again after a failure.",
        |i| i.restarts as f64,
    ),
];

type Spread = (&'static str, &'static str, fn(&Inner) -> Histogram);

const SPREAD: [Spread; 4] = [
    (
        "kibitzer_frame_seconds",
        "From a frame's light to the end of its handling.",
        |i| i.handled,
    ),
    ("kibitzer_find_seconds", "Finding a board.", |i| i.finding),
    ("kibitzer_think_seconds", "Thinking about a move.", |i| {
        i.thinking
    }),
    (
        "kibitzer_confirm_seconds",
        "From an action to its effect being seen.",
        |i| i.confirming,
    ),
];
