//! `kibitzer target GAME`: a built-in game in a window of its own, for people and as something
//! that a camera or a screen capture can be pointed at.

mod connect4;
mod flash;
mod flood;
mod gomoku;
mod rig;
mod table;
mod tetris;
mod video;
pub mod window;

use std::process::ExitCode;

/// Options of `kibitzer target`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, clap::Subcommand)]
enum Game {
    /// Standard Tetris, with calibration and recognition modes
    Tetris(tetris::Options),
    /// Flood-It
    Flood(flood::Options),
    /// Connect-4: you against a policy, or two people
    Connect4(connect4::Options),
    /// Five in a row: you against a policy, or two people
    Gomoku(gomoku::Options),
    /// A picture that changes with every key, to measure delays on
    Flash(flash::Options),
}

/// Runs `kibitzer target`; returns when the window is closed.
///
/// # Errors
/// When there is no display, or a file named on the command line cannot be used.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.game {
        Game::Tetris(o) => tetris::run(o),
        Game::Flood(o) => flood::run(o),
        Game::Connect4(o) => connect4::run(o),
        Game::Gomoku(o) => gomoku::run(o),
        Game::Flash(o) => flash::run(o),
    }
}

/// `WxH` as two numbers within ranges.
pub(super) fn pair<T>(text: &str, least: [T; 2], most: [T; 2]) -> Result<(T, T), String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    let wrong = || {
        format!(
            "write WxH from {}x{} to {}x{}",
            least[0], least[1], most[0], most[1]
        )
    };
    let (w, h) = text.split_once('x').ok_or_else(wrong)?;
    let side = |s: &str, i: usize| {
        let n = s.trim().parse::<T>().ok();
        n.filter(|n| *n >= least[i] && *n <= most[i])
            .ok_or_else(wrong)
    };
    Ok((side(w, 0)?, side(h, 1)?))
}

/// The size of a window's content in px.
fn window_size(text: &str) -> Result<(u32, u32), String> {
    pair(text, [160, 120], [7680, 4320])
}
