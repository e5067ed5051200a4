//! A stage for real programs: a private X server, a window manager, a game in a window.
//!
//! Takes a screen size and a theme, gives a [`Desktop`] on which programs are started, windows
//! moved and pictures taken. Everything started here ends with it, also when this process is
//! killed. Must never touch the display of the person who runs it.

mod boards;
mod child;
mod desktop;
mod game;
mod grid;
mod person;
mod tetris;
mod told;

pub use boards::{BOVO_LEVELS, BoardProgram, BovoTheme};
pub use child::Child;
pub use desktop::Desktop;
pub use game::{FloodSpec, save_file};
pub use tetris::TetrisProgram;
pub use told::Told;
