//! Everything in the window but the board: start screen, side panels, help, console.
//!
//! Takes what is to be told, draws text. Must never change a game.

use std::fmt::Write as _;

use super::console::Console;
use super::keys;
use super::paint::{GROUND, Layout};
use super::palette::{Palette, Rgb};
use super::text::{Column, GLYPH, LINE, border, fill, width, write};
use crate::games::tetris::rules::{Game, Kind};
use crate::types::{Picture, Rect};

const BRIGHT: Rgb = [0xe8, 0xea, 0xee];
const DIM: Rgb = [0x8a, 0x92, 0xa0];
const WARM: Rgb = [0xf2, 0xc8, 0x60];
const DARK: Rgb = [0x08, 0x0a, 0x0e];

/// Who made it, after whom.
const CREDITS: [&str; 4] = [
    "After the standard by Colin Fahey (Tetris, 2003-2007).",
    "Colour-blind palette: Okabe and Ito (2008).",
    "Font: font8x8, public domain.",
    "Part of Kibitzer, under MIT or Apache-2.0.",
];

/// How it is played, in a few lines.
const INSTRUCTIONS: [&str; 6] = [
    "Fill rows: a complete row vanishes.",
    "Left, Right move; Up turns; Space drops.",
    "A dropped piece is worth more than one that fell.",
    "The game ends when a new piece has no room.",
    "",
    "Return starts   1-9, 0 level   + - speed   F1 help",
];

/// What the panels tell.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a> {
    /// The game.
    pub game: &'a Game,
    /// The AI's name.
    pub ai: &'a str,
    /// Words that are on, in order.
    pub modes: &'a [&'a str],
    /// The last thing worth telling.
    pub message: &'a str,
    /// Something urgent: paused, over.
    pub state: &'a str,
}

/// The scale at which a picture's text can be read and so many columns and lines fit.
fn scale(out: &Picture, columns: i32, lines: i32) -> i32 {
    let across = out.width() as i32 / (columns * GLYPH);
    let down = out.height() as i32 / (lines * LINE);
    across.min(down).clamp(1, 6)
}

fn centred(out: &mut Picture, y: i32, scale: i32, rgb: Rgb, text: &str) {
    let x = (out.width() as i32 - width(text, scale)) / 2;
    write(out, [x, y], scale, rgb, text);
}

fn everything(out: &mut Picture, rgb: Rgb) {
    let whole = Rect {
        x: 0,
        y: 0,
        width: out.width(),
        height: out.height(),
    };
    fill(out, whole, rgb);
}

/// The start screen.
pub fn start(out: &mut Picture, panel: &Panel<'_>, line: &mut String) {
    everything(out, GROUND);
    let scale = scale(out, 54, 29);
    let step = (out.height() as i32 / 29).max(LINE * scale);
    let mut y = step * 2;
    centred(out, y, 3 * scale, WARM, "KIBITZER TETRIS");
    y += 5 * step;
    for text in INSTRUCTIONS {
        centred(out, y, scale, BRIGHT, text);
        y += step * 3 / 2;
    }
    y += step;
    let setup = panel.game.setup();
    line.clear();
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        "level {}   speed {:+}   board {}x{}",
        setup.level, setup.bias, setup.cols, setup.rows
    );
    centred(out, y, scale, WARM, line);
    y += step * 3 / 2;
    line.clear();
    let _ = write!(line, "AI {}", panel.ai);
    centred(out, y, scale, DIM, line);
    y += step * 3 / 2;
    centred(out, y, scale, WARM, panel.message);
    y += step * 2;
    for text in CREDITS {
        centred(out, y, scale, DIM, text);
        y += step;
    }
}

/// The help: every key.
pub fn help(out: &mut Picture) {
    everything(out, GROUND);
    let scale = scale(out, 58, 35);
    let step = (out.height() as i32 / 35).max(LINE * scale);
    centred(out, step, scale, WARM, "KEYS");
    let left = (out.width() as i32 - 56 * GLYPH * scale).max(0) / 2;
    let mut y = step * 5 / 2;
    for entry in keys::entries() {
        write(out, [left, y], scale, BRIGHT, entry.shown);
        write(out, [left + 14 * GLYPH * scale, y], scale, DIM, entry.what);
        y += step;
    }
    centred(
        out,
        y + step / 2,
        scale,
        WARM,
        "F1 or Escape: back to the game",
    );
}

/// The panels left and right of the board.
pub fn panels(out: &mut Picture, layout: &Layout, panel: &Panel<'_>, line: &mut String) {
    let margin = 4;
    let room = (layout.left.x - margin).max(0) as u32 + layout.left.width;
    // Fourteen characters a line, no larger than half a cell.
    let scale = (room / (14 * GLYPH) as u32)
        .min(layout.cell / 12)
        .clamp(1, 4) as i32;
    let wide = room.min((16 * GLYPH * scale) as u32);
    let left = Rect {
        x: margin + (room - wide) as i32,
        width: wide,
        ..layout.left
    };
    let mut column = Column::new(left, scale);
    let game = panel.game;
    let figures = [
        ("LEVEL", u64::from(game.level())),
        ("LINES", game.lines()),
        ("SCORE", game.score()),
        ("PIECES", game.pieces()),
    ];
    for (name, value) in figures {
        column.line(out, DIM, name);
        line.clear();
        // Writing to a string cannot fail.
        let _ = write!(line, "{value}");
        column.line(out, BRIGHT, line);
        column.gap(4);
    }
    line.clear();
    let _ = write!(line, "SPEED {:+}", game.setup().bias);
    column.line(out, DIM, line);
    column.gap(4);
    column.line(out, DIM, "AI");
    column.line(out, BRIGHT, panel.ai);
    column.gap(4);
    column.line(out, WARM, panel.message);

    let right = Rect {
        width: (out.width() as i32 - margin - layout.right.x).max(0) as u32,
        ..layout.right
    };
    let mut column = Column::new(right, scale);
    column.line(out, WARM, panel.state);
    column.gap(4);
    for mode in panel.modes {
        column.line(out, DIM, mode);
    }
    column.gap(4);
    column.line(out, DIM, "F1 help");
}

/// The local game, small in the lower right corner, while the window shows a video.
pub fn inset(out: &mut Picture, game: &Game, palette: Palette, seen: &str, line: &mut String) {
    let board = game.board();
    let (cols, rows) = (u32::from(board.cols()), u32::from(board.rows()));
    let side = (out.height() / (4 * rows)).clamp(1, 8);
    let scale = scale(out, 80, 48);
    let (wide, high) = (cols * side + 2, rows * side + 2);
    let text = width("video: unclear", scale) as u32 + 8;
    let (x, y) = (
        out.width().saturating_sub(wide) as i32,
        out.height().saturating_sub(high) as i32,
    );
    let area = Rect {
        x: x - text as i32,
        y,
        width: wide + text,
        height: high,
    };
    fill(out, area, DARK);
    border(out, area, 1, DIM);
    let falling = game.piece().map(|p| (p.kind, game.system().cells(p)));
    for (i, &value) in (0..).zip(board.cells()) {
        let (col, row) = (i % cols, i / cols);
        let value = match falling {
            Some((kind, cells)) if cells.contains(&(col as i16, row as i16)) => kind.number(),
            _ => value,
        };
        let cell = Rect {
            x: x + 1 + (col * side) as i32,
            y: y + 1 + ((rows - 1 - row) * side) as i32,
            width: side,
            height: side,
        };
        fill(out, cell, palette.of(value, false));
    }
    let words = Rect {
        x: area.x + 4,
        y: y + 4,
        width: text - 4,
        height: high.saturating_sub(4),
    };
    let mut column = Column::new(words, scale);
    column.line(out, WARM, seen);
    for (name, value) in [("pieces", game.pieces()), ("lines", game.lines())] {
        line.clear();
        // Writing to a string cannot fail.
        let _ = write!(line, "{name} {value}");
        column.line(out, BRIGHT, line);
    }
}

/// What the console tells besides its lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Pictures drawn.
    pub frames: u64,
    /// Pieces of each kind that appeared.
    pub kinds: [u64; 7],
}

/// The debug console over the lower part of the window.
pub fn console(out: &mut Picture, console: &Console, game: &Game, f: Figures, line: &mut String) {
    let scale = scale(out, 70, 48);
    let lines = 12;
    let height = (lines + 1) * LINE * scale;
    let area = Rect {
        x: 0,
        y: out.height() as i32 - height,
        width: out.width(),
        height: height as u32,
    };
    fill(out, area, DARK);
    border(out, area, scale as u32, DIM);
    let mut column = Column::new(
        Rect {
            x: 6 * scale,
            y: area.y + 5 * scale,
            width: area.width.saturating_sub(12 * scale as u32),
            height: area.height.saturating_sub(6 * scale as u32),
        },
        scale,
    );
    line.clear();
    let next = game.next_step_at().map_or(0, |t| t.0 / 1000);
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        "frame {} seed {} next step {next} ms delay {} ms",
        f.frames,
        game.setup().seed,
        game.delay().as_millis()
    );
    column.line(out, WARM, line);
    line.clear();
    let sum: u64 = f.kinds.iter().sum();
    let _ = write!(line, "mean {:.1}", sum as f64 / 7.0);
    for (kind, count) in Kind::ALL.iter().zip(f.kinds) {
        let _ = write!(line, " {kind} {count}");
    }
    column.line(out, WARM, line);
    for text in console.last(lines as usize - 2) {
        column.line(out, BRIGHT, text);
    }
}
