//! From controls to strokes: the one transform, applied.
//!
//! Must never press outside the visible part of the frame, nor leave the pointer in a corner of the
//! screen, which is where a person pushes it to stop us.

use crate::types::{
    BoardKind, Calibration, Control, Picture, Placement, Point, PxFromCell, Stroke,
};

/// Strokes for controls: keys alone need no place on a screen, as where a camera looks at that of
/// another computer; `None` if any point cannot be reached.
#[must_use]
pub fn strokes_for(
    controls: &[Control],
    calibration: Option<&Calibration>,
    placement: Option<&Placement>,
) -> Option<Vec<Stroke>> {
    let keys: Option<Vec<Stroke>> = controls
        .iter()
        .map(|c| match c {
            Control::Key(name) => Some(Stroke::Key(name.clone())),
            Control::Cell(_) | Control::At(_) => None,
        })
        .collect();
    keys.or_else(|| strokes(controls, calibration?, placement?))
}

/// Strokes for the controls, in screen coordinates, ending with the pointer parked outside the
/// board where there is room for it; `None` if any point cannot be reached.
#[must_use]
pub fn strokes(
    controls: &[Control],
    calibration: &Calibration,
    placement: &Placement,
) -> Option<Vec<Stroke>> {
    let (width, height) = calibration.image;
    let mut out = Vec::with_capacity(controls.len() + 1);
    let mut pointer_used = false;
    for control in controls {
        let cell_point = match control {
            Control::Key(name) => {
                out.push(Stroke::Key(name.clone()));
                continue;
            }
            Control::Cell(cell) => cell.centre(),
            Control::At(point) => *point,
        };
        let px = calibration.px_from_cell.map(cell_point);
        if !placement.visible.contains(px) {
            return None;
        }
        pointer_used = true;
        out.push(Stroke::Click(placement.screen_from_px(px, width, height)));
    }
    if pointer_used {
        out.extend(park(calibration, placement).map(Stroke::Park));
    }
    Some(out)
}

/// A point (screen coordinates) off the board where the pointer hides nothing: the middle of the
/// widest visible margin, or beside the frame where the board fills all of it; `None` if there is no
/// room at all. Beside a board of holes rather than above or below: there it would point at a
/// column.
#[must_use]
pub fn park(calibration: &Calibration, placement: &Placement) -> Option<Point> {
    let (width, height) = calibration.image;
    let [left, top, right, bottom] = bounds(calibration);
    let [x0, y0, x1, y1] = visible(placement);
    // A third of the way up or across keeps away from corners and from a centred button.
    let across = x0 + (x1 - x0) / 3.0;
    let down = y0 + (y1 - y0) / 3.0;
    let margins = [
        (left - x0, Point::new(x0 + (left - x0) / 2.0, down)),
        (x1 - right, Point::new(right + (x1 - right) / 2.0, down)),
        (top - y0, Point::new(across, y0 + (top - y0) / 2.0)),
        (
            y1 - bottom,
            Point::new(across, bottom + (y1 - bottom) / 2.0),
        ),
    ];
    // Two pixels are enough for the tip of an arrow; less may still touch the board.
    let widest = |margins: &[(f64, Point)]| {
        let wide = margins.iter().filter(|(space, _)| *space >= 4.0);
        wide.max_by(|a, b| a.0.total_cmp(&b.0)).map(|m| m.1)
    };
    let beside = match calibration.kind {
        BoardKind::Holes => widest(&margins[..2]),
        _ => None,
    };
    match beside.or_else(|| widest(&margins)) {
        Some(px) => Some(placement.screen_from_px(px, width, height)),
        None => outside(placement),
    }
}

/// A point of the screen beside the frame: to the left, or above it. How far the screen goes on the
/// other sides is not known here.
fn outside(placement: &Placement) -> Option<Point> {
    const AWAY: f64 = 12.0;
    let frame = placement.on_screen;
    let (x, y) = (f64::from(frame.x), f64::from(frame.y));
    let third = |from: f64, side: u32| (from + f64::from(side) / 3.0).max(AWAY);
    if x >= 2.0 * AWAY {
        return Some(Point::new(x - AWAY, third(y, frame.height)));
    }
    (y >= 2.0 * AWAY).then(|| Point::new(third(x, frame.width), y - AWAY))
}

/// Whether a point (px) lies on the board.
#[must_use]
pub fn on_board(calibration: &Calibration, px: Point) -> bool {
    calibration
        .px_from_cell
        .inverse()
        .is_some_and(|back: PxFromCell| {
            let at = back.map(px);
            at.x >= 0.0
                && at.y >= 0.0
                && at.x < f64::from(calibration.size.cols)
                && at.y < f64::from(calibration.size.rows)
        })
}

/// Whether all of the board lies on the visible part of the frame.
#[must_use]
pub fn is_visible(calibration: &Calibration, placement: &Placement) -> bool {
    let [left, top, right, bottom] = bounds(calibration);
    let [x0, y0, x1, y1] = visible(placement);
    let size = calibration.size;
    let narrower = |from: f64, to: f64, n: u16| 0.15 * (to - from) / f64::from(n.max(1));
    let (across, down) = match calibration.kind {
        // Half a cell of the board lies beyond its outer lines: a window may end where their stones
        // do, and a sliver of a stone is not missed.
        BoardKind::Crossings => (
            narrower(left, right, size.cols),
            narrower(top, bottom, size.rows),
        ),
        // Half a pixel less: an outline on the very edge is inside.
        _ => (0.5, 0.5),
    };
    left > x0 - across && top > y0 - down && right < x1 + across && bottom < y1 + down
}

/// Whether a board that was found may go on beyond the edge of the screen: the frame does, and
/// there is no room for another cell between.
#[must_use]
pub fn cut_off(calibration: &Calibration, placement: &Placement) -> bool {
    let (width, height) = calibration.image;
    let [left, top, right, bottom] = bounds(calibration);
    let [x0, y0, x1, y1] = visible(placement);
    let (cols, rows) = (calibration.size.cols, calibration.size.rows);
    let across = (right - left) / f64::from(cols.max(1));
    let down = (bottom - top) / f64::from(rows.max(1));
    x0 > 0.0 && left - x0 < across
        || y0 > 0.0 && top - y0 < down
        || x1 < f64::from(width) && x1 - right < across
        || y1 < f64::from(height) && y1 - bottom < down
}

/// Left, top, right and bottom of the visible part, in px.
fn visible(placement: &Placement) -> [f64; 4] {
    let seen = placement.visible;
    let (x, y) = (f64::from(seen.x), f64::from(seen.y));
    [x, y, x + f64::from(seen.width), y + f64::from(seen.height)]
}

/// Left, top, right and bottom of the board, in px.
fn bounds(calibration: &Calibration) -> [f64; 4] {
    let corners = calibration.px_from_cell.corners(calibration.size);
    let fold = |f: fn(f64, f64) -> f64, pick: fn(&Point) -> f64| {
        corners.iter().map(pick).reduce(f).unwrap_or(0.0)
    };
    [
        fold(f64::min, |p| p.x),
        fold(f64::min, |p| p.y),
        fold(f64::max, |p| p.x),
        fold(f64::max, |p| p.y),
    ]
}

/// The part of a picture around the board, as evidence: the board and half a cell more.
#[must_use]
pub fn cropped(picture: &Picture, calibration: &Calibration) -> Picture {
    let corners = calibration.px_from_cell.corners(calibration.size);
    let pad = corners[0].distance(corners[1]) / f64::from(calibration.size.cols.max(1)) / 2.0;
    let low = |pick: fn(&Point) -> f64| corners.iter().map(pick).fold(f64::MAX, f64::min) - pad;
    let high = |pick: fn(&Point) -> f64| corners.iter().map(pick).fold(0.0, f64::max) + pad;
    let (x, y) = (low(|p| p.x).max(0.0) as u32, low(|p| p.y).max(0.0) as u32);
    let (right, bottom) = (high(|p| p.x).ceil() as u32, high(|p| p.y).ceil() as u32);
    picture.crop(x, y, right.saturating_sub(x), bottom.saturating_sub(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{GainField, GridSize, Rect};

    #[test]
    fn keys_need_no_place() {
        let keys = [Control::Key("Left".into()), Control::Key("space".into())];
        let strokes = strokes_for(&keys, None, None).expect("keys");
        assert_eq!(
            strokes,
            [Stroke::Key("Left".into()), Stroke::Key("space".into())]
        );
        let click = [Control::At(Point::new(1.0, 1.0))];
        assert_eq!(strokes_for(&click, Some(&calibration()), None), None);
    }

    /// A board of 10 by 10 cells of 20 px at (30, 40) in a picture of 260 by 300.
    fn calibration() -> Calibration {
        Calibration {
            kind: BoardKind::Cells,
            size: GridSize::new(10, 10),
            image: (260, 300),
            px_from_cell: PxFromCell::upright(Point::new(30.0, 40.0), 20.0, 20.0),
            classes: Vec::new(),
            beside: Vec::new(),
            border: None,
            well: None,
            plate: None,
            stones: None,
            gain: GainField::default(),
            veil: crate::types::Veil::default(),
            quality: 1.0,
            residual: 0.0,
        }
    }

    fn seen(x: i32, y: i32, width: u32, height: u32) -> Placement {
        Placement {
            on_screen: Rect {
                x: 100,
                y: 50,
                width: 260,
                height: 300,
            },
            visible: Rect {
                x,
                y,
                width,
                height,
            },
            window: Some(1),
            obscured: false,
            pointer: None,
        }
    }

    #[test]
    fn a_board_is_visible_until_its_outline_is_cut() {
        let c = calibration();
        assert!(is_visible(&c, &seen(0, 0, 260, 300)));
        assert!(is_visible(&c, &seen(30, 40, 200, 200)), "just so");
        assert!(!is_visible(&c, &seen(33, 0, 227, 300)));
        assert!(!is_visible(&c, &seen(0, 0, 200, 300)));
        assert!(!is_visible(&c, &seen(0, 0, 260, 237)));
    }

    #[test]
    fn a_window_may_end_where_the_stones_on_the_outer_lines_do() {
        let crossings = Calibration {
            kind: BoardKind::Crossings,
            ..calibration()
        };
        assert!(is_visible(&crossings, &seen(32, 42, 196, 196)));
        assert!(
            !is_visible(&crossings, &seen(36, 42, 192, 196)),
            "stones are cut"
        );
    }

    #[test]
    fn a_found_board_may_go_on_where_there_is_room_for_a_cell() {
        let c = calibration();
        assert!(!cut_off(&c, &seen(0, 0, 260, 300)), "all is to be seen");
        // Room for one more cell between board and edge, or not.
        assert!(!cut_off(&c, &seen(0, 0, 252, 300)));
        assert!(cut_off(&c, &seen(0, 0, 245, 300)));
        assert!(cut_off(&c, &seen(15, 0, 245, 300)));
        assert!(cut_off(&c, &seen(0, 0, 260, 241)));
    }

    #[test]
    fn the_pointer_is_parked_beside_holes_even_if_there_is_more_room_below() {
        let c = calibration();
        let at = |kind| park(&Calibration { kind, ..c.clone() }, &seen(0, 0, 260, 300));
        let (holes, cells) = (at(BoardKind::Holes), at(BoardKind::Cells));
        assert!(
            holes.is_some_and(|p| p.x < 130.0 || p.x > 330.0),
            "{holes:?}"
        );
        assert!(cells.is_some_and(|p| p.y > 290.0), "{cells:?}");
        let narrow = Calibration {
            kind: BoardKind::Holes,
            px_from_cell: PxFromCell::upright(Point::new(0.0, 40.0), 26.0, 20.0),
            ..c
        };
        assert!(park(&narrow, &seen(0, 0, 260, 300)).is_some_and(|p| p.y > 290.0));
    }

    #[test]
    fn a_board_that_fills_its_window_has_the_pointer_beside_it() {
        let c = Calibration {
            px_from_cell: PxFromCell::upright(Point::new(0.0, 0.0), 26.0, 30.0),
            ..calibration()
        };
        let mut placement = seen(0, 0, 260, 300);
        let at = |p: &Placement| park(&c, p);
        assert_eq!(at(&placement), Some(Point::new(88.0, 150.0)), "to the left");
        placement.on_screen.x = 0;
        let above = at(&placement).expect("there is room above");
        assert!(above.y == 38.0 && above.x > 80.0, "{above:?}");
        placement.on_screen.y = 10;
        assert_eq!(at(&placement), None);
        let click = [Control::Cell(crate::types::Cell::new(0, 0))];
        let strokes = strokes(&click, &c, &placement).expect("visible");
        assert_eq!(strokes.len(), 1, "the click is made nonetheless");
    }

    #[test]
    fn strokes_end_parked_or_are_none_at_all() {
        let c = calibration();
        let click = [Control::Cell(crate::types::Cell::new(9, 9))];
        let all = strokes(&click, &c, &seen(0, 0, 260, 300)).expect("visible");
        assert_eq!(all[0], Stroke::Click(Point::new(320.0, 280.0)));
        let Stroke::Park(p) = all[1] else {
            panic!("{all:?}");
        };
        assert!(!on_board(&c, Point::new(p.x - 100.0, p.y - 50.0)));
        assert_eq!(strokes(&click, &c, &seen(0, 0, 200, 300)), None);
    }
}
