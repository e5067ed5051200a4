//! A TOML file against a list of keys: what stands where, or what is wrong where.

use std::io::Read;
use std::path::Path;

use toml_edit::{Document, Item, TableLike, Value};

use super::key::{Key, Plain, wrong_value};
use super::problem::{ConfigError, Problem, nearest};

/// No configuration is longer; `/dev/zero` is.
const MOST: u64 = 1 << 20;

/// One key that is set.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// `section.key`, with indices in lists: `classes[2].letter`.
    pub(super) path: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// Its value.
    pub(super) value: Plain,
}

/// Reads a text file; the error names it.
pub(super) fn read(path: &Path) -> Result<String, ConfigError> {
    let name = path.display().to_string();
    let problem = |text: String| ConfigError::from(Problem::new(name.clone(), text));
    let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => problem("there is no such file".into()),
        _ => problem(format!("cannot be read: {e}")),
    })?;
    if meta.is_dir() {
        return Err(problem("is a folder, not a file".into()));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|f| f.take(MOST + 1).read_to_end(&mut bytes))
        .map_err(|e| problem(format!("cannot be read: {e}")))?;
    if bytes.len() as u64 > MOST {
        return Err(problem("is longer than 1 MiB".into()));
    }
    String::from_utf8(bytes).map_err(|e| {
        let good = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..good].iter().filter(|b| **b == b'\n').count();
        ConfigError::from(Problem::new(
            format!("{name}:{line}"),
            "is not UTF-8 text; save it as UTF-8",
        ))
    })
}

/// Line and column of a byte, both from 1; columns count characters.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].chars().count() + 1)
}

/// What stands in a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Keys that are set, in the order of the file.
    pub(super) entries: Vec<Entry>,
    /// Sections whose contents belong to somebody else, with their lines.
    pub(super) raw: Vec<(String, Item, usize)>,
}

impl Found {
    /// A key, if it is set.
    pub(super) fn get(&self, path: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.path == path)
    }
}

/// Parses `text` and checks it against `keys`; `file` is its name in messages, `raw` are the
/// sections that are not looked into.
pub(super) fn parse(
    file: &str,
    text: &str,
    keys: &[Key],
    raw: &[&str],
) -> Result<Found, ConfigError> {
    let document = Document::parse(text).map_err(|e| {
        let (line, column) = position(text, e.span().map_or(0, |s| s.start));
        // The parser's message may have several lines; only the first belongs on one.
        let words = e.message().lines().collect::<Vec<_>>().join(", ");
        Problem::new(
            format!("{file}:{line}:{column}"),
            format!("not TOML: {words}"),
        )
    })?;
    let mut walk = Walk {
        file,
        text,
        keys,
        raw,
        found: Found::default(),
        problems: Vec::new(),
    };
    walk.table("", "", document.as_table(), 1);
    if walk.problems.is_empty() {
        Ok(walk.found)
    } else {
        Err(ConfigError(walk.problems))
    }
}

struct Walk<'a> {
    file: &'a str,
    text: &'a str,
    keys: &'a [Key],
    raw: &'a [&'a str],
    found: Found,
    problems: Vec<Problem>,
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        name.to_owned()
    } else {
        format!("{prefix}.{name}")
    }
}

impl Walk<'_> {
    fn line(&self, span: Option<std::ops::Range<usize>>, otherwise: usize) -> usize {
        span.map_or(otherwise, |s| position(self.text, s.start).0)
    }

    fn problem(&mut self, line: usize, text: String) {
        self.problems
            .push(Problem::new(format!("{}:{line}", self.file), text));
    }

    /// `path` has indices, `pattern` has `[]` instead.
    fn table(&mut self, path: &str, pattern: &str, table: &dyn TableLike, line: usize) {
        for (name, item) in table.iter() {
            let key_span = table.get_key_value(name).and_then(|(k, _)| k.span());
            let line = self.line(key_span.or_else(|| item.span()), line);
            self.item(&join(path, name), &join(pattern, name), item, line);
        }
    }

    fn item(&mut self, path: &str, pattern: &str, item: &Item, line: usize) {
        if self.raw.contains(&pattern) {
            self.found.raw.push((path.into(), item.clone(), line));
            return;
        }
        let key = self.keys.iter().find(|k| k.path == pattern);
        let within = format!("{pattern}.");
        let listed = format!("{pattern}[].");
        let is_section = self.keys.iter().any(|k| k.path.starts_with(&within));
        let is_list = self.keys.iter().any(|k| k.path.starts_with(&listed));
        match (item, key) {
            (Item::Value(value), Some(key)) => match key.kind.check(value) {
                Ok(plain) => self.found.entries.push(Entry {
                    path: path.into(),
                    line,
                    value: plain,
                }),
                Err(reason) => {
                    let shown = self.shown(value);
                    self.problem(line, wrong_value(path, &shown, &key.kind, &reason));
                }
            },
            (_, Some(key)) => {
                let allowed = key.kind.allowed();
                self.problem(
                    line,
                    format!("{path} is a section: not allowed; allowed is {allowed}"),
                );
            }
            (item, None) if is_section => match item.as_table_like() {
                Some(table) => self.table(path, pattern, table, line),
                None => self.problem(
                    line,
                    format!("{path} is not a section: write [{path}] and its keys below"),
                ),
            },
            (item, None) if is_list => self.list(path, pattern, item, line),
            (item, None) => self.unknown(path, pattern, item, line),
        }
    }

    fn list(&mut self, path: &str, pattern: &str, item: &Item, line: usize) {
        let pattern = format!("{pattern}[]");
        if let Some(tables) = item.as_array_of_tables() {
            for (i, table) in tables.iter().enumerate() {
                let line = self.line(table.span(), line);
                let path = format!("{path}[{i}]");
                if table.is_empty() {
                    self.empty(&path, line);
                }
                self.table(&path, &pattern, table, line);
            }
        } else if let Some(array) = item.as_array() {
            for (i, value) in array.iter().enumerate() {
                let line = self.line(value.span(), line);
                let path = format!("{path}[{i}]");
                match value.as_inline_table() {
                    Some(table) if table.is_empty() => self.empty(&path, line),
                    Some(table) => self.table(&path, &pattern, table, line),
                    None => self.problem(line, format!("{path} is not a table {{ ... }}")),
                }
            }
        } else {
            self.problem(
                line,
                format!("{path} is not a list: write [[{path}]] and its keys below"),
            );
        }
    }

    fn empty(&mut self, path: &str, line: usize) {
        self.problem(
            line,
            format!("{path} is empty: give its keys, or leave it out"),
        );
    }

    /// Reports an unknown name once, not every key below it.
    fn unknown(&mut self, path: &str, pattern: &str, item: &Item, line: usize) {
        let top = !pattern.contains('.');
        if top && (item.is_table() || item.is_array_of_tables()) {
            let sections = self.keys.iter().filter_map(|k| k.path.split_once('.'));
            let names = sections.map(|(s, _)| s.trim_end_matches("[]"));
            let near = nearest(pattern, names.chain(self.raw.iter().copied()));
            let near = near.unwrap_or_default();
            self.problem(
                line,
                format!("unknown section [{path}]; did you mean [{near}]?"),
            );
        } else {
            let near = nearest(pattern, self.keys.iter().map(|k| k.path)).unwrap_or_default();
            self.problem(line, format!("unknown key {path}; did you mean {near}?"));
        }
    }

    /// A value as it stands in the file.
    fn shown(&self, value: &Value) -> String {
        value
            .span()
            .and_then(|s| self.text.get(s))
            .map_or_else(|| value.to_string(), str::to_owned)
    }
}
