//! Solutions: where each figure lies, and whether that solves a level.

use super::field::Field;
use super::figure::{Figure, FigureError};
use super::level::Level;
use crate::types::{BoardText, Cell, GridSize};

/// A figure on a field: the top left corner of its box is at `at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The figure.
    pub figure: Figure,
    /// Where its box begins.
    pub at: Cell,
}

impl Placement {
    /// The squares it covers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let at = self.at;
        self.figure
            .cells()
            .map(move |c| Cell::new(c.col.saturating_add(at.col), c.row.saturating_add(at.row)))
    }

    /// Its first square, row-major.
    fn first(&self) -> (u16, u16) {
        self.cells().next().map_or((0, 0), |c| (c.row, c.col))
    }
}

/// Figures laid on a field, in the order of their first squares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tiling {
    placements: Vec<Placement>,
}

/// Why a tiling solves no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A square that is covered twice, or outside, or not free.
    #[error("figure {number} (`{figure}`) lies on column {}, row {}, which is not free", .cell.col + 1, .cell.row + 1)]
    Covered {
        /// Its number in the tiling, from 1.
        number: usize,
        /// The figure.
        figure: Figure,
        /// The square.
        cell: Cell,
    },
    /// A square that nothing lies on.
    #[error("column {}, row {} is left free", .0.col + 1, .0.row + 1)]
    Free(Cell),
    /// Other figures than the level's.
    #[error("`{figure}` is used {used} times and the level has {there}")]
    Stock {
        /// The figure.
        figure: Figure,
        /// Times it is used.
        used: usize,
        /// Times it is there.
        there: usize,
    },
    /// A text that shows no tiling of the field.
    #[error("{0}")]
    Text(String),
}

impl Tiling {
    /// A tiling of these placements.
    #[must_use]
    pub fn new(mut placements: Vec<Placement>) -> Self {
        placements.sort_unstable_by_key(Placement::first);
        Self { placements }
    }

    /// The figures, in the order of their first squares.
    #[must_use]
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Whether it solves a level.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, level: &Level) -> Result<(), Wrong> {
        let field = level.field();
        let mut taken = vec![false; field.size().len()];
        for (i, placement) in self.placements.iter().enumerate() {
            for cell in placement.cells() {
                let fresh = field.is_free(cell)
                    && !std::mem::replace(&mut taken[field.size().index(cell)], true);
                if !fresh {
                    return Err(Wrong::Covered {
                        number: i + 1,
                        figure: placement.figure,
                        cell,
                    });
                }
            }
        }
        let free = |&c: &Cell| field.is_free(c) && !taken[field.size().index(c)];
        if let Some(cell) = field.size().cells().find(free) {
            return Err(Wrong::Free(cell));
        }
        let mut used: Vec<Figure> = self.placements.iter().map(|p| p.figure).collect();
        used.sort_unstable();
        let mut first = None;
        for stock in level.stocks() {
            let wanted = stock.iter();
            let wanted = wanted.flat_map(|&(f, n)| std::iter::repeat_n(f, n.into()));
            if wanted.clone().eq(used.iter().copied()) {
                return Ok(());
            }
            first.get_or_insert_with(|| stock_differs(&used, &wanted.collect::<Vec<_>>()));
        }
        Err(first.unwrap_or_else(|| Wrong::Text("the level has no figures".to_owned())))
    }

    /// Whether a straight line across the whole field cuts no figure.
    #[must_use]
    pub fn has_straight_cut(&self, size: GridSize) -> bool {
        let mut cut_cols = vec![false; usize::from(size.cols)];
        let mut cut_rows = vec![false; usize::from(size.rows)];
        for placement in &self.placements {
            // A line left of `cut_cols[i]` goes through a figure that is on both of its sides.
            let (at, figure) = (placement.at, placement.figure);
            for i in at.col + 1..at.col + figure.width() {
                cut_cols[usize::from(i)] = true;
            }
            for i in at.row + 1..at.row + figure.height() {
                cut_rows[usize::from(i)] = true;
            }
        }
        cut_cols[1..].contains(&false) || cut_rows[1..].contains(&false)
    }

    /// The field with the figures on it: a letter for each figure, never that of a neighbour.
    #[must_use]
    pub fn text(&self, field: &Field) -> BoardText {
        const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let size = field.size();
        let mut cells = field.cells().to_vec();
        let mut next = 0;
        for placement in &self.placements {
            let mut beside = [false; 256];
            for cell in placement.cells() {
                neighbours(size, cell).for_each(|n| {
                    beside[usize::from(cells[size.index(n)])] = true;
                });
            }
            let on_field = |letter: u8| field.cells().contains(&letter);
            let free = |letter: u8| !beside[usize::from(letter)] && !on_field(letter);
            let letters = (0..LETTERS.len()).map(|i| LETTERS[(next + i) % LETTERS.len()]);
            // A figure has fewer than 52 neighbours; a field with all letters on it may lack one.
            let letter = letters.clone().find(|&l| free(l));
            let letter = letter.or_else(|| letters.clone().find(|&l| !beside[usize::from(l)]));
            let letter = letter.unwrap_or(b'#');
            next = LETTERS
                .iter()
                .position(|&l| l == letter)
                .map_or(0, |i| i + 1);
            for cell in placement.cells() {
                if field.is_free(cell) {
                    cells[size.index(cell)] = letter;
                }
            }
        }
        BoardText::from_cells(size.cols.into(), cells.into_iter().map(char::from))
    }

    /// Reads what [`Tiling::text`] writes: on the free squares of the field, equal characters
    /// beside one another are one figure.
    ///
    /// # Errors
    /// When the text has not the field's shape, shows something else where pieces lie, leaves a
    /// square free or shows more squares in one piece than a figure has.
    pub fn from_text(field: &Field, text: &str) -> Result<Self, Wrong> {
        let size = field.size();
        let shown = Field::parse(text).map_err(|e| Wrong::Text(e.to_string()))?;
        if shown.size() != size {
            return Err(Wrong::Text(format!(
                "the solution is {} and the field is {size}",
                shown.size()
            )));
        }
        let mut placements = Vec::new();
        let mut seen = vec![false; size.len()];
        for cell in size.cells() {
            let i = size.index(cell);
            if !field.is_free(cell) {
                if shown.cells()[i] != field.cells()[i] {
                    return Err(Wrong::Text(format!(
                        "column {}, row {} is `{}` on the field and `{}` in the solution",
                        cell.col + 1,
                        cell.row + 1,
                        char::from(field.cells()[i]),
                        char::from(shown.cells()[i])
                    )));
                }
                continue;
            }
            if shown.is_free(cell) {
                return Err(Wrong::Free(cell));
            }
            if std::mem::replace(&mut seen[i], true) {
                continue;
            }
            let mut piece = vec![cell];
            let mut at = 0;
            while at < piece.len() {
                for n in neighbours(size, piece[at]) {
                    let j = size.index(n);
                    if field.is_free(n) && shown.cells()[j] == shown.cells()[i] && !seen[j] {
                        seen[j] = true;
                        piece.push(n);
                    }
                }
                at += 1;
            }
            let figure = Figure::new(&piece).map_err(|e: FigureError| {
                Wrong::Text(format!(
                    "`{}` from column {}, row {}: {e}",
                    char::from(shown.cells()[i]),
                    cell.col + 1,
                    cell.row + 1
                ))
            })?;
            let left = piece.iter().map(|c| c.col).min().unwrap_or(0);
            // The first square met is in the top row.
            let at = Cell::new(left, cell.row);
            placements.push(Placement { figure, at });
        }
        Ok(Self::new(placements))
    }
}

fn stock_differs(used: &[Figure], wanted: &[Figure]) -> Wrong {
    let count = |list: &[Figure], f: Figure| list.iter().filter(|&&g| g == f).count();
    let differs = |f: &&Figure| count(used, **f) != count(wanted, **f);
    let figure = used.iter().chain(wanted).find(differs).or(used.first());
    match figure {
        Some(&figure) => Wrong::Stock {
            figure,
            used: count(used, figure),
            there: count(wanted, figure),
        },
        None => Wrong::Text("there are no figures".to_owned()),
    }
}

fn neighbours(size: GridSize, cell: Cell) -> impl Iterator<Item = Cell> {
    let left = cell.col.checked_sub(1).map(|c| Cell::new(c, cell.row));
    let up = cell.row.checked_sub(1).map(|r| Cell::new(cell.col, r));
    let right = (cell.col + 1 < size.cols).then(|| Cell::new(cell.col + 1, cell.row));
    let down = (cell.row + 1 < size.rows).then(|| Cell::new(cell.col, cell.row + 1));
    [left, up, right, down].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(field: &str, figures: &str, turnable: Option<&str>) -> Level {
        let figures = figures
            .split(' ')
            .map(|t| (t.parse().expect("a figure"), 1));
        let turnable = turnable.map(|t| t.parse().expect("a figure"));
        Level::new(Field::parse(field).expect("a field"), figures, turnable).expect("a level")
    }

    #[test]
    fn a_solution_is_checked_square_by_square() {
        let level = level("3x2", "xx x/x xx", None);
        let check = |text: &str| Tiling::from_text(level.field(), text)?.check(&level);
        assert_eq!(check("aab/ccb"), Ok(()));
        assert_eq!(check("baa/bcc"), Ok(()));
        assert!(matches!(check("abc/abc"), Err(Wrong::Stock { .. })));
        assert!(matches!(check("aab/c.b"), Err(Wrong::Free(_))));
        assert!(matches!(check("aa/cc"), Err(Wrong::Text(_))));
        assert!(
            matches!(check("aaa/aaa"), Err(Wrong::Text(_))),
            "six squares"
        );
        let domino = |col, row| Placement {
            figure: "xx".parse().expect("a figure"),
            at: Cell::new(col, row),
        };
        let twice = Tiling::new(vec![domino(0, 0), domino(1, 0), domino(0, 1)]);
        assert!(matches!(twice.check(&level), Err(Wrong::Covered { .. })));
        let outside = Tiling::new(vec![domino(u16::MAX, u16::MAX)]);
        assert!(matches!(outside.check(&level), Err(Wrong::Covered { .. })));
    }

    #[test]
    fn the_turnable_figure_may_lie_in_any_way() {
        let level = level("3x3", "xx xx xx", Some("xxx"));
        let check = |text: &str| Tiling::from_text(level.field(), text)?.check(&level);
        assert_eq!(check("aad/bbd/ccd"), Ok(()));
        assert!(check("aaa/bbc/ddc").is_err(), "one domino stands");
    }

    #[test]
    fn pieces_on_the_field_stay() {
        let level = level("a../abb", "xx", None);
        let check = |text: &str| Tiling::from_text(level.field(), text)?.check(&level);
        assert_eq!(check("acc/abb"), Ok(()));
        assert_eq!(
            check("aaa/abb"),
            Ok(()),
            "letters do not join with the field's"
        );
        assert!(matches!(check("ccc/abb"), Err(Wrong::Text(_))));
        let tiling = Tiling::from_text(level.field(), "acc/abb").expect("a tiling");
        assert_eq!(tiling.text(level.field()).0, "acc/abb");
    }

    #[test]
    fn straight_cuts() {
        let cut = |text: &str| {
            let field = Field::new(Field::parse(text).expect("a field").size()).expect("a size");
            let tiling = Tiling::from_text(&field, text).expect("a tiling");
            tiling.has_straight_cut(field.size())
        };
        assert!(cut("aab/ccb"));
        assert!(cut("aabb/ccdd"));
        assert!(!cut("aab/cdb/cdd"), "a ring of corners and dominoes");
        assert!(cut("aab/acb/ccd/eed"), "left of the last column");
        assert!(!cut("aab/cab/cdd"));
    }
}
