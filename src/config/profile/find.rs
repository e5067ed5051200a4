//! Which profiles there are, and the one that is meant.

use std::path::{Path, PathBuf};

use super::super::document;
use super::super::folders::Folders;
use super::super::problem::{ConfigError, Problem, nearest};
use super::Profile;

/// A profile that comes with the program: its name and text.
macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        &[$((
            $name,
            include_str!(concat!("../../../calibration/", $name, ".toml")),
        )),+]
    };
}

/// Profiles that come with the program: name and text.
pub const SHIPPED: &[(&str, &str)] = shipped![
    "bovo",
    "explosive-c4",
    "four-in-a-row",
    "gomoku-app",
    "kfourinline",
    "quadrapassel",
    "sgt-flood",
    "target-connect4",
    "target-gomoku",
    "vitetris",
    "webcam-connect4",
    "webcam-gomoku",
    "webcam-tetris",
    "xvier",
];

/// A picture that comes with the program: its name and bytes.
macro_rules! pictures {
    ($($name:literal),+ $(,)?) => {
        &[$((
            concat!("pictures/", $name, ".png"),
            include_bytes!(concat!("../../../calibration/pictures/", $name, ".png")),
        )),+]
    };
}

/// Pictures that shipped profiles look for: the name there and the file.
pub(super) const PICTURES: &[(&str, &[u8])] = pictures![
    "bovo-demo",
    "explosive-c4-again",
    "explosive-c4-computer",
    "kfourinline-hard-game",
];

/// A profile that could be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// Its file; `None` for those that come with the program.
    pub path: Option<PathBuf>,
}

/// Folders in the order in which they are searched; the first profile of a name is the one.
fn places(folders: &Folders) -> Vec<PathBuf> {
    let own = Some(PathBuf::from("calibration"));
    let data = folders.data.as_ref().map(|d| d.join("calibration"));
    own.into_iter().chain(data).collect()
}

/// All profiles that can be named, by name.
#[must_use]
pub fn known(folders: &Folders) -> Vec<Known> {
    let mut found: Vec<Known> = Vec::new();
    let mut add = |known: Known| {
        if !found.iter().any(|k| k.name == known.name) {
            found.push(known);
        }
    };
    for place in places(folders) {
        // A folder that is not there has no profiles.
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.file_stem().and_then(|s| s.to_str()).map(str::to_owned);
            if let Some(name) = name
                && path.extension().is_some_and(|e| e == "toml")
            {
                add(Known {
                    name,
                    path: Some(path),
                });
            }
        }
    }
    for (name, _) in SHIPPED {
        add(Known {
            name: (*name).to_owned(),
            path: None,
        });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn from_file(path: &Path) -> Result<Profile, ConfigError> {
    let text = document::read(path)?;
    let name = path
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    Profile::parse(&name, &path.display().to_string(), &text)
}

/// The file that [`load`] would read, if it is one.
#[must_use]
pub fn file(name: &str, folders: &Folders) -> Option<PathBuf> {
    if name.contains('/') || name.ends_with(".toml") {
        return Some(PathBuf::from(name));
    }
    let found = known(folders).into_iter().find(|k| k.name == name);
    found.and_then(|k| k.path)
}

/// The profile of a name, or of a path (anything with a `/` or the ending `.toml`).
///
/// # Errors
/// When there is none; the text lists those there are. When it is wrong; each problem with its
/// line.
pub fn load(name: &str, folders: &Folders) -> Result<Profile, ConfigError> {
    if name.contains('/') || name.ends_with(".toml") {
        return from_file(Path::new(name));
    }
    let known = known(folders);
    if let Some(found) = known.iter().find(|k| k.name == name) {
        if let Some(path) = &found.path {
            return from_file(path);
        }
        if let Some((name, text)) = SHIPPED.iter().find(|(n, _)| *n == name) {
            return Profile::parse(name, &format!("{name} (shipped)"), text);
        }
    }
    let places: Vec<String> = places(folders)
        .iter()
        .map(|p| p.display().to_string())
        .collect();
    let names: Vec<&str> = known.iter().map(|k| k.name.as_str()).collect();
    let near = nearest(name, names.iter().copied()).unwrap_or_default();
    Err(Problem::new(
        format!("profile {name}"),
        format!(
            "there is none in {} and none of that name is shipped; did you mean {near}? known \
             are {}; a path needs a / or .toml",
            places.join(" and "),
            names.join(", ")
        ),
    )
    .into())
}
