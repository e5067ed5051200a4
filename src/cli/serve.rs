//! `kibitzer serve`: the daemon, with its dashboard.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::assemble;
use crate::cli::notify::Notify;
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
daemon with Ctrl+C: it ends within a second, with status 1 if a session hung. SIGHUP has it read its
settings and profiles again. As a service: hardware/kibitzer.service.";

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
/// How often it is looked whether everything turns.
const LOOK: Duration = Duration::from_secs(1);
/// What has not turned for this long hangs, where no service manager has a limit of its own.
const USUAL_LIMIT: Duration = Duration::from_secs(30);
/// How long the end of the sessions is waited for: an end within a second, whatever they do.
const CLOSING: Duration = Duration::from_millis(700);

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
    let again = signals::watch_daemon(&stop)?;
    let mut manager = Notify::of_process();
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
    manager.ready();
    let mut watch = Watch::default();
    while !stop.is_pulled() {
        if again.take() {
            manager.reloading();
            reload(options, &daemon);
            manager.ready();
        }
        watch.look(&mut manager, &daemon, &listening);
        std::thread::sleep(GLANCE);
    }
    manager.stopping();
    let left = daemon.close(CLOSING);
    drop(listening);
    if left.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    for session in &left {
        tracing::error!(
            "session {} hangs and was left after {CLOSING:?}: everything it held is let go, the \
             end of its run is not in the journal",
            session.id()
        );
    }
    signals::last_release();
    Ok(ExitCode::FAILURE)
}

/// Reads settings and profiles again. What is wrong leaves all as it was.
fn reload(options: &Options, daemon: &Daemon) {
    let settings = match options.settings.load(&[]) {
        Ok(settings) => settings,
        Err(error) => {
            // A line for each thing that is wrong, with its place.
            for line in format!("{error:#}").lines() {
                tracing::error!("settings are as before: {line}");
            }
            return;
        }
    };
    for change in daemon.settings().differences(&settings) {
        let (path, old, new) = (change.path, change.old, change.new);
        match change.restart {
            true => tracing::warn!("{path} changed from {old} to {new}: restart needed"),
            false => tracing::info!("{path} changed from {old} to {new}"),
        }
    }
    logging::set_level(&settings.log.level);
    daemon.reload(settings);
    tracing::info!("settings and profiles were read again");
}

/// Looks whether what must turn turns, and tells the service manager.
#[derive(Default)]
struct Watch {
    /// When it last looked.
    looked: Option<Instant>,
    /// What hung then.
    hung: Option<String>,
}

impl Watch {
    /// The sign of life is given here and nowhere else: by who has just seen all loops turn.
    fn look(&mut self, manager: &mut Notify, daemon: &Daemon, listening: &web::Listening) {
        let due = self.looked.is_none_or(|at| at.elapsed() >= LOOK);
        if !due && !manager.is_due() {
            return;
        }
        self.looked = Some(Instant::now());
        let limit = manager.watchdog().map_or(USUAL_LIMIT, |w| w / 2);
        let mut hung = daemon.hung(limit);
        if listening.silence() > limit {
            let server = "the server of the pages".to_owned();
            hung = Some(hung.map_or_else(|| server.clone(), |h| format!("{h}, {server}")));
        }
        match &hung {
            Some(who) if self.hung != hung => {
                tracing::error!("hangs since more than {limit:?}: {who}");
            }
            None if self.hung.is_some() => tracing::info!("what hung turns again"),
            _ => {}
        }
        match &hung {
            Some(who) => manager.status(&format!("hangs: {who}")),
            None => {
                manager.status(&daemon.words());
                if manager.is_due() {
                    manager.alive();
                }
            }
        }
        self.hung = hung;
    }
}
