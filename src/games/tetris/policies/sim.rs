//! Games without a screen, as fast as they can be played.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::bits::Bits;
use super::bits::Wide;
use super::counting::counting;
use super::features::Ground;
use super::pile::{Large, Middle, Pile, Small};
use super::player::Player;
use super::reach::MoveModel;
use super::search::Sight;
use super::shape;
use crate::games::gauge::Gauge;
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
        run::<u32, 20>(player, setting, go_on)
    } else if Middle::has_place(cols, rows) {
        run::<u64, 64>(player, setting, go_on)
    } else {
        debug_assert!(Large::has_place(cols, rows));
        run::<Wide, 203>(player, setting, go_on)
    }
}

/// A game under way.
pub(super) struct Table<C, const W: usize> {
    pub(super) ground: Ground<C, W>,
    source: ChaCha8Rng,
    next: Kind,
    /// Pieces placed, rows removed, placements rated.
    pub(super) pieces: u64,
    pub(super) rows: u64,
    nodes: u64,
}

impl<C: Bits, const W: usize> Table<C, W> {
    pub(super) fn new(setting: &Setting) -> Self {
        let empty = Pile::empty(setting.cols, setting.rows);
        let mut source = ChaCha8Rng::seed_from_u64(setting.seed);
        let next = draw(&mut source);
        Self {
            ground: Ground::new(&empty),
            source,
            next,
            pieces: 0,
            rows: 0,
            nodes: 0,
        }
    }

    /// One piece. False when the game is over: it cannot appear (it then is not counted, and
    /// comes again in the next game) or, under the ideal rules, sticks out.
    #[inline(always)]
    pub(super) fn step(&mut self, player: &mut Player, sight: &Sight, setting: &Setting) -> bool {
        let kind = self.next;
        if sight.is_lost(&self.ground, kind) {
            return false;
        }
        self.next = draw(&mut self.source);
        let mut gauge = Gauge::start(&setting.budget);
        let shown = setting.next_shown.then_some(self.next);
        let pick = player.pick(sight, &self.ground, kind, shown, &mut gauge);
        self.nodes += gauge.nodes();
        let mut pile = *self.ground.pile();
        let (removed, over) = match pick {
            Some(pick) => {
                let shape = &shape::standard()[kind.index()].turns()[usize::from(pick.turn)];
                let left = usize::from(pick.left);
                let over = sight.sticks_out(&self.ground, shape, left);
                (counting(|| pile.drop_piece(shape, left)), over)
            }
            None => (fall(&mut pile, kind), false),
        };
        self.pieces += 1;
        self.rows += u64::from(removed);
        self.ground.reset(&pile);
        !over
    }

    /// A new game; the pieces go on.
    pub(super) fn clear(&mut self) {
        let pile = self.ground.pile();
        self.ground.reset(&Pile::empty(pile.cols(), pile.rows()));
        // The piece that could not appear is not the first of the next game: it would favour
        // kinds that end games.
        self.next = draw(&mut self.source);
    }
}

fn draw(source: &mut ChaCha8Rng) -> Kind {
    // As the standard draws; the bias of the remainder is below 2e-9.
    Kind::ALL[(source.next_u32() % 7) as usize]
}

fn run<C: Bits, const W: usize>(
    player: &mut Player,
    setting: &Setting,
    go_on: &mut dyn FnMut(&Tally) -> bool,
) -> Tally {
    let sight = player.sight(setting.moves);
    let mut table = Table::<C, W>::new(setting);
    let mut tally = Tally {
        heights: vec![0; usize::from(setting.rows) + 5],
        ..Tally::default()
    };
    let (mut before, mut ask) = (0, 0);
    loop {
        if tally.pieces >= ask {
            if !go_on(&tally) {
                return tally;
            }
            ask = tally.pieces + STRIDE;
        }
        let alive = table.step(player, &sight, setting);
        if table.pieces > tally.pieces {
            let height = usize::from(table.ground.top());
            if let Some(count) = tally.heights.get_mut(height) {
                *count += 1;
            }
        }
        tally.pieces = table.pieces;
        tally.rows = table.rows;
        tally.nodes = table.nodes;
        if !alive {
            tally.games.push(table.rows - before);
            before = table.rows;
            table.clear();
            ask = 0;
        }
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
