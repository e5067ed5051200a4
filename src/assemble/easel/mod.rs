//! The easel: the picture of a source on which a person shows a board.
//!
//! Takes a source and what is said of the board in it; gives boards with everything that tells
//! whether they are right, a profile, and one click to try it. Must never act without being asked
//! for each click by itself.

mod board;
mod click;
mod follow;
mod sources;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, anyhow, bail, ensure};

use super::{Order, SourceSpec, wanted, written};
use crate::calibrate;
use crate::calibrate::shown::lessons;
use crate::config::Settings;
use crate::config::profile::Profile;
use crate::pipeline::hand::{Hand, go_round, is_there};
use crate::pipeline::saved;
use crate::types::{
    BoardKind, Calibration, Cell, Clock, GridSize, Picture, Placement, Point, Stop, Wanted,
};

pub use board::{Board, Look};
pub use click::Landed;
use follow::Follower;
pub use sources::{Camera, Monitor, Sources, Window, sources};

/// Findings of a lower quality are not worth choosing from.
const WORTH_SHOWING: f32 = 0.2;

/// Most findings that are told of one game.
const MOST_FOUND: usize = 4;

/// The best quality of a board on which nothing lies, where it is not found.
const PLAIN: f32 = 0.3;

/// Boards of more columns or rows are none of any game.
const LARGEST: u16 = 400;

/// One look at the source.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Counts pictures that differ.
    pub n: u64,
    /// The pixels.
    pub picture: Arc<Picture>,
    /// Where it lies on the screen.
    pub placement: Option<Placement>,
}

/// What gives looks: the newest, or why there is none.
type Glance = dyn Fn() -> Result<Shot, String> + Send + Sync;

/// How boards are looked for.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The game; any by default.
    pub game: Option<String>,
    /// Its size, where it is known.
    pub size: Option<GridSize>,
    /// What its cells are, where the game has boards of several kinds.
    pub kind: Option<BoardKind>,
}

/// What a person says of a board.
#[derive(Clone, Debug)]
pub struct Said {
    /// The game.
    pub game: String,
    /// Columns and rows.
    pub size: GridSize,
    /// What its cells are; the game's usual kind by default.
    pub kind: Option<BoardKind>,
    /// Four places in px, from the top left one on clockwise.
    pub places: [Point; 4],
    /// Whether those are the middles of the corner cells, not the outer corners.
    pub middles: bool,
    /// Cells with names: column, row, name.
    pub lessons: Vec<(u16, u16, String)>,
}

/// The newest picture of a source, and the board that was shown last.
pub struct Easel {
    order: Order,
    /// The source as a profile names it.
    named: SourceSpec,
    base: Option<Profile>,
    glance: Box<Glance>,
    /// A look that is kept while somebody works on it.
    held: Mutex<Option<Shot>>,
    shown: Mutex<Option<Board>>,
    /// Whether the source is a screen of this machine, opened here.
    clickable: bool,
}

impl std::fmt::Debug for Easel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Easel").finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Easel {
    /// Opens the source of an order and waits for its first picture; a profile of it names it as
    /// `named`.
    ///
    /// # Errors
    /// When it cannot be opened or gives no picture; the text says why.
    pub fn open(
        order: Order,
        named: SourceSpec,
        base: Option<Profile>,
        clock: &Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        let follower = Follower::open(&order, clock)?;
        let clickable = follower.shot().is_ok_and(|s| s.placement.is_some());
        let mut easel = Self::of(order, base, Box::new(move || follower.shot()));
        (easel.named, easel.clickable) = (named, clickable);
        Ok(easel)
    }

    /// The pictures of somebody else's source, which cannot be clicked from here.
    #[must_use]
    pub fn of(order: Order, base: Option<Profile>, glance: Box<Glance>) -> Self {
        Self {
            named: order.source.clone(),
            order,
            base,
            glance,
            held: Mutex::default(),
            shown: Mutex::default(),
            clickable: false,
        }
    }

    /// The profile that it began with.
    #[must_use]
    pub const fn base(&self) -> Option<&Profile> {
        self.base.as_ref()
    }

    /// Whether a click can be tried.
    #[must_use]
    pub const fn is_clickable(&self) -> bool {
        self.clickable
    }

    /// The look that is kept, or the newest one.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn shot(&self) -> Result<Shot, String> {
        match &*lock(&self.held) {
            Some(shot) => Ok(shot.clone()),
            None => (self.glance)(),
        }
    }

    /// Whether a look is kept.
    #[must_use]
    pub fn is_held(&self) -> bool {
        lock(&self.held).is_some()
    }

    /// Keeps the newest look from now on, or follows the source again.
    ///
    /// # Errors
    /// When there is no look.
    pub fn hold(&self, held: bool) -> Result<(), String> {
        let shot = held.then(|| (self.glance)()).transpose()?;
        *lock(&self.held) = shot;
        Ok(())
    }

    /// The board that was shown last.
    #[must_use]
    pub fn shown(&self) -> Option<Board> {
        lock(&self.shown).clone()
    }

    fn now(&self) -> anyhow::Result<Shot> {
        self.shot()
            .map_err(|why| anyhow!("there is no picture: {why}"))
    }

    /// Boards that are found in the picture, the likeliest first.
    ///
    /// # Errors
    /// For a game that does not exist, and while there is no picture.
    pub fn find(&self, search: &Search) -> anyhow::Result<Vec<Board>> {
        let shot = self.now()?;
        let picture = &shot.picture;
        let games: Vec<&str> = match &search.game {
            Some(game) => vec![game],
            None => super::SEEN.to_vec(),
        };
        let mut found: Vec<(String, Calibration)> = Vec::new();
        for game in games {
            let mut looked_for = wanted(game)?;
            looked_for.size = search.size;
            looked_for.kind = search.kind.unwrap_or(looked_for.kind);
            let all = calibrate::find(picture, &looked_for).into_iter();
            let worth = all.filter(|c| c.quality >= WORTH_SHOWING).take(MOST_FOUND);
            found.extend(worth.map(|c| (game.to_owned(), c)));
        }
        found.sort_by(|a, b| calibrate::rank(&b.1).total_cmp(&calibrate::rank(&a.1)));
        if let Some(known) = self.known(picture, search) {
            found.insert(0, known);
        }
        let boards = found.into_iter();
        Ok(boards
            .filter_map(|(game, c)| Board::read(&game, c, picture))
            .collect())
    }

    /// The board of the profile it began with, where it lies in this picture.
    fn known(&self, picture: &Picture, search: &Search) -> Option<(String, Calibration)> {
        let base = self.base.as_ref()?;
        let kept = base.calibration.as_ref()?;
        let other = search.game.as_ref().is_some_and(|g| *g != base.game)
            || search.size.is_some_and(|s| s != kept.size)
            || search.kind.is_some_and(|k| k != kept.kind);
        if other {
            return None;
        }
        let mut at = saved::near(kept, picture)?;
        at.quality = saved::quality(&at, picture);
        (at.quality >= WORTH_SHOWING).then(|| (base.game.clone(), at))
    }

    /// The board as somebody shows it; it is kept, to be saved or tried.
    ///
    /// # Errors
    /// When it is none, lies outside the picture, or cannot be learnt as it is named.
    pub fn show(&self, said: &Said) -> anyhow::Result<Board> {
        let shot = self.now()?;
        let board = learn(&shot.picture, said)?;
        *lock(&self.shown) = Some(board.clone());
        Ok(board)
    }

    /// The profile of the board that was shown last, under a name.
    ///
    /// # Errors
    /// When none was shown, or it does not fit the picture.
    pub fn profile(&self, name: &str) -> anyhow::Result<Profile> {
        let board = self.shown().context("show a board first")?;
        let quality = board.calibration.quality;
        ensure!(
            quality >= Calibration::MIN_QUALITY,
            "what is seen does not fit this board: quality {quality:.2}, needed is {}; correct the \
             corners or the size, or name cells",
            Calibration::MIN_QUALITY
        );
        let order = Order {
            game: board.game.clone(),
            source: self.named.clone(),
            ..self.order.clone()
        };
        Ok(match &self.base {
            Some(base) if base.game == board.game => {
                written::renewed(base.clone(), &order, name, &board.calibration)
            }
            Some(base) => bail!(
                "profile {} is for {}, not {}",
                base.name,
                base.game,
                board.game
            ),
            None if matches!(order.source, SourceSpec::Simulated) => {
                bail!("this session was begun without a profile: its source cannot be written down")
            }
            None => written::profile(&order, name, &board.calibration),
        })
    }

    /// Clicks a cell of the board that was shown last, once, and looks what came of it.
    ///
    /// # Errors
    /// When there is no board, the source is no screen of this machine, the board is not where it
    /// was, the hands refuse, or `stop` is pulled; nothing was pressed then.
    pub fn click(
        &self,
        cell: Cell,
        settings: &Settings,
        clock: &Arc<dyn Clock>,
        stop: &Stop,
    ) -> anyhow::Result<Landed> {
        if !self.clickable {
            bail!("what this source shows cannot be clicked from here");
        }
        let board = self.shown().context("show a board first")?;
        click::click(
            &self.order,
            &board.calibration,
            cell,
            settings,
            (clock, stop),
        )
    }
}

/// The board that is meant.
fn learn(picture: &Picture, said: &Said) -> anyhow::Result<Board> {
    let GridSize { cols, rows } = said.size;
    ensure!(
        (2..=LARGEST).contains(&cols) && (2..=LARGEST).contains(&rows),
        "a board of {} is none: from 2 to {LARGEST} columns and rows are allowed",
        said.size
    );
    ensure!(
        said.places
            .iter()
            .all(|p| p.x.is_finite() && p.y.is_finite())
            && go_round(&said.places),
        "these corners go round no board: they go from the top left one on clockwise"
    );
    let usual = wanted(&said.game)?;
    let wanted = Wanted {
        size: Some(said.size),
        kind: said.kind.unwrap_or(usual.kind),
        ..usual
    };
    let words: Vec<String> = { said.lessons.iter() }
        .map(|(col, row, name)| format!("{col},{row}={name}"))
        .collect();
    ensure!(
        said.lessons
            .iter()
            .all(|(.., n)| !n.contains(char::is_whitespace)),
        "a name is one word"
    );
    let hand = Hand {
        corners: (!said.middles).then_some(said.places),
        centres: said.middles.then_some(said.places),
        nudge: None,
        lessons: lessons(&words.join(" ")).map_err(|e| anyhow!("{e}"))?,
    };
    let mut calibration = hand.apply(picture, &wanted, None)?;
    // Where all cells look the same, they do so beside the board, too.
    if calibration.classes.len() < 2 {
        let at = calibration.px_from_cell;
        let found = calibrate::find(picture, &wanted);
        if !found
            .iter()
            .any(|c| c.size == said.size && is_there(c, &at))
        {
            calibration.quality = calibration.quality.min(PLAIN);
        }
    }
    let read = Board::read(&said.game, calibration, picture);
    read.context("the board reaches outside the picture: check the corners")
}
