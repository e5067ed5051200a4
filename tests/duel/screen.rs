//! What is between the program and the loop: its letters as a picture, what somebody does to them,
//! what is misread or seen late.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::types::*;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::program::Program;

/// Side of a cell and width of the margin, in px.
pub const CELL: u32 = 12;
pub const MARGIN: u32 = 16;

/// The colours of `.`, `a`, `b` and of what is none of them.
const COLOURS: [(char, [u8; 3]); 3] = [
    ('.', [30, 60, 190]),
    ('a', [240, 220, 40]),
    ('b', [210, 40, 40]),
];
const STRANGE: [u8; 3] = [40, 170, 90];

/// Between screen and eye, and between hand and program.
#[derive(Clone, Debug)]
pub struct Faults {
    /// Share of the clicks that never arrive, and of those that arrive twice.
    pub lost: f64,
    pub doubled: f64,
    /// So many of the first clicks never arrive.
    pub swallowed: u32,
    /// Share of the frames with one cell misread as another kind, or not read at all.
    pub misread: f64,
    /// Share of the frames that are the one before once more.
    pub stale: f64,
    pub seed: u64,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            lost: 0.0,
            doubled: 0.0,
            swallowed: 0,
            misread: 0.0,
            stale: 0.0,
            seed: 1,
        }
    }
}

/// What somebody does to the program or the screen at a time.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    /// Moves for the person.
    Move,
    /// Moves for the person, and again as soon as it is answered.
    MoveTwice,
    /// Takes moves back.
    Undo(usize),
    /// Begins a new game.
    New,
    /// Lays a hand over a part: columns and rows from, to (beyond), for so many ms.
    Hand([u16; 4], u64),
    /// Moves the window.
    Shift(i32, i32),
    /// Gives both kinds of pieces each other's looks.
    Recolour,
}

/// All that is shared between program, eye and hand.
pub struct Shared {
    pub program: Program,
    pub clock: Arc<dyn Clock>,
    pub faults: Faults,
    pub rng: ChaCha8Rng,
    deeds: Vec<(u64, Deed)>,
    hand: Option<([u16; 4], Time)>,
    pub origin: (i32, i32),
    /// The last time at which the screen did not show the truth, or changed.
    pub unclear: Time,
    again: bool,
}

impl Shared {
    pub fn new(
        program: Program,
        clock: Arc<dyn Clock>,
        faults: Faults,
        deeds: Vec<(u64, Deed)>,
    ) -> Self {
        Self {
            program,
            clock,
            rng: ChaCha8Rng::seed_from_u64(faults.seed),
            faults,
            deeds,
            hand: None,
            origin: (300, 200),
            unclear: Time::ZERO,
            again: false,
        }
    }

    /// Does what is due.
    pub fn go_on(&mut self, now: Time) {
        self.program.go_on(now);
        let mut later = Vec::new();
        for (at, deed) in std::mem::take(&mut self.deeds) {
            if now < Time::from_millis(at) || !self.does(deed, now) {
                later.push((at, deed));
            }
        }
        self.deeds = later;
        if self.again && self.program.is_persons_turn() {
            self.again = false;
            self.program.helped(now);
        }
        self.unclear = self.unclear.max(self.program.changed.min(now));
    }

    /// Whether it could be done.
    fn does(&mut self, deed: Deed, now: Time) -> bool {
        match deed {
            Deed::Move => self.program.helped(now),
            Deed::MoveTwice => {
                let done = self.program.helped(now);
                self.again |= done;
                done
            }
            Deed::Undo(n) => self.program.undo(n, now),
            Deed::New => {
                self.program.key("n", now);
                true
            }
            Deed::Hand(part, ms) => {
                self.hand = Some((part, now + Duration::from_millis(ms)));
                true
            }
            Deed::Recolour => {
                self.program.recolour(now);
                true
            }
            Deed::Shift(x, y) => {
                self.origin = (self.origin.0 + x, self.origin.1 + y);
                true
            }
        }
    }

    /// The letters that are seen.
    pub fn seen(&mut self, now: Time) -> Vec<char> {
        let mut rows = self.program.screen(now);
        let size = self.program.size();
        if let Some(([x0, y0, x1, y1], until)) = self.hand {
            if now >= until {
                self.hand = None;
            }
            for cell in size.cells() {
                if (x0..x1).contains(&cell.col) && (y0..y1).contains(&cell.row) {
                    rows[size.index(cell)] = '?';
                }
            }
        }
        if rows != self.program.truth() {
            self.unclear = now;
        }
        if self.rng.random_bool(self.faults.misread) {
            let at = self.rng.random_range(0..rows.len());
            rows[at] = ['.', 'a', 'b', '?'][self.rng.random_range(0..4)];
        }
        rows
    }
}

pub fn picture(rows: &[char], size: GridSize) -> Picture {
    let (w, h) = extent(size);
    let mut picture = Picture::filled(w, h, [200, 200, 205]);
    for (i, letter) in rows.iter().enumerate() {
        let colour = COLOURS.iter().find(|(l, _)| l == letter);
        let rgb = colour.map_or(STRANGE, |(_, rgb)| *rgb);
        let cell = size.cell(i);
        let (x0, y0) = (u32::from(cell.col) * CELL, u32::from(cell.row) * CELL);
        for y in 0..CELL {
            for x in 0..CELL {
                picture.set((MARGIN + x0 + x).into(), (MARGIN + y0 + y).into(), rgb);
            }
        }
    }
    picture
}

pub fn extent(size: GridSize) -> (u32, u32) {
    let side = |n: u16| u32::from(n) * CELL + 2 * MARGIN;
    (side(size.cols), side(size.rows))
}

/// As somebody has shown it; read from text, so that a field that may be absent needs no mention.
pub fn calibration(size: GridSize) -> Calibration {
    let (w, h) = extent(size);
    let (m, c) = (f64::from(MARGIN), f64::from(CELL));
    let classes = COLOURS.map(|(letter, rgb)| {
        serde_json::json!({ "letter": letter, "rgb": rgb.map(f32::from), "spread": 1.0 })
    });
    serde_json::from_value(serde_json::json!({
        "kind": "cells",
        "size": { "cols": size.cols, "rows": size.rows },
        "image": [w, h],
        "px_from_cell": [c, 0.0, m, 0.0, c, m, 0.0, 0.0, 1.0],
        "classes": classes,
        "gain": GainField::default(),
        "quality": 1.0,
        "residual": 0.0,
    }))
    .expect("a calibration")
}
