//! Who plays: each game with its belief and policy, and the mind that it needs.
//!
//! The only place that knows every game.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::order::{Order, SourceSpec};
use super::retold::Retold;
use crate::brains::external;
use crate::config::Settings;
use crate::decide::{Gate, Limits};
use crate::games::connect4::policies::Connect4Policy;
use crate::games::flood::policies::FloodPolicy;
use crate::games::gomoku::policies::GomokuPolicy;
use crate::games::{connect4, flood, gomoku, tetris};
use crate::pipeline::eyes::Eyes;
use crate::pipeline::live::{LiveMind, LiveTask};
use crate::pipeline::mind::Mind;
use crate::pipeline::turn::{Task, TurnMind};
use crate::reconcile::{Patience, Reconciler};
use crate::types::{
    Agent, Beginner, Budget, CameraSpec, Clock, KeyTiming, LiveAgent, SideGrid, SideName, Stop,
    Wanted, Watched, side,
};

/// How long a move may be thought about when nobody says: boards of the usual sizes are solved
/// in a few milliseconds, and huge ones must not stop the game.
const THINKING: Duration = Duration::from_millis(500);

/// A brain in another process may keep a game that does not wait for this long; it is looked at
/// again with the next frame.
const PATIENCE: Duration = Duration::from_millis(2);

/// A game that does not wait is looked at once for each picture of a usual screen: every frame is
/// read and explained, and several of the same picture say nothing new.
pub const LIVE: Duration = Duration::from_millis(15);

/// The games there are.
pub const GAMES: [&str; 4] = ["flood", "tetris", "connect4", "gomoku"];

/// The games whose boards can be seen.
pub const SEEN: [&str; 4] = ["flood", "tetris", "connect4", "gomoku"];

/// What a board of a game may be.
///
/// # Errors
/// For a game that does not exist, with the ones that do.
pub fn wanted(game: &str) -> anyhow::Result<Wanted> {
    match game {
        "flood" => Ok(flood::vision::wanted()),
        "tetris" => Ok(tetris::vision::wanted()),
        "connect4" => Ok(connect4::vision::wanted()),
        "gomoku" => Ok(gomoku::vision::wanted()),
        other => bail!(
            "there is no game \"{other}\"; there are: {}",
            SEEN.join(", ")
        ),
    }
}

/// What a game needs to know of the program that shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum GameOptions {
    /// Flood-It.
    Flood(flood::agent::AgentOptions),
    /// Connect-4.
    Connect4(connect4::agent::AgentOptions),
    /// Five in a row.
    Gomoku(gomoku::agent::AgentOptions),
    /// Tetris. Size and timing of the keys are filled in when it is assembled.
    Tetris {
        /// What the agent needs.
        agent: Box<tetris::agent::AgentOptions>,
        /// The box with the next piece, where there is one.
        next: Option<SideGrid>,
    },
}

impl GameOptions {
    /// Whether moves are made by clicking, which a camera's picture gives no place for.
    #[must_use]
    pub const fn clicks(&self) -> bool {
        use connect4::agent::Controls;
        match self {
            Self::Flood(_) | Self::Gomoku(_) => true,
            Self::Connect4(options) => {
                matches!(options.controls, Controls::Hole | Controls::Top)
            }
            Self::Tetris { .. } => false,
        }
    }

    /// What is usual for a game; a game that does not exist is noticed where it is looked for.
    #[must_use]
    pub fn usual(game: &str) -> Self {
        match game {
            "tetris" => Self::Tetris {
                agent: Box::default(),
                next: None,
            },
            "connect4" => Self::Connect4(connect4::agent::AgentOptions::default()),
            "gomoku" => Self::Gomoku(gomoku::agent::AgentOptions::default()),
            _ => Self::Flood(flood::agent::AgentOptions::default()),
        }
    }

    /// What is said of the sides of a game for two, before what a profile says.
    ///
    /// # Errors
    /// When the game has no sides, or both contradict each other.
    pub fn say(&mut self, side: Option<SideName>, begins: Option<Beginner>) -> anyhow::Result<()> {
        if side.is_none() && begins.is_none() {
            return Ok(());
        }
        let who = match self {
            Self::Connect4(options) => &mut options.who,
            Self::Gomoku(options) => &mut options.who,
            Self::Flood(_) | Self::Tetris { .. } => {
                bail!("--side and --begins are for games of two sides: connect4 and gomoku")
            }
        };
        who.side = side.or(who.side);
        who.begins = begins.or(who.begins);
        if side::contradict(who.side, who.begins) {
            bail!(
                "--side and --begins (or what the profile says of them) contradict each other: \
                 give one of them"
            );
        }
        Ok(())
    }
}

/// A game with its belief and policy.
pub enum Player {
    /// One that waits for its moves.
    Turn(Box<dyn Agent>),
    /// One that does not.
    Live(Box<dyn LiveAgent>),
}

impl Player {
    /// The game's name.
    #[must_use]
    pub fn game(&self) -> &'static str {
        match self {
            Self::Turn(agent) => agent.game(),
            Self::Live(agent) => agent.game(),
        }
    }

    /// The policy's name.
    #[must_use]
    pub fn policy(&self) -> &str {
        match self {
            Self::Turn(agent) => agent.policy(),
            Self::Live(agent) => agent.policy(),
        }
    }
}

/// Who plays what is ordered, with the policy that the settings ask for.
///
/// `timing` is that of the hands' keys.
///
/// # Errors
/// For a game or a policy that does not exist, with the ones that do.
pub fn player(order: &Order, settings: &Settings, timing: KeyTiming) -> anyhow::Result<Player> {
    if !GAMES.contains(&order.game.as_str()) {
        bail!(
            "{} is not played yet; there are: {}",
            order.game,
            GAMES.join(", ")
        );
    }
    match &order.options {
        GameOptions::Flood(options) => {
            let policy = flood_policy(order, settings)?;
            let agent = flood::agent::FloodAgent::new(policy, options.clone());
            Ok(Player::Turn(Box::new(agent)))
        }
        GameOptions::Connect4(options) => {
            let policy = connect4_policy(order, settings)?;
            let mut options = options.clone();
            options.who.looks_on = order.looks_on();
            Ok(Player::Turn(connect4::agent::agent(policy, options)))
        }
        GameOptions::Gomoku(options) => {
            let policy = gomoku_policy(order, settings)?;
            let mut options = *options;
            options.who.looks_on = order.looks_on();
            Ok(Player::Turn(gomoku::agent::agent(policy, options)))
        }
        GameOptions::Tetris { agent, next } => {
            let policy = tetris_policy(order, agent, settings)?;
            let options = tetris::agent::AgentOptions {
                size: order.size.unwrap_or(agent.size),
                timing,
                next_shown: next.is_some(),
                next_grid: next.map_or(agent.next_grid, |grid| grid.size),
                frame_interval: match order.source {
                    SourceSpec::Window(_) | SourceSpec::Screen(_) => {
                        settings.capture.eager.max(LIVE)
                    }
                    SourceSpec::Camera(CameraSpec {
                        rate: Some(rate), ..
                    }) => Duration::from_secs_f64(1.0 / rate),
                    _ => Duration::from_secs_f64(1.0 / settings.capture.fps),
                },
                ..agent.as_ref().clone()
            };
            Ok(Player::Live(tetris::agent::agent(policy, options)))
        }
    }
}

/// The policy that the settings ask for; behind one from outside stands the fallback.
fn flood_policy(order: &Order, settings: &Settings) -> anyhow::Result<Box<dyn FloodPolicy>> {
    use flood::policies::{DEPTH, MEMORY, USUAL, by_spec};
    let depth = settings.policy.depth.unwrap_or(DEPTH);
    let memory = settings
        .policy
        .memory_mb
        .map_or(MEMORY, |mb| (mb as usize) << 20);
    let ours = |name: &str| by_spec(name, depth, memory);
    let name = settings.policy.name.as_deref().unwrap_or(USUAL);
    let open = || -> anyhow::Result<Box<dyn FloodPolicy>> {
        if external::is_external(name) {
            let fallback = order.fallback.as_deref().unwrap_or(USUAL);
            let fallback = ours(fallback).context("policy.fallback")?;
            return Ok(external::flood(name, fallback)?);
        }
        Ok(ours(name)?)
    };
    Ok(match Retold::wanted(name, &order.witness, open)? {
        Ok(retold) => Box::new(retold),
        Err(policy) => policy,
    })
}

/// A policy's text with what the settings say of it, unless the text says it itself.
fn with_setting(spec: &str, policy: &str, key: &str, value: Option<u32>) -> String {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let given = options
        .split(',')
        .any(|o| o.split('=').next().map(str::trim) == Some(key));
    match value.filter(|_| name.trim() == policy && !given) {
        None => spec.to_owned(),
        Some(value) if options.trim().is_empty() => format!("{}:{key}={value}", name.trim()),
        Some(value) => format!("{spec},{key}={value}"),
    }
}

/// The same for Connect-4.
fn connect4_policy(order: &Order, settings: &Settings) -> anyhow::Result<Box<dyn Connect4Policy>> {
    use connect4::policies::USUAL;
    let ours = |name: &str| {
        let spec = with_setting(name, "minimax", "depth", settings.policy.depth);
        let spec = with_setting(&spec, "perfect", "memory", settings.policy.memory_mb);
        connect4::policies::by_name(&spec)
    };
    let name = settings.policy.name.as_deref().unwrap_or(USUAL);
    let open = || -> anyhow::Result<Box<dyn Connect4Policy>> {
        if external::is_external(name) {
            let fallback = order.fallback.as_deref().unwrap_or(USUAL);
            let fallback = ours(fallback).context("policy.fallback")?;
            return Ok(external::connect4(name, fallback)?);
        }
        Ok(ours(name)?)
    };
    Ok(match Retold::wanted(name, &order.witness, open)? {
        Ok(retold) => Box::new(retold),
        Err(policy) => policy,
    })
}

/// The same for five in a row.
fn gomoku_policy(order: &Order, settings: &Settings) -> anyhow::Result<Box<dyn GomokuPolicy>> {
    use gomoku::policies::USUAL;
    let memory = settings.policy.memory_mb;
    let ours =
        |name: &str| gomoku::policies::by_name(&with_setting(name, "search", "memory", memory));
    let name = settings.policy.name.as_deref().unwrap_or(USUAL);
    let open = || -> anyhow::Result<Box<dyn GomokuPolicy>> {
        if external::is_external(name) {
            let fallback = order.fallback.as_deref().unwrap_or(USUAL);
            let fallback = ours(fallback).context("policy.fallback")?;
            let memory = memory.map(|mb| u64::from(mb) << 20);
            return Ok(external::gomoku(name, memory, fallback)?);
        }
        Ok(ours(name)?)
    };
    Ok(match Retold::wanted(name, &order.witness, open)? {
        Ok(retold) => Box::new(retold),
        Err(policy) => policy,
    })
}

/// The same for Tetris.
fn tetris_policy(
    order: &Order,
    agent: &tetris::agent::AgentOptions,
    settings: &Settings,
) -> anyhow::Result<Box<dyn tetris::policies::Policy>> {
    use tetris::policies::{USUAL, by_name};
    let name = settings.policy.name.as_deref().unwrap_or(USUAL);
    let open = || -> anyhow::Result<Box<dyn tetris::policies::Policy>> {
        if !external::is_external(name) {
            return Ok(by_name(name)?);
        }
        let fallback = order.fallback.as_deref().unwrap_or(USUAL);
        let fallback = by_name(fallback).context("policy.fallback")?;
        // Who plays without looking decides once for each piece, and virtual time does not go on
        // while another process thinks.
        let waits = agent.mode == tetris::agent::Mode::DeadReckoning
            || matches!(order.source, SourceSpec::Simulated);
        let patience = (!waits).then_some(PATIENCE);
        Ok(external::tetris(name, fallback, patience)?)
    };
    Ok(match Retold::wanted(name, &order.witness, open)? {
        Ok(retold) => Box::new(retold),
        Err(policy) => policy,
    })
}

/// State and logic for an order.
///
/// # Errors
/// For a game that does not exist.
pub fn mind(
    order: Order,
    player: Player,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &Stop,
) -> anyhow::Result<Box<dyn Mind>> {
    let mut wanted = wanted(&order.game)?;
    wanted.size = order.size.or(wanted.size);
    if let GameOptions::Tetris { agent, .. } = &order.options {
        // Its pieces are planned on a board of this size and on no other.
        wanted.size = wanted.size.or(Some(agent.size));
    }
    let beside = match &order.options {
        GameOptions::Tetris { next, .. } => next.iter().copied().collect(),
        GameOptions::Flood(_) | GameOptions::Connect4(_) | GameOptions::Gomoku(_) => Vec::new(),
    };
    let mut eyes = Eyes::new(wanted).beside(beside);
    if let Some(saved) = order.calibration {
        eyes = eyes.with(saved);
    }
    let rate = Duration::from_secs_f64(1.0 / settings.play.max_actions_per_second);
    let pace = rate.max(settings.play.pace.period()).max(order.gap);
    let limits = |min_interval| Limits {
        min_interval,
        max_age: settings.play.action_expiry,
        expiry: settings.play.action_expiry,
    };
    let budget = Budget {
        time: settings.policy.time.or(Some(THINKING)),
        nodes: None,
        seed: settings.play.seed.unwrap_or_default(),
        stop: stop.clone(),
        witness: order.witness.clone(),
    };
    let clock: Arc<dyn Clock> = match order.witness.is_there() {
        true => Arc::new(Watched::new(Arc::clone(clock), order.witness.clone())),
        false => Arc::clone(clock),
    };
    let (armed, changeable) = (order.armed, order.changeable);
    let gate = |limits| match Gate::new(armed, limits) {
        gate if armed && changeable => gate.changeable(),
        gate => gate,
    };
    Ok(match player {
        Player::Turn(agent) => {
            let reconciler = Reconciler::new(Patience {
                settle: order.settle,
                confirm: order.confirm,
                retries: settings.play.retries,
            });
            let task = Task {
                games: order.games,
                new_game: order.new_game,
                script: order.script,
                budget,
                give_up: order.give_up,
                evidence: settings.journal.evidence,
            };
            let gate = gate(limits(pace));
            Box::new(TurnMind::new(eyes, agent, reconciler, gate, task, clock))
        }
        Player::Live(agent) => {
            let task = LiveTask {
                games: order.games,
                start: order.new_game.unwrap_or_default(),
                script: order.script,
                goal: order.goal,
                budget,
                give_up: order.give_up,
                evidence: settings.journal.evidence,
            };
            // The hands set the pace of keys.
            let gate = gate(limits(Duration::ZERO));
            Box::new(LiveMind::new(eyes, agent, gate, task, clock))
        }
    })
}
