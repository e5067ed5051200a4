//! One thing that was looked at.

use serde::Serialize;

/// How it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// As it should be.
    Ok,
    /// It works, or is not needed everywhere; a person may want to know.
    Warn,
    /// It does not work.
    Fail,
}

/// What was found, and what mends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is about: display, hands, serial, ...
    pub topic: &'static str,
    /// What was looked at.
    pub name: String,
    /// How it is.
    pub level: Level,
    /// What was found.
    pub text: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    fn new(topic: &'static str, name: &str, level: Level, text: String, fix: Option<&str>) -> Self {
        Self {
            topic,
            name: name.to_owned(),
            level,
            text,
            fix: fix.map(str::to_owned),
        }
    }

    /// As it should be.
    pub fn ok(topic: &'static str, name: &str, text: impl Into<String>) -> Self {
        Self::new(topic, name, Level::Ok, text.into(), None)
    }

    /// A person may want to know.
    pub fn warn(topic: &'static str, name: &str, text: impl Into<String>, fix: &str) -> Self {
        Self::new(topic, name, Level::Warn, text.into(), Some(fix))
    }

    /// It does not work.
    pub fn fail(topic: &'static str, name: &str, text: impl Into<String>, fix: &str) -> Self {
        Self::new(topic, name, Level::Fail, text.into(), Some(fix))
    }

    /// Fails where it is needed, else a warning.
    pub fn missing(
        needed: bool,
        topic: &'static str,
        name: &str,
        text: impl Into<String>,
        fix: &str,
    ) -> Self {
        let level = if needed { Level::Fail } else { Level::Warn };
        Self::new(topic, name, level, text.into(), Some(fix))
    }

    /// For a person.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mark = match self.level {
            Level::Ok => "ok  ",
            Level::Warn => "WARN",
            Level::Fail => "FAIL",
        };
        let mut lines = vec![format!(
            "{mark}  {}: {}: {}",
            self.topic, self.name, self.text
        )];
        if let Some(fix) = &self.fix {
            lines.push(format!("      fix: {fix}"));
        }
        lines
    }
}
