//! The reader: a table of pixel offsets made once per calibration, then only looked up.

use super::colours::{Palette, square};
use super::crossings::Crossings;
use super::holes::Holes;
use super::squares::Squares;
use super::stack::Stack;
use crate::types::picture::channels;
use crate::types::{
    BoardKind, Calibration, Cell, CellReading, GridSize, Label, Picture, Point, PxFromCell,
    Reading, Veil,
};

/// Points sampled on the rim of each cell, and half the side of the square they lie on, in cells:
/// outside any mark in the middle, inside any gap, border or soft edge.
const RIM: usize = 16;
const OUTER: f64 = 0.25;

/// Points sampled in the middle.
const MIDDLE: usize = 5;

/// Points sampled on the way from one cell's middle to the next one's.
const ACROSS: [f64; 6] = [-0.35, -0.25, -0.16, 0.16, 0.25, 0.35];

/// Borders looked at by [`Reader::fit`] at most.
const BORDERS: usize = 600;

/// A calibration that cannot be used, or a picture that it is not for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The board does not lie wholly inside pictures of the calibrated size.
    #[error("the board of this calibration reaches outside its picture: calibrate again")]
    Outside,
    /// No cells or no classes.
    #[error("the calibration has no cells or no classes: calibrate again")]
    Empty,
    /// A board of crossings with more of them than any game has.
    #[error("a board of {0} crossings is too large to be read: calibrate again")]
    Large(GridSize),
    /// The picture has another size.
    #[error(
        "the calibration is for pictures of {}x{}, this one has {}x{}: find the board again",
        wanted.0, wanted.1, seen.0, seen.1
    )]
    Size {
        /// What the calibration is for.
        wanted: (u32, u32),
        /// What the picture has.
        seen: (u32, u32),
    },
}

/// Reads boards of one calibration.
#[derive(Clone, Debug)]
pub struct Reader {
    image: (u32, u32),
    size: GridSize,
    /// `RIM` indices of pixels per cell.
    rim: Vec<[u32; RIM]>,
    /// `MIDDLE` indices of pixels per cell; empty when no class has a mark.
    middle: Vec<[u32; MIDDLE]>,
    /// What a cell's colour is multiplied by to remove the light.
    unlit: Vec<[f32; 3]>,
    /// What is first taken off its square; empty where nothing is.
    veil: Veil,
    borders: Vec<[u32; ACROSS.len()]>,
    palette: Palette,
    /// Boards of mostly empty places are read in their own ways.
    other: Option<Other>,
}

/// Ways of reading boards that are not filled with cells of one colour each.
#[derive(Clone, Debug)]
enum Other {
    Stack(Stack),
    Holes(Holes),
    Crossings(Crossings),
    Squares(Squares),
}

impl Reader {
    /// Makes the table for a calibration.
    ///
    /// # Errors
    /// When the calibration describes nothing that could be read.
    pub fn new(calibration: &Calibration) -> Result<Self, ReadError> {
        let other = match calibration.kind {
            BoardKind::Cells => None,
            BoardKind::Stack => Some(Other::Stack(Stack::new(calibration)?)),
            BoardKind::Crossings => Some(Other::Crossings(Crossings::new(calibration)?)),
            BoardKind::Squares => Some(Other::Squares(Squares::new(calibration)?)),
            BoardKind::Holes => Some(Other::Holes(Holes::new(calibration)?)),
        };
        let size = calibration.size;
        if size.is_empty() || calibration.classes.is_empty() {
            return Err(ReadError::Empty);
        }
        let palette = Palette::new(calibration);
        let at = |cell: Point| index(&calibration.px_from_cell, calibration.image, cell);
        let mut rim = Vec::with_capacity(size.len());
        let mut middle = Vec::new();
        let mut unlit = Vec::with_capacity(size.len());
        for cell in size.cells() {
            if other.is_some() {
                break;
            }
            let c = cell.centre();
            rim.push(points(rim_offsets(), c, at)?);
            if palette.has_marks() {
                const C: f64 = 0.06;
                let cross = [(0.0, 0.0), (-C, 0.0), (C, 0.0), (0.0, -C), (0.0, C)];
                middle.push(points(cross, c, at)?);
            }
            let (u, v) = (
                c.x as f32 / f32::from(size.cols) * 2.0 - 1.0,
                c.y as f32 / f32::from(size.rows) * 2.0 - 1.0,
            );
            unlit.push(calibration.gain.factor(u, v).map(|f| 1.0 / f));
        }
        Ok(Self {
            image: calibration.image,
            size,
            rim,
            middle,
            unlit,
            veil: match other {
                None => calibration.veil.clone(),
                Some(_) => Veil::default(),
            },
            borders: match other {
                Some(Other::Holes(_) | Other::Crossings(_) | Other::Squares(_)) => Vec::new(),
                _ => borders(size, at)?,
            },
            palette,
            other,
        })
    }

    /// The size of board it reads.
    #[must_use]
    pub fn size(&self) -> GridSize {
        self.size
    }

    /// Reads a picture into a buffer, which keeps its allocation.
    ///
    /// # Errors
    /// When the picture is not of the calibrated size; the buffer is then unchanged.
    pub fn read(&self, picture: &Picture, into: &mut Reading) -> Result<(), ReadError> {
        self.check(picture)?;
        const UNREAD: CellReading = CellReading {
            label: Label::Unknown,
            confidence: 0.0,
        };
        into.size = self.size;
        into.cells.resize(self.size.len(), UNREAD);
        let px = picture.pixels();
        if let Some(Other::Stack(stack)) = &self.other {
            into.beside.resize(stack.beside(), UNREAD);
            stack.read(px, &mut into.cells, &mut into.beside);
            return Ok(());
        }
        into.beside.clear();
        match &self.other {
            Some(Other::Holes(holes)) => {
                holes.read(px, &mut into.cells);
                return Ok(());
            }
            Some(Other::Crossings(crossings)) => {
                crossings.read(px, &mut into.cells);
                return Ok(());
            }
            Some(Other::Squares(squares)) => {
                squares.read(px, &mut into.cells);
                return Ok(());
            }
            _ => {}
        }
        for (i, out) in into.cells.iter_mut().enumerate() {
            let unlit = self.unlit[i];
            let rim = self.rim[i].map(|k| px[k as usize]);
            let bare = |rgb: [f32; 3]| scaled(self.veil.lifted(i, rgb), unlit);
            let rgb = bare(median(rim));
            *out = self.palette.tell(
                rgb,
                self.veil.doubt(i, rgb),
                || bare(median(self.middle[i].map(|k| px[k as usize]))),
                |colour, limit| {
                    let near = rim
                        .iter()
                        .filter(|&&p| square(bare(channels(p).map(f32::from)), colour) <= limit)
                        .count();
                    near as f32 / RIM as f32
                },
            );
        }
        Ok(())
    }

    /// How well the lattice fits this picture: the share of borders between different colours
    /// where the change lies on the lattice line, or of open edges that show their line. `None` when the picture is of another size or
    /// hardly any neighbours differ, so that nothing can be said.
    #[must_use]
    pub fn fit(&self, picture: &Picture) -> Option<f32> {
        self.check(picture).ok()?;
        let px = picture.pixels();
        match &self.other {
            Some(Other::Holes(holes)) => return holes.fit(px),
            Some(Other::Crossings(crossings)) => return crossings.fit(px),
            Some(Other::Squares(squares)) => return squares.fit(px),
            _ => {}
        }
        let (mut good, mut all) = (0u32, 0u32);
        for border in &self.borders {
            let c = border.map(|k| channels(px[k as usize]).map(f32::from));
            let (a, b) = (c[0], c[5]);
            if square(a, b) < 40.0 * 40.0 {
                continue;
            }
            all += 1;
            let on_a = |s| square(s, a) < square(s, b);
            good += u32::from(on_a(c[1]) && on_a(c[2]) && !on_a(c[3]) && !on_a(c[4]));
        }
        (all >= 4).then(|| good as f32 / all as f32)
    }

    fn check(&self, picture: &Picture) -> Result<(), ReadError> {
        let seen = (picture.width(), picture.height());
        if seen == self.image {
            Ok(())
        } else {
            Err(ReadError::Size {
                wanted: self.image,
                seen,
            })
        }
    }
}

/// Index of the pixel under a point of cell space.
pub(super) fn index(px_from_cell: &PxFromCell, image: (u32, u32), cell: Point) -> Option<u32> {
    let p = px_from_cell.map(cell);
    // Comparisons with NaN are false, so a degenerate transform is refused here, too.
    let inside = p.x >= 0.0 && p.y >= 0.0 && p.x < f64::from(image.0) && p.y < f64::from(image.1);
    inside.then(|| p.y as u32 * image.0 + p.x as u32)
}

fn points<const N: usize>(
    offsets: [(f64, f64); N],
    centre: Point,
    at: impl Fn(Point) -> Option<u32>,
) -> Result<[u32; N], ReadError> {
    let mut out = [0; N];
    for (o, (dx, dy)) in out.iter_mut().zip(offsets) {
        *o = at(Point::new(centre.x + dx, centre.y + dy)).ok_or(ReadError::Outside)?;
    }
    Ok(out)
}

/// The offsets of the rim points from a cell's centre, in cells.
fn rim_offsets() -> [(f64, f64); RIM] {
    // Four to each corner: what is drawn in the middle, or over the middle of a side, is missed.
    let (o, t, n) = (OUTER, 0.6 * OUTER, 0.88 * OUTER);
    [
        (-o, -o),
        (-o, -t),
        (-t, -o),
        (-n, -n),
        (o, -o),
        (o, -t),
        (t, -o),
        (n, -n),
        (-o, o),
        (-o, t),
        (-t, o),
        (-n, n),
        (o, o),
        (o, t),
        (t, o),
        (n, n),
    ]
}

/// Points across the borders between neighbours, thinned evenly when there are many.
fn borders(
    size: GridSize,
    at: impl Fn(Point) -> Option<u32>,
) -> Result<Vec<[u32; ACROSS.len()]>, ReadError> {
    let every = (2 * size.len()).div_ceil(BORDERS).max(1);
    let mut out = Vec::new();
    for (n, cell) in size.cells().enumerate() {
        let Cell { col, row } = cell;
        let c = cell.centre();
        for (down, last) in [(true, col + 1 >= size.cols), (false, row + 1 >= size.rows)] {
            if last || (2 * n + usize::from(down)) % every != 0 {
                continue;
            }
            let mut border = [0; ACROSS.len()];
            for (o, t) in border.iter_mut().zip(ACROSS) {
                let p = if down {
                    Point::new(c.x + 0.5 + t, c.y)
                } else {
                    Point::new(c.x, c.y + 0.5 + t)
                };
                *o = at(p).ok_or(ReadError::Outside)?;
            }
            out.push(border);
        }
    }
    Ok(out)
}

#[inline]
fn scaled(rgb: [f32; 3], by: [f32; 3]) -> [f32; 3] {
    [rgb[0] * by[0], rgb[1] * by[1], rgb[2] * by[2]]
}

/// Channel-wise median of packed pixels.
#[inline]
fn median<const N: usize>(pixels: [u32; N]) -> [f32; 3] {
    if pixels.iter().all(|&p| p == pixels[0]) {
        return channels(pixels[0]).map(f32::from);
    }
    [16, 8, 0].map(|shift| {
        let mut v = pixels.map(|p| (p >> shift) as u8);
        v.sort_unstable();
        (f32::from(v[(N - 1) / 2]) + f32::from(v[N / 2])) / 2.0
    })
}
