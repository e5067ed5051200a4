//! What the keys of the target do.

use super::grid::{Edge, Grid, Seen};
use super::keys::{self, Command};
use super::palette::Palette;
use super::{TetrisTarget, files};
use crate::games::tetris::rules::{Draw, Game, Key, Kind, Setup};
use crate::types::Time;

impl TetrisTarget {
    /// A key goes down.
    pub(super) fn press(&mut self, name: &str, now: Time) {
        let Some(command) = keys::command(name) else {
            // Shift and an arrow have no other meaning.
            self.nudge(name);
            return;
        };
        self.run(now);
        self.console.note(now, name);
        match command {
            Command::Close => self.close(now),
            Command::Help => {
                self.help = !self.help;
                self.settle(now);
            }
            // Under the help nothing acts that cannot be seen.
            _ if self.help => {}
            _ if !self.started => self.before_start(command, now),
            // While there is a grid the arrows are for it.
            _ if self.nudge(name) => {}
            _ => self.in_game(command, now),
        }
    }

    fn before_start(&mut self, command: Command, now: Time) {
        match command {
            Command::Start | Command::NewGame | Command::Drop => {
                self.started = true;
                self.begin(self.game.setup().clone(), now);
            }
            Command::Digit(digit) => {
                let level = if digit == 0 { 10 } else { digit };
                let setup = Setup {
                    level,
                    ..self.game.setup().clone()
                };
                self.begin(setup, now);
            }
            Command::Calibrate => {
                self.started = true;
                self.begin(self.game.setup().clone(), now);
                self.common(command, now);
            }
            other => self.common(other, now),
        }
    }

    fn in_game(&mut self, command: Command, now: Time) {
        let key = match command {
            Command::Left => Key::Left,
            Command::Right => Key::Right,
            Command::Rotate => Key::Rotate,
            Command::Drop => Key::Drop,
            Command::Start if self.game.is_over() => return self.another(now),
            Command::Start => return,
            Command::NewGame => return self.another(now),
            Command::Digit(digit) => return self.game.show(Kind::from_number(digit)),
            other => return self.common(other, now),
        };
        let happened = self.game.press(key, now);
        self.note(happened, now);
    }

    /// What works before the start, too.
    fn common(&mut self, command: Command, now: Time) {
        let options = &mut self.options;
        match command {
            Command::Monochrome => options.monochrome = !options.monochrome,
            Command::Palette => {
                let at = Palette::ALL.iter().position(|p| *p == options.palette);
                let next = at.map_or(0, |i| (i + 1) % Palette::ALL.len());
                options.palette = Palette::ALL[next];
            }
            Command::Shadow => options.shadow = !options.shadow,
            Command::Hint => options.hint = !options.hint,
            Command::Next => options.next = !options.next,
            Command::Auto => options.auto = !options.auto,
            Command::Sheet => options.sheet = !options.sheet,
            Command::NextAi => self.pilot.change(),
            Command::Faster => self.bias(1, now),
            Command::Slower => self.bias(-1, now),
            Command::Wider => self.size(1, 0, now),
            Command::Narrower => self.size(-1, 0, now),
            Command::Higher => self.size(0, 1, now),
            Command::Lower => self.size(0, -1, now),
            Command::SzOnly => {
                let other = match self.game.draw() {
                    Draw::Uniform => Draw::AlternatingSz,
                    Draw::AlternatingSz => Draw::Uniform,
                };
                self.game.set_draw(other);
            }
            Command::Junk => self.junk(now),
            Command::Pause => {
                self.paused = !self.paused;
                self.settle(now);
            }
            Command::Calibrate => {
                let on = !self.game.is_calibrating();
                self.game.calibrate(on, now);
                self.settle(now);
            }
            Command::Grid => self.video(),
            Command::Console => self.show_console = !self.show_console,
            Command::Save => self.write(now),
            Command::Load => self.read(now),
            _ => {}
        }
    }

    /// Closes what lies over the board, the topmost first.
    fn close(&mut self, now: Time) {
        if self.help {
            self.help = false;
        } else if self.show_console {
            self.show_console = false;
        } else if self.grid.is_some() {
            self.grid = None;
            self.seen = Seen::Nothing;
        } else if self.game.is_calibrating() {
            self.game.calibrate(false, now);
        } else {
            self.paused = false;
        }
        self.settle(now);
    }

    fn begin(&mut self, setup: Setup, now: Time) {
        let draw = self.game.draw();
        let game = Game::new(Setup { draw, ..setup }, now);
        self.message.clear();
        self.replace(game, now);
    }

    /// A new game of the same size, with other pieces.
    fn another(&mut self, now: Time) {
        let setup = self.game.setup().clone();
        let seed = setup.seed.wrapping_add(1);
        self.begin(Setup { seed, ..setup }, now);
    }

    fn size(&mut self, cols: i16, rows: i16, now: Time) {
        let setup = self.game.setup();
        let setup = Setup {
            cols: setup.cols.saturating_add_signed(cols),
            rows: setup.rows.saturating_add_signed(rows),
            ..setup.clone()
        };
        // Brought into what boards may be.
        self.begin(setup, now);
        let (cols, rows) = (self.game.setup().cols, self.game.setup().rows);
        self.message = format!("{cols}x{rows}");
    }

    fn bias(&mut self, by: i8, now: Time) {
        let bias = self.game.setup().bias.saturating_add(by);
        self.game.set_bias(bias, now);
    }

    /// A row with a hole that goes on from junk row to junk row, the same in every run.
    fn junk(&mut self, now: Time) {
        let cols = u64::from(self.game.setup().cols);
        let pushed = self.game.junk() / (cols - 1).max(1);
        let mixed = (self.game.setup().seed ^ pushed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hole = ((mixed >> 32) % cols) as u16;
        let happened = self.game.push_junk(hole, now);
        self.note(happened, now);
    }

    fn video(&mut self) {
        self.seen = Seen::Nothing;
        self.grid = match self.grid {
            None => Some(Grid::over(self.spawn_area())),
            Some(_) => None,
        };
    }

    /// Arrows move the left and the upper edge of the grid, with Shift the right and the lower
    /// one. Whether this was such a key and there is a grid.
    fn nudge(&mut self, name: &str) -> bool {
        let pressed = keys::parse(name);
        let Some(grid) = &mut self.grid else {
            return false;
        };
        let (across, along) = if pressed.shift {
            (Edge::Right, Edge::Bottom)
        } else {
            (Edge::Left, Edge::Top)
        };
        let (edge, by) = match pressed.key.to_ascii_lowercase().as_str() {
            _ if pressed.ctrl => return false,
            "left" => (across, -1),
            "right" => (across, 1),
            "up" => (along, -1),
            "down" => (along, 1),
            _ => return false,
        };
        grid.nudge(edge, by);
        true
    }

    /// A new piece was seen in the video: it appears in the local game, whose last piece has
    /// surely landed by now.
    pub(super) fn follow(&mut self, kind: Kind, now: Time) {
        if self.game.piece().is_some() {
            let happened = self.game.press(Key::Drop, now);
            self.note(happened, now);
        }
        self.game.set_next(kind);
        let Some(at) = self.game.next_step_at() else {
            return;
        };
        let happened = self.game.advance(at);
        self.note(happened, now);
        if let Some(at) = self.game.next_step_at()
            && self.options.auto
        {
            // It can turn only after a fall step.
            self.game.advance(at);
            let next = self.next_shown();
            self.pilot.fly(&mut self.game, next, at);
        }
    }

    fn write(&mut self, now: Time) {
        let path = &self.options.save;
        self.message = match files::write(path, &self.game.save(now)) {
            Ok(()) => format!("saved {}", path.display()),
            Err(error) => format!("{}: {error}", path.display()),
        };
        self.console.note(now, &self.message);
    }

    fn read(&mut self, now: Time) {
        let path = self.options.save.clone();
        let loaded = files::read(&path)
            .map_err(|e| e.to_string())
            .and_then(|text| self.load(&text, now).map_err(|e| e.to_string()));
        self.message = match loaded {
            Ok(()) => format!("loaded {}", path.display()),
            Err(error) => format!("{}: {error}", path.display()),
        };
        self.console.note(now, &self.message);
    }
}
