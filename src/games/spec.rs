//! Which policy, and with what options, in one line: `NAME` or `NAME:key=value,key=value`.
//!
//! Takes the text that a command line, a profile or a match names a policy by and gives its
//! parts, each checked as it is taken. An option that nobody takes is an error that names what
//! there is. Must never know a policy.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A policy as a list shows it: what `kibitzer solve GAME --list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Listed {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What can be set.
    pub options: &'static [Setting],
}

/// One option of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Setting {
    /// Its key.
    pub key: &'static str,
    /// What holds when it is not given.
    pub default: &'static str,
    /// What it does, with unit and range.
    pub about: &'static str,
}

/// A text that is no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("policy `{spec}`: {text}")]
pub struct SpecError {
    /// The text.
    pub spec: String,
    /// What is wrong with it and what there is instead.
    pub text: String,
}

/// A policy's name with its options, not yet taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    text: String,
    listed: Listed,
    left: Vec<(String, String)>,
}

impl Spec {
    /// Takes a text apart; the name must be one of `list`, and so must each key.
    ///
    /// # Errors
    /// An unknown name or key, a key without value or given twice, with what there is.
    pub fn parse(text: &str, list: &[Listed]) -> Result<Self, SpecError> {
        let fail = |problem: String| SpecError {
            spec: text.to_owned(),
            text: problem,
        };
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let Some(listed) = list.iter().find(|l| l.name == name) else {
            let names = list.iter().map(|l| l.name);
            return Err(fail(format!(
                "there is no such policy{}",
                others(name, names)
            )));
        };
        let mut left: Vec<(String, String)> = Vec::new();
        for part in rest.split(',').filter(|p| !p.trim().is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(fail(format!("`{part}` is no option: write key=value")));
            };
            let (key, value) = (key.trim(), value.trim());
            if !listed.options.iter().any(|o| o.key == key) {
                let keys = listed.options.iter().map(|o| o.key);
                return Err(fail(format!(
                    "`{name}` has no option `{key}`{}",
                    others(key, keys)
                )));
            }
            if left.iter().any(|(k, _)| k == key) {
                return Err(fail(format!("`{key}` is given twice")));
            }
            left.push((key.to_owned(), value.to_owned()));
        }
        Ok(Self {
            text: text.to_owned(),
            listed: *listed,
            left,
        })
    }

    /// The policy's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.listed.name
    }

    /// The text as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of an option, if it is given.
    pub fn take(&mut self, key: &str) -> Option<String> {
        let at = self.left.iter().position(|(k, _)| k == key)?;
        Some(self.left.swap_remove(at).1)
    }

    /// A number within a range, or the default.
    ///
    /// # Errors
    /// When it is given and is not such a number.
    pub fn number<T>(
        &mut self,
        key: &str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.take(key) else {
            return Ok(default);
        };
        match text.parse::<T>() {
            Ok(value) if range.contains(&value) => Ok(value),
            _ => Err(self.error(format!(
                "{key}={text}: allowed is a number from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    /// One of these words, or the first of them: its place among them.
    ///
    /// # Errors
    /// When it is given and is none of them.
    pub fn word(&mut self, key: &str, words: &[&str]) -> Result<usize, SpecError> {
        let Some(text) = self.take(key) else {
            return Ok(0);
        };
        words.iter().position(|w| *w == text).ok_or_else(|| {
            self.error(format!(
                "{key}={text}: allowed is one of {}",
                words.join(", ")
            ))
        })
    }

    /// An error about this policy.
    #[must_use]
    pub fn error(&self, text: impl Into<String>) -> SpecError {
        SpecError {
            spec: self.text.clone(),
            text: text.into(),
        }
    }
}

/// What there is beside an unknown name, the nearest first.
fn others<'a>(name: &str, there_are: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = there_are.collect();
    if names.is_empty() {
        return "; it has none".to_owned();
    }
    names.sort_by_key(|n| strsim::damerau_levenshtein(n, name));
    format!("; there are: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: [Listed; 2] = [
        Listed {
            name: "deep",
            about: "looks far",
            options: &[
                Setting {
                    key: "depth",
                    default: "6",
                    about: "moves, 1 to 9",
                },
                Setting {
                    key: "way",
                    default: "full",
                    about: "full or short",
                },
            ],
        },
        Listed {
            name: "plain",
            about: "does not",
            options: &[],
        },
    ];

    fn problem(text: &str) -> String {
        let taken = Spec::parse(text, &LIST).and_then(|mut s| {
            s.number("depth", 6, 1..=9)?;
            s.word("way", &["full", "short"])
        });
        taken.expect_err("an error").to_string()
    }

    #[test]
    fn options_are_taken_with_their_defaults() {
        let mut spec = Spec::parse("deep:way=short", &LIST).expect("right");
        assert_eq!(spec.name(), "deep");
        assert_eq!(spec.number("depth", 6, 1..=9), Ok(6));
        assert_eq!(spec.word("way", &["full", "short"]), Ok(1));
        assert_eq!(spec.word("way", &["full", "short"]), Ok(0), "taken once");
    }

    #[test]
    fn errors_say_what_there_is() {
        assert!(problem("dep").ends_with("there is no such policy; there are: deep, plain"));
        assert!(problem("deep:dept=3").ends_with("has no option `dept`; there are: depth, way"));
        assert!(problem("plain:a=3").ends_with("has no option `a`; it has none"));
        assert!(problem("deep:depth").ends_with("write key=value"));
        assert!(problem("deep:depth=3,depth=4").ends_with("given twice"));
        assert!(problem("deep:depth=10").ends_with("allowed is a number from 1 to 9"));
        assert!(problem("deep:depth=x").ends_with("allowed is a number from 1 to 9"));
        assert!(problem("deep:way=long").ends_with("allowed is one of full, short"));
    }
}
