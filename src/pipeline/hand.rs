//! A board that is shown by hand: its corners, edges that are nudged, cells that are named.
//!
//! Takes what somebody says and a picture; gives the board that is meant, learnt from the picture,
//! with its quality. Must never move the board away from where it is shown.

use anyhow::{Context, bail};

use super::saved;
use crate::calibrate;
use crate::calibrate::shown::{self, Lesson};
use crate::classify::Reader;
use crate::types::{Calibration, GridSize, Picture, Point, PxFromCell, Reading, Wanted};

/// Distance of corners, in cells, up to which a board that was found is the one that is shown.
const SAME_PLACE: f64 = 0.3;

/// How far the edges of a board are moved, in px, right and down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nudge {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// Reads `left=-0.5 top=1`.
///
/// # Errors
/// For the first that is not written like this; the text says how.
pub fn nudge(text: &str) -> Result<Nudge, String> {
    let mut out = Nudge::default();
    for word in text.split_whitespace() {
        let how = || {
            format!("{word}: write EDGE=PIXELS, as left=-0.5; edges are left, top, right, bottom")
        };
        let (edge, by) = word.split_once('=').ok_or_else(how)?;
        let side = match edge {
            "left" => &mut out.left,
            "top" => &mut out.top,
            "right" => &mut out.right,
            "bottom" => &mut out.bottom,
            _ => return Err(how()),
        };
        *side = by
            .parse()
            .ok()
            .filter(|v: &f64| v.is_finite())
            .ok_or_else(how)?;
    }
    if out == Nudge::default() {
        return Err("nothing is moved: write EDGE=PIXELS, as left=-0.5 top=1".to_owned());
    }
    Ok(out)
}

/// Reads four points in px: top left, top right, bottom right, bottom left.
///
/// # Errors
/// When they are not four, or go round no board.
pub fn corners(text: &str) -> Result<[Point; 4], String> {
    let how = "write four points X,Y from the top left one on clockwise, \
               as \"10,20 410,20 410,420 10,420\"";
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        let number = |s: &str| s.parse::<f64>().ok().filter(|v| v.is_finite());
        let point = word
            .split_once(',')
            .and_then(|(x, y)| Some(Point::new(number(x)?, number(y)?)));
        out.push(point.ok_or_else(|| format!("{word} is no point: {how}"))?);
    }
    let corners: [Point; 4] = { out.try_into() }
        .map_err(|got: Vec<Point>| format!("{} points are given: {how}", got.len()))?;
    if go_round(&corners) {
        Ok(corners)
    } else {
        Err(format!("these points go round no board: {how}"))
    }
}

/// Whether four points in px go round a board, from the top left one on clockwise.
#[must_use]
pub fn go_round(corners: &[Point; 4]) -> bool {
    let side = |i: usize| {
        let (a, b, c) = (corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]);
        (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
    };
    (0..4).all(|i| side(i) > 1.0)
}

/// What somebody says about the board.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    /// Its outer corners.
    pub corners: Option<[Point; 4]>,
    /// The middles of its corner cells.
    pub centres: Option<[Point; 4]>,
    /// How its edges are moved.
    pub nudge: Option<Nudge>,
    /// Cells with names.
    pub lessons: Vec<Lesson>,
}

impl Hand {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.corners.is_none()
            && self.centres.is_none()
            && self.nudge.is_none()
            && self.lessons.is_empty()
    }

    /// Whether the place is given, so that no board has to be found.
    #[must_use]
    pub const fn places(&self) -> bool {
        self.corners.is_some() || self.centres.is_some()
    }

    /// The board as it is shown: at the corners, or where `known` has it.
    ///
    /// # Errors
    /// When it lies outside the picture, has no size, or its cells cannot be told apart as they
    /// are named.
    pub fn apply(
        &self,
        picture: &Picture,
        wanted: &Wanted,
        known: Option<&Calibration>,
    ) -> anyhow::Result<Calibration> {
        let (size, mut at) = self.place(wanted, known)?;
        if let Some(n) = self.nudge {
            at = nudged(&at, size, n)?;
        }
        let kind = known.map_or(wanted.kind, |k| k.kind);
        let image = (picture.width(), picture.height());
        // What was learnt where it was found holds more than four corners can tell.
        let mut learnt = known
            .filter(|k| k.size == size && k.image == image)
            .cloned();
        if learnt.is_none() {
            let mut sized = wanted.clone();
            sized.size = Some(size);
            let found = calibrate::find(picture, &sized);
            learnt = found
                .into_iter()
                .find(|c| c.size == size && is_there(c, &at));
        }
        let learnt = learnt.map(|c| Calibration {
            px_from_cell: at,
            ..c
        });
        let named = learnt.and_then(|c| {
            if self.lessons.is_empty() {
                return Some(c);
            }
            let mut reading = Reading::default();
            Reader::new(&c).ok()?.read(picture, &mut reading).ok()?;
            shown::named(&c, &reading, &self.lessons)
        });
        let mut out = match named {
            Some(named) => named,
            None => shown::shown(picture, kind, &at, size, &self.lessons)?,
        };
        out.quality = saved::quality(&out, picture);
        Ok(out)
    }

    fn place(
        &self,
        wanted: &Wanted,
        known: Option<&Calibration>,
    ) -> anyhow::Result<(GridSize, PxFromCell)> {
        let told = wanted.size.or(known.map(|k| k.size));
        let (corners, inset) = match (self.corners, self.centres, known) {
            (Some(c), ..) => (c, 0.0),
            (None, Some(c), _) => (c, 0.5),
            (None, None, Some(known)) => return Ok((known.size, known.px_from_cell)),
            (None, None, None) => bail!("no board is found: show it with --corners and --size"),
        };
        let size =
            told.context("four corners are no board without its size: give --size WxH, too")?;
        let (w, h) = (f64::from(size.cols), f64::from(size.rows));
        if size.cols < 2 || size.rows < 2 {
            bail!("--size {size}: a board has two columns and two rows at least");
        }
        let unit = PxFromCell::from_corners(GridSize::new(1, 1), corners)
            .context("three of the corners lie on one line")?;
        let (a, b) = (w - 2.0 * inset, h - 2.0 * inset);
        // Cell space to the unit square between the points.
        let m = unit.0;
        let at = PxFromCell([
            m[0] / a,
            m[1] / b,
            m[2] - (m[0] / a + m[1] / b) * inset,
            m[3] / a,
            m[4] / b,
            m[5] - (m[3] / a + m[4] / b) * inset,
            m[6] / a,
            m[7] / b,
            m[8] - (m[6] / a + m[7] / b) * inset,
        ]);
        Ok((size, PxFromCell(at.0.map(|v| v / at.0[8]))))
    }
}

/// Whether a board that was found lies at this place.
#[must_use]
pub fn is_there(c: &Calibration, at: &PxFromCell) -> bool {
    let (here, there) = (c.px_from_cell.corners(c.size), at.corners(c.size));
    let cell = there[0].distance(there[1]) / f64::from(c.size.cols.max(1));
    { here.iter().zip(there) }.all(|(a, b)| a.distance(b) < SAME_PLACE * cell)
}

/// The place with its edges moved.
fn nudged(at: &PxFromCell, size: GridSize, n: Nudge) -> anyhow::Result<PxFromCell> {
    let [a, b, c, d] = at.corners(size);
    let moved = [
        Point::new(a.x + n.left, a.y + n.top),
        Point::new(b.x + n.right, b.y + n.top),
        Point::new(c.x + n.right, c.y + n.bottom),
        Point::new(d.x + n.left, d.y + n.bottom),
    ];
    PxFromCell::from_corners(size, moved).context("--nudge leaves nothing of the board")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_nudges_are_read_and_wrong_ones_told() {
        let four = corners("10,20 410,20.5 410,420 10,420").expect("well written");
        assert_eq!(four[1], Point::new(410.0, 20.5));
        for (wrong, part) in [
            ("", "0 points"),
            ("1,2 3,4", "2 points"),
            ("a,2 3,4 5,6 7,8", "a,2 is no point"),
            ("NaN,2 3,4 5,6 7,8", "is no point"),
            ("10,10 10,90 90,90 90,10", "go round no board"),
            ("10,10 90,10 10,90 90,90", "go round no board"),
        ] {
            let told = corners(wrong).expect_err(wrong);
            assert!(told.contains(part), "{wrong}: {told}");
        }
        let read = nudge("left=-0.5 bottom=2").expect("well written");
        assert_eq!((read.left, read.bottom, read.top), (-0.5, 2.0, 0.0));
        for wrong in ["left", "up=1", "left=x", "left=inf", "", "left=0"] {
            assert!(nudge(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn centres_are_half_a_cell_inside_of_the_corners() {
        let size = GridSize::new(7, 6);
        let wanted = Wanted {
            kind: crate::types::BoardKind::Holes,
            min: size,
            max: size,
            classes: (1, 3),
            size: Some(size),
        };
        let by_corners = Hand {
            corners: Some(corners("10,20 150,30 145,140 5,130").expect("a board")),
            ..Hand::default()
        };
        let (size, at) = by_corners.place(&wanted, None).expect("a place");
        let centre = |x: f64, y: f64| at.map(Point::new(x, y));
        let by_centres = Hand {
            centres: Some([
                centre(0.5, 0.5),
                centre(6.5, 0.5),
                centre(6.5, 5.5),
                centre(0.5, 5.5),
            ]),
            ..Hand::default()
        };
        let (_, same) = by_centres.place(&wanted, None).expect("a place");
        for (a, b) in at.corners(size).iter().zip(same.corners(size)) {
            assert!(a.distance(b) < 1e-6, "{a:?} {b:?}");
        }
    }
}
