//! Each program from a cold start to its first position, and after some moves to the next game, by
//! nothing but the steps of its profile.

use std::time::Duration;

use kibitzer::cli::bench::stage::{BoardProgram, BovoTheme};
use kibitzer::config::profile::Profile;
use kibitzer::pipeline::script::Part;
use kibitzer::types::Cell;

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
    fn click(&self, cell: Cell) {
        let client = self.desktop.client(self.window).expect("there");
        let (x, y) = self.program.cell_px(cell);
        self.desktop
            .click(client.x + x, client.y + y)
            .expect("clicked");
    }

    fn is_empty(&self, cell: Cell) -> bool {
        let client = self.desktop.client(self.window).expect("there");
        let picture = self.desktop.picture(client).expect("on the screen");
        self.program.is_empty_cell(&picture, cell)
    }

    /// A person's move: what is clicked while the program thinks is lost, and clicked again.
    fn moves(&self, cell: Cell) {
        for _ in 0..5 {
            self.click(cell);
            for _ in 0..30 {
                std::thread::sleep(Duration::from_millis(50));
                if !self.is_empty(cell) {
                    return;
                }
            }
        }
        panic!("{}: no move at {cell:?}", self.program);
    }

    /// Waits until nothing lies in a cell.
    fn clears(&self, cell: Cell) {
        self.desktop
            .wait(&format!("cell {cell:?} to be empty"), |_| {
                Ok(self.is_empty(cell).then_some(()))
            })
            .unwrap_or_else(|e| panic!("{}: {e}", self.program));
    }
}

/// Start, two moves in one place, the next game: there the place is empty again. In Connect-4 that
/// is the upper of two discs, since the program may begin with the lower one.
fn there_and_back(program: BoardProgram, moves: [Cell; 2], probe: Cell) {
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
    shown.clears(probe);
    for cell in moves {
        shown.moves(cell);
    }
    assert!(!shown.is_empty(probe), "{program}");
    walker.walk(Part::Again);
    shown.clears(probe);
}

/// Two moves in the leftmost column.
fn columns(program: BoardProgram) {
    there_and_back(
        program,
        [5, 4].map(|row| Cell::new(0, row)),
        Cell::new(0, 4),
    );
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn xvier() {
    columns(BoardProgram::Xvier {
        level: 1,
        size: (7, 6),
    });
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn four_in_a_row() {
    columns(BoardProgram::FourInARow { level: 1 });
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn kfourinline() {
    columns(BoardProgram::Kfourinline);
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn explosive_c4() {
    columns(BoardProgram::ExplosiveC4);
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn bovo_in_all_its_looks() {
    for theme in BovoTheme::ALL {
        let program = BoardProgram::Bovo { theme, level: 0 };
        there_and_back(
            program,
            [1, 3].map(|col| Cell::new(col, 20)),
            Cell::new(1, 20),
        );
    }
}

/// Its end is told in a window of its own, over the board.
#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
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
    for (col, row) in spread {
        let cell = Cell::new(col, row);
        if shown.is_empty(cell) {
            shown.click(cell);
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
    for cell in program.size().cells() {
        shown.clears(cell);
    }
}

/// Settings are a dialog, too: its parts are named by their places in it.
#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
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
            Ok((0..7)
                .any(|c| !shown.is_empty(Cell::new(c, 5)))
                .then_some(()))
        })
        .expect("it moves");
}
