//! From a supposed place of a board to a judged calibration.

use super::super::markers::{self, Seen};
use super::super::planes::Planes;
use super::super::refine::{Freedom, settle};
use super::border::{self, walk};
use super::light;
use crate::types::sheet::{FRAME, SWATCHES};
use crate::types::{
    BoardKind, Border, Calibration, ClassLook, GainField, GridSize, Point, PxFromCell, Sheet,
    SideGrid, Veil,
};

/// Letters of the classes.
const LETTERS: [char; SWATCHES] = ['.', 'O', 'I', 'S', 'Z', 'L', 'J', 'T', '#'];

/// Points sampled along each axis of a cell, in cells from its middle: what is drawn along the
/// sides, as an outline or a gap, lies outside.
const POINTS: [f64; 4] = [-0.24, -0.08, 0.08, 0.24];

/// A cell whose points are further apart than this part of its brightness is not of one colour.
const PLAIN: f32 = 0.22;

/// Below this part of the way from empty to the darkest filled cell a cell is empty.
const EMPTY_BELOW: f32 = 0.4;

/// In a light frame empty cells are darker than this part of the frame.
const DARKER: f32 = 0.6;

/// A search in one picture for boards of one size.
pub struct Sight<'a> {
    /// The picture.
    pub planes: &'a Planes,
    /// Standard deviation of its noise.
    pub noise: f32,
    /// Columns and rows.
    pub size: GridSize,
}

/// A cell with the light removed: mean colour, root mean square distance from it.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    rgb: [f32; 3],
    spread: f32,
}

/// How cells of the board look.
struct Looks {
    empty: [f32; 3],
    /// Distance from empty beyond which a cell is filled.
    limit: f32,
    classes: Vec<ClassLook>,
}

fn norm(v: [f32; 3]) -> f32 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

impl Sight<'_> {
    /// The board inside a sheet whose markers are seen.
    #[must_use]
    pub fn sheet(&self, seen: &Seen) -> Option<Calibration> {
        let sheet = Sheet::of(self.size);
        let (rough, rms) = markers::transform(seen, &sheet)?;
        let pitch = rough
            .map(Point::new(0.0, 0.0))
            .distance(rough.map(Point::new(1.0, 0.0)));
        // Markers that do not belong together, or to a board of another size.
        if rms > 0.25 * pitch || !self.inside(&rough) {
            return None;
        }
        let line = walk(self.planes, &rough, self.size, FRAME, self.noise);
        let (at, line, residual) = self.settled(&rough, line, FRAME);
        let gain = self.gain(&line);
        let swatches = sheet
            .swatches
            .map(|s| self.sample(&at, &gain.0, s.middle(), s.width));
        let all: Option<Vec<Sample>> = swatches.into_iter().collect();
        let looks = all.and_then(|all| taught(&all));
        let looks = looks.or_else(|| {
            let samples = self.samples(&at, &gain.0)?;
            learnt(&samples, darkest(&samples), self.noise)
        })?;
        let fit = 1.0 - (rms / pitch.max(1.0)) as f32;
        let quality = 0.97 * fit.powi(2) * if line.share > 0.7 { 1.0 } else { 0.9 };
        Some(self.calibration(at, looks, gain, vec![sheet.next], quality, residual))
    }

    /// The board inside a frame with these outer corners.
    #[must_use]
    pub fn framed(&self, corners: [Point; 4]) -> Option<Calibration> {
        let (w, h) = (f64::from(self.size.cols), f64::from(self.size.rows));
        let sides = [
            corners[0].distance(corners[1]),
            corners[1].distance(corners[2]),
            corners[2].distance(corners[3]),
            corners[3].distance(corners[0]),
        ];
        let aspect = (sides[1] + sides[3]) / (sides[0] + sides[2]).max(1e-6) * (w / h);
        if !(0.55..=1.8).contains(&aspect) {
            return None;
        }
        let mut thick = FRAME;
        let mut at = PxFromCell::upright(corners[0], 1.0, 1.0);
        let mut line = border::Seen::default();
        for _ in 0..2 {
            let outer = PxFromCell::from_corners(GridSize::new(1, 1), corners)?;
            // The unit square is the frame's outer edge.
            let (a, b) = (w + 2.0 * thick, h + 2.0 * thick);
            let cells = [
                1.0 / a,
                0.0,
                thick / a,
                0.0,
                1.0 / b,
                thick / b,
                0.0,
                0.0,
                1.0,
            ];
            at = PxFromCell(super::super::refine::product(&outer.0, &cells));
            if !self.inside(&at) {
                return None;
            }
            line = walk(self.planes, &at, self.size, thick, self.noise);
            if line.share < 0.6 {
                return None;
            }
            let (a, seen) = (w + 2.0 * thick, line.thick);
            thick = (seen * w / (a - 2.0 * seen)).clamp(0.05, 0.8);
        }
        let (at, line, residual) = self.settled(&at, line, thick);
        if line.share < 0.75 {
            return None;
        }
        let gain = self.gain(&line);
        let samples = self.samples(&at, &gain.0)?;
        let looks = learnt(&samples, darkest(&samples), self.noise)?;
        // A frame far too bright shows no light any more, and what is empty in it is in no other.
        let bright = gain.1.map_or(255.0, |b| norm(b.rgb));
        let blind = self.noise > 0.0 && gain.1.is_some_and(|b| b.rgb.iter().all(|&v| v > 250.0));
        if blind || norm(looks.empty) > DARKER * bright {
            return None;
        }
        let quality = self.evidence(&at, &gain.0, &samples, &looks) * line.share.sqrt();
        let beside = self.next_box(&at, &gain.0, &looks);
        Some(self.calibration(at, looks, gain, beside, quality, residual))
    }

    /// The board at a place without a frame.
    #[must_use]
    pub fn bare(&self, at: &PxFromCell) -> Option<Calibration> {
        if !self.inside(at) {
            return None;
        }
        let gain = GainField::default();
        let samples = self.samples(at, &gain)?;
        // Empty is what is dark, or what most of the upper third is.
        let mut best: Option<(f32, Looks)> = None;
        for empty in [darkest(&samples), commonest(&samples[..samples.len() / 3])] {
            if let Some(looks) = learnt(&samples, empty, self.noise) {
                let quality = self.evidence(at, &gain, &samples, &looks);
                if best.as_ref().is_none_or(|b| quality > b.0) {
                    best = Some((quality, looks));
                }
            }
        }
        let (quality, looks) = best?;
        Some(self.calibration(*at, looks, (gain, None), Vec::new(), quality, 0.0))
    }

    /// Share of the cells that are filled.
    #[must_use]
    pub fn filled(&self, c: &Calibration) -> f32 {
        let (Some(samples), [empty, filled, ..]) =
            (self.samples(&c.px_from_cell, &c.gain), c.classes.as_slice())
        else {
            return 0.0;
        };
        let limit = EMPTY_BELOW * (norm(minus(filled.rgb, empty.rgb)) - filled.spread);
        let far = |s: &&Sample| norm(minus(s.rgb, empty.rgb)) > limit;
        samples.iter().filter(far).count() as f32 / samples.len().max(1) as f32
    }

    fn inside(&self, at: &PxFromCell) -> bool {
        let corners = at.corners(self.size);
        corners.iter().all(|&c| self.planes.contains(c))
    }

    /// The transform brought onto the border, which is then measured again.
    fn settled(
        &self,
        at: &PxFromCell,
        line: border::Seen,
        thick: f64,
    ) -> (PxFromCell, border::Seen, f32) {
        let (mut at, mut line, mut residual) = (*at, line, 0.0);
        for _ in 0..2 {
            if line.share < 0.5 {
                break;
            }
            let Some(better) = settle(&at, self.size, &line.edges, Freedom::Tilted) else {
                break;
            };
            if !self.inside(&better.px_from_cell) {
                break;
            }
            at = better.px_from_cell;
            residual = better.residual;
            line = walk(self.planes, &at, self.size, thick, self.noise);
        }
        (at, line, residual)
    }

    fn gain(&self, line: &border::Seen) -> (GainField, Option<Border>) {
        if line.share < 0.7 {
            return (GainField::default(), None);
        }
        let found = light::from_border(&line.colours);
        found.map_or((GainField::default(), None), |(gain, rgb)| {
            let out = line.thick / 2.0;
            (gain, Some(Border { rgb, out }))
        })
    }

    fn calibration(
        &self,
        at: PxFromCell,
        looks: Looks,
        (gain, border): (GainField, Option<Border>),
        beside: Vec<SideGrid>,
        quality: f32,
        residual: f32,
    ) -> Calibration {
        Calibration {
            kind: BoardKind::Stack,
            size: self.size,
            image: (self.planes.width as u32, self.planes.height as u32),
            px_from_cell: at,
            classes: looks.classes,
            beside,
            border,
            well: None,
            plate: None,
            stones: None,
            gain,
            veil: Veil::default(),
            quality,
            residual,
        }
    }

    /// The colour around a point of cell space, over a square of this side.
    fn sample(
        &self,
        at: &PxFromCell,
        gain: &GainField,
        middle: Point,
        side: f64,
    ) -> Option<Sample> {
        let u = (middle.x / f64::from(self.size.cols) * 2.0 - 1.0).clamp(-1.1, 1.1);
        let v = (middle.y / f64::from(self.size.rows) * 2.0 - 1.0).clamp(-1.1, 1.1);
        let factor = gain.factor(u as f32, v as f32);
        let mut all = [[0f32; 3]; 16];
        for (i, p) in all.iter_mut().enumerate() {
            let (dx, dy) = (POINTS[i % 4] * side, POINTS[i / 4] * side);
            let rgb = self
                .planes
                .at(at.map(Point::new(middle.x + dx, middle.y + dy)))?;
            *p = [0, 1, 2].map(|c| f32::from(rgb[c]) / factor[c]);
        }
        let mean = [0, 1, 2].map(|c| all.iter().map(|p| p[c]).sum::<f32>() / 16.0);
        let square: f32 = all.iter().map(|&p| norm(minus(p, mean)).powi(2)).sum();
        Some(Sample {
            rgb: mean,
            spread: (square / 16.0).sqrt(),
        })
    }

    fn samples(&self, at: &PxFromCell, gain: &GainField) -> Option<Vec<Sample>> {
        let cells = self.size.cells();
        cells
            .map(|c| self.sample(at, gain, c.centre(), 1.0))
            .collect()
    }

    /// How much speaks for a board: cells are of one colour, and where a filled cell meets an
    /// empty one the change lies on the lattice line.
    fn evidence(
        &self,
        at: &PxFromCell,
        gain: &GainField,
        samples: &[Sample],
        looks: &Looks,
    ) -> f32 {
        let plain = samples
            .iter()
            .filter(|s| s.spread < 8.0 + 2.5 * self.noise + PLAIN * norm(s.rgb))
            .count();
        let filled = |i: usize| norm(minus(samples[i].rgb, looks.empty)) > looks.limit;
        // Borders beside a cell and below it: a piece has both.
        let (mut good, mut all, mut beside) = (0, 0, 0);
        let cols = usize::from(self.size.cols);
        for i in 0..samples.len() {
            let right = (i % cols + 1 < cols).then_some(i + 1);
            let below = (i + cols < samples.len()).then_some(i + cols);
            for j in right.into_iter().chain(below) {
                if filled(i) != filled(j) {
                    all += 1;
                    beside += i32::from(right == Some(j));
                    good +=
                        i32::from(self.on_line(at, gain, looks, (i, filled(i)), (j, filled(j))));
                }
            }
        }
        if all < 6 || beside < 3 || all - beside < 3 {
            return 0.0;
        }
        let plain = plain as f32 / samples.len() as f32;
        let share = good as f32 / all as f32;
        tracing::debug!(plain, share, all, "stack evidence");
        // A third of random edges would lie near a line.
        let lattice = ((share - 0.5) / 0.4).clamp(0.0, 1.0);
        let one = ((plain - 0.75) / 0.2).clamp(0.0, 1.0);
        0.99 * lattice * one
    }

    fn on_line(
        &self,
        at: &PxFromCell,
        gain: &GainField,
        looks: &Looks,
        (i, from): (usize, bool),
        (j, _): (usize, bool),
    ) -> bool {
        const STEPS: usize = 24;
        let (p, q) = (self.size.cell(i).centre(), self.size.cell(j).centre());
        let u = (p.x / f64::from(self.size.cols) * 2.0 - 1.0) as f32;
        let v = (p.y / f64::from(self.size.rows) * 2.0 - 1.0) as f32;
        let factor = gain.factor(u, v);
        for k in 4..=STEPS - 4 {
            let t = k as f64 / STEPS as f64;
            let point = Point::new(p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t);
            let Some(rgb) = self.planes.between(at.map(point)) else {
                return false;
            };
            let flat = [0, 1, 2].map(|c| rgb[c] / factor[c]);
            let filled = norm(minus(flat, looks.empty)) > looks.limit * 1.2;
            if filled != from {
                return (t - 0.5).abs() < 0.17;
            }
        }
        false
    }

    /// The box of the next piece, where our own sheet has it, if it is there.
    fn next_box(&self, at: &PxFromCell, gain: &GainField, looks: &Looks) -> Vec<SideGrid> {
        let next = Sheet::of(self.size).next;
        let mut filled = 0;
        for cell in next.size.cells() {
            let c = cell.centre();
            let middle = Point::new(next.at.x + c.x * next.pitch, next.at.y + c.y * next.pitch);
            let Some(s) = self.sample(at, gain, middle, next.pitch) else {
                return Vec::new();
            };
            if s.spread > 8.0 + 2.5 * self.noise + PLAIN * norm(s.rgb) {
                return Vec::new();
            }
            filled += i32::from(norm(minus(s.rgb, looks.empty)) > looks.limit);
        }
        if filled == 4 { vec![next] } else { Vec::new() }
    }
}

fn class(letter: char, rgb: [f32; 3], spread: f32) -> ClassLook {
    ClassLook {
        letter,
        rgb,
        spread,
        mark: None,
    }
}

/// Looks as the swatches show them; `None` if they are not there.
fn taught(swatches: &[Sample]) -> Option<Looks> {
    let empty = swatches.first()?.rgb;
    let least = swatches[1..]
        .iter()
        .map(|s| norm(minus(s.rgb, empty)))
        .fold(f32::MAX, f32::min);
    // Without swatches the ground is seen there, everywhere the same.
    if least < 50.0 {
        return None;
    }
    Some(Looks {
        empty,
        limit: EMPTY_BELOW * least,
        classes: LETTERS
            .into_iter()
            .zip(swatches)
            .map(|(letter, s)| class(letter, s.rgb, s.spread))
            .collect(),
    })
}

/// Channel-wise median.
fn middle<'a>(part: impl Iterator<Item = &'a Sample>) -> [f32; 3] {
    let part: Vec<[f32; 3]> = part.map(|s| s.rgb).collect();
    [0, 1, 2].map(|c| {
        let mut v: Vec<f32> = part.iter().map(|rgb| rgb[c]).collect();
        v.sort_by(f32::total_cmp);
        v.get(v.len() / 2).copied().unwrap_or(0.0)
    })
}

/// The colour of the darkest cells, of which there are always some.
fn darkest(samples: &[Sample]) -> [f32; 3] {
    let mut dark: Vec<&Sample> = samples.iter().collect();
    dark.sort_by(|a, b| norm(a.rgb).total_cmp(&norm(b.rgb)));
    middle(dark.into_iter().take((samples.len() / 12).max(1)))
}

/// The colour of most cells.
fn commonest(samples: &[Sample]) -> [f32; 3] {
    middle(samples.iter())
}

/// Looks as the cells themselves show them: those like `empty` are empty, all others filled with
/// something. `None` when there are no two such groups.
fn learnt(samples: &[Sample], mut empty: [f32; 3], noise: f32) -> Option<Looks> {
    let n = samples.len();
    let fewest = (n / 12).max(1);
    let (mut low, mut high) = (0.0, 0.0);
    for _ in 0..3 {
        let far = |s: &Sample| norm(minus(s.rgb, empty));
        let mut level: Vec<f32> = samples.iter().map(far).collect();
        level.sort_by(f32::total_cmp);
        // The widest step in proportion, with enough cells below it; what noise and uneven light
        // make of the empty ones stays below the floor.
        let floor = 14.0 + 2.0 * noise;
        let step = |i: usize| (level[i] + floor) / (level[i - 1] + floor);
        let split = (fewest..n.saturating_sub(2)).max_by(|&a, &b| step(a).total_cmp(&step(b)))?;
        (low, high) = (level[split - 1], level[split]);
        empty = middle(samples.iter().filter(|s| far(s) <= low));
    }
    if high < 32.0 + 3.0 * noise || high < 1.5 * low {
        return None;
    }
    let far: Vec<f32> = samples
        .iter()
        .map(|s| norm(minus(s.rgb, empty)))
        .filter(|&d| d > (low + high) / 2.0)
        .collect();
    let least = far.iter().copied().fold(f32::MAX, f32::min);
    let count = far.len().max(1) as f32;
    let filled = [0, 1, 2].map(|c| {
        let of = |s: &&Sample| norm(minus(s.rgb, empty)) > (low + high) / 2.0;
        samples.iter().filter(of).map(|s| s.rgb[c]).sum::<f32>() / count
    });
    // Colours not seen yet may be darker than those on the board, though never as dark as what
    // is empty here. The spread says how near to empty filled cells may come.
    let limit = (EMPTY_BELOW * 0.8 * least).max((1.3 * low).min(0.7 * least));
    let spread = (norm(minus(filled, empty)) - limit / EMPTY_BELOW).max(0.0);
    let mut classes = vec![class('.', empty, 3.0)];
    let others = LETTERS[1..].iter();
    classes.extend(others.map(|&l| class(l, filled, spread)));
    Some(Looks {
        empty,
        limit,
        classes,
    })
}
