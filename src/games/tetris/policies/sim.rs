//! Games without a screen, as fast as they can be played.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::bits::Bits;
use super::bits::Wide;
use super::features::Ground;
use super::gauge::Gauge;
use super::pile::{Large, Middle, Pile, Small};
use super::player::Player;
use super::reach::MoveModel;
use super::shape;
use crate::games::tetris::rules::{Kind, System};
use crate::types::Budget;

/// Which games are played.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Columns of the board.
    pub cols: u16,
    /// Rows of the board.
    pub rows: u16,
    /// Where pieces can go.
    pub moves: MoveModel,
    /// Whether the next piece is shown.
    pub next_shown: bool,
    /// Seed of the pieces.
    pub seed: u64,
    /// For each placement.
    pub budget: Budget,
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pieces placed.
    pub pieces: u64,
    /// Rows removed.
    pub rows: u64,
    /// Rows of every game that ended, in order.
    pub games: Vec<u64>,
    /// Placements rated.
    pub nodes: u64,
    /// For each height of the pile the number of placements that left it, without complete rows.
    pub heights: Vec<u64>,
}

impl Tally {
    /// Games that ended.
    #[must_use]
    pub fn deaths(&self) -> u64 {
        self.games.len() as u64
    }

    /// Adds what happened elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.pieces += other.pieces;
        self.rows += other.rows;
        self.nodes += other.nodes;
        self.games.extend_from_slice(&other.games);
        let len = self.heights.len().max(other.heights.len());
        self.heights.resize(len, 0);
        for (sum, n) in self.heights.iter_mut().zip(&other.heights) {
            *sum += n;
        }
    }
}

/// Pieces between two questions whether to go on.
const STRIDE: u64 = 1024;

/// Plays one game after the other as long as `go_on` says so; it is asked at the start, at the
/// end of every game and now and then.
pub fn play(
    player: &mut Player,
    setting: &Setting,
    go_on: &mut dyn FnMut(&Tally) -> bool,
) -> Tally {
    let (cols, rows) = (setting.cols, setting.rows);
    if Small::has_place(cols, rows) {
        Game::<u32, 16>::new(setting).play(player, setting, go_on)
    } else if Middle::has_place(cols, rows) {
        Game::<u64, 64>::new(setting).play(player, setting, go_on)
    } else {
        debug_assert!(Large::has_place(cols, rows));
        Game::<Wide, 202>::new(setting).play(player, setting, go_on)
    }
}

struct Game<C, const W: usize> {
    ground: Ground<C, W>,
    pieces: ChaCha8Rng,
    tally: Tally,
    /// Rows removed before this game.
    before: u64,
}

impl<C: Bits, const W: usize> Game<C, W> {
    fn new(setting: &Setting) -> Self {
        let empty = Pile::empty(setting.cols, setting.rows);
        Self {
            ground: Ground::new(&empty),
            pieces: ChaCha8Rng::seed_from_u64(setting.seed),
            tally: Tally {
                heights: vec![0; usize::from(setting.rows) + 5],
                ..Tally::default()
            },
            before: 0,
        }
    }

    fn draw(&mut self) -> Kind {
        // As the standard draws; the bias of the remainder is below 2e-9.
        Kind::ALL[(self.pieces.next_u32() % 7) as usize]
    }

    fn play(
        mut self,
        player: &mut Player,
        setting: &Setting,
        go_on: &mut dyn FnMut(&Tally) -> bool,
    ) -> Tally {
        let sight = player.sight(setting.moves);
        let mut next = self.draw();
        let mut ask = 0;
        loop {
            if self.tally.pieces >= ask {
                if !go_on(&self.tally) {
                    return self.tally;
                }
                ask = self.tally.pieces + STRIDE;
            }
            let kind = next;
            next = self.draw();
            if sight.is_lost(&self.ground, kind) {
                self.lose();
                ask = 0;
                continue;
            }
            let mut gauge = Gauge::start(&setting.budget);
            let shown = setting.next_shown.then_some(next);
            let pick = player.pick(&sight, &self.ground, kind, shown, &mut gauge);
            self.tally.nodes += gauge.nodes();
            let mut pile = *self.ground.pile();
            let (removed, over) = match pick {
                Some(pick) => {
                    let shape = &shape::standard()[kind.index()].turns()[usize::from(pick.turn)];
                    let left = usize::from(pick.left);
                    let over = sight.sticks_out(&self.ground, shape, left);
                    (pile.drop_piece(shape, left), over)
                }
                None => (fall(&mut pile, kind), false),
            };
            self.tally.pieces += 1;
            self.tally.rows += u64::from(removed);
            self.ground.reset(&pile);
            let height = usize::from(self.ground.top());
            if let Some(count) = self.tally.heights.get_mut(height) {
                *count += 1;
            }
            if over {
                self.lose();
                ask = 0;
            }
        }
    }

    fn lose(&mut self) {
        self.tally.games.push(self.tally.rows - self.before);
        self.before = self.tally.rows;
        let pile = self.ground.pile();
        self.ground.reset(&Pile::empty(pile.cols(), pile.rows()));
    }
}

/// A piece for which there is no placement falls from where it appeared, perhaps below an
/// overhang.
fn fall<C: Bits, const W: usize>(pile: &mut Pile<C, W>, kind: Kind) -> u32 {
    let system = System::standard();
    let mut board = pile.board();
    let mut pose = system.spawn(kind, board.cols(), board.rows());
    while board.is_free(&system, pose.moved(0, -1)) {
        pose = pose.moved(0, -1);
    }
    board.lock(&system, pose);
    let removed = board.clear_full();
    *pile = Pile::of(&board);
    u32::from(removed)
}
