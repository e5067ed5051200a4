//! Standard output, line by line.

use std::io::Write;

/// Writes a line at once. A reader that has gone away (`| head`) is no reason to panic in the
/// middle of a game.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
