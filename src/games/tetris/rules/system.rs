//! How pieces are made, appear and turn. The standard is one such system; other programs have
//! theirs, described by data, so that belief and planning are the same for all of them.

use std::borrow::Cow;

use super::kind::Kind;

/// A cell relative to a piece's origin: x to the right, y up.
pub type Offset = (i8, i8);

/// Where a piece is: its kind, its orientation and the board cell of its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pose {
    /// The kind.
    pub kind: Kind,
    /// Index into the system's orientations of that kind; 0 is the one it appears in.
    pub turn: u8,
    /// Column of the origin, from 0 at the left.
    pub x: i16,
    /// Row of the origin, from 0 at the bottom.
    pub y: i16,
}

impl Pose {
    /// The same piece shifted.
    #[must_use]
    pub const fn moved(self, dx: i16, dy: i16) -> Self {
        Self {
            x: self.x + dx,
            y: self.y + dy,
            ..self
        }
    }
}

/// The orientations of all kinds, where they appear, and what turning does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// Its name in profiles.
    pub name: Cow<'static, str>,
    /// For each kind (by [`Kind::index`]) its orientations in the order in which the rotate key
    /// goes through them, the one it appears in first: 1 to 4 of them.
    pub turns: [Cow<'static, [[Offset; 4]]>; 7],
    /// For each kind the origin where it appears: x from the column `cols / 2`, y from the top
    /// row (0 is the top row, -1 the one below it, 1 above the board).
    pub spawn: [Offset; 7],
    /// Shifts tried in order when a turned piece does not fit; the first that fits is taken. The
    /// plain turn is tried before and not listed here. Empty: no kicks.
    pub kicks: Cow<'static, [Offset]>,
    /// For each kind further ways in which it may appear, as likely as the one above: the
    /// orientation and its origin, counted like [`Self::spawn`]. Empty in the standard.
    pub also: [Cow<'static, [(u8, Offset)]>; 7],
    /// Whether a piece may reach above the top row, where nothing of it is seen. Not so in the
    /// standard.
    pub open_top: bool,
    /// Whether a shift is shown as a slide while a turn is shown at once, so that a turn can be
    /// seen before the shift it came after.
    pub slides: bool,
}

/// The standard's table: cells relative to the origin, counter-clockwise from the first.
static STANDARD: [&[[Offset; 4]]; 7] = [
    &[[(-1, 0), (0, 0), (-1, -1), (0, -1)]],
    &[
        [(-2, 0), (-1, 0), (0, 0), (1, 0)],
        [(0, -2), (0, -1), (0, 0), (0, 1)],
    ],
    &[
        [(0, 0), (1, 0), (-1, -1), (0, -1)],
        [(1, -1), (0, 0), (1, 0), (0, 1)],
    ],
    &[
        [(-1, 0), (0, 0), (0, -1), (1, -1)],
        [(0, -1), (0, 0), (1, 0), (1, 1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (-1, -1)],
        [(0, -1), (1, -1), (0, 0), (0, 1)],
        [(-1, 0), (0, 0), (1, 0), (1, 1)],
        [(0, -1), (0, 0), (-1, 1), (0, 1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (1, -1)],
        [(0, -1), (0, 0), (0, 1), (1, 1)],
        [(-1, 0), (0, 0), (1, 0), (-1, 1)],
        [(-1, -1), (0, -1), (0, 0), (0, 1)],
    ],
    &[
        [(-1, 0), (0, 0), (1, 0), (0, -1)],
        [(0, -1), (0, 0), (1, 0), (0, 1)],
        [(-1, 0), (0, 0), (1, 0), (0, 1)],
        [(0, -1), (-1, 0), (0, 0), (0, 1)],
    ],
];

fn at_top(kind: Kind, turn: u8, (dx, dy): Offset, cols: u16, rows: u16) -> Pose {
    Pose {
        kind,
        turn,
        x: (cols / 2) as i16 + i16::from(dx),
        y: rows as i16 - 1 + i16::from(dy),
    }
}

impl System {
    /// The standard: counter-clockwise, no kicks, pieces appear touching the top row around
    /// the middle.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            name: Cow::Borrowed("standard"),
            turns: STANDARD.map(Cow::Borrowed),
            spawn: [(0, 0); 7],
            kicks: Cow::Borrowed(&[]),
            also: [const { Cow::Borrowed(&[] as &[(u8, Offset)]) }; 7],
            open_top: false,
            slides: false,
        }
    }

    /// How many orientations a kind has.
    #[must_use]
    pub fn turns_of(&self, kind: Kind) -> u8 {
        // Four at most.
        self.turns[kind.index()].len() as u8
    }

    /// Where a piece appears on a board of this size.
    #[must_use]
    pub fn spawn(&self, kind: Kind, cols: u16, rows: u16) -> Pose {
        at_top(kind, 0, self.spawn[kind.index()], cols, rows)
    }

    /// Every pose in which a piece of this kind may appear; several of them may look the same.
    pub fn spawns(&self, kind: Kind, cols: u16, rows: u16) -> impl Iterator<Item = Pose> + '_ {
        let others = self.also[kind.index()].iter();
        std::iter::once(self.spawn(kind, cols, rows))
            .chain(others.map(move |&(turn, at)| at_top(kind, turn, at, cols, rows)))
    }

    /// The four cells (x, y) of a piece.
    #[must_use]
    pub fn cells(&self, pose: Pose) -> [(i16, i16); 4] {
        let turns = &self.turns[pose.kind.index()];
        turns[usize::from(pose.turn) % turns.len()]
            .map(|(dx, dy)| (pose.x + i16::from(dx), pose.y + i16::from(dy)))
    }

    /// The cells of a piece in the order of the board, bottom row first.
    fn sorted(&self, pose: Pose) -> [(i16, i16); 4] {
        let mut cells = self.cells(pose);
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        cells
    }

    /// Whether two poses fill the same cells.
    #[must_use]
    pub fn same_cells(&self, a: Pose, b: Pose) -> bool {
        self.sorted(a) == self.sorted(b)
    }

    /// The poses of other orientations that fill the same cells: nobody can see which it is,
    /// until it turns.
    pub fn twins(&self, pose: Pose) -> impl Iterator<Item = Pose> + '_ {
        let here = self.sorted(pose);
        (0..self.turns_of(pose.kind))
            .filter(move |&turn| turn != pose.turn)
            .filter_map(move |turn| {
                let other = Pose { turn, ..pose };
                let there = self.sorted(other);
                let other = other.moved(here[0].0 - there[0].0, here[0].1 - there[0].1);
                (self.sorted(other) == here).then_some(other)
            })
    }

    /// The piece after one press of the rotate key where nothing is in its way.
    #[must_use]
    pub fn turned(&self, pose: Pose) -> Pose {
        Pose {
            turn: (pose.turn + 1) % self.turns_of(pose.kind).max(1),
            ..pose
        }
    }
}
