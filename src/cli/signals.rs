//! Signals: SIGINT, SIGTERM and SIGHUP pull the stop switch, and a run that does not end by itself
//! in time is ended with everything released.

use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

use crate::act::release::release_everything;
use crate::types::Stop;

/// A run that has not ended this long after a signal is ended from here. The loop itself needs
/// far less; this is for a thread that hangs in a system call.
const GRACE: Duration = Duration::from_millis(150);

/// How long the last release may take before the process ends without it.
const LAST: Duration = Duration::from_millis(30);

/// Watches signals until the process ends.
///
/// # Errors
/// When the system gives no thread or no signal handler.
pub fn watch(stop: &Stop) -> anyhow::Result<()> {
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
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            runtime.block_on(async move {
                let name = tokio::select! {
                    _ = interrupt.recv() => "SIGINT",
                    _ = terminate.recv() => "SIGTERM",
                    _ = hangup.recv() => "SIGHUP",
                };
                stop.pull(&format!("stopped by {name}"));
                // Not on this thread: a screen that does not answer would hold it for ever.
                std::thread::spawn(release_everything);
                tokio::time::sleep(GRACE).await;
                // Reached only if the loop hangs: the process has ended otherwise.
                let (done, released) = std::sync::mpsc::channel();
                std::thread::spawn(move || {
                    release_everything();
                    let _ = done.send(());
                });
                let _ = released.recv_timeout(LAST);
                std::process::exit(1);
            });
        })?;
    Ok(())
}
