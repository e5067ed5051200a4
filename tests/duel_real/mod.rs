//! Two-player programs that nobody here wrote, on a real X server.

mod faults;
mod play;
mod walk;
mod walks;

use kibitzer::cli::bench::stage::BoardProgram;

use crate::support::Desktop;

/// A screen for the program; `None`, said aloud, where something is missing.
fn screen(program: BoardProgram) -> Option<Desktop> {
    let missing = ["/usr/bin/Xvfb", "/usr/bin/openbox"]
        .into_iter()
        .find(|f| !std::path::Path::new(f).exists())
        .or(program.missing());
    if let Some(file) = missing {
        println!("skipped {program}: there is no {file}");
        return None;
    }
    Some(Desktop::start(1280, 800, Some("Clearlooks")).expect("the private X server starts"))
}
