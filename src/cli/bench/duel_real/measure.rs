//! What came of a run: its own journal beside what the onlooker saw.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use super::number;
use super::watch::{Watch, last_filled};
use crate::cli::bench::stage::Told;
use crate::journal::read::{Reader, What, Which};
use crate::types::Rect;

/// From the opponent's move being drawn to our click, thinking apart, in ms (mean).
const REPLY_MS: f64 = 500.0;

/// The columns of the table.
pub const COLUMNS: &[&str] = &[
    "program",
    "games",
    "won",
    "lost",
    "drawn",
    "aborted",
    "told_otherwise",
    "clicks",
    "clicks_off_board",
    "reply_ms",
    "thinking_ms",
    "reply_less_thinking_ms",
    "mismatches",
    "seconds",
    "why",
];

/// What must hold of the results.
#[derive(Clone, Copy, Debug)]
pub enum Must {
    /// Every game is won.
    WinAll,
    /// None is lost.
    LoseNone,
    /// At least this share is won.
    Win(f64),
}

/// What was measured.
#[derive(Debug, Default)]
pub struct Measured {
    won: u32,
    lost: u32,
    drawn: u32,
    aborted: u32,
    /// Games whose result is another than the program told.
    otherwise: u32,
    clicks: u32,
    off_board: u32,
    reply_ms: Option<f64>,
    thinking_ms: Option<f64>,
    less_ms: Option<f64>,
    mismatches: u64,
    seconds: f64,
    why: String,
}

impl Measured {
    /// Of one run. `results` are the objects that it printed, `board` is where the board lay on the
    /// screen.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn of(
        journal: &Path,
        results: &[Value],
        watch: &Watch<'_>,
        board: Rect,
        took: Duration,
        why: String,
    ) -> anyhow::Result<Self> {
        let mut m = Self {
            seconds: took.as_secs_f64(),
            why,
            ..Self::default()
        };
        for (i, game) in results.iter().enumerate() {
            let told = match game["result"].as_str() {
                Some("won") => {
                    m.won += 1;
                    Some(Told::Won)
                }
                Some("lost") => {
                    m.lost += 1;
                    Some(Told::Lost)
                }
                Some("draw") => {
                    m.drawn += 1;
                    Some(Told::Draw)
                }
                _ => {
                    m.aborted += 1;
                    None
                }
            };
            m.mismatches += game["mismatches"].as_u64().unwrap_or(0);
            if told.is_some() && watch.told.get(i).copied() != told {
                m.otherwise += 1;
            }
        }
        m.read(journal, watch, board)?;
        Ok(m)
    }

    fn read(&mut self, journal: &Path, watch: &Watch<'_>, board: Rect) -> anyhow::Result<()> {
        let reader = Reader::open(journal)?;
        let reads = reader.reads();
        let run = reads.run(Which::Latest)?;
        let began = UNIX_EPOCH + Duration::from_millis(run.started_ms.unwrap_or(0).unsigned_abs());
        let (mut replies, mut thoughts) = (Vec::new(), Vec::new());
        let mut thought = None;
        for entry in reads.timeline(run.run)? {
            match entry.what {
                What::Decided { took_us, .. } => thought = Some(took_us as f64 / 1e3),
                What::Acted { strokes, retry, .. } => {
                    let Some(at) = click(&strokes) else {
                        continue;
                    };
                    self.clicks += 1;
                    self.off_board += u32::from(!inside(board, at));
                    let when = began + Duration::from_micros(entry.at);
                    let filled = last_filled(&watch.changes, when);
                    let reply = filled.and_then(|t| when.duration_since(t).ok());
                    if let (Some(reply), Some(thought), 0) = (reply, thought.take(), retry) {
                        replies.push(reply.as_secs_f64() * 1e3);
                        thoughts.push(thought);
                    }
                }
                _ => {}
            }
        }
        self.reply_ms = mean(&replies);
        self.thinking_ms = mean(&thoughts);
        self.less_ms = self.reply_ms.zip(self.thinking_ms).map(|(r, t)| r - t);
        Ok(())
    }

    /// A row of the table.
    #[must_use]
    pub fn row(&self, name: &str) -> Vec<Value> {
        vec![
            json!(name),
            json!(self.won + self.lost + self.drawn + self.aborted),
            json!(self.won),
            json!(self.lost),
            json!(self.drawn),
            json!(self.aborted),
            json!(self.otherwise),
            json!(self.clicks),
            json!(self.off_board),
            number(self.reply_ms),
            number(self.thinking_ms),
            number(self.less_ms),
            json!(self.mismatches),
            json!(self.seconds),
            json!(self.why),
        ]
    }

    /// What should have been and is not.
    #[must_use]
    pub fn missed(&self, name: &str, games: u32, must: Must) -> Vec<String> {
        let mut missed = Vec::new();
        let mut miss = |text: String| missed.push(format!("{name}: {text}"));
        let ended = self.won + self.lost + self.drawn;
        if ended != games {
            miss(format!(
                "{ended} of {games} games came to their end ({})",
                self.why
            ));
        }
        let good = match must {
            Must::WinAll => self.won == games,
            Must::LoseNone => self.lost == 0,
            Must::Win(share) => f64::from(self.won) >= share * f64::from(games),
        };
        if !good {
            let (won, lost, drawn) = (self.won, self.lost, self.drawn);
            miss(format!("{won} won, {lost} lost, {drawn} drawn"));
        }
        if self.otherwise > 0 {
            miss(format!("{} results are not what it shows", self.otherwise));
        }
        if self.off_board > 0 {
            miss(format!("{} clicks beside the board", self.off_board));
        }
        if self.less_ms.is_none_or(|ms| ms >= REPLY_MS) {
            miss(format!(
                "{:?} ms for a reply, under {REPLY_MS} wanted",
                self.less_ms
            ));
        }
        missed
    }
}

/// Where a move was clicked; the steps of a script and keys are no clicks of this kind.
fn click(strokes: &str) -> Option<(f64, f64)> {
    let first = strokes.split(", ").next()?;
    let (x, y) = first.strip_prefix("click ")?.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

fn inside(board: Rect, (x, y): (f64, f64)) -> bool {
    let (left, top) = (f64::from(board.x), f64::from(board.y));
    x >= left && y >= top && x < left + f64::from(board.width) && y < top + f64::from(board.height)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
