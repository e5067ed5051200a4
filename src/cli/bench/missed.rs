//! Figures that must hold and do not: what ends every bench that can be proven.

use std::process::ExitCode;

/// What is missed, a line each.
#[derive(Debug, Default)]
pub(super) struct Missed(Vec<String>);

impl Missed {
    /// Notes a figure that does not hold.
    pub(super) fn must(&mut self, holds: bool, text: impl FnOnce() -> String) {
        if !holds {
            self.0.push(text());
        }
    }

    /// What is missed of a part, after what is missed so far.
    pub(super) fn extend(&mut self, part: Self) {
        self.0.extend(part.0);
    }

    /// Says what is missed and fails, if it was to be proven; measuring alone misses nothing.
    pub(super) fn verdict(self, prove: bool) -> ExitCode {
        if !prove || self.0.is_empty() {
            return ExitCode::SUCCESS;
        }
        for miss in &self.0 {
            eprintln!("missed: {miss}");
        }
        ExitCode::FAILURE
    }

    #[cfg(test)]
    pub(super) fn lines(&self) -> &[String] {
        &self.0
    }
}
