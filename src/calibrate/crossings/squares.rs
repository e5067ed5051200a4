//! Marks in the squares between lines: an X, an O, a disc.
//!
//! Takes a survey and planes, gives classes of squares. What is neither of these shapes, as
//! letters and digits are, is no mark.

use super::net::Net;
use super::stones::{Reach, join};
use super::survey::{Round, Survey, distance, median, rims};
use crate::calibrate::planes::Planes;
use crate::types::sketch::{Shape, Sketch};

/// What a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two strokes that cross in the middle.
    Cross,
    /// A line around an empty middle.
    Ring,
    /// A filled disc.
    Disc,
    /// Anything else.
    Other,
}

/// What is in a square.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Its shape.
    pub kind: Kind,
    /// Its colour.
    pub rgb: [f32; 3],
}

/// The marks of a board of squares.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Shape and colour of each class, crosses and rings before discs.
    pub classes: Vec<Mark>,
    /// For each square: 0 empty, from 1 on a class, `None` where it is neither.
    pub labels: Vec<Option<usize>>,
}

impl Marks {
    /// Squares with a mark of some class.
    #[must_use]
    pub fn count(&self) -> usize {
        let marked = |l: &&Option<usize>| l.is_some_and(|k| k > 0);
        self.labels.iter().filter(marked).count()
    }
}

/// Learns the marks of a board of squares; discs are told apart by colours out of reach of
/// each other.
#[must_use]
pub fn learn(seen: &[Option<Mark>], reach: &Reach) -> Marks {
    let of = |wanted: Kind| -> Vec<[f32; 3]> {
        let all = seen.iter().flatten().filter(|m| m.kind == wanted);
        all.map(|m| m.rgb).collect()
    };
    // Where one of the two is, the other will be.
    let mut classes: Vec<Mark> = Vec::new();
    let (mut crosses, mut rings) = (of(Kind::Cross), of(Kind::Ring));
    if !crosses.is_empty() || !rings.is_empty() {
        let usual = |own: &mut Vec<[f32; 3]>, other: &mut Vec<[f32; 3]>| {
            median(if own.is_empty() { other } else { own })
        };
        for kind in [Kind::Cross, Kind::Ring] {
            let rgb = match kind {
                Kind::Cross => usual(&mut crosses, &mut rings),
                _ => usual(&mut rings, &mut crosses),
            };
            classes.push(Mark { kind, rgb });
        }
    }
    let mut discs: Vec<([f32; 3], f32)> =
        of(Kind::Disc).into_iter().map(|rgb| (rgb, 1.0)).collect();
    join(&mut discs, reach);
    classes.extend(discs.iter().map(|&(rgb, _)| Mark {
        kind: Kind::Disc,
        rgb,
    }));
    let labels = seen
        .iter()
        .map(|mark| {
            let Some(mark) = mark else { return Some(0) };
            let near = |m: &Mark| distance(m.rgb, mark.rgb);
            match mark.kind {
                // Discs that others lie over have no round rim left.
                Kind::Disc | Kind::Other => classes
                    .iter()
                    .enumerate()
                    .filter(|(_, m)| m.kind == Kind::Disc && reach.holds(m.rgb, mark.rgb))
                    .min_by(|a, b| near(a.1).total_cmp(&near(b.1)))
                    .map(|(k, _)| k + 1),
                kind => classes.iter().position(|m| m.kind == kind).map(|k| k + 1),
            }
        })
        .collect();
    Marks { classes, labels }
}

/// What is in each square; `None` where only the ground is.
#[must_use]
pub fn marks(planes: &Planes, net: &Net, survey: &Survey, noise: f32) -> Vec<Option<Mark>> {
    let e = &net.extent;
    let cols = survey.cols - 1;
    (0..survey.squares.len())
        .map(|i| {
            let (x, y) = (i % cols, i / cols);
            let k = y * survey.cols + x;
            let corners = [k, k + 1, k + survey.cols, k + survey.cols + 1];
            let ground = median(&mut corners.map(|k| survey.ground[k]));
            let apart = 1.3 * survey.apart(noise, k);
            let at = (
                f64::from(e.x0) + x as f64 + 0.5,
                f64::from(e.y0) + y as f64 + 0.5,
            );
            mark(planes, net, at, ground, apart)
        })
        .collect()
}

fn mark(
    planes: &Planes,
    net: &Net,
    (x, y): (f64, f64),
    ground: [f32; 3],
    apart: f32,
) -> Option<Mark> {
    let [wide, high] = net.pitch(x, y);
    let sketch = Sketch::new(wide.min(high), |dx, dy| {
        let seen = planes.at(net.px(x + dx, y + dy));
        seen.map_or(ground, |c| c.map(f32::from))
    });
    let drawn = |shape: Shape, on: [f32; 3]| Mark {
        kind: match shape {
            Shape::Cross => Kind::Cross,
            Shape::Ring => Kind::Ring,
            Shape::Other => Kind::Other,
        },
        rgb: match shape {
            Shape::Other => sketch.body(),
            _ => sketch.ink(on, apart),
        },
    };
    match sketch.shape(ground, apart)? {
        Shape::Other => {}
        shape => return Some(drawn(shape, ground)),
    }
    let body = sketch.body();
    if distance(body, ground) > apart
        && let Some(round) = Round::of(&rims(planes, net, (x, y), body, ground, apart))
        && round.middle.0.hypot(round.middle.1) < 0.2
    {
        return Some(Mark {
            kind: Kind::Disc,
            rgb: body,
        });
    }
    let own = sketch.sides();
    if distance(own, ground) > apart {
        // What is drawn there is not the ground showing through.
        let shape = sketch.plain_shape(own, apart)?;
        return Some(drawn(shape, own)).filter(|m| distance(m.rgb, ground) > apart);
    }
    Some(drawn(Shape::Other, ground))
}
