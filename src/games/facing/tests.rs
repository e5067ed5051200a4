//! Seats, turns, undo and levels, on the smallest game there is: three in a row on one line.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::*;
use crate::games::duel::{Ending, Side};
use crate::types::{Budget, Cell, GridSize, Point, Time};

/// Cells from the left; three in a row win.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Strip(Vec<Option<Side>>);

impl Strip {
    fn of(cells: usize) -> Self {
        Self(vec![None; cells])
    }

    fn text(&self) -> String {
        let sign = |s: &Option<Side>| match s {
            Some(Side::First) => 'X',
            Some(Side::Second) => 'O',
            None => '.',
        };
        self.0.iter().map(sign).collect()
    }
}

impl Contest for Strip {
    type Move = u16;

    fn size(&self) -> GridSize {
        GridSize::new(self.0.len() as u16, 1)
    }

    fn at(&self, cell: Cell) -> Option<Side> {
        self.0.get(usize::from(cell.col)).copied().flatten()
    }

    fn landing(&self, action: u16) -> Option<Cell> {
        let free = self.0.get(usize::from(action)) == Some(&None);
        (free && self.ending().is_none()).then_some(Cell::new(action, 0))
    }

    fn play(&mut self, action: u16) -> bool {
        let legal = self.landing(action).is_some();
        if legal {
            self.0[usize::from(action)] = Some(self.to_move());
        }
        legal
    }

    fn take_back(&mut self, action: u16) {
        self.0[usize::from(action)] = None;
    }

    fn to_move(&self) -> Side {
        match self.0.iter().flatten().count() % 2 {
            0 => Side::First,
            _ => Side::Second,
        }
    }

    fn ending(&self) -> Option<Ending> {
        let row = |w: &&[Option<Side>]| w[0].is_some() && w[0] == w[1] && w[1] == w[2];
        let won = self.0.windows(3).find(row).and_then(|w| w[0]);
        won.map(Ending::Won)
            .or_else(|| self.0.iter().all(Option::is_some).then_some(Ending::Draw))
    }

    fn wins(&self, run: usize) -> bool {
        run >= 3
    }

    fn careless(&self) -> Vec<u16> {
        let all = 0..self.0.len() as u16;
        all.filter(|&c| self.landing(c).is_some()).collect()
    }
}

/// Plays the rightmost free cell and counts how often it is asked.
#[derive(Clone, Default)]
struct Rightmost(Arc<AtomicU32>);

impl Thinker<Strip> for Rightmost {
    fn name(&self) -> &str {
        "rightmost"
    }

    fn answer(&mut self, board: &Strip, budget: &Budget) -> Option<u16> {
        assert_eq!(budget.time, None, "only nodes are limited");
        self.0.fetch_add(1, Ordering::Relaxed);
        board.careless().last().copied()
    }
}

/// Stones take 100 ms.
fn travel(_: Cell) -> Duration {
    Duration::from_millis(100)
}

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn against(starts: Seat) -> Session<Strip> {
    let setup = Setup {
        starts,
        delay: Duration::from_millis(300),
        ..Setup::default()
    };
    let policy = Box::new(Rightmost::default());
    Session::new(Strip::of(7), setup, Some(policy), Time::ZERO)
}

#[test]
fn the_reply_comes_a_while_after_the_move_has_come_to_rest() {
    let mut s = against(Seat::You);
    assert!(s.play(0, ms(1000), travel));
    assert!(s.is_thinking() && !s.awaits_person(ms(5000)));
    assert!(!s.play(1, ms(1001), travel), "not his turn");
    s.advance(ms(1399), travel);
    assert_eq!(s.board().text(), "X......");
    // However late anybody looks, the move was made at its time.
    s.advance(ms(9000), travel);
    assert_eq!(s.board().text(), "X.....O");
    assert_eq!(s.moves()[1].at, ms(1400));
    assert!(!s.awaits_person(ms(1499)) && s.awaits_person(ms(1500)));
}

#[test]
fn a_policy_is_asked_once_for_a_move() {
    let policy = Rightmost::default();
    let asked = Arc::clone(&policy.0);
    let other = Some(Box::new(policy) as Box<dyn Thinker<Strip>>);
    let mut s = Session::new(Strip::of(7), Setup::default(), other, Time::ZERO);
    s.play(0, ms(0), travel);
    let count = || asked.load(Ordering::Relaxed);
    s.advance(ms(159), travel);
    assert_eq!(count(), 0, "the move is seen at rest before anybody thinks");
    for at in 16..40 {
        s.advance(ms(10 * at), travel);
    }
    assert_eq!((s.moves().len(), count()), (1, 1));
    s.advance(ms(400), travel);
    assert_eq!((s.moves().len(), count()), (2, 1));
}

#[test]
fn undo_goes_back_to_the_persons_move() {
    let mut s = against(Seat::You);
    assert!(!s.undo(ms(0)), "nothing to take back");
    s.play(0, ms(0), travel);
    s.advance(ms(1000), travel);
    s.play(1, ms(2000), travel);
    // While the policy thinks only the own move goes.
    assert!(s.undo(ms(2050)));
    assert_eq!(s.board().text(), "X.....O");
    assert!(s.awaits_person(ms(2050)));
    s.advance(ms(9000), travel);
    assert_eq!(s.board().text(), "X.....O", "nobody replies to it any more");
    assert!(s.undo(ms(9000)));
    assert_eq!(s.board().text(), ".......");
    assert!(!s.undo(ms(9000)));
}

#[test]
fn a_policy_that_has_opened_keeps_its_opening() {
    let mut s = against(Seat::Opponent);
    s.advance(ms(299), travel);
    assert!(s.moves().is_empty());
    s.advance(ms(300), travel);
    assert_eq!(s.board().text(), "......X");
    assert!(!s.undo(ms(1000)));
    s.play(0, ms(1000), travel);
    s.advance(ms(3000), travel);
    assert!(s.undo(ms(3000)));
    assert_eq!(s.board().text(), "......X");
}

#[test]
fn two_people_take_back_one_move_at_a_time_and_win() {
    let mut s = Session::new(Strip::of(7), Setup::default(), None, Time::ZERO);
    assert!(s.set_up(&[0, 6, 1, 5], Time::ZERO));
    assert!(s.undo(ms(0)));
    assert_eq!(s.board().text(), "XX....O");
    assert_eq!(s.turn(), Some(Side::Second));
    assert!(s.set_up(&[5, 2], Time::ZERO));
    assert_eq!(s.finish(), Some(Finish::Row(Side::First)));
    let row: Vec<u16> = s.row().iter().map(|c| c.col).collect();
    assert_eq!((row, s.turn()), (vec![0, 1, 2], None));
    assert!(!s.set_up(&[4], Time::ZERO), "it is over");
    assert!(s.undo(ms(0)), "and not any more");
    assert!(s.row().is_empty() && s.finish().is_none());
}

#[test]
fn giving_up_ends_the_game_and_can_be_taken_back() {
    let mut s = against(Seat::You);
    s.play(0, ms(0), travel);
    assert!(s.resign(ms(50)), "while the policy thinks it is the person");
    assert_eq!(s.finish(), Some(Finish::Resigned(Side::Second)));
    assert!(!s.resign(ms(60)));
    s.advance(ms(9000), travel);
    assert_eq!(s.board().text(), "X......");
    assert!(s.undo(ms(9000)));
    assert_eq!((s.board().text().as_str(), s.finish()), ("X......", None));
    s.advance(ms(9300), travel);
    assert_eq!(s.board().text(), "X.....O");
}

#[test]
fn new_games_are_begun_by_the_same_seat_or_by_the_other() {
    let mut s = against(Seat::You);
    s.play(0, ms(0), travel);
    s.restart(ms(10));
    assert_eq!((s.board().text().as_str(), s.games()), (".......", 1));
    assert_eq!(s.seat(Side::First), Seat::You);
    s.change_starter(ms(20));
    assert_eq!(s.seat(Side::First), Seat::Opponent);
    s.advance(ms(319), travel);
    assert!(s.moves().is_empty());
    s.advance(ms(320), travel);
    assert_eq!(s.board().text(), "......X");
}

#[test]
fn lower_levels_have_fewer_nodes_and_slip_more() {
    let levels: Vec<Level> = (1..=9).map(Level::new).collect();
    for pair in levels.windows(2) {
        assert_eq!(2 * pair[0].nodes(1 << 20), pair[1].nodes(1 << 20));
        assert!(pair[0].slips() > pair[1].slips());
    }
    assert_eq!(Level::MOST.nodes(1000), 1000);
    assert_eq!((Level::new(0), Level::new(77)), (levels[0], Level::MOST));
    assert_eq!(Level::new(1).nodes(0), 1);
}

#[test]
fn slips_come_at_their_rate_and_repeat_by_seed() {
    let board = Strip::of(20);
    let others = |level: u8| {
        let answer = |seed: u64| {
            let level = Level::new(level);
            level.answer(&mut Rightmost::default(), &board, 1000, seed)
        };
        assert_eq!(answer(7), answer(7));
        (0..1000).filter(|&s| answer(s) != Some(19)).count()
    };
    assert_eq!(others(9), 0);
    // One slip in twenty is the policy's own move.
    assert!((100..170).contains(&others(5)), "{}", others(5));
    assert!((420..530).contains(&others(1)), "{}", others(1));
}

#[test]
fn all_rows_that_a_stone_completes_are_found_once() {
    let mut strip = Strip::of(7);
    for col in [0, 1, 2, 3, 5] {
        strip.0[col] = Some(Side::First);
    }
    let row = |last: u16| -> Vec<u16> {
        let cells = winning_row(&strip, Cell::new(last, 0));
        cells.iter().map(|c| c.col).collect()
    };
    assert_eq!(row(2), [0, 1, 2, 3]);
    assert!(row(5).is_empty() && row(4).is_empty());
}

#[test]
fn the_board_fits_and_its_lines_lie_on_whole_pixels() {
    let rims = Rims {
        side: 0.5,
        top: 0.5,
        bottom: 0.5,
    };
    for (width, height) in [(640, 480), (1279, 801), (333, 920), (160, 120)] {
        for size in [GridSize::new(7, 6), GridSize::new(15, 15)] {
            for sheet in [false, true] {
                let plan = Plan::fit((width, height), size, rims, 0.03, sheet);
                let corners = plan.px_from_cell().corners(size);
                for p in corners {
                    assert!(p.x >= 0.0 && p.x <= f64::from(width), "{plan:?}");
                    assert!(p.y >= 0.0 && p.y <= f64::from(height), "{plan:?}");
                }
                let edge = plan.px(3.5, 0.0).x - plan.line / 2.0;
                assert!((edge - edge.round()).abs() < 1e-9, "{edge} {plan:?}");
                let back = plan.cell_at(plan.px(2.25, 1.5));
                assert!(back.distance(Point::new(2.25, 1.5)) < 1e-9);
            }
        }
    }
    // Nothing fits any more, and nothing breaks.
    let tiny = Plan::fit((1, 1), GridSize::new(25, 25), rims, 0.03, true);
    assert_eq!((tiny.cell, tiny.line), (1.0, 1.0));
}

#[test]
fn a_picture_for_cells_of_a_size_holds_cells_of_that_size() {
    let rims = Rims {
        side: 0.42,
        top: 1.1,
        bottom: 0.32,
    };
    for cell in [8, 23, 44, 60, 100] {
        for size in [
            GridSize::new(4, 4),
            GridSize::new(7, 6),
            GridSize::new(25, 25),
        ] {
            let picture = Plan::picture_for(cell, size, rims);
            let plan = Plan::fit(picture, size, rims, 0.03, false);
            assert_eq!(plan.cell, f64::from(cell), "{size} in {picture:?}");
        }
    }
}
