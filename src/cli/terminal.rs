//! A run on the terminal: what is seen, believed, decided and done, as lines for a person; or, with
//! `--json`, one object per finished game on stdout and nothing else.

use std::io::IsTerminal;

use crate::cli::out::say;
use crate::pipeline::mind::Mind;
use crate::pipeline::run::Observer;
use crate::types::{BoardText, ClassLook, Event, Frame, Handling, Time};

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Only finished games, as JSON objects.
    Json,
    /// Moves, mismatches and results, a line each.
    Moves,
    /// The board with every decision as well.
    Boards,
}

/// Prints a run.
#[derive(Debug)]
pub struct Terminal {
    show: Show,
    colour: bool,
    frames: u64,
}

impl Terminal {
    /// A terminal that shows this much.
    #[must_use]
    pub fn new(show: Show) -> Self {
        Self {
            show,
            colour: std::io::stdout().is_terminal(),
            frames: 0,
        }
    }

    fn line(&self, at: Time, text: &str) {
        if self.show != Show::Json {
            say(&format!("{:8.3}  {text}", at.0 as f64 / 1e6));
        }
    }

    /// What is seen and what is believed, side by side; where they differ stands a `*`.
    fn boards(&self, believed: &BoardText, mind: &dyn Mind) {
        if self.show != Show::Boards {
            return;
        }
        let seen = mind.seen();
        let width = seen
            .rows()
            .map(|r| 2 * r.chars().count())
            .max()
            .unwrap_or(0);
        say(&format!("          {:width$}  believed", "seen"));
        let classes = mind
            .calibration()
            .map(|c| c.classes.as_slice())
            .unwrap_or_default();
        for (seen, believed) in seen.rows().zip(believed.rows()) {
            let mut line = String::from("          ");
            self.cells(&mut line, seen, classes);
            line.push_str(if seen == believed { "  " } else { "* " });
            self.cells(&mut line, believed, classes);
            say(line.trim_end());
        }
    }

    fn cells(&self, line: &mut String, row: &str, classes: &[ClassLook]) {
        for letter in row.chars() {
            let class = classes.iter().find(|c| c.letter == letter);
            match class.filter(|_| self.colour) {
                Some(look) => {
                    let [r, g, b] = look.rgb.map(|v| v.round().clamp(0.0, 255.0) as u8);
                    // Relative luminance in tenths, against the middle of its range.
                    let dark = u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b) < 1275;
                    let ink = if dark { 97 } else { 30 };
                    line.push_str(&format!("\x1b[{ink};48;2;{r};{g};{b}m{letter} \x1b[0m"));
                }
                None => {
                    line.push(letter);
                    line.push(' ');
                }
            }
        }
    }
}

impl Observer for Terminal {
    fn event(&mut self, at: Time, event: &Event, mind: &dyn Mind) {
        match event {
            Event::RunStarted {
                source,
                game,
                policy,
                ..
            } => {
                self.line(
                    at,
                    &format!("watching {source} for {game}, policy {policy}"),
                );
            }
            Event::Calibrated {
                size,
                corners,
                quality,
                classes,
                took,
                ..
            } => {
                let [a, b, ..] = corners;
                let pitch = a.distance(*b) / f64::from(size.cols.max(1));
                self.line(
                    at,
                    &format!(
                        "found a {size} board at {:.1},{:.1}, pitch {pitch:.2} px, quality \
                         {quality:.2}, in {:.0} ms: {}",
                        a.x,
                        a.y,
                        took.as_secs_f64() * 1e3,
                        classes.join(", ")
                    ),
                );
            }
            Event::Decided {
                board,
                action,
                took,
                note,
                ..
            } => {
                self.boards(board, mind);
                self.line(
                    at,
                    &format!("play {action} ({:.1} ms; {note})", took.as_secs_f64() * 1e3),
                );
            }
            Event::Acted { strokes, retry, .. } => {
                let again = if *retry > 0 {
                    format!(" (retry {retry})")
                } else {
                    String::new()
                };
                self.line(at, &format!("  {strokes}{again}"));
            }
            Event::Confirmed { .. } => {}
            Event::Observed { text, .. } => self.line(at, &format!("  {text}")),
            Event::Mismatch {
                cause,
                handling,
                cells,
                text,
                ..
            } => {
                let cells = match cells.len() {
                    0 => String::new(),
                    1 => ", 1 cell differs".to_owned(),
                    n => format!(", {n} cells differ"),
                };
                let text = if text.is_empty() {
                    String::new()
                } else {
                    format!(": {text}")
                };
                self.line(at, &format!("! {cause} -> {handling}{cells}{text}"));
                if *handling == Handling::Pause && self.show == Show::Json {
                    eprintln!("kibitzer: paused: {cause}{text}");
                }
            }
            Event::Finished(result) => {
                if self.show == Show::Json {
                    // A result is plain data; serialising it cannot fail.
                    say(&serde_json::to_string(result).unwrap_or_default());
                } else {
                    let name = serde_json::to_value(result.result).unwrap_or_default();
                    let extra: Vec<String> = result
                        .extra
                        .iter()
                        .map(|(k, v)| format!("{k} {v}"))
                        .collect();
                    self.line(
                        at,
                        &format!(
                            "{} after {} moves in {:.2} s, {} mismatches ({}); {}",
                            name.as_str().unwrap_or("ended").to_uppercase(),
                            result.moves,
                            result.seconds,
                            result.mismatches,
                            extra.join(", "),
                            result.why
                        ),
                    );
                }
            }
            Event::RunEnded {
                why,
                frames: (handled, dropped),
            } => {
                self.line(
                    at,
                    &format!("ended: {why} ({handled} frames, {dropped} dropped)"),
                );
            }
        }
    }

    fn frame(&mut self, _frame: &Frame, _mind: &dyn Mind) {
        self.frames += 1;
    }
}
