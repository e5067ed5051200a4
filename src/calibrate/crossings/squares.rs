//! Marks in the squares between lines: an X, an O, a disc.
//!
//! Takes a survey and planes, gives classes of squares. What is neither of these shapes, as
//! letters and digits are, is no mark.

use super::net::Net;
use super::stones::{Reach, join};
use super::survey::{Cover, Rims, Round, Survey, distance, median, rims};
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
    /// For discs, a cross or a ring as which it may be taken as well, on a lit square.
    pub lit: Option<(Kind, [f32; 3])>,
    /// For crosses and rings, the colour of the disc on which they may be drawn.
    pub disc: Option<[f32; 3]>,
}

impl Mark {
    const fn new(kind: Kind, rgb: [f32; 3]) -> Self {
        Self {
            kind,
            rgb,
            lit: None,
            disc: None,
        }
    }
}

/// Inks of crosses and rings are told apart by colour if they differ by this much.
const INKS_APART: f32 = 80.0;

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
pub fn learn(seen: &[Option<Mark>], ground: [f32; 3], reach: &Reach) -> Marks {
    let seen = &unambiguous(seen);
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
            classes.push(Mark::new(kind, rgb));
        }
    }
    let mut discs: Vec<([f32; 3], f32)> =
        of(Kind::Disc).into_iter().map(|rgb| (rgb, 1.0)).collect();
    join(&mut discs, reach);
    // One disc of a colour on the way from the ground to another one's fades in or out.
    let all = discs.clone();
    discs.retain(|&(rgb, n)| {
        let fades = |&(full, m): &([f32; 3], f32)| m > n && fading(rgb, ground, full).is_some();
        n > 1.0 || !all.iter().any(fades)
    });
    classes.extend(discs.iter().map(|&(rgb, _)| Mark::new(Kind::Disc, rgb)));
    let inks = inks(&classes).filter(|_| crosses.len() > 1 && rings.len() > 1);
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
                    .map(|(k, _)| k + 1)
                    .or_else(|| {
                        inks.and_then(|[x, o]| by_ink(mark.rgb, x, o))
                            .map(|k| k + 1)
                    }),
                kind => classes.iter().position(|m| m.kind == kind).map(|k| k + 1),
            }
        })
        .collect();
    Marks { classes, labels }
}

/// A disc that may be an X or an O on a lit square, or an X or O that may be drawn on a disc, is
/// what more of the others are.
fn unambiguous(seen: &[Option<Mark>]) -> Vec<Option<Mark>> {
    let all = || seen.iter().flatten();
    let is_drawn = |m: &Mark| matches!(m.kind, Kind::Cross | Kind::Ring);
    let drawn = all().filter(|m| is_drawn(m) && m.disc.is_none()).count();
    let discs = all().filter(|m| m.kind == Kind::Disc && m.lit.is_none());
    let discs = discs.count();
    let one = |m: Mark| match (m.lit, m.disc) {
        (Some((kind, rgb)), _) if drawn > discs => Mark::new(kind, rgb),
        (_, Some(body)) if discs > drawn && is_drawn(&m) => Mark::new(Kind::Other, body),
        _ => m,
    };
    seen.iter().map(|m| m.map(one)).collect()
}

/// How far a colour lies on the way from the ground to another one, 0 to 1, if it does.
fn fading(rgb: [f32; 3], ground: [f32; 3], full: [f32; 3]) -> Option<f32> {
    let (mut dot, mut whole) = (0.0, 1e-3);
    for c in 0..3 {
        dot += (rgb[c] - ground[c]) * (full[c] - ground[c]);
        whole += (full[c] - ground[c]).powi(2);
    }
    let part = dot / whole;
    let on = [0, 1, 2].map(|c| ground[c] + part * (full[c] - ground[c]));
    ((0.0..1.0).contains(&part) && distance(rgb, on) < 0.1 * whole.sqrt()).then_some(part)
}

/// The colours of crosses and of rings, which are the first classes, if they are well apart.
fn inks(classes: &[Mark]) -> Option<[[f32; 3]; 2]> {
    match classes {
        [x, o, ..]
            if x.kind == Kind::Cross
                && o.kind == Kind::Ring
                && distance(x.rgb, o.rgb) > INKS_APART =>
        {
            Some([x.rgb, o.rgb])
        }
        _ => None,
    }
}

/// A cross (0) or a ring (1) by its ink: shapes that hands draw may be neither.
fn by_ink(rgb: [f32; 3], cross: [f32; 3], ring: [f32; 3]) -> Option<usize> {
    let (x, o) = (distance(rgb, cross), distance(rgb, ring));
    let near = x.min(o);
    (near < 0.35 * x.max(o)).then_some(usize::from(o < x))
}

/// Whether something ends further out towards the corners of its square, as a lit square does.
fn fills_square(rims: &Rims) -> bool {
    let mean = |diagonal: bool| {
        let of = rims
            .iter()
            .enumerate()
            .filter(|(i, r)| (i % 3 == 1) == diagonal && r.is_finite());
        let (sum, n) = of.fold((0.0, 0.0f32), |(s, n), (_, r)| (s + r, n + 1.0));
        sum / n.max(1.0)
    };
    mean(true) > 1.2 * mean(false)
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
            // Under discs the ground is only guessed.
            let clear = |k: &usize| survey.spots[*k].cover() == Cover::Clear;
            let mut grounds: Vec<[f32; 3]> = corners
                .into_iter()
                .filter(clear)
                .map(|k| survey.ground[k])
                .collect();
            if grounds.is_empty() {
                grounds.push(survey.usual);
            }
            let ground = median(&mut grounds);
            let k = corners.into_iter().find(clear).unwrap_or(k);
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
    let body = sketch.body(ground, apart);
    let drawn = |shape: Shape, on: [f32; 3]| match shape {
        Shape::Cross => Mark::new(Kind::Cross, sketch.ink(on, apart)),
        Shape::Ring => Mark::new(Kind::Ring, sketch.ink(on, apart)),
        Shape::Other if sketch.is_stroked(on, apart) => {
            Mark::new(Kind::Other, sketch.ink(on, apart))
        }
        Shape::Other => Mark::new(Kind::Other, body),
    };
    match sketch.shape(ground, apart)? {
        Shape::Other => {}
        shape => {
            let disc = sketch.is_wide(ground, apart).then_some(body);
            return Some(Mark {
                disc,
                ..drawn(shape, ground)
            });
        }
    }
    // What is drawn on a lit square, or on a disc, is not the ground showing through.
    let own = sketch.sides();
    let lit = if distance(own, ground) > apart {
        sketch
            .plain_shape(own, apart)
            .map(|shape| drawn(shape, own))
            .filter(|m| distance(m.rgb, ground) > apart)
    } else {
        None
    };
    if distance(body, ground) > apart
        && sketch.is_filled(ground, apart)
        && let rims = rims(planes, net, (x, y), body, ground, apart)
        && let Some(round) = Round::of(&rims)
        && round.middle.0.hypot(round.middle.1) < 0.2
        && !fills_square(&rims)
    {
        return Some(Mark {
            lit: lit
                .filter(|m| m.kind != Kind::Other)
                .map(|m| (m.kind, m.rgb)),
            ..Mark::new(Kind::Disc, body)
        });
    }
    if distance(own, ground) > apart {
        let lit = lit?;
        if sketch.is_filled(ground, apart) || sketch.is_wide(ground, apart) {
            return Some(Mark {
                lit: (lit.kind != Kind::Other).then_some((lit.kind, lit.rgb)),
                ..Mark::new(Kind::Other, body)
            });
        }
        return Some(lit);
    }
    Some(drawn(Shape::Other, ground))
}
