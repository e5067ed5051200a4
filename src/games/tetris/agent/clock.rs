//! When pieces fall: the delay between fall steps and the moment of the next one, as seen.
//!
//! Takes the rows in which a piece was seen and when, gives how many steps may lie between two
//! moments. Frames shake and the display lags, so all of it is intervals. Must never assume a
//! delay against what is seen.

use std::time::Duration;

use super::super::rules::{MAX_LEVEL, MIN_LEVEL, Pace, delay};
use crate::types::Time;

/// What is known of the delay beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FallPrior {
    /// The standard's table; the level it begins with, if known.
    Standard(Option<u8>),
    /// Another program's table and the level it begins with.
    Program(Pace, u8),
    /// This delay, as a profile says it.
    Fixed(Duration),
    /// Nothing: it is learnt.
    Learn,
}

/// Frames are captured up to so much earlier or later than they say, in microseconds.
const JITTER: f64 = 7_000.0;
/// Delays that are believed possible, in microseconds.
const POSSIBLE: (f64, f64) = (10_000.0, 3_000_000.0);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    lo: f64,
    hi: f64,
}

impl Span {
    const fn new(lo: f64, hi: f64) -> Self {
        Self { lo, hi }
    }

    const fn both(self, other: Self) -> Self {
        Self::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    fn is_empty(self) -> bool {
        self.lo > self.hi
    }
}

/// What was seen of the falling piece.
#[derive(Clone, Copy, Debug)]
struct Fall {
    /// The row counted from.
    base: i16,
    /// When it came there.
    came: Span,
    /// The last look at it: steps since `base`, time.
    last: (f64, f64),
    /// The first step that was noticed: steps since `base` after it, when it was.
    mark: Option<(f64, Span)>,
    /// When the last one was.
    stepped: Option<Span>,
}

/// The fall clock.
#[derive(Clone, Debug)]
pub struct FallClock {
    prior: FallPrior,
    /// Bounds of the delay in microseconds.
    delay: Span,
    fall: Option<Fall>,
}

fn known(delay: Duration) -> Span {
    let d = (delay.as_micros() as f64).clamp(POSSIBLE.0, POSSIBLE.1);
    Span::new(d * 0.98, d * 1.02)
}

fn micros(at: Time) -> f64 {
    at.0 as f64
}

fn table(level: u8) -> f64 {
    delay(level).as_micros() as f64
}

impl FallClock {
    /// A clock that has seen nothing.
    #[must_use]
    pub fn new(prior: FallPrior) -> Self {
        let delay = match prior {
            FallPrior::Standard(Some(level)) => Span::new(table(level), table(level)),
            FallPrior::Standard(None) => Span::new(table(MAX_LEVEL), table(MIN_LEVEL)),
            FallPrior::Program(pace, level) => known(pace.delay(level)),
            FallPrior::Fixed(d) => known(d),
            FallPrior::Learn => Span::new(20_000.0, 1_200_000.0),
        };
        Self {
            prior,
            delay,
            fall: None,
        }
    }

    /// The delay between steps, at least and at most, in microseconds.
    fn bounds(&self) -> Span {
        if matches!(self.prior, FallPrior::Standard(_)) {
            let mut inside = (MIN_LEVEL..=MAX_LEVEL)
                .map(table)
                .filter(|&d| d > self.delay.lo * 0.97 && d < self.delay.hi * 1.03);
            if let (Some(only), None) = (inside.next(), inside.next()) {
                return Span::new(only * 0.998, only * 1.002);
            }
        }
        self.delay
    }

    /// The delay as far as it is known.
    #[must_use]
    pub fn delay(&self) -> Duration {
        let d = self.bounds();
        // Rounded: fractions of a microsecond are nothing.
        Duration::from_micros(((d.lo + d.hi) / 2.0) as u64)
    }

    /// Whether the delay is known well enough to plan by.
    #[must_use]
    pub fn is_known(&self) -> bool {
        let d = self.bounds();
        d.hi < d.lo * 1.15
    }

    /// The level of the standard that has this delay, if one has.
    #[must_use]
    pub fn level(&self) -> Option<u8> {
        let d = self.bounds();
        let is_in = |&l: &u8| (d.lo * 0.98..=d.hi * 1.02).contains(&table(l));
        let mut inside = (MIN_LEVEL..=MAX_LEVEL).filter(is_in);
        match (inside.next(), inside.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// The program has gone on to this level of the standard.
    pub fn levelled_up(&mut self, level: u8) {
        if matches!(self.prior, FallPrior::Standard(_)) && self.level().is_some_and(|l| l < level) {
            self.delay = Span::new(table(level), table(level));
        }
    }

    /// A landing has completed rows; so many are complete now, `more` of them by this piece.
    pub fn completed(&mut self, lines: u32, more: u16) {
        if let FallPrior::Program(pace, start) = self.prior {
            let before = pace.level(start, lines.saturating_sub(more.into()));
            let level = pace.level(start, lines);
            if level != before {
                self.delay = known(pace.delay(level));
            }
        }
    }

    /// A piece was seen first in row `row` at `at`, and was not there at `before`.
    pub fn appeared(&mut self, row: i16, before: Time, at: Time) {
        // What was learnt long ago holds less and less.
        self.delay.lo = (self.delay.lo * 0.998).max(POSSIBLE.0);
        self.delay.hi = (self.delay.hi * 1.002).min(POSSIBLE.1);
        let (before, at) = (micros(before), micros(at));
        self.fall = Some(Fall {
            base: row,
            came: Span::new(before - JITTER, at + JITTER),
            last: (0.0, at),
            mark: None,
            stepped: None,
        });
    }

    /// A piece that was there before was seen in row `row` at `at`, for instance after it was
    /// moved by somebody: steps are counted anew.
    pub fn found(&mut self, row: i16, at: Time) {
        let at = micros(at);
        let d = self.bounds();
        self.fall = Some(Fall {
            base: row,
            came: Span::new(at - d.hi - JITTER, at + JITTER),
            last: (0.0, at),
            mark: None,
            stepped: None,
        });
    }

    /// No piece is falling.
    pub fn landed(&mut self) {
        self.fall = None;
    }

    /// The falling piece is in row `row` at `at`; it got there by fall steps alone.
    pub fn seen(&mut self, row: i16, at: Time) {
        let Some(mut fall) = self.fall else {
            self.found(row, at);
            return;
        };
        let steps = f64::from(fall.base - row);
        let t = micros(at);
        self.learn(&mut fall, steps, t);
        let d = self.bounds();
        let here = Span::new(t - (steps + 1.0) * d.hi - JITTER, t - steps * d.lo + JITTER);
        fall.came = fall.came.both(here);
        fall.last = (steps, t);
        if fall.came.is_empty() {
            self.found(row, at);
        } else {
            self.fall = Some(fall);
        }
    }

    /// Bounds of the delay from the times between steps.
    fn learn(&mut self, fall: &mut Fall, steps: f64, t: f64) {
        let (mut least, mut most) = POSSIBLE;
        if steps > fall.last.0 {
            let now = Span::new(fall.last.1 - JITTER, t + JITTER);
            match fall.mark {
                Some((first, then)) => {
                    let made = steps - first;
                    least = (now.lo - then.hi) / made;
                    most = (now.hi - then.lo) / made;
                }
                None => fall.mark = Some((steps, now)),
            }
            fall.stepped = Some(now);
        } else if let Some(then) = fall.stepped {
            least = t - JITTER - then.hi;
        }
        let least = least.clamp(POSSIBLE.0, POSSIBLE.1);
        if least > most {
            return;
        }
        let here = Span::new(least, most);
        let both = self.delay.both(here);
        self.delay = if !both.is_empty() {
            both
        } else if here.hi < self.delay.lo {
            // Faster than was thought.
            Span::new(here.lo.min(here.hi), here.hi)
        } else {
            let hi = here.hi.min(here.lo * 2.0);
            Span::new(here.lo, hi)
        };
    }

    /// How many whole delays fit between two moments, at most.
    #[must_use]
    pub fn delays(&self, since: Time, until: Time) -> i16 {
        let gone = micros(until) - micros(since) + 2.0 * JITTER;
        ((gone / self.bounds().lo).floor()).clamp(0.0, 500.0) as i16
    }

    /// How many steps a piece seen in `row` at `since` has made by `until`: at least, at most.
    #[must_use]
    pub fn steps(&self, row: i16, since: Time, until: Time) -> (i16, i16) {
        let d = self.bounds();
        let (since, until) = (micros(since), micros(until));
        let gone = (until - since).max(0.0);
        let mut least = ((gone - 2.0 * JITTER) / d.hi - 1.0).ceil().max(0.0);
        let mut most = ((gone + 2.0 * JITTER) / d.lo + 1.0).floor();
        if let Some(fall) = &self.fall {
            let so_far = f64::from(fall.base - row);
            let by = ((until + JITTER - fall.came.lo) / d.lo).floor() - so_far;
            let sure = ((until - JITTER - fall.came.hi) / d.hi).floor() - so_far;
            most = most.min(by.max(0.0));
            least = least.max(sure).min(most);
        }
        // Rows of a board, 400 at most.
        (
            least.clamp(0.0, 500.0) as i16,
            most.clamp(0.0, 500.0) as i16,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a piece that falls every `delay` ms from `start`, seen every 33 ms.
    fn watch(clock: &mut FallClock, start: u64, delay: u64, rows: i16) {
        let mut at = start - start % 33 + 33;
        clock.appeared(19, Time::from_millis(at - 33), Time::from_millis(at));
        while at < start + delay * rows as u64 {
            let row = 19 - ((at - start) / delay) as i16;
            clock.seen(row, Time::from_millis(at));
            at += 33;
        }
    }

    #[test]
    fn the_level_is_learnt_from_one_piece() {
        for level in [1_u8, 5, 9, 10] {
            let mut clock = FallClock::new(FallPrior::Standard(None));
            watch(&mut clock, 10_017, delay(level).as_millis() as u64, 18);
            assert_eq!(clock.level(), Some(level));
        }
    }

    #[test]
    fn other_delays_are_learnt_and_changes_noticed() {
        let mut clock = FallClock::new(FallPrior::Learn);
        watch(&mut clock, 1_000, 230, 18);
        assert!(clock.is_known());
        let known = clock.delay().as_millis();
        assert!((210..250).contains(&known), "{known}");
        watch(&mut clock, 9_000, 77, 18);
        let known = clock.delay().as_millis();
        assert!((70..85).contains(&known), "{known}");
    }

    #[test]
    fn steps_between_moments_are_bounded_both_ways() {
        let mut clock = FallClock::new(FallPrior::Standard(Some(10)));
        watch(&mut clock, 5_000, 50, 8);
        // Seen in row 12 at 5.373 s, where it came at 5.350 s: steps at 5.4, 5.45, 5.5, 5.55.
        let (least, most) = clock.steps(12, Time::from_millis(5_373), Time::from_millis(5_575));
        assert!(
            (3..=4).contains(&least) && (4..=5).contains(&most),
            "{least}..{most}"
        );
    }
}
