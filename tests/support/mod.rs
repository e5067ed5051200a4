//! What all integration tests stand on: a private screen with real programs, and the material.

// Each test module uses its part of it.
#![allow(dead_code, unused_imports)]

pub mod damage;
pub mod eye;
pub mod program;
pub mod x11_window;

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub use kibitzer::cli::bench::stage::{Child, Desktop, FloodSpec};
use kibitzer::types::GridSize;

/// Games that do not wait are played in real time: what takes all cores for long is not run
/// beside them.
static CORES: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// No other test that needs the cores, or needs them free, runs while this lives.
pub fn cores() -> std::sync::MutexGuard<'static, ()> {
    CORES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Letting go of everything reaches all hands of this process, so tests that do it are alone.
static EVERYTHING: RwLock<()> = RwLock::new(());

/// No other test that holds something runs while this lives.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    EVERYTHING.write().unwrap_or_else(PoisonError::into_inner)
}

/// No test that lets go of everything runs while this lives.
pub fn together() -> RwLockReadGuard<'static, ()> {
    EVERYTHING.read().unwrap_or_else(PoisonError::into_inner)
}

/// A screen of its own with openbox, 1280x800; `None`, said aloud, where X programs are missing.
pub fn desktop(theme: &str) -> Option<Desktop> {
    for program in ["/usr/bin/Xvfb", "/usr/bin/openbox", "/usr/games/sgt-flood"] {
        if !Path::new(program).exists() {
            eprintln!("skipped: no {program}");
            return None;
        }
    }
    Some(Desktop::start(1280, 800, Some(theme)).expect("the private X server starts"))
}

/// A screen without a window manager.
pub fn bare_screen() -> Option<Desktop> {
    if !Path::new("/usr/bin/Xvfb").exists() {
        eprintln!("skipped: no Xvfb");
        return None;
    }
    Some(Desktop::start(1280, 800, None).expect("the private X server starts"))
}

/// A position from rows of letters, `aab/bca`.
pub fn position(rows: &str, colours: u8, limit: u32) -> FloodSpec {
    let lines: Vec<&str> = rows.split('/').collect();
    FloodSpec {
        size: GridSize::new(lines[0].len() as u16, lines.len() as u16),
        colours,
        limit,
        board: lines.concat().bytes().map(|b| b - b'a').collect(),
    }
}

/// The folder of test material that is not part of the repository.
pub fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = std::env::var_os("KIBITZER_SHARED").map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("skipped: no {}", folder.display());
        return None;
    }
    Some(folder)
}
