//! What the targets for two can be asked for alike.

use crate::assemble::targets::TableSettings;
use crate::games::facing::manner::{Mark, Message};

/// The keys, for the help.
pub const KEYS: &str = "\
N is a new game, S one that the other side starts, U takes a move back, R gives up, 1 to 9 is the
level, H shows the best move, F3 shows markers and colours for a camera.";

/// Options of all targets for two.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Who plays against you, as `kibitzer solve GAME --list` names it, or nobody: two people play
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// How well it plays, 1 to 9: at 9 as well as it can, at each level below with half the nodes
    /// and more slips
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u8).range(1..=9))]
    level: u8,
    /// Who makes the first move
    #[arg(long, value_name = "WHO", default_value = "you", value_parser = ["you", "opponent"])]
    first: String,
    /// From your move at rest to the reply, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(..=600_000))]
    delay: u64,
    /// Seed of the slips that the policy makes at lower levels
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How the last move is marked, instead of the look's own way
    #[arg(long, value_name = "HOW", value_parser = Mark::ALL.map(|m| m.0))]
    mark: Option<String>,
    /// Where the end of a game is told, instead of the look's own way
    #[arg(long, value_name = "WHERE", value_parser = Message::ALL.map(|m| m.0))]
    message: Option<String>,
    /// How long a move is under way, instead of the look's own time: milliseconds of a disc in its
    /// first row, or until a stone is there; 0 is at once
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=5_000))]
    motion: Option<u64>,
    /// Side of a cell in px
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(8..=200))]
    cell: Option<u32>,
    /// Show the best move
    #[arg(long)]
    hint: bool,
    /// Show markers and swatches around the board
    #[arg(long)]
    markers: bool,
}

impl Options {
    /// As settings of a target.
    #[must_use]
    pub fn settings(&self) -> TableSettings {
        TableSettings {
            mark: self.mark.clone(),
            message: self.message.clone(),
            motion_ms: self.motion,
            cell: self.cell,
            policy: self.policy.clone(),
            level: self.level,
            first: self.first.clone(),
            delay_ms: self.delay,
            seed: self.seed,
            hint: self.hint,
            markers: self.markers,
            ..TableSettings::default()
        }
    }
}
