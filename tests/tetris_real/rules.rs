//! The tables of how pieces appear and turn, held against the programs they are of.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use kibitzer::calibrate;
use kibitzer::classify::Reader;
use kibitzer::cli::bench::stage::TetrisProgram;
use kibitzer::games::tetris::rules::{Board, Kind, Pose, System};
use kibitzer::games::tetris::vision;
use kibitzer::types::{Calibration, Label, Point, Reading};

use super::screen;
use crate::support::Desktop;

const RETURN: u32 = 0xff0d;
const LEFT: u32 = 0xff51;
const UP: u32 = 0xff52;
const RIGHT: u32 = 0xff53;
const SPACE: u32 = 0x20;

type Cells = BTreeSet<(i16, i16)>;

struct Table<'a> {
    desktop: &'a Desktop,
    window: u32,
    board: Option<(Calibration, Reader)>,
    system: System,
}

impl Table<'_> {
    fn press(&self, key: u32) {
        let hold = Duration::from_millis(15);
        self.desktop.press(key, hold).expect("pressed");
    }

    fn find(&mut self) -> Option<Calibration> {
        let area = self.desktop.client(self.window).expect("there");
        let picture = self.desktop.picture(area).expect("seen");
        let found = calibrate::find(
            &picture,
            &vision::played(kibitzer::types::GridSize::new(10, 20)),
        );
        let best = found.into_iter().next()?;
        if best.quality < Calibration::MIN_QUALITY {
            return None;
        }
        let reader = Reader::new(&best).expect("it can be read");
        self.board = Some((best.clone(), reader));
        Some(best)
    }

    /// The filled cells, from the bottom; `None` while some cannot be told.
    fn look(&mut self) -> Option<Cells> {
        if self.board.is_none() {
            self.find();
        }
        let (_, reader) = self.board.as_ref()?;
        let area = self.desktop.client(self.window).expect("there");
        let picture = self.desktop.picture(area).expect("seen");
        let mut reading = Reading::default();
        reader.read(&picture, &mut reading).expect("of this size");
        let mut cells = Cells::new();
        for (i, cell) in reading.cells.iter().enumerate() {
            let (x, y) = ((i % 10) as i16, 19 - (i / 10) as i16);
            match cell.label {
                Label::Class(0) => {}
                Label::Class(_) => {
                    cells.insert((x, y));
                }
                Label::Unknown => return None,
            }
        }
        Some(cells)
    }

    /// What is seen twice in a row and passes.
    fn wait(&mut self, what: &str, mut good: impl FnMut(&Cells) -> bool) -> Cells {
        let until = Instant::now() + Duration::from_secs(10);
        let mut last = None;
        let mut blind = 0;
        while Instant::now() < until {
            let now = self.look();
            blind = if now.is_none() { blind + 1 } else { 0 };
            if blind > 30 {
                // What was found on another page may have been no board.
                self.board = None;
                blind = 0;
            }
            if now.is_some() && now == last {
                let cells = now.clone().expect("some");
                if good(&cells) {
                    return cells;
                }
            }
            last = now;
            std::thread::sleep(Duration::from_millis(8));
        }
        panic!("{what} did not come; seen last: {last:?}");
    }
}

/// Plays some pieces: each must appear where the table says, and do at each press of the rotate
/// key what the table says. How many presses turned a piece.
fn prove(program: TetrisProgram, pieces: usize) -> usize {
    let Some(desktop) = screen(program) else {
        return usize::MAX;
    };
    let (_program, window) = desktop.tetris(program).expect("it starts");
    let mut table = Table {
        desktop: &desktop,
        window,
        board: None,
        system: System::by_name(program.name()).expect("known"),
    };
    match program {
        TetrisProgram::Quadrapassel(_) => {
            let until = Instant::now() + Duration::from_secs(10);
            let found = loop {
                match table.find() {
                    Some(found) => break found,
                    None => assert!(Instant::now() < until, "no board on the title page"),
                }
            };
            let button = found.px_from_cell.map(Point::new(15.85, 17.48));
            let at = desktop.client(window).expect("there");
            desktop
                .click(at.x + button.x as i32, at.y + button.y as i32)
                .expect("clicked");
        }
        TetrisProgram::Vitetris => {
            for _ in 0..3 {
                table.press(RETURN);
                std::thread::sleep(Duration::from_millis(400));
            }
        }
    }
    let mut pile = Cells::new();
    let mut turned = 0;
    for n in 0..pieces {
        let spawns: Vec<Pose> = Kind::ALL
            .into_iter()
            .flat_map(|k| table.system.spawns(k, 10, 20).collect::<Vec<_>>())
            .collect();
        let mut poses = Vec::new();
        let mut shown = Cells::new();
        let system = table.system.clone();
        // What appears must be one of the table's pieces at the top.
        shown.clone_from(&table.wait("a piece of the table", |cells| {
            let piece: Cells = cells.difference(&pile).copied().collect();
            poses = spawns
                .iter()
                .flat_map(|p| (0..3).map(|n| p.moved(0, -n)))
                .filter(|&p| system.cells(p).into_iter().collect::<Cells>() == piece)
                .collect();
            !poses.is_empty()
        }));
        let ground = ground(&pile);
        for _ in 0..4 {
            let after: Vec<Pose> = poses
                .iter()
                .map(|&p| ground.turned(&system, p).unwrap_or(p))
                .collect();
            table.press(UP);
            std::thread::sleep(Duration::from_millis(60));
            let mut matching = Vec::new();
            // A fall step may come between the look and the key: then it is one row later.
            let both: Vec<Pose> = after
                .iter()
                .copied()
                .chain(poses.iter().filter_map(|p| {
                    let below = p.moved(0, -1);
                    ground.turned(&system, below)
                }))
                .collect();
            let seen = table.wait("the turned piece of the table", |cells| {
                let piece: Cells = cells.difference(&pile).copied().collect();
                matching = both
                    .iter()
                    .flat_map(|p| (0..6).map(|n| p.moved(0, -n)))
                    .filter(|&p| {
                        let cells = system.cells(p);
                        { cells }
                            .into_iter()
                            .filter(|c| c.1 < 20)
                            .collect::<Cells>()
                            == piece
                    })
                    .collect();
                !matching.is_empty()
            });
            turned += usize::from(seen != shown);
            shown = seen;
            matching.dedup();
            poses = matching;
        }
        // To the left and to the right in turn, so that the middle stays free.
        let key = if n % 2 == 0 { LEFT } else { RIGHT };
        for _ in 0..(2 + n % 3) {
            table.press(key);
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(120));
        let aside = table.wait("the piece at rest", |_| true);
        let piece: Cells = aside.difference(&pile).copied().collect();
        table.press(SPACE);
        pile = landed(&pile, &piece);
    }
    turned
}

fn ground(pile: &Cells) -> Board {
    let mut board = Board::empty(10, 20);
    for &(x, y) in pile {
        board.set(x, y, 8);
    }
    board
}

/// The pile with a piece dropped on it; the few pieces of a test complete no row.
fn landed(pile: &Cells, piece: &Cells) -> Cells {
    let lowered = |n: i16| piece.iter().map(|&(x, y)| (x, y - n)).collect::<Cells>();
    let fits = |n: &i16| {
        let there = lowered(*n);
        there.iter().all(|c| c.1 >= 0) && there.is_disjoint(pile)
    };
    let down = (0..20).take_while(fits).last().unwrap_or(0);
    pile.union(&lowered(down)).copied().collect()
}

#[test]
fn quadrapassels_pieces_appear_and_turn_by_its_table() {
    assert!(prove(TetrisProgram::Quadrapassel(1), 8) >= 6);
}

#[test]
fn vitetris_pieces_appear_and_turn_by_its_table() {
    assert!(prove(TetrisProgram::Vitetris, 8) >= 6);
}
