//! The plate: its colour under the light, and which cells lie on it.
//!
//! Takes the colours at the corners of cells. A plate may be glossy: what is like the plate next
//! to it is plate.

use super::super::cell::{CellLook, distance};
use super::super::extent::Span;
use super::super::gain;
use super::super::planes::Planes;
use super::evidence::SURE;
use super::extent::HOLE;
use super::kinds::Kinds;
use super::looks::{HoleLook, alike, median, plate_at};
use super::rims::Shape;
use crate::types::colour::apart;
use crate::types::{GainField, GridSize, Plate, PxFromCell};

/// From one cell to the next a gloss changes the plate's colour by less than this.
const GLOSS: f32 = 55.0;

/// Which cells of a span lie on the plate.
#[derive(Clone, Debug)]
pub struct Plates {
    span: Span,
    /// Of the plate's usual colour.
    on: Vec<bool>,
    /// Joined to such a cell without a large step.
    joined: Vec<bool>,
}

impl Plates {
    /// Looks at the corners of all cells; the plate is what most of the `sure` ones have there,
    /// and what goes on from it without a large step.
    #[must_use]
    pub fn seen(
        planes: &Planes,
        at: &PxFromCell,
        span: Span,
        noise: f32,
        sure: &dyn Fn((i32, i32)) -> bool,
    ) -> Self {
        let w = (span.x1 - span.x0).max(0) as usize;
        let cells: Vec<(i32, i32)> = (span.y0..span.y1)
            .flat_map(|y| (span.x0..span.x1).map(move |x| (x, y)))
            .collect();
        let seen: Vec<Option<[f32; 3]>> = cells
            .iter()
            .map(|&c| plate_at(planes, at, c, noise))
            .collect();
        let known: Vec<[f32; 3]> = { cells.iter().zip(&seen) }
            .filter(|(c, _)| sure(**c))
            .filter_map(|(_, rgb)| *rgb)
            .collect();
        let usual = median(&known);
        let is_usual = |rgb: &Option<[f32; 3]>| rgb.is_some_and(|c| alike(noise, c, usual));
        let on: Vec<bool> = seen.iter().map(is_usual).collect();
        let mut joined = on.clone();
        let mut todo: Vec<usize> = (0..on.len()).filter(|&i| on[i]).collect();
        while let Some(i) = todo.pop() {
            let (x, y) = (i % w.max(1), i / w.max(1));
            let near = [
                (x > 0).then(|| i - 1),
                (x + 1 < w).then_some(i + 1),
                (y > 0).then(|| i - w),
                (i + w < on.len()).then_some(i + w),
            ];
            for j in near.into_iter().flatten() {
                if let (false, Some(a), Some(b)) = (joined[j], seen[i], seen[j])
                    && apart(a, b) < GLOSS + 3.0 * noise
                {
                    joined[j] = true;
                    todo.push(j);
                }
            }
        }
        Self { span, on, joined }
    }

    /// Whether a cell of the span lies on the plate, or on what may be a gloss of it.
    #[must_use]
    pub fn joined(&self, cell: (i32, i32)) -> bool {
        self.at(&self.joined, cell)
    }

    /// Whether nothing lies over a cell of the span that has so much of a rim.
    #[must_use]
    pub fn bare(&self, cell: (i32, i32), rim: f32) -> bool {
        self.at(&self.on, cell) || rim >= SURE || rim >= HOLE && self.joined(cell)
    }

    fn at(&self, all: &[bool], (x, y): (i32, i32)) -> bool {
        let s = self.span;
        let inside = x >= s.x0 && x < s.x1 && y >= s.y0 && y < s.y1;
        let i = (y - s.y0) * (s.x1 - s.x0) + x - s.x0;
        inside && all.get(i as usize).copied().unwrap_or(false)
    }
}

/// The plate's colour and the light on it, from the cells that are surely on it.
#[must_use]
pub fn plate(
    size: GridSize,
    looks: &[HoleLook],
    sure: &[bool],
    noise: f32,
) -> ([f32; 3], GainField) {
    let as_cells: Vec<CellLook> = looks
        .iter()
        .map(|l| CellLook {
            rim: l.plate,
            ..CellLook::default()
        })
        .collect();
    let mut light = GainField::default();
    let mut rgb = [0.0; 3];
    let usable = |i: usize| looks[i].whole && sure[i];
    let mut on: Vec<Option<usize>> = (0..looks.len()).map(|i| usable(i).then_some(0)).collect();
    for _ in 0..3 {
        light = gain::from_classes(size, &as_cells, &on, &[[0.0; 3]]);
        rgb = under(size, looks, sure, &light).0;
        for (i, (label, l)) in on.iter_mut().zip(looks).enumerate() {
            let c = gain::removed(&light, gain::place(size, i), l.plate);
            *label = (usable(i) && alike(noise, c, rgb)).then_some(0);
        }
    }
    (rgb, light)
}

/// The plate as a reader needs it, when this light is removed.
#[must_use]
pub fn described(
    size: GridSize,
    looks: &[HoleLook],
    on: &[bool],
    kinds: &Kinds,
    noise: f32,
    hole: Shape,
) -> Plate {
    let light = &kinds.gain;
    let (rgb, spread) = under(size, looks, on, light);
    let flat = |i: usize| gain::removed(light, gain::place(size, i), looks[i].plate);
    let glossy = kinds.veil || (0..looks.len()).any(|i| on[i] && !alike(noise, flat(i), rgb));
    let gloss = |i: usize| {
        let seen = if on[i] {
            looks[i].plate
        } else {
            let (u, v) = gain::place(size, i);
            let f = light.factor(u, v);
            [rgb[0] * f[0], rgb[1] * f[1], rgb[2] * f[2]]
        };
        seen.map(|c| c.round().clamp(0.0, 255.0) as u8)
    };
    Plate {
        rgb,
        // What the gloss explains is no spread.
        spread: if glossy { spread.min(8.0) } else { spread },
        gloss: if glossy {
            (0..looks.len()).map(gloss).collect()
        } else {
            Vec::new()
        },
        veil: kinds.veil,
        hole: (hole.rx.into(), hole.ry.into()),
        open: kinds.open,
    }
}

/// The plate's colour and its spread when this light is removed.
#[must_use]
fn under(
    size: GridSize,
    looks: &[HoleLook],
    sure: &[bool],
    light: &GainField,
) -> ([f32; 3], f32) {
    let flat: Vec<[f32; 3]> = looks
        .iter()
        .enumerate()
        .filter(|(i, l)| l.whole && sure[*i])
        .map(|(i, l)| gain::removed(light, gain::place(size, i), l.plate))
        .collect();
    let rgb = median(&flat);
    let mut off: Vec<f32> = flat.iter().map(|&c| distance(c, rgb)).collect();
    off.sort_by(f32::total_cmp);
    let spread = off.get(off.len() * 2 / 3).copied().unwrap_or(0.0);
    (rgb, spread)
}
