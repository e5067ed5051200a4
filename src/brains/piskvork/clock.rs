//! How long to think, from what the manager says about time.

use std::time::Duration;

/// A move takes so long when the manager says nothing about time.
const USUAL: Duration = Duration::from_secs(5);
/// "As fast as possible" is this long.
const FAST: Duration = Duration::from_millis(10);
/// `time_left` of a match without limit.
const UNLIMITED: i64 = 2_147_483_647;
/// What is left of a match must be enough for so many moves of ours, at least.
const MOVES_TO_COME: u32 = 12;
/// A match is planned for so many of them from its start.
const MOVES_IN_ALL: u32 = 30;

/// What the manager has said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    turn: Option<Duration>,
    /// Of the whole match; `None`: no limit.
    total: Option<Duration>,
    left: Option<i64>,
}

impl Limits {
    /// Takes `INFO key value`; what is unknown or no number is passed over.
    pub(super) fn inform(&mut self, key: &str, value: &str) {
        let Some(number) = whole(value) else {
            return;
        };
        let millis = |ms: i64| Duration::from_millis(u64::try_from(ms).unwrap_or(0));
        match key {
            "timeout_turn" => self.turn = Some(millis(number)),
            "timeout_match" => self.total = (number > 0).then(|| millis(number)),
            "time_left" => self.left = Some(number),
            _ => {}
        }
    }

    /// A move of ours took so long; the manager's next word on the time left corrects it.
    pub(super) fn spent(&mut self, time: Duration) {
        if let Some(left) = self.left.as_mut().filter(|l| **l < UNLIMITED) {
            *left = left.saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        }
    }

    /// How long the next move may take, counted from the manager's line to our answer's way out.
    pub(super) fn time_for_move(&self, stones: usize) -> Duration {
        let turn = self.turn.unwrap_or(USUAL);
        if turn.is_zero() {
            return FAST;
        }
        let mut time = turn.saturating_sub(margin(turn));
        let left = match (self.left, self.total) {
            (Some(UNLIMITED..), _) | (None, None) => return time.max(Duration::from_millis(1)),
            (Some(left), _) => Duration::from_millis(u64::try_from(left).unwrap_or(0)),
            (None, Some(total)) => total,
        };
        let made = u32::try_from(stones / 2).unwrap_or(u32::MAX);
        let to_come = MOVES_IN_ALL.saturating_sub(made).max(MOVES_TO_COME);
        time = time
            .min(left / to_come)
            .min(left.saturating_sub(margin(left)));
        time.max(Duration::from_millis(1))
    }
}

/// A whole number; of one that is too large or too small the nearest there is.
pub(super) fn whole(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let nearest = match text.starts_with('-') {
        true => i64::MIN,
        false => i64::MAX,
    };
    is_number.then(|| text.parse().unwrap_or(nearest))
}

/// What is not thought in: a twentieth, from 10 to 40 ms, for the way of the lines and for a
/// thread that gets its turn late; of very short times a half.
fn margin(time: Duration) -> Duration {
    let margin = (time / 20).clamp(Duration::from_millis(10), Duration::from_millis(40));
    margin.min(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(info: &[(&str, &str)], stones: usize) -> u128 {
        let mut limits = Limits::default();
        for (key, value) in info {
            limits.inform(key, value);
        }
        limits.time_for_move(stones).as_millis()
    }

    #[test]
    fn a_move_takes_less_than_its_limit() {
        assert_eq!(time(&[("timeout_turn", "1000")], 0), 960);
        assert_eq!(time(&[("timeout_turn", "300")], 0), 285);
        assert_eq!(time(&[("timeout_turn", "100")], 0), 90);
        assert_eq!(time(&[("timeout_turn", "20")], 0), 10);
        assert_eq!(time(&[("timeout_turn", "4")], 0), 2);
        assert_eq!(time(&[("timeout_turn", "0")], 0), 10);
        assert_eq!(time(&[("timeout_turn", "-5")], 0), 10);
        assert_eq!(time(&[("timeout_turn", "x")], 0), 4960);
    }

    #[test]
    fn a_match_has_time_for_all_of_its_moves() {
        let turn = ("timeout_turn", "5000");
        assert_eq!(time(&[turn, ("time_left", "2147483647")], 0), 4960);
        assert_eq!(time(&[turn, ("time_left", "180000")], 0), 4960);
        assert_eq!(time(&[turn, ("time_left", "30000")], 0), 1000);
        assert_eq!(time(&[turn, ("time_left", "1200")], 200), 100);
        assert_eq!(time(&[turn, ("time_left", "-20")], 60), 1);
        assert_eq!(time(&[turn, ("timeout_match", "30000")], 0), 1000);
        assert_eq!(time(&[turn, ("timeout_match", "0")], 0), 4960);
    }

    #[test]
    fn numbers_of_any_size_are_times() {
        const MOST: &str = "9223372036854775807";
        const MORE: &str = "99999999999999999999999";
        let turn = |ms: &'static str| time(&[("timeout_turn", ms)], 0);
        assert_eq!(turn("2147483647"), 2_147_483_607);
        assert_eq!(turn("2147483648"), 2_147_483_608);
        assert_eq!(turn(MOST), 9_223_372_036_854_775_767);
        assert_eq!(turn(MORE), turn(MOST));
        assert_eq!(turn("-99999999999999999999999"), 10);
        assert_eq!(turn("+500"), 475);
        for left in ["2147483647", "2147483648", MOST, MORE] {
            let turn = ("timeout_turn", "1000");
            assert_eq!(time(&[turn, ("time_left", left)], 0), 960, "{left}");
        }
        let least = [
            ("timeout_turn", MORE),
            ("time_left", "-9223372036854775808"),
        ];
        assert_eq!(time(&least, 0), 1);
        let mut limits = Limits::default();
        for left in ["-1", "-9223372036854775808", "-99999999999999999999999"] {
            limits.inform("time_left", left);
            limits.spent(Duration::from_secs(1));
            limits.spent(Duration::MAX);
            assert_eq!(limits.time_for_move(0).as_millis(), 1, "{left}");
        }
        limits.inform("time_left", MORE);
        limits.spent(Duration::MAX);
        limits.inform("timeout_match", MORE);
        limits.inform("timeout_turn", MORE);
        assert!(limits.time_for_move(usize::MAX) > Duration::from_secs(1 << 40));
    }

    #[test]
    fn what_is_spent_is_gone() {
        let mut limits = Limits::default();
        limits.inform("time_left", "3000");
        limits.inform("timeout_turn", "1000");
        limits.spent(Duration::from_millis(1500));
        assert_eq!(limits.time_for_move(0).as_millis(), 50);
        limits.inform("time_left", "2147483647");
        limits.spent(Duration::from_millis(1500));
        assert_eq!(limits.time_for_move(0).as_millis(), 960);
    }
}
