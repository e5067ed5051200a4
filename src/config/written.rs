//! The configuration as written: every source checked key by key, then laid over each other.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use config::{Config, Map, Source, Value, ValueKind};
use serde::{Deserialize, Serialize};

use super::document;
use super::folders::Folders;
use super::key::{Key, Plain, wrong_value};
use super::keys::KEYS;
use super::problem::{ConfigError, Problem, nearest};

/// Where settings come from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// A file that must exist; without one the default file is read if it exists.
    pub file: Option<PathBuf>,
    /// The environment.
    pub env: Vec<(OsString, OsString)>,
    /// `--set KEY=VALUE` and other options that stand for keys, in order; the last wins.
    pub overrides: Vec<(String, String)>,
}

impl Sources {
    /// With the environment of this process.
    #[must_use]
    pub fn of_process(file: Option<PathBuf>, overrides: Vec<(String, String)>) -> Self {
        Self {
            file,
            env: std::env::vars_os().collect(),
            overrides,
        }
    }
}

/// Which source a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Built in.
    Default,
    /// The file.
    File,
    /// An environment variable.
    Environment,
    /// The command line.
    CommandLine,
}

/// The keys as they were written; `None` where no source has set one and it has no fixed default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) log: LogKeys,
    pub(super) journal: JournalKeys,
    pub(super) recording: RecordingKeys,
    pub(super) play: PlayKeys,
    #[serde(default)]
    pub(super) policy: PolicyKeys,
    pub(super) emergency: EmergencyKeys,
    pub(super) capture: CaptureKeys,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LogKeys {
    pub(super) level: String,
    pub(super) file: Option<String>,
    pub(super) max_mb: u32,
    pub(super) keep: u32,
    pub(super) json: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalKeys {
    pub(super) path: Option<String>,
    pub(super) max_mb: u32,
    pub(super) evidence: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordingKeys {
    pub(super) max_mb: u32,
    pub(super) max_days: u32,
    pub(super) free_mb: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayKeys {
    pub(super) max_actions_per_second: f64,
    pub(super) retries: u8,
    pub(super) settle_ms: Option<u64>,
    pub(super) confirm_timeout_ms: u64,
    pub(super) action_expiry_ms: u64,
    pub(super) pace: PaceKey,
    pub(super) seed: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum PaceKey {
    PerMinute(f64),
    Word(String),
}

impl Default for PaceKey {
    fn default() -> Self {
        Self::Word("fast".into())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolicyKeys {
    pub(super) name: Option<String>,
    pub(super) fallback: Option<String>,
    pub(super) depth: Option<u32>,
    pub(super) time_ms: Option<u64>,
    pub(super) memory_mb: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EmergencyKeys {
    pub(super) chord: String,
    pub(super) corner: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaptureKeys {
    pub(super) fps: f64,
    pub(super) eager_ms: u64,
    pub(super) frozen_ms: u64,
}

/// The checked keys of one source.
#[derive(Clone, Debug)]
struct Layer {
    origin: Origin,
    values: BTreeMap<String, Plain>,
}

fn kind(plain: &Plain) -> ValueKind {
    match plain {
        Plain::Bool(v) => ValueKind::Boolean(*v),
        Plain::Whole(v) => ValueKind::I64(*v),
        Plain::Number(v) => ValueKind::Float(*v),
        Plain::Text(v) => ValueKind::String(v.clone()),
        Plain::List(v) => ValueKind::Array(v.iter().map(|p| Value::new(None, kind(p))).collect()),
    }
}

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, config::ConfigError> {
        let origin = format!("{:?}", self.origin);
        Ok(self
            .values
            .iter()
            .map(|(k, v)| (k.clone(), Value::new(Some(&origin), kind(v))))
            .collect())
    }
}

/// All sources laid over each other.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    pub(super) written: Written,
    pub(super) origins: BTreeMap<String, Origin>,
    /// The file that was read.
    pub(super) file: Option<PathBuf>,
    pub(super) folders: Folders,
}

fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|k| k.path == path)
}

fn defaults() -> Layer {
    let values = KEYS.iter().filter_map(|key| {
        // A default is a literal in our own table; a test checks that all of them are allowed.
        let value: toml_edit::Value = key.default?.parse().ok()?;
        Some((key.path.to_owned(), key.kind.check(&value).ok()?))
    });
    Layer {
        origin: Origin::Default,
        values: values.collect(),
    }
}

fn from_file(path: &Path) -> Result<Layer, ConfigError> {
    let text = document::read(path)?;
    let found = document::parse(&path.display().to_string(), &text, KEYS, &[])?;
    Ok(Layer {
        origin: Origin::File,
        values: found
            .entries
            .into_iter()
            .map(|e| (e.path, e.value))
            .collect(),
    })
}

/// The variable that stands for a key.
fn variable(path: &str) -> String {
    format!("KIBITZER_{}", path.replace('.', "__").to_ascii_uppercase())
}

fn from_env(env: &[(OsString, OsString)], problems: &mut Vec<Problem>) -> Layer {
    let mut values = BTreeMap::new();
    for (name, value) in env {
        let Some(name) = name.to_str() else { continue };
        let (path, weak) = match name.strip_prefix("KIBITZER_") {
            // The short form, as other programs have it; the long one wins.
            Some("LOG") => ("log.level".to_owned(), true),
            Some(rest) if rest.contains("__") => {
                (rest.replacen("__", ".", 1).to_ascii_lowercase(), false)
            }
            _ => continue,
        };
        let Some(key) = find(&path) else {
            let near = nearest(&path, KEYS.iter().map(|k| k.path)).unwrap_or_default();
            problems.push(Problem::new(
                name,
                format!("unknown key {path}; did you mean {}?", variable(near)),
            ));
            continue;
        };
        let Some(text) = value.to_str() else {
            problems.push(Problem::new(name, "is not UTF-8 text"));
            continue;
        };
        match key.kind.check_text(text) {
            Ok(_) if weak && values.contains_key(&path) => {}
            Ok(plain) => {
                values.insert(path, plain);
            }
            Err(reason) => problems.push(Problem::new(
                name,
                wrong_value(&path, text, &key.kind, &reason),
            )),
        }
    }
    Layer {
        origin: Origin::Environment,
        values,
    }
}

fn from_overrides(overrides: &[(String, String)], problems: &mut Vec<Problem>) -> Layer {
    let mut values = BTreeMap::new();
    for (path, text) in overrides {
        let place = format!("--set {path}");
        let Some(key) = find(path) else {
            let near = nearest(path, KEYS.iter().map(|k| k.path)).unwrap_or_default();
            let text = format!("unknown key {path}; did you mean {near}?");
            problems.push(Problem::new(place, text));
            continue;
        };
        match key.kind.check_text(text) {
            Ok(plain) => {
                values.insert(path.clone(), plain);
            }
            Err(reason) => problems.push(Problem::new(
                place,
                wrong_value(path, text, &key.kind, &reason),
            )),
        }
    }
    Layer {
        origin: Origin::CommandLine,
        values,
    }
}

/// Reads all sources.
pub(super) fn merge(sources: &Sources) -> Result<Merged, ConfigError> {
    let folders = Folders::new(&sources.env);
    let usual = folders.config.as_ref().map(|f| f.join("config.toml"));
    let file = sources
        .file
        .clone()
        .or_else(|| usual.filter(|f| f.exists()));
    let mut problems = Vec::new();
    let mut layers = vec![defaults()];
    if let Some(file) = &file {
        match from_file(file) {
            Ok(layer) => layers.push(layer),
            Err(e) => problems.extend(e.0),
        }
    }
    layers.push(from_env(&sources.env, &mut problems));
    layers.push(from_overrides(&sources.overrides, &mut problems));
    if !problems.is_empty() {
        return Err(ConfigError(problems));
    }
    let mut origins = BTreeMap::new();
    let mut builder = Config::builder();
    for layer in layers {
        for path in layer.values.keys() {
            origins.insert(path.clone(), layer.origin);
        }
        builder = builder.add_source(layer);
    }
    let written = builder
        .build()
        .and_then(Config::try_deserialize)
        // Every value has passed its check; what remains would be a key without a field.
        .map_err(|e| Problem::new("configuration", e.to_string()))?;
    Ok(Merged {
        written,
        origins,
        file,
        folders,
    })
}
