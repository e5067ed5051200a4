//! Signals: SIGINT, SIGTERM and SIGHUP pull the stop switch, and a run that does not end by itself
//! in time is ended with everything released. A daemon reads its settings again at a SIGHUP, unless
//! that is its own terminal being closed.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

use crate::act::release::release_everything;
use crate::types::Stop;

/// A run that has not ended this long after a signal is ended from here. The loop itself needs
/// far less; this is for a thread that hangs in a system call.
const GRACE: Duration = Duration::from_millis(150);

/// The same for a daemon, which ends sessions one by one and says which of them hang.
const DAEMONS_GRACE: Duration = Duration::from_millis(800);

/// How long the last release may take before the process ends without it.
const LAST: Duration = Duration::from_millis(30);

/// Whether somebody has asked that settings are read again.
#[derive(Clone, Debug, Default)]
pub struct Again(Arc<AtomicBool>);

impl Again {
    /// Takes the wish, if there is one.
    #[must_use]
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}

/// Watches signals until the process ends.
///
/// # Errors
/// When the system gives no thread or no signal handler.
pub fn watch(stop: &Stop) -> anyhow::Result<()> {
    begin(stop, GRACE, None)
}

/// Watches signals of a daemon until the process ends; it is told when a SIGHUP asks for its
/// settings to be read again.
///
/// # Errors
/// When the system gives no thread or no signal handler.
pub fn watch_daemon(stop: &Stop) -> anyhow::Result<Again> {
    let again = Again::default();
    begin(stop, DAEMONS_GRACE, Some(again.clone()))?;
    Ok(again)
}

/// Lets go of everything, but waits no longer for it than is due at the very end.
pub fn last_release() {
    let (done, released) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        release_everything();
        let _ = done.send(());
    });
    let _ = released.recv_timeout(LAST);
}

fn begin(stop: &Stop, grace: Duration, again: Option<Again>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (mut interrupt, mut terminate, mut hangup) = {
        let _inside = runtime.enter();
        (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        )
    };
    let stop = stop.clone();
    let terminal = std::io::stdin().is_terminal();
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            runtime.block_on(async move {
                let name = loop {
                    tokio::select! {
                        _ = interrupt.recv() => break "SIGINT",
                        _ = terminate.recv() => break "SIGTERM",
                        _ = hangup.recv() => {}
                    }
                    // A terminal that has been closed is none any more.
                    let closed = terminal && !std::io::stdin().is_terminal();
                    match &again {
                        Some(again) if !closed => again.0.store(true, Ordering::SeqCst),
                        _ => break "SIGHUP",
                    }
                };
                stop.pull(&format!("stopped by {name}"));
                // Not on this thread: a screen that does not answer would hold it for ever.
                std::thread::spawn(release_everything);
                tokio::time::sleep(grace).await;
                // Reached only if the loop hangs: the process has ended otherwise.
                last_release();
                std::process::exit(1);
            });
        })?;
    Ok(())
}
