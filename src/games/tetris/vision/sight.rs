//! What a single look says: the pile, the falling piece, the next piece, and how surely.
//!
//! Takes a reading and the system of pieces; remembers nothing. A piece in the air is told from
//! the pile by its shape and by nothing touching it; a piece that touches the pile has no outline
//! of its own, so every pose that its colour and its surroundings allow is given. Whoever knows
//! what was there before explains readings better than this.

use super::super::rules::{Kind, Pose, System};
use super::{FILLED, value};
use crate::types::Reading;

/// A cell that could not be read.
pub const DOUBT: u8 = u8::MAX;

/// Below this a pose is only an alternative.
const LIKELY: f32 = 0.5;

/// Alternatives kept at most.
const MOST: usize = 12;

/// A place where the falling piece may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// The pose.
    pub pose: Pose,
    /// 0 to 1.
    pub certainty: f32,
}

/// What was seen; its buffers are reused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sight {
    /// Columns and rows.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// All cells, row-major from the bottom row: 0 empty, 1 to 7 a kind, [`FILLED`] anything
    /// else, [`DOUBT`] unknown. The falling piece is among them.
    pub cells: Vec<u8>,
    /// The cells without [`Self::piece`].
    pub pile: Vec<u8>,
    /// The falling piece, if one is likely.
    pub piece: Option<Guess>,
    /// All poses that are possible, most likely first; the piece is the first of them.
    pub guesses: Vec<Guess>,
    /// The piece in the box beside the board.
    pub next: Option<Kind>,
    /// Lowest confidence of any cell of the board; 0 where one is unknown.
    pub confidence: f32,
}

impl Sight {
    /// Looks at a reading; what was seen before is forgotten.
    pub fn look(&mut self, reading: &Reading, system: &System) {
        let (cols, rows) = (reading.size.cols, reading.size.rows);
        (self.cols, self.rows) = (cols, rows);
        self.cells.clear();
        let width = usize::from(cols).max(1);
        for row in reading.cells.chunks(width).rev() {
            self.cells
                .extend(row.iter().map(|&c| value(c).unwrap_or(DOUBT)));
        }
        self.confidence = reading.confidence();
        self.guesses.clear();
        for kind in Kind::ALL {
            for turn in 0..system.turns_of(kind) {
                for y in -2..rows as i16 + 2 {
                    for x in -2..cols as i16 + 2 {
                        let pose = Pose { kind, turn, x, y };
                        self.guesses.extend(self.guess(pose, system));
                    }
                }
            }
        }
        self.guesses
            .sort_by(|a, b| b.certainty.total_cmp(&a.certainty));
        self.guesses.truncate(MOST);
        self.compare(system);
        self.piece = self
            .guesses
            .first()
            .copied()
            .filter(|g| g.certainty >= LIKELY);
        self.pile.clone_from(&self.cells);
        if let Some(piece) = self.piece {
            for (x, y) in system.cells(piece.pose) {
                if let Some(i) = self.index(x, y) {
                    self.pile[i] = 0;
                }
            }
        }
        self.next = next(reading, system);
    }

    fn index(&self, x: i16, y: i16) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < self.cols as i16 && y < self.rows as i16;
        inside.then(|| y as usize * usize::from(self.cols) + x as usize)
    }

    fn at(&self, x: i16, y: i16) -> Option<u8> {
        self.index(x, y).map(|i| self.cells[i])
    }

    /// How likely a pose is on its own; `None` if it is impossible.
    fn guess(&self, pose: Pose, system: &System) -> Option<Guess> {
        let cells = system.cells(pose);
        let mut coloured = 0;
        for (x, y) in cells {
            match self.at(x, y)? {
                0 | DOUBT => return None,
                FILLED => {}
                v if v == pose.kind.number() => coloured += 1,
                _ => return None,
            }
        }
        let (mut touching, mut below, mut doubt) = (0, false, false);
        for (x, y) in cells {
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let (nx, ny) = (x + dx, y + dy);
                if cells.contains(&(nx, ny)) {
                    continue;
                }
                match self.at(nx, ny) {
                    None => below |= dy < 0,
                    Some(0) => {}
                    Some(DOUBT) => doubt = true,
                    Some(_) => {
                        touching += 1;
                        below |= dy < 0;
                    }
                }
            }
        }
        // What falls has come from above.
        let covered = cells.iter().any(|&(x, y)| {
            (y + 1..self.rows as i16)
                .any(|above| !cells.contains(&(x, above)) && self.at(x, above) != Some(0))
        });
        let mut certainty = match (touching, below) {
            (0, false) => 0.97,
            (0, true) => 0.65,
            (_, false) => 0.6,
            (_, true) => 0.4,
        };
        certainty -= 0.02 * touching as f32;
        if coloured == 4 {
            certainty += 0.2 * (1.0 - certainty);
        } else if touching > 0 {
            // Any four cells of the surface would do.
            certainty *= 0.6;
        }
        if covered {
            certainty *= 0.5;
        }
        if doubt {
            certainty *= 0.7;
        }
        Some(Guess { pose, certainty })
    }

    /// Guesses that contradict each other make each other less certain; of the rest that a
    /// removed row may leave in the air, the falling piece is likely the highest.
    fn compare(&mut self, system: &System) {
        let Some(first) = self.guesses.first().copied() else {
            return;
        };
        let top = |g: &Guess| system.cells(g.pose).iter().map(|c| c.1).max();
        let near = |g: &Guess| g.certainty > first.certainty - 0.05;
        let mut best = 0;
        for (i, g) in self.guesses.iter().enumerate() {
            if near(g) && top(g) > top(&self.guesses[best]) {
                best = i;
            }
        }
        self.guesses[..=best].rotate_right(1);
        let chosen = self.guesses[0];
        let mut mine = system.cells(chosen.pose);
        mine.sort_unstable();
        let rival = self.guesses[1..]
            .iter()
            .filter(|g| {
                // The same cells in another orientation are the same piece.
                let mut cells = system.cells(g.pose);
                cells.sort_unstable();
                cells != mine
            })
            .map(|g| g.certainty)
            .fold(0.0, f32::max);
        self.guesses[0].certainty *= 1.0 - 0.4 * (rival / chosen.certainty).powi(3).min(1.0);
    }
}

/// The piece in the first grid beside the board: four cells in the shape of a piece.
fn next(reading: &Reading, system: &System) -> Option<Kind> {
    // The box of the standard is 4x2, others show 4x4.
    let cols = 4;
    let mut seen = [(0i8, 0i8); 4];
    let mut n = 0;
    let mut colour = None;
    for (i, &cell) in reading.beside.iter().enumerate() {
        match value(cell)? {
            0 => {}
            v => {
                *seen.get_mut(n)? = ((i % cols) as i8, -((i / cols) as i8));
                n += 1;
                colour = Kind::from_number(v);
            }
        }
    }
    if n != 4 {
        return None;
    }
    let seen = settled(seen);
    let of_shape = |k: &Kind| system.turns[k.index()].iter().any(|t| settled(*t) == seen);
    Kind::ALL
        .into_iter()
        .find(of_shape)
        .filter(|k| colour.is_none_or(|c| c == *k))
}

/// Cells moved so that the lowest coordinates are 0, in order.
fn settled(cells: [(i8, i8); 4]) -> [(i8, i8); 4] {
    let x = cells.iter().map(|c| c.0).min().unwrap_or(0);
    let y = cells.iter().map(|c| c.1).min().unwrap_or(0);
    let mut cells = cells.map(|c| (c.0 - x, c.1 - y));
    cells.sort_unstable();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{CellReading, GridSize, Label};

    fn reading(board: &str, beside: &str) -> Reading {
        let rows: Vec<&str> = board.split('/').collect();
        let cell = |c: char| CellReading {
            label: match c {
                '?' => Label::Unknown,
                '.' => Label::Class(0),
                c => Label::Class(Kind::from_letter(c).map_or(FILLED, Kind::number)),
            },
            confidence: if c == '?' { 0.0 } else { 0.9 },
        };
        Reading {
            size: GridSize::new(rows[0].len() as u16, rows.len() as u16),
            cells: rows.concat().chars().map(cell).collect(),
            beside: beside.chars().filter(|c| *c != '/').map(cell).collect(),
        }
    }

    fn look(board: &str, beside: &str) -> Sight {
        let mut sight = Sight::default();
        sight.look(&reading(board, beside), &System::standard());
        sight
    }

    fn pile(sight: &Sight) -> String {
        let rows: Vec<String> = sight
            .pile
            .chunks(usize::from(sight.cols))
            .rev()
            .map(|r| r.iter().map(|&v| if v == 0 { '.' } else { '#' }).collect())
            .collect();
        rows.join("/")
    }

    #[test]
    fn a_piece_in_the_air_is_told_from_the_pile_without_colours() {
        let s = look("....##/...##./....../#...../##..##/###.##", ".###/..#.");
        let g = s.piece.expect("a piece");
        assert_eq!((g.pose.kind, g.pose.turn), (Kind::S, 0));
        assert_eq!((g.pose.x, g.pose.y), (4, 5));
        assert!(g.certainty > 0.9, "{g:?}");
        assert_eq!(pile(&s), "....../....../....../#...../##..##/###.##");
        assert_eq!(s.next, Some(Kind::T));
    }

    #[test]
    fn a_piece_on_the_pile_is_one_of_several() {
        let s = look("....../....../..##../..##../######/#.####", "....../..");
        assert!(s.piece.is_none_or(|g| g.certainty < 0.7), "{:?}", s.piece);
        assert!(s.guesses.iter().any(|g| g.pose.kind == Kind::O));
        let coloured = look("....../....../..OO../..OO../SSZZLL/S.ZZTT", "");
        let first = coloured.guesses[0];
        assert_eq!((first.pose.kind, first.pose.y), (Kind::O, 3));
        assert!(first.certainty < 0.9, "it may have landed: {first:?}");
    }

    #[test]
    fn of_two_in_the_air_the_upper_one_falls_but_less_surely() {
        let s = look(".##.../.##.../....../...##./...##./....../#.####", "");
        let g = s.piece.expect("a piece");
        assert_eq!((g.pose.kind, g.pose.y), (Kind::O, 6));
        assert!((0.4..0.8).contains(&g.certainty), "{g:?}");
    }

    #[test]
    fn doubt_and_nonsense_are_no_piece() {
        let s = look("..#?../..##../....../....../#....#", "##??/....");
        assert_eq!((s.piece, s.next), (None, None));
        assert_eq!(s.confidence, 0.0);
        assert_eq!(look("....../....../....../......", ".##./.#..").next, None);
    }
}
