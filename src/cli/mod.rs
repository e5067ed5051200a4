//! The command line: one file per subcommand.
//!
//! Exit status 0 is success, 1 failure, 2 wrong usage. With `--json` each line of stdout is
//! one object; logs go to stderr.

pub mod annotate;
pub mod bench;
mod book;
mod brain;
mod calibrate;
mod cameras;
mod cpu;
mod demo;
mod doctor;
mod files;
mod journal;
mod levels;
mod logging;
mod look;
mod matches;
mod notify;
mod out;
pub mod picture;
mod play;
mod ports;
mod probe;
mod progress;
mod recipe;
mod recorder;
mod recording;
mod replay;
mod report;
mod request;
mod serve;
mod signals;
mod solve;
mod target;
mod terminal;
mod tools;
mod trouble;
mod tune;
mod watch;
mod worklog;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Watches a board game on any screen, works out the next move and, when armed, plays it.
#[derive(Debug, Parser)]
#[command(name = "kibitzer", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find and read a board in a picture
    Look(look::Options),
    /// Solve positions given on stdin, one per line
    Solve(solve::Options),
    /// Let policies and other programs play against each other
    Match(matches::Options),
    /// Be a brain for another program
    Brain(brain::Options),
    /// Make the levels of a puzzle
    Levels(levels::Options),
    /// Measure: policies, seeing, the loop
    Bench(bench::Options),
    /// Search for better weights of a policy
    Tune(tune::Options),
    /// Make an opening book
    Book(book::Options),
    /// Play a game on the screen
    Play(play::Options),
    /// Look on and know the move, without touching anything
    Watch(watch::Options),
    /// Several sessions under one roof, with a dashboard in the browser
    Serve(serve::Options),
    /// Find a board once and write it down as a profile
    Calibrate(calibrate::Options),
    /// The cameras there are, what they offer, and how well one works
    Cameras(cameras::Options),
    /// The built-in game, seen through a simulated webcam and played by a simulated mouse
    Demo(demo::Options),
    /// A built-in game in a window of its own
    Target(target::Options),
    /// What happened in earlier runs
    Journal(journal::Options),
    /// The serial ports, and what is behind them
    Ports(ports::Options),
    /// Measure the delays of a rig: from key to light, from light to key
    Probe(probe::Options),
    /// Run a recording again and compare
    Replay(replay::Options),
    /// Does everything that is needed work here?
    Doctor(doctor::Options),
    /// Pack everything that explains a run into one file
    Report(report::Options),
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Look(o) => look::run(&o),
        Command::Solve(o) => solve::run(&o),
        Command::Match(o) => matches::run(&o),
        Command::Brain(o) => brain::run(&o),
        Command::Levels(o) => levels::run(&o),
        Command::Bench(o) => bench::run(&o),
        Command::Tune(o) => tune::run(&o),
        Command::Book(o) => book::run(&o),
        Command::Play(o) => play::run(&o),
        Command::Watch(o) => watch::run(&o),
        Command::Serve(o) => serve::run(&o),
        Command::Calibrate(o) => calibrate::run(&o),
        Command::Cameras(o) => cameras::run(&o),
        Command::Demo(o) => demo::run(&o),
        Command::Target(o) => target::run(&o),
        Command::Journal(o) => journal::run(&o),
        Command::Ports(o) => ports::run(&o),
        Command::Probe(o) => probe::run(&o),
        Command::Replay(o) => replay::run(&o),
        Command::Doctor(o) => doctor::run(&o),
        Command::Report(o) => report::run(&o),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("kibitzer: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    /// Mistakes in the description of the options show when a command is first used.
    #[test]
    fn all_commands_are_well_described() {
        Cli::command().debug_assert();
    }
}
