//! Reading boards of crossings: are the lines to be seen there, and if not, which kind of stone
//! lies on them?
//!
//! Tables are made once per calibration. A crossing whose lines are seen is empty, whatever its
//! colour; one without is a stone only where the colour is that of a kind and ends at a rim: a
//! hand or a window over the board has no rims. The light of the moment, shadows and patches of
//! sun are taken from the squares around.

mod light;
mod places;

use super::colours::square;
use super::reader::ReadError;
use crate::types::picture::channels;
use crate::types::stone::{CORE, OUTER};
use crate::types::{Calibration, CellReading, Label, Point};
use light::{Light, Shade};
use places::{FILLED, Places, RIMS};

/// Parts of the way to the next crossing at which an arm of a crossing is looked at.
const STATIONS: [f64; 3] = [0.18, 0.25, 0.32];

/// Pixels looked at across an arm: one side, three around the line, the other side.
const ACROSS: usize = 5;

/// Where the line around a stone may be, beside its radius, in cells.
const OUTLINE: [f64; 5] = [-0.07, -0.03, 0.0, 0.03, 0.06];

/// Radius of stones of which none was seen yet, in cells.
const USUAL_RADIUS: f64 = 0.47;

/// Stones of this radius or more hide the middles of the squares between them, in cells.
const WIDE: f64 = 0.6;

/// Rims that a stone shows at least.
const LEAST_RIMS: usize = 3;

/// Share of the line's usual strength from which on it is seen.
const SEEN: f32 = 0.2;

/// Most columns and rows: what the light in a row of squares is kept for.
const MOST: usize = 64;

/// Edges looked at by [`Crossings::fit`] at most.
const EDGES: usize = 400;

const UNKNOWN: CellReading = CellReading {
    label: Label::Unknown,
    confidence: 0.0,
};

type Rgb = [f32; 3];

/// An arm of a crossing: pixels across it at each station.
type Arm = [[u32; ACROSS]; STATIONS.len()];

/// One crossing.
#[derive(Clone, Debug)]
struct Spot {
    arms: [Option<Arm>; 4],
    core: [u32; CORE.len()],
    outer: [u32; OUTER.len()],
    rims: [u32; RIMS.len()],
    /// Around the rim, where a line may run.
    outline: [[u32; OUTLINE.len()]; RIMS.len()],
    /// Columns of the squares on its left and right.
    beside: [u8; 2],
    /// What removes the light of the calibration.
    unlit: Rgb,
}

/// The tables of one calibration.
#[derive(Clone, Debug)]
pub struct Crossings {
    cols: usize,
    spots: Vec<Spot>,
    /// Pixels in the middle of each square between crossings.
    squares: Vec<[u32; 5]>,
    /// What removes the light there.
    unlit: Vec<Rgb>,
    edges: Vec<([u32; ACROSS], u32)>,
    ground: Rgb,
    stones: Vec<Rgb>,
    /// Those that only the line around them tells from the ground.
    outlined: Vec<bool>,
    /// How far apart colours of a class may be.
    reach: Vec<f32>,
    /// The channel in which lines show most, as a shift; how much; whether they are darker.
    shift: u32,
    contrast: f32,
    dark: bool,
    wide: bool,
    /// Lines stand out so clearly that something hides them where they are not seen.
    is_sharp: bool,
    /// Differences that count, on the ground.
    apart: f32,
}

impl Crossings {
    /// Makes the tables.
    pub(super) fn new(calibration: &Calibration) -> Result<Self, ReadError> {
        let size = calibration.size;
        let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
        let empty = calibration.classes.first().ok_or(ReadError::Empty)?;
        if cols < 2 || rows < 2 {
            return Err(ReadError::Empty);
        }
        if cols > MOST || rows > MOST {
            return Err(ReadError::Large(size));
        }
        let at = Places::new(calibration)?;
        let lines = empty.mark.unwrap_or([0.0; 3]);
        let off = [0, 1, 2].map(|c| empty.rgb[c] - lines[c]);
        let channel = (0..3)
            .max_by(|&a, &b| off[a].abs().total_cmp(&off[b].abs()))
            .unwrap_or(0);
        let stones: Vec<Rgb> = calibration.classes[1..].iter().map(|c| c.rgb).collect();
        let brightest = |c: Rgb| c.into_iter().fold(0.0, f32::max);
        let level = brightest(empty.rgb);
        let reach = |rgb: Rgb| 16.0 + 0.19 * level.max(brightest(rgb));
        let apart = 12.0 + 0.07 * level + 1.5 * empty.spread.min(8.0);
        let outlined: Vec<bool> = stones
            .iter()
            .map(|&s| distance(s, empty.rgb) < 1.5 * apart)
            .collect();
        let shape = calibration.stones;
        let radius = shape.map_or(USUAL_RADIUS, |s| s.radius);
        let shift = shape.map_or(Point::default(), |s| s.shift);
        // Stones that are seen from the side still cover their crossing.
        let long = shift.x.hypot(shift.y).max(1e-9);
        let part = (0.3 / long).min(1.0);
        let shift = Point::new(shift.x * part, shift.y * part);
        let spots = size.cells().map(|cell| {
            let c = cell.centre();
            let on = |d: (f64, f64)| at.index(Point::new(c.x + shift.x + d.0, c.y + shift.y + d.1));
            let x = usize::from(cell.col);
            let arm = |dx: f64, dy: f64| {
                let (tx, ty) = (c.x + dx, c.y + dy);
                let inside = tx > 0.0 && ty > 0.0 && tx < cols as f64 && ty < rows as f64;
                // An arm that a stone seen from the side leaves free says nothing.
                let (sx, sy) = (STATIONS[1] * dx - shift.x, STATIONS[1] * dy - shift.y);
                let covered = sx.hypot(sy) < 0.88 * radius;
                (inside && covered).then(|| at.arm(c, Point::new(tx, ty)))
            };
            let edge = (radius + 0.14).min(0.95);
            Spot {
                arms: [arm(-1.0, 0.0), arm(1.0, 0.0), arm(0.0, -1.0), arm(0.0, 1.0)],
                core: CORE.map(on),
                outer: OUTER.map(on),
                rims: RIMS.map(|(dx, dy)| on((dx * edge, dy * edge))),
                outline: RIMS
                    .map(|(dx, dy)| OUTLINE.map(|r| on((dx * (radius + r), dy * (radius + r))))),
                beside: [x.saturating_sub(1) as u8, x.min(cols - 2) as u8],
                unlit: at.unlit(c),
            }
        });
        let middles = (0..(cols - 1) * (rows - 1))
            .map(|i| Point::new((i % (cols - 1)) as f64 + 1.0, (i / (cols - 1)) as f64 + 1.0));
        const M: f64 = 0.07;
        let cross = [(0.0, 0.0), (-M, -M), (M, -M), (-M, M), (M, M)];
        let squares = middles
            .clone()
            .map(|m| cross.map(|(dx, dy)| at.index(Point::new(m.x + dx, m.y + dy))));
        Ok(Self {
            cols,
            spots: spots.collect(),
            squares: squares.collect(),
            unlit: middles.map(|m| at.unlit(m)).collect(),
            edges: at.edges(cols, rows),
            ground: empty.rgb,
            reach: calibration.classes[1..]
                .iter()
                .map(|c| reach(c.rgb) + 1.5 * c.spread.min(16.0))
                .collect(),
            stones,
            outlined,
            shift: [16, 8, 0][channel],
            contrast: off[channel].abs(),
            dark: off[channel] > 0.0,
            wide: radius >= WIDE,
            is_sharp: off[channel].abs() > 60.0 + 6.0 * empty.spread,
            apart,
        })
    }

    /// Reads all crossings.
    pub(super) fn read(&self, px: &[u32], into: &mut [CellReading]) {
        let wide = self.cols - 1;
        let mut rows = [[Shade::default(); MOST]; 2];
        let spots = self.spots.chunks_exact(self.cols);
        for (y, (spots, out)) in spots.zip(into.chunks_exact_mut(self.cols)).enumerate() {
            // The squares below this row of crossings; those above were looked at before.
            let below = y * wide..(y + 1) * wide;
            if below.end <= self.squares.len() {
                for (shade, i) in rows[y % 2].iter_mut().zip(below) {
                    *shade = self.shade(px, i);
                }
            } else {
                rows[y % 2] = rows[(y + 1) % 2];
            }
            if y == 0 {
                rows[1] = rows[0];
            }
            for (spot, out) in spots.iter().zip(out) {
                let at = |i: usize| rows[i / 2][usize::from(spot.beside[i % 2])];
                *out = self.tell(px, spot, [at(0), at(1), at(2), at(3)]);
            }
        }
    }

    /// The light in a square.
    fn shade(&self, px: &[u32], i: usize) -> Shade {
        let seen = median(self.squares[i].map(|k| px[k as usize]));
        Shade::of(unlit(seen, self.unlit[i]), self.ground)
    }

    /// How much the line differs from its sides at these pixels.
    #[inline]
    fn strength(&self, px: &[u32], across: &[u32; ACROSS]) -> f32 {
        let v = across.map(|k| {
            let v = (px[k as usize] >> self.shift) as u8;
            i32::from(if self.dark { v } else { 255 - v })
        });
        let side = v[0].min(v[4]);
        (side - v[1].min(v[2]).min(v[3])) as f32
    }

    fn tell(&self, px: &[u32], spot: &Spot, around: [Shade; 4]) -> CellReading {
        // The ground nearby tells the light of the moment.
        let (mut gain, mut veil, mut grounds) = (0.0, 0.0, 0.0f32);
        let mut shaded = false;
        for shade in around {
            if shade.is_ground {
                shaded |= shade.gain < 0.8 && shade.veil == 0.0;
                gain += shade.gain;
                veil += shade.veil;
                grounds += 1.0;
            }
        }
        let light = Light {
            gain: if grounds > 0.0 { gain / grounds } else { 1.0 },
            veil: veil / grounds.max(1.0),
        };
        let gain = light.gain;
        let floor = (SEEN * self.contrast * gain.min(1.3)).max(3.0);
        let (mut seen, mut arms) = (0, 0);
        for arm in spot.arms.iter().flatten() {
            // A stroke of something drawn on a stone crosses one station, a line all of them.
            let [a, b, c] = arm.map(|a| self.strength(px, &a));
            let (mean, middle) = ((a + b + c) / 3.0, a.max(b).min(a.min(b).max(c)));
            arms += 1;
            seen += usize::from(mean >= floor && middle >= 0.5 * floor);
        }
        // A small dark stone looks like a line between lighter sides, and lines show through a stone
        // that fades in.
        let clear = seen == arms || seen >= 2 && (arms - seen) * 2 <= seen;
        let core = unlit(median(spot.core.map(|k| px[k as usize])), spot.unlit);
        // The line around a stone may look like the board's own on some arms, hardly on four.
        let any = self.outlined.contains(&true);
        let outline = match clear && !(any && seen < arms.max(3)) {
            true => 0,
            false => self.outline(px, spot, core, light),
        };
        let ringed = any && seen < arms.max(3) && outline * 4 >= RIMS.len() * 3;
        if clear && !ringed && !self.is_filled(px, spot, light) {
            return CellReading {
                label: Label::Class(0),
                confidence: seen as f32 / arms.max(1) as f32,
            };
        }
        let off = light.distance(core, self.ground);
        let hidden = seen == 0 || seen == 1 && arms >= 3;
        let outer = || unlit(median(spot.outer.map(|k| px[k as usize])), spot.unlit);
        // What is drawn on a stone covers its middle or a part of it: whatever is most like some kind.
        let slack = if clear { 1.5 } else { 1.0 };
        let near = |rgb: Rgb| self.nearest(rgb, light, slack);
        let stone = match (near(core), near(outer())) {
            (Some(a), Some(b)) if b.near < 0.5 * a.near => Some(b),
            (a, b) => a.or(b),
        };
        let stone = stone
            .or_else(|| self.commonest(px, spot, light))
            .filter(|s| s.near < off || self.outlined[s.kind]);
        if let Some(stone) = stone {
            let share = if hidden { 1.0 } else { 0.5 };
            let lined = self.outlined[stone.kind] && ringed;
            let rimmed = stone.near < share * off
                && (self.wide || self.rims(px, spot, self.stones[stone.kind], light) >= LEAST_RIMS);
            if lined || rimmed {
                let margin = 1.0 - stone.near / stone.second.min(off).max(1.0);
                return CellReading {
                    label: Label::Class(stone.kind as u8 + 1),
                    confidence: margin.max(0.1) * (0.6 + 0.4 * share),
                };
            }
        }
        if clear && !ringed {
            return CellReading {
                label: Label::Class(0),
                confidence: 0.4,
            };
        }
        if seen == 0 && self.stands_out(px, spot, 7) {
            // Something round in glare is what it is clearly more like.
            if let Some(n) = self.nearest(core, light, f32::INFINITY)
                && n.second.is_finite()
                && n.near < 0.6 * n.second.min(off)
                && !self.outlined[n.kind]
            {
                return CellReading {
                    label: Label::Class(n.kind as u8 + 1),
                    confidence: 0.2,
                };
            }
        }
        // Lines fade in glare and in a patch of sun; the ground around looks the same. Otherwise
        // something hides them.
        let calm = (light.veil == 0.0 || shaded) && (0.4..1.2).contains(&gain);
        // A letter on a patch of the ground has nothing around it.
        let letter = off < 0.5 * self.apart && outline <= 1;
        let like_ground = !letter && (any || arms == 4 && self.is_sharp);
        if calm && (seen == 0 && like_ground || hidden && off > self.apart) {
            return UNKNOWN;
        }
        let least = if seen == 0 { 5 } else { 6 };
        let is_thing = !self.stones.is_empty() && self.stands_out(px, spot, least);
        if off < 2.0 * self.apart && grounds > 0.0 && !is_thing {
            return CellReading {
                label: Label::Class(0),
                confidence: 0.5 * (1.0 - off / (2.0 * self.apart)),
            };
        }
        UNKNOWN
    }

    /// The kind whose colour is nearest, if it is near enough: as it is, in the light nearby, or
    /// under the veil of glare that lies over the ground there.
    fn nearest(&self, own: Rgb, light: Light, slack: f32) -> Option<Nearest> {
        let mut best = Nearest {
            kind: usize::MAX,
            near: f32::INFINITY,
            second: f32::INFINITY,
        };
        for (kind, &rgb) in self.stones.iter().enumerate() {
            let d = light.distance(own, rgb);
            if d < best.near {
                best = Nearest {
                    kind,
                    near: d,
                    second: best.near,
                };
            } else if d < best.second {
                best.second = d;
            }
        }
        (best.kind != usize::MAX && best.near < slack * self.reach[best.kind]).then_some(best)
    }

    /// The kind whose colour most of the points have: whatever is drawn on a stone leaves some of
    /// it free.
    fn commonest(&self, px: &[u32], spot: &Spot, light: Light) -> Option<Nearest> {
        let mut votes = [(0usize, 0.0f32); 8];
        for &k in spot.core.iter().chain(&spot.outer) {
            let own = unlit(channels(px[k as usize]).map(f32::from), spot.unlit);
            if let Some(n) = self.nearest(own, light, 1.0)
                && let Some(vote) = votes.get_mut(n.kind)
            {
                vote.0 += 1;
                vote.1 += n.near;
            }
        }
        let (kind, &(count, sum)) = votes.iter().enumerate().max_by_key(|(_, v)| v.0)?;
        let all = spot.core.len() + spot.outer.len();
        (count * 5 >= all * 2).then(|| Nearest {
            kind,
            near: sum / count as f32,
            second: f32::INFINITY,
        })
    }

    /// In how many directions something else than the stone lies beyond its rim.
    fn rims(&self, px: &[u32], spot: &Spot, stone: Rgb, light: Light) -> usize {
        let apart = (0.7 * self.apart).max(0.4 * distance(stone, self.ground));
        let other = |&&k: &&u32| {
            let seen = unlit(channels(px[k as usize]).map(f32::from), spot.unlit);
            light.distance(seen, stone) > apart
        };
        spot.rims.iter().filter(other).count()
    }

    /// Whether the quarters of a crossing are all of another colour than the ground.
    fn is_filled(&self, px: &[u32], spot: &Spot, light: Light) -> bool {
        FILLED.iter().all(|&i| {
            let seen = channels(px[spot.core[i] as usize]).map(f32::from);
            let own = unlit(seen, spot.unlit);
            let off = light.distance(own, self.ground);
            let is_stone = |s: &Rgb| light.distance(own, *s) < 0.5 * off;
            off > 2.0 * self.apart || off > self.apart && self.stones.iter().any(is_stone)
        })
    }

    /// Whether what lies on a crossing is darker, or lighter, than what lies around it on nearly all
    /// sides (at least so many eighths), as seen: the edge of a patch of sun is so on one side only.
    fn stands_out(&self, px: &[u32], spot: &Spot, least: usize) -> bool {
        let level = |c: Rgb| c[0] + c[1] + c[2];
        let core = median(spot.core.map(|k| px[k as usize]));
        let (mut darker, mut lighter, mut all) = (0, 0, 0);
        for (k, (dx, dy)) in spot.rims.into_iter().zip(RIMS) {
            // Beyond the last lines anything may lie.
            let beside = spot.arms[usize::from(dx > 0.0)].is_some();
            let over = spot.arms[2 + usize::from(dy > 0.0)].is_some();
            if !(beside && over) {
                continue;
            }
            all += 1;
            let seen = channels(px[k as usize]).map(f32::from);
            if distance(seen, core) > self.apart {
                let is_darker = level(core) < level(seen);
                darker += usize::from(is_darker);
                lighter += usize::from(!is_darker);
            }
        }
        darker.max(lighter) * 8 >= all.max(4) * least
    }

    /// On how many sides a line runs around what lies on a crossing: some stones show by that alone.
    fn outline(&self, px: &[u32], spot: &Spot, core: Rgb, light: Light) -> usize {
        let least = 0.5 * self.apart;
        let far = |k: &u32| {
            let seen = unlit(channels(px[*k as usize]).map(f32::from), spot.unlit);
            distance(seen, core) > least && light.distance(seen, self.ground) > least
        };
        let around = spot.outline.iter();
        around.filter(|ray| ray.iter().any(far)).count()
    }

    /// The share of the edges on open ground that show their line.
    pub(super) fn fit(&self, px: &[u32]) -> Option<f32> {
        let (mut good, mut all) = (0u32, 0u32);
        for (across, square) in &self.edges {
            let shade = self.shade(px, *square as usize);
            if !shade.is_ground {
                continue;
            }
            all += 1;
            let floor = (SEEN * self.contrast * shade.gain.min(1.3)).max(3.0);
            good += u32::from(self.strength(px, across) >= floor);
        }
        (all >= 8).then(|| good as f32 / all as f32)
    }
}

/// The kind of stone whose colour is nearest.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    kind: usize,
    near: f32,
    second: f32,
}

#[inline]
fn distance(a: Rgb, b: Rgb) -> f32 {
    square(a, b).sqrt()
}

#[inline]
fn unlit(rgb: Rgb, by: Rgb) -> Rgb {
    [rgb[0] * by[0], rgb[1] * by[1], rgb[2] * by[2]]
}

/// Channel-wise median of packed pixels.
#[inline]
fn median<const N: usize>(pixels: [u32; N]) -> Rgb {
    if pixels.iter().all(|&p| p == pixels[0]) {
        return channels(pixels[0]).map(f32::from);
    }
    [16, 8, 0].map(|shift| {
        let mut v = pixels.map(|p| (p >> shift) as u8);
        v.sort_unstable();
        (f32::from(v[(N - 1) / 2]) + f32::from(v[N / 2])) / 2.0
    })
}
