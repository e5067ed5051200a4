//! The built-in Flood-It: a game that needs no screen, drawn in any style, with known truth.
//!
//! Takes a [`Setup`] and a [`Style`], then clicks and keys in px of its picture; gives pictures
//! and the true board. The same setup and the same inputs give the same pictures. Must never
//! start anything or look at a clock.

pub mod cases;
mod paint;
pub mod palette;
pub mod scenery;
pub mod style;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use crate::games::canvas;
pub use style::Style;

use super::rules::{Board, BoardError, MAX_COLOURS, SeededBoards};
use crate::types::{BoardText, Cell, GridSize, Picture, Point, PxFromCell, Target, Time};

/// How long the rainbow runs over a finished board.
pub const WAVE: Duration = Duration::from_secs(1);

/// What is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// Columns and rows.
    pub size: GridSize,
    /// Number of colours; no more than the style's palette has.
    pub colours: u8,
    /// Seed of all boards of this target.
    pub seed: u64,
    /// The cell whose region is flooded.
    pub start: Cell,
    /// Moves allowed; `None` is the usual number for the size and the colours.
    pub limit: Option<u32>,
    /// Greedy moves already made on the first board.
    pub played: u32,
    /// The first board as palette indices, row-major, instead of a random one.
    pub board: Option<Vec<u8>>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: GridSize::new(14, 14),
            colours: 6,
            seed: 0,
            start: Cell::new(0, 0),
            limit: None,
            played: 0,
            board: None,
        }
    }
}

/// A running game.
pub struct FloodTarget {
    setup: Setup,
    style: Style,
    scenery: Picture,
    boards: SeededBoards,
    board: Board,
    history: Vec<Board>,
    limit: u32,
    changed_at: Option<Time>,
    shown: Vec<u8>,
}

impl FloodTarget {
    /// A game about to start.
    ///
    /// # Errors
    /// When the size or the start cell is none of a board.
    pub fn new(mut setup: Setup, style: Style) -> Result<Self, BoardError> {
        let most = style.palette.len().clamp(2, 26) as u8;
        setup.colours = setup.colours.clamp(2, most);
        let mut boards = SeededBoards::new(setup.seed, setup.size, setup.colours.into());
        let first = setup.board.take();
        let cells = match first {
            Some(cells) => cells,
            None => boards
                .next()
                .map(|b| b.cells().to_vec())
                .unwrap_or_default(),
        };
        let mut game = Self {
            board: Board::new(setup.size, cells, setup.start)?,
            scenery: scenery::paint(style.picture.0, style.picture.1, &style.surroundings),
            boards,
            history: Vec::new(),
            limit: 0,
            changed_at: None,
            shown: Vec::new(),
            style,
            setup,
        };
        game.begin();
        for _ in 0..game.setup.played {
            let Some(colour) = game.greedy() else { break };
            game.recolour(colour, Time::ZERO);
        }
        game.changed_at = None;
        Ok(game)
    }

    /// Where its cells are drawn.
    #[must_use]
    pub const fn px_from_cell(&self) -> PxFromCell {
        self.style.px_from_cell()
    }

    /// How it looks.
    #[must_use]
    pub const fn style(&self) -> &Style {
        &self.style
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> GridSize {
        self.setup.size
    }

    /// The true board; its colours are palette indices.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Moves made and moves allowed.
    #[must_use]
    pub fn moves(&self) -> (u32, u32) {
        (self.history.len() as u32, self.limit)
    }

    /// Whether the board has one colour.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.board.is_solved()
    }

    /// The colour that floods most cells now; `None` when the board is complete.
    #[must_use]
    pub fn greedy(&self) -> Option<u8> {
        greedy(&self.board)
    }

    fn deal(&mut self) {
        // The stream is endless.
        if let Some(board) = self.boards.next() {
            self.board = board.with_start(self.setup.start);
            self.begin();
        }
    }

    fn begin(&mut self) {
        self.limit = self
            .setup
            .limit
            .unwrap_or_else(|| scaled_limit(&self.board));
        self.history.clear();
        self.changed_at = None;
    }

    fn recolour(&mut self, colour: u8, now: Time) {
        let allowed = colour < self.setup.colours && colour != self.board.colour();
        if allowed && !self.is_complete() {
            self.history.push(self.board.clone());
            self.board.flood(colour);
            self.changed_at = Some(now);
        }
    }

    /// What is on the screen at `now`: the board, a sweep over it or the rainbow.
    fn show(&mut self, now: Time) {
        self.shown.clear();
        self.shown.extend_from_slice(self.board.cells());
        let Some(since) = self.changed_at.map(|t| now.since(t)) else {
            return;
        };
        let size = self.setup.size;
        let from = self.setup.start;
        let far = |cell: Cell| {
            f64::from(cell.col.abs_diff(from.col)) + f64::from(cell.row.abs_diff(from.row))
        };
        let reach = f64::from(size.cols) + f64::from(size.rows);
        let sweep = Duration::from_millis(u64::from(self.style.sweep_ms));
        if since < sweep {
            let front = reach * since.as_secs_f64() / sweep.as_secs_f64();
            if let Some(old) = self.history.last() {
                for (i, cell) in size.cells().enumerate() {
                    if far(cell) > front {
                        self.shown[i] = old.cells()[i];
                    }
                }
            }
        } else if self.is_complete() && since < sweep + WAVE {
            let t = (since - sweep).as_secs_f64() / WAVE.as_secs_f64();
            // The front runs over the board once and a band of all colours follows it.
            let band = f64::from(self.setup.colours) * 2.0;
            let front = t * (reach + band);
            for (i, cell) in size.cells().enumerate() {
                let behind = front - far(cell);
                if behind >= 0.0 && behind < band {
                    let step = (behind / 2.0) as u8;
                    self.shown[i] = (self.shown[i] + step) % self.setup.colours;
                }
            }
        }
    }

    fn status(&self) -> String {
        let (made, limit) = self.moves();
        if self.is_complete() && made <= limit {
            format!("COMPLETED! {made} / {limit} moves")
        } else if made >= limit {
            format!("FAILED! {made} / {limit} moves")
        } else {
            format!("{made} / {limit} moves")
        }
    }

    fn hit(&self, px: Point) -> Option<u8> {
        let size = self.setup.size;
        let at = self.px_from_cell().inverse()?.map(px);
        let inside = at.x >= 0.0
            && at.y >= 0.0
            && at.x < f64::from(size.cols)
            && at.y < f64::from(size.rows);
        if inside {
            let cell = Cell::new(at.x as u16, at.y as u16);
            return self.board.cells().get(size.index(cell)).copied();
        }
        let buttons = self.style.buttons.as_ref()?;
        let half = buttons.side / 2.0;
        (0..usize::from(self.setup.colours))
            .find(|&i| {
                let c = buttons.centre(i);
                (px.x - c.x).abs() <= half && (px.y - c.y).abs() <= half
            })
            .map(|i| i as u8)
    }
}

/// The reference's 25 moves for 14x14 cells of six colours, scaled with the sum of the sides and the
/// number of colours; rounded up, so that small boards can be won.
fn scaled_limit(board: &Board) -> u32 {
    let sides = u32::from(board.size().cols) + u32::from(board.size().rows);
    (25 * sides * board.colours() as u32).div_ceil(28 * 6) + u32::from(sides < 28)
}

impl Target for FloodTarget {
    fn render(&mut self, now: Time, out: &mut Picture) {
        self.show(now);
        out.reshape(self.scenery.width(), self.scenery.height());
        out.pixels_mut().copy_from_slice(self.scenery.pixels());
        let status = self.status();
        paint::board(out, &self.style, self.setup.size, &self.shown, &status);
    }

    /// Clicking a cell plays its colour, clicking a button plays the button's.
    fn click(&mut self, px: Point, now: Time) {
        if let Some(colour) = self.hit(px) {
            self.recolour(colour, now);
        }
    }

    /// `n` starts a new game, `u` takes a move back; other keys do nothing.
    fn key(&mut self, name: &str, _now: Time) {
        match name {
            "n" => self.deal(),
            "u" => {
                if let Some(board) = self.history.pop() {
                    self.board = board;
                    self.changed_at = None;
                }
            }
            _ => {}
        }
    }

    fn title(&self) -> &str {
        "Kibitzer Flood-It"
    }

    /// A letter for each cell: `a` is the palette's first colour, `b` its second.
    fn truth(&self) -> BoardText {
        self.board.text()
    }
}

/// The colour that floods most cells, the first of equals; `None` when the board is complete.
#[must_use]
pub fn greedy(board: &Board) -> Option<u8> {
    (0..MAX_COLOURS as u8)
        .filter(|&c| board.is_move(c))
        .max_by_key(|&c| (board.after(c).region_size(), u8::MAX - c))
}

#[cfg(test)]
mod tests;
