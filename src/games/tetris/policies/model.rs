//! Weights as files: TOML with the weights and their card (where they come from, how they were
//! made, what was measured).

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::features::{FEATURES, NAMES};

/// The files that are part of the program, by name.
const BUILT_IN: [(&str, &str); 6] = [
    (
        "kibitzer",
        include_str!("../../../../models/tetris-kibitzer.toml"),
    ),
    (
        "dellacherie",
        include_str!("../../../../models/tetris-dellacherie.toml"),
    ),
    ("bcts", include_str!("../../../../models/tetris-bcts.toml")),
    ("dt10", include_str!("../../../../models/tetris-dt10.toml")),
    ("dt20", include_str!("../../../../models/tetris-dt20.toml")),
    (
        "el-tetris",
        include_str!("../../../../models/tetris-el-tetris.toml"),
    ),
];

/// A file of weights that cannot be used; the text says what to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {text}")]
pub struct ModelError {
    /// The file.
    pub file: String,
    /// What is wrong.
    pub text: String,
}

/// How equal values are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// The first in the order of orientations and columns.
    #[default]
    First,
    /// Dellacherie's: columns moved, then to the left, then fewer turns.
    Dellacherie,
}

/// Where weights come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Who found them and where that is written.
    pub origin: String,
    /// How they were made.
    pub made: String,
    /// What was measured: one line for each board and move model.
    #[serde(default)]
    pub measured: Vec<String>,
}

/// From how few free rows above the pile on a hybrid looks at unknown pieces, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deeper {
    /// Rows between the pile and the top of the board, at most.
    pub free_rows: u16,
    /// Unknown pieces.
    pub unknown: u32,
    /// Placements of the piece that are looked at, the best by themselves.
    pub width: u32,
    /// Placements of each unknown piece but the last.
    pub inner_width: u32,
}

/// Weights of the features and what is known about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Its name as on the command line.
    pub name: String,
    /// One for each of [`NAMES`].
    pub weights: [f64; FEATURES],
    /// Others, where a hybrid looks deeper.
    pub near_top: Option<[f64; FEATURES]>,
    /// How equal values are told apart.
    pub tie_break: TieBreak,
    /// Whether the kinds that could not appear after a placement count as lost games.
    pub sees_spawns: bool,
    /// Steps of the hybrid with these weights; none: it is no hybrid.
    pub deeper: Vec<Deeper>,
    /// Where they come from.
    pub card: Card,
}

/// The file as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[serde(default)]
    tie_break: TieBreak,
    #[serde(default)]
    sees_spawns: bool,
    card: Card,
    weights: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    near_top: Option<BTreeMap<String, f64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deeper: Vec<Deeper>,
}

/// A feature's name as a key.
fn key(name: &str) -> String {
    name.replace(' ', "-")
}

/// Weights by their keys.
fn named(weights: &[f64; FEATURES]) -> BTreeMap<String, f64> {
    let all = NAMES.iter().zip(weights);
    all.filter(|(_, w)| **w != 0.0)
        .map(|(n, w)| (key(n), *w))
        .collect()
}

/// Weights in the order of [`NAMES`], or what is wrong with them.
fn numbers(table: &str, written: &BTreeMap<String, f64>) -> Result<[f64; FEATURES], String> {
    let mut weights = [0.0; FEATURES];
    for (name, value) in written {
        let known = NAMES.iter().position(|n| key(n) == *name);
        let Some(i) = known else {
            let names: Vec<String> = NAMES.iter().map(|n| key(n)).collect();
            return Err(format!(
                "{table}.{name}: there is no such feature; there are {}",
                names.join(", ")
            ));
        };
        if !value.is_finite() {
            return Err(format!("{table}.{name}: {value} is no weight"));
        }
        weights[i] = *value;
    }
    Ok(weights)
}

impl Model {
    /// Names of the weights that are part of the program.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        BUILT_IN.iter().map(|b| b.0).collect()
    }

    /// Weights that are part of the program.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        let (_, text) = BUILT_IN.iter().find(|b| b.0 == name)?;
        // A test reads them all.
        Self::parse(text, name).ok()
    }

    /// Weights of a file.
    ///
    /// # Errors
    /// When it cannot be read or is no file of weights.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| ModelError {
            file: file.clone(),
            text: format!("cannot be read: {e}"),
        })?;
        Self::parse(&text, &file)
    }

    /// Weights as text; `file` is named in errors.
    ///
    /// # Errors
    /// When it is not TOML, or a weight is unknown or not finite.
    pub fn parse(text: &str, file: &str) -> Result<Self, ModelError> {
        let wrong = |text: String| ModelError {
            file: file.to_owned(),
            text,
        };
        let written: Written =
            toml_edit::de::from_str(text).map_err(|e| wrong(e.to_string().trim().to_owned()))?;
        let weights = numbers("weights", &written.weights).map_err(wrong)?;
        let near_top = written.near_top.as_ref().map(|w| numbers("near_top", w));
        let near_top = near_top.transpose().map_err(wrong)?;
        if let Some(step) = written
            .deeper
            .iter()
            .find(|s| !(1..=4).contains(&s.unknown))
        {
            return Err(wrong(format!(
                "deeper.unknown: {} must be a number from 1 to 4",
                step.unknown
            )));
        }
        Ok(Self {
            name: written.name,
            sees_spawns: written.sees_spawns,
            deeper: written.deeper,
            weights,
            near_top,
            tie_break: written.tie_break,
            card: written.card,
        })
    }

    /// As a file.
    #[must_use]
    pub fn text(&self) -> String {
        let written = Written {
            name: self.name.clone(),
            tie_break: self.tie_break,
            sees_spawns: self.sees_spawns,
            card: self.card.clone(),
            deeper: self.deeper.clone(),
            weights: named(&self.weights),
            near_top: self.near_top.as_ref().map(named),
        };
        // Strings and numbers can always be written.
        toml_edit::ser::to_string_pretty(&written).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_weights_are_read_and_written() {
        for name in Model::names() {
            let model = Model::built_in(name).expect(name);
            assert_eq!(model.name, name);
            assert_eq!(Model::parse(&model.text(), "again").as_ref(), Ok(&model));
            assert!(!model.card.origin.is_empty() && !model.card.made.is_empty());
        }
        assert_eq!(Model::built_in("none"), None);
    }

    #[test]
    fn what_is_no_model_is_told() {
        let told = |text: &str| {
            Model::parse(text, "own.toml")
                .expect_err("none")
                .to_string()
        };
        assert!(told("name = 3").starts_with("own.toml: "));
        let head = "name = 'a'\n[card]\norigin = ''\nmade = ''\n[weights]\n";
        assert!(told(&format!("{head}hole = 3.0")).contains("weights.hole: there is no such"));
        assert!(told(&format!("{head}holes = nan")).contains("weights.holes: NaN"));
    }
}
