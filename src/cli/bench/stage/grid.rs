//! Where a two-player program draws its cells in a window of the size it opens with, and in which
//! colours: what a person knows who checks the readings of others. Nothing that reads boards uses
//! this.

use super::boards::{BoardProgram, BovoTheme};
use crate::types::picture::channels;
use crate::types::{Cell, GridSize, Picture, Rect};

impl BoardProgram {
    /// Columns and rows.
    #[must_use]
    pub const fn size(self) -> GridSize {
        match self {
            Self::Xvier { size, .. } => GridSize::new(size.0 as u16, size.1 as u16),
            Self::FourInARow { .. } | Self::Kfourinline | Self::ExplosiveC4 => GridSize::new(7, 6),
            Self::Bovo { .. } => GridSize::new(22, 22),
            Self::GomokuApp { .. } => GridSize::new(8, 8),
        }
    }

    /// Middle of the top left cell and the distance of two cells, in pixels of the window's
    /// content.
    const fn grid(self) -> ((f64, f64), f64) {
        match self {
            Self::Xvier { .. } => ((30.0, 30.0), 50.0),
            Self::FourInARow { .. } => ((120.0, 178.0), 74.0),
            Self::Kfourinline => ((139.0, 163.0), 43.3),
            Self::ExplosiveC4 => ((36.0, 185.0), 64.0),
            Self::Bovo { .. } => ((42.0, 95.0), 27.0),
            Self::GomokuApp { .. } => ((20.0, 20.0), 40.0),
        }
    }

    /// The middle of a cell in pixels of the window's content.
    #[must_use]
    pub fn cell_px(self, cell: Cell) -> (i32, i32) {
        let ((x, y), pitch) = self.grid();
        let at = |from: f64, n: u16| (from + pitch * f64::from(n)).round() as i32;
        (at(x, cell.col), at(y, cell.row))
    }

    /// The board with half a cell around its outermost middles, in pixels of the window's content.
    #[must_use]
    pub fn board_px(self) -> Rect {
        let ((x, y), pitch) = self.grid();
        let side = |n: u16| (pitch * f64::from(n)) as u32;
        Rect {
            x: (x - pitch / 2.0) as i32,
            y: (y - pitch / 2.0) as i32,
            width: side(self.size().cols),
            height: side(self.size().rows),
        }
    }

    /// Colours of an empty cell, its lines apart.
    const fn ground(self) -> &'static [u32] {
        match self {
            Self::Xvier { .. } => &[0x00_00ff],
            Self::FourInARow { .. } => &[0x00_0000],
            Self::Kfourinline => &[0xd6_d6d6],
            Self::ExplosiveC4 => &[0xff_ffff],
            Self::Bovo { theme, .. } => match theme {
                BovoTheme::Scribble => &[0xff_ffff],
                // With its watermark.
                BovoTheme::Gomoku => &[0xa5_2a2a, 0x7a_1f1f],
                BovoTheme::HighContrast => &[0xff_ff00],
                BovoTheme::Spacy => &[0x00_0000],
            },
            Self::GomokuApp { .. } => &[0xcc_a445],
        }
    }

    /// Whether nothing lies in a cell of the window's content: around its middle nearly all is as
    /// in an empty one.
    #[must_use]
    pub fn is_empty_cell(self, picture: &Picture, cell: Cell) -> bool {
        let (x, y) = self.cell_px(cell);
        let reach = (self.grid().1 * 0.3) as i32;
        let (mut all, mut same) = (0_u32, 0_u32);
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let (x, y) = (x + dx, y + dy);
                // Holes are round, and crossings have their lines in the middle.
                let round = dx * dx + dy * dy <= reach * reach;
                if !round || dx.abs() <= 2 || dy.abs() <= 2 {
                    continue;
                }
                let inside = |v: i32, side: u32| u32::try_from(v).ok().filter(|v| *v < side);
                let at = inside(x, picture.width()).zip(inside(y, picture.height()));
                all += 1;
                same += u32::from(at.is_some_and(|(x, y)| self.is_ground(picture.at(x, y))));
            }
        }
        same * 20 >= all * 19
    }

    fn is_ground(self, pixel: u32) -> bool {
        // A channel of an empty cell may differ by soft edges; kfourinline has light and shade.
        let near = match self {
            Self::Kfourinline => 60,
            _ => 28,
        };
        self.ground().iter().any(|&wanted| {
            let (seen, wanted) = (channels(pixel), channels(wanted));
            (0..3).all(|i| seen[i].abs_diff(wanted[i]) < near)
        })
    }

    /// Which cells something lies in, row by row.
    #[must_use]
    pub fn occupied(self, picture: &Picture) -> Vec<bool> {
        let cells = self.size().cells();
        cells
            .map(|cell| !self.is_empty_cell(picture, cell))
            .collect()
    }
}
