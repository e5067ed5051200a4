//! The reference rig as an order: the built-in 10x20 Tetris, played until so many pieces have landed.

use super::order::{Order, SourceSpec};
use super::player::GameOptions;
use crate::config::Settings;
use crate::games::tetris::agent::{AgentOptions, FallPrior, Mode};
use crate::pipeline::live::Goal;
use crate::types::GridSize;
use crate::types::sheet::Sheet;

/// An armed order for one game of the rig at a level; `next` says whether the next piece is shown.
#[must_use]
pub fn rig_order(
    command: &str,
    (level, pieces): (u8, u32),
    next: bool,
    mode: Mode,
    settings: &Settings,
) -> Order {
    let size = GridSize::new(10, 20);
    // Who looks at the board sees how fast pieces fall; who does not must be told.
    let fall = FallPrior::Standard(match mode {
        Mode::RealityCheck => None,
        Mode::DeadReckoning => Some(level),
    });
    let agent = AgentOptions {
        mode,
        fall,
        ..AgentOptions::default()
    };
    let source = SourceSpec::Simulated;
    Order {
        size: Some(size),
        options: GameOptions::Tetris {
            agent: Box::new(agent),
            next: next.then(|| Sheet::of(size).next),
        },
        new_game: None,
        games: Some(1),
        goal: Some(Goal::Pieces(pieces)),
        armed: true,
        ..Order::bare(command, "rig".to_owned(), source, "tetris", settings)
    }
}
