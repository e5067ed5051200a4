//! Keys pressed together: `ctrl+alt+x`.

use std::fmt;
use std::str::FromStr;

/// Modifiers and one key, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chord {
    /// Control.
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
    /// The key with the logo.
    pub logo: bool,
    /// The other key, by its name: `x`, `f12`, `escape`.
    pub key: String,
}

impl FromStr for Chord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut chord = Self {
            ctrl: false,
            alt: false,
            shift: false,
            logo: false,
            key: String::new(),
        };
        for part in text.split('+') {
            let part = part.trim().to_ascii_lowercase();
            let modifier = match part.as_str() {
                "ctrl" | "control" => &mut chord.ctrl,
                "alt" => &mut chord.alt,
                "shift" => &mut chord.shift,
                "super" | "meta" | "logo" | "win" => &mut chord.logo,
                "" => return Err("a key is missing".into()),
                key if !chord.key.is_empty() => {
                    return Err(format!("{} and {key} are two keys", chord.key));
                }
                key if !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                    return Err(format!("{key} is not the name of a key"));
                }
                key => {
                    chord.key = key.to_owned();
                    continue;
                }
            };
            if std::mem::replace(modifier, true) {
                return Err(format!("{part} twice"));
            }
        }
        if chord.key.is_empty() {
            return Err("no key beside the modifiers".into());
        }
        if !(chord.ctrl || chord.alt || chord.logo) {
            return Err("one of ctrl, alt and super is needed, or typing would stop a run".into());
        }
        Ok(chord)
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [
            (self.ctrl, "ctrl+"),
            (self.alt, "alt+"),
            (self.shift, "shift+"),
            (self.logo, "super+"),
        ] {
            if on {
                f.write_str(name)?;
            }
        }
        f.write_str(&self.key)
    }
}
