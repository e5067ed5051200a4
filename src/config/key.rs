//! What a key may hold, and the check of one value against it.

use toml_edit::Value;

/// One key of a file: where it stands, what it may hold, what it is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// `section.key`; `list[].key` for the tables of a list.
    pub(super) path: &'static str,
    /// What it may hold.
    pub(super) kind: Kind,
    /// The default as TOML, if it has one of its own.
    pub(super) default: Option<&'static str>,
    /// For people: what it does, with the unit.
    pub(super) doc: &'static str,
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Bool,
    Whole(i64, i64),
    Number(f64, f64),
    /// A number, or one word instead.
    NumberOr(f64, f64, &'static str),
    /// Text that passes the check, and how to describe it.
    Text(fn(&str) -> Result<(), String>, &'static str),
    OneOf(&'static [&'static str]),
    /// A list of this many whole numbers (any number of them for 0).
    Wholes(usize, i64, i64),
    /// A list of this many numbers (any number of them for 0).
    Numbers(usize, f64, f64),
}

/// A value that has passed its check.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plain {
    Bool(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Plain>),
}

/// Any text is right, if there is some.
pub(super) fn some_text(text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        Err("it is empty".into())
    } else {
        Ok(())
    }
}

impl Kind {
    /// What is allowed, for messages.
    pub(super) fn allowed(&self) -> String {
        match self {
            Self::Bool => "true or false".into(),
            Self::Whole(min, i64::MAX) => format!("a whole number from {min}"),
            Self::Whole(min, max) => format!("a whole number from {min} to {max}"),
            Self::Number(min, max) => format!("a number from {min} to {max}"),
            Self::NumberOr(min, max, word) => {
                format!("a number from {min} to {max} or \"{word}\"")
            }
            Self::Text(_, what) => (*what).into(),
            Self::OneOf(words) => {
                let quoted: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                format!("one of {}", quoted.join(", "))
            }
            Self::Wholes(0, min, max) => format!("a list of whole numbers from {min} to {max}"),
            Self::Wholes(n, min, max) => {
                format!("a list of {n} whole numbers from {min} to {max}")
            }
            Self::Numbers(0, min, max) => format!("a list of numbers from {min} to {max}"),
            Self::Numbers(n, min, max) => format!("a list of {n} numbers from {min} to {max}"),
        }
    }

    /// The value if it is allowed; else a reason, which may be empty when `allowed` says it all.
    pub(super) fn check(&self, value: &Value) -> Result<Plain, String> {
        let nothing = String::new;
        match self {
            Self::Bool => value.as_bool().map(Plain::Bool).ok_or_else(nothing),
            Self::Whole(min, max) => value
                .as_integer()
                .filter(|v| v >= min && v <= max)
                .map(Plain::Whole)
                .ok_or_else(nothing),
            Self::Number(min, max) => number(value, *min, *max).ok_or_else(nothing),
            Self::NumberOr(min, max, word) => match value.as_str() {
                Some(text) if text == *word => Ok(Plain::Text(text.into())),
                Some(_) => Err(nothing()),
                None => number(value, *min, *max).ok_or_else(nothing),
            },
            Self::Text(check, _) => {
                let text = value.as_str().ok_or_else(nothing)?;
                check(text)?;
                Ok(Plain::Text(text.into()))
            }
            Self::OneOf(words) => value
                .as_str()
                .filter(|v| words.contains(v))
                .map(|v| Plain::Text(v.into()))
                .ok_or_else(nothing),
            Self::Wholes(n, min, max) => list(value, *n, |v| {
                v.as_integer()
                    .filter(|v| v >= min && v <= max)
                    .map(Plain::Whole)
            }),
            Self::Numbers(n, min, max) => list(value, *n, |v| number(v, *min, *max)),
        }
    }

    /// A value from an environment variable or the command line, where texts have no quotes.
    pub(super) fn check_text(&self, text: &str) -> Result<Plain, String> {
        let value = match self {
            Self::Text(..) | Self::OneOf(_) => Value::from(text),
            Self::NumberOr(_, _, word) if text == *word => Value::from(text),
            _ => text.trim().parse::<Value>().map_err(|_| String::new())?,
        };
        self.check(&value)
    }
}

fn number(value: &Value, min: f64, max: f64) -> Option<Plain> {
    let v = match value {
        Value::Integer(v) => *v.value() as f64,
        Value::Float(v) => *v.value(),
        _ => return None,
    };
    (v >= min && v <= max).then_some(Plain::Number(v))
}

fn list(value: &Value, n: usize, each: impl Fn(&Value) -> Option<Plain>) -> Result<Plain, String> {
    let array = value.as_array().ok_or_else(String::new)?;
    if n != 0 && array.len() != n {
        return Err(format!("it has {}", array.len()));
    }
    array
        .iter()
        .map(|v| each(v).ok_or_else(String::new))
        .collect::<Result<_, _>>()
        .map(Plain::List)
}

/// The sentence for a wrong value.
pub(super) fn wrong_value(path: &str, value: &str, kind: &Kind, reason: &str) -> String {
    let mut shown: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(60)
        .collect();
    if shown.len() < value.len() {
        shown.push_str("...");
    }
    let reason = if reason.is_empty() {
        String::new()
    } else {
        format!(" ({reason})")
    };
    format!(
        "{path} = {shown}: not allowed{reason}; allowed is {}",
        kind.allowed()
    )
}

impl Plain {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(v) => Some(v),
            _ => None,
        }
    }

    pub(super) fn as_whole(&self) -> Option<i64> {
        match self {
            Self::Whole(v) => Some(*v),
            _ => None,
        }
    }

    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(v) => Some(*v),
            Self::Whole(v) => Some(*v as f64),
            _ => None,
        }
    }

    pub(super) fn as_list(&self) -> Option<&[Plain]> {
        match self {
            Self::List(v) => Some(v),
            _ => None,
        }
    }
}
