//! The sides of a game for two, as a profile or a person names them.

use std::str::FromStr;

use super::colour;

/// A kind of pieces by its look or its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KindName {
    /// A colour, `red`.
    Colour(&'static str),
    /// The letter of its class on boards as text.
    Letter(char),
}

/// A side: `first`, `second`, a colour or a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SideName {
    /// Moves first in every game.
    First,
    /// Moves second in every game.
    Second,
    /// Has these pieces.
    Kind(KindName),
}

/// Who begins every game: `we`, `they`, or whoever has pieces of a colour or letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beginner {
    /// The side that is played from here.
    We,
    /// The other.
    They,
    /// The side with these pieces.
    Kind(KindName),
}

/// Whether what is said of our side and of who begins cannot both be so.
#[must_use]
pub const fn contradict(side: Option<SideName>, begins: Option<Beginner>) -> bool {
    matches!(
        (side, begins),
        (Some(SideName::First), Some(Beginner::They))
            | (Some(SideName::Second), Some(Beginner::We))
    )
}

impl FromStr for KindName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut chars = text.chars();
        match (colour::named(text), chars.next(), chars.next()) {
            (Some(name), ..) => Ok(Self::Colour(name)),
            (None, Some(c), None) if c.is_ascii_alphanumeric() => Ok(Self::Letter(c)),
            _ => {
                let colours: Vec<&str> = colour::names().collect();
                Err(format!(
                    "`{text}` is neither a colour ({}) nor the letter of a class",
                    colours.join(", ")
                ))
            }
        }
    }
}

impl FromStr for SideName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Self::First),
            "second" => Ok(Self::Second),
            other => other.parse().map(Self::Kind),
        }
    }
}

impl FromStr for Beginner {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "we" => Ok(Self::We),
            "they" => Ok(Self::They),
            other => other.parse().map(Self::Kind),
        }
    }
}

impl std::fmt::Display for KindName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Colour(name) => f.write_str(name),
            Self::Letter(letter) => write!(f, "{letter}"),
        }
    }
}

impl std::fmt::Display for SideName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::First => f.write_str("first"),
            Self::Second => f.write_str("second"),
            Self::Kind(kind) => kind.fmt(f),
        }
    }
}

impl std::fmt::Display for Beginner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::We => f.write_str("we"),
            Self::They => f.write_str("they"),
            Self::Kind(kind) => kind.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for text in ["first", "second", "red", "b", "X"] {
            assert_eq!(
                text.parse::<SideName>().map(|n| n.to_string()),
                Ok(text.into())
            );
        }
        for text in ["we", "they", "black", "1"] {
            assert_eq!(
                text.parse::<Beginner>().map(|n| n.to_string()),
                Ok(text.into())
            );
        }
        assert!(contradict(Some(SideName::First), Some(Beginner::They)));
        assert!(!contradict(Some(SideName::First), Some(Beginner::We)));
        assert!(!contradict(None, Some(Beginner::We)));
        assert!("mauve".parse::<SideName>().is_err());
        assert!("?".parse::<Beginner>().is_err());
        assert!("".parse::<KindName>().is_err());
    }
}
