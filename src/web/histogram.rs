//! How long things took, counted by size, as Prometheus wants it.

use std::time::Duration;

/// Upper limits of the classes in seconds: from what a frame takes to what a long think takes.
pub const LIMITS: [f64; 12] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

/// Counts of durations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Histogram {
    /// For each limit, how many were at most as long.
    within: [u64; LIMITS.len()],
    count: u64,
    seconds: f64,
}

impl Histogram {
    /// Counts one.
    pub fn add(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        self.count += 1;
        self.seconds += seconds;
        for (n, limit) in self.within.iter_mut().zip(LIMITS) {
            *n += u64::from(seconds <= limit);
        }
    }

    /// How many were counted.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean in seconds; `None` before the first.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.seconds / self.count as f64)
    }

    /// Its lines in the text format of Prometheus; `labels` without braces.
    pub fn write(&self, out: &mut String, name: &str, labels: &str) {
        use std::fmt::Write as _;
        for (limit, n) in LIMITS.iter().zip(self.within) {
            // Writing into a string cannot fail.
            let _ = writeln!(out, "{name}_bucket{{{labels},le=\"{limit}\"}} {n}");
        }
        let _ = writeln!(out, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", self.count);
        let _ = writeln!(out, "{name}_sum{{{labels}}} {}", self.seconds);
        let _ = writeln!(out, "{name}_count{{{labels}}} {}", self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_counts_all_that_are_shorter() {
        let mut h = Histogram::default();
        assert_eq!(h.mean(), None);
        for ms in [1, 3, 300, 9000] {
            h.add(Duration::from_millis(ms));
        }
        let mut out = String::new();
        h.write(&mut out, "x_seconds", "session=\"1\"");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), LIMITS.len() + 3);
        assert_eq!(lines[0], "x_seconds_bucket{session=\"1\",le=\"0.0005\"} 0");
        assert_eq!(lines[1], "x_seconds_bucket{session=\"1\",le=\"0.001\"} 1");
        assert_eq!(lines[3], "x_seconds_bucket{session=\"1\",le=\"0.005\"} 2");
        assert_eq!(lines[11], "x_seconds_bucket{session=\"1\",le=\"5\"} 3");
        assert_eq!(lines[12], "x_seconds_bucket{session=\"1\",le=\"+Inf\"} 4");
        assert_eq!(lines[14], "x_seconds_count{session=\"1\"} 4");
        assert!((h.mean().expect("four") - 2.326).abs() < 1e-9);
    }
}
