//! How fast pieces fall and what a landing is worth: the standard's tables as functions.
//!
//! Takes levels, lines and a speed bias, gives delays and points. Must never know a board.

use std::time::Duration;

/// The slowest level.
pub const MIN_LEVEL: u8 = 1;
/// The fastest level.
pub const MAX_LEVEL: u8 = 10;
/// A frame of the standard's display, 75 Hz: the shortest delay of speed bias +2.
pub const FRAME: Duration = Duration::from_micros(13_333);
/// Speed bias goes from minus this to plus this; beyond it nothing could be told apart.
pub const MAX_BIAS: i8 = 50;

/// The delay of level 10, and of speed bias +1.
const FASTEST: Duration = Duration::from_millis(50);
/// The delay of level 1, and of speed bias -2.
const SLOWEST: Duration = Duration::from_millis(500);
/// No faster than this with speed bias -1.
const UNHURRIED: Duration = Duration::from_millis(200);

/// From one fall step to the next at a level (brought into 1 to 10), without bias.
#[must_use]
pub fn delay(level: u8) -> Duration {
    let level = level.clamp(MIN_LEVEL, MAX_LEVEL);
    FASTEST * u32::from(MAX_LEVEL + 1 - level)
}

/// From one fall step to the next at a level with a speed bias.
///
/// 0 is the level's own. -1 is never faster than 0.2 s, -2 as slow as level 1, -3 twice as slow,
/// -4 three times and so on. +1 is as fast as level 10, +2 one step for each [`FRAME`], +3 two
/// steps, +4 three and so on.
#[must_use]
pub fn biased_delay(level: u8, bias: i8) -> Duration {
    let own = delay(level);
    match bias.clamp(-MAX_BIAS, MAX_BIAS) {
        0 => own,
        -1 => own.max(UNHURRIED),
        1 => own.min(FASTEST),
        slower @ ..=-2 => SLOWEST * u32::from(slower.unsigned_abs() - 1),
        faster => FRAME / u32::from(faster.unsigned_abs() - 1),
    }
}

/// The level that so many lines earn: 1 for none, then one more for every ten from the first,
/// and 10 from 91.
#[must_use]
pub const fn earned_level(lines: u64) -> u8 {
    match lines {
        0 => MIN_LEVEL,
        // At most 1 + 89 / 10.
        1..=90 => MIN_LEVEL + ((lines - 1) / 10) as u8,
        _ => MAX_LEVEL,
    }
}

/// Points for a landing at a level after so many fall steps of the piece. On boards so high that
/// they would be less than none, none.
#[must_use]
pub fn points(level: u8, fall_steps: u32) -> u64 {
    (21 + 3 * u64::from(level)).saturating_sub(u64::from(fall_steps))
}
