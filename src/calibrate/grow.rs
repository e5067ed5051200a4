//! A lattice grown from blob to blob.
//!
//! Takes blobs, gives lattices as homographies with the cells in which blobs were met. Each step
//! is predicted by the steps before it, so that a lattice may be tilted, and cells may be missing.

use rustc_hash::FxHashMap;

use super::blobs::Blob;
use super::extent::Span;
use super::solve::Normal;
use crate::types::{Point, PxFromCell};

/// A grown lattice.
#[derive(Clone, Copy, Debug)]
pub struct Grown {
    /// Of the endless lattice.
    pub px_from_cell: PxFromCell,
    /// The cells that were met lie in here.
    pub core: Span,
    /// How many blobs lie on it.
    pub blobs: usize,
}

/// Blobs by place, for looking up neighbours.
struct Field<'a> {
    blobs: &'a [Blob],
    side: f64,
    tiles: FxHashMap<(i32, i32), Vec<u32>>,
}

impl<'a> Field<'a> {
    fn new(blobs: &'a [Blob], side: f64) -> Self {
        let mut tiles: FxHashMap<(i32, i32), Vec<u32>> = FxHashMap::default();
        for (i, b) in blobs.iter().enumerate() {
            let key = ((b.middle.x / side) as i32, (b.middle.y / side) as i32);
            tiles.entry(key).or_default().push(i as u32);
        }
        Self { blobs, side, tiles }
    }

    /// Blobs within `radius` of a point.
    fn near(&self, p: Point, radius: f64) -> impl Iterator<Item = usize> + '_ {
        let tile = |v: f64| (v / self.side).floor() as i32;
        let (x0, x1) = (tile(p.x - radius), tile(p.x + radius));
        let (y0, y1) = (tile(p.y - radius), tile(p.y + radius));
        (y0..=y1)
            .flat_map(move |y| (x0..=x1).map(move |x| (x, y)))
            .filter_map(|k| self.tiles.get(&k))
            .flatten()
            .map(|&i| i as usize)
            .filter(move |&i| self.blobs[i].middle.distance(p) <= radius)
    }

    /// The blob nearest to a point, of about the given area.
    fn at(&self, p: Point, radius: f64, area: f64) -> Option<usize> {
        self.near(p, radius)
            .filter(|&i| (0.4..2.5).contains(&(self.blobs[i].area / area)))
            .min_by(|&a, &b| {
                let d = |i: usize| self.blobs[i].middle.distance(p);
                d(a).total_cmp(&d(b))
            })
    }
}

/// Lattices of at least `least` blobs, largest first.
#[must_use]
pub fn lattices(blobs: &[Blob], least: usize) -> Vec<Grown> {
    // A page of noise has no lattice worth the time.
    const MOST: usize = 20_000;
    let mut out = Vec::new();
    if blobs.len() < least || blobs.len() > MOST {
        return out;
    }
    let mut areas: Vec<f64> = blobs.iter().map(|b| b.area).collect();
    let k = areas.len() / 2;
    let typical = areas.select_nth_unstable_by(k, f64::total_cmp).1.sqrt();
    let field = Field::new(blobs, (2.0 * typical).max(4.0));
    let mut used = vec![false; blobs.len()];
    let mut tries = 0;
    for seed in 0..blobs.len() {
        if used[seed] || tries > 3000 {
            continue;
        }
        tries += 1;
        let Some(basis) = basis(&field, seed) else {
            continue;
        };
        let members = spread(&field, seed, basis);
        if members.len() < least {
            continue;
        }
        if let Some(grown) = fit(&field, members, &mut used) {
            out.push(grown);
        }
    }
    out.sort_by_key(|g| std::cmp::Reverse(g.blobs));
    out
}

fn minus(a: Point, b: Point) -> Point {
    Point::new(a.x - b.x, a.y - b.y)
}

fn plus(a: Point, b: Point) -> Point {
    Point::new(a.x + b.x, a.y + b.y)
}

/// Steps to the next cell to the right and below, from the two nearest blobs that are alike.
fn basis(field: &Field<'_>, seed: usize) -> Option<[Point; 2]> {
    let b = field.blobs[seed];
    let reach = 3.0 * b.area.sqrt() + 8.0;
    let mut near: Vec<(f64, Point)> = field
        .near(b.middle, reach)
        .filter(|&i| i != seed && (0.5..2.0).contains(&(field.blobs[i].area / b.area)))
        .map(|i| {
            let d = minus(field.blobs[i].middle, b.middle);
            (d.x.hypot(d.y), d)
        })
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.truncate(8);
    let (l1, e1) = *near.first()?;
    let (_, e2) = *near.iter().find(|(l2, d)| {
        let sine = (e1.x * d.y - e1.y * d.x).abs() / (l1 * l2).max(1e-9);
        sine > 0.7 && (0.45..2.2).contains(&(l2 / l1))
    })?;
    // The one nearer to level goes right, the other one down.
    let (mut right, mut down) = if e1.x.abs() * e2.y.abs() >= e1.y.abs() * e2.x.abs() {
        (e1, e2)
    } else {
        (e2, e1)
    };
    if right.x < 0.0 {
        right = Point::new(-right.x, -right.y);
    }
    if down.y < 0.0 {
        down = Point::new(-down.x, -down.y);
    }
    Some([right, down])
}

/// Blobs reached from the seed in steps of one cell, with their cells.
fn spread(field: &Field<'_>, seed: usize, basis: [Point; 2]) -> Vec<(usize, (i32, i32))> {
    let mut cell_of: FxHashMap<usize, (i32, i32)> = FxHashMap::default();
    let mut taken: FxHashMap<(i32, i32), usize> = FxHashMap::default();
    let mut todo = vec![(seed, (0, 0), basis)];
    cell_of.insert(seed, (0, 0));
    taken.insert((0, 0), seed);
    let mut next = 0;
    while next < todo.len() {
        let (i, (x, y), [right, down]) = todo[next];
        next += 1;
        let here = field.blobs[i];
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let cell = (x + dx, y + dy);
            if taken.contains_key(&cell) {
                continue;
            }
            let (fx, fy) = (f64::from(dx), f64::from(dy));
            let step = Point::new(right.x * fx + down.x * fy, right.y * fx + down.y * fy);
            let length = step.x.hypot(step.y);
            let Some(j) = field.at(plus(here.middle, step), 0.25 * length, here.area) else {
                continue;
            };
            if cell_of.contains_key(&j) {
                continue;
            }
            let real = minus(field.blobs[j].middle, here.middle);
            let mixed = |old: Point, sign: f64| {
                Point::new(
                    0.5 * old.x + 0.5 * sign * real.x,
                    0.5 * old.y + 0.5 * sign * real.y,
                )
            };
            let steps = if dy == 0 {
                [mixed(right, fx), down]
            } else {
                [right, mixed(down, fy)]
            };
            cell_of.insert(j, cell);
            taken.insert(cell, j);
            todo.push((j, cell, steps));
        }
    }
    let mut members: Vec<_> = cell_of.into_iter().collect();
    members.sort_unstable();
    members
}

/// The homography through the members, then through all blobs that lie on it.
fn fit(
    field: &Field<'_>,
    mut members: Vec<(usize, (i32, i32))>,
    used: &mut [bool],
) -> Option<Grown> {
    for &(i, _) in &members {
        used[i] = true;
    }
    let mut h = straightened(field.blobs, &mut members)?;
    let mut areas: Vec<f64> = members.iter().map(|&(i, _)| field.blobs[i].area).collect();
    let k = areas.len() / 2;
    let area = *areas.select_nth_unstable_by(k, f64::total_cmp).1;
    for _ in 0..3 {
        let back = h.inverse()?;
        let (mut lo, mut hi) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
        for &(_, (x, y)) in &members {
            lo = (lo.0.min(x), lo.1.min(y));
            hi = (hi.0.max(x), hi.1.max(y));
        }
        // One line of cells further than known: what is met there is met for sure.
        let mut again = Vec::new();
        for (i, b) in field.blobs.iter().enumerate() {
            let c = back.map(b.middle);
            let (x, y) = (c.x.floor(), c.y.floor());
            if !(f64::from(lo.0 - 2)..=f64::from(hi.0 + 2)).contains(&x)
                || !(f64::from(lo.1 - 2)..=f64::from(hi.1 + 2)).contains(&y)
            {
                continue;
            }
            let off = (c.x - x - 0.5).hypot(c.y - y - 0.5);
            if off < 0.2 && (0.25..4.0).contains(&(b.area / area)) {
                again.push((i, (x as i32, y as i32)));
            }
        }
        if again.len() < 4 {
            return None;
        }
        members = again;
        h = homography(field.blobs, &members)?;
    }
    let mut core = Span {
        x0: i32::MAX,
        y0: i32::MAX,
        x1: i32::MIN,
        y1: i32::MIN,
    };
    for &(i, (x, y)) in &members {
        used[i] = true;
        core.x0 = core.x0.min(x);
        core.y0 = core.y0.min(y);
        core.x1 = core.x1.max(x + 1);
        core.y1 = core.y1.max(y + 1);
    }
    (core.x1 - core.x0 >= 2 && core.y1 - core.y0 >= 2).then_some(Grown {
        px_from_cell: h,
        core,
        blobs: members.len(),
    })
}

/// The homography with its steps as short as they can be: where the seed's own neighbour was
/// missing, a step may have gone to the one diagonally behind it.
fn straightened(blobs: &[Blob], members: &mut [(usize, (i32, i32))]) -> Option<PxFromCell> {
    /// Part of a step along the other one from which on it is a diagonal and no slant.
    const DIAGONAL: f64 = 0.65;
    let mut h = homography(blobs, members)?;
    // Two turns undo what one step of the basis can be off.
    for _ in 0..2 {
        let n = members.len() as f64;
        let sum = |get: &dyn Fn(&(i32, i32)) -> i32| -> f64 {
            members.iter().map(|(_, c)| f64::from(get(c))).sum()
        };
        let (x, y) = (sum(&|c| c.0) / n + 0.5, sum(&|c| c.1) / n + 0.5);
        let step = |dx: f64, dy: f64| {
            let (a, b) = (Point::new(x - dx, y - dy), Point::new(x + dx, y + dy));
            minus(h.map(b), h.map(a))
        };
        let (right, down) = (step(0.5, 0.0), step(0.0, 0.5));
        let dot = right.x * down.x + right.y * down.y;
        let along_down = dot / (down.x * down.x + down.y * down.y);
        let along_right = dot / (right.x * right.x + right.y * right.y);
        if along_down.abs() > DIAGONAL {
            let k = along_down.round() as i32;
            members.iter_mut().for_each(|(_, c)| c.1 += k * c.0);
        } else if along_right.abs() > DIAGONAL {
            let k = along_right.round() as i32;
            members.iter_mut().for_each(|(_, c)| c.0 += k * c.1);
        } else {
            break;
        }
        h = homography(blobs, members)?;
    }
    Some(h)
}

/// Least squares through the middles of cells; affine while there are few of them.
fn homography(blobs: &[Blob], members: &[(usize, (i32, i32))]) -> Option<PxFromCell> {
    let n = members.len() as f64;
    // Centred, so that the two kinds of unknowns are of like size.
    let (mut cx, mut cy) = (0.0, 0.0);
    for &(i, _) in members {
        cx += blobs[i].middle.x / n;
        cy += blobs[i].middle.y / n;
    }
    let mut normal = Normal::<8>::default();
    for &(i, (x, y)) in members {
        let (u, v) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
        let (px, py) = (blobs[i].middle.x - cx, blobs[i].middle.y - cy);
        normal.add(&[u, v, 1.0, 0.0, 0.0, 0.0, -px * u, -px * v], px, 1.0);
        normal.add(&[0.0, 0.0, 0.0, u, v, 1.0, -py * u, -py * v], py, 1.0);
    }
    if members.len() < 12 {
        // Too few to tell a slant from noise.
        for k in [6, 7] {
            let mut row = [0.0; 8];
            row[k] = 1.0;
            normal.add(&row, 0.0, 1e9);
        }
    }
    let m = normal.solve()?;
    Some(PxFromCell([
        m[0] + cx * m[6],
        m[1] + cx * m[7],
        m[2] + cx,
        m[3] + cy * m[6],
        m[4] + cy * m[7],
        m[5] + cy,
        m[6],
        m[7],
        1.0,
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_grown_from_beside_a_gap_has_its_cells_in_rows_and_columns() {
        // The first one has nothing on its right and none of its left: the nearest other way is
        // diagonal.
        let cells: Vec<(i32, i32)> = (0..6)
            .flat_map(|y| (0..7).map(move |x| (x, y)))
            .filter(|c| *c != (1, 0))
            .collect();
        let blobs: Vec<Blob> = cells
            .iter()
            .map(|&(x, y)| Blob {
                middle: Point::new(40.0 + 32.0 * f64::from(x), 50.0 + 32.0 * f64::from(y)),
                area: 500.0,
            })
            .collect();
        let all = lattices(&blobs, 8);
        let first = all.first().expect("a lattice");
        let size = first.core.size();
        assert_eq!((size.cols, size.rows, first.blobs), (7, 6, 41));
    }
}
