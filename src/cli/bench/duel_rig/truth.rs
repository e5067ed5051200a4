//! The truth beside a belief: which board the target showed when, and how its game has ended.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::types::{BoardText, Outcome, Picture, Point, Pointer, Target, Time};

/// Boards that are kept: a frame is judged within a second of being filmed.
const KEPT: usize = 256;
/// A frame gathers light over some time, and every board that it saw is the truth.
const EXPOSURE: Duration = Duration::from_millis(40);

/// A target that remembers what it showed.
pub struct Witness {
    target: Box<dyn Target>,
    boards: VecDeque<(Time, BoardText)>,
}

impl Witness {
    /// A witness of this target.
    #[must_use]
    pub fn new(target: Box<dyn Target>) -> Self {
        Self {
            target,
            boards: VecDeque::with_capacity(KEPT),
        }
    }
}

impl Target for Witness {
    fn render(&mut self, now: Time, out: &mut Picture) {
        self.target.render(now, out);
        if self.boards.len() == KEPT {
            self.boards.pop_front();
        }
        self.boards.push_back((now, self.target.truth()));
    }

    fn click(&mut self, px: Point, now: Time) {
        self.target.click(px, now);
    }

    fn key(&mut self, name: &str, now: Time) {
        self.target.key(name, now);
    }

    fn truth(&self) -> BoardText {
        self.target.truth()
    }

    fn pointer(&mut self, what: Pointer, px: Point, now: Time) {
        self.target.pointer(what, px, now);
    }

    fn title(&self) -> &str {
        self.target.title()
    }
}

/// What a witness knows, for whoever judges.
pub struct Shown(Arc<Mutex<Witness>>);

impl Shown {
    /// What this witness knows.
    #[must_use]
    pub fn of(witness: &Arc<Mutex<Witness>>) -> Self {
        Self(Arc::clone(witness))
    }

    /// Whether a belief is what was shown around a moment.
    fn agrees(&self, belief: &BoardText, at: Time) -> bool {
        let witness = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let near = |t: Time| t.since(at) <= EXPOSURE && at.since(t) <= EXPOSURE;
        let mut boards = witness.boards.iter().filter(|(t, _)| near(*t));
        boards.any(|(_, truth)| is_same(truth, belief))
    }

    /// How the game has ended for who plays it, as its title says; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let witness = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let title = witness.title();
        let told = [
            ("you win", Outcome::Won),
            ("you lose", Outcome::Lost),
            ("a draw", Outcome::Draw),
        ];
        let said = told.into_iter().find(|(words, _)| title.ends_with(words));
        said.map(|(_, outcome)| outcome)
    }
}

/// Whether both boards hold the same pieces, whatever the two sides are called.
fn is_same(truth: &BoardText, belief: &BoardText) -> bool {
    let mut names: [Option<char>; 2] = [None; 2];
    let same = |(a, b): (char, char)| {
        let side = match a {
            'X' => 0,
            'O' => 1,
            _ => return a == b,
        };
        b != '.' && b != '/' && *names[side].get_or_insert(b) == b
    };
    truth.0.chars().count() == belief.0.chars().count()
        && truth.0.chars().zip(belief.0.chars()).all(same)
        && (names[0].is_none() || names[0] != names[1])
}

/// Follows a run: how often and for how long its belief is not the truth.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    since: Option<Time>,
    /// Times that belief and truth parted.
    pub times: u32,
    /// The longest of them.
    pub longest: Duration,
}

impl Judge {
    /// After a frame captured at `at`.
    pub fn frame(&mut self, shown: &Shown, belief: &BoardText, at: Time) {
        if shown.agrees(belief, at) {
            self.settle(at);
        } else {
            self.since.get_or_insert(at);
        }
    }

    /// Belief and truth agree again, or nothing is judged any more.
    pub fn settle(&mut self, at: Time) {
        if let Some(since) = self.since.take() {
            self.times += 1;
            self.longest = self.longest.max(at.since(since));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows a board that is set.
    struct Board(&'static str, &'static str);

    impl Target for Board {
        fn render(&mut self, _: Time, _: &mut Picture) {}
        fn click(&mut self, _: Point, _: Time) {}
        fn key(&mut self, _: &str, _: Time) {}
        fn truth(&self) -> BoardText {
            BoardText(self.0.to_owned())
        }
        fn title(&self) -> &str {
            self.1
        }
    }

    #[test]
    fn boards_are_the_same_whatever_the_sides_are_called() {
        let same = |a: &str, b: &str| is_same(&BoardText(a.into()), &BoardText(b.into()));
        assert!(same(".XO/...", ".RY/...") && same("X../...", "Y../..."));
        assert!(!same(".XO/...", ".RR/..."), "two sides of one name");
        assert!(!same("XX./O..", "RY./Y.."), "one side of two names");
        assert!(!same(".X./...", "..R/...") && !same(".../...", ".R./..."));
        assert!(!same("...", ".../..."));
    }

    #[test]
    fn only_what_lasts_is_counted() {
        let board = Box::new(Board("X./..", "Kibitzer: you lose"));
        let witness = Arc::new(Mutex::new(Witness::new(board)));
        let shown = Shown::of(&witness);
        let at = Time::from_millis;
        let mut judge = Judge::default();
        for (ms, belief) in [(0, "r./.."), (100, "../.."), (200, "../.."), (300, "r./..")] {
            let mut witness = witness.lock().expect("not poisoned");
            witness.render(at(ms), &mut Picture::default());
            drop(witness);
            judge.frame(&shown, &BoardText(belief.into()), at(ms));
        }
        assert_eq!(
            (judge.times, judge.longest),
            (1, Duration::from_millis(200))
        );
        judge.settle(at(900));
        assert_eq!(judge.times, 1);
        assert_eq!(shown.outcome(), Some(Outcome::Lost));
    }
}
