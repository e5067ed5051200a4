//! Bars that show on a terminal how far long work is; nothing is shown elsewhere.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of so many steps, or without an end. `shows` is what stands on its line, as indicatif's
/// templates have it, after the time that has passed.
pub fn bar(steps: Option<u64>, shows: &str) -> ProgressBar {
    let bar = match steps {
        Some(steps) => ProgressBar::new(steps),
        None => ProgressBar::new_spinner(),
    };
    // A template that is wrong is a mistake of the caller and only changes the looks.
    if let Ok(style) = ProgressStyle::with_template(&format!("{{elapsed_precise}} {shows}")) {
        bar.set_style(style);
    }
    bar
}
