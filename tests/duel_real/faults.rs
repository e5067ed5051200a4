//! What befalls a player of a real program of two sides: each is made on purpose, told in the
//! journal, and survived; the game's result is still what the program says.

use std::process::Command;
use std::time::Duration;

use kibitzer::cli::bench::stage::{BoardProgram, BovoTheme, Child, Told};
use kibitzer::types::{Cell, Rect};

use super::screen;
use crate::faults::run::Run;
use crate::faults::table::until;
use crate::support::Desktop;

/// A program that is played.
struct Seat {
    // Dropped in this order.
    run: Run,
    _game: Child,
    window: u32,
    program: BoardProgram,
    desktop: Desktop,
    _folder: tempfile::TempDir,
}

impl Seat {
    /// Has a program played from a cold start; `None`, said aloud, where something is missing.
    fn take(program: BoardProgram, more: &[&str]) -> Option<Self> {
        let desktop = screen(program)?;
        let (game, window) = desktop.board_game(program).expect("started");
        let folder = tempfile::tempdir().expect("a folder");
        let name = program.name();
        let profile = format!("{}/calibration/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let kibitzer = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
        let args = [&[&*profile], more].concat();
        let run = Run::start_usual(kibitzer, desktop.display(), folder.path(), &args);
        Some(Self {
            run,
            _game: game,
            window,
            program,
            desktop,
            _folder: folder,
        })
    }

    /// Waits until the opponent is to move.
    fn opponent_thinks(&self) {
        until("the opponent to think", || {
            let title = self.desktop.title(self.window).expect("there");
            title.contains("Thinking")
        });
    }

    /// A person makes a move.
    fn click(&self, cell: Cell) {
        let client = self.desktop.client(self.window).expect("there");
        let (x, y) = self.program.cell_px(cell);
        self.desktop
            .click(client.x + x, client.y + y)
            .expect("clicked");
        // A person takes the hand away, too.
        self.desktop.point(1270, 400).expect("moved");
    }

    fn picture(&self) -> kibitzer::types::Picture {
        let client = self.desktop.client(self.window).expect("there");
        self.desktop.picture(client).expect("on the screen")
    }

    /// How many pieces lie on the board, in a window of the size it opened with.
    fn pieces(&self) -> usize {
        let occupied = self.program.occupied(&self.picture());
        occupied.into_iter().filter(|o| *o).count()
    }

    /// Waits for the end of the game, whose result must be what the program says.
    fn ends(&mut self) -> Told {
        let ended = self.run.end();
        let causes = self.run.causes();
        assert_eq!(ended.status, 0, "{} {} {causes:?}", ended.why, ended.stderr);
        let told = self
            .desktop
            .wait("the program's word", |d| {
                d.told(self.program, self.window, &self.picture())
            })
            .unwrap_or_else(|e| panic!("{}: {e}; {:?}", self.program, ended.games));
        let result = match told {
            Told::Won => "won",
            Told::Lost => "lost",
            Told::Draw => "draw",
        };
        assert_eq!(
            ended.games[0]["result"], result,
            "{:?} {causes:?}",
            ended.games
        );
        told
    }
}

const XVIER: BoardProgram = BoardProgram::Xvier {
    level: 3,
    size: (7, 6),
};

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn a_window_moved_and_resized_while_the_opponent_thinks() {
    let Some(mut seat) = Seat::take(BoardProgram::FourInARow { level: 2 }, &[]) else {
        return;
    };
    let _cores = crate::support::cores();
    seat.run.after_moves(2);
    seat.opponent_thinks();
    seat.desktop.place(seat.window, 40, 30).expect("moved");
    seat.run.goes_on();
    seat.opponent_thinks();
    // In a narrower window than it opens with its title would no longer tell the result.
    seat.desktop.resize(seat.window, 820, 700).expect("resized");
    assert_eq!(seat.ends(), Told::Won);
    for cause in ["window-moved", "window-resized"] {
        assert_eq!(seat.run.count(cause), 1, "{cause}: {:?}", seat.run.causes());
    }
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn a_popup_over_the_board() {
    let Some(mut seat) = Seat::take(XVIER, &["--pace", "40"]) else {
        return;
    };
    let _cores = crate::support::cores();
    seat.run.after_moves(2);
    let client = seat.desktop.client(seat.window).expect("there");
    let area = Rect {
        x: client.x + 60,
        y: client.y + 40,
        width: 180,
        height: 120,
    };
    let popup = seat.desktop.cover(area, 0x80_8080).expect("covered");
    seat.run.tells("covered", 1);
    let acts = seat.run.acts();
    std::thread::sleep(Duration::from_secs(4));
    assert!(seat.run.acts() <= acts + 1, "nothing is done under it");
    seat.desktop.uncover(popup).expect("uncovered");
    assert_eq!(seat.ends(), Told::Won);
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn a_persons_move_in_place_of_ours() {
    let Some(mut seat) = Seat::take(XVIER, &["--pace", "30"]) else {
        return;
    };
    let _cores = crate::support::cores();
    seat.run.after_moves(2);
    // Ours and its reply; then it is our turn, and we wait for it.
    until("the program's reply", || seat.pieces() >= 4);
    seat.click(Cell::new(0, 0));
    until("a move and its reply", || seat.pieces() >= 6);
    seat.run.tells("user-moved", 1);
    seat.ends();
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn a_persons_undo() {
    let Some(mut seat) = Seat::take(XVIER, &["--pace", "40"]) else {
        return;
    };
    let _cores = crate::support::cores();
    seat.run.after_moves(3);
    until("the program's reply", || seat.pieces() >= 6);
    let pieces = seat.pieces();
    // Both its move and ours before it.
    for _ in 0..2 {
        seat.desktop.key('u').expect("pressed");
        std::thread::sleep(Duration::from_millis(200));
    }
    until("it to be taken back", || seat.pieces() < pieces);
    assert_eq!(seat.ends(), Told::Won);
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn another_look_in_the_middle_of_a_game() {
    let program = BoardProgram::Bovo {
        theme: BovoTheme::Scribble,
        level: 1,
    };
    let Some(mut seat) = Seat::take(program, &["--pace", "30"]) else {
        return;
    };
    let _cores = crate::support::cores();
    seat.run.after_moves(3);
    // Settings, Theme, the first of them.
    for keys in ["alt+s", "t", "Return"] {
        seat.desktop.chord(keys).expect("pressed");
        std::thread::sleep(Duration::from_millis(300));
    }
    until("the brown board", || seat.picture().at(10, 80) == 0xa5_2a2a);
    assert_eq!(seat.ends(), Told::Won);
}

#[test]
#[ignore = "minutes on real programs: make prove-duel-real"]
fn a_program_that_is_closed() {
    let Some(mut seat) = Seat::take(XVIER, &["--pace", "60"]) else {
        return;
    };
    seat.run.after_moves(2);
    seat.desktop.close(seat.window).expect("asked");
    let ended = seat.run.aborts("window closed");
    assert_eq!(ended.games.len(), 1);
    assert_eq!(seat.run.count("source-gone"), 1);
    assert_eq!(
        seat.run.causes().last().map(String::as_str),
        Some("source-gone")
    );
}
