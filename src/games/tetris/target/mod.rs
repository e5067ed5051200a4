//! The built-in Tetris: a calibration target that is a game.
//!
//! Takes [`Options`], keys by name, the pointer and times; draws itself and knows the true
//! board. The same options and inputs give the same pictures. Saving and loading touch the one
//! file that it was given; besides, it must never start anything or look at a clock.

mod act;
mod console;
mod files;
mod grid;
pub mod keys;
pub mod paint;
pub mod palette;
mod pilot;
mod screen;
mod text;

use std::path::PathBuf;

pub use files::read as read_saved;
pub use grid::{Edge, Grid, Seen};

use self::console::Console;
use self::paint::{BoardView, Layout, paint_board};
use self::palette::Palette;
use self::pilot::Pilot;
use self::screen::{Figures, Panel};
use super::policies::UnknownPolicy;
use super::rules::{Draw, Game, Happened, Kind, SaveError, Setup};
use crate::types::{BoardText, Picture, Point, Pointer, Rect, Target, Time};

/// A source of pictures for video mode: draws what is to be seen at a time, or says that there is
/// nothing.
pub type Video = Box<dyn FnMut(Time, &mut Picture) -> bool + Send>;

/// How a target begins.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is played.
    pub setup: Setup,
    /// Width and height of its picture in px.
    pub picture: (u32, u32),
    /// Colours.
    pub palette: Palette,
    /// All filled cells in one colour.
    pub monochrome: bool,
    /// Whether the next piece is shown.
    pub next: bool,
    /// Whether the shadow is shown.
    pub shadow: bool,
    /// Whether the hint is shown.
    pub hint: bool,
    /// Whether markers and swatches are shown outside of calibration, too.
    pub sheet: bool,
    /// Whether it begins with the start screen; otherwise with the game.
    pub start_screen: bool,
    /// Name of the AI.
    pub ai: String,
    /// Whether the AI plays.
    pub auto: bool,
    /// Where the game is saved.
    pub save: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            setup: Setup::default(),
            picture: (640, 480),
            palette: Palette::default(),
            monochrome: false,
            next: false,
            shadow: false,
            hint: false,
            sheet: false,
            start_screen: true,
            ai: "dt10".to_owned(),
            auto: false,
            save: PathBuf::from("kibitzer-tetris.txt"),
        }
    }
}

/// A running target.
pub struct TetrisTarget {
    options: Options,
    game: Game,
    pilot: Pilot,
    layout: Layout,
    console: Console,
    figures: Figures,
    started: bool,
    paused: bool,
    help: bool,
    show_console: bool,
    grid: Option<Grid>,
    video: Option<Video>,
    /// The video's picture, kept for the grid.
    frame: Picture,
    seen: Seen,
    message: String,
    /// Room for lines of text, used again and again.
    line: String,
}

impl TetrisTarget {
    /// A target that begins at `now`.
    ///
    /// # Errors
    /// When there is no AI of that name.
    pub fn new(options: Options, now: Time) -> Result<Self, UnknownPolicy> {
        let game = Game::new(options.setup.clone(), now);
        let pilot = Pilot::new(&options.ai)?;
        let (cols, rows) = (game.setup().cols, game.setup().rows);
        let mut target = Self {
            layout: Layout::fit(options.picture.0, options.picture.1, cols, rows),
            started: !options.start_screen,
            options,
            game,
            pilot,
            console: Console::default(),
            figures: Figures::default(),
            paused: false,
            help: false,
            show_console: false,
            grid: None,
            video: None,
            frame: Picture::default(),
            seen: Seen::Nothing,
            message: String::new(),
            line: String::new(),
        };
        target.settle(now);
        Ok(target)
    }

    /// Gives video mode something to look at instead of the board itself.
    pub fn set_video(&mut self, video: Video) {
        self.video = Some(video);
    }

    /// Goes on with a saved game; the start screen is left.
    ///
    /// # Errors
    /// When the text is no saved game; the old one goes on then.
    pub fn load(&mut self, text: &str, now: Time) -> Result<(), SaveError> {
        let game = Game::load(text, now)?;
        self.replace(game, now);
        self.started = true;
        self.settle(now);
        Ok(())
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The game, to prepare a position or force a piece.
    pub const fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// Where everything is drawn.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How it looks now; the setup is the one it began with.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The grid of video mode, and what is in it.
    #[must_use]
    pub fn recognition(&self) -> Option<(Grid, Seen)> {
        self.grid.map(|g| (g, self.seen))
    }

    /// Carries out what is due, step by step, so that the AI acts between steps.
    pub fn run(&mut self, now: Time) {
        if self.follows_video() {
            return;
        }
        while let Some(at) = self.game.next_step_at()
            && at <= now
        {
            let happened = self.game.advance(at);
            self.note(happened, at);
            if self.options.auto {
                let before = self.game.pieces();
                let next = self.next_shown();
                self.pilot.fly(&mut self.game, next, at);
                let landed = self.game.pieces() - before;
                self.note(
                    Happened {
                        landed,
                        ..Happened::default()
                    },
                    at,
                );
            }
        }
    }

    /// In video mode with a video the local game waits for pieces that are seen.
    const fn follows_video(&self) -> bool {
        self.grid.is_some() && self.video.is_some()
    }

    fn next_shown(&self) -> Option<Kind> {
        self.options.next.then(|| self.game.next())
    }

    /// Whether the game is hidden by another screen.
    const fn is_covered(&self) -> bool {
        self.help || !self.started
    }

    /// Time goes on exactly when it should.
    fn settle(&mut self, now: Time) {
        if !self.game.is_calibrating() {
            self.game.hold(self.is_covered() || self.paused, now);
        }
    }

    fn replace(&mut self, game: Game, now: Time) {
        self.game = game;
        self.pilot.forget();
        self.figures.kinds = [0; 7];
        self.paused = false;
        self.refit();
        self.settle(now);
    }

    fn refit(&mut self) {
        let (width, height) = self.options.picture;
        let (cols, rows) = (self.game.setup().cols, self.game.setup().rows);
        self.layout = Layout::fit(width, height, cols, rows);
    }

    fn note(&mut self, happened: Happened, at: Time) {
        use std::fmt::Write as _;
        self.line.clear();
        // Writing to a string cannot fail.
        if happened.landed > 0
            && let Some(l) = self.game.landing()
        {
            let _ = write!(
                self.line,
                "{} landed, turn {} column {} row {}: {} points, {} rows",
                l.pose.kind, l.pose.turn, l.pose.x, l.pose.y, l.points, l.rows
            );
            self.console.note(at, &self.line);
        }
        if happened.spawned > 0
            && let Some(piece) = self.game.piece()
        {
            self.figures.kinds[piece.kind.index()] += 1;
            self.line.clear();
            let _ = write!(self.line, "{} appeared", piece.kind);
            self.console.note(at, &self.line);
        }
        if happened.ended {
            self.console.note(at, "game over");
        }
    }

    /// Where the grid lies at first: over the place where pieces appear.
    fn spawn_area(&self) -> Rect {
        let side = self.layout.cell;
        let left = i32::from(self.game.setup().cols / 2) - 2;
        Rect {
            x: self.layout.board.x + left * side as i32,
            y: self.layout.board.y,
            width: 4 * side,
            height: 2 * side,
        }
    }

    fn paint_board(&mut self, out: &mut Picture) {
        let next = self.next_shown();
        let calibrating = self.game.is_calibrating();
        let system = self.game.system();
        let piece = self.game.piece().map(|p| (p.kind, system.cells(p)));
        let plain = !calibrating && !self.game.is_over();
        let shadow = (self.options.shadow && plain).then(|| self.game.shadow());
        let shadow = shadow.flatten().map(|p| system.cells(p));
        let hint = (self.options.hint && plain).then(|| self.pilot.plan(&self.game, next));
        let view = BoardView {
            cols: self.game.board().cols(),
            rows: self.game.board().rows(),
            pile: if calibrating {
                &[]
            } else {
                self.game.board().cells()
            },
            piece,
            shadow,
            hint: hint.flatten().and_then(|p| p.cells(self.game.board())),
            next: self.options.next.then_some(next),
            palette: self.options.palette,
            monochrome: self.options.monochrome,
            markers: calibrating || self.options.sheet,
            swatches: calibrating || self.options.sheet,
        };
        paint_board(&view, &self.layout, out);
    }

    fn paint_panels(&mut self, out: &mut Picture) {
        let modes: [(bool, &str); 8] = [
            (self.options.auto, "AI plays"),
            (self.options.next, "next"),
            (self.options.shadow, "shadow"),
            (self.options.hint, "hint"),
            (self.options.monochrome, "mono"),
            (self.options.palette != Palette::Standard, "colour-blind"),
            (self.game.draw() == Draw::AlternatingSz, "S/Z only"),
            (self.grid.is_some(), self.seen.word()),
        ];
        let mut on = [""; 8];
        let mut count = 0;
        for (_, word) in modes.iter().filter(|(is_on, _)| *is_on) {
            on[count] = word;
            count += 1;
        }
        let state = if self.game.is_over() {
            "GAME OVER Return: again"
        } else if self.game.is_calibrating() {
            "CALIBRATION"
        } else if self.paused {
            "PAUSED"
        } else {
            ""
        };
        let panel = Panel {
            game: &self.game,
            ai: self.pilot.name(),
            modes: &on[..count],
            message: &self.message,
            state,
        };
        screen::panels(out, &self.layout, &panel, &mut self.line);
    }

    /// Looks at the grid, and in a video follows what it shows.
    fn recognise(&mut self, now: Time, out: &mut Picture) {
        let Some(grid) = self.grid else { return };
        let before = self.seen;
        if let Some(video) = &mut self.video {
            if video(now, &mut self.frame) {
                stretch(&self.frame, out);
            }
            self.seen = grid.look(out);
            if let Seen::Piece(kind) = self.seen
                && before != self.seen
            {
                self.follow(kind, now);
            }
        } else {
            self.seen = grid.look(out);
        }
        if before != self.seen {
            self.console.note(now, self.seen.word());
        }
        grid.paint(out);
    }
}

/// A picture in the size of another, nearest pixels.
fn stretch(from: &Picture, out: &mut Picture) {
    let (width, height) = (out.width(), out.height());
    if from.width() == 0 || from.height() == 0 {
        return;
    }
    let at = |i: u32, of: u32, size: u32| (u64::from(i) * u64::from(size) / u64::from(of)) as u32;
    for y in 0..height {
        let row = from.row(at(y, height, from.height()));
        let to = &mut out.pixels_mut()[y as usize * width as usize..][..width as usize];
        for (x, pixel) in (0..).zip(to) {
            *pixel = row[at(x, width, from.width()) as usize];
        }
    }
}

impl Target for TetrisTarget {
    fn render(&mut self, now: Time, out: &mut Picture) {
        self.run(now);
        self.figures.frames += 1;
        out.reshape(self.options.picture.0, self.options.picture.1);
        if self.help {
            screen::help(out);
        } else if !self.started {
            let panel = Panel {
                game: &self.game,
                ai: self.pilot.name(),
                modes: &[],
                message: &self.message,
                state: "",
            };
            screen::start(out, &panel, &mut self.line);
        } else {
            self.paint_board(out);
            self.recognise(now, out);
            if self.follows_video() {
                let (colours, seen) = (self.options.palette, self.seen.word());
                screen::inset(out, &self.game, colours, seen, &mut self.line);
            } else {
                self.paint_panels(out);
            }
        }
        if self.show_console {
            screen::console(out, &self.console, &self.game, self.figures, &mut self.line);
        }
    }

    /// Clicking does nothing but to draw the grid of video mode.
    fn click(&mut self, px: Point, now: Time) {
        self.pointer(Pointer::Press, px, now);
        self.pointer(Pointer::Release, px, now);
    }

    fn key(&mut self, name: &str, now: Time) {
        self.press(name, now);
    }

    fn pointer(&mut self, what: Pointer, px: Point, _now: Time) {
        if let Some(grid) = &mut self.grid {
            match what {
                Pointer::Press => grid.press(px),
                Pointer::Move => grid.drag(px),
                Pointer::Release => grid.release(px),
                Pointer::Leave => {}
            }
        }
    }

    fn resize(&mut self, width: u32, height: u32) {
        self.options.picture = (width, height);
        self.refit();
    }

    fn title(&self) -> &str {
        "Kibitzer Tetris"
    }

    /// Moving, turning, speed and sizes.
    fn repeats(&self, name: &str) -> bool {
        use keys::Command as C;
        matches!(
            keys::command(name),
            Some(
                C::Left
                    | C::Right
                    | C::Rotate
                    | C::Faster
                    | C::Slower
                    | C::Wider
                    | C::Narrower
                    | C::Higher
                    | C::Lower
            )
        ) || self.grid.is_some()
    }

    /// A letter for each cell, the falling piece included: `.` is empty, `#` junk.
    fn truth(&self) -> BoardText {
        self.game.text()
    }
}

#[cfg(test)]
mod tests;
