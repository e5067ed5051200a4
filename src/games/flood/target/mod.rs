//! The built-in Flood-It: a game that needs no screen, drawn in any style, with known truth.
//!
//! Takes a [`Setup`] and a [`Style`], then clicks and keys in px of its picture; gives pictures
//! and the true board. The same setup and the same inputs give the same pictures. Must never
//! start anything or look at a clock.

pub mod canvas;
pub mod cases;
mod paint;
pub mod palette;
pub mod scenery;
pub mod style;

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

pub use style::Style;

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
    /// Moves allowed; `None` is what the greedy player needs and three more.
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
    boards: ChaCha8Rng,
    board: Vec<u8>,
    history: Vec<Vec<u8>>,
    limit: u32,
    changed_at: Option<Time>,
    shown: Vec<u8>,
}

impl FloodTarget {
    /// A game about to start.
    #[must_use]
    pub fn new(mut setup: Setup, style: Style) -> Self {
        let most = style.palette.len().clamp(2, 26) as u8;
        setup.colours = setup.colours.clamp(2, most);
        let scenery = scenery::paint(style.picture.0, style.picture.1, &style.surroundings);
        let mut game = Self {
            boards: ChaCha8Rng::seed_from_u64(setup.seed),
            scenery,
            board: Vec::new(),
            history: Vec::new(),
            limit: 0,
            changed_at: None,
            shown: Vec::new(),
            style,
            setup,
        };
        game.deal();
        let given = game.setup.board.take();
        if let Some(board) = given.filter(|b| b.len() == game.setup.size.len()) {
            game.begin(board);
        }
        for _ in 0..game.setup.played {
            let Some(colour) = game.greedy() else { break };
            game.recolour(colour, Time::ZERO);
        }
        game.changed_at = None;
        game
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

    /// The true colours as palette indices, row-major.
    #[must_use]
    pub fn colours(&self) -> &[u8] {
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
        self.board.iter().all(|&c| Some(&c) == self.board.first())
    }

    /// The colour that floods most cells now; `None` when the board is complete.
    #[must_use]
    pub fn greedy(&self) -> Option<u8> {
        best_colour(self.setup.size, &self.board, self.setup.colours)
    }

    fn deal(&mut self) {
        let colours = self.setup.colours;
        let len = self.setup.size.len();
        let board = (0..len)
            .map(|_| self.boards.random_range(0..colours))
            .collect();
        self.begin(board);
    }

    fn begin(&mut self, board: Vec<u8>) {
        self.limit = self.setup.limit.unwrap_or_else(|| {
            let mut trial = board.clone();
            let mut moves = 3;
            while let Some(c) = best_colour(self.setup.size, &trial, self.setup.colours) {
                flood(self.setup.size, &mut trial, c);
                moves += 1;
            }
            moves
        });
        self.history.clear();
        self.changed_at = None;
        self.shown.clone_from(&board);
        self.board = board;
    }

    fn recolour(&mut self, colour: u8, now: Time) {
        let complete = self.is_complete();
        if complete || self.board.first() == Some(&colour) || colour >= self.setup.colours {
            return;
        }
        self.history.push(self.board.clone());
        flood(self.setup.size, &mut self.board, colour);
        self.changed_at = Some(now);
    }

    /// What is on the screen at `now`: the board, a sweep over it or the rainbow.
    fn show(&mut self, now: Time) {
        self.shown.clone_from(&self.board);
        let Some(since) = self.changed_at.map(|t| now.since(t)) else {
            return;
        };
        let size = self.setup.size;
        let reach = f64::from(size.cols) + f64::from(size.rows);
        let sweep = Duration::from_millis(u64::from(self.style.sweep_ms));
        if since < sweep {
            let front = reach * since.as_secs_f64() / sweep.as_secs_f64();
            if let Some(old) = self.history.last() {
                for (i, cell) in size.cells().enumerate() {
                    if f64::from(cell.col) + f64::from(cell.row) > front {
                        self.shown[i] = old[i];
                    }
                }
            }
        } else if self.is_complete() && since < sweep + WAVE {
            let t = (since - sweep).as_secs_f64() / WAVE.as_secs_f64();
            // The front runs over the board once and a band of all colours follows it.
            let band = f64::from(self.setup.colours) * 2.0;
            let front = t * (reach + band);
            for (i, cell) in size.cells().enumerate() {
                let behind = front - f64::from(cell.col) - f64::from(cell.row);
                if behind >= 0.0 && behind < band {
                    let step = (behind / 2.0) as u8;
                    self.shown[i] = (self.board[i] + step) % self.setup.colours;
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
            return self.board.get(size.index(cell)).copied();
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

    /// A letter for each cell: `a` is the palette's first colour, `b` its second.
    fn truth(&self) -> BoardText {
        text(self.setup.size, &self.board)
    }
}

/// Palette indices as a board of letters from `a`.
#[must_use]
pub fn text(size: GridSize, colours: &[u8]) -> BoardText {
    BoardText::from_cells(
        usize::from(size.cols),
        colours.iter().map(|&c| char::from(b'a' + c.min(25))),
    )
}

/// Recolours the region of the top left cell; gives its size afterwards.
fn flood(size: GridSize, board: &mut [u8], colour: u8) -> usize {
    let Some(&old) = board.first() else { return 0 };
    if old != colour {
        spread(size, board, old, colour);
    }
    // Painting the region with a mark and back counts it.
    let mark = u8::MAX;
    let count = spread(size, board, colour, mark);
    spread(size, board, mark, colour);
    count
}

fn spread(size: GridSize, board: &mut [u8], from: u8, to: u8) -> usize {
    let mut todo = vec![0usize];
    let mut count = 0;
    while let Some(i) = todo.pop() {
        if board[i] != from {
            continue;
        }
        board[i] = to;
        count += 1;
        let cell = size.cell(i);
        if cell.col > 0 {
            todo.push(i - 1);
        }
        if cell.col + 1 < size.cols {
            todo.push(i + 1);
        }
        if cell.row > 0 {
            todo.push(i - usize::from(size.cols));
        }
        if cell.row + 1 < size.rows {
            todo.push(i + usize::from(size.cols));
        }
    }
    count
}

fn best_colour(size: GridSize, board: &[u8], colours: u8) -> Option<u8> {
    let first = *board.first()?;
    if board.iter().all(|&c| c == first) {
        return None;
    }
    (0..colours)
        .filter(|&c| c != first)
        .max_by_key(|&c| (flood(size, &mut board.to_vec(), c), u8::MAX - c))
}

#[cfg(test)]
mod tests;
