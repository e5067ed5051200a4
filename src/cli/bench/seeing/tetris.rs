//! `kibitzer bench seeing --set tetris`: a game seen through a simulated webcam for some seconds
//! in each of many settings: the board found from its markers or from the running game, every
//! frame read, what was read compared with what was on the screen.

pub mod course;
pub mod setting;
pub mod tally;

use std::path::Path;

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

use super::super::table::Table;
use crate::capture::simulated::Webcam;
use crate::cli::picture;
use crate::games::tetris::target::paint::{BoardView, paint_board};
use crate::games::tetris::vision;
use crate::games::tetris::vision::sight::Sight;
use crate::pipeline::eyes::Eyes;
use crate::types::{GridSize, Picture, Time};
use course::{Course, Shown};
use setting::{CONDITIONS, Setting, setting};
use tally::Tally;

/// Frames looked at in each setting.
pub const FRAMES: u64 = 200;
/// Settings when nobody says how many.
pub const SETTINGS: u64 = 50;

/// Microseconds from one frame to the next: 30 a second.
const PERIOD: u64 = 33_333;

/// Frames for which the sheet is shown where it is.
const SHEET: u64 = 20;

/// Frames after which a reading with many Unknown cells is a reason to look for the board again.
const PATIENCE: u64 = 4;

const COLUMNS: [&str; 22] = [
    "set",
    "condition",
    "frames",
    "blind",
    "missed_finds",
    "cells_right_pct",
    "cells_wrong",
    "cells_unknown",
    "kind_frames",
    "kind_right_pct",
    "kind_wrong",
    "touching",
    "touching_known_pct",
    "torn",
    "torn_right_pct",
    "torn_wrong",
    "next_right_pct",
    "spoilt_frames",
    "spoilt_wrong_cells",
    "corner_cells_max",
    "find_ms_max",
    "read_us",
];

/// What is measured in one setting.
pub struct Watch {
    setting: Setting,
    course: Course,
    camera: Webcam,
    eyes: Eyes,
    sight: Sight,
    doubt: u64,
    /// Whether the board has moved and was not found again yet.
    astray: bool,
    /// What it came to.
    pub tally: Tally,
    /// Frames in which something was wrong: number and what.
    pub failures: Vec<(u64, String)>,
}

fn cpu_micros() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e6 + t.tv_nsec as f64 / 1e3
}

impl Watch {
    /// The setting number `seed`, before its first frame.
    #[must_use]
    pub fn new(seed: u64, frames: u64) -> Self {
        let setting = setting(seed, frames as f64 * PERIOD as f64 * 1e-6);
        Self {
            course: Course::new(seed, setting.layout.size, setting.step),
            camera: Webcam::new(setting.model.clone(), setting.passing.clone()),
            eyes: Eyes::new(vision::played(GridSize::new(10, 20))),
            sight: Sight::default(),
            doubt: 0,
            astray: false,
            tally: Tally::default(),
            failures: Vec::new(),
            setting,
        }
    }

    /// Takes frame number `seq` (from 1) into a picture and looks at it.
    pub fn frame(&mut self, seq: u64, out: &mut Picture) {
        let start = Time((seq - 1) * PERIOD);
        let (course, setting) = (&mut self.course, &self.setting);
        let sheet = setting.markers && seq <= SHEET;
        let before = cpu_micros();
        let mut draw = 0.0;
        let pose = self.camera.model().pose;
        self.camera.film(
            &mut |at, screen| {
                let began = cpu_micros();
                paint(setting, &course.at(at), sheet, screen);
                draw += cpu_micros() - began;
            },
            start,
            seq,
            out,
        );
        self.tally.film_us += cpu_micros() - before - draw;
        self.tally.frames += 1;
        self.astray |= pose != self.camera.model().pose && seq > 1;
        let p = &self.setting.passing;
        let end = Time(start.0 + ((p.readout + p.exposure) * 1e6) as u64);
        let shown = self.course.between(start, end);
        self.look(seq, out, &shown);
    }

    fn look(&mut self, seq: u64, out: &Picture, shown: &[Shown]) {
        if self.eyes.calibration().is_none() || self.doubt >= PATIENCE {
            self.find(out);
        }
        let began = cpu_micros();
        let read = self.eyes.read(out);
        self.tally.read_us += cpu_micros() - began;
        if !read {
            self.tally.blind += 1;
            if self.tally.blind == 1 {
                self.failures.push((seq, "no board is found".to_owned()));
            }
            return;
        }
        let reading = self.eyes.reading();
        let doubtful = reading.unknown() > reading.size.len() / 20;
        self.doubt = if doubtful { self.doubt + 1 } else { 0 };
        let Some(calibration) = self.eyes.calibration() else {
            return;
        };
        let system = self.course.system();
        let (wrong, unknown) =
            tally::cells(reading, calibration, shown, system, self.setting.monochrome);
        if let Some(fault) = self.camera.fault(seq) {
            if wrong > 0 {
                let text = format!("{fault:?}: {wrong} wrong\nread\n{}", vision::text(reading));
                self.failures.push((seq, text));
            }
            self.tally.spoilt[0] += 1;
            self.tally.spoilt[1] += wrong;
            self.tally.spoilt[2] += unknown;
            return;
        }
        if self.astray {
            self.tally.astray[0] += 1;
            self.tally.astray[1] += wrong;
            if wrong > 0 {
                let text = format!("astray: {wrong} wrong\nread\n{}", vision::text(reading));
                self.failures.push((seq, text));
            }
            return;
        }
        self.tally.cells[0] += reading.cells.len() as u64;
        self.tally.cells[1] += wrong;
        self.tally.cells[2] += unknown;
        self.sight.look(reading, system);
        let kind = tally::piece(&mut self.tally, &self.sight, shown, system);
        if wrong + unknown > 0 || kind {
            let text = format!(
                "{wrong} wrong, {unknown} unknown, kind {}\nread\n{}\nshown {shown:?}\n{:?}\n",
                if kind { "wrong" } else { "right" },
                vision::text(reading),
                self.sight.guesses
            );
            self.failures.push((seq, text));
        }
    }

    fn find(&mut self, out: &Picture) {
        let began = cpu_micros();
        let found = self.eyes.find(out);
        self.tally.find_us.push(cpu_micros() - began);
        let true_place = self.setting.layout.px_from_cell();
        let size = self.setting.layout.size;
        match self.eyes.calibration().filter(|_| found) {
            None => self.tally.missed += 1,
            Some(c) => {
                self.doubt = 0;
                let model = self.camera.model();
                let truth = true_place
                    .corners(size)
                    .map(|p| model.camera_from_screen(p));
                let pitch = setting::least_pitch(model, &self.setting.layout);
                let far = c.px_from_cell.corners(size);
                let far = far.iter().zip(truth).map(|(a, b)| a.distance(b) / pitch);
                let far = far.fold(0.0, f64::max);
                self.tally.corners.push(far);
                self.astray &= far > 0.5;
            }
        }
    }
}

fn paint(setting: &Setting, shown: &Shown, sheet: bool, out: &mut Picture) {
    let system = crate::games::tetris::rules::System::standard();
    let view = BoardView {
        cols: setting.layout.size.cols,
        rows: setting.layout.size.rows,
        pile: &shown.pile,
        piece: shown.piece.map(|p| (p.kind, system.cells(p))),
        shadow: None,
        hint: None,
        next: Some(Some(shown.next)),
        palette: setting.palette,
        monochrome: setting.monochrome,
        markers: sheet,
        swatches: sheet,
    };
    paint_board(&view, &setting.layout, out);
}

/// Runs the set; the texts are figures that must hold and do not.
///
/// # Errors
/// When a failure cannot be written.
pub fn run(
    (from, settings): (u64, u64),
    failures: Option<&Path>,
    json: bool,
) -> anyhow::Result<Vec<String>> {
    let mut table = Table::new(json, &COLUMNS);
    let mut by: Vec<(&str, Tally)> = CONDITIONS.iter().map(|c| (*c, Tally::default())).collect();
    let (mut ways, mut all) = ([Tally::default(), Tally::default()], Tally::default());
    for seed in from..from + settings {
        let mut watch = Watch::new(seed, FRAMES);
        let mut out = Picture::default();
        let mut told = 0;
        for seq in 1..=FRAMES {
            watch.frame(seq, &mut out);
            if let Some(dir) = failures.filter(|_| watch.failures.len() > told) {
                let (at, text) = &watch.failures[told];
                std::fs::create_dir_all(dir)?;
                let name = format!("tetris-{seed}-{at}");
                picture::save_png(&out, &dir.join(format!("{name}.png")))?;
                std::fs::write(dir.join(format!("{name}.txt")), text)?;
            }
            told = watch.failures.len();
        }
        let t = &watch.tally;
        tracing::info!(
            seed,
            condition = watch.setting.condition,
            markers = watch.setting.markers,
            cells = t.cells_right(),
            kinds = t.kinds_right(),
            blind = t.blind,
            "setting"
        );
        if t.cells_right() < 99.9 || t.kinds_right() < 99.5 || t.blind > SHEET {
            eprintln!(
                "missed: setting {seed} {}, {}: cells {:.3} % (wrong {}, unknown {}), kinds {:.2} %, blind {}, astray {:?}",
                watch.setting.condition,
                if watch.setting.markers {
                    "markers"
                } else {
                    "running"
                },
                t.cells_right(),
                t.cells[1],
                t.cells[2],
                t.kinds_right(),
                t.blind,
                t.astray
            );
        }
        by[(seed % CONDITIONS.len() as u64) as usize].1.add(t);
        ways[usize::from(watch.setting.markers)].add(t);
        all.add(t);
    }
    for (condition, t) in by.iter().filter(|b| b.1.frames > 0) {
        table.row(row(condition, t));
    }
    table.row(row("found running", &ways[0]));
    table.row(row("found by markers", &ways[1]));
    table.row(row("all", &all));
    table.finish();
    eprintln!(
        "camera {:.0} us a frame, astray {} frames with {} wrong cells, spoilt cells unknown {}",
        all.film_us / all.frames.max(1) as f64,
        all.astray[0],
        all.astray[1],
        all.spoilt[2]
    );
    Ok(missed(&all))
}

fn missed(all: &Tally) -> Vec<String> {
    let mut missed = Vec::new();
    if all.kinds_right() < 99.9 {
        missed.push(format!(
            "tetris: {:.3} % of the kinds right",
            all.kinds_right()
        ));
    }
    if all.blind > 0 {
        missed.push(format!("tetris: no board found for {} frames", all.blind));
    }
    if all.cells_right() < 99.95 {
        missed.push(format!(
            "tetris: {:.3} % of the cells right",
            all.cells_right()
        ));
    }
    missed
}

fn row(condition: &str, t: &Tally) -> Vec<Value> {
    let share = tally::share;
    let most = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
    vec![
        "tetris".into(),
        condition.into(),
        t.frames.into(),
        t.blind.into(),
        t.missed.into(),
        t.cells_right().into(),
        t.cells[1].into(),
        t.cells[2].into(),
        t.free[0].into(),
        t.kinds_right().into(),
        t.free[2].into(),
        t.touching[0].into(),
        share(t.touching[1], t.touching[0]).into(),
        t.torn[0].into(),
        share(t.torn[1], t.torn[0]).into(),
        t.torn[2].into(),
        share(t.next[1], t.next[0]).into(),
        t.spoilt[0].into(),
        t.spoilt[1].into(),
        most(&t.corners).into(),
        (most(&t.find_us) / 1e3).into(),
        (t.read_us / t.frames.max(1) as f64).into(),
    ]
}
