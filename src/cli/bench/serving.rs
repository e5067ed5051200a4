//! `kibitzer bench serve`: what the daemon costs that plays three games at once. A `kibitzer serve` of
//! its own has Flood-It on a screen of its own, the reference rig, and five in a row through a simulated
//! webcam; all are armed and looked at. Its memory and processor time are read from the system, its
//! counters from `/metrics`; at the end everything is stopped again and again.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use serde_json::{Value, json};

use super::missed::Missed;
use super::process::cost;
use super::server::{Line, Server, ms_of};
use super::stage::Desktop;
use super::table::Table;

/// What is played, and whether its games end within minutes: the rig's last for hours.
const PROFILES: [(&str, bool); 3] = [
    ("sgt-flood", true),
    ("webcam-tetris", false),
    ("webcam-gomoku", true),
];
/// Growth of memory from the warm state to the end that still counts as constant, in MiB: three times
/// what `bench watch` allows to one session.
const GROWTH_MIB: f64 = 6.0;
/// The longest that 99 of 100 answers may take, in ms.
const P99_MS: f64 = 100.0;
/// The longest from a request to stop to the last session's end, in ms: a run that hangs longer is
/// ended from outside.
const STOP_MS: f64 = 150.0;
/// The pause between two requests.
const PAUSE: Duration = Duration::from_millis(100);
/// Every counter must move within this.
const WINDOW: Duration = Duration::from_secs(60);
/// The longest that sessions may take to begin.
const BEGINNING: Duration = Duration::from_secs(120);

/// Counters that must move all the time.
const MOVING: [&str; 7] = [
    "kibitzer_frames_total",
    "kibitzer_actions_total",
    "kibitzer_actions_confirmed_total",
    "kibitzer_nodes_total",
    "kibitzer_frame_seconds_count",
    "kibitzer_think_seconds_count",
    "kibitzer_confirm_seconds_count",
];
const ACTIONS: &str = "kibitzer_actions_total";
const FOUND: &str = "kibitzer_find_seconds_count";
const GAMES: &str = "kibitzer_games_total";
const RESTARTS: &str = "kibitzer_restarts_total";

const EXAMPLES: &str = "\
Each session's pictures and events are read meanwhile, as an open page does. The 99th percentile of
fewer than a hundred stops is the longest of them.

Examples:
  kibitzer bench serve --minutes 5
  kibitzer bench serve --minutes 30 --prove";

/// Options of `kibitzer bench serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// How long to play; parts of a minute are allowed
    #[arg(long, value_name = "MINUTES", default_value_t = 30.0, value_parser = minutes)]
    minutes: f64,
    /// Times everything is stopped at the end, and begun again
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    stops: u16,
    /// Exit status 1 when memory grows, a counter stands still, or an answer or a stop takes too long
    #[arg(long)]
    prove: bool,
}

fn minutes(text: &str) -> Result<f64, String> {
    let given: f64 = text.parse().map_err(|_| "a number of minutes".to_owned())?;
    match (0.1..=1440.0).contains(&given) {
        true => Ok(given),
        false => Err("from 0.1 to 1440 minutes".to_owned()),
    }
}

/// Counters by session and name; labels beside the session are added up.
type Counters = BTreeMap<(usize, String), f64>;

/// The counters of a text in the format of Prometheus.
fn counters(text: &str) -> Counters {
    let mut all = Counters::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let parts = line
            .split_once('{')
            .and_then(|(name, rest)| Some((name, rest.rsplit_once("} ")?)));
        let Some((name, (labels, value))) = parts.filter(|(name, _)| !name.ends_with("_bucket"))
        else {
            continue;
        };
        let session = labels.split(',').find_map(|label| {
            let number = label.strip_prefix("session=\"")?;
            number.trim_end_matches('"').parse().ok()
        });
        if let (Some(session), Ok(value)) = (session, value.parse::<f64>()) {
            *all.entry((session, name.to_owned())).or_default() += value;
        }
    }
    all
}

fn of(all: &Counters, session: usize, name: &str) -> f64 {
    all.get(&(session, name.to_owned())).copied().unwrap_or(0.0)
}

/// The counters that must move and did not between two looks.
fn still(before: &Counters, after: &Counters, session: usize) -> Vec<&'static str> {
    { MOVING.into_iter() }
        .filter(|name| of(after, session, name) <= of(before, session, name))
        .collect()
}

/// What is asked, and how long the answers took.
struct Asker {
    line: Line,
    took: Vec<Duration>,
}

impl Asker {
    fn ask(&mut self, method: &str, path: &str, asked: Option<&Value>) -> anyhow::Result<Vec<u8>> {
        let (status, answer, took) = self.line.ask(method, path, asked)?;
        let text = String::from_utf8_lossy(&answer);
        ensure!((200..300).contains(&status), "{path}: {status}: {text}");
        self.took.push(took);
        Ok(answer)
    }

    fn counters(&mut self) -> anyhow::Result<Counters> {
        let text = self.ask("GET", "/metrics", None)?;
        Ok(counters(&String::from_utf8_lossy(&text)))
    }

    fn states(&mut self) -> anyhow::Result<Vec<Value>> {
        Ok(serde_json::from_slice(&self.ask(
            "GET",
            "/api/sessions",
            None,
        )?)?)
    }

    /// Arms these sessions and waits until each has acted.
    fn arm(&mut self, sessions: &[usize]) -> anyhow::Result<()> {
        for id in sessions {
            self.ask("POST", &format!("/api/sessions/{id}/arm"), None)?;
        }
        let began = Instant::now();
        loop {
            let now = self.counters()?;
            let idle = |id: &&usize| of(&now, **id, ACTIONS) == 0.0;
            let Some(idle) = sessions.iter().find(idle) else {
                return Ok(());
            };
            if began.elapsed() > BEGINNING {
                let state = self.ask("GET", &format!("/api/sessions/{idle}"), None)?;
                let text = String::from_utf8_lossy(&state);
                bail!("session {idle} does nothing: {text}");
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Stops everything; how long it took until the last session had ended.
    fn stop(&mut self) -> anyhow::Result<Duration> {
        let began = Instant::now();
        self.ask("POST", "/api/stop", None)?;
        while self.states()?.iter().any(|s| s["phase"] != "ended") {
            ensure!(began.elapsed() < BEGINNING, "a session does not stop");
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(began.elapsed())
    }

    /// Begins all sessions anew after a stop.
    fn begin(&mut self) -> anyhow::Result<Vec<usize>> {
        for state in self.states()? {
            self.ask("DELETE", &format!("/api/sessions/{}", state["id"]), None)?;
        }
        let begin = |(profile, _): (&str, bool)| {
            let state = self.ask("POST", "/api/sessions", Some(&json!({"profile": profile})))?;
            let id = serde_json::from_slice::<Value>(&state)?["id"].as_u64();
            Ok(usize::try_from(id.unwrap_or(0))?)
        };
        PROFILES.into_iter().map(begin).collect()
    }
}

/// Runs `kibitzer bench serve`.
///
/// # Errors
/// When the screen, the game or the daemon cannot be started, or a session does nothing.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let desktop = Desktop::start(1280, 800, Some("Clearlooks"))?;
    let (_game, _) = desktop.flood("14x14c6m5#1")?;
    let names = PROFILES.map(|(name, _)| name);
    let server = Server::start(&names, Some(desktop.display()))?;
    let mut asker = Asker {
        line: Line::open(server.address())?,
        took: Vec::new(),
    };
    let sessions = [1, 2, 3];
    asker.arm(&sessions)?;
    for id in sessions {
        server.look_on(&format!("/api/sessions/{id}/frames.mjpg"))?;
        server.look_on(&format!("/api/sessions/{id}/events"))?;
    }
    asker.took.clear();

    let total = Duration::from_secs_f64(options.minutes * 60.0);
    let warm = (total / 5).min(Duration::from_secs(300));
    let window = WINDOW.min(total / 3);
    let began = Instant::now();
    let mut first = None;
    let (mut before, mut since) = (asker.counters()?, Instant::now());
    let start = before.clone();
    let mut stood: [Vec<&'static str>; 3] = Default::default();
    let mut turn = 0;
    while began.elapsed() < total {
        std::thread::sleep(PAUSE);
        turn = turn % sessions.len() + 1;
        asker.ask("GET", &format!("/api/sessions/{turn}"), None)?;
        let now = asker.counters()?;
        if since.elapsed() >= window {
            for (stood, id) in stood.iter_mut().zip(sessions) {
                stood.extend(still(&before, &now, id));
            }
            (before, since) = (now, Instant::now());
        }
        if first.is_none() && began.elapsed() >= warm {
            first = Some((cost(server.pid())?, Instant::now()));
        }
    }
    let (end, end_at) = (cost(server.pid())?, Instant::now());
    // At least a fifth of the run has passed since then.
    let (warm, warm_at) = first.unwrap_or((end, began));
    let now = asker.counters()?;
    let mut answers = std::mem::take(&mut asker.took);
    answers.sort_unstable();

    let mut stops = vec![asker.stop()?];
    for _ in 1..options.stops {
        let again = asker.begin()?;
        asker.arm(&again)?;
        stops.push(asker.stop()?);
    }
    stops.sort_unstable();

    let mut missed = Missed::default();
    let seconds = (end_at - began).as_secs_f64();
    let mut table = Table::new(
        json,
        &[
            "session",
            "seconds",
            "frames_per_s",
            "actions",
            "confirmed",
            "games",
            "mismatches",
            "restarts",
            "stood_still",
        ],
    );
    for (((name, ends), id), mut stood) in PROFILES.into_iter().zip(sessions).zip(stood) {
        let grown = |name: &str| of(&now, id, name) - of(&start, id, name);
        let restarts = of(&now, id, RESTARTS);
        stood.sort_unstable();
        stood.dedup();
        missed.must(stood.is_empty(), || {
            let (window, stood) = (window.as_secs_f64(), stood.join(", "));
            format!("{name}: stood still for {window:.0} s: {stood}")
        });
        missed.must(of(&now, id, FOUND) > 0.0, || {
            format!("{name}: no finding was counted")
        });
        missed.must(!ends || grown(GAMES) > 0.0, || {
            format!("{name}: no game was finished")
        });
        missed.must(restarts == 0.0, || {
            format!("{name}: begun again {restarts} times")
        });
        table.row(vec![
            json!(name),
            json!(seconds),
            json!(grown("kibitzer_frames_total") / seconds),
            json!(grown(ACTIONS) as u64),
            json!(grown("kibitzer_actions_confirmed_total") as u64),
            json!(grown(GAMES) as u64),
            json!(grown("kibitzer_mismatches_total") as u64),
            json!(restarts as u64),
            json!(stood.join(" ")),
        ]);
    }
    table.finish();

    let measured = (end_at - warm_at).as_secs_f64();
    let percent = (end.cpu_seconds - warm.cpu_seconds) / measured * 100.0;
    let growth = end.memory_mib - warm.memory_mib;
    let (api, stop) = (ms_of(&answers, 0.99), ms_of(&stops, 0.99));
    missed.must(growth <= GROWTH_MIB, || {
        format!("memory grew by {growth:.1} MiB, more than {GROWTH_MIB}")
    });
    missed.must(api < P99_MS, || {
        format!("99 of 100 answers within {api:.1} ms, not {P99_MS}")
    });
    missed.must(stop < STOP_MS, || {
        format!("99 of 100 stops within {stop:.1} ms, not {STOP_MS}")
    });
    let mut table = Table::new(
        json,
        &[
            "cpu_percent",
            "memory_warm_mib",
            "memory_mib",
            "growth_mib",
            "answers",
            "p50_ms",
            "p99_ms",
            "stops",
            "stop_p50_ms",
            "stop_p99_ms",
        ],
    );
    table.row(vec![
        json!(percent),
        json!(warm.memory_mib),
        json!(end.memory_mib),
        json!(growth),
        json!(answers.len()),
        json!(ms_of(&answers, 0.5)),
        json!(api),
        json!(stops.len()),
        json!(ms_of(&stops, 0.5)),
        json!(stop),
    ]);
    table.finish();
    Ok(missed.verdict(options.prove))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "# HELP kibitzer_games_total Finished games by result.
kibitzer_sessions 2
kibitzer_frames_total{session=\"1\"} 10
kibitzer_frames_total{session=\"12\"} 7
kibitzer_games_total{session=\"1\",result=\"won\"} 2
kibitzer_games_total{session=\"1\",result=\"lost\"} 3
kibitzer_frame_seconds_bucket{session=\"1\",le=\"+Inf\"} 99
kibitzer_frame_seconds_count{session=\"1\"} 4
";

    #[test]
    fn counters_are_added_up_by_session() {
        let all = counters(BEFORE);
        assert_eq!(of(&all, 1, "kibitzer_frames_total"), 10.0);
        assert_eq!(of(&all, 12, "kibitzer_frames_total"), 7.0);
        assert_eq!(of(&all, 1, GAMES), 5.0);
        assert_eq!(of(&all, 2, GAMES), 0.0);
        assert_eq!(all.len(), 4, "no buckets, nothing without a session");
    }

    #[test]
    fn a_counter_that_stands_still_is_named() {
        let before = counters(BEFORE);
        let after = counters(&BEFORE.replace("\"1\"} 10", "\"1\"} 11"));
        let stood = still(&before, &after, 1);
        assert_eq!(stood.len(), MOVING.len() - 1);
        assert!(!stood.contains(&"kibitzer_frames_total"));
        assert!(still(&before, &after, 12).contains(&"kibitzer_frames_total"));
    }
}
