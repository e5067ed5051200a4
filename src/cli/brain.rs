//! `kibitzer brain PROTOCOL`: our policies for other programs, on standard input and output.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;

use crate::brains::jsonl::{self, Thinker};
use crate::brains::{connect4_line, piskvork, serve};
use crate::cli::logging;
use crate::games::gomoku::policies::GomokuPolicy;
use crate::games::{connect4, flood, gomoku, tetris, triplex};
use crate::types::Stop;

const PISKVORK: &str = "\
For managers of Gomocup and Piskvork: boards of 5 to 25 columns and rows, five or more in a row or
exactly five (INFO rule 1), swap-two openings.

Example:
  $ printf 'START 15\\nINFO timeout_turn 500\\nTURN 7,7\\nEND\\n' | kibitzer brain piskvork
  OK
  8,6";

const LINE: &str = "\
A line in is a position: the columns played, from 1 (`444`), or - for the empty board; before other
boards than 7x6 with four in a row stands WxHxN: (`9x7x5:123`). A line out is the best column, its
score, and where they are known the scores of all columns, . for a full one. `time MS` limits each
answer from then on; `quit` ends it.

Example:
  $ printf -- '-\\n4455\\n' | kibitzer brain connect4-line";

const JSONL: &str = "\
One JSON object a line, as README.md describes them under \"Plug in your own AI\".

Example:
  $ echo '{\"type\":\"position\",\"id\":1,\"game\":\"flood\",\"size\":[2,2],\"board\":[\"ab\",\"ba\"]}' |
    kibitzer brain jsonl flood";

/// Options of `kibitzer brain`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    protocol: Protocol,
}

#[derive(Debug, clap::Subcommand)]
enum Protocol {
    /// Five in a row by the protocol of Gomocup
    #[command(after_help = PISKVORK)]
    Piskvork(Piskvork),
    /// Connect-4 by lines of columns
    #[command(after_help = LINE)]
    Connect4Line(Common),
    /// Any game by JSON lines
    #[command(after_help = JSONL)]
    Jsonl(Jsonl),
}

#[derive(Debug, clap::Args)]
struct Jsonl {
    /// flood, tetris, connect4, gomoku or triplex
    #[arg(value_name = "GAME", value_parser = PossibleValuesParser::new(jsonl::GAMES))]
    game: String,
    /// Who thinks, as `kibitzer solve GAME --list` names it [default: the strongest]
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Piskvork {
    #[command(flatten)]
    common: Common,
    /// Only suggest moves (SUGGEST) and wait until the manager says what to play (PLAY)
    #[arg(long)]
    suggest: bool,
}

#[derive(Debug, clap::Args)]
struct Common {
    /// Who thinks, as `kibitzer solve GAME --list` names it [default: the strongest]
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Runs `kibitzer brain` until it is told to go, or nobody speaks or listens any more.
///
/// # Errors
/// When there is no such policy, or the system gives no thread.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    logging::warnings();
    let stop = Stop::new();
    match &options.protocol {
        Protocol::Piskvork(o) => {
            let name = o
                .common
                .policy
                .as_deref()
                .unwrap_or(gomoku::policies::USUAL);
            let policy = gomoku::policies::by_name(name)?;
            let mut engine = piskvork::Engine::new(policy, o.common.seed, o.suggest, stop.clone());
            if name == gomoku::policies::USUAL {
                engine = engine.remade_by(Box::new(within));
            }
            served(engine, &stop)
        }
        Protocol::Jsonl(o) => {
            let thinker = thinker(&o.game, o.policy.as_deref())?;
            served(jsonl::Engine::new(thinker, stop.clone()), &stop)
        }
        Protocol::Connect4Line(o) => {
            let name = o.policy.as_deref().unwrap_or(connect4::policies::USUAL);
            let policy = connect4::policies::by_name(name)?;
            let engine = connect4_line::Engine::new(policy, o.seed, stop.clone());
            served(engine, &stop)
        }
    }
}

fn served(engine: impl serve::Engine, stop: &Stop) -> anyhow::Result<ExitCode> {
    serve::serve(engine, std::io::stdin(), std::io::stdout(), stop)?;
    Ok(ExitCode::SUCCESS)
}

/// Who thinks about a game.
fn thinker(game: &str, policy: Option<&str>) -> anyhow::Result<Thinker> {
    Ok(match game {
        "flood" => {
            use flood::policies::{DEPTH, MEMORY, USUAL, by_spec};
            Thinker::Flood(by_spec(policy.unwrap_or(USUAL), DEPTH, MEMORY)?)
        }
        "tetris" => {
            use tetris::policies::{USUAL, by_name};
            Thinker::Tetris(by_name(policy.unwrap_or(USUAL))?)
        }
        "connect4" => {
            use connect4::policies::{USUAL, by_name};
            Thinker::Connect4(by_name(policy.unwrap_or(USUAL))?)
        }
        "triplex" => {
            use triplex::policies::{USUAL, by_name};
            Thinker::Triplex(by_name(policy.unwrap_or(USUAL))?)
        }
        _ => {
            use gomoku::policies::{USUAL, by_name};
            Thinker::Gomoku(by_name(policy.unwrap_or(USUAL))?)
        }
    })
}

/// The policy whose table takes a quarter of a limit in bytes: the rest is for everything else.
fn within(limit: u64) -> Option<Box<dyn GomokuPolicy>> {
    let mb = (limit >> 22).clamp(1, 256);
    gomoku::policies::by_name(&format!("{}:memory={mb}", gomoku::policies::USUAL)).ok()
}
