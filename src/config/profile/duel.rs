//! The parts of a profile that only games of two sides need, from text and back.

use super::keys::key_names;
use super::read::Reader;
use super::write::Writer;
use crate::types::side::contradict;
use crate::types::{Beginner, SideName};

/// The games with two sides.
const GAMES: [&str; 2] = ["connect4", "gomoku"];

/// What is said of the sides, and how a move is made; `None` is worked out, or the usual one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duel {
    /// Which side is ours.
    pub side: Option<SideName>,
    /// Who begins.
    pub begins: Option<Beginner>,
    /// How many discs in a row win in Connect-4.
    pub row: Option<u16>,
    /// Whether six and more in a row do not win in five in a row.
    pub exact: bool,
    /// How a disc is dropped in Connect-4.
    pub drop: Drop,
}

/// How a disc is dropped into a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Drop {
    /// By clicking the hole in which it comes to lie.
    #[default]
    Hole,
    /// By clicking the uppermost hole of the column.
    Top,
    /// By a key for each column, from the left.
    Keys(Vec<String>),
    /// By keys that move a cursor over the columns and drop the disc.
    Cursor {
        /// A column to the left.
        left: String,
        /// A column to the right.
        right: String,
        /// Drops it.
        drop: String,
        /// Where the cursor stands before a move.
        stands: Stands,
    },
}

/// Where a cursor stands before a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stands {
    /// Anywhere.
    #[default]
    Anywhere,
    /// Over the disc that fell last, at first over the middle column.
    Last,
    /// Over the middle column.
    Middle,
}

const STANDS: [(Stands, &str); 3] = [
    (Stands::Anywhere, "anywhere"),
    (Stands::Last, "last"),
    (Stands::Middle, "middle"),
];

/// The names in `connect4.cursor`.
pub(super) const STANDS_NAMES: &[&str] = &["anywhere", "last", "middle"];

const CURSOR: [&str; 3] = ["connect4.left", "connect4.right", "connect4.drop"];

impl Reader<'_> {
    pub(super) fn duel(&mut self, game: &str, cols: Option<u16>) -> Duel {
        let of = |path: &str| match path.split_once('.') {
            Some(("connect4", _)) => Some(&GAMES[..1]),
            Some(("gomoku", _)) => Some(&GAMES[1..]),
            _ if path == "game.side" || path == "game.begins" => Some(&GAMES[..]),
            _ => None,
        };
        let misplaced: Vec<(usize, String)> = self
            .found
            .entries
            .iter()
            .filter_map(|e| {
                let games = of(&e.path).filter(|games| !games.contains(&game))?;
                Some((
                    e.line,
                    format!("{} is for {} only", e.path, games.join(" and ")),
                ))
            })
            .collect();
        for (line, text) in misplaced {
            self.problem(Some(line), text);
        }
        // The texts have passed their checks.
        let side = self.string("game.side").and_then(|t| t.parse().ok());
        let begins = self.string("game.begins").and_then(|t| t.parse().ok());
        self.agree(side, begins);
        Duel {
            side,
            begins,
            row: self.whole("connect4.row"),
            exact: self.string("gomoku.rule").as_deref() == Some("exact"),
            drop: self.drop(game, cols),
        }
    }

    fn agree(&mut self, side: Option<SideName>, begins: Option<Beginner>) {
        let line = self.found.get("game.begins").map(|e| e.line);
        if contradict(side, begins) {
            let text = "game.begins and game.side contradict each other: keep one of them";
            self.problem(line, text.into());
        }
    }

    fn drop(&mut self, game: &str, cols: Option<u16>) -> Drop {
        let top = self.string("controls.click").as_deref() == Some("top");
        let keys = self.string("connect4.keys").map(|text| key_names(&text));
        let cursor = CURSOR.map(|path| self.string(path));
        let given = cursor.iter().flatten().count();
        let line = |path: &str| self.found.get(path).map(|e| e.line);
        let (click, first) = (
            line("controls.click"),
            CURSOR.iter().find_map(|path| line(path)),
        );
        let (stands, keyed) = (line("connect4.cursor"), line("connect4.keys"));
        if top && game != "connect4" {
            self.problem(
                click,
                "controls.click = \"top\" is for connect4 only".into(),
            );
        }
        if usize::from(top) + usize::from(keys.is_some()) + usize::from(given > 0) > 1 {
            let text = "a move is made in one way: keep one of controls.click = \"top\", \
                        connect4.keys, and connect4.left with right and drop";
            self.problem(keyed.or(first), text.into());
        }
        if given > 0 && given < CURSOR.len() {
            let text = "connect4.left, connect4.right and connect4.drop belong together: give all \
                        or none";
            self.problem(first, text.into());
        }
        if given == 0 && stands.is_some() {
            let text = "connect4.cursor is used with connect4.left, right and drop only";
            self.problem(stands, text.into());
        }
        if let (Some(keys), Some(cols)) = (&keys, cols)
            && keys.len() != usize::from(cols)
        {
            let text = format!(
                "connect4.keys: {} keys for {cols} columns: give one for each",
                keys.len()
            );
            self.problem(keyed, text);
        }
        match (keys, cursor) {
            (Some(keys), _) => Drop::Keys(keys),
            (None, [Some(left), Some(right), Some(drop)]) => {
                let name = self.string("connect4.cursor");
                let stands = STANDS.iter().find(|(_, n)| Some(*n) == name.as_deref());
                Drop::Cursor {
                    left,
                    right,
                    drop,
                    stands: stands.map_or(Stands::Anywhere, |(s, _)| *s),
                }
            }
            _ if top => Drop::Top,
            _ => Drop::Hole,
        }
    }
}

impl Writer {
    pub(super) fn sides(&mut self, duel: &Duel) {
        self.maybe("game.side", duel.side.map(|s| s.to_string()));
        self.maybe("game.begins", duel.begins.map(|b| b.to_string()));
    }

    pub(super) fn duel(&mut self, duel: &Duel) {
        if duel.exact {
            self.put("gomoku.rule", "exact");
        }
        self.maybe("connect4.row", duel.row.map(i64::from));
        match &duel.drop {
            Drop::Hole | Drop::Top => {}
            Drop::Keys(keys) => self.put("connect4.keys", keys.join(" ")),
            Drop::Cursor {
                left,
                right,
                drop,
                stands,
            } => {
                self.put("connect4.left", left.as_str());
                self.put("connect4.right", right.as_str());
                self.put("connect4.drop", drop.as_str());
                let name = STANDS.iter().find(|(s, _)| s == stands);
                self.maybe("connect4.cursor", name.map(|(_, n)| *n));
            }
        }
    }
}
