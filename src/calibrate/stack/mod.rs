//! Boards of kind [`Stack`](crate::types::BoardKind::Stack): mostly empty cells in an outline.
//!
//! Takes planes, gives calibrations with a quality. A sheet with markers says everything in one
//! go. Without one a `well` is looked for, whatever its size and colours; where none is clear,
//! frames, outlines of text and bare lattices of the wanted size are.

mod border;
mod judge;
mod light;
mod outline;
mod plain;
mod text;
mod well;
mod window;

use super::finder::noise;
use super::markers;
use super::planes::Planes;
use super::proposals;
use crate::types::{BoardKind, Calibration, GridSize, Wanted};

/// The size that is tried where nobody says one.
const USUAL: GridSize = GridSize::new(10, 20);

/// Noise below which a picture is drawn and not filmed.
const DRAWN: f32 = 0.3;

/// Least number of colours on a board full of blocks.
const COLOURFUL: u8 = 6;

/// Quality of a board between two columns of strokes, one for each row, at least.
const WRITTEN: f32 = 0.6;

/// A well of this quality needs no further search.
const CLEAR: f32 = 0.75;

/// Quality of a board whose colours cannot be told, at most.
const UNTOLD: f32 = 0.45;

/// Lattices tried at most.
const MOST_LATTICES: usize = 24;
/// Outlines judged at most.
const MOST: usize = 10;

/// Brings what was learnt about the same board before into a new calibration: how the kinds look,
/// where the next piece is shown. Whether it can be the same board.
pub fn continued(old: &Calibration, new: &mut Calibration) -> bool {
    if old.kind != BoardKind::Stack || new.kind != old.kind || old.size != new.size {
        return false;
    }
    let told_apart = |c: &Calibration| {
        let filled = c.classes.get(1..).unwrap_or_default();
        filled.iter().any(|k| k.rgb != filled[0].rgb)
    };
    if told_apart(old) && !told_apart(new) {
        // The light may have changed since; the border shows how.
        let change = match (old.border, new.border) {
            (Some(a), Some(b)) => [0, 1, 2].map(|c| b.rgb[c] / a.rgb[c].max(1.0)),
            _ => [1.0; 3],
        };
        new.classes.clone_from(&old.classes);
        for class in &mut new.classes {
            class.rgb = [0, 1, 2].map(|c| class.rgb[c] * change[c]);
        }
    }
    if new.beside.is_empty() {
        new.beside.clone_from(&old.beside);
    }
    true
}

/// All boards found, unordered.
#[must_use]
pub fn find(planes: &Planes, wanted: &Wanted) -> Vec<Calibration> {
    let sight = judge::Sight {
        planes,
        noise: noise(planes).min(14.0),
        size: wanted.size.unwrap_or(USUAL),
    };
    if let Some(found) = sight.sheet(&markers::find(planes)) {
        return vec![found];
    }
    // A game that is played tells its size; its classes must be the fixed ones. Of a single picture
    // nothing is known.
    if wanted.size.is_some() {
        return of_known_size(&sight);
    }
    let (mut found, surest) = well::find(planes);
    found.retain(|c| allowed(c.size, wanted));
    if surest <= CLEAR || found.is_empty() {
        let mut more = of_known_size(&sight);
        more.retain(|c| c.quality >= Calibration::MIN_QUALITY);
        found.extend(more.into_iter().map(|c| learnt(&sight, c)));
    }
    found
}

/// Boards of one size, by their frame, their strokes or their cells.
fn of_known_size(sight: &judge::Sight<'_>) -> Vec<Calibration> {
    let planes = sight.planes;
    let mut found: Vec<Calibration> = Vec::new();
    for corners in outline::find(planes).iter().take(MOST) {
        found.extend(sight.framed(*corners));
        if found.iter().any(|c| c.quality > 0.9) {
            return found;
        }
    }
    if sight.noise < DRAWN {
        let written = text::find(planes, sight.size);
        let mut written: Vec<Calibration> =
            { written.iter() }.filter_map(|at| sight.bare(at)).collect();
        // Strokes on both sides of every row are no chance, whatever the cells say: a single
        // piece at the top says little.
        for board in &mut written {
            board.quality = board.quality.max(WRITTEN);
        }
        found.append(&mut written);
        if found.iter().any(|c| c.quality >= Calibration::MIN_QUALITY) {
            return found;
        }
        let plain = plain::find(planes, sight.size);
        found.extend(plain.iter().filter_map(|at| sight.bare(at)));
    }
    // In a filmed picture this takes long, and a game that is watched is looked for often.
    if sight.noise >= DRAWN || found.iter().any(|c| c.quality > 0.8) {
        return found;
    }
    let mut tried = 0;
    proposals::each(planes, &mut |at, core| {
        tried += 1;
        for place in window::places(planes, at, core, sight.size) {
            found.extend(sight.bare(&place));
        }
        tried >= MOST_LATTICES || found.iter().any(|c| c.quality > 0.8)
    });
    if found.iter().all(|c| c.quality < Calibration::MIN_QUALITY) {
        found.extend(full(sight));
    }
    found
}

/// A board of which only the place was known, with its colours where they can be told.
fn learnt(sight: &judge::Sight<'_>, mut board: Calibration) -> Calibration {
    match well::at(sight.planes, &board) {
        Some(again) if again.quality >= Calibration::MIN_QUALITY => again,
        // Characters are no blocks: what is told of the cells is as good as their borders.
        _ if is_written(sight, &board) => board,
        Some(again) => again,
        None => {
            board.quality = board.quality.min(UNTOLD);
            board
        }
    }
}

/// Whether a board lies between two columns of strokes, one for each row.
fn is_written(sight: &judge::Sight<'_>, board: &Calibration) -> bool {
    let corners = board.px_from_cell.corners(board.size);
    sight.noise < DRAWN
        && text::find(sight.planes, board.size).iter().any(|at| {
            let there = at.corners(board.size);
            there
                .iter()
                .zip(&corners)
                .all(|(p, q)| p.distance(*q) < 2.0)
        })
}

fn allowed(size: GridSize, wanted: &Wanted) -> bool {
    (wanted.min.cols..=wanted.max.cols).contains(&size.cols)
        && (wanted.min.rows..=wanted.max.rows).contains(&size.rows)
}

/// Share of filled cells of a board full of blocks.
const FULL: f32 = 0.4;

/// Boards full of blocks, as title pages show them: found like other boards of cells.
fn full(sight: &judge::Sight<'_>) -> Vec<Calibration> {
    let wanted = Wanted {
        kind: BoardKind::Cells,
        size: Some(sight.size),
        min: sight.size,
        max: sight.size,
        classes: (COLOURFUL, 12),
    };
    let mut boards = super::finder::find(sight.planes, &wanted);
    // Tables and calendars have as many cells, in few colours.
    boards.retain(|c| c.quality > 0.8 && c.classes.len() >= usize::from(COLOURFUL));
    let bare = boards.iter().map(|c| sight.bare(&c.px_from_cell));
    bare.flatten().filter(|c| sight.filled(c) >= FULL).collect()
}
