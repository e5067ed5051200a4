//! The built-in Tetris in a real window: real keys in, pictures of a real screen out.

mod golden;
mod window;

use std::process::Command;

use kibitzer::games::tetris::rules::Kind;
use kibitzer::games::tetris::target::paint::Layout;
use kibitzer::games::tetris::target::palette::{EMPTY, MONOCHROME, Palette};
use kibitzer::types::{BoardText, GridSize, Picture, Point, PxFromCell};

use crate::support::{Child, Desktop, desktop};

/// A target on a screen of its own.
pub struct Shown {
    // Dropped in this order.
    _program: Child,
    pub desktop: Desktop,
    pub window: u32,
}

impl Shown {
    /// Starts `kibitzer target` with these words; `None`, said aloud, where programs are missing.
    pub fn start(words: &[&str]) -> Option<Self> {
        if !std::path::Path::new("/usr/bin/xdotool").exists() {
            eprintln!("skipped: no xdotool");
            return None;
        }
        let desktop = desktop("Clearlooks")?;
        let mut all = vec!["target"];
        all.extend(words);
        let program = desktop
            .run(env!("CARGO_BIN_EXE_kibitzer"), &all)
            .expect("started");
        let window = desktop
            .wait("the window", |d| Ok(d.windows()?.first().copied()))
            .expect("it opens");
        let shown = Self {
            _program: program,
            desktop,
            window,
        };
        shown.until("a drawn window", |p| {
            p.pixels().iter().any(|&v| v != p.pixels()[0])
        });
        Some(shown)
    }

    /// A person's tools: `key Left shift+k`, `mousemove 10 20`.
    pub fn tool(&self, words: &[&str]) {
        let done = Command::new("xdotool")
            .env("DISPLAY", self.desktop.display())
            .args(words)
            .status()
            .expect("xdotool runs");
        assert!(done.success(), "{words:?}");
    }

    /// Presses keys, as xdotool names them.
    pub fn keys(&self, names: &str) {
        let mut words = vec!["key"];
        words.extend(names.split(' '));
        self.tool(&words);
    }

    /// What the window shows as soon as it is as it should be.
    pub fn until(&self, what: &str, mut good: impl FnMut(&Picture) -> bool) -> Picture {
        let seen = self.desktop.wait(what, |d| {
            let picture = d.picture(d.client(self.window)?)?;
            Ok(good(&picture).then_some(picture))
        });
        seen.unwrap_or_else(|e| panic!("{e:#}"))
    }

    /// Waits for a board (10x20) that is as it should be.
    pub fn board(&self, what: &str, mut good: impl FnMut(&str) -> bool) -> String {
        let picture = self.until(what, |p| good(&read(p, 10, 20)));
        read(&picture, 10, 20)
    }
}

fn letter(rgb: [u8; 3]) -> char {
    match (1..=8).find(|&v| Palette::Standard.of(v, false) == rgb) {
        Some(8) => '#',
        Some(v) => Kind::from_number(v).map_or('?', Kind::letter),
        None if rgb == EMPTY => '.',
        None if rgb == MONOCHROME => 'm',
        None => '?',
    }
}

fn letters(picture: &Picture, at: PxFromCell, size: GridSize) -> String {
    let cells = size.cells().map(|cell| {
        let p = at.map(cell.centre());
        let inside = p.x >= 0.0 && p.x < f64::from(picture.width());
        if !inside || p.y < 0.0 || p.y >= f64::from(picture.height()) {
            return '?';
        }
        letter(picture.rgb(p.x as u32, p.y as u32))
    });
    BoardText::from_cells(size.cols.into(), cells).0
}

/// The board in a picture of the whole window: rows from the top joined by `/`, `?` for what is no
/// cell, `m` for monochrome cells.
pub fn read(picture: &Picture, cols: u16, rows: u16) -> String {
    let layout = Layout::fit(picture.width(), picture.height(), cols, rows);
    letters(picture, layout.px_from_cell(), layout.size)
}

/// The next piece's box.
pub fn next_box(picture: &Picture) -> String {
    let layout = Layout::fit(picture.width(), picture.height(), 10, 20);
    let at = Point::new(f64::from(layout.next.x), f64::from(layout.next.y));
    let side = f64::from(layout.cell);
    let at = PxFromCell::upright(at, side, side);
    letters(picture, at, GridSize::new(4, 2))
}

/// Columns and rows (from the top) of all cells with this letter.
pub fn places(board: &str, letter: char) -> Vec<(usize, usize)> {
    let row = |(y, text): (usize, &str)| -> Vec<(usize, usize)> {
        let cells = text.chars().enumerate();
        cells
            .filter(|c| c.1 == letter)
            .map(|(x, _)| (x, y))
            .collect()
    };
    board.split('/').enumerate().flat_map(row).collect()
}
