//! From text to a profile.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml_edit::{Document, Item};

use super::super::document::{self, Found, position};
use super::super::key::Plain;
use super::super::problem::{ConfigError, Problem, nearest};
use super::keys::{ALL, RAW, parse_id};
use super::{Class, Click, Profile, Source, Swatch, Timing, VERSION, hands, script, steps};
use crate::types::{BoardKind, Calibration, Cell, GridSize, Point, Rect};

impl Profile {
    /// From the text of a file; `file` is its name in messages, relative paths in it are relative
    /// to its folder.
    ///
    /// # Errors
    /// Everything that is wrong, each with its line and what is allowed.
    pub fn parse(name: &str, file: &str, text: &str) -> Result<Self, ConfigError> {
        refuse_newer(file, text)?;
        let found = document::parse(file, text, &ALL, RAW)?;
        let mut reader = Reader {
            file,
            text,
            found: &found,
            problems: Vec::new(),
        };
        let profile = reader.profile(name);
        match profile {
            Some(profile) if reader.problems.is_empty() => Ok(profile),
            _ => Err(ConfigError(reader.problems)),
        }
    }
}

/// A newer file may have keys unknown here; its version is the one thing to say.
fn refuse_newer(file: &str, text: &str) -> Result<(), ConfigError> {
    let Ok(document) = Document::parse(text) else {
        return Ok(());
    };
    let Some(item) = document.as_table().get("version") else {
        return Err(Problem::new(
            file,
            format!("version is missing: write `version = {VERSION}` as the first line"),
        )
        .into());
    };
    match item.as_integer() {
        Some(v) if v > VERSION => {
            let line = position(text, item.span().map_or(0, |s| s.start)).0;
            let text = format!(
                "version = {v}: this Kibitzer reads profiles up to version {VERSION}; use the \
                 newer Kibitzer"
            );
            Err(Problem::new(format!("{file}:{line}"), text).into())
        }
        _ => Ok(()),
    }
}

pub(super) struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    pub(super) found: &'a Found,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    pub(super) fn problem(&mut self, line: Option<usize>, text: String) {
        let place = match line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.to_owned(),
        };
        self.problems.push(Problem::new(place, text));
    }

    pub(super) fn value(&self, path: &str) -> Option<&Plain> {
        self.found.get(path).map(|e| &e.value)
    }

    pub(super) fn string(&self, path: &str) -> Option<String> {
        self.value(path).and_then(Plain::as_text).map(str::to_owned)
    }

    pub(super) fn whole<T: TryFrom<i64>>(&self, path: &str) -> Option<T> {
        let v = self.value(path).and_then(Plain::as_whole)?;
        T::try_from(v).ok()
    }

    fn wholes(&self, path: &str) -> Option<Vec<i64>> {
        let list = self.value(path).and_then(Plain::as_list)?;
        list.iter().map(Plain::as_whole).collect()
    }

    pub(super) fn millis(&self, path: &str) -> Option<Duration> {
        self.whole(path).map(Duration::from_millis)
    }

    fn profile(&mut self, name: &str) -> Option<Profile> {
        let source = self.source();
        let game = self.string("game.name");
        if game.is_none() {
            let text = "game.name is missing: write [game] and below it name = \"flood\"";
            self.problem(None, text.into());
        }
        let size = self.size();
        let classes = self.classes();
        let calibration = self.calibration();
        let click = self.click();
        let (hands, wrong) = hands::read(self.file, self.text, self.found);
        self.problems.extend(wrong);
        let windowed = matches!(source, Some(Source::Window { .. }));
        let (script, wrong) = script::read(self.file, self.found, windowed);
        self.problems.extend(wrong);
        let start = self.wholes("game.start").and_then(|v| {
            Some(Cell {
                col: u16::try_from(*v.first()?).ok()?,
                row: u16::try_from(*v.get(1)?).ok()?,
            })
        });
        let duel = self.duel(game.as_deref().unwrap_or_default(), size.map(|s| s.cols));
        let new_game = self.string("game.new_game").unwrap_or_default();
        Some(Profile {
            name: name.to_owned(),
            source: source?,
            game: game?,
            limit: self.whole("game.limit"),
            fallback: self.string("policy.fallback"),
            // The text has passed its check.
            new_game: steps::parse(&new_game).unwrap_or_default(),
            script,
            start,
            size,
            kind: { self.string("board.kind") }.and_then(|k| BoardKind::from_name(&k)),
            classes,
            calibration,
            click,
            timing: Timing {
                settle: self.millis("timing.settle_ms"),
                hold: self.millis("timing.hold_ms"),
                gap: self.millis("timing.gap_ms"),
                confirm: self.millis("timing.confirm_timeout_ms"),
            },
            hands,
            tetris: self.tetris(),
            duel,
        })
    }

    fn source(&mut self) -> Option<Source> {
        let title = self.string("source.window");
        let class = self.string("source.class");
        let id = self.string("source.id").and_then(|t| parse_id(&t));
        let mut kinds = Vec::new();
        if title.is_some() || class.is_some() || id.is_some() {
            kinds.push(Source::Window { title, class, id });
        }
        kinds.extend(self.string("source.screen").map(Source::Screen));
        if let Some(v) = self.wholes("source.region") {
            kinds.extend(self.region(&v));
        }
        if let Some(path) = self.string("source.file") {
            let folder = Path::new(self.file).parent().unwrap_or(Path::new(""));
            kinds.push(Source::File(folder.join(path)));
        }
        kinds.extend(self.cameras().into_iter().map(Source::Camera));
        if let Some(item) = self.raw("source.simulated") {
            kinds.extend(
                self.plain::<serde_json::Value>(&item)
                    .map(Source::Simulated),
            );
        }
        let line = self
            .found
            .entries
            .iter()
            .find(|e| e.path.starts_with("source."));
        let line = line.map(|e| e.line);
        if kinds.len() > 1 {
            let text = "[source] names more than one source: keep one of window (with class and \
                        id), screen, region, file, camera, url and simulated";
            self.problem(line, text.into());
        }
        if kinds.is_empty() && self.problems.is_empty() {
            let text = "[source] is missing: write [source] and below it one of window, class, \
                        id, screen, region, file, camera, url and simulated";
            self.problem(None, text.into());
        }
        kinds.pop()
    }

    fn region(&mut self, v: &[i64]) -> Option<Source> {
        let [x, y, width, height] = *v else {
            return None;
        };
        if width < 1 || height < 1 {
            let line = self.found.get("source.region").map(|e| e.line);
            let text = format!("source.region: {width}x{height} has no area");
            self.problem(line, text);
            return None;
        }
        Some(Source::Region(Rect {
            x: x as i32,
            y: y as i32,
            width: width as u32,
            height: height as u32,
        }))
    }

    fn size(&mut self) -> Option<GridSize> {
        let (cols, rows) = (self.whole("board.cols"), self.whole("board.rows"));
        if cols.is_some() != rows.is_some() {
            let one = ["board.cols", "board.rows"].map(|p| self.found.get(p));
            let line = one.iter().flatten().next().map(|e| e.line);
            let text = "board.cols and board.rows belong together: give both or neither";
            self.problem(line, text.into());
        }
        Some(GridSize::new(cols?, rows?))
    }

    /// How many tables a list has, with the line of each.
    fn tables(&self, list: &str) -> Vec<usize> {
        let mut lines = Vec::new();
        for entry in &self.found.entries {
            if entry.path.starts_with(&format!("{list}[{}].", lines.len())) {
                lines.push(entry.line);
            }
        }
        lines
    }

    fn letter(&mut self, list: &str, i: usize, line: usize, before: &[char]) -> Option<char> {
        let path = format!("{list}[{i}].letter");
        let Some(letter) = self.string(&path).and_then(|t| t.chars().next()) else {
            self.problem(Some(line), format!("{path} is missing"));
            return None;
        };
        if before.contains(&letter) {
            let line = self.found.get(&path).map(|e| e.line);
            self.problem(line, format!("{path}: {letter} is there twice"));
        }
        Some(letter)
    }

    fn classes(&mut self) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for (i, line) in self.tables("classes").into_iter().enumerate() {
            let before: Vec<char> = classes.iter().map(|c| c.letter).collect();
            let letter = self.letter("classes", i, line, &before);
            let path = format!("classes[{i}].rgb");
            let Some([r, g, b]) = self
                .wholes(&path)
                .and_then(|v| <[i64; 3]>::try_from(v).ok())
            else {
                self.problem(Some(line), format!("{path} is missing"));
                continue;
            };
            let rgb = [r as u8, g as u8, b as u8];
            classes.extend(letter.map(|letter| Class { letter, rgb }));
        }
        classes
    }

    fn click(&mut self) -> Click {
        let mut swatches: Vec<Swatch> = Vec::new();
        let list = "controls.swatches";
        for (i, line) in self.tables(list).into_iter().enumerate() {
            let before: Vec<char> = swatches.iter().map(|s| s.letter).collect();
            let letter = self.letter(list, i, line, &before);
            let path = format!("{list}[{i}].at");
            let at = self.value(&path).and_then(Plain::as_list);
            let at: Option<Vec<f64>> = at.map(|v| v.iter().filter_map(Plain::as_number).collect());
            let Some([x, y]) = at.as_deref().and_then(|v| <[f64; 2]>::try_from(v).ok()) else {
                self.problem(Some(line), format!("{path} is missing"));
                continue;
            };
            let at = Point::new(x, y);
            swatches.extend(letter.map(|letter| Swatch { letter, at }));
        }
        let entry = self.found.get("controls.click");
        let line = entry.map(|e| e.line);
        match entry.and_then(|e| e.value.as_text()) {
            Some("swatch") if swatches.is_empty() => {
                let text = "controls.click = \"swatch\" needs the buttons: write \
                            [[controls.swatches]] with letter and at for each class";
                self.problem(line, text.into());
                Click::Cell
            }
            Some("swatch") => Click::Swatches(swatches),
            _ if swatches.is_empty() => Click::Cell,
            _ => {
                let line = self.tables(list).first().copied();
                let text = "controls.swatches are used with controls.click = \"swatch\" only";
                self.problem(line, text.into());
                Click::Cell
            }
        }
    }

    fn raw(&self, section: &str) -> Option<Item> {
        let found = self.found.raw.iter().find(|(path, ..)| path == section);
        found.map(|(_, item, _)| item.clone())
    }

    /// Plain data of somebody else from a section.
    fn plain<T: for<'de> Deserialize<'de>>(&mut self, item: &Item) -> Option<T> {
        let section = self
            .found
            .raw
            .iter()
            .find(|(.., i, _)| i.span() == item.span());
        let (name, line) = section.map_or(("", 1), |(n, _, line)| (n.as_str(), *line));
        let done = item
            .clone()
            .into_value()
            .map_err(|_| "it is not a section".to_owned())
            .and_then(|value| {
                T::deserialize(value.into_deserializer()).map_err(|e| {
                    let words = e.message().lines().collect::<Vec<_>>().join(", ");
                    let at = e.span().map(|s| position(self.text, s.start).0);
                    at.map_or_else(|| words.clone(), |at| format!("line {at}: {words}"))
                })
            });
        match done {
            Ok(plain) => Some(plain),
            Err(words) => {
                let name = name.to_owned();
                self.problem(Some(line), format!("[{name}]: {words}"));
                None
            }
        }
    }

    fn calibration(&mut self) -> Option<Calibration> {
        let item = self.raw("calibration")?;
        let calibration: Calibration = self.plain(&item)?;
        let line = self.found.raw.iter().find(|(p, ..)| p == "calibration");
        let line = line.map(|(.., line)| *line);
        // Keys that the data does not have would be ignored, so they are looked for.
        let known = toml_edit::ser::to_document(&calibration).unwrap_or_default();
        let unknown = unknown_keys(&item, known.as_item(), "calibration");
        for (path, span, near) in unknown {
            let line = span.map(|s| position(self.text, s.start).0).or(line);
            self.problem(line, format!("unknown key {path}; did you mean {near}?"));
        }
        let finite = calibration.px_from_cell.0.iter().all(|v| v.is_finite());
        if calibration.size.is_empty() {
            self.problem(
                line,
                "calibration.size: a board has columns and rows".into(),
            );
        } else if !finite || calibration.px_from_cell.inverse().is_none() {
            self.problem(
                line,
                "calibration.px_from_cell: it maps a board to no area".into(),
            );
        } else if !(0.0..=1.0).contains(&calibration.quality) {
            let text = "calibration.quality: not allowed; allowed is a number from 0 to 1";
            self.problem(line, text.into());
        }
        Some(calibration)
    }
}

type Unknown = (String, Option<std::ops::Range<usize>>, String);

/// Keys in `written` that are not in `known`.
fn unknown_keys(written: &Item, known: &Item, path: &str) -> Vec<Unknown> {
    let mut out = Vec::new();
    if let (Some(w), Some(k)) = (written.as_table_like(), known.as_table_like()) {
        for (name, item) in w.iter() {
            let path = format!("{path}.{name}");
            match k.get(name) {
                Some(known) => out.extend(unknown_keys(item, known, &path)),
                None => {
                    let span = w.get_key_value(name).and_then(|(k, _)| k.span());
                    let near = nearest(name, k.iter().map(|(n, _)| n)).unwrap_or_default();
                    out.push((path, span, near.to_owned()));
                }
            }
        }
    }
    out
}
