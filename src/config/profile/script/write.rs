//! From a script to text that reads back as the same script.

use std::fmt::Write as _;

use toml_edit::{Array, InlineTable, Value};

use super::super::write::{Writer, millis};
use crate::types::{Act, BoardSight, Dialog, Look, Place, Script, Step, WindowName};

impl Writer {
    /// A script's sections.
    pub(in super::super) fn script(&mut self, script: &Script) {
        if script.start.always {
            self.put("start.always", true);
        }
        if let Some(see) = &script.start.see {
            let mut table = InlineTable::new();
            look(&mut table, "see", see);
            for (name, value) in table.iter() {
                self.put(&format!("start.{name}"), value.clone());
            }
        }
        if !script.start.steps.is_empty() {
            self.put("start.steps", steps(&script.start.steps));
        }
        if !script.again.is_empty() {
            self.put("again.steps", steps(&script.again));
        }
    }

    /// A script's dialogs, each in a table of a list.
    pub(in super::super) fn dialogs(&mut self, dialogs: &[Dialog]) {
        for dialog in dialogs {
            let mut table = InlineTable::new();
            table.insert("name", dialog.name.as_str().into());
            window(&mut table, dialog.window.as_ref());
            if let Some(see) = &dialog.see {
                look(&mut table, "see", see);
            }
            let board = dialog.board.map(|b| match b {
                BoardSight::Absent => "absent",
                BoardSight::Covered => "covered",
                BoardSight::Over => "over",
            });
            if let Some(board) = board {
                table.insert("board", board.into());
            }
            table.insert("after_ms", millis(Some(dialog.after)).unwrap_or(0).into());
            table.insert("steps", steps(&dialog.steps));
            // Nothing is lost when text cannot be appended to text: it always can.
            let _ = writeln!(self.out, "\n[[dialog]]");
            for (name, value) in table.iter() {
                let _ = writeln!(self.out, "{name} = {}", value.to_string().trim());
            }
        }
    }
}

fn window(table: &mut InlineTable, name: Option<&WindowName>) {
    let Some(name) = name else {
        return;
    };
    if let Some(title) = &name.title {
        let exact = if name.exact { "=" } else { "" };
        table.insert("window", format!("{exact}{title}").into());
    }
    if let Some(class) = &name.class {
        table.insert("class", class.as_str().into());
    }
}

fn look(table: &mut InlineTable, key: &str, look: &Look) {
    match look {
        Look::Picture { name, .. } => {
            table.insert(key, name.as_str().into());
        }
        Look::Colour {
            tolerance, least, ..
        } => {
            table.insert(key, look.to_string().into());
            table.insert("tolerance", i64::from(*tolerance).into());
            table.insert("least_percent", percent(*least).into());
        }
    }
}

/// Hundredths to a few digits, so that what was read comes back.
fn percent(part: f64) -> f64 {
    (part * 1e8).round() / 1e6
}

fn steps(steps: &[Step]) -> Value {
    let one = |step: &Step| {
        let mut table = InlineTable::new();
        match &step.act {
            Act::Key(name) => {
                table.insert("key", name.as_str().into());
            }
            Act::Click(Place::Seen(seen)) => look(&mut table, "click", seen),
            Act::Click(place) => {
                table.insert("click", place.to_string().into());
            }
            Act::Await(seen) => look(&mut table, "see", seen),
            Act::Focus => {
                table.insert("focus", true.into());
            }
            Act::Wait(time) => {
                table.insert("wait_ms", millis(Some(*time)).unwrap_or(0).into());
            }
            Act::Still(time) => {
                table.insert("still_ms", millis(Some(*time)).unwrap_or(0).into());
            }
        }
        window(&mut table, step.window.as_ref());
        table.insert("within_ms", millis(Some(step.within)).unwrap_or(0).into());
        Value::InlineTable(table)
    };
    Value::Array(steps.iter().map(one).collect::<Array>())
}
