//! The exact search: every solution, none twice.
//!
//! What keeps it small: all squares are looked at at once, as sets. For each kind of figure the
//! set of places where it still fits is an AND of shifted sets of free squares; added up, these
//! say which squares no figure can cover (a dead end), one, two or three. The square with the
//! fewest is tried first. A kind with fewer places than figures left is a dead end too. What has
//! once turned out to have no solution is looked up when it comes again ([`Dead`]).

use super::dead::Dead;
use super::word::Word;
use super::{Outcome, TriplexPolicy};
use crate::games::gauge::Gauge;
use crate::games::triplex::rules::{Figure, Level, MOST_SQUARES, Placement, Tiling};
use crate::types::{Budget, Cell, GridSize};

/// Lays figures until all is covered.
#[derive(Clone, Debug, Default)]
pub struct Exact {
    in_reading_order: bool,
}

impl Exact {
    /// The square with the fewest possibilities first.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The first free square first, and no dead end seen before it is reached.
    #[must_use]
    pub const fn reading() -> Self {
        Self {
            in_reading_order: true,
        }
    }
}

impl TriplexPolicy for Exact {
    fn name(&self) -> &str {
        if self.in_reading_order {
            "reading"
        } else {
            "exact"
        }
    }

    fn solve(
        &mut self,
        level: &Level,
        budget: &Budget,
        found: &mut dyn FnMut(Tiling) -> bool,
    ) -> Outcome {
        let mut gauge = Gauge::start(budget);
        if level.field().size().len() <= 64 {
            solve::<u64>(level, self.in_reading_order, &mut gauge, found)
        } else {
            solve::<u128>(level, self.in_reading_order, &mut gauge, found)
        }
    }
}

/// A kind of figure on one field: a place is the number of the square its first square lies on.
struct Kind<W> {
    figure: Figure,
    /// Its squares, from its first.
    squares: W,
    /// How far each square is from the first, in numbers.
    offsets: [u32; MOST_SQUARES],
    len: usize,
    /// Places on an empty field.
    places: W,
    left: u32,
    /// How far its first square is from the corner of its box, in numbers.
    corner: u32,
}

/// How squares are numbered: along the shorter side, so that what is free stays together.
#[derive(Clone, Copy)]
struct Numbers {
    /// Along a line, and how many lines.
    along: u32,
    lines: u32,
    by_columns: bool,
}

impl Numbers {
    fn of(size: GridSize) -> Self {
        let (cols, rows) = (u32::from(size.cols), u32::from(size.rows));
        Self {
            along: cols.min(rows),
            lines: cols.max(rows),
            by_columns: cols > rows,
        }
    }

    /// Place along its line and line of a cell.
    fn split(self, cell: Cell) -> (u32, u32) {
        let (col, row) = (u32::from(cell.col), u32::from(cell.row));
        if self.by_columns {
            (row, col)
        } else {
            (col, row)
        }
    }

    fn number(self, cell: Cell) -> u32 {
        let (at, line) = self.split(cell);
        line * self.along + at
    }

    fn cell(self, number: u32) -> Cell {
        // Below 128, as all numbers of squares.
        let (at, line) = ((number % self.along) as u16, (number / self.along) as u16);
        if self.by_columns {
            Cell::new(line, at)
        } else {
            Cell::new(at, line)
        }
    }
}

fn kind<W: Word>(figure: Figure, count: u16, numbers: Numbers, free: W) -> Kind<W> {
    let (width, height) = numbers.split(Cell::new(figure.width(), figure.height()));
    let mut kind = Kind {
        figure,
        squares: W::EMPTY,
        offsets: [0; MOST_SQUARES],
        len: figure.squares(),
        places: W::EMPTY,
        left: count.into(),
        corner: 0,
    };
    if width > numbers.along || height > numbers.lines {
        return kind;
    }
    let mut squares: Vec<u32> = figure.cells().map(|c| numbers.number(c)).collect();
    squares.sort_unstable();
    kind.corner = squares[0];
    for (to, square) in kind.offsets.iter_mut().zip(&squares) {
        *to = square - squares[0];
        kind.squares |= W::FIRST << *to;
    }
    for line in 0..=numbers.lines - height {
        for at in 0..=numbers.along - width {
            let place = line * numbers.along + at + kind.corner;
            if (kind.squares << place) & !free == W::EMPTY {
                kind.places |= W::FIRST << place;
            }
        }
    }
    kind
}

fn solve<W: Word>(
    level: &Level,
    in_reading_order: bool,
    gauge: &mut Gauge,
    found: &mut dyn FnMut(Tiling) -> bool,
) -> Outcome {
    let size = level.field().size();
    let numbers = Numbers::of(size);
    let mut free = W::EMPTY;
    for cell in size.cells().filter(|&c| level.field().is_free(c)) {
        free |= W::FIRST << numbers.number(cell);
    }
    let mut outcome = Outcome {
        iterations: 0,
        solutions: 0,
        complete: true,
    };
    for stock in level.stocks() {
        let kinds: Vec<Kind<W>> = stock
            .iter()
            .map(|&(f, n)| kind(f, n, numbers, free))
            .collect();
        let counts = kinds.iter().enumerate();
        let mut search = Search {
            stock: counts.fold(0, |sum, (i, k)| {
                sum + Dead::<W>::one(i) * u128::from(k.left)
            }),
            dead: Dead::new(free, kinds.len()),
            kinds,
            laid: Vec::with_capacity(level.figures()),
            outcome,
            numbers,
            gauge: &mut *gauge,
            found: &mut *found,
        };
        let went_on = if in_reading_order {
            search.read_on(free)
        } else {
            search.cover(free)
        };
        outcome = search.outcome;
        if !went_on {
            outcome.complete = false;
            break;
        }
    }
    outcome
}

struct Search<'a, 'b, W> {
    kinds: Vec<Kind<W>>,
    /// Kind and place of the figures laid down.
    laid: Vec<(usize, u32)>,
    dead: Dead<W>,
    /// How many are left of each kind, as [`Dead`] takes it.
    stock: u128,
    outcome: Outcome,
    numbers: Numbers,
    gauge: &'a mut Gauge<'b>,
    found: &'a mut dyn FnMut(Tiling) -> bool,
}

impl<W: Word> Search<'_, '_, W> {
    /// Covers the free squares in every way; false when told to stop.
    fn cover(&mut self, free: W) -> bool {
        if free == W::EMPTY {
            return self.report();
        }
        let slot = self.dead.slot(free, self.stock);
        if slot.is_some_and(|s| self.dead.holds(s, free, self.stock)) {
            return true;
        }
        let before = self.outcome.solutions;
        let go_on = self.cover_tightest(free);
        if let Some(slot) = slot.filter(|_| go_on && self.outcome.solutions == before) {
            self.dead.insert(slot, free, self.stock);
        }
        go_on
    }

    /// Lays all figures on the square that the fewest can cover.
    fn cover_tightest(&mut self, free: W) -> bool {
        // Squares that at least one, two, three figures can cover.
        let (mut one, mut two, mut three) = (W::EMPTY, W::EMPTY, W::EMPTY);
        for kind in self.kinds.iter().filter(|k| k.left > 0) {
            let mut places = kind.places & free;
            for &offset in &kind.offsets[1..kind.len] {
                places = places & (free >> offset);
            }
            if places.len() < kind.left {
                return true;
            }
            for &offset in &kind.offsets[..kind.len] {
                let covered = places << offset;
                three |= two & covered;
                two |= one & covered;
                one |= covered;
            }
        }
        if one != free {
            return true;
        }
        let few = [free & !two, free & !three, free];
        let few = few.iter().find(|&&set| set != W::EMPTY).unwrap_or(&free);
        self.lay_on(few.lowest(), free, Self::cover)
    }

    /// Covers the first free square in every way, and so on; false when told to stop.
    fn read_on(&mut self, free: W) -> bool {
        if free == W::EMPTY {
            return self.report();
        }
        let square = free.lowest();
        for i in 0..self.kinds.len() {
            if !self.lay(i, square, free, Self::read_on) {
                return false;
            }
        }
        true
    }

    /// Lays each figure in each way that covers a square.
    #[inline]
    fn lay_on(&mut self, square: u32, free: W, next: fn(&mut Self, W) -> bool) -> bool {
        for i in 0..self.kinds.len() {
            for j in 0..self.kinds[i].len {
                let offset = self.kinds[i].offsets[j];
                if offset > square {
                    break;
                }
                if !self.lay(i, square - offset, free, next) {
                    return false;
                }
            }
        }
        true
    }

    /// Lays a figure if it fits and is there, and goes on.
    #[inline]
    fn lay(&mut self, i: usize, place: u32, free: W, next: fn(&mut Self, W) -> bool) -> bool {
        let kind = &mut self.kinds[i];
        let squares = kind.squares << place;
        let fits = (kind.places >> place) & W::FIRST != W::EMPTY && squares & !free == W::EMPTY;
        if kind.left == 0 || !fits {
            return true;
        }
        kind.left -= 1;
        self.stock -= Dead::<W>::one(i);
        self.laid.push((i, place));
        self.outcome.iterations += 1;
        let go_on = self.gauge.node() && next(self, free & !squares);
        self.laid.pop();
        self.kinds[i].left += 1;
        self.stock += Dead::<W>::one(i);
        go_on
    }

    fn report(&mut self) -> bool {
        self.outcome.solutions += 1;
        let placements = self.laid.iter().map(|&(i, place)| {
            let kind = &self.kinds[i];
            Placement {
                figure: kind.figure,
                at: self.numbers.cell(place - kind.corner),
            }
        });
        let tiling = Tiling::new(placements.collect());
        (self.found)(tiling)
    }
}
