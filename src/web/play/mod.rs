//! Games that a browser plays: what they share, and what bounds them.
//!
//! A game lives in the page; each request brings the whole position and is answered for itself, so
//! that many games cost nothing between their moves. What thinks for long does so on the few threads
//! of the [`pool`]; the built-in Tetris ([`tetris`]) is the one game that lives here, as long as its
//! page is open. Nothing here touches a screen, a session or a file.

pub mod pool;
pub mod tetris;

use std::sync::Arc;

use tokio::sync::Semaphore;

use pool::Pool;

/// What all games of a server share.
#[derive(Clone, Debug)]
pub struct Play {
    /// Who thinks.
    pub pool: Arc<Pool>,
    /// Places for pages with a Tetris.
    pub places: Arc<Semaphore>,
}

impl Play {
    /// Starts the threads that think.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start() -> std::io::Result<Self> {
        Ok(Self {
            pool: Arc::new(Pool::start()?),
            places: Arc::new(Semaphore::new(tetris::MOST)),
        })
    }
}
