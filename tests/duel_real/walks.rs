//! Each program from a cold start to its first position, and after some moves to the next game, by
//! nothing but the steps of its profile.

use std::time::Duration;

use kibitzer::cli::bench::stage::{BoardProgram, BovoTheme};
use kibitzer::config::profile::Profile;
use kibitzer::pipeline::script::Part;

use super::places::{cell, is_empty};
use super::screen;
use super::walk::Walker;
use crate::support::Desktop;

/// A program's window with its board.
struct Shown<'a> {
    desktop: &'a Desktop,
    program: BoardProgram,
    window: u32,
}

impl Shown<'_> {
    /// A person clicks a cell.
    fn click(&self, at: (u16, u16)) {
        let client = self.desktop.client(self.window).expect("there");
        let (x, y) = cell(self.program, at);
        self.desktop
            .click(client.x + x, client.y + y)
            .expect("clicked");
    }

    fn is_empty(&self, at: (u16, u16)) -> bool {
        let client = self.desktop.client(self.window).expect("there");
        let picture = self.desktop.picture(client).expect("on the screen");
        is_empty(self.program, &picture, at)
    }

    /// Waits until something lies in a cell, or nothing does.
    fn until(&self, at: (u16, u16), empty: bool) {
        self.desktop
            .wait(&format!("cell {at:?} empty: {empty}"), |_| {
                Ok((self.is_empty(at) == empty).then_some(()))
            })
            .unwrap_or_else(|e| panic!("{}: {e}", self.program));
    }
}

/// Start, two moves in one place, the next game: there the place is empty again. In Connect-4 that
/// is the upper of two discs, since the program may begin with the lower one.
fn there_and_back(program: BoardProgram, moves: [(u16, u16); 2], probe: (u16, u16)) {
    let Some(desktop) = screen(program) else {
        return;
    };
    let _cores = crate::support::cores();
    let (_game, window) = desktop.board_game(program).expect("started");
    let mut walker = Walker::new(&desktop, program.name());
    let shown = Shown {
        desktop: &desktop,
        program,
        window,
    };
    walker.walk(Part::Start);
    shown.until(probe, true);
    desktop.settled(window).expect("at rest");
    for at in moves {
        shown.click(at);
        shown.until(at, false);
        // The program's reply.
        std::thread::sleep(Duration::from_millis(300));
        desktop.settled(window).expect("at rest");
    }
    shown.until(probe, false);
    walker.walk(Part::Again);
    shown.until(probe, true);
}

/// Two moves in the leftmost column.
fn columns(program: BoardProgram) {
    there_and_back(program, [(0, 5), (0, 4)], (0, 4));
}

#[test]
fn xvier() {
    columns(BoardProgram::Xvier {
        level: 1,
        size: (7, 6),
    });
}

#[test]
fn four_in_a_row() {
    columns(BoardProgram::FourInARow { level: 1 });
}

#[test]
fn kfourinline() {
    columns(BoardProgram::Kfourinline);
}

#[test]
fn explosive_c4() {
    columns(BoardProgram::ExplosiveC4);
}

#[test]
fn bovo_in_all_its_looks() {
    for theme in BovoTheme::ALL {
        let program = BoardProgram::Bovo { theme, level: 0 };
        there_and_back(program, [(1, 20), (3, 20)], (1, 20));
    }
}

/// Its end is told in a window of its own, over the board.
#[test]
fn gomoku_app_and_its_last_word() {
    let program = BoardProgram::GomokuApp { level: 5 };
    let Some(desktop) = screen(program) else {
        return;
    };
    let (_game, window) = desktop.board_game(program).expect("started");
    let mut walker = Walker::new(&desktop, program.name());
    let shown = Shown {
        desktop: &desktop,
        program,
        window,
    };
    walker.walk(Part::Start);
    let windows = desktop.windows().expect("a list").len();
    // Moves far apart lose soon.
    let spread = (0..8).flat_map(|i| [(i * 3 % 8, 0), (i * 5 % 8, 7)]);
    for at in spread {
        if shown.is_empty(at) {
            shown.click(at);
            std::thread::sleep(Duration::from_millis(400));
        }
        if desktop.windows().expect("a list").len() > windows {
            break;
        }
    }
    walker.answer(0, None);
    let words = walker.made.last().map(String::as_str);
    assert_eq!(
        words,
        Some("dialog game over 1: key Return in \"= \" (class GNUstep)")
    );
    desktop
        .wait("the last word to go", |d| {
            Ok((d.windows()?.len() == windows).then_some(()))
        })
        .expect("gone");
    walker.walk(Part::Again);
    for row in 0..8 {
        for col in 0..8 {
            shown.until((col, row), true);
        }
    }
}

/// Settings are a dialog, too: its parts are named by their places in it.
#[test]
fn kfourinline_by_its_settings() {
    let program = BoardProgram::Kfourinline;
    let Some(desktop) = screen(program) else {
        return;
    };
    let _cores = crate::support::cores();
    let (_game, window) = desktop.board_game(program).expect("started");
    let text = r#"
version = 1
[source]
class = "kfourinline"
[game]
name = "connect4"
[start]
steps = [
  { key = "ctrl+shift+comma" },
  # Red plays with: the computer.
  { click = "50%,53.8%", window = "Configure" },
  # The hardest level.
  { click = "85%,68.2%", window = "Configure" },
  { key = "End", window = "Configure" },
  { key = "Return", window = "Configure" },
  { key = "ctrl+n" },
]
"#;
    let profile = Profile::parse("p", "p.toml", text).expect("good");
    let mut walker = Walker::with(&desktop, profile);
    walker.walk(Part::Start);
    let shown = Shown {
        desktop: &desktop,
        program,
        window,
    };
    // Red opens, and does it without a person.
    desktop
        .wait("a move of the computer", |_| {
            Ok((0..7).any(|c| !shown.is_empty((c, 5))).then_some(()))
        })
        .expect("it moves");
}
