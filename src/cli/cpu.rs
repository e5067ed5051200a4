//! CPU time of this thread: what a bench reports, since the machine may be busy with other things.

use std::time::Duration;

/// CPU time used by the calling thread so far.
#[cfg(unix)]
#[must_use]
pub fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(now.tv_sec).unwrap_or(0),
        u32::try_from(now.tv_nsec).unwrap_or(0),
    )
}

/// Where threads have no clock of their own: time since the first call.
#[cfg(not(unix))]
#[must_use]
pub fn thread_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
