//! Where a program draws its cells in a window of the size it opens with, and in which colours:
//! what a person would know who tests it. Nothing else uses this.

use kibitzer::cli::bench::stage::{BoardProgram, BovoTheme};
use kibitzer::types::Picture;

/// Middle of the top left cell and the distance of two cells, in pixels of the window's content.
fn grid(program: BoardProgram) -> ((f64, f64), f64) {
    match program {
        BoardProgram::Xvier { .. } => ((30.0, 30.0), 50.0),
        BoardProgram::FourInARow { .. } => ((120.0, 178.0), 74.0),
        BoardProgram::Kfourinline => ((139.0, 163.0), 43.3),
        BoardProgram::ExplosiveC4 => ((36.0, 185.0), 64.0),
        BoardProgram::Bovo { .. } => ((42.0, 95.0), 27.0),
        BoardProgram::GomokuApp { .. } => ((20.0, 20.0), 40.0),
    }
}

/// The middle of a cell.
pub fn cell(program: BoardProgram, (col, row): (u16, u16)) -> (i32, i32) {
    let ((x, y), pitch) = grid(program);
    let at = |from: f64, n: u16| (from + pitch * f64::from(n)).round() as i32;
    (at(x, col), at(y, row))
}

/// Colours of an empty cell; lines go through the middle of some.
fn empty(program: BoardProgram) -> &'static [u32] {
    match program {
        BoardProgram::Xvier { .. } => &[0x00_00ff],
        BoardProgram::FourInARow { .. } => &[0x00_0000],
        BoardProgram::Kfourinline => &[0xd6_d6d6],
        BoardProgram::ExplosiveC4 => &[0xff_ffff],
        BoardProgram::Bovo { theme, .. } => match theme {
            BovoTheme::Scribble => &[0xff_ffff],
            BovoTheme::Gomoku => &[0xa5_2a2a, 0x7a_1f1f],
            BovoTheme::HighContrast => &[0xff_ff00],
            BovoTheme::Spacy => &[0x00_0000],
        },
        BoardProgram::GomokuApp { .. } => &[0xcc_a445],
    }
}

/// Whether nothing lies in a cell: around its middle nearly all is as in an empty one.
pub fn is_empty(program: BoardProgram, picture: &Picture, at: (u16, u16)) -> bool {
    let (x, y) = cell(program, at);
    let reach = (grid(program).1 * 0.3) as i32;
    let near = |pixel: u32| {
        empty(program).iter().any(|&wanted| {
            let apart = |shift: u32| (pixel >> shift & 0xff).abs_diff(wanted >> shift & 0xff);
            [0, 8, 16].into_iter().all(|shift| apart(shift) < 28)
        })
    };
    let (mut all, mut same) = (0, 0);
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            // Crossings have their lines in the middle.
            if dx.abs() > 2 && dy.abs() > 2 {
                all += 1;
                same += u32::from(near(picture.at((x + dx) as u32, (y + dy) as u32)));
            }
        }
    }
    same * 20 >= all * 19
}
