//! `[start]`, `[again]` and `[[dialog]]`: what is done beside moves, step by step.
//!
//! Takes the entries of a file, gives a [`Script`] whose pictures are loaded, or every problem with
//! its line. Must never hold a place that can only be right on one screen: all of them are parts of
//! a window, cells of a board, or something to be seen.

mod write;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::super::document::Found;
use super::super::key::Plain;
use super::super::problem::Problem;
use super::find::PICTURES;
use crate::types::{
    Act, BoardSight, Dialog, Look, Picture, Place, Point, Script, Start, Step, WindowName,
};

/// A step that cannot be made for so long has failed.
const WITHIN: Duration = Duration::from_secs(5);
/// So long a dialog must have been there: what comes and goes at once wants no answer.
const AFTER: Duration = Duration::from_millis(500);
/// How much a colour may differ.
const TOLERANCE: u8 = 24;
/// Least share of the window that an area of a colour has.
const LEAST: f64 = 0.000_5;
/// What a step may do.
const ACTS: [&str; 6] = ["key", "click", "see", "focus", "wait_ms", "still_ms"];

/// A place as it is written; pictures are not opened here.
#[derive(Clone, Debug, PartialEq)]
enum Written<'a> {
    Board(Point),
    Part(Point),
    Colour([u8; 3]),
    Picture(&'a str),
}

fn place(text: &str) -> Result<Written<'_>, String> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        let number = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 6);
        let rgb = number.map(|n| [(n >> 16) as u8, (n >> 8) as u8, n as u8]);
        return rgb
            .map(Written::Colour)
            .ok_or_else(|| "a colour has six digits".into());
    }
    if ["png", "jpg", "jpeg"].iter().any(|e| {
        let ending = Path::new(text).extension();
        ending.is_some_and(|found| found.eq_ignore_ascii_case(e))
    }) {
        return Ok(Written::Picture(text));
    }
    let Some((x, y)) = text.split_once(',') else {
        return Err(String::new());
    };
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|v| v.abs() <= 1000.0);
    let share = |t: &str| {
        let hundredths = number(t.trim().strip_suffix('%')?)?;
        (0.0..=100.0)
            .contains(&hundredths)
            .then_some(hundredths / 100.0)
    };
    match (share(x), share(y), number(x), number(y)) {
        (Some(x), Some(y), ..) => Ok(Written::Part(Point::new(x, y))),
        (.., Some(x), Some(y)) => Ok(Written::Board(Point::new(x, y))),
        _ => Err(String::new()),
    }
}

/// Whether it is a place that can be clicked.
pub(super) fn is_place(text: &str) -> Result<(), String> {
    place(text).map(|_| ())
}

/// Whether it is something that can be seen.
pub(super) fn is_look(text: &str) -> Result<(), String> {
    match place(text)? {
        Written::Colour(_) | Written::Picture(_) => Ok(()),
        Written::Board(_) | Written::Part(_) => Err("a place is not to be seen".into()),
    }
}

struct Reader<'a> {
    file: &'a str,
    found: &'a Found,
    /// Whether the source is a window, which has others beside it.
    windowed: bool,
    problems: Vec<Problem>,
}

/// The script of a profile, and what is wrong with it. `windowed`: the source is a window.
pub(super) fn read(file: &str, found: &Found, windowed: bool) -> (Script, Vec<Problem>) {
    let mut reader = Reader {
        file,
        found,
        windowed,
        problems: Vec::new(),
    };
    let script = reader.script();
    (script, reader.problems)
}

impl Reader<'_> {
    fn problem(&mut self, line: usize, text: String) {
        let place = format!("{}:{line}", self.file);
        self.problems.push(Problem::new(place, text));
    }

    fn value(&self, path: &str) -> Option<&Plain> {
        self.found.get(path).map(|e| &e.value)
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.value(path).and_then(Plain::as_text)
    }

    fn line(&self, path: &str) -> Option<usize> {
        let entries = &self.found.entries;
        let within = |p: &str| {
            p.strip_prefix(path).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('.') || rest.starts_with('[')
            })
        };
        entries.iter().find(|e| within(&e.path)).map(|e| e.line)
    }

    fn millis(&self, path: &str) -> Option<Duration> {
        let whole = self.value(path).and_then(Plain::as_whole)?;
        u64::try_from(whole).ok().map(Duration::from_millis)
    }

    fn script(&mut self) -> Script {
        let always = self.value("start.always") == Some(&Plain::Bool(true));
        let start = Start {
            always,
            see: self.look("start", "see"),
            steps: self.steps("start.steps"),
        };
        if start.steps.is_empty()
            && self.problems.is_empty()
            && let Some(line) = self.line("start")
        {
            let text = "[start] has no steps: write steps = [{ key = \"ctrl+n\" }] below it";
            self.problem(line, text.into());
        }
        if self.value("start.see").is_none() {
            self.refuse_colour_keys("start");
        }
        let again = self.steps("again.steps");
        if let (false, Some(line)) = (again.is_empty(), self.line("game.new_game")) {
            let text = "game.new_game and [again] both start the next game: keep one of them";
            self.problem(line, text.into());
        }
        let mut dialogs = Vec::new();
        while let Some(line) = self.line(&format!("dialog[{}]", dialogs.len())) {
            let dialog = self.dialog(dialogs.len(), line);
            dialogs.push(dialog);
        }
        Script {
            start,
            again,
            dialogs,
        }
    }

    fn dialog(&mut self, i: usize, line: usize) -> Dialog {
        let path = format!("dialog[{i}]");
        let key = |name: &str| format!("{path}.{name}");
        let name = self
            .text(&key("name"))
            .map_or_else(|| (i + 1).to_string(), str::to_owned);
        let window = self.window(&path);
        let see = self.look(&path, "see");
        let board = match self.text(&key("board")) {
            Some("absent") => Some(BoardSight::Absent),
            Some("covered") => Some(BoardSight::Covered),
            Some(_) => Some(BoardSight::Over),
            None => None,
        };
        let asked = ["window", "class", "see", "board"];
        if !asked.iter().any(|n| self.value(&key(n)).is_some()) {
            let text = format!("{path} says not when: give window (or class), see or board");
            self.problem(line, text);
        }
        if see.is_none() {
            self.refuse_colour_keys(&path);
        }
        let steps = self.steps(&key("steps"));
        if steps.is_empty() && self.problems.is_empty() {
            let text = format!("{path} has no steps: write steps = [{{ key = \"Return\" }}]");
            self.problem(line, text);
        }
        Dialog {
            name,
            window,
            see,
            board,
            after: self.millis(&key("after_ms")).unwrap_or(AFTER),
            steps,
        }
    }

    fn steps(&mut self, list: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut n = 0;
        while let Some(line) = self.line(&format!("{list}[{n}]")) {
            steps.extend(self.step(&format!("{list}[{n}]"), line));
            n += 1;
        }
        steps
    }

    fn step(&mut self, path: &str, line: usize) -> Option<Step> {
        let key = |name: &str| format!("{path}.{name}");
        let given: Vec<&str> = ACTS
            .into_iter()
            .filter(|name| self.value(&key(name)).is_some())
            .collect();
        let [act] = given[..] else {
            let there = match given.len() {
                0 => "nothing".to_owned(),
                _ => given.join(" and "),
            };
            let text = format!(
                "{path} does {there}: a step does one thing, one of {}",
                ACTS.join(", ")
            );
            self.problem(line, text);
            return None;
        };
        let window = self.window(path);
        let done = match act {
            "key" => Act::Key(self.text(&key(act))?.to_owned()),
            "click" => Act::Click(self.place(path, line, window.is_some())?),
            "see" => Act::Await(self.look(path, act)?),
            "focus" => Act::Focus,
            "wait_ms" => Act::Wait(self.millis(&key(act))?),
            _ => Act::Still(self.millis(&key(act))?),
        };
        if !matches!(act, "click" | "see") {
            self.refuse_colour_keys(path);
        }
        if window.is_some() && !matches!(done, Act::Key(_) | Act::Click(_) | Act::Focus) {
            let text = format!("{path}.{act} is about the window that is watched: no window here");
            self.problem(line, text);
        }
        if self.value(&key("focus")) == Some(&Plain::Bool(false)) {
            self.problem(
                line,
                format!("{path}.focus = false does nothing: leave it out"),
            );
        }
        Some(Step {
            act: done,
            window,
            within: self.millis(&key("within_ms")).unwrap_or(WITHIN),
        })
    }

    fn window(&mut self, path: &str) -> Option<WindowName> {
        let title = self.text(&format!("{path}.window")).map(str::to_owned);
        let class = self.text(&format!("{path}.class")).map(str::to_owned);
        if title.is_none() && class.is_none() {
            return None;
        }
        if let (false, Some(line)) = (self.windowed, self.line(path)) {
            let text = format!(
                "{path} names a window: that needs a [source] that is a window (window, class or id)"
            );
            self.problem(line, text);
        }
        let whole = title.as_deref().and_then(|t| t.strip_prefix('='));
        Some(WindowName {
            exact: whole.is_some(),
            title: whole.map(str::to_owned).or(title),
            class,
        })
    }

    /// What `path.click` names; in another window only a part of it can be named.
    fn place(&mut self, path: &str, line: usize, elsewhere: bool) -> Option<Place> {
        // The text has passed its check.
        let written = self
            .text(&format!("{path}.click"))
            .and_then(|t| place(t).ok());
        let found = match written? {
            Written::Board(at) => Place::Board(at),
            Written::Part(at) => Place::Part(at),
            Written::Colour(_) | Written::Picture(_) => Place::Seen(self.look(path, "click")?),
        };
        if elsewhere && !matches!(found, Place::Part(_)) {
            let text = format!(
                "{path}.click: in another window a place is a part of it, like \"50%,60%\"; the \
                 board, pictures and colours are looked for in the window that is watched"
            );
            self.problem(line, text);
        }
        if !matches!(found, Place::Seen(Look::Colour { .. })) {
            self.refuse_colour_keys(path);
        }
        Some(found)
    }

    /// What `path.name` is to be seen as.
    fn look(&mut self, path: &str, name: &str) -> Option<Look> {
        let key = format!("{path}.{name}");
        let entry = self.found.get(&key)?;
        let line = entry.line;
        match place(entry.value.as_text()?).ok()? {
            Written::Colour(rgb) => {
                let whole = |name: &str| self.value(&format!("{path}.{name}"));
                let tolerance = whole("tolerance").and_then(Plain::as_whole);
                let least = whole("least_percent").and_then(Plain::as_number);
                Some(Look::Colour {
                    rgb,
                    tolerance: tolerance
                        .and_then(|v| u8::try_from(v).ok())
                        .unwrap_or(TOLERANCE),
                    least: least.map_or(LEAST, |v| v / 100.0),
                })
            }
            Written::Picture(file) => {
                if name == "see" {
                    self.refuse_colour_keys(path);
                }
                match picture(self.file, file) {
                    Ok((name, picture)) => Some(Look::Picture {
                        name,
                        picture: Arc::new(picture),
                    }),
                    Err(why) => {
                        self.problem(line, format!("{key} = \"{file}\": {why}"));
                        None
                    }
                }
            }
            // Refused by the check of the text.
            Written::Board(_) | Written::Part(_) => None,
        }
    }

    fn refuse_colour_keys(&mut self, path: &str) {
        for name in ["tolerance", "least_percent"] {
            if let Some(line) = self.found.get(&format!("{path}.{name}")).map(|e| e.line) {
                let text = format!("{path}.{name} is for colours like \"#3584e4\" only");
                self.problem(line, text);
            }
        }
    }
}

/// A picture beside the profile, or one that comes with the program; with the name it is found by.
fn picture(profile: &str, file: &str) -> Result<(String, Picture), String> {
    let path = Path::new(profile)
        .parent()
        .unwrap_or(Path::new(""))
        .join(file);
    let shipped = PICTURES.iter().find(|(name, _)| *name == file);
    let (name, bytes) = match (std::fs::read(&path), shipped) {
        (Ok(bytes), _) => {
            // Wherever the profile is saved, the picture is the same.
            let whole = std::path::absolute(&path).unwrap_or(path);
            (whole.display().to_string(), bytes)
        }
        (Err(_), Some((name, bytes))) => ((*name).to_owned(), bytes.to_vec()),
        (Err(error), None) => {
            return Err(format!("{} cannot be read: {error}", path.display()));
        }
    };
    let decoded = image::load_from_memory(&bytes)
        .map_err(|e| format!("{name} is no picture that can be read: {e}"))?;
    let picture = Picture::from_rgb(&decoded.to_rgb8());
    Look::usable(&picture).map_err(|why| format!("{name} cannot be looked for: {why}"))?;
    Ok((name, picture))
}
