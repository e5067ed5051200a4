//! The suite checked with nothing but the rules: every attack by fours or open threes, and every
//! empty cell as an answer to a three. Shares no code with the policies; slow, and on purpose
//! simple.

use anyhow::Context as _;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::super::missed::Missed;
use super::super::table::Table;
use super::suite::{Asked, KINDS, Kind};
use crate::cli::cpu::thread_time;
use crate::games::gomoku::rules::{Board, Rule, Square, Stone};
use crate::types::Cell;

/// The winner's stones, at most, of a win by fours and of one by threats. Where it is to be shown
/// that there is none by threats, fewer have to do.
const BY_FOURS: u32 = 9;
const BY_THREATS: u32 = 6;
const NONE_BY_THREATS: u32 = 4;

/// A board with a border of cells that are nobody's.
struct Plain {
    rule: Rule,
    width: isize,
    squares: Vec<Square>,
    empty: Vec<usize>,
    /// What is known of whole positions, so that none is looked at twice: by squares, who is to
    /// move, stones left, and whether threes count.
    known: FxHashMap<(Vec<Square>, Stone, u32, bool), bool>,
}

/// Positions to know at a time.
const KNOWN: usize = 200_000;

impl Plain {
    fn new(board: &Board) -> Self {
        let size = board.size();
        let width = isize::try_from(size.cols).unwrap_or(0) + 2;
        let cells = usize::from(size.cols + 2) * usize::from(size.rows + 2);
        let mut plain = Self {
            rule: board.rule(),
            width,
            squares: vec![Square::Blocked; cells],
            empty: Vec::new(),
            known: FxHashMap::default(),
        };
        for cell in size.cells() {
            let at = plain.index(cell);
            plain.squares[at] = board.at(cell);
            if board.at(cell) == Square::Empty {
                plain.empty.push(at);
            }
        }
        plain
    }

    fn index(&self, cell: Cell) -> usize {
        (usize::from(cell.row) + 1) * self.width.unsigned_abs() + usize::from(cell.col) + 1
    }

    fn steps(&self) -> [isize; 4] {
        [1, self.width, self.width + 1, self.width - 1]
    }

    /// Whether a stone here would make five.
    fn is_five(&self, at: usize, stone: Stone) -> bool {
        let own = Square::Stone(stone);
        self.steps().iter().any(|&step| {
            let along = |step: isize| {
                let mut n = 0;
                let mut q = at.wrapping_add_signed(step);
                while self.squares[q] == own {
                    n += 1;
                    q = q.wrapping_add_signed(step);
                }
                n
            };
            self.rule.wins(1 + along(step) + along(-step))
        })
    }

    fn fives(&self, stone: Stone) -> Vec<usize> {
        let free = |&at: &usize| self.squares[at] == Square::Empty;
        let cells = self.empty.iter().copied().filter(free);
        cells.filter(|&at| self.is_five(at, stone)).collect()
    }

    /// Cells of the line in this direction up to four away, as far as the board goes.
    fn line(&self, at: usize, step: isize) -> impl Iterator<Item = usize> + '_ {
        [step, -step].into_iter().flat_map(move |step| {
            (1..=4)
                .map(move |k| at.wrapping_add_signed(k * step))
                .take_while(|&q| self.squares[q] != Square::Blocked)
        })
    }

    /// Whether there are so many stones of this colour in some line through the cell.
    fn has_line(&self, at: usize, stone: Stone, count: usize) -> bool {
        let own = Square::Stone(stone);
        let full = |&step: &isize| {
            self.line(at, step)
                .filter(|&q| self.squares[q] == own)
                .count()
                >= count
        };
        self.steps().iter().any(full)
    }

    /// Where the stone that has just been put here could be made five.
    fn fives_through(&self, at: usize, stone: Stone) -> Vec<usize> {
        let mut cells: Vec<usize> = (self.steps().iter())
            .flat_map(|&step| self.line(at, step))
            .filter(|&q| self.squares[q] == Square::Empty && self.is_five(q, stone))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Whether the stone that has just been put here could become two fives with one more.
    fn is_three(&mut self, at: usize, stone: Stone) -> bool {
        let cells: Vec<usize> = (self.steps().iter())
            .flat_map(|&step| self.line(at, step))
            .filter(|&q| self.squares[q] == Square::Empty)
            .collect();
        cells.into_iter().any(|q| self.is_double(q, stone))
    }

    fn with<T>(&mut self, at: usize, stone: Stone, then: impl FnOnce(&mut Self) -> T) -> T {
        self.squares[at] = Square::Stone(stone);
        let result = then(self);
        self.squares[at] = Square::Empty;
        result
    }

    /// Whether the side to move wins with at most `left` stones of its own.
    fn wins(&mut self, stone: Stone, left: u32, threes: bool) -> bool {
        if left == 0 {
            return false;
        }
        if !self.fives(stone).is_empty() {
            return true;
        }
        let mut cells = match self.fives(stone.other())[..] {
            [] => self.empty.clone(),
            [only] => vec![only],
            _ => return false,
        };
        let free = |p: &Self, at: usize| p.squares[at] == Square::Empty;
        cells.retain(|&at| free(self, at) && self.has_line(at, stone, 2));
        if cells.is_empty() || left < 2 {
            return false;
        }
        // Open fours first: they need no search.
        let forced = !self.fives(stone.other()).is_empty();
        let open =
            |p: &mut Self, at: usize| p.with(at, stone, |p| p.fives_through(at, stone).len() > 1);
        if left >= 2 && !forced && cells.iter().any(|&at| open(self, at)) {
            return true;
        }
        let key = (self.squares.clone(), stone, left, threes);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        // Fours before threes.
        let mut wins = (cells.iter()).any(|&at| self.wins_by(at, stone, left, forced, false));
        wins = wins
            || threes
                && cells
                    .iter()
                    .any(|&at| self.wins_by(at, stone, left, forced, true));
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        self.known.insert(key, wins);
        wins
    }

    /// The same if it begins with this move. A stone that had to stop a four may keep up a threat
    /// that was there before.
    fn wins_by(&mut self, at: usize, stone: Stone, left: u32, forced: bool, threes: bool) -> bool {
        self.with(at, stone, |p| {
            if !p.fives(stone.other()).is_empty() {
                return false;
            }
            match p.fives_through(at, stone)[..] {
                [] if !threes || left < 3 => false,
                [] if p.is_three(at, stone) || forced && p.has_threat(stone) => {
                    p.no_answer(stone, left - 1)
                }
                [] => false,
                [answer] => p.with(answer, stone.other(), |p| {
                    p.wins(stone, left - 1, false) || threes && p.wins(stone, left - 1, true)
                }),
                _ => left >= 2,
            }
        })
    }

    /// Whether one stone more somewhere would give two ways to five.
    fn has_threat(&mut self, stone: Stone) -> bool {
        let cells = self.empty.clone();
        cells.into_iter().any(|q| self.is_double(q, stone))
    }

    /// Whether a stone here would give two ways to five.
    fn is_double(&mut self, at: usize, stone: Stone) -> bool {
        self.squares[at] == Square::Empty
            && self.has_line(at, stone, 3)
            && self.with(at, stone, |p| p.fives_through(at, stone).len() > 1)
    }

    /// Whether `stone` wins whatever the other side answers.
    fn no_answer(&mut self, stone: Stone, left: u32) -> bool {
        let mut cells = self.empty.clone();
        cells.retain(|&at| self.squares[at] == Square::Empty);
        // Those that are likely to be answers first, so that a threat that does not win is soon
        // seen not to.
        cells.sort_by_key(|&at| match () {
            () if self.is_double(at, stone) => 0,
            () if self.has_line(at, stone, 2) => 1,
            () => 2,
        });
        cells.into_iter().all(|at| {
            self.with(at, stone.other(), |p| {
                p.wins(stone, left.min(2), false)
                    || p.wins(stone, left, false)
                    || p.wins(stone, left, true)
            })
        })
    }
}

/// Whether `test` holds for a number of stones up to `most`.
fn within(most: u32, mut test: impl FnMut(u32) -> bool) -> bool {
    (1..=most).any(&mut test)
}

/// Checks a position: what is wrong with it.
fn wrong(asked: &Asked) -> Option<String> {
    let own = asked.board.to_move();
    let mut plain = Plain::new(&asked.board);
    let right: Vec<usize> = asked.right.iter().map(|&c| plain.index(c)).collect();
    if right.iter().any(|at| !plain.empty.contains(at)) {
        return Some("a move to a cell that is not empty".to_owned());
    }
    match asked.kind {
        Kind::Fours | Kind::Threats => {
            let threes = asked.kind == Kind::Threats;
            if threes && plain.wins(own, BY_FOURS, false) {
                return Some("it is won by fours alone".to_owned());
            }
            if !threes && !within(BY_FOURS, |n| plain.wins(own, n, false)) {
                return Some("it is not won by fours alone".to_owned());
            }
            let good = |at: &usize| {
                within(BY_FOURS, |n| plain.wins_by(*at, own, n, false, false))
                    || within(BY_THREATS, |n| plain.wins_by(*at, own, n, false, true))
            };
            (!right.iter().all(good)).then(|| "a move does not win".to_owned())
        }
        Kind::Defence => {
            for at in plain.empty.clone() {
                let other = own.other();
                let lost = plain.with(at, own, |p| {
                    if right.contains(&at) {
                        p.wins(other, BY_FOURS, false)
                            || within(NONE_BY_THREATS, |n| p.wins(other, n, true))
                    } else {
                        within(BY_FOURS, |n| p.wins(other, n, false))
                            || within(BY_THREATS, |n| p.wins(other, n, true))
                    }
                });
                if lost == right.contains(&at) {
                    let (x, y) = (
                        at % plain.width.unsigned_abs() - 1,
                        at / plain.width.unsigned_abs() - 1,
                    );
                    let what = if lost { "loses" } else { "does not lose" };
                    return Some(format!("{x},{y} {what}"));
                }
            }
            None
        }
    }
}

/// Checks all positions and prints a row for each kind: what is wrong.
pub(super) fn check_all(all: &[Asked], json: bool) -> anyhow::Result<Missed> {
    let mut table = Table::new(json, &["suite", "positions", "right", "cpu s"]);
    let mut missed = Missed::default();
    for (name, kind) in KINDS {
        let before = thread_time();
        let asked: Vec<&Asked> = all.iter().filter(|a| a.kind == kind).collect();
        let mut right = 0;
        for a in &asked {
            let wrong = wrong(a);
            right += u32::from(wrong.is_none());
            missed.must(wrong.is_none(), || {
                let text = wrong.unwrap_or_default();
                format!("suite.txt, line {}: {text}", a.line)
            });
        }
        let cpu = (thread_time().checked_sub(before)).context("a clock that goes back")?;
        table.row(vec![
            json!(name),
            json!(asked.len()),
            json!(right),
            json!(cpu.as_secs_f64()),
        ]);
    }
    table.finish();
    Ok(missed)
}
