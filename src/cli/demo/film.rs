//! The recording of a demo: each frame with the grid that was found, beside it what is believed,
//! what was decided and the counters.

use crate::cli::annotate;
use crate::cli::recording::Recording;
use crate::games::tetris::rules::Kind;
use crate::games::tetris::target::palette::Palette;
use crate::pipeline::mind::Mind;
use crate::types::{BoardText, Event, Frame, Picture, Time};

/// Width of what stands beside the frame, in px.
const PANEL: u32 = 320;
const GROUND: [u8; 3] = [0x16, 0x19, 0x20];
const INK: [u8; 3] = [0xe6, 0xe8, 0xec];
const FAINT: [u8; 3] = [0x8a, 0x92, 0xa0];
const ALARM: [u8; 3] = [0xff, 0xb0, 0x40];
/// For so long a mismatch stands in the picture, in microseconds.
const SHOWN: u64 = 1_500_000;

/// What is written beside the frames.
#[derive(Debug, Default)]
struct Words {
    decided: String,
    note: String,
    keys: Vec<String>,
    mismatch: Option<(Time, String)>,
    pieces: u32,
    decisions: u32,
    mismatches: u32,
    pressed: u32,
}

/// A recording that is being made.
pub(super) struct Film {
    recording: Recording,
    words: Words,
    page: Picture,
    /// Every frame, every second one ...
    every: u64,
    seen: u64,
    /// The first trouble with the file; nothing is written after it.
    trouble: Option<anyhow::Error>,
}

impl Film {
    /// A film of every `every`th frame.
    pub(super) fn new(recording: Recording, every: u64) -> Self {
        Self {
            recording,
            words: Words::default(),
            page: Picture::default(),
            every: every.max(1),
            seen: 0,
            trouble: None,
        }
    }

    /// Something was recorded in the journal.
    pub(super) fn event(&mut self, at: Time, event: &Event) {
        let words = &mut self.words;
        match event {
            Event::Decided { action, note, .. } => {
                words.decided.clone_from(action);
                words.note.clone_from(note);
                words.keys.clear();
                words.decisions += 1;
            }
            Event::Acted { strokes, .. } => {
                words.keys.push(strokes.replace("key ", ""));
                words.pressed += 1;
            }
            Event::Confirmed { .. } => words.pieces += 1,
            Event::Mismatch {
                cause, handling, ..
            } => {
                words.mismatches += 1;
                words.mismatch = Some((at, format!("{cause} -> {handling}")));
            }
            Event::RunStarted { .. }
            | Event::Calibrated { .. }
            | Event::Observed { .. }
            | Event::Finished(_)
            | Event::RunEnded { .. } => {}
        }
    }

    /// A frame was handled.
    pub(super) fn frame(&mut self, frame: &Frame, mind: &dyn Mind) {
        self.seen += 1;
        if self.trouble.is_some() || !self.seen.is_multiple_of(self.every) {
            return;
        }
        self.compose(frame, mind);
        self.trouble = self.recording.push(&self.page).err();
    }

    /// How many pictures were written.
    ///
    /// # Errors
    /// The first trouble with the file.
    pub(super) fn finish(self) -> anyhow::Result<u64> {
        match self.trouble {
            Some(error) => Err(error),
            None => Ok(self.recording.frames()),
        }
    }

    fn compose(&mut self, frame: &Frame, mind: &dyn Mind) {
        let mut picture = Picture::clone(&frame.picture);
        if let Some(calibration) = mind.calibration()
            && calibration.image == (picture.width(), picture.height())
        {
            annotate::grid(&mut picture, calibration);
        }
        let (width, height) = (picture.width(), picture.height());
        let page = &mut self.page;
        page.reshape(width + PANEL, height);
        let panel = Picture::filled(PANEL, 1, GROUND);
        for y in 0..height {
            let at = y as usize * (width + PANEL) as usize;
            let row = &mut page.pixels_mut()[at..][..(width + PANEL) as usize];
            row[..width as usize].copy_from_slice(picture.row(y));
            row[width as usize..].copy_from_slice(panel.row(0));
        }
        let left = i64::from(width) + 16;
        annotate::write(page, left, 12, FAINT, "believed");
        if let Some(board) = mind.believed() {
            draw_board(page, &board, left, 26, height);
        }
        self.words.write(page, left + 150, frame.captured_at);
    }
}

impl Words {
    fn write(&self, page: &mut Picture, x: i64, now: Time) {
        let mut y = 26;
        let mut line = |ink: [u8; 3], text: &str| {
            // Sixteen letters fit beside the board.
            for part in wrapped(text, 18) {
                annotate::write(page, x, y, ink, &part);
                y += 12;
            }
        };
        line(FAINT, &format!("{:.1} s", now.0 as f64 / 1e6));
        line(INK, &format!("pieces {}", self.pieces));
        line(INK, &format!("keys {}", self.pressed));
        line(INK, &format!("mismatches {}", self.mismatches));
        line(FAINT, "");
        line(FAINT, "decided");
        line(INK, &self.decided);
        line(FAINT, &self.note);
        line(FAINT, "");
        line(FAINT, "sent");
        line(INK, &self.keys.join(" "));
        line(FAINT, "");
        if let Some((at, text)) = &self.mismatch
            && now.0.saturating_sub(at.0) < SHOWN
        {
            line(ALARM, text);
        }
    }
}

/// Text in lines of at most `width` letters, broken between words where that is possible.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        while !word.is_empty() {
            // There is always a last line.
            let Some(last) = lines.last_mut() else { break };
            let used = last.chars().count();
            let room = width.saturating_sub(used + usize::from(used > 0));
            if word.len() > room && used > 0 {
                lines.push(String::new());
                continue;
            }
            if used > 0 {
                last.push(' ');
            }
            let part: String = word.drain(..word.len().min(width)).collect();
            last.push_str(&part);
        }
    }
    lines
}

/// A board as text in small cells.
fn draw_board(page: &mut Picture, board: &BoardText, left: i64, top: i64, height: u32) {
    let rows = board.rows().count().max(1) as i64;
    let cols = board.rows().next().map_or(1, |r| r.chars().count()).max(1) as i64;
    let side = ((i64::from(height) - top - 12) / rows)
        .min(140 / cols)
        .max(2);
    for (y, row) in (0i64..).zip(board.rows()) {
        for (x, letter) in (0i64..).zip(row.chars()) {
            let value = match letter {
                '.' => 0,
                c => Kind::from_letter(c).map_or(8, Kind::number),
            };
            let ink = Palette::Standard.of(value, false);
            for dy in 0..side - 1 {
                for dx in 0..side - 1 {
                    page.set(left + x * side + dx, top + y * side + dy, ink);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_words_and_long_lines_are_broken() {
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
