//! How long games last that are too long to play: the climb to the top in steps.
//!
//! A pile rises above a base height again and again and nearly always comes down again. How
//! often it sets out is counted in plain play; the chance to come from each height to the next
//! before it is back at the base is measured by starting many times from piles that got that far
//! (multilevel splitting). The product is the rate of lost games. Unlike a fit to the tail of the
//! histogram of heights it assumes nothing about the shape of that tail.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::bits::{Bits, Wide};
use super::pile::{Middle, Small};
use super::player::Player;
use super::sim::{Setting, Table};

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Height that a pile comes back to before it can set out again.
    pub base: u16,
    /// The first height that counts; above the base.
    pub first: u16,
    /// Pieces of plain play.
    pub pieces: u64,
    /// Starts from each height.
    pub starts: u32,
    /// All of it is done so often, with other pieces: few starts that get on have the same few
    /// ancestors, and only the differences between whole repetitions tell the error.
    pub batches: u32,
    /// Whether to stop at this height instead of at the end of a game.
    pub goal: Option<u16>,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Mean rows of a game (or until the goal).
    pub rows: f64,
    /// Relative standard error: from the batches, or from the counts alone if there is only one.
    pub error: f64,
    /// Chances to come from each height to the next, the last one to the end: of the last batch.
    pub chances: Vec<f64>,
    /// Pieces that were played for it.
    pub pieces: u64,
}

/// Pieces to a row in the long run on ten columns; others in proportion.
fn pieces_per_row(cols: u16) -> f64 {
    f64::from(cols) / 4.0
}

/// Estimates the mean length of games. `None` when no pile came to the end.
#[must_use]
pub fn estimate(player: &mut Player, setting: &Setting, effort: &Effort) -> Option<Estimate> {
    let mut all = Estimate::default();
    let mut rates = Vec::new();
    for batch in 0..effort.batches.max(1) {
        let mut setting = setting.clone();
        setting.seed = setting.seed.wrapping_add(u64::from(batch) << 32);
        let (cols, rows) = (setting.cols, setting.rows);
        let one = if Small::has_place(cols, rows) {
            climb::<u32, 20>(player, &setting, effort)
        } else if Middle::has_place(cols, rows) {
            climb::<u64, 64>(player, &setting, effort)
        } else {
            climb::<Wide, 203>(player, &setting, effort)
        };
        all.pieces += one.pieces;
        all.error = one.error;
        all.chances = one.chances;
        rates.push(1.0 / one.rows);
    }
    // The rates are right in the mean, their inverses are not.
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n;
    if mean <= 0.0 {
        return None;
    }
    all.rows = 1.0 / mean;
    if rates.len() > 1 {
        let spread: f64 = rates.iter().map(|r| (r - mean).powi(2)).sum();
        all.error = (spread / (n - 1.0) / n).sqrt() / mean;
    }
    Some(all)
}

/// One batch; endless rows when no pile came to the end.
fn climb<C: Bits, const W: usize>(
    player: &mut Player,
    setting: &Setting,
    effort: &Effort,
) -> Estimate {
    let sight = player.sight(setting.moves);
    let mut table = Table::<C, W>::new(setting);
    let mut estimate = Estimate::default();
    let mut variance = 0.0;

    // Plain play: every time the pile, once back at the base, comes to the first height.
    let mut out = Vec::new();
    let mut low = true;
    while table.pieces < effort.pieces {
        let alive = table.step(player, &sight, setting);
        let top = table.ground.top();
        if !alive || top <= effort.base {
            low = true;
            if !alive {
                table.clear();
            }
        }
        if low && top >= effort.first {
            low = false;
            out.push(Some(*table.ground.pile()));
        }
    }
    let mut rate = out.len() as f64 / table.pieces as f64;
    variance += 1.0 / out.len().max(1) as f64;

    let goal = effort.goal.unwrap_or(u16::MAX);
    let mut pick = ChaCha8Rng::seed_from_u64(setting.seed ^ 0x5eed);
    let mut height = effort.first;
    while height < goal {
        if out.is_empty() {
            rate = 0.0;
            break;
        }
        // The last step leads from the highest pile that a board holds to the end.
        let next = height + 1;
        let last = next > setting.rows - 2;
        let mut got_on = Vec::new();
        let mut done = 0;
        for _ in 0..effort.starts {
            let from = pick.next_u32() as usize % out.len();
            let Some(pile) = &out[from] else {
                // Lost on the way: above every height.
                done += 1;
                got_on.push(None);
                continue;
            };
            table.ground.reset(pile);
            loop {
                let top = table.ground.top();
                if top <= effort.base {
                    break;
                }
                if !last && top >= next {
                    got_on.push(Some(*table.ground.pile()));
                    done += 1;
                    break;
                }
                if !table.step(player, &sight, setting) {
                    // Over: from a lower height the end is also a way up.
                    done += 1;
                    got_on.push(None);
                    break;
                }
            }
        }
        let chance = f64::from(done) / f64::from(effort.starts);
        estimate.chances.push(chance);
        rate *= chance;
        variance += (1.0 - chance) / f64::from(done.max(1));
        if last {
            break;
        }
        out = got_on;
        height = next;
    }
    estimate.pieces = table.pieces;
    estimate.rows = 1.0 / rate / pieces_per_row(setting.cols);
    estimate.error = variance.sqrt();
    estimate
}
