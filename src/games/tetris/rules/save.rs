//! A game as a text that a person can read, and back: it goes on exactly as it would have.
//!
//! Takes a game or a text, gives the other. Unknown versions and keys are refused. Must never
//! panic on a text, or touch a file.

use std::fmt::Write as _;
use std::str::FromStr;
use std::time::Duration;

use super::board::{Board, BoardError, MAX_SIZE, MIN_SIZE};
use super::dealer::{Dealer, Draw};
use super::engine::{Game, Setup};
use super::kind::Kind;
use super::system::{Pose, System};
use super::timing::{MAX_BIAS, MAX_LEVEL, MIN_LEVEL};
use crate::types::Time;

/// The first line of every saved game.
pub const HEADER: &str = "kibitzer tetris 1";

/// No saved game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct SaveError {
    /// From 1.
    pub line: usize,
    /// What is wrong and what should stand there.
    pub what: String,
}

/// The keys in the order in which they are written and must stand.
const KEYS: [&str; 16] = [
    "level", "bias", "system", "draw", "seed", "dealt", "next", "lines", "score", "pieces", "junk",
    "over", "piece", "fallen", "wait", "heights",
];

impl Game {
    /// The game as text at `now`. Calibration and pauses are not part of it.
    #[must_use]
    pub fn save(&self, now: Time) -> String {
        let mut out = format!("{HEADER}\n");
        let now = self.held.unwrap_or(now);
        let piece = self.piece.map_or("none".to_owned(), |p| {
            format!("{} turn {} column {} row {}", p.kind, p.turn, p.x, p.y)
        });
        let heights: Vec<String> = self.heights.iter().map(u64::to_string).collect();
        for key in KEYS {
            let value = match key {
                "level" => self.setup.level.to_string(),
                "bias" => self.setup.bias.to_string(),
                "system" => self.setup.system.name.to_string(),
                "draw" => draw_word(self.dealer.draw()).to_owned(),
                "seed" => self.dealer.seed().to_string(),
                "dealt" => self.dealer.dealt().to_string(),
                "next" => self.next.to_string(),
                "lines" => self.lines.to_string(),
                "score" => self.score.to_string(),
                "pieces" => self.pieces.to_string(),
                "junk" => self.junk.to_string(),
                "over" => if self.over { "yes" } else { "no" }.to_owned(),
                "piece" => piece.clone(),
                "fallen" => self.fallen.to_string(),
                "wait" => format!("{} us", self.due.since(now).as_micros()),
                _ => heights.join(" "),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{key} {value}");
        }
        let _ = writeln!(out, "board\n{}", self.board.text().replace('/', "\n"));
        out
    }

    /// A game from its text, going on at `now`. Only games of the standard system can be loaded.
    ///
    /// # Errors
    /// With the line and what should stand there, when the text is no saved game.
    pub fn load(text: &str, now: Time) -> Result<Self, SaveError> {
        Reader::new(text).game(now)
    }
}

const fn draw_word(draw: Draw) -> &'static str {
    match draw {
        Draw::Uniform => "uniform",
        Draw::AlternatingSz => "alternating-sz",
    }
}

struct Reader<'a> {
    lines: std::str::Lines<'a>,
    line: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines(),
            line: 0,
        }
    }

    fn next(&mut self) -> &'a str {
        self.line += 1;
        self.lines.next().unwrap_or("").trim_end()
    }

    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, SaveError> {
        Err(SaveError {
            line: self.line,
            what: what.into(),
        })
    }

    /// The rest of the next line, which must begin with the key.
    fn value(&mut self, key: &str) -> Result<&'a str, SaveError> {
        let line = self.next();
        match line.strip_prefix(key) {
            Some(rest) if rest.starts_with(' ') => Ok(rest.trim()),
            _ => self.wrong(format!("`{line}` stands where `{key} ...` should")),
        }
    }

    fn number<T: FromStr + PartialOrd + std::fmt::Display>(
        &mut self,
        key: &str,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, SaveError> {
        let text = self.value(key)?;
        match text.parse() {
            Ok(n) if range.contains(&n) => Ok(n),
            _ => self.wrong(format!(
                "`{key} {text}`: write a whole number from {} to {}",
                range.start(),
                range.end()
            )),
        }
    }

    fn count(&mut self, key: &str) -> Result<u64, SaveError> {
        // Far more than any game can reach, and sums of them cannot overflow.
        self.number(key, 0..=1 << 60)
    }

    fn word<T>(&mut self, key: &str, words: &[(&str, T)]) -> Result<T, SaveError>
    where
        T: Copy,
    {
        let text = self.value(key)?;
        match words.iter().find(|(w, _)| *w == text) {
            Some(&(_, value)) => Ok(value),
            None => {
                let list: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
                self.wrong(format!("`{key} {text}`: write {}", list.join(" or ")))
            }
        }
    }

    fn kind(&mut self, key: &str) -> Result<Kind, SaveError> {
        self.word(
            key,
            &[
                ("O", Kind::O),
                ("I", Kind::I),
                ("S", Kind::S),
                ("Z", Kind::Z),
                ("L", Kind::L),
                ("J", Kind::J),
                ("T", Kind::T),
            ],
        )
    }

    fn piece(&mut self, system: &System) -> Result<Option<Pose>, SaveError> {
        let text = self.value("piece")?;
        if text == "none" {
            return Ok(None);
        }
        let pose = || {
            let mut words = text.split_whitespace();
            let mut letters = words.next()?.chars();
            let kind = Kind::from_letter(letters.next()?).filter(|_| letters.next().is_none())?;
            let mut after = |word: &str| words.next().filter(|w| *w == word).and(words.next());
            let pose = Pose {
                kind,
                turn: after("turn")?.parse().ok()?,
                x: after("column")?.parse().ok()?,
                y: after("row")?.parse().ok()?,
            };
            let near = |v: i16| (-9..1000).contains(&v);
            let good = pose.turn < system.turns_of(kind) && near(pose.x) && near(pose.y);
            (good && words.next().is_none()).then_some(pose)
        };
        match pose() {
            Some(pose) => Ok(Some(pose)),
            None => self.wrong(format!(
                "`piece {text}`: write `piece none` or, for instance, `piece T turn 0 column 5 row 19`"
            )),
        }
    }

    fn heights(&mut self) -> Result<Vec<u64>, SaveError> {
        let text = self.value("heights")?;
        let most = usize::from(MAX_SIZE.1) + 1;
        let all: Option<Vec<u64>> = text
            .split_whitespace()
            .take(most + 1)
            .map(|w| w.parse().ok().filter(|&n| n <= 1 << 60))
            .collect();
        match all {
            Some(all) if (usize::from(MIN_SIZE.1) + 1..=most).contains(&all.len()) => Ok(all),
            _ => self
                .wrong("`heights`: write one count for each height from 0 to the number of rows"),
        }
    }

    fn board(&mut self, rows: usize) -> Result<Board, SaveError> {
        let line = self.next();
        if line != "board" {
            return self.wrong(format!("`{line}` stands where `board` should"));
        }
        let first = self.line;
        let lines: Vec<&str> = (0..rows).map(|_| self.next()).collect();
        match Board::from_text(&lines.join("\n")) {
            Ok(board) if usize::from(board.rows()) == rows => Ok(board),
            Ok(_) => self.wrong(format!(
                "the board must have {rows} rows, as `heights` tells"
            )),
            Err(error) => {
                self.line = match error {
                    BoardError::Size(..) => first,
                    BoardError::Ragged { row, .. } | BoardError::Character { row, .. } => {
                        first + row
                    }
                };
                self.wrong(error.to_string())
            }
        }
    }

    fn game(mut self, now: Time) -> Result<Game, SaveError> {
        let header = self.next();
        if header != HEADER {
            return self.wrong(format!(
                "`{header}`: a saved game begins with `{HEADER}`; another version needs another program"
            ));
        }
        let level = self.number("level", MIN_LEVEL..=MAX_LEVEL)?;
        let bias = self.number("bias", -MAX_BIAS..=MAX_BIAS)?;
        let system = System::standard();
        self.word("system", &[(&system.name, ())])?;
        let draw = [Draw::Uniform, Draw::AlternatingSz].map(|d| (draw_word(d), d));
        let draw = self.word("draw", &draw)?;
        let seed = self.number("seed", 0..=u64::MAX)?;
        let dealer = Dealer::after(draw, seed, self.count("dealt")?);
        let next = self.kind("next")?;
        let lines = self.count("lines")?;
        let score = self.count("score")?;
        let pieces = self.count("pieces")?;
        let junk = self.count("junk")?;
        let over = self.word("over", &[("no", false), ("yes", true)])?;
        let piece = self.piece(&system)?;
        let piece_line = self.line;
        let fallen = self.number("fallen", 0..=u32::from(MAX_SIZE.1))?;
        let wait = self.value("wait")?;
        let wait = match wait.strip_suffix("us").map(|n| n.trim_end().parse()) {
            Some(Ok(us)) if us <= 3_600_000_000 => Duration::from_micros(us),
            _ => {
                return self.wrong(format!(
                    "`wait {wait}`: write microseconds, at most an hour: `wait 500000 us`"
                ));
            }
        };
        let heights = self.heights()?;
        let board = self.board(heights.len() - 1)?;
        if let Some(piece) = piece
            && !board.is_free(&system, piece)
        {
            self.line = piece_line;
            return self.wrong("the piece lies on the pile or outside the board");
        }
        let setup = Setup {
            cols: board.cols(),
            rows: board.rows(),
            level,
            seed,
            draw,
            system,
            bias,
        };
        Ok(Game {
            dealer,
            board,
            piece,
            next,
            fallen,
            due: now + wait,
            lines,
            score,
            pieces,
            junk,
            over,
            heights,
            ..Game::new(setup, now)
        })
    }
}
