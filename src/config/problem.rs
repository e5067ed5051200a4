//! What is wrong with a configuration or profile, in words that name the place and the fix.

use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `FILE`, `FILE:LINE`, `FILE:LINE:COLUMN`, an environment variable or `--set KEY`.
    pub place: String,
    /// What is wrong there and what is allowed.
    pub text: String,
}

impl Problem {
    /// One thing that is wrong.
    pub(super) fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            text: text.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// Everything that is wrong, in the order of the sources; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub Vec<Problem>);

impl fmt::Display for ConfigError {
    /// One line per problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

impl From<Problem> for ConfigError {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

/// The known name nearest to a wrong one.
pub(super) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let wrong_last = last(wrong);
    known.min_by_key(|name| {
        // A right key in the wrong section is nearer than a wrong key in the right one.
        let whole = strsim::damerau_levenshtein(wrong, name);
        let key = strsim::damerau_levenshtein(&wrong_last, &last(name));
        2 * key + whole
    })
}
