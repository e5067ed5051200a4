//! `--record` of play, watch and demo: the run into a recording.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::logging;
use super::recipe::{Recipe, Terms, profile_beside, started_ms};
use super::request::Request;
use crate::assemble::{Assembled, Order, is_retold};
use crate::config::Settings;
use crate::journal::recording::{Beside, Caps, FORMAT, Header, Place, Recording};
use crate::pipeline::mind::Mind;
use crate::pipeline::recorded::Recorded;
use crate::pipeline::run::Report;
use crate::types::{Clock, Event, Witness};

/// Where a run is recorded.
#[derive(Clone, Debug, Default, Args)]
pub struct RecordOptions {
    /// Record everything that `kibitzer replay` needs: into a file ending in .mcap, or into a new
    /// file in this folder, whose oldest recordings make room (recording.max_mb, max_days)
    #[arg(long, value_name = "PATH")]
    record: Option<PathBuf>,
}

/// A run that is to be recorded.
pub struct Taping {
    place: Place,
    witness: Witness,
}

/// A run that is being recorded.
pub struct Taped {
    recording: Recording,
    clock: Arc<dyn Clock>,
}

impl RecordOptions {
    /// Before the run is assembled: its ticks get a witness.
    #[must_use]
    pub fn prepare(&self, order: &mut Order) -> Option<Taping> {
        let place = Place::of(self.record.as_ref()?);
        order.witness = Witness::keeping();
        Some(Taping {
            place,
            witness: order.witness.clone(),
        })
    }
}

impl Taping {
    /// Begins the file; the mind that is returned is the one to run.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn begin(
        self,
        mind: Box<dyn Mind>,
        recipe: &Recipe,
        beside: &[Beside],
        started: &Event,
        settings: &Settings,
        clock: &Arc<dyn Clock>,
    ) -> anyhow::Result<(Box<dyn Mind>, Taped)> {
        let (run, game) = match started {
            Event::RunStarted {
                command,
                profile,
                source,
                game,
                policy,
                ..
            } => (
                json!({
                    "command": command, "profile": profile, "source": source, "game": game,
                    "policy": policy,
                }),
                game.as_str(),
            ),
            _ => (json!({}), "run"),
        };
        let asked = settings.policy.name.as_deref();
        let header = Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_ms: started_ms(clock.now()),
            retold: asked.is_some_and(is_retold),
            run,
            recipe: serde_json::to_value(recipe).context("the recipe of the run")?,
        };
        let caps = Caps {
            bytes: settings.recording.bytes,
            age: settings.recording.age,
            free: settings.recording.free,
        };
        let recording = Recording::start(&self.place, &header, game, beside, caps)
            .map_err(|e| anyhow::anyhow!("the run cannot be recorded: {e}"))?;
        let recorder = recording.recorder();
        recorder.event(clock.now(), started);
        logging::tap(Some((recorder.clone(), Arc::clone(clock))));
        let mind = Box::new(Recorded::new(mind, recorder, self.witness));
        let clock = Arc::clone(clock);
        Ok((mind, Taped { recording, clock }))
    }
}

impl Taped {
    /// After the run: the end is written; where it is.
    #[must_use]
    pub fn finish(self, report: &Report) -> PathBuf {
        logging::tap(None);
        let ended = Event::RunEnded {
            why: report.ending.why.clone(),
            frames: report.frames,
        };
        self.recording.recorder().event(self.clock.now(), &ended);
        let path = self.recording.path().to_owned();
        self.recording.finish();
        path
    }
}

/// The parts of a run as `request` asked for it, recorded if that is wanted.
///
/// # Errors
/// When the profile cannot be kept or the file not be made.
pub fn tape(
    taping: Option<Taping>,
    request: &Request,
    terms: Terms,
    parts: Assembled,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<(Assembled, Option<Taped>)> {
    let Some(taping) = taping else {
        return Ok((parts, None));
    };
    let profile = request.profile(settings)?;
    let beside = profile.as_ref().map(profile_beside).transpose()?;
    let timing = parts.hands.as_ref().map(|h| h.timing());
    let command = match &parts.started {
        Event::RunStarted { command, .. } => command.as_str(),
        _ => "play",
    };
    let asks = request.asks(profile.as_ref());
    let recipe = Recipe::new(command, asks, terms, settings, timing.unwrap_or_default());
    let beside = beside.unwrap_or_default();
    let (mind, taped) = taping.begin(
        parts.mind,
        &recipe,
        &beside,
        &parts.started,
        settings,
        clock,
    )?;
    Ok((Assembled { mind, ..parts }, Some(taped)))
}

/// The mind of a run on a built-in target, recorded if that is wanted.
///
/// # Errors
/// When the file cannot be made.
pub fn taped(
    taping: Option<Taping>,
    mind: Box<dyn Mind>,
    recipe: &Recipe,
    started: &Event,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<(Box<dyn Mind>, Option<Taped>)> {
    let Some(taping) = taping else {
        return Ok((mind, None));
    };
    let (mind, taped) = taping.begin(mind, recipe, &[], started, settings, clock)?;
    Ok((mind, Some(taped)))
}
