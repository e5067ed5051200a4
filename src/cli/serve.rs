//! `kibitzer serve`: the daemon, with its dashboard.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};

use crate::assemble;
use crate::cli::out::say;
use crate::cli::request::{Request, SettingsOptions};
use crate::cli::tools::Own;
use crate::cli::{logging, signals};
use crate::types::{KeyTiming, Stop};
use crate::web::token::load_or_make;
use crate::web::{self, Asked, Daemon, ServeOptions};

const EXAMPLES: &str = "\
Examples:
  kibitzer serve                                  an empty dashboard at http://127.0.0.1:8747
  kibitzer serve sgt-flood target-connect4        two sessions, disarmed until somebody arms them
  kibitzer serve --listen 0.0.0.0:8747 --name rig.local webcam-gomoku

From other machines a token is needed; it is made at the first start and shown once. Stop the
daemon with Ctrl+C.";

/// Options of `kibitzer serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Profiles to begin sessions with
    #[arg(value_name = "PROFILE")]
    profiles: Vec<String>,
    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8747")]
    listen: SocketAddr,
    /// A name by which browsers reach this machine, beside its addresses; may be given several times
    #[arg(long, value_name = "HOST")]
    name: Vec<String>,
    #[command(flatten)]
    settings: SettingsOptions,
}

/// How soon the end of the daemon is noticed.
const GLANCE: Duration = Duration::from_millis(10);

/// Runs `kibitzer serve` until it is stopped.
///
/// # Errors
/// When the address is taken, a profile is wrong, or the token cannot be kept.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.settings.load(&[])?;
    let _log = logging::start(&settings);
    // From here on they are kept for the pages.
    drop(logging::lines());
    let stop = Stop::new();
    signals::watch(&stop)?;
    let base = options.settings.clone();
    let daemon = Daemon::new(
        settings.clone(),
        Box::new(move |asked: &Asked| {
            let settings = base.load(&[("policy.name", asked.policy.clone())])?;
            let order = Request::from_profile("serve", &asked.profile, &settings)?;
            assemble::wanted(&order.game)?;
            // A policy that does not exist is told to who asks, not to the log.
            drop(assemble::player(&order, &settings, KeyTiming::default())?);
            Ok((order, settings))
        }),
    );
    let token = match options.listen.ip().is_loopback() {
        true => None,
        false => {
            let Some(state) = &settings.folders.state else {
                bail!(
                    "a token is needed from other machines, and there is no folder to keep it: set XDG_STATE_HOME"
                );
            };
            let path = state.join("token");
            let (hash, made) = load_or_make(&path)?;
            match made {
                Some(token) => say(&format!("token, shown this once: {token}")),
                None => say(&format!(
                    "the token is the one of the first start (delete {} for another)",
                    path.display()
                )),
            }
            Some(hash)
        }
    };
    let tools = std::sync::Arc::new(Own {
        settings: options.settings.clone(),
        folders: settings.folders.clone(),
    });
    let listening = web::start(
        std::sync::Arc::clone(&daemon),
        &ServeOptions {
            at: options.listen,
            names: options.name.clone(),
            token,
        },
        Some(tools),
    )?;
    for profile in &options.profiles {
        let asked = Asked {
            profile: profile.clone(),
            policy: None,
            games: None,
        };
        daemon
            .add(&asked)
            .with_context(|| format!("session {profile}"))?;
    }
    say(&format!("dashboard: http://{}/", listening.at));
    while !stop.is_pulled() {
        std::thread::sleep(GLANCE);
    }
    daemon.close();
    drop(listening);
    Ok(ExitCode::SUCCESS)
}
