//! What can be wrong with a brain.

/// Why there is no answer. The text goes on after "NAME: ".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It does not run.
    #[error("it cannot be started: {0}")]
    Start(String),
    /// It is gone, or has closed its output.
    #[error("it has ended: {0}")]
    Ended(String),
    /// It did not answer in time.
    #[error("no answer in time")]
    Late,
    /// It does not read.
    #[error("it does not read what it is told")]
    Deaf,
    /// It answered what the protocol does not know, or an error.
    #[error("{0}")]
    Wrong(String),
    /// It answered a move that the rules do not allow.
    #[error("illegal move {action}: {why}")]
    Illegal {
        /// The move.
        action: String,
        /// What the rules say.
        why: String,
    },
    /// It does not play this game, size or rule, or says that it has no move here. Nothing is gained
    /// by starting it again.
    #[error("{0}")]
    Unfit(String),
    /// It says itself that it does not play this. Nothing is gained by asking again.
    #[error("{0}")]
    Refused(String),
    /// The stop switch was pulled.
    #[error("stopped")]
    Stopped,
    /// It was started a moment ago and has not greeted yet.
    #[error("it is still starting")]
    Starting,
    /// It thinks, and has time left for it.
    #[error("it is thinking")]
    Thinking,
    /// It failed a moment ago and is started again after a pause.
    #[error("it is started again after a pause")]
    Resting,
    /// It failed too often in a row.
    #[error("it is given up")]
    GivenUp,
}

impl Trouble {
    /// Whether the process is to blame, so that it is ended and started again.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        !matches!(
            self,
            Self::Unfit(_)
                | Self::Stopped
                | Self::Starting
                | Self::Thinking
                | Self::Resting
                | Self::GivenUp
        )
    }
}
