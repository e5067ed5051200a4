//! The part of a look that all games for two have: colours, marks, where the end is told.
//!
//! Plain data. Must never decide anything about a game.

use super::contest::Contest;
use super::session::{Seat, Session};
use crate::games::canvas::Rgb;
use crate::games::duel::Side;

/// Who has which colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Whoever moves first has the first colour.
    Order,
    /// The person at the window always has the first colour.
    Seat,
}

/// How the last move is marked once it is at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Not at all.
    None,
    /// A small disc on it.
    Dot,
    /// A ring on it.
    Ring,
    /// A plus on it.
    Plus,
    /// It vanishes and comes back a few times.
    Blink,
}

impl Mark {
    /// All with their names on the command line.
    pub const ALL: [(&'static str, Self); 5] = [
        ("none", Self::None),
        ("dot", Self::Dot),
        ("ring", Self::Ring),
        ("plus", Self::Plus),
        ("blink", Self::Blink),
    ];
}

/// How the row that has won is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMark {
    /// Not at all.
    None,
    /// A ring on each of its stones.
    Rings,
    /// A line through them.
    Line,
}

/// Where the end of a game is told, besides in the title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// In the status line only.
    Status,
    /// In a box over the board, too, that a click or Return closes.
    Board,
}

impl Message {
    /// All with their names on the command line.
    pub const ALL: [(&'static str, Self); 2] = [("status", Self::Status), ("board", Self::Board)];
}

/// The shared part of a look.
#[derive(Clone, Debug, PartialEq)]
pub struct Manner {
    /// Around the board.
    pub face: Rgb,
    /// Text on it.
    pub ink: Rgb,
    /// Hints, the cursor, the row that has won.
    pub accent: Rgb,
    /// What an empty place looks like in its middle.
    pub empty: Rgb,
    /// The two colours of stones.
    pub stones: [Rgb; 2],
    /// What they are called.
    pub names: [&'static str; 2],
    /// Who has which.
    pub colours: Colours,
    /// The last move.
    pub mark: Mark,
    /// The colour of that mark.
    pub mark_rgb: Rgb,
    /// The row that has won.
    pub row: RowMark,
    /// The end of the game.
    pub message: Message,
    /// Radius of a stone, in cells.
    pub radius: f64,
}

impl Manner {
    /// Which of the two colours a side has.
    #[must_use]
    pub fn stone<B: Contest>(&self, session: &Session<B>, side: Side) -> usize {
        let first = match self.colours {
            Colours::Order => side == Side::First,
            Colours::Seat => session.seat(side) == Seat::You,
        };
        usize::from(!first)
    }

    /// What a side's colour is called.
    #[must_use]
    pub fn name<B: Contest>(&self, session: &Session<B>, side: Side) -> &'static str {
        self.names[self.stone(session, side)]
    }
}
