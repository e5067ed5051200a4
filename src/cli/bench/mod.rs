//! `kibitzer bench WHAT`: measures, prints a table (or with `--json` one object per row) and
//! fails when a figure that must hold is missed.

mod connect4;
mod duel_real;
mod duel_rig;
mod flood;
mod gomoku;
mod hands;
mod memory;
mod missed;
mod playing;
mod process;
mod rig;
pub mod seeing;
mod server;
mod serving;
pub mod stage;
pub mod table;
pub(super) mod tetris;
mod tetris_real;
mod triplex;
#[cfg(target_os = "linux")]
mod uinput;
mod watching;
mod web_games;

use std::process::ExitCode;

use clap::Subcommand;

const EXAMPLES: &str = "\
Examples:
  kibitzer bench flood
  kibitzer bench flood --hard --prove
  kibitzer bench triplex
  kibitzer bench seeing --set camera --prove
  kibitzer bench loop --games 20 --prove
  kibitzer bench rig --games 2 --pieces 300
  kibitzer bench tetris-real --program vitetris --games 1 --rows 10
  kibitzer bench duel-real --program xvier --games 2
  kibitzer bench duel-rig --game gomoku --games 2
  kibitzer bench hands --keys 200 --prove
  kibitzer bench watch --seconds 60 --json
  kibitzer bench web-games --games 50
  kibitzer bench serve --minutes 5";

/// Options of `kibitzer bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(subcommand)]
    what: What,
    /// One JSON object per row instead of a table
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Strength and cost of the Flood-It policies
    Flood(flood::Options),
    /// Exact scores of Connect-4 positions: right or wrong, and what they cost
    Connect4(connect4::Options),
    /// Five in a row: games against the reference and another program, tactical positions
    Gomoku(gomoku::Options),
    /// Strength and speed of the Tetris policies
    Tetris(tetris::Options),
    /// TripleX: levels of all rectangles, the reference's filters, the policies
    Triplex(triplex::Options),
    /// Boards found and cells read, over generated and captured pictures
    Seeing(seeing::Options),
    /// The whole loop on a real program: games won and time per move
    Loop(playing::Options),
    /// The reference rig in virtual time: belief against truth, with the faults of real devices
    Rig(rig::Options),
    /// Tetris programs that nobody here wrote: rows completed from a cold start
    TetrisReal(tetris_real::Options),
    /// Connect-4 and five in a row against programs that nobody here wrote, from a cold start
    DuelReal(duel_real::Options),
    /// The built-in games for two through a simulated webcam: belief against truth, results
    DuelRig(duel_rig::Options),
    /// Relays across keys: time per key and its jitter
    Hands(hands::Options),
    /// The kernel's virtual keyboard and mouse: what they do, read back
    #[cfg(target_os = "linux")]
    Uinput(uinput::Options),
    /// What watching costs: processor time and memory
    Watch(watching::Options),
    /// Five in a row in many browsers at once: how long a reply takes
    WebGames(web_games::Options),
    /// The daemon with three sessions that play: memory, processor time, counters, answers, stops
    Serve(serving::Options),
}

/// Runs `kibitzer bench`.
///
/// # Errors
/// When it cannot be measured; a missed figure is exit status 1, not an error.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.what {
        What::Flood(o) => flood::run(o, options.json),
        What::Connect4(o) => connect4::run(o, options.json),
        What::Gomoku(o) => gomoku::run(o, options.json),
        What::Tetris(o) => tetris::run(o, options.json),
        What::Triplex(o) => triplex::run(o, options.json),
        What::Seeing(o) => seeing::run(o, options.json),
        What::Loop(o) => playing::run(o, options.json),
        What::Rig(o) => rig::run(o, options.json),
        What::TetrisReal(o) => tetris_real::run(o, options.json),
        What::DuelReal(o) => duel_real::run(o, options.json),
        What::DuelRig(o) => duel_rig::run(o, options.json),
        What::Hands(o) => hands::run(o, options.json),
        #[cfg(target_os = "linux")]
        What::Uinput(o) => uinput::run(o, options.json),
        What::Watch(o) => watching::run(o, options.json),
        What::WebGames(o) => web_games::run(o, options.json),
        What::Serve(o) => serving::run(o, options.json),
    }
}
