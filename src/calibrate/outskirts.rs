//! What lies around a board on its own lattice: strips of another colour with more beyond them,
//! lines of the colour that lies between the cells.
//!
//! Takes the cells of an endless lattice and a supposed board, gives what of it is none.

use super::extent::{SIDES, Span, commonest};
use super::table::Table;

/// How far inside a side surroundings may begin that have more of the board's colours beyond.
const BESIDE: i32 = 4;

/// The span without what lies beyond a strip of a colour that the board has nowhere: colours to
/// choose from beside it, a row of buttons.
pub(super) fn cut_off(table: &mut Table<'_>, mut span: Span) -> Span {
    for side in SIDES {
        for depth in (1..BESIDE.min(side.depth(span) / 3 + 1)).rev() {
            let line = side.line(span, depth);
            let Some(common) = commonest(table, &line) else {
                continue;
            };
            let like = line.iter().filter(|&&c| table.same(common, c)).count();
            let rest = side.moved(span, -depth - 1);
            if like * 20 < line.len() * 19 || side.depth(rest) < 3 {
                continue;
            }
            let elsewhere = (rest.y0..rest.y1)
                .flat_map(|y| (rest.x0..rest.x1).map(move |x| (x, y)))
                .any(|c| table.same(common, c));
            if !elsewhere {
                span = rest;
                break;
            }
        }
    }
    span
}

/// Pairs of neighbours that are looked at to learn whether lines are drawn between cells of one
/// colour.
const LINED: usize = 60;

/// Whether lines are drawn between cells of one colour, too, on the board but not on the line.
pub(super) fn unlined(table: &mut Table<'_>, span: Span, line: &[(i32, i32)]) -> bool {
    let drawn = line.windows(2).filter(|w| table.parted(w[0], w[1])).count();
    if drawn * 5 > line.len() {
        return false;
    }
    let every = span.size().len().div_ceil(LINED).max(1);
    let cells = (span.y0..span.y1).flat_map(|y| (span.x0 + 1..span.x1).map(move |x| (x, y)));
    let (mut lined, mut all) = (0, 0);
    for (x, y) in cells.step_by(every) {
        if !line.contains(&(x, y)) && table.same((x - 1, y), (x, y)) {
            lined += usize::from(table.parted((x - 1, y), (x, y)));
            all += 1;
        }
    }
    all >= 3 && lined * 10 >= all * 8
}

/// Fewest corners of cells that tell what lies between them.
const CORNERS: usize = 4;

/// Whether a cell has the colour of what lies between the cells of the board: where none of the
/// four around a corner has it, the corner still does.
pub(super) fn is_ground(table: &mut Table<'_>, span: Span, cell: (i32, i32)) -> bool {
    let (mut ground, mut all) = (0, 0);
    let corners = (span.y0 + 1..span.y1).flat_map(|y| (span.x0 + 1..span.x1).map(move |x| (x, y)));
    for (x, y) in corners {
        let mut around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)].into_iter();
        if all < LINED && around.all(|c| table.is_plain(c.0, c.1) && !table.same(c, cell)) {
            all += 1;
            ground += usize::from(table.corner_is((x, y), cell));
        }
    }
    all >= CORNERS && ground * 10 >= all * 9
}
