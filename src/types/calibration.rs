//! A calibration: where the board lies in the frames of one source, and what its cells look like.

use serde::{Deserialize, Serialize};

use super::geometry::{GridSize, Point, PxFromCell};

/// What the cells of a board are, which decides where they are sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardKind {
    /// Filled squares (or rectangles) side by side.
    #[default]
    Cells,
    /// Round holes in a plate, empty or with a disc in them.
    Holes,
    /// Crossings of lines, empty or with a stone on them. Class 0 is empty: the ground, and as its
    /// mark the lines.
    Crossings,
    /// Squares between drawn lines, empty or with a mark in them (an X, an O, a disc). Class 0 is
    /// empty, as for crossings; the letters `X` and `O` are given to marks of those shapes.
    Squares,
    /// Cells most of which are empty, the others filled with a colour, as in Tetris. The classes
    /// are fixed: 0 empty, 1 to 7 the kinds of pieces, 8 filled with anything else. Kinds that
    /// look like class 8 are not told apart and read as class 8. From 9 on follow colours that
    /// were told apart in a picture, though nobody has said whose they are.
    Stack,
}

impl BoardKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Cells,
        Self::Holes,
        Self::Crossings,
        Self::Squares,
        Self::Stack,
    ];

    /// Its name in profiles and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Holes => "holes",
            Self::Crossings => "crossings",
            Self::Squares => "squares",
            Self::Stack => "stack",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }
}

/// What is looked for: the kind of board and the limits its game sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The kind of cells.
    pub kind: BoardKind,
    /// Smallest board of the game.
    pub min: GridSize,
    /// Largest board of the game.
    pub max: GridSize,
    /// Fewest and most classes of cells on one board.
    pub classes: (u8, u8),
    /// The size, where a profile or a user has said it.
    pub size: Option<GridSize>,
}

/// How one class of cells looks on this screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassLook {
    /// The letter it has on boards as text.
    pub letter: char,
    /// Mean colour with the local light removed, 0 to 255, red first.
    pub rgb: [f32; 3],
    /// Spread of its cells around that colour (root mean square, same unit).
    pub spread: f32,
    /// Colour of the middle of its cells, where all of them bear a mark (a dot); it may be what
    /// sets them apart from another class of the same colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<[f32; 3]>,
}

impl ClassLook {
    /// Letter and colour, `a #ff0000`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.letter, self.hex())
    }

    /// Colour as HTML has it, `#ff0000`.
    #[must_use]
    pub fn hex(&self) -> String {
        let [r, g, b] = self.rgb.map(|v| v.round().clamp(0.0, 255.0) as u8);
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// A smooth gain over the board: log RGB = class + `gain` at (u, v), each from -1 to 1 across it.
///
/// Per channel the coefficients of 1, u, v, u*u, u*v, v*v; all zero for a screenshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GainField(pub [[f32; 6]; 3]);

impl GainField {
    /// The factor by which the light makes each channel brighter at (u, v).
    #[must_use]
    pub fn factor(&self, u: f32, v: f32) -> [f32; 3] {
        self.0.map(|k| {
            (k[0] + k[1] * u + k[2] * v + k[3] * u * u + k[4] * u * v + k[5] * v * v).exp()
        })
    }
}

/// Light that is added to the cells of a board, as a screen that mirrors a lamp does: per cell,
/// row by row, how much the square of each channel (0 to 255, red first) is raised. Empty where
/// nothing is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Veil(pub Vec<[f32; 3]>);

impl Veil {
    /// A colour of a cell without what was added.
    #[must_use]
    #[inline]
    pub fn lifted(&self, cell: usize, rgb: [f32; 3]) -> [f32; 3] {
        match self.0.get(cell) {
            Some(added) => lifted(*added, rgb),
            None => rgb,
        }
    }

    /// How far off a colour of a cell may be, with what was added taken off: what is added is
    /// known to an eighth of it.
    #[must_use]
    #[inline]
    pub fn doubt(&self, cell: usize, lifted: [f32; 3]) -> f32 {
        const KNOWN: f32 = 0.125;
        const DARKEST: f32 = 12.0;
        self.0.get(cell).map_or(0.0, |added| {
            let off = [0, 1, 2].map(|c| KNOWN * added[c].abs() / (2.0 * lifted[c].max(DARKEST)));
            off.into_iter().fold(0.0, f32::max)
        })
    }

    /// Whether nothing is added anywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A colour without what was added to its squares.
#[must_use]
#[inline]
pub fn lifted(added: [f32; 3], rgb: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|c| (rgb[c] * rgb[c] - added[c]).max(0.0).sqrt())
}

/// A small grid beside the board that is read with it (a box with the next piece), in the cell
/// space of the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideGrid {
    /// Its outer top left corner.
    pub at: Point,
    /// Columns and rows.
    pub size: GridSize,
    /// Side of its cells, in cells of the board.
    pub pitch: f64,
}

/// A line of one colour around the whole board, brighter than what lies on both sides of it: it
/// tells whether the board is where it was and whether a frame is whole.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Border {
    /// Its colour with the local light removed, 0 to 255, red first.
    pub rgb: [f32; 3],
    /// How far outside of the cells its middle lies, in cells.
    pub out: f64,
}

/// The plate of a board of holes, and its holes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plate {
    /// Its colour with the local light removed, 0 to 255, red first.
    pub rgb: [f32; 3],
    /// Spread of it around that colour (root mean square, same unit).
    pub spread: f32,
    /// Its colour as seen around each hole, row by row, where it has a gloss that the light does
    /// not explain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gloss: Vec<[u8; 3]>,
    /// Whether that gloss lies over what is in the holes as well, as the glare of a lamp does.
    #[serde(default)]
    pub veil: bool,
    /// Half axes of a hole along x and y, in cells.
    pub hole: (f64, f64),
    /// Whether what lies behind the board shows through empty holes, so that any colour that no
    /// disc has is empty.
    pub open: bool,
}

/// How stones lie on the crossings of a board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoneShape {
    /// Their radius in cells.
    pub radius: f64,
    /// How far beside its crossing a stone is seen, in cells: the camera looks at thick stones
    /// from the side.
    pub shift: Point,
}

/// How the cells of a stack are told from the empty ones where nothing but the picture itself
/// says what empty looks like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Well {
    /// The colour of what is empty, 0 to 255, red first: per channel the coefficients of 1, u,
    /// v, u*u, u*v, v*v, where u and v go from -1 to 1 across the board. Light falls off, and
    /// lamps are mirrored in dark screens.
    pub empty: [[f32; 6]; 3],
    /// Mean distance from it (Euclidean, of the middle of a cell) beyond which a cell is filled.
    pub limit: f32,
}

impl Well {
    /// The colour of what is empty at (u, v).
    #[must_use]
    pub fn at(&self, u: f32, v: f32) -> [f32; 3] {
        self.empty
            .map(|k| k[0] + k[1] * u + k[2] * v + k[3] * u * u + k[4] * u * v + k[5] * v * v)
    }
}

/// Everything a reader needs; tied to one source and one picture size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Kind of cells.
    pub kind: BoardKind,
    /// Columns and rows.
    pub size: GridSize,
    /// Width and height in px of the frames it is for; others are refused.
    pub image: (u32, u32),
    /// The one transform.
    pub px_from_cell: PxFromCell,
    /// The classes, in the order of their [`ClassId`](super::reading::ClassId).
    pub classes: Vec<ClassLook>,
    /// Small grids beside the board that are read with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<SideGrid>,
    /// A line around the board, where it has one that can be relied on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub border: Option<Border>,
    /// How empty cells of a stack look, where that was learnt from the picture alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub well: Option<Well>,
    /// The plate, for boards of holes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plate: Option<Plate>,
    /// The stones of a board of crossings, where any were seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stones: Option<StoneShape>,
    /// Light across the board.
    pub gain: GainField,
    /// Light that is added to some cells, as a lamp that the screen mirrors.
    #[serde(default, skip_serializing_if = "Veil::is_empty")]
    pub veil: Veil,
    /// 0 to 1; below [`Calibration::MIN_QUALITY`] it is not a board.
    pub quality: f32,
    /// Root mean square distance in px between the lattice and the edges that support it.
    pub residual: f32,
}

impl Calibration {
    /// A board at a place, of which nothing else is known yet: no classes, quality 0.
    #[must_use]
    pub fn at(
        kind: BoardKind,
        size: GridSize,
        image: (u32, u32),
        px_from_cell: PxFromCell,
    ) -> Self {
        Self {
            kind,
            size,
            image,
            px_from_cell,
            classes: Vec::new(),
            beside: Vec::new(),
            border: None,
            plate: None,
            stones: None,
            gain: GainField::default(),
            veil: Veil::default(),
            well: None,
            quality: 0.0,
            residual: 0.0,
        }
    }

    /// Findings below this quality are answered with "no board". The scorer is tuned so that
    /// right and wrong findings lie on both sides of it (`kibitzer bench seeing` prints how far).
    pub const MIN_QUALITY: f32 = 0.5;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lamp_adds_is_taken_off_again() {
        let bare = [40.0f32, 90.0, 160.0];
        let added = [3000.0f32; 3];
        let seen = [0, 1, 2].map(|c| (bare[c] * bare[c] + added[c]).sqrt());
        let veil = Veil(vec![[0.0; 3], added]);
        let found = veil.lifted(1, seen);
        assert!(
            found.iter().zip(bare).all(|(a, b)| (a - b).abs() < 1e-3),
            "{found:?}"
        );
        assert_eq!(veil.lifted(0, seen), seen);
        // What is dark is known less well than what is bright; without a veil nothing is in doubt.
        assert!(veil.doubt(1, [20.0; 3]) > veil.doubt(1, [200.0; 3]));
        assert!(veil.doubt(0, bare) == 0.0 && Veil::default().doubt(5, bare) == 0.0);
    }
}
