//! Boards of lines: stones on their crossings, or marks in the squares between them.

use super::groups::Groups;
use super::lesson::{EMPTY, Lesson, letter};
use super::{Learnt, Sight, Trouble};
use crate::calibrate::cell::{CellLook, distance};
use crate::types::{BoardKind, Cell, ClassLook, GridSize, Point, colour_name};

/// Where a stone is sampled, in cells from its crossing: off the lines.
const STONE: [(f64, f64); 12] = [
    (0.25, 0.11),
    (0.11, 0.25),
    (-0.11, 0.25),
    (-0.25, 0.11),
    (-0.25, -0.11),
    (-0.11, -0.25),
    (0.11, -0.25),
    (0.25, -0.11),
    (0.16, 0.16),
    (-0.16, 0.16),
    (-0.16, -0.16),
    (0.16, -0.16),
];

/// Where a square is clear of any mark, in cells from its middle.
const SIDE: f64 = 0.4;

/// Stones on crossings; what is on none is the ground with its lines.
pub(super) fn crossings(sight: &Sight<'_>, lessons: &[Lesson]) -> Result<Learnt, Trouble> {
    let looks = sight.looks(&STONE)?;
    let (cols, rows) = (sight.size.cols, sight.size.rows);
    let middles =
        (1..rows).flat_map(|y| (1..cols).map(move |x| Point::new(f64::from(x), f64::from(y))));
    let ground = sight.colour(middles).ok_or(Trouble::Plain)?;
    let groups = Groups::of_pieces(sight, &looks, lessons)?;
    let arms = |c: Cell| {
        let m = c.centre();
        [0.18, 0.25, 0.32].map(|d| Point::new(m.x + d, m.y))
    };
    Ok(learnt(sight, &groups, ground, arms))
}

/// Marks in squares; what has none is the ground.
pub(super) fn squares(sight: &Sight<'_>, lessons: &[Lesson]) -> Result<Learnt, Trouble> {
    let middle = |c: Cell| {
        let m = c.centre();
        [(-SIDE, 0.0), (SIDE, 0.0), (0.0, -SIDE), (0.0, SIDE)]
            .map(|(x, y)| Point::new(m.x + 0.9 * x, m.y + 0.9 * y))
    };
    let ground = sight
        .colour(sight.size.cells().flat_map(middle))
        .ok_or(Trouble::Plain)?;
    // Of a mark that is drawn with a line only the ink tells its colour.
    let looks: Result<Vec<CellLook>, Trouble> = { sight.size.cells() }
        .map(|c| ink(sight, c, ground))
        .collect();
    let groups = Groups::of_pieces(sight, &looks?, lessons)?;
    let sides = |c: Cell| {
        let m = c.centre();
        [-0.2, 0.0, 0.2].map(|d| Point::new(m.x + 0.5, m.y + d))
    };
    Ok(learnt(sight, &groups, ground, sides))
}

/// The colour in a square that differs most from the ground: that of a tenth of its points.
fn ink(sight: &Sight<'_>, cell: Cell, ground: [f32; 3]) -> Result<CellLook, Trouble> {
    let m = cell.centre();
    let mut seen = Vec::with_capacity(225);
    for i in 0..225 {
        let at = |k: i32| 0.045 * f64::from(k - 7);
        let p = Point::new(m.x + at(i % 15), m.y + at(i / 15));
        let rgb = sight
            .planes
            .at(sight.at.map(p))
            .ok_or(Trouble::Outside(cell))?;
        seen.push(rgb.map(f32::from));
    }
    seen.sort_by(|a, b| distance(*b, ground).total_cmp(&distance(*a, ground)));
    let rgb = super::median(&seen[..seen.len() / 10]);
    Ok(CellLook {
        rim: rgb,
        centre: rgb,
        spread: 0.0,
    })
}

fn learnt<const N: usize>(
    sight: &Sight<'_>,
    groups: &Groups,
    ground: [f32; 3],
    on_line: impl Fn(Cell) -> [Point; N],
) -> Learnt {
    let nearest = |k: &usize| distance(groups.colours[*k], ground);
    let empty = groups.by_name(EMPTY).or_else(|| {
        { 0..groups.colours.len() }
            .filter(|k| *k >= groups.names.len())
            .min_by(|a, b| nearest(a).total_cmp(&nearest(b)))
            .filter(|k| nearest(k) < 4.0 * sight.eye.class(groups.colours[*k], ground))
    });
    let mut classes = vec![ClassLook {
        letter: '.',
        rgb: ground,
        spread: empty.map_or(0.0, |k| groups.spreads[k]),
        mark: Some(lines(sight, ground, on_line)),
    }];
    let mut taken = vec!['.'];
    for k in (0..groups.colours.len()).filter(|&k| Some(k) != empty) {
        let own = match groups.names.get(k) {
            Some(name) => letter(BoardKind::Crossings, name, &taken),
            None => letter(
                BoardKind::Crossings,
                colour_name::of(groups.colours[k]),
                &taken,
            ),
        };
        taken.push(own);
        classes.push(groups.class(k, own));
    }
    Learnt {
        classes,
        gain: groups.gain,
        plate: None,
    }
}

/// The colour of the lines: of the pixels near places on them the one furthest from the ground.
fn lines<const N: usize>(
    sight: &Sight<'_>,
    ground: [f32; 3],
    on_line: impl Fn(Cell) -> [Point; N],
) -> [f32; 3] {
    let GridSize { cols, rows } = sight.size;
    let mut seen = Vec::new();
    for cell in sight.size.cells() {
        // To the right there is a line only between crossings.
        if cell.col + 1 >= cols || cell.row == 0 || cell.row + 1 >= rows {
            continue;
        }
        for p in on_line(cell) {
            let px = sight.at.map(p);
            let near = [(0.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];
            let near = near.iter().filter_map(|(x, y)| {
                let c = sight.planes.at(Point::new(px.x + x, px.y + y))?;
                Some(c.map(f32::from))
            });
            seen.extend(near.max_by(|a, b| distance(*a, ground).total_cmp(&distance(*b, ground))));
        }
    }
    // A stone may lie there: what most places show are the lines.
    super::median(&seen)
}
