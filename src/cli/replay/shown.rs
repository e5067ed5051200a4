//! A replay for a person: what happens from a mismatch on, and the first difference.

use crate::journal::recording::{InputWhat, RecordedTick};
use crate::pipeline::mind::Mind;
use crate::pipeline::replay::{Difference, Onlooker};
use crate::types::{BoardText, Event, Time};

/// Shows events and boards from a mismatch on.
pub struct Shown<'a> {
    from: Option<u32>,
    tell: &'a mut dyn FnMut(&str),
    mismatches: u32,
    frame: u64,
}

impl<'a> Shown<'a> {
    /// Tells line by line what happens from this mismatch on; without one nothing.
    #[must_use]
    pub fn new(from: Option<u32>, tell: &'a mut dyn FnMut(&str)) -> Self {
        Self {
            from,
            tell,
            mismatches: 0,
            frame: 0,
        }
    }

    /// How many there were.
    #[must_use]
    pub const fn mismatches(&self) -> u32 {
        self.mismatches
    }

    fn event(&mut self, at: Time, event: &Event, mind: &dyn Mind) {
        let text = match event {
            Event::Decided {
                action,
                score,
                note,
                ..
            } => format!("decided {action} ({score}): {note}"),
            Event::Acted {
                action, strokes, ..
            } => format!("action {action}: {strokes}"),
            Event::Confirmed { action, .. } => format!("action {action} is confirmed"),
            Event::Mismatch {
                cause,
                handling,
                text,
                ..
            } => format!("mismatch {}: {cause}, {handling}: {text}", self.mismatches),
            Event::Calibrated { size, quality, .. } => {
                format!("a board of {size} is found (quality {quality:.2})")
            }
            Event::Observed { text, .. } => text.clone(),
            Event::Finished(result) => format!("the game has ended: {}", result.why),
            Event::RunStarted { .. } | Event::RunEnded { .. } => return,
        };
        (self.tell)(&format!(
            "{:9.3}  frame {}  {text}",
            at.0 as f64 / 1e6,
            self.frame
        ));
        if matches!(event, Event::Mismatch { .. } | Event::Decided { .. }) {
            for line in beside(&mind.seen(), &mind.believed().unwrap_or_default()) {
                (self.tell)(&format!("           {line}"));
            }
        }
    }
}

impl Onlooker for Shown<'_> {
    fn tick(&mut self, tick: &RecordedTick, events: &[Event], mind: &dyn Mind) {
        if let InputWhat::Frame(facts) = &tick.input.what {
            self.frame = facts.seq;
        }
        for event in events {
            self.mismatches += u32::from(matches!(event, Event::Mismatch { .. }));
            if self.from.is_some_and(|n| self.mismatches >= n) {
                self.event(Time(tick.input.now), event, mind);
            }
        }
    }
}

/// Two boards side by side; between rows that differ stands a `*`.
fn beside(seen: &BoardText, believed: &BoardText) -> Vec<String> {
    let rows = |b: &BoardText| -> Vec<String> { b.rows().map(str::to_owned).collect() };
    let (left, right) = (rows(seen), rows(believed));
    let width = left
        .iter()
        .map(|r| r.chars().count())
        .max()
        .unwrap_or(0)
        .max(4);
    let mut lines = vec![format!("{:width$}   believed", "seen")];
    for i in 0..left.len().max(right.len()) {
        let empty = String::new();
        let (a, b) = (
            left.get(i).unwrap_or(&empty),
            right.get(i).unwrap_or(&empty),
        );
        let mark = if a == b { ' ' } else { '*' };
        lines.push(format!("{a:width$} {mark} {b}").trim_end().to_owned());
    }
    lines
}

/// The first difference, both sides.
#[must_use]
pub fn difference(d: &Difference) -> Vec<String> {
    let side = |what: &Option<(crate::journal::recording::Topic, serde_json::Value)>| match what {
        Some((topic, value)) => format!("{} {value}", topic.name()),
        None => "nothing more".to_owned(),
    };
    let mut lines = vec![
        format!(
            "  first at {:.3} s, frame {}, tick {}",
            d.at.0 as f64 / 1e6,
            d.frame_seq,
            d.tick
        ),
        format!("  recorded: {}", side(&d.recorded)),
        format!("  replayed: {}", side(&d.replayed)),
    ];
    let (seen, believed) = &d.recorded_boards;
    for (name, then, now) in [
        ("seen", seen.as_deref(), Some(d.replayed_boards.0.as_str())),
        (
            "believed",
            believed.as_deref(),
            d.replayed_boards.1.as_deref(),
        ),
    ] {
        if then.is_some() && then != now {
            lines.push(format!(
                "  recorded as {name}: {}",
                then.unwrap_or_default()
            ));
            lines.push(format!("  replayed as {name}: {}", now.unwrap_or_default()));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_differ_are_marked() {
        let board = |text: &str| BoardText(text.to_owned());
        let lines = beside(&board("ab/cd"), &board("ab/cc/e"));
        assert_eq!(
            lines,
            ["seen   believed", "ab     ab", "cd   * cc", "     * e"]
        );
    }
}
