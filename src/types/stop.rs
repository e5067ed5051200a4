//! The stop switch: one flag that every loop, search and wait looks at.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Shared by the whole run; once pulled it stays pulled and keeps its first reason.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    pulled: AtomicBool,
    reason: OnceLock<String>,
}

impl Stop {
    /// A switch not yet pulled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Pulls it; only the first reason is kept.
    pub fn pull(&self, reason: &str) {
        let _ = self.0.reason.set(reason.to_owned());
        self.0.pulled.store(true, Ordering::SeqCst);
    }

    /// Whether it has been pulled.
    #[must_use]
    pub fn is_pulled(&self) -> bool {
        self.0.pulled.load(Ordering::Relaxed)
    }

    /// Why it was pulled, if it was.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.is_pulled()
            .then(|| self.0.reason.get().map_or("stopped", String::as_str))
    }
}
