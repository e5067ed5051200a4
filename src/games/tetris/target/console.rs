//! The debug console: the last things that happened, for a person.
//!
//! Takes lines, keeps the newest. Must never grow without end.

use std::collections::VecDeque;

use crate::types::Time;

/// Lines that are kept.
const KEPT: usize = 100;

/// The last lines.
#[derive(Clone, Debug, Default)]
pub struct Console {
    lines: VecDeque<String>,
}

impl Console {
    /// Notes something.
    pub fn note(&mut self, now: Time, text: &str) {
        // The oldest line's memory is used again.
        let mut line = if self.lines.len() < KEPT {
            String::new()
        } else {
            self.lines.pop_front().unwrap_or_default()
        };
        line.clear();
        let seconds = now.0 / 1_000_000;
        // Writing to a string cannot fail.
        let _ = std::fmt::Write::write_fmt(
            &mut line,
            format_args!("{seconds:5}.{:03} {text}", now.0 / 1000 % 1000),
        );
        self.lines.push_back(line);
    }

    /// The newest so many lines, oldest first.
    pub fn last(&self, count: usize) -> impl Iterator<Item = &str> {
        let skip = self.lines.len().saturating_sub(count);
        self.lines.iter().skip(skip).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept() {
        let mut console = Console::default();
        for i in 0..250 {
            console.note(Time::from_millis(1000 * i + 7), &format!("line {i}"));
        }
        let last: Vec<&str> = console.last(2).collect();
        assert_eq!(last, ["  248.007 line 248", "  249.007 line 249"]);
        assert_eq!(console.last(1000).count(), KEPT);
    }
}
