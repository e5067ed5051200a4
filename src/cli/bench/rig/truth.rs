//! Belief against truth: how long and how often they differ.
//!
//! Takes what the game really showed at each moment it was filmed, and after each frame what is
//! believed of it. Only which cells are occupied counts: a camera need not tell the kinds apart.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::act::simulated::keyboard::KeyLine;
use crate::types::{BoardText, Picture, Point, Target, Time};

/// Moments of truth that are kept: a frame is judged within a second of being filmed.
const KEPT: usize = 256;

/// A target that remembers what it showed, and to which keys come in time.
pub struct Witness {
    target: Arc<Mutex<dyn Target>>,
    keys: KeyLine,
    shown: Arc<Mutex<VecDeque<(Time, BoardText)>>>,
}

/// What was shown, for whoever judges.
#[derive(Clone)]
pub struct Shown(Arc<Mutex<VecDeque<(Time, BoardText)>>>);

impl Witness {
    /// A witness of this target, whose keys are on this line.
    #[must_use]
    pub fn new(target: Arc<Mutex<dyn Target>>, keys: KeyLine) -> Self {
        Self {
            target,
            keys,
            shown: Arc::default(),
        }
    }

    /// Its memory.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown(Arc::clone(&self.shown))
    }
}

impl Target for Witness {
    fn render(&mut self, now: Time, out: &mut Picture) {
        self.keys.deliver(now);
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        target.render(now, out);
        let truth = target.truth();
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.len() == KEPT {
            shown.pop_front();
        }
        shown.push_back((now, truth));
    }

    fn click(&mut self, px: Point, now: Time) {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        target.click(px, now);
    }

    fn key(&mut self, name: &str, now: Time) {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        target.key(name, now);
    }

    fn truth(&self) -> BoardText {
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        target.truth()
    }
}

impl Shown {
    /// Whether a belief is what was shown around a moment: a frame is exposed over some time, and
    /// either state it saw is the truth.
    fn agrees(&self, belief: &BoardText, at: Time, within: std::time::Duration) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let near = |t: Time| t.since(at) <= within && at.since(t) <= within;
        let mut truths = shown.iter().filter(|(t, _)| near(*t));
        truths.any(|(_, truth)| same_cells(truth, belief))
    }
}

/// Whether the same cells are occupied.
fn same_cells(a: &BoardText, b: &BoardText) -> bool {
    let kind = |c: char| match c {
        '.' | '/' => c,
        _ => '#',
    };
    a.0.chars().map(kind).eq(b.0.chars().map(kind))
}

/// How a run's belief did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Times that belief and truth parted.
    pub times: u32,
    /// The longest of them in seconds.
    pub longest: f64,
    /// All of them together in seconds.
    pub total: f64,
}

/// Follows a run.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    apart_since: Option<Time>,
    verdict: Verdict,
}

/// Half the time over which a frame gathers light, and a bit.
const EXPOSURE: std::time::Duration = std::time::Duration::from_millis(20);

impl Judge {
    /// After a frame captured at `at`.
    pub fn frame(&mut self, shown: &Shown, belief: Option<&BoardText>, at: Time) {
        if belief.is_some_and(|b| shown.agrees(b, at, EXPOSURE)) {
            self.settle(at);
        } else {
            self.apart_since.get_or_insert(at);
        }
    }

    /// Belief and truth agree again, or nothing is judged any more.
    pub fn settle(&mut self, at: Time) {
        if let Some(since) = self.apart_since.take() {
            let lasted = at.since(since).as_secs_f64();
            self.verdict.times += 1;
            self.verdict.longest = self.verdict.longest.max(lasted);
            self.verdict.total += lasted;
        }
    }

    /// What has come out so far.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(boards: &[(u64, &str)]) -> Shown {
        let all = boards
            .iter()
            .map(|(ms, text)| (Time::from_millis(*ms), BoardText((*text).to_owned())));
        Shown(Arc::new(Mutex::new(all.collect())))
    }

    #[test]
    fn only_what_lasts_is_counted_and_the_kinds_are_not() {
        let truth = shown(&[(0, "..O/OO."), (100, "OO./OO."), (200, "OO./OO.")]);
        let mut judge = Judge::default();
        let belief = |text: &str| BoardText(text.to_owned());
        let at = Time::from_millis;
        judge.frame(&truth, Some(&belief("..#/##.")), at(5));
        assert_eq!(judge.verdict(), Verdict::default());
        judge.frame(&truth, Some(&belief("..#/##.")), at(100));
        judge.frame(&truth, None, at(150));
        judge.frame(&truth, Some(&belief("##./##.")), at(200));
        let verdict = judge.verdict();
        assert_eq!(verdict.times, 1);
        assert!((verdict.longest - 0.1).abs() < 1e-9);
    }
}
