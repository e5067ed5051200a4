//! Tetris programs that nobody here wrote, on a real X server.

mod play;
mod rules;

use kibitzer::cli::bench::stage::TetrisProgram;

use crate::support::Desktop;

/// A screen for the program; `None`, said aloud, where something is missing.
fn screen(program: TetrisProgram) -> Option<Desktop> {
    let missing = ["/usr/bin/Xvfb", "/usr/bin/openbox"]
        .into_iter()
        .find(|f| !std::path::Path::new(f).exists())
        .or(program.missing());
    if let Some(file) = missing {
        eprintln!("skipped: no {file}");
        return None;
    }
    Some(Desktop::start(1280, 800, Some("Clearlooks")).expect("the private X server starts"))
}
