//! The section of a profile that only Tetris needs, from text and back.

use super::super::key::Plain;
use super::Tetris;
use super::read::Reader;
use super::write::{Writer, list, millis};
use crate::types::{GridSize, Point, SideGrid};

impl Reader<'_> {
    pub(super) fn tetris(&mut self) -> Tetris {
        Tetris {
            system: self.string("tetris.system"),
            next: self.next_box(),
            left: self.string("tetris.left"),
            right: self.string("tetris.right"),
            rotate: self.string("tetris.rotate"),
            drop: self.string("tetris.drop"),
            fall: self.millis("tetris.fall_ms"),
            clear: self.millis("tetris.clear_ms"),
            dead_reckoning: self.string("tetris.mode").as_deref() == Some("dead-reckoning"),
        }
    }

    fn next_box(&mut self) -> Option<SideGrid> {
        let line = self.found.get("tetris.next").map(|e| e.line);
        let list = self.value("tetris.next").and_then(Plain::as_list);
        let Some(numbers) = list else {
            if let Some(pitch) = self.found.get("tetris.next_pitch") {
                let line = Some(pitch.line);
                let text = "tetris.next_pitch is used with tetris.next only";
                self.problem(line, text.into());
            }
            return None;
        };
        let numbers: Vec<f64> = numbers.iter().filter_map(Plain::as_number).collect();
        let [x, y, cols, rows] = <[f64; 4]>::try_from(numbers).ok()?;
        let side = |v: f64| (v.fract() == 0.0 && (1.0..=8.0).contains(&v)).then_some(v as u16);
        let (Some(cols), Some(rows)) = (side(cols), side(rows)) else {
            let text = format!(
                "tetris.next: a box of {cols} columns and {rows} rows; allowed are 1 to 8 of each"
            );
            self.problem(line, text);
            return None;
        };
        let pitch = self.value("tetris.next_pitch").and_then(Plain::as_number);
        Some(SideGrid {
            at: Point::new(x, y),
            size: GridSize::new(cols, rows),
            pitch: pitch.unwrap_or(1.0),
        })
    }
}

impl Writer {
    pub(super) fn tetris(&mut self, tetris: &Tetris) {
        self.maybe("tetris.system", tetris.system.as_deref());
        if let Some(next) = tetris.next {
            let sides = [
                next.at.x,
                next.at.y,
                next.size.cols.into(),
                next.size.rows.into(),
            ];
            self.put("tetris.next", list::<f64>(sides));
            self.put("tetris.next_pitch", next.pitch);
        }
        self.maybe("tetris.left", tetris.left.as_deref());
        self.maybe("tetris.right", tetris.right.as_deref());
        self.maybe("tetris.rotate", tetris.rotate.as_deref());
        self.maybe("tetris.drop", tetris.drop.as_deref());
        self.maybe("tetris.fall_ms", millis(tetris.fall));
        self.maybe("tetris.clear_ms", millis(tetris.clear));
        if tetris.dead_reckoning {
            self.put("tetris.mode", "dead-reckoning");
        }
    }
}
