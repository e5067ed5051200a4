//! Keys of the configuration for a person who looks at them and changes them.
//!
//! Takes changes and a file; writes the file when all of it is right, and else tells everything that
//! is wrong. Must never leave a file that the next start refuses.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use toml_edit::{DocumentMut, Item, Table, Value};

use super::key::{Kind, wrong_value};
use super::keys::KEYS;
use super::problem::{ConfigError, Problem, nearest};
use super::usable::Settings;
use super::written::{Origin, Sources};

/// One key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyView {
    /// `section.key`
    pub path: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// What is allowed.
    pub allowed: String,
    /// The value in force; `None` where there is none.
    pub value: Option<String>,
    /// Its usual value, where it has a fixed one.
    pub usual: Option<String>,
    /// Where the value in force comes from.
    pub origin: Origin,
    /// The values there are, where they are few.
    pub choices: Vec<&'static str>,
    /// Whether a change counts only after the program was started again.
    pub restart: bool,
}

/// Keys that a running program does not read again.
const RESTART: [&str; 2] = ["log.", "journal.path"];

/// Keys that a running daemon does not take up when it is told to read its settings again.
const FIXED: [&str; 4] = ["log.file", "log.max_mb", "log.keep", "log.json"];

/// A key that has another value than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `section.key`
    pub path: &'static str,
    /// Its value before.
    pub old: String,
    /// Its value now.
    pub new: String,
    /// Whether the daemon must be started again for it.
    pub restart: bool,
}

/// A key with this change: its new value, or `None` for the usual one.
pub type Change = (String, Option<String>);

impl Settings {
    /// All keys, by section.
    #[must_use]
    pub fn keys(&self) -> Vec<KeyView> {
        let values: serde_json::Value = serde_json::from_str(&self.to_json()).unwrap_or_default();
        let view = |key: &super::key::Key| {
            let (section, name) = key.path.split_once('.').unwrap_or(("", key.path));
            let value = match &values[section][name] {
                serde_json::Value::String(text) => Some(text.clone()),
                serde_json::Value::Null => None,
                other => Some(other.to_string()),
            };
            KeyView {
                path: key.path,
                doc: key.doc,
                allowed: key.kind.allowed(),
                value,
                usual: key.default.map(|d| d.trim_matches('"').to_owned()),
                origin: self.origin(key.path),
                choices: match key.kind {
                    Kind::Bool => vec!["true", "false"],
                    Kind::OneOf(words) => words.to_vec(),
                    _ => Vec::new(),
                },
                restart: RESTART.iter().any(|r| key.path.starts_with(r)),
            }
        };
        KEYS.iter().map(view).collect()
    }

    /// The keys whose values the other has otherwise, with both values as text.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let text = |value: Option<String>| value.unwrap_or_else(|| "unset".to_owned());
        { self.keys().into_iter().zip(other.keys()) }
            .filter(|(old, new)| old.value != new.value)
            .map(|(old, new)| Difference {
                path: old.path,
                old: text(old.value),
                new: text(new.value),
                restart: FIXED.contains(&old.path),
            })
            .collect()
    }

    /// The file that changes are written to: the one that was read, or the usual one.
    #[must_use]
    pub fn own_file(&self) -> Option<PathBuf> {
        let usual = self.folders.config.as_ref().map(|f| f.join("config.toml"));
        self.file.clone().or(usual)
    }
}

/// Changes keys in a file, which may not exist yet; comments and everything else in it stay.
///
/// # Errors
/// Everything that is wrong with the changes, or with the file as it would be; nothing is written
/// then.
pub fn change(file: &Path, changes: &[Change]) -> Result<(), ConfigError> {
    let place = file.display().to_string();
    let cannot = |e: &dyn std::fmt::Display| ConfigError::from(Problem::new(&place, e.to_string()));
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(cannot(&e)),
    };
    let mut document: DocumentMut = text.parse().map_err(|e| cannot(&e))?;
    let mut wrong = Vec::new();
    for (path, value) in changes {
        if let Err(text) = set(&mut document, path, value.as_deref()) {
            wrong.push(Problem::new(path, text));
        }
    }
    if !wrong.is_empty() {
        return Err(ConfigError(wrong));
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|e| cannot(&e))?;
    let mut next = tempfile::NamedTempFile::new_in(folder).map_err(|e| cannot(&e))?;
    next.write_all(document.to_string().as_bytes())
        .map_err(|e| cannot(&e))?;
    // With the folders of this process and nothing else, as the next start reads it.
    let env = std::env::vars_os().filter(|(k, _)| !k.to_string_lossy().starts_with("KIBITZER"));
    Settings::load(&Sources {
        file: Some(next.path().to_owned()),
        env: env.collect(),
        overrides: Vec::new(),
    })?;
    next.persist(file).map_err(|e| cannot(&e.error))?;
    Ok(())
}

/// Sets one key or takes it out; what is wrong with it is the error.
fn set(document: &mut DocumentMut, path: &str, value: Option<&str>) -> Result<(), String> {
    let Some(key) = KEYS.iter().find(|k| k.path == path) else {
        let near = nearest(path, KEYS.iter().map(|k| k.path)).unwrap_or_default();
        return Err(format!("there is no such key; did you mean {near}?"));
    };
    let (section, name) = path.split_once('.').ok_or("a key has a section")?;
    let Some(text) = value else {
        if let Some(table) = document.get_mut(section).and_then(Item::as_table_like_mut) {
            table.remove(name);
        }
        return Ok(());
    };
    let checked = key.kind.check_text(text);
    checked.map_err(|reason| wrong_value(path, text, &key.kind, &reason))?;
    let is_text = match key.kind {
        Kind::Text(..) | Kind::OneOf(_) => true,
        Kind::NumberOr(_, _, word) => text == word,
        _ => false,
    };
    let value = match is_text {
        true => Value::from(text),
        // It has just passed as one.
        false => text
            .trim()
            .parse()
            .map_err(|_| format!("{text}: not a value"))?,
    };
    let table = document.entry(section).or_insert(Item::Table(Table::new()));
    let table = table
        .as_table_like_mut()
        .ok_or_else(|| format!("{section} is no table in the file"))?;
    table.insert(name, Item::Value(value));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(all: &[(&str, Option<&str>)]) -> Vec<Change> {
        { all.iter() }
            .map(|(k, v)| ((*k).to_owned(), v.map(str::to_owned)))
            .collect()
    }

    #[test]
    fn keys_are_changed_and_everything_else_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("new/config.toml");
        let set = |all: &[(&str, Option<&str>)]| change(&file, &changes(all));
        set(&[("play.retries", Some("3")), ("play.pace", Some("fast"))]).expect("right");
        let text = std::fs::read_to_string(&file).expect("written");
        std::fs::write(&file, format!("# mine\n{text}")).expect("written");
        set(&[("play.pace", Some("40")), ("play.retries", None)]).expect("right");
        let text = std::fs::read_to_string(&file).expect("written");
        assert_eq!(text, "# mine\n[play]\npace = 40\n");
    }

    #[test]
    fn what_is_wrong_is_told_and_nothing_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("config.toml");
        let told = change(
            &file,
            &changes(&[
                ("play.retries", Some("many")),
                ("play.retrys", Some("1")),
                ("log.level", Some("kibitzer=loud")),
                ("emergency.corner", Some("false")),
            ]),
        );
        let told = told.expect_err("wrong").to_string();
        assert_eq!(told.lines().count(), 3, "{told}");
        assert!(told.contains("did you mean play.retries"), "{told}");
        assert!(!file.exists());
        std::fs::write(&file, "[play]\nretries = \"x\"\n").expect("written");
        let told = change(&file, &changes(&[("play.pace", Some("fast"))]));
        assert!(
            told.is_err(),
            "a file that is wrong already is not made worse"
        );
        let kept = std::fs::read_to_string(&file).expect("there");
        assert_eq!(kept, "[play]\nretries = \"x\"\n");
    }
}
