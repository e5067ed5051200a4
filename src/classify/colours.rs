//! From the colour of a cell to its class, with the margin as confidence.

use crate::types::{Calibration, CellReading, ClassId, Label};

/// One colour of the board; classes that differ only by a mark share it.
#[derive(Clone, Debug)]
struct Colour {
    rgb: [f32; 3],
    /// Squared distance beyond which a cell has another colour.
    limit: f32,
    /// The class of cells without a mark, and of those with one and what the mark looks like.
    plain: Option<ClassId>,
    marked: Option<(ClassId, [f32; 3])>,
}

/// The classes of a calibration, made ready for comparing.
#[derive(Clone, Debug)]
pub struct Palette {
    colours: Vec<Colour>,
}

/// Squared Euclidean distance.
#[inline]
pub fn square(a: [f32; 3], b: [f32; 3]) -> f32 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

impl Palette {
    /// The classes of a calibration.
    #[must_use]
    pub fn new(calibration: &Calibration) -> Self {
        let mut colours: Vec<Colour> = Vec::new();
        for (id, class) in calibration.classes.iter().enumerate() {
            let Ok(id) = ClassId::try_from(id) else { break };
            // Classes that a mark sets apart were given the same colour.
            let at = colours.iter().position(|c| square(c.rgb, class.rgb) < 1.0);
            let colour = match at {
                Some(i) => &mut colours[i],
                None => {
                    colours.push(Colour {
                        rgb: class.rgb,
                        limit: 28.0 + 4.0 * class.spread,
                        plain: None,
                        marked: None,
                    });
                    // Just pushed.
                    let last = colours.len() - 1;
                    &mut colours[last]
                }
            };
            match class.mark {
                Some(mark) => colour.marked = Some((id, mark)),
                None => colour.plain = Some(id),
            }
        }
        // Between two colours there is a strip that belongs to neither.
        for i in 0..colours.len() {
            let nearest = colours
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, c)| square(c.rgb, colours[i].rgb).sqrt())
                .fold(f32::INFINITY, f32::min);
            let limit = colours[i].limit.min(0.45 * nearest);
            colours[i].limit = limit * limit;
        }
        Self { colours }
    }

    /// Whether the middles of cells matter at all.
    #[must_use]
    pub fn has_marks(&self) -> bool {
        self.colours.iter().any(|c| c.marked.is_some())
    }

    /// The class of a cell. `middle` is asked for only where a mark would matter; `agreement`
    /// is asked how large a share (0 to 1) of the cell's points lies within a squared distance
    /// of a colour. `doubt` is how far off the colour may be beside noise: a cell no further than
    /// that from the strip between two colours is of neither.
    #[inline]
    pub fn tell(
        &self,
        rgb: [f32; 3],
        doubt: f32,
        middle: impl FnOnce() -> [f32; 3],
        agreement: impl FnOnce([f32; 3], f32) -> f32,
    ) -> CellReading {
        let mut best = (f32::INFINITY, usize::MAX);
        let mut second = f32::INFINITY;
        for (i, c) in self.colours.iter().enumerate() {
            let d = square(c.rgb, rgb);
            if d < best.0 {
                second = best.0;
                best = (d, i);
            } else if d < second {
                second = d;
            }
        }
        const UNKNOWN: CellReading = CellReading {
            label: Label::Unknown,
            confidence: 0.0,
        };
        let Some(colour) = self.colours.get(best.1) else {
            return UNKNOWN;
        };
        if best.0 > colour.limit || second.sqrt() - best.0.sqrt() < 2.0 * doubt {
            return UNKNOWN;
        }
        let agreed = agreement(colour.rgb, (colour.limit * 2.0).max(1600.0).min(second));
        if agreed < 0.55 {
            return UNKNOWN;
        }
        let margin = if second.is_finite() {
            1.0 - (best.0 / second).sqrt()
        } else {
            1.0
        };
        let class = match (colour.plain, colour.marked) {
            (Some(id), None) => id,
            (None, Some((id, _))) => id,
            (Some(plain), Some((marked, mark))) => {
                let seen = middle();
                if square(seen, mark) < square(seen, colour.rgb) {
                    marked
                } else {
                    plain
                }
            }
            (None, None) => return UNKNOWN,
        };
        CellReading {
            label: Label::Class(class),
            confidence: margin * ((agreed - 0.5) * 2.5).min(1.0),
        }
    }
}
