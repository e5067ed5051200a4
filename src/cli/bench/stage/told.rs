//! How two-player programs tell the end of a game: by a window's title, by words in a window, by a
//! mark on the board.
//!
//! The words are pictures in the folder `told`, cut out of these programs. What is not surely told
//! is nothing.

use std::sync::LazyLock;

use super::boards::BoardProgram;
use super::desktop::Desktop;
use crate::calibrate::spot;
use crate::types::picture::channels;
use crate::types::{Cell, Picture};

/// How a game has ended for the person who played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Told {
    /// "You win!"
    Won,
    /// "I win"
    Lost,
    /// "Draw"
    Draw,
}

/// Words of a program.
struct Words {
    told: Told,
    picture: Picture,
}

/// The words whose pictures are given, with what they say.
macro_rules! words {
    ($($told:ident $name:literal),+ $(,)?) => {
        LazyLock::new(|| vec![$(word(
            Told::$told,
            include_bytes!(concat!("told/", $name, ".png")),
        )),+].into_iter().flatten().collect())
    };
}

/// `None` for bytes that are no picture, which the tests would notice.
fn word(told: Told, bytes: &[u8]) -> Option<Words> {
    let picture = image::load_from_memory(bytes).ok()?.to_rgb8();
    Some(Words {
        told,
        picture: Picture::from_rgb(&picture),
    })
}

static XVIER: LazyLock<Vec<Words>> = words![
    Lost "xvier-i-win",
    Won "xvier-you-win",
];
static KFOURINLINE: LazyLock<Vec<Words>> = words![
    Won "kfourinline-player-1-won",
    Lost "kfourinline-player-2-won",
];
static BOVO: LazyLock<Vec<Words>> = words![
    Won "bovo-you-won",
    Lost "bovo-you-lost",
];
static GOMOKU_APP: LazyLock<Vec<Words>> = words![
    Won "gomoku-app-you-win",
    Lost "gomoku-app-you-loose",
];

fn said(words: &[Words], picture: &Picture) -> Option<Told> {
    let sure = |w: &Words| Some((spot::find_picture(picture, &w.picture)?.1, w.told));
    let found = words.iter().filter_map(sure);
    found
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, told)| told)
}

impl Desktop {
    /// What a program says of the end of the game in this window, whose content is `picture`;
    /// `None` while it goes on. A full board about which nothing is said (yet) is a draw.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn told(
        &self,
        program: BoardProgram,
        window: u32,
        picture: &Picture,
    ) -> anyhow::Result<Option<Told>> {
        let told = match program {
            BoardProgram::FourInARow { .. } => match self.title(window)?.as_str() {
                "You win!" => Some(Told::Won),
                "I win!" => Some(Told::Lost),
                title if title.contains("draw") => Some(Told::Draw),
                _ => None,
            },
            BoardProgram::Xvier { .. } => said(&XVIER, &lower_right(picture)),
            BoardProgram::Kfourinline => said(&KFOURINLINE, &status_line(picture)),
            BoardProgram::Bovo { .. } => said(&BOVO, &status_line(picture)),
            BoardProgram::ExplosiveC4 => marked(program, picture),
            BoardProgram::GomokuApp { .. } => {
                for other in self.windows()? {
                    if self.title(other)? == " " && self.is_viewable(other)? {
                        let words = self.picture(self.client(other)?)?;
                        return Ok(said(&GOMOKU_APP, &words));
                    }
                }
                None
            }
        };
        // Most have no word for a game that nobody has won, or one that is rarely to be seen.
        let full = || program.occupied(picture).into_iter().all(|o| o);
        Ok(told.or_else(|| full().then_some(Told::Draw)))
    }
}

/// The lowest part of a window, all along it.
fn status_line(picture: &Picture) -> Picture {
    let from = picture.height().saturating_sub(40);
    picture.crop(0, from, picture.width(), 40)
}

/// Where xvier has its words.
fn lower_right(picture: &Picture) -> Picture {
    let from = (picture.width() * 3 / 4, picture.height() * 3 / 4);
    picture.crop(from.0, from.1, picture.width(), picture.height())
}

/// explosive-c4 says nothing, but lays the disc that wins on a square that turns from black to white.
fn marked(program: BoardProgram, picture: &Picture) -> Option<Told> {
    /// The corners of other cells differ by less.
    const CONTRAST: u8 = 90;
    let corner = |cell: Cell, dx: i32, dy: i32| {
        let (x, y) = program.cell_px(cell);
        // Beyond the disc, within the square.
        let (x, y) = (u32::try_from(x + dx).ok()?, u32::try_from(y + dy).ok()?);
        (x < picture.width() && y < picture.height()).then(|| channels(picture.at(x, y))[1])
    };
    let bare = |cell: Cell| {
        let all = [(-28, -28), (28, -28), (-28, 28), (28, 28)].map(|(x, y)| corner(cell, x, y));
        let most = all.iter().flatten().max().copied().unwrap_or(0);
        let least = all.iter().flatten().min().copied().unwrap_or(0);
        most - least > CONTRAST
    };
    let cell = program.size().cells().find(|&cell| bare(cell))?;
    let (x, y) = program.cell_px(cell);
    let [r, g, b] = channels(picture.at(u32::try_from(x).ok()?, u32::try_from(y).ok()?));
    match (r > 200, g > 150, b < 100) {
        (true, false, true) => Some(Told::Won),
        (true, true, true) => Some(Told::Lost),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<(&'static str, &'static [Words])> {
        vec![
            ("xvier", &XVIER),
            ("kfourinline", &KFOURINLINE),
            ("bovo", &BOVO),
            ("gomoku.app", &GOMOKU_APP),
        ]
    }

    /// A status line with these words on it.
    fn line(words: &Picture) -> Picture {
        let ground = channels(words.at(0, 0));
        let mut line = Picture::filled(400, 60, ground);
        for y in 0..words.height() {
            for x in 0..words.width() {
                line.set(i64::from(x) + 100, i64::from(y) + 20, words.rgb(x, y));
            }
        }
        line
    }

    #[test]
    fn words_are_told_apart() {
        for (program, words) in all() {
            assert!(words.len() >= 2, "{program}: its pictures can be read");
            for own in words {
                let told = own.told;
                assert_eq!(said(words, &line(&own.picture)), Some(told), "{program}");
                let nothing = Picture::filled(400, 60, channels(own.picture.at(0, 0)));
                assert_eq!(said(words, &nothing), None, "{program} {told:?}");
            }
        }
    }
}
