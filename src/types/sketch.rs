//! What is drawn in a square between lines: an X, an O, a disc, or something else.
//!
//! Takes colours that were looked up at the points listed here, gives shapes. The stage that
//! learns a board and the one that reads it use the same points and the same rules. Must never
//! allocate.

/// Rays from the middle of a square on which ink is looked for.
pub const RAYS: usize = 16;

/// Samples of a ray.
pub const STEPS: usize = 9;

/// Where a ray begins and ends, in cells: outside most of the middle, inside the lines.
const RAY: (f64, f64) = (0.17, 0.4);

/// How far beside their middle lines still show, in px; the shortest end of a ray, in cells.
const LINE: f64 = 1.6;
const LEAST_END: f64 = 0.28;

/// From which sample on the strokes of a cross are well apart.
const FAR: usize = 5;

/// Samples of a ray that a frame inside the square leaves free.
const FRAMED: usize = STEPS - 2;

/// Samples in the middle, side by side.
const SIDE: usize = 5;

/// Samples in the middle.
pub const MIDDLE: usize = SIDE * SIDE;

/// Distance of samples in the middle, in cells.
const APART: f64 = 0.055;

/// A colour, 0 to 255, red first.
type Rgb = [f32; 3];

/// What a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Two strokes that cross in the middle.
    Cross,
    /// A line around an empty middle.
    Ring,
    /// Anything else: a disc, or no mark at all.
    Other,
}

/// Colours looked up in one square.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// Around the middle, row by row.
    pub middle: [Rgb; MIDDLE],
    /// Along each ray from the inside out; the first ray goes right, the next ones clockwise.
    pub rays: [[Rgb; STEPS]; RAYS],
}

/// Offset from the middle of a square, in cells, of a sample in the middle.
#[must_use]
pub fn middle_offset(i: usize) -> (f64, f64) {
    let half = (SIDE / 2) as f64;
    (
        APART * ((i % SIDE) as f64 - half),
        APART * ((i / SIDE) as f64 - half),
    )
}

/// Offset from the middle of a square, in cells, of a sample on a ray; `pitch` is the shorter
/// side of the square in px.
#[must_use]
pub fn ray_offset(ray: usize, step: usize, pitch: f64) -> (f64, f64) {
    let (s, c) = (ray as f64 * std::f64::consts::TAU / RAYS as f64).sin_cos();
    let end = (0.5 - LINE / pitch.max(1.0)).clamp(LEAST_END, RAY.1);
    // Into the corners there is more room.
    let long = 1.0 / s.abs().max(c.abs()).max(0.8);
    let d = (RAY.0 + (end - RAY.0) * step as f64 / (STEPS - 1) as f64) * long;
    (c * d, s * d)
}

#[inline]
fn far(a: Rgb, b: Rgb, apart: f32) -> bool {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > apart * apart
}

impl Sketch {
    /// Looks up all samples; `at` gives the colour at an offset from the middle in cells, `pitch`
    /// is the shorter side of the square in px.
    pub fn new(pitch: f64, at: impl Fn(f64, f64) -> Rgb) -> Self {
        Self {
            middle: std::array::from_fn(|i| {
                let (x, y) = middle_offset(i);
                at(x, y)
            }),
            rays: std::array::from_fn(|r| {
                std::array::from_fn(|k| {
                    let (x, y) = ray_offset(r, k, pitch);
                    at(x, y)
                })
            }),
        }
    }

    /// The shape of what differs from the ground by more than `apart`; `None` where nothing does.
    #[must_use]
    pub fn plain_shape(&self, ground: Rgb, apart: f32) -> Option<Shape> {
        match self.within(STEPS, ground, apart) {
            Some(Shape::Other) => match self.within(FRAMED, ground, apart) {
                Some(shape) => Some(shape),
                None => Some(Shape::Other),
            },
            plain => plain,
        }
    }

    /// The same, looking only at so many samples of each ray.
    fn within(&self, steps: usize, ground: Rgb, apart: f32) -> Option<Shape> {
        let inked = |c: &Rgb| far(*c, ground, apart);
        let middle = self.middle.iter().filter(|c| inked(c)).count();
        // The innermost samples, which a thick ring leaves free.
        let inmost = [6, 7, 8, 11, 12, 13, 16, 17, 18];
        let inmost = inmost.iter().filter(|&&i| inked(&self.middle[i])).count();
        let (mut any, mut outer) = ([false; RAYS], [false; RAYS]);
        let (mut ink, mut inner) = (0, 0);
        for (r, ray) in self.rays.iter().enumerate() {
            for (k, sample) in ray[..steps].iter().enumerate() {
                if far(*sample, ground, apart) {
                    ink += 1;
                    inner += usize::from(k < STEPS * 2 / 3);
                    any[r] = true;
                    outer[r] |= k >= FAR;
                }
            }
        }
        let around = any.iter().filter(|&&o| o).count();
        // What only touches the square from one side lies in another one.
        if middle < 3 && (ink < 4 || inner < 3 && around < RAYS / 2) {
            return None;
        }
        Some(if middle >= 4 && is_cross(&outer) {
            Shape::Cross
        } else if (middle <= 2 || inmost == 0) && around >= RAYS - 2 {
            Shape::Ring
        } else {
            Shape::Other
        })
    }

    /// The same, where the square as a whole may be of another colour than the ground around: it
    /// was played last, or won. [`Shape::Other`] may then still be a disc.
    #[must_use]
    pub fn shape(&self, ground: Rgb, apart: f32) -> Option<Shape> {
        let plain = self.plain_shape(ground, apart);
        if plain != Some(Shape::Other) {
            return plain;
        }
        let own = median(&mut self.middle.clone());
        // A thick X leaves as little of such a square as a ring does.
        let is_cross = self.plain_shape(self.sides(), apart) == Some(Shape::Cross);
        if !is_cross
            && far(own, ground, apart)
            && self.comes_back(own, apart)
            && self.plain_shape(own, apart) == Some(Shape::Ring)
        {
            return Some(Shape::Ring);
        }
        plain
    }

    /// The colour on the ways from the middle to the sides, which neither an X nor an O fills.
    #[must_use]
    pub fn sides(&self) -> Rgb {
        let mut out = [[0.0; 3]; 4 * STEPS];
        for (i, o) in out.iter_mut().enumerate() {
            *o = self.rays[i / STEPS * (RAYS / 4)][i % STEPS];
        }
        median(&mut out)
    }

    /// The same, of the quarter that is most like the ground: thick strokes cross these ways, too. `None`
    /// where even that is not of one colour.
    #[must_use]
    pub fn sides_like(&self, ground: Rgb, apart: f32) -> Option<Rgb> {
        let off = |c: &Rgb| (0..3).map(|i| (c[i] - ground[i]).powi(2)).sum::<f32>();
        let mut out = [[0.0; 3]; 4 * STEPS];
        for (i, o) in out.iter_mut().enumerate() {
            *o = self.rays[i / STEPS * (RAYS / 4)][i % STEPS];
        }
        out.sort_unstable_by(|a, b| off(a).total_cmp(&off(b)));
        let mut near = [[0.0; 3]; STEPS];
        near.copy_from_slice(&out[..STEPS]);
        let own = median(&mut near);
        let is_one = out[..STEPS].iter().all(|c| !far(*c, own, 0.6 * apart));
        is_one.then_some(own)
    }

    /// The colour that most of what differs from the ground has, around the middle: a gleam, a mark
    /// on a disc and the ground beyond it have others.
    #[must_use]
    pub fn body(&self, ground: Rgb, apart: f32) -> Rgb {
        const SOME: usize = RAYS / 2 * 4;
        let mut out = [[0.0; 3]; SOME];
        let mut n = 0;
        // Near the rim, beyond what is drawn in the middle; small discs do not reach so far.
        for steps in [[5, 6, 7, 8], [2, 3, 4, 6]] {
            n = 0;
            for ray in self.rays.iter().step_by(2) {
                for sample in steps.map(|k| ray[k]) {
                    if far(sample, ground, apart) {
                        out[n] = sample;
                        n += 1;
                    }
                }
            }
            if n * 4 >= SOME * 3 {
                break;
            }
        }
        if n * 4 < SOME {
            // Hardly anything does.
            let mut near = [[0.0; 3]; RAYS * 4];
            for (i, o) in near.iter_mut().enumerate() {
                *o = self.rays[i / 4][2 + i % 4];
            }
            return median(&mut near);
        }
        let all = &out[..n];
        let support = |a: &Rgb| all.iter().filter(|b| !far(*a, **b, apart)).count();
        let best = all.iter().max_by_key(|a| support(a)).copied();
        let best = best.unwrap_or(all[0]);
        let (mut sum, mut count) = ([0.0f32; 3], 0.0f32);
        for c in all.iter().filter(|c| !far(**c, best, apart)) {
            for (s, v) in sum.iter_mut().zip(c) {
                *s += v;
            }
            count += 1.0;
        }
        sum.map(|s| s / count.max(1.0))
    }

    /// The colour of what differs most from the ground.
    #[must_use]
    pub fn ink(&self, ground: Rgb, apart: f32) -> Rgb {
        // The mean, with weights that leave out the ends of strokes, which mix with the ground.
        let (mut sum, mut weights) = ([0.0f32; 3], 1e-6f32);
        // A frame around the square is not its ink.
        let steps = match self.within(STEPS, ground, apart) {
            Some(Shape::Cross | Shape::Ring) => STEPS,
            _ => FRAMED,
        };
        let rays = self.rays.iter().flat_map(|ray| &ray[..steps]);
        for c in self.middle.iter().chain(rays) {
            if far(*c, ground, apart) {
                let d: f32 = (0..3).map(|i| (c[i] - ground[i]).powi(2)).sum();
                let weight = d * d;
                for (s, v) in sum.iter_mut().zip(c) {
                    *s += weight * v;
                }
                weights += weight;
            }
        }
        sum.map(|s| s / weights)
    }

    /// Whether the ways to the sides are free, so that what is there are strokes, not something
    /// filled.
    #[must_use]
    pub fn is_stroked(&self, ground: Rgb, apart: f32) -> bool {
        !far(self.sides(), ground, apart)
    }

    /// Whether something covers all of the middle, as a disc does and strokes do not.
    #[must_use]
    pub fn is_filled(&self, ground: Rgb, apart: f32) -> bool {
        let full = |ray: &&[Rgb; STEPS]| ray[..3].iter().all(|c| far(*c, ground, apart));
        self.rays.iter().filter(full).count() * 5 >= RAYS * 4
    }

    /// Whether something lies all around, as far out as large discs reach.
    #[must_use]
    pub fn is_wide(&self, ground: Rgb, apart: f32) -> bool {
        let outer = self.rays.iter().flat_map(|ray| &ray[FAR..]);
        let covered = outer.filter(|c| far(**c, ground, apart)).count();
        covered * 4 >= RAYS * (STEPS - FAR) * 3
    }

    /// Whether the colour of the middle is seen again beyond something else, towards some corners.
    fn comes_back(&self, own: Rgb, apart: f32) -> bool {
        let back = self.rays.iter().filter(|ray| {
            let mut same = ray.iter().map(|s| !far(*s, own, apart));
            same.by_ref().any(|s| !s) && same.any(|s| s)
        });
        back.count() >= 4
    }
}

/// Ink far out towards the corners and towards at most one side.
fn is_cross(outer: &[bool; RAYS]) -> bool {
    let near = |r: usize| (RAYS - 1..=RAYS + 1).any(|d| outer[(r + d) % RAYS]);
    let corners = [2, 6, 10, 14].into_iter().filter(|&r| near(r)).count();
    let sides = [0, 4, 8, 12].into_iter().filter(|&r| outer[r]).count();
    corners >= 3 && sides <= 1
}

/// Channel-wise median.
fn median(points: &mut [Rgb]) -> Rgb {
    let n = points.len();
    [0, 1, 2].map(|c| {
        points.sort_unstable_by(|a, b| a[c].total_cmp(&b[c]));
        (points[(n - 1) / 2][c] + points[n / 2][c]) / 2.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of 21x21 letters, ink where they are not `.`.
    fn drawn(inked: impl Fn(f64, f64) -> bool) -> Sketch {
        Sketch::new(40.0, |x, y| if inked(x, y) { [0.0; 3] } else { [250.0; 3] })
    }

    fn shape(inked: impl Fn(f64, f64) -> bool) -> Option<Shape> {
        drawn(inked).shape([250.0; 3], 30.0)
    }

    #[test]
    fn crosses_and_rings_are_told_from_digits() {
        let cross = |x: f64, y: f64| ((x - y).abs().min((x + y).abs())) < 0.06;
        assert_eq!(shape(cross), Some(Shape::Cross));
        let ring = |x: f64, y: f64| (x.hypot(y) - 0.32).abs() < 0.04;
        assert_eq!(shape(ring), Some(Shape::Ring));
        let plus = |x: f64, y: f64| x.abs().min(y.abs()) < 0.06;
        assert_eq!(shape(plus), Some(Shape::Other));
        let one = |x: f64, y: f64| x.abs() < 0.05 && y.abs() < 0.35;
        assert_eq!(shape(one), Some(Shape::Other));
        let dash = |x: f64, y: f64| y.abs() < 0.05 && x.abs() < 0.3;
        assert_eq!(shape(dash), Some(Shape::Other));
        assert_eq!(shape(|_, _| false), None);
        // The rim of a disc in the next square.
        assert_eq!(shape(|x, y| (x - 1.0).hypot(y) < 0.63), None);
    }

    #[test]
    fn a_ring_in_a_square_of_another_colour_is_one() {
        let won = Sketch::new(40.0, |x, y| {
            if (x.hypot(y) - 0.28).abs() < 0.04 {
                [120.0, 0.0, 0.0]
            } else {
                [250.0, 150.0, 0.0]
            }
        });
        assert_eq!(won.shape([250.0, 250.0, 0.0], 30.0), Some(Shape::Ring));
    }
}
