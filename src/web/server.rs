//! The listening server: bound first, so that a port in use is told at start; then served on threads
//! of its own until it is dropped.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::daemon::Daemon;
use super::guard::Guard;
use super::play::Play;
use super::routes::{App, router};
use super::solvers::Solvers;
use super::token::TokenHash;
use super::tools::Tools;
use crate::pipeline::pulse::Pulse;

/// Threads that answer requests: pages, state and small pictures.
const WORKERS: usize = 2;
/// From one sign of life to the next.
const BEAT: Duration = Duration::from_millis(100);

/// Where and for whom.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The address to listen at.
    pub at: SocketAddr,
    /// Names of this server beside its addresses.
    pub names: Vec<String>,
    /// The token that is needed from other machines.
    pub token: Option<TokenHash>,
}

/// A server that answers as long as this lives.
#[derive(Debug)]
pub struct Listening {
    /// Where it is, with the real port.
    pub at: SocketAddr,
    pulse: Arc<Pulse>,
    /// Dropped without waiting for streams that never end by themselves.
    runtime: Option<Runtime>,
}

impl Listening {
    /// How long it has not done anything; requests or not, its threads have a beat.
    #[must_use]
    pub fn silence(&self) -> Duration {
        self.pulse.silence().unwrap_or_default()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Starts serving.
///
/// # Errors
/// When the address is taken or not ours, or is reachable from other machines without a token.
pub fn start(
    daemon: Arc<Daemon>,
    options: &ServeOptions,
    tools: Option<Arc<dyn Tools>>,
) -> anyhow::Result<Listening> {
    if !options.at.ip().is_loopback() && options.token.is_none() {
        bail!(
            "{}: other machines reach this address, so a token is needed",
            options.at
        );
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .thread_name("web")
        .enable_all()
        .build()?;
    let bound = runtime.block_on(TcpListener::bind(options.at));
    let listener = bound.with_context(|| {
        format!(
            "cannot listen at {}: is it in use? choose another with --listen",
            options.at
        )
    })?;
    let at = listener.local_addr()?;
    let state = daemon.settings().folders.state.clone();
    let app = App {
        solvers: Arc::new(Solvers::new(state.map(|s| s.join("triplex.db")))),
        daemon,
        calibrations: Arc::default(),
        tools,
        guard: Arc::new(Guard::new(at, &options.names, options.token.clone())),
        play: Play::start().context("no threads for games")?,
    };
    let pulse = Arc::new(Pulse::default());
    let own = Arc::clone(&pulse);
    runtime.spawn(async move {
        // In the same task: what has ended beats no more.
        let beats = async {
            loop {
                own.beat();
                tokio::time::sleep(BEAT).await;
            }
        };
        tokio::select! {
            ended = axum::serve(listener, router(app)) => {
                tracing::error!(?ended, "the server has ended");
            }
            () = beats => {}
        }
    });
    Ok(Listening {
        at,
        pulse,
        runtime: Some(runtime),
    })
}
