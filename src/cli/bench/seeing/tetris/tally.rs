//! What was read of a frame against what was on the screen meanwhile, added up.

use super::course::Shown;
use crate::games::tetris::rules::System;
use crate::games::tetris::vision::sight::Sight;
use crate::games::tetris::vision::{FILLED, value};
use crate::types::{Calibration, Cell, Reading};

/// Counts of one setting or several.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Frames, bad and unfound ones among them.
    pub frames: u64,
    /// Frames spoilt by the camera, cells of these read as something else, and as Unknown.
    pub spoilt: [u64; 3],
    /// Frames without a calibration.
    pub blind: u64,
    /// Frames from a knock until the board was found again, and cells read wrong in them.
    pub astray: [u64; 2],
    /// Cells of good frames: all, wrong, Unknown.
    pub cells: [u64; 3],
    /// Frames with a piece in the air that stood still: all, kind right, kind wrong.
    pub free: [u64; 3],
    /// Frames with a piece that touches the pile: all, its pose among the guesses.
    pub touching: [u64; 2],
    /// Frames in which the piece moved: all, kind right, kind wrong.
    pub torn: [u64; 3],
    /// Frames with a next piece shown: all, right, wrong.
    pub next: [u64; 3],
    /// Corners of boards found: distance in cells, the largest of each finding.
    pub corners: Vec<f64>,
    /// Processor time per finding, frame read, frame filmed, in microseconds.
    pub find_us: Vec<f64>,
    /// Of all frames.
    pub read_us: f64,
    /// Of all frames.
    pub film_us: f64,
    /// Searches that found nothing.
    pub missed: u64,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, o: &Self) {
        let more = |a: &mut [u64], b: &[u64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        self.frames += o.frames;
        more(&mut self.spoilt, &o.spoilt);
        self.blind += o.blind;
        more(&mut self.astray, &o.astray);
        more(&mut self.cells, &o.cells);
        more(&mut self.free, &o.free);
        more(&mut self.touching, &o.touching);
        more(&mut self.torn, &o.torn);
        more(&mut self.next, &o.next);
        self.corners.extend(&o.corners);
        self.find_us.extend(&o.find_us);
        self.read_us += o.read_us;
        self.film_us += o.film_us;
        self.missed += o.missed;
    }

    /// Share of cells that are right, in per cent.
    #[must_use]
    pub fn cells_right(&self) -> f64 {
        share(self.cells[0] - self.cells[1] - self.cells[2], self.cells[0])
    }

    /// Share of kinds told right of pieces in the air, in per cent.
    #[must_use]
    pub fn kinds_right(&self) -> f64 {
        share(self.free[1], self.free[0])
    }
}

/// In per cent; all of nothing is right.
#[must_use]
pub fn share(part: u64, all: u64) -> f64 {
    if all == 0 {
        100.0
    } else {
        part as f64 * 100.0 / all as f64
    }
}

/// How the cells of a reading compare: wrong and Unknown. Where the screen changed while the
/// frame was taken each of its states is right for each cell.
#[must_use]
pub fn cells(
    reading: &Reading,
    calibration: &Calibration,
    shown: &[Shown],
    system: &System,
    monochrome: bool,
) -> (u64, u64) {
    let taught = calibration
        .classes
        .get(1..)
        .is_some_and(|k| k.iter().any(|c| c.rgb != k[0].rgb));
    let kinds = taught && !monochrome;
    let screens: Vec<Vec<u8>> = shown.iter().map(|s| visible(s, reading, system)).collect();
    let (mut wrong, mut unknown) = (0, 0);
    for (i, &cell) in reading.cells.iter().enumerate() {
        match value(cell) {
            None => unknown += 1,
            Some(v) => {
                // Where kinds look alike none may be told.
                let fits = |s: &Vec<u8>| match (kinds, s[i]) {
                    (true, shown) => shown == v,
                    (false, 0) => v == 0,
                    (false, _) => v == FILLED,
                };
                wrong += u64::from(!screens.iter().any(fits));
            }
        }
    }
    (wrong, unknown)
}

/// All cells in the order of a reading, the piece among them.
fn visible(shown: &Shown, reading: &Reading, system: &System) -> Vec<u8> {
    let size = reading.size;
    let cols = usize::from(size.cols).max(1);
    let mut all: Vec<u8> = shown.pile.chunks(cols).rev().flatten().copied().collect();
    if let Some(pose) = shown.piece {
        for (x, y) in system.cells(pose) {
            if x >= 0 && y >= 0 && x < size.cols as i16 && y < size.rows as i16 {
                let cell = Cell::new(x as u16, size.rows - 1 - y as u16);
                all[size.index(cell)] = pose.kind.number();
            }
        }
    }
    all.iter_mut().for_each(|v| *v = (*v).min(FILLED));
    all
}

/// Whether a piece touches the pile.
fn touches(shown: &Shown, cols: i16, system: &System) -> bool {
    shown.piece.is_some_and(|pose| {
        system.cells(pose).iter().any(|&(x, y)| {
            [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().any(|(dx, dy)| {
                let (x, y) = (x + dx, y + dy);
                let inside = x >= 0 && y >= 0 && x < cols;
                inside
                    && shown
                        .pile
                        .get((y * cols + x) as usize)
                        .is_some_and(|&v| v != 0)
            })
        })
    })
}

/// Adds what was seen of the falling piece and the next one; whether the kind was wrong.
pub fn piece(tally: &mut Tally, sight: &Sight, shown: &[Shown], system: &System) -> bool {
    let (first, last) = match shown {
        [one] => (one, one),
        [first, .., last] => (first, last),
        [] => return false,
    };
    let seen = sight.piece.map(|g| g.pose.kind);
    let still = shown
        .iter()
        .all(|s| s.piece == first.piece && s.pile == first.pile);
    let mut wrong = false;
    match first.piece {
        Some(pose) if still => {
            if touches(first, sight.cols as i16, system) {
                let mut mine = system.cells(pose);
                mine.sort_unstable();
                let among = sight.guesses.iter().any(|g| {
                    let mut cells = system.cells(g.pose);
                    cells.sort_unstable();
                    cells == mine
                });
                tally.touching[0] += 1;
                tally.touching[1] += u64::from(among);
            } else {
                wrong = seen != Some(pose.kind);
                tally.free[0] += 1;
                tally.free[1] += u64::from(!wrong);
                tally.free[2] += u64::from(wrong && seen.is_some());
            }
        }
        _ if !still => {
            let kinds = || shown.iter().filter_map(|s| s.piece.map(|p| p.kind));
            if kinds().next().is_some() {
                tally.torn[0] += 1;
                let right = seen.is_some_and(|k| kinds().any(|o| o == k));
                tally.torn[1] += u64::from(right);
                tally.torn[2] += u64::from(!right && seen.is_some());
            }
        }
        _ => {}
    }
    if first.next == last.next {
        tally.next[0] += 1;
        tally.next[1] += u64::from(sight.next == Some(first.next));
        tally.next[2] += u64::from(sight.next.is_some_and(|k| k != first.next));
    }
    wrong
}
