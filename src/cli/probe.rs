//! `kibitzer probe`: how long this rig takes from a key to its effect in a frame, and from light to
//! a key.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::json;

use super::logging;
use super::out::say;
use super::request::Request;
use super::signals;
use crate::act::release::release_on_panic;
use crate::act::worker::Worker;
use crate::assemble;
use crate::capture::pace::Pace;
use crate::config::profile;
use crate::decide::{Facts, Gate, Limits};
use crate::pipeline::probe::{Delays, Plan, Probe, quantile};
use crate::types::{Armed, Clock, Stop, SystemClock, Time};

const EXAMPLES: &str = "\
Presses a key again and again at moments that nothing else knows, and looks for the first frame that
shows it. Nothing else may move: show `kibitzer target flash` in front of the camera, or a game that
waits, and name keys that it answers. With --write the largest delay of a hundred goes into the
profile (hands.latency_ms), where the play of games that do not wait takes it from.

Examples:
  kibitzer probe my-rig --key space --write
  kibitzer probe my-rig --key Left,Right --samples 100
  kibitzer probe --window flash --game tetris --reactions 20";

/// The shares of the delays that are told.
const SHARES: [(&str, f64); 3] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)];

/// Options of `kibitzer probe`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    request: Request,
    /// Keys that change the picture, pressed in turn
    #[arg(
        long,
        value_name = "KEYS",
        value_delimiter = ',',
        default_value = "space"
    )]
    key: Vec<String>,
    /// How often a key is pressed
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    samples: u32,
    /// Then, how often a change that comes by itself is answered (`kibitzer target flash --by-itself`)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=10_000))]
    reactions: u32,
    /// Write the delay into the profile
    #[arg(long)]
    write: bool,
    /// Seed of the moments
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `kibitzer probe`.
///
/// # Errors
/// When a part cannot be opened, nothing can be told apart, or the profile cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.request.settings.load(&[])?;
    let _log = logging::start(&settings);
    let file = match options.write {
        true => Some(options.request.file_of_profile(&settings)?),
        false => None,
    };
    let order = options.request.order("probe", &settings)?;
    if order.simulated.is_some() {
        bail!(
            "a simulated rig has the delays that its profile gives it: there is nothing to measure"
        );
    }
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let stop = Stop::new();
    signals::watch(&stop)?;
    release_on_panic();
    let (mut source, window) = assemble::source(
        &order.source,
        &clock,
        &Pace::new(Pace::EAGER),
        order.wait,
        false,
    )?;
    let (hands, emergency) = assemble::hands(&order, window, &settings, &clock, &stop)?;
    let mut hands = Worker::spawn(hands, Arc::clone(&clock))?;
    let plan = Plan {
        keys: options.key.clone(),
        samples: options.samples,
        reactions: options.reactions,
        window,
        seed: options.seed,
    };
    let mut permit = |now| permit(now);
    let quiet = options.json;
    let mut count = 0;
    let mut told = |key: &str, took: Option<Duration>| {
        count += 1;
        if !quiet {
            match took {
                Some(took) => eprintln!("{count}: {key} {:.1} ms", ms(took)),
                None => eprintln!("{count}: {key} had no effect"),
            }
        }
    };
    let probe = Probe::new(
        source.as_mut(),
        &mut hands,
        &mut permit,
        Arc::clone(&clock),
        stop,
    );
    let delays = probe.measure(&plan, &mut told)?;
    drop((hands, emergency));
    report(&delays, options.json);
    // Most keys must have shown something, or the delays are of something else.
    let seen = delays.key_to_photon.len();
    if seen * 2 < options.samples as usize {
        bail!(
            "only {seen} of {} keys had an effect: is --key one that the game answers, and is \
             the right window in front?",
            options.samples
        );
    }
    if let (Some(file), Some(latency)) = (file, quantile(&delays.key_to_photon, 0.99)) {
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("reading {}", file.display()))?;
        let text = with_latency(&text, latency, &delays)
            .with_context(|| format!("changing {}", file.display()))?;
        write(&file, &text)?;
        eprintln!("written: hands.latency_ms in {}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Permission for one key: whoever measures has armed it by asking for it.
fn permit(now: Time) -> Result<Armed, crate::act::ActError> {
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: Duration::ZERO,
        expiry: Duration::from_secs(5),
    };
    let facts = Facts {
        now,
        captured_at: now,
        certain: true,
        still: true,
        reachable: true,
    };
    let granted = Gate::new(true, limits).ask(&facts);
    granted.map_err(|_| crate::act::ActError::Expired)
}

fn ms(d: Duration) -> f64 {
    d.as_secs_f64() * 1e3
}

fn report(delays: &Delays, as_json: bool) {
    let told = |sorted: &[Duration]| -> Vec<(&str, f64)> {
        let at = |share| quantile(sorted, share).map(ms);
        SHARES
            .iter()
            .filter_map(|(name, share)| Some((*name, at(*share)?)))
            .collect()
    };
    let (key, photon) = (told(&delays.key_to_photon), told(&delays.photon_to_key));
    if as_json {
        let object = |all: &[(&str, f64)]| -> serde_json::Map<String, serde_json::Value> {
            let rounded = |v: f64| json!((v * 100.0).round() / 100.0);
            all.iter()
                .map(|(name, v)| ((*name).to_owned(), rounded(*v)))
                .collect()
        };
        let all = json!({
            "key_to_photon_ms": object(&key),
            "photon_to_key_ms": object(&photon),
            "samples": delays.key_to_photon.len(),
            "reactions": delays.photon_to_key.len(),
            "without_effect": delays.missed,
            "frame_ms": (ms(delays.frame) * 100.0).round() / 100.0,
        });
        say(&all.to_string());
        return;
    }
    let line = |what: &str, all: &[(&str, f64)], count: usize| {
        let values: Vec<String> = all.iter().map(|(n, v)| format!("{n} {v:.1}")).collect();
        say(&format!("{what}: {} ms ({count} times)", values.join(", ")));
    };
    line("key to photon", &key, delays.key_to_photon.len());
    if !photon.is_empty() {
        line("photon to key", &photon, delays.photon_to_key.len());
    }
    say(&format!(
        "a frame every {:.1} ms; {} keys had no effect",
        ms(delays.frame),
        delays.missed
    ));
}

/// A profile's text with the delay in it; everything else stays as it is written.
fn with_latency(text: &str, latency: Duration, delays: &Delays) -> anyhow::Result<String> {
    let mut document: toml_edit::DocumentMut = text.parse()?;
    let hands = document.entry("hands").or_insert_with(|| {
        let mut table = toml_edit::Table::new();
        // What plays where a profile names no hands.
        table.insert("kind", toml_edit::value("keyboard"));
        toml_edit::Item::Table(table)
    });
    let Some(table) = hands.as_table_like_mut() else {
        bail!("hands is not a section");
    };
    let millis = i64::try_from(latency.as_micros().div_ceil(1000)).unwrap_or(i64::MAX);
    let mut value = toml_edit::Value::from(millis.max(1));
    let told: Vec<String> = SHARES
        .iter()
        .filter_map(|(name, share)| {
            let at = quantile(&delays.key_to_photon, *share)?;
            Some(format!("{name} {:.1}", ms(at)))
        })
        .collect();
    let note = format!(
        " # measured: {} ms in {} keys",
        told.join(", "),
        delays.key_to_photon.len()
    );
    value.decor_mut().set_suffix(note);
    match table.get_mut("latency_ms") {
        Some(item) => *item = toml_edit::Item::Value(value),
        None => {
            table.insert("latency_ms", toml_edit::Item::Value(value));
        }
    }
    let text = document.to_string();
    profile::Profile::parse("the profile", "the profile", &text)?;
    Ok(text)
}

/// In one step, so that no reader finds half a profile.
fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    let target: PathBuf = std::fs::canonicalize(file)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut fresh = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("writing into {}", folder.display()))?;
    std::io::Write::write_all(&mut fresh, text.as_bytes())?;
    let kept = std::fs::metadata(&target)?.permissions();
    fresh.as_file().set_permissions(kept)?;
    fresh
        .persist(&target)
        .with_context(|| format!("writing {}", target.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_keeps_all_but_the_delay() {
        let delays = Delays {
            key_to_photon: (1..=100).map(Duration::from_millis).collect(),
            ..Delays::default()
        };
        let latency = Duration::from_micros(98_200);
        let head =
            "version = 1 # mine\n\n[source]\nwindow = \"Tetris\"\n[game]\nname = \"tetris\"\n";
        let text = with_latency(head, latency, &delays).expect("good");
        assert!(text.starts_with(head), "{text}");
        assert!(
            text.ends_with(
                "[hands]\nkind = \"keyboard\"\nlatency_ms = 99 # measured: p50 51.0, p90 91.0, p99 100.0 ms in 100 keys\n"
            ),
            "{text}"
        );
        let hands = "[hands]\n# mine\nkind = \"keyboard\"\nlatency_ms = 5 # guessed\nhold_ms = 7\n";
        let text = with_latency(&format!("{head}{hands}"), latency, &delays).expect("good");
        assert!(
            text.contains("# mine\nkind") && text.contains("latency_ms = 99 # measured"),
            "{text}"
        );
        assert!(
            text.ends_with("hold_ms = 7\n") && !text.contains("guessed"),
            "{text}"
        );
        assert!(with_latency("hands = 3\n", latency, &delays).is_err());
    }
}
