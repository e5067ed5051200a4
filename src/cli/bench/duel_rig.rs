//! `kibitzer bench duel-rig`: the built-in games for two through a simulated webcam (aslant, with
//! noise and moire), played in virtual time against a weaker policy. What is believed is held
//! against the truth after every frame, and every result against what the game itself says.

mod truth;

use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use self::truth::{Judge, Shown, Witness};
use super::missed::Missed;
use super::table::Table;
use crate::assemble::{self, Order, SourceSpec, Stage, targets};
use crate::config::profile::{self, Profile, Source};
use crate::config::{Settings, Sources};
use crate::pipeline::blocking::Blocking;
use crate::pipeline::mind::Mind;
use crate::pipeline::run::{self, Observer, Rig};
use crate::types::{
    Arming, Clock, Event, EventSink, Frame, KeyTiming, ManualClock, Outcome, SinkError, Stop,
    Target, Time,
};

/// Frames a second of the webcam.
const FPS: f64 = 30.0;
/// No belief may be wrong for longer.
const APART: Duration = Duration::from_secs(2);
/// The games that are played.
const GAMES: [&str; 2] = ["connect4", "gomoku"];
/// Virtual time in which nothing goes on before a run is given up.
const GIVE_UP: Duration = Duration::from_secs(120);

/// Options of `kibitzer bench duel-rig`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only this game
    #[arg(long, value_name = "GAME", value_parser = GAMES)]
    game: Option<String>,
    /// Games of each kind; we begin half of them
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    /// Seed of the camera's place, light and noise, and of the policy's slips
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=crate::cli::trouble::LAST_SEED))]
    seed: u64,
    /// Fail if a game is lost or not ended, a result is not what the game says, or a belief is
    /// wrong for more than 2 seconds
    #[arg(long)]
    prove: bool,
}

/// How the games went that one side began.
struct Played {
    /// Results, and what the game itself said of each.
    results: Vec<(Outcome, Option<Outcome>)>,
    mismatches: u32,
    /// How often and for how long a belief was not the truth.
    times: u32,
    longest: Duration,
    frames: u64,
    seconds: f64,
    why: String,
}

/// Runs `kibitzer bench duel-rig`.
///
/// # Errors
/// When a game cannot be set up.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let mut table = Table::new(
        json,
        &[
            "game",
            "begins",
            "games",
            "won",
            "lost",
            "drawn",
            "otherwise",
            "mismatches",
            "apart",
            "longest",
            "frames",
            "seconds",
            "why",
        ],
    );
    let mut missed = Missed::default();
    let named = |game: &&str| options.game.as_deref().is_none_or(|g| g == *game);
    for game in GAMES.into_iter().filter(named) {
        let ours = options.games.div_ceil(2);
        for (begins, games) in [("you", ours), ("opponent", options.games - ours)] {
            if games == 0 {
                continue;
            }
            let played = play(game, begins, games, options.seed)?;
            let count = |wanted| played.results.iter().filter(|r| r.0 == wanted).count();
            let [won, lost, drawn] = [Outcome::Won, Outcome::Lost, Outcome::Draw].map(count);
            let otherwise = played.results.iter().filter(|r| Some(r.0) != r.1).count();
            let what = format!("{game}, {begins} first");
            missed.must(won + lost + drawn == games as usize, || {
                let ended = won + lost + drawn;
                format!(
                    "{what}: {ended} of {games} games came to their end ({})",
                    played.why
                )
            });
            missed.must(lost == 0, || format!("{what}: {lost} games were lost"));
            missed.must(otherwise == 0, || {
                format!("{what}: {otherwise} results are not what the game says")
            });
            missed.must(played.longest <= APART, || {
                let longest = played.longest.as_secs_f64();
                format!("{what}: a belief was wrong for {longest:.2} s, 2 s are allowed")
            });
            table.row(vec![
                json!(game),
                json!(begins),
                json!(games),
                json!(won),
                json!(lost),
                json!(drawn),
                json!(otherwise),
                json!(played.mismatches),
                json!(played.times),
                json!(played.longest.as_secs_f64()),
                json!(played.frames),
                json!(played.seconds),
                json!(played.why),
            ]);
        }
    }
    table.finish();
    Ok(missed.verdict(options.prove))
}

/// The stage of the game's shipped webcam profile, with this seed and beginner.
fn stage(game: &str, begins: &str, seed: u64) -> anyhow::Result<Stage> {
    let name = format!("webcam-{game}");
    let text = profile::SHIPPED.iter().find(|(n, _)| *n == name);
    let (_, text) = text.with_context(|| format!("no profile {name} is shipped"))?;
    let Source::Simulated(settings) = Profile::parse(&name, &name, text)?.source else {
        bail!("the profile {name} is not simulated");
    };
    let mut stage = Stage::parse(&settings)?;
    stage.target.insert("first".to_owned(), json!(begins));
    stage.target.insert("seed".to_owned(), json!(seed));
    let camera = stage.camera.as_mut();
    camera
        .with_context(|| format!("the profile {name} has no camera"))?
        .seed = seed;
    Ok(stage)
}

fn settings(seed: u64) -> anyhow::Result<Settings> {
    Ok(Settings::load(&Sources {
        file: None,
        env: Vec::new(),
        overrides: [
            ("play.seed", seed.to_string()),
            ("journal.evidence", "false".to_owned()),
            // Nothing is written there: a bench keeps no journal.
            ("journal.path", "/nowhere/journal.db".to_owned()),
            ("log.file", "none".to_owned()),
            ("capture.fps", FPS.to_string()),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect(),
    })?)
}

/// Plays games that the same side begins.
fn play(game: &str, begins: &str, games: u32, seed: u64) -> anyhow::Result<Played> {
    let stage = stage(game, begins, seed)?;
    let settings = settings(seed)?;
    let order = Order {
        games: Some(games),
        armed: true,
        give_up: GIVE_UP,
        ..Order::bare(
            "bench",
            "duel-rig".to_owned(),
            SourceSpec::Simulated,
            game,
            &settings,
        )
    };
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let stop = Stop::new();
    let built = targets::target(game, &Value::Object(stage.target.clone()))?;
    let camera = stage.camera.unwrap_or_default();
    let witness = Arc::new(Mutex::new(Witness::new(built.target)));
    let shown = Shown::of(&witness);
    let target: Arc<Mutex<dyn Target>> = witness;
    let webcam = camera.webcam(built.picture);
    let (source, hands) = assemble::through_webcam(target, webcam, &clock, FPS, stage.hands);
    let player = assemble::player(&order, &settings, KeyTiming::default())?;
    let started = assemble::started(&order, "simulated:webcam", &player, &settings);
    let mind = assemble::mind(order, player, &settings, &clock, &stop)?;
    let mut watcher = Watcher {
        shown,
        judge: Judge::default(),
        results: Vec::new(),
    };
    let rig = Rig {
        feeder: assemble::direct(source),
        hands: Some(Box::new(Blocking::new(hands, Arc::clone(&clock)))),
        mind,
        journal: Box::new(Deaf),
        clock: Arc::clone(&clock),
        stop,
        arming: Arming::new(),
        observer: &mut watcher,
    };
    let report = run::run(rig, started)?;
    let end = clock.now();
    watcher.judge.settle(end);
    Ok(Played {
        results: watcher.results,
        mismatches: report.games.iter().map(|g| g.mismatches).sum(),
        times: watcher.judge.times,
        longest: watcher.judge.longest,
        frames: report.frames.0,
        seconds: end.0 as f64 / 1e6,
        why: report.ending.why,
    })
}

/// A journal of which nothing is kept.
struct Deaf;

impl EventSink for Deaf {
    fn record(&mut self, _: Time, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Holds beliefs and results against the truth.
struct Watcher {
    shown: Shown,
    judge: Judge,
    results: Vec<(Outcome, Option<Outcome>)>,
}

impl Observer for Watcher {
    fn event(&mut self, at: Time, event: &Event, _: &dyn Mind) {
        if let Event::Finished(game) = event {
            self.judge.settle(at);
            self.results.push((game.result, self.shown.outcome()));
        }
    }

    fn frame(&mut self, frame: &Frame, mind: &dyn Mind) {
        // Between two games nothing is believed.
        let at = frame.captured_at;
        match mind.believed() {
            Some(belief) => self.judge.frame(&self.shown, &belief, at),
            None => self.judge.settle(at),
        }
    }
}
