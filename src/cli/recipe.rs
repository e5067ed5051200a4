//! What a run is assembled from, written down so that a replay can assemble it again: how source
//! and game were named, the terms of play, the configuration, the profile with its pictures.
//!
//! Must never hold a path of this machine: a recording is read elsewhere.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};

use super::request::Request;
use crate::assemble::{Order, SourceSpec, rig_order};
use crate::capture::camera::network::public;
use crate::config::profile::Profile;
use crate::config::{Origin, Settings, Sources};
use crate::games::tetris::agent::Mode;
use crate::journal::recording::Beside;
use crate::pipeline::live::Goal;
use crate::types::{CameraName, KeyTiming, Script, Time};

/// How source and game were named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asks {
    /// By a profile, which is kept as `profile/NAME.toml`.
    Profile(String),
    /// By a window's title.
    Window {
        /// As on the command line.
        title: String,
        /// The game.
        game: String,
    },
    /// By a part of the screen.
    Screen {
        /// As on the command line.
        area: String,
        /// The game.
        game: String,
    },
    /// By a camera.
    Camera {
        /// Its name, or its address without secrets.
        name: String,
        /// The game.
        game: String,
    },
    /// By a file of pictures.
    File {
        /// Its name, without folders.
        name: String,
        /// The game.
        game: String,
    },
    /// The reference rig.
    Rig {
        /// The game's level.
        level: u8,
        /// Pieces to place.
        pieces: u32,
        /// Whether the next piece is shown.
        next: bool,
        /// Whether it is played without looking at the pile.
        blind: bool,
    },
    /// A built-in game of which nothing is known beforehand.
    BuiltIn(String),
}

/// What is asked of a run beside source and game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// Whether it plays.
    pub armed: bool,
    /// Games to play.
    pub games: Option<u32>,
    /// Which side is ours.
    pub side: Option<String>,
    /// Who begins.
    pub begins: Option<String>,
    /// Rows that win.
    pub rows: Option<u32>,
    /// Pieces that win.
    pub pieces: Option<u32>,
    /// A run in which nothing succeeds for this long ends, in seconds.
    pub give_up: Option<u64>,
}

impl Terms {
    /// Applies them.
    ///
    /// # Errors
    /// When the sides are none of the game's.
    pub fn apply(&self, order: &mut Order) -> anyhow::Result<()> {
        order.armed = self.armed;
        order.games = self.games;
        let side = self.side.as_deref().map(str::parse).transpose();
        let begins = self.begins.as_deref().map(str::parse).transpose();
        let wrong = anyhow::Error::msg::<String>;
        order
            .options
            .say(side.map_err(wrong)?, begins.map_err(wrong)?)?;
        order.goal = (self.rows.map(Goal::Rows)).or(self.pieces.map(Goal::Pieces));
        if let Some(seconds) = self.give_up {
            order.give_up = Duration::from_secs(seconds);
        }
        Ok(())
    }
}

/// The times of the hands' keys, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Timing {
    lead: u64,
    hold: u64,
    gap: u64,
    latency: u64,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    command: String,
    asks: Asks,
    terms: Terms,
    /// Keys that were set, whether that was stronger than a profile, and their values.
    settings: Vec<(String, bool, String)>,
    timing: Timing,
}

/// Keys that say where files are: another machine has its own places.
const PLACES: [&str; 2] = ["journal.path", "log.file"];

impl Recipe {
    /// For a run with these settings and hands.
    #[must_use]
    pub fn new(
        command: &str,
        asks: Asks,
        terms: Terms,
        settings: &Settings,
        hands: KeyTiming,
    ) -> Self {
        let micros = |d: Duration| u64::try_from(d.as_micros()).unwrap_or(u64::MAX);
        let set = settings.entries().into_iter();
        Self {
            command: command.to_owned(),
            asks,
            terms,
            settings: set
                .filter(|(key, ..)| !PLACES.contains(&key.as_str()))
                .map(|(key, origin, value)| (key, origin >= Origin::Environment, value))
                .collect(),
            timing: Timing {
                lead: micros(hands.lead),
                hold: micros(hands.hold),
                gap: micros(hands.gap),
                latency: micros(hands.latency),
            },
        }
    }

    /// The configuration of that run; `folder` is empty and may be written.
    ///
    /// # Errors
    /// For keys that this program does not know, or not with these values.
    pub fn settings(&self, folder: &Path) -> anyhow::Result<Settings> {
        let mut document = toml_edit::DocumentMut::new();
        for (key, strong, value) in &self.settings {
            let (section, name) = key.split_once('.').context("a key without its section")?;
            if !strong {
                // What a number or a truth value is, the configuration knows by its key.
                let value: toml_edit::Value = match value.parse() {
                    Ok(
                        value @ (toml_edit::Value::Integer(_)
                        | toml_edit::Value::Float(_)
                        | toml_edit::Value::Boolean(_)),
                    ) => value,
                    _ => value.as_str().into(),
                };
                let table = document.entry(section).or_insert_with(toml_edit::table);
                table[name] = toml_edit::value(value);
            }
        }
        let file = folder.join("config.toml");
        std::fs::write(&file, document.to_string())?;
        let strong = self.settings.iter().filter(|(_, strong, _)| *strong);
        let mut overrides: Vec<(String, String)> =
            strong.map(|(k, _, v)| (k.clone(), v.clone())).collect();
        let journal = folder.join("journal.db").display().to_string();
        overrides.push(("journal.path".to_owned(), journal));
        overrides.push(("log.file".to_owned(), "none".to_owned()));
        let settings = Settings::load(&Sources {
            file: Some(file),
            env: Vec::new(),
            overrides,
        });
        settings.context("the configuration of the recording is none of this program's")
    }

    /// The order of that run; its profile is written into `folder`, unless another one is named.
    ///
    /// # Errors
    /// When it cannot be understood or written.
    pub fn order(
        &self,
        settings: &Settings,
        beside: &[Beside],
        folder: &Path,
        profile: Option<&str>,
    ) -> anyhow::Result<Order> {
        let command = self.command.as_str();
        let request = |asks: &Asks| Request::again(asks).order(command, settings);
        let mut order = match (&self.asks, profile) {
            (Asks::Profile(_), Some(other)) => request(&Asks::Profile(other.to_owned()))?,
            (_, Some(_)) => bail!("this run was made without a profile: --profile does not apply"),
            (Asks::Profile(name), None) => {
                write_beside(beside, folder)?;
                let path = folder
                    .join("profile")
                    .join(format!("{}.toml", plain(name)?));
                request(&Asks::Profile(path.display().to_string()))?
            }
            (
                Asks::Rig {
                    level,
                    pieces,
                    next,
                    blind,
                },
                None,
            ) => {
                let mode = match blind {
                    true => Mode::DeadReckoning,
                    false => Mode::RealityCheck,
                };
                return Ok(rig_order(command, (*level, *pieces), *next, mode, settings));
            }
            (Asks::BuiltIn(game), None) => {
                let name = command.to_owned();
                Order::bare(command, name, SourceSpec::Simulated, game, settings)
            }
            (other, None) => request(other)?,
        };
        self.terms.apply(&mut order)?;
        Ok(order)
    }

    /// The hands' times.
    #[must_use]
    pub fn timing(&self) -> KeyTiming {
        let t = &self.timing;
        let micros = Duration::from_micros;
        KeyTiming {
            lead: micros(t.lead),
            hold: micros(t.hold),
            gap: micros(t.gap),
            latency: micros(t.latency),
        }
    }
}

/// A name that is no way out of its folder.
fn plain(name: &str) -> anyhow::Result<&str> {
    let inside = !name.is_empty() && !name.contains(['/', '\\', '\0']) && !name.starts_with('.');
    ensure!(inside, "\"{name}\" is no name of a file");
    Ok(name)
}

fn write_beside(beside: &[Beside], folder: &Path) -> anyhow::Result<()> {
    for file in beside {
        let mut path = folder.to_owned();
        for part in file.name.split('/') {
            path.push(plain(part)?);
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, &file.bytes).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// A profile with the pictures of its script, as files to be kept with a recording.
///
/// # Errors
/// When it holds what TOML or PNG cannot.
pub fn profile_beside(profile: &Profile) -> anyhow::Result<Vec<Beside>> {
    let mut files = Vec::new();
    let mut profile = profile.clone();
    let mut failed = None;
    pictures(&mut profile.script, &mut |name, picture| {
        // Only the last part of its name is ever shown.
        let last = name.rsplit('/').next().unwrap_or("picture.png").to_owned();
        let inside = format!("pictures/{}/{last}", files.len());
        let mut png = std::io::Cursor::new(Vec::new());
        match picture.to_rgb().write_to(&mut png, image::ImageFormat::Png) {
            Ok(()) => files.push(Beside {
                name: format!("profile/{inside}"),
                bytes: png.into_inner(),
            }),
            Err(error) => failed = Some(error),
        }
        *name = inside;
    });
    if let Some(error) = failed {
        return Err(error).context("a picture of the profile");
    }
    if let crate::config::profile::Source::File(path) = &mut profile.source {
        *path = path.file_name().map(Into::into).unwrap_or_default();
    }
    if let crate::config::profile::Source::Camera(spec) = &mut profile.source
        && let CameraName::Url(url) = &mut spec.which
    {
        // Names and passwords stay here.
        *url = public(url);
    }
    let text = profile.to_toml().context("writing the profile")?;
    let name = profile
        .name
        .trim_start_matches('.')
        .replace(['/', '\\'], "-");
    files.push(Beside {
        name: format!("profile/{name}.toml"),
        bytes: text.into_bytes(),
    });
    Ok(files)
}

/// The name under which a profile is kept.
#[must_use]
pub fn profile_name(profile: &Profile) -> String {
    profile
        .name
        .trim_start_matches('.')
        .replace(['/', '\\'], "-")
}

fn pictures(script: &mut Script, each: &mut dyn FnMut(&mut String, &crate::types::Picture)) {
    script.looks_mut(&mut |look| {
        if let crate::types::Look::Picture { name, picture } = look {
            each(name, picture);
        }
    });
}

/// When the clock of a run read zero, in milliseconds since 1970.
#[must_use]
pub fn started_ms(now: Time) -> i64 {
    let age = now.since(Time::ZERO);
    let began = std::time::SystemTime::now().checked_sub(age);
    crate::journal::wall::millis(began.unwrap_or(std::time::SystemTime::UNIX_EPOCH))
}
