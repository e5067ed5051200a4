//! From a profile to text that reads back as the same profile.

use std::fmt::Write;

use toml_edit::{Array, Value};

use super::super::key::Key;
use super::keys::ALL;
use super::{Click, Drop, Profile, Source, VERSION, hands, steps};
use crate::types::BoardKind;

pub(super) struct Writer {
    pub(super) out: String,
    section: String,
}

impl Writer {
    /// A key with its description, below its section.
    pub(super) fn put(&mut self, path: &str, value: impl Into<Value>) {
        let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
        if section != self.section {
            let _ = writeln!(self.out, "\n[{section}]");
            self.section = section.to_owned();
        }
        self.doc(path);
        let _ = writeln!(self.out, "{name} = {}", value.into().to_string().trim());
    }

    fn doc(&mut self, path: &str) {
        let doc = ALL.iter().find(|k: &&Key| k.path == path);
        if let Some(key) = doc {
            let _ = writeln!(self.out, "# {}", key.doc);
        }
    }

    pub(super) fn maybe(&mut self, path: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.put(path, value);
        }
    }
}

pub(super) fn list<T: Into<Value>>(values: impl IntoIterator<Item = T>) -> Value {
    Value::Array(values.into_iter().map(Into::into).collect::<Array>())
}

pub(super) fn millis(d: Option<std::time::Duration>) -> Option<i64> {
    d.map(|d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
}

impl Profile {
    /// A file that reads back as this profile. Durations are kept to the millisecond.
    ///
    /// # Errors
    /// When a saved calibration or a target's settings hold what TOML cannot.
    pub fn to_toml(&self) -> Result<String, toml_edit::ser::Error> {
        let mut w = Writer {
            out: String::new(),
            section: String::new(),
        };
        w.put("version", VERSION);
        let mut simulated = None;
        match &self.source {
            Source::Window { title, class, id } => {
                w.maybe("source.window", title.as_deref());
                w.maybe("source.class", class.as_deref());
                w.maybe("source.id", id.map(|id| format!("{id:#x}")));
            }
            Source::Screen(which) => w.put("source.screen", which.as_str()),
            Source::Region(r) => {
                let sides = [r.x.into(), r.y.into(), r.width.into(), r.height.into()];
                w.put("source.region", list::<i64>(sides));
            }
            Source::File(path) => w.put("source.file", path.display().to_string()),
            Source::Camera(spec) => w.camera(spec),
            Source::Simulated(settings) => simulated = Some(settings),
        }
        w.put("game.name", self.game.as_str());
        w.maybe("game.limit", self.limit.map(i64::from));
        if !self.new_game.is_empty() {
            w.put("game.new_game", steps::text(&self.new_game));
        }
        let start = self
            .start
            .map(|c| list([i64::from(c.col), i64::from(c.row)]));
        w.maybe("game.start", start);
        w.sides(&self.duel);
        w.script(&self.script);
        w.maybe("policy.fallback", self.fallback.as_deref());
        w.maybe("board.cols", self.size.map(|s| i64::from(s.cols)));
        w.maybe("board.rows", self.size.map(|s| i64::from(s.rows)));
        w.maybe("board.kind", self.kind.map(BoardKind::name));
        if let Click::Swatches(_) = self.click {
            w.put("controls.click", "swatch");
        }
        if self.duel.drop == Drop::Top {
            w.put("controls.click", "top");
        }
        w.duel(&self.duel);
        w.tetris(&self.tetris);
        w.maybe("timing.settle_ms", millis(self.timing.settle));
        w.maybe("timing.hold_ms", millis(self.timing.hold));
        w.maybe("timing.gap_ms", millis(self.timing.gap));
        w.maybe("timing.confirm_timeout_ms", millis(self.timing.confirm));
        if let Some(spec) = &self.hands {
            hands::write(&mut w, spec);
        }
        w.dialogs(&self.script.dialogs);
        if let Click::Swatches(swatches) = &self.click {
            for swatch in swatches {
                let at = list([swatch.at.x, swatch.at.y]);
                let letter = Value::from(swatch.letter.to_string());
                let _ = write!(
                    w.out,
                    "\n[[controls.swatches]]\nletter = {letter}\nat = {at}\n"
                );
            }
        }
        for class in &self.classes {
            let letter = Value::from(class.letter.to_string());
            let rgb = list(class.rgb.map(i64::from));
            let _ = write!(w.out, "\n[[classes]]\nletter = {letter}\nrgb = {rgb}\n");
        }
        if let Some(settings) = simulated {
            let text = toml_edit::ser::to_string_pretty(&Nested {
                source: Some(Inner {
                    simulated: settings,
                }),
                calibration: None,
            })?;
            w.out.push('\n');
            w.out.push_str(&text);
        }
        if let Some(calibration) = &self.calibration {
            let text = toml_edit::ser::to_string_pretty(&Nested {
                source: None,
                calibration: Some(calibration),
            })?;
            w.out
                .push_str("\n# Found on the screen and saved; used while it still fits.\n");
            w.out.push_str(&text);
        }
        Ok(w.out)
    }
}

#[derive(serde::Serialize)]
struct Nested<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Inner<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<&'a crate::types::Calibration>,
}

#[derive(serde::Serialize)]
struct Inner<'a> {
    simulated: &'a serde_json::Value,
}
