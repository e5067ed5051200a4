//! Who is who: which kind of pieces moved first, which side is ours, whose turn it is.
//!
//! Told by a profile, or worked out: who has a piece more has begun, the kind that appears where
//! we have clicked is ours, and what was so in one game of a run is expected in the next. What is
//! not certain stays unknown, and [`Sides::missing`] says what would make it certain.

use std::time::Duration;

use super::Side;
use super::grid::{Grid, Piece};
use super::proof::{Doubt, Proof};
use super::turn::Turn;
use crate::types::{Beginner, Cell, ClassId, ClassLook, KindName, SideName, colour};

/// On an empty board of which nobody has said who begins, the other side is given this long to
/// begin: longer than any known program takes for its first move.
const COURTESY: Duration = Duration::from_secs(2);
/// The first piece of the first game is taken for the other side's when nothing has followed it
/// for so long: a program answers a person's move sooner.
const FIRST_SEEN: Duration = Duration::from_secs(1);
/// The same when it has our colour of the last game: either the colours go by who begins, or a
/// person has begun for us and the other side is thinking.
const OUR_COLOUR: Duration = Duration::from_secs(5);
/// A first move of ours that nobody answers for so long may have been theirs, in the same place.
const UNANSWERED: Duration = Duration::from_secs(30);
/// A kind is known again in other pictures when its colour is no farther than this (CIE L*a*b*).
const SAME_LOOK: f32 = 20.0;

/// What is said beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Who {
    /// Which side is ours.
    pub side: Option<SideName>,
    /// Who begins.
    pub begins: Option<Beginner>,
    /// Nobody is played for: every move is somebody else's, and every side is advised.
    pub looks_on: bool,
}

/// Who is who.
#[derive(Clone, Debug)]
pub struct Sides {
    who: Who,
    looks: Vec<ClassLook>,
    /// Kinds in the last game in which they were certain.
    mine: Option<ClassId>,
    theirs: Option<ClassId>,
    first: Option<ClassId>,
    second: Option<ClassId>,
    ours: Option<Side>,
    proof: Proof,
    doubt: Option<Doubt>,
}

impl Sides {
    /// Nothing has been seen yet.
    #[must_use]
    pub const fn new(who: Who) -> Self {
        Self {
            who,
            looks: Vec::new(),
            mine: None,
            theirs: None,
            first: None,
            second: None,
            ours: None,
            proof: Proof::None,
            doubt: None,
        }
    }

    /// How the classes look from now on. Their ids may be others than before: a kind that is
    /// remembered is known again by its colour.
    pub fn look(&mut self, looks: &[ClassLook]) {
        let again = |kind: Option<ClassId>, old: &[ClassLook]| {
            let was = old.get(usize::from(kind?))?;
            let is = |l: &ClassLook| colour::distance(l.rgb, was.rgb) < SAME_LOOK;
            if looks.get(usize::from(kind?)).is_some_and(is) {
                return kind;
            }
            looks.iter().skip(1).position(is).map(|i| i as ClassId + 1)
        };
        if !self.looks.is_empty() {
            self.mine = again(self.mine, &self.looks);
            self.theirs = again(self.theirs, &self.looks);
        }
        self.looks = looks.to_vec();
    }

    /// The letter of a class.
    #[must_use]
    pub fn letter(&self, kind: ClassId) -> char {
        let own = self.looks.get(usize::from(kind)).map(|l| l.letter);
        own.unwrap_or_else(|| match kind {
            0 => '.',
            k => char::from(b'a' + (k - 1) % 26),
        })
    }

    /// The kind that a name means, if it has been seen.
    fn kind(&self, name: KindName) -> Option<ClassId> {
        let pieces = self.looks.iter().skip(1);
        let at = match name {
            KindName::Letter(letter) => pieces.map(|l| l.letter).position(|l| l == letter),
            KindName::Colour(name) => colour::meant(name, pieces.map(|l| l.rgb)),
        };
        at.map(|i| i as ClassId + 1)
    }

    fn told_mine(&self) -> Option<ClassId> {
        match self.who.side {
            Some(SideName::Kind(name)) => self.kind(name),
            _ => None,
        }
    }

    fn told_first(&self) -> Option<ClassId> {
        match self.who.begins {
            Some(Beginner::Kind(name)) => self.kind(name),
            _ => None,
        }
    }

    /// Moves were taken back to this board. If nobody knew who was first, the numbers of pieces
    /// may tell now.
    pub fn taken_back(&mut self, grid: &Grid) {
        self.doubt = None;
        if self.first.is_some() {
            return;
        }
        match grid.both() {
            Some([only @ Some(_), None]) if grid.count() == 1 => self.first = only,
            Some([Some(a), Some(b)]) => {
                let begun = grid.more_by_one(a, b);
                (self.first, self.second) = begun.unzip();
            }
            _ => {}
        }
        if self.first.is_some() {
            self.settle();
        }
        if self.second.is_some() {
            self.remembered();
        }
    }

    /// A game begins, or is joined, with this board; `same` if it is the game that was believed,
    /// of which some moves were missed.
    pub fn begin(&mut self, grid: &Grid, same: bool) {
        let before = (self.first, self.second);
        (self.first, self.second, self.ours, self.proof) = (None, None, None, Proof::None);
        self.doubt = None;
        match grid.both() {
            None | Some([None, _]) => self.first = self.told_first(),
            Some([first, None]) => self.first = first.filter(|_| grid.count() == 1),
            Some([Some(a), Some(b)]) => {
                let begun = match grid.count_of(a) == grid.count_of(b) {
                    true => self.began(a, b, before, same),
                    false => grid.more_by_one(a, b),
                };
                (self.first, self.second) = begun.unzip();
            }
        }
        // With one piece on the board nobody knows yet whether the colours go by who begins.
        if self.second.is_some() {
            self.remembered();
        }
        self.settle();
        if self.ours.is_none() && grid.count() == 1 && !self.who.looks_on {
            (self.ours, self.proof) = (Some(Side::Second), Proof::Guess);
        }
    }

    /// Who has begun when there are as many pieces of both.
    fn began(
        &self,
        a: ClassId,
        b: ClassId,
        before: (Option<ClassId>, Option<ClassId>),
        same: bool,
    ) -> Option<(ClassId, ClassId)> {
        let begins = |kind: ClassId| match kind == a {
            true => (a, b),
            false => (b, a),
        };
        let either = |kind: Option<ClassId>| kind.filter(|k| *k == a || *k == b);
        let mine = either(self.told_mine().or(self.mine));
        let ours = mine.map(begins);
        let theirs = ours.map(|(x, y)| (y, x));
        let told = match (self.who.begins, self.who.side) {
            (Some(Beginner::We), _) | (None, Some(SideName::First)) => ours,
            (Some(Beginner::They), _) | (None, Some(SideName::Second)) => theirs,
            _ => either(self.told_first()).map(begins),
        };
        let known = matches!(before, (Some(x), Some(y)) if [(a, b), (b, a)].contains(&(x, y)));
        told.or_else(|| before.0.zip(before.1).filter(|_| same && known))
    }

    /// Which side is ours, by the colours of an earlier game.
    fn remembered(&mut self) {
        let side = match self.mine {
            mine @ Some(_) if mine == self.first && self.theirs == self.second => Side::First,
            mine @ Some(_) if mine == self.second && self.theirs == self.first => Side::Second,
            _ => return,
        };
        if self.ours.is_none() && !self.who.looks_on {
            (self.ours, self.proof) = (Some(side), Proof::Guess);
        }
    }

    /// Which side is ours, by what was said.
    fn settle(&mut self) {
        // Pieces show it better than what is usual.
        let by_kind = self.told_mine().zip(self.first);
        let told = match (by_kind, self.who.side, self.who.begins) {
            (Some((mine, first)), ..) if mine == first => Some(Side::First),
            (Some(_), ..) => Some(Side::Second),
            (_, Some(SideName::First), _) | (_, _, Some(Beginner::We)) => Some(Side::First),
            (_, Some(SideName::Second), _) | (_, _, Some(Beginner::They)) => Some(Side::Second),
            _ => None,
        };
        if told.is_some() {
            (self.ours, self.proof) = (told, Proof::Told);
        }
    }

    /// These moves were made on a board; the first one is ours if it was made at `ours_at`.
    pub fn moved(&mut self, before: &Grid, plies: &[Piece], ours_at: Option<Cell>) {
        let empty = before.count() == 0;
        let unowned = self.is_unowned();
        match self.doubt.take() {
            // They move on: they have begun.
            Some(Doubt::Order { .. }) if ours_at.is_none() => {
                if plies.first().map(|p| p.kind) == self.second {
                    (self.first, self.second) = (self.second, self.first);
                }
                (self.ours, self.proof) = (Some(Side::Second), Proof::Played);
            }
            // Answered before we have moved once more: it was ours.
            Some(Doubt::Owner { .. }) if ours_at.is_none() => {
                (self.ours, self.proof) = (Some(Side::First), Proof::Played);
            }
            _ => {}
        }
        let untold =
            matches!(self.turn(before), Turn::Any) && ours_at != plies.first().map(|p| p.at);
        if self.first.is_none() && untold && plies.len().is_multiple_of(2) {
            // As many of both as before: still nobody knows who was first.
            return;
        }
        for (i, ply) in plies.iter().enumerate() {
            match self.first {
                None => {
                    self.first = Some(ply.kind);
                    let others = before.both().into_iter().flatten().flatten();
                    self.second = others.into_iter().find(|k| *k != ply.kind);
                }
                // What was said of who begins was not so.
                Some(first) if empty && i == 0 && first != ply.kind => self.first = Some(ply.kind),
                Some(first) if first != ply.kind => self.second = Some(ply.kind),
                Some(_) => {}
            }
            let side = match self.first == Some(ply.kind) {
                true => Side::First,
                false => Side::Second,
            };
            if i == 0 && ours_at == Some(ply.at) {
                (self.ours, self.proof) = (Some(side), Proof::Played);
            } else if self.proof == Proof::Guess && self.ours == Some(side) {
                // Somebody has moved where only we should have: for us, or it was never ours.
                (self.ours, self.proof) = (None, Proof::None);
            }
        }
        if unowned && ours_at.is_some() && plies.len() == 1 {
            // Ours, or their late answer in the very place.
            self.doubt = Some(Doubt::Order { late: true });
            (self.ours, self.proof) = (Some(Side::First), Proof::Guess);
        }
        self.settle();
        if self.ours.is_none() && !self.who.looks_on {
            if empty && plies.len() == 1 {
                (self.ours, self.proof) = (Some(Side::Second), Proof::Guess);
            } else {
                self.remembered();
            }
        }
        self.remember();
    }

    /// A game has begun with our move, made `twice` for want of an effect or once, in the place
    /// where it was to be; it may be the other side that has begun.
    pub fn doubt_the_beginning(&mut self, grid: &Grid, twice: bool) {
        let doubt = match grid.count() {
            1 => Doubt::Owner { twice },
            2 if twice => Doubt::Order { late: false },
            _ => return,
        };
        if self.proof == Proof::Told {
            return;
        }
        (self.doubt, self.proof) = (Some(doubt), Proof::Guess);
        if grid.count() == 1 {
            // Unless they answer.
            self.ours = Some(Side::Second);
        }
    }

    /// Whether the only piece of a game, which lies where ours was to lie, may be theirs.
    #[must_use]
    pub const fn is_unowned(&self) -> bool {
        matches!(self.doubt, Some(Doubt::Owner { .. }))
    }

    /// Whether it may be the other side's to move, though we would.
    #[must_use]
    pub const fn is_in_doubt(&self) -> bool {
        self.doubt.is_some()
    }

    /// Whether it is not certain which of the two pieces of a game was the first.
    #[must_use]
    pub const fn is_unordered(&self) -> bool {
        matches!(self.doubt, Some(Doubt::Order { .. }))
    }

    /// What is certain now is expected in the next game.
    fn remember(&mut self) {
        let (mine, theirs) = match self.ours {
            Some(Side::First) => (self.first, self.second),
            Some(Side::Second) => (self.second, self.first),
            None => return,
        };
        if self.proof >= Proof::Played && mine.is_some() {
            self.mine = mine;
            self.theirs = theirs.or(self.theirs.filter(|t| Some(*t) != mine));
        }
    }

    /// The kinds have other names now.
    pub fn renamed(&mut self, name: impl Fn(ClassId) -> ClassId) {
        self.first = self.first.map(&name);
        self.second = self.second.map(&name);
        // What is remembered may have been known again by its colour already.
        (self.mine, self.theirs) = match self.ours {
            Some(Side::First) => (self.first, self.second),
            Some(Side::Second) => (self.second, self.first),
            None => (None, None),
        };
        self.settle();
    }

    /// A first move that we made because nobody else did had no effect: perhaps it was not ours to
    /// make. Returns whether it was such a move.
    pub fn give_way(&mut self, grid: &Grid) -> bool {
        if self.is_unowned() {
            (self.ours, self.proof, self.doubt) = (Some(Side::First), Proof::Played, None);
        }
        let guessed = grid.count() == 0 && self.proof < Proof::Played && !self.who.looks_on;
        if guessed {
            (self.ours, self.proof) = (Some(Side::Second), Proof::Guess);
        }
        guessed
    }

    /// Which side is ours.
    #[must_use]
    pub const fn ours(&self) -> Option<Side> {
        self.ours
    }

    /// Whether nobody is played for.
    #[must_use]
    pub const fn looks_on(&self) -> bool {
        self.who.looks_on
    }

    /// The kind of a side, if it has been seen.
    #[must_use]
    pub const fn kind_of(&self, side: Side) -> Option<ClassId> {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }

    /// The side of a kind, if it is known.
    #[must_use]
    pub fn side_of(&self, kind: ClassId) -> Option<Side> {
        match Some(kind) {
            k if k == self.first => Some(Side::First),
            k if k == self.second => Some(Side::Second),
            _ => None,
        }
    }

    /// Whether a kind can take part in the game that has come to this board.
    #[must_use]
    pub fn knows(&self, grid: &Grid, kind: ClassId) -> bool {
        let known = match (self.first, self.second) {
            (Some(first), Some(second)) => [Some(first), Some(second)],
            _ => grid.both().unwrap_or_default(),
        };
        known.contains(&None) || known.contains(&Some(kind))
    }

    /// Whose turn it is on a board of this game; `None` when that cannot be told.
    #[must_use]
    pub fn to_move(&self, grid: &Grid) -> Option<Side> {
        let pieces = grid.count();
        if pieces == 0 {
            return Some(Side::First);
        }
        let first = grid.count_of(self.first?);
        match first.checked_sub(pieces - first)? {
            0 => Some(Side::First),
            1 => Some(Side::Second),
            _ => None,
        }
    }

    /// What is known of the kind that moves next.
    #[must_use]
    pub fn turn(&self, grid: &Grid) -> Turn {
        match (self.to_move(grid), self.first, self.second) {
            // Who begins may have changed, whatever was said.
            (Some(_), ..) if grid.count() == 0 => self.beginner(),
            (_, Some(first), _) if self.is_unordered() => Turn::Rather(first),
            (Some(Side::First), Some(first), _) => Turn::Kind(first),
            (Some(Side::Second), _, Some(second)) => Turn::Kind(second),
            (Some(Side::Second), Some(first), None) => Turn::Not(first),
            _ => Turn::Any,
        }
    }

    /// What is known of the kind that begins.
    fn beginner(&self) -> Turn {
        match (self.first, self.told_mine().or(self.mine), self.ours) {
            (Some(first), ..) => Turn::Rather(first),
            (None, Some(mine), Some(Side::First)) => Turn::Rather(mine),
            (None, Some(mine), Some(Side::Second)) => Turn::RatherNot(mine),
            _ => Turn::Any,
        }
    }

    /// How long nothing must have happened before we make a move that is probably ours.
    #[must_use]
    pub fn courtesy(&self, grid: &Grid) -> Duration {
        let first = grid.pieces().next().map(|p| p.kind);
        match (self.proof, grid.count()) {
            _ if self.who.looks_on => Duration::ZERO,
            (Proof::None | Proof::Guess, 0) => COURTESY,
            _ if self.doubt == Some(Doubt::Order { late: false }) => COURTESY,
            _ if self.doubt == Some(Doubt::Order { late: true }) => UNANSWERED,
            _ if self.doubt == Some(Doubt::Owner { twice: true }) => OUR_COLOUR,
            _ if self.doubt == Some(Doubt::Owner { twice: false }) => UNANSWERED,
            (Proof::Guess, 1) if first == self.theirs => Duration::ZERO,
            (Proof::Guess, 1) if first == self.mine => OUR_COLOUR,
            (Proof::Guess, 1) => FIRST_SEEN,
            _ => Duration::ZERO,
        }
    }

    /// What is missing for a move on a board that is not over, in words; `None` when nothing is.
    #[must_use]
    pub fn missing(&self, grid: &Grid) -> Option<String> {
        let pieces = grid.count();
        if pieces == 0 {
            let unsure = self.ours == Some(Side::Second) && self.proof == Proof::Guess;
            return unsure.then(|| {
                "our first move had no effect, so it is for the other side to begin (say who \
                 begins: game.begins)"
                    .to_owned()
            });
        }
        if self.first.is_none() {
            let text = match grid.both() {
                Some([Some(a), Some(b)]) if grid.count_of(a) == grid.count_of(b) => format!(
                    "the game was joined in the middle, with as many {} as {}: it is not known \
                     whose turn it is until somebody moves (say who begins: game.begins)",
                    self.letter(a),
                    self.letter(b)
                ),
                _ => "no game has these numbers of pieces".to_owned(),
            };
            return Some(text);
        }
        if self.to_move(grid).is_none() {
            return Some("no game has these numbers of pieces".to_owned());
        }
        if self.ours.is_none() && !self.who.looks_on {
            return Some("it is not known which side is ours (say it: game.side)".to_owned());
        }
        None
    }
}
