//! What is said when a brain fails and another policy takes over.

use super::brain::Failure;
use super::process::Trouble;

/// Says each trouble once as long as it lasts: a brain that is given up is not news at every move.
#[derive(Debug)]
pub struct Reports {
    fallback: String,
    lasting: Option<Trouble>,
}

impl Reports {
    /// Of a brain behind which there is this policy.
    #[must_use]
    pub fn new(fallback: &str) -> Self {
        Self {
            fallback: fallback.to_owned(),
            lasting: None,
        }
    }

    /// The fallback makes this move: who, what happened, what is done now. Warns, and gives the
    /// text for the decision's note.
    pub fn takes_over(&mut self, failure: &Failure) -> String {
        let text = format!("{failure}; {} makes this move", self.fallback);
        let lasts = match &failure.trouble {
            trouble @ (Trouble::Starting
            | Trouble::Resting
            | Trouble::GivenUp
            | Trouble::Unfit(_)) => Some(trouble.clone()),
            _ => None,
        };
        // A run that ends is nobody's fault.
        let stopped = failure.trouble == Trouble::Stopped;
        match stopped || lasts.is_some() && self.lasting == lasts {
            true => tracing::debug!("{text}"),
            false => tracing::warn!("{text}"),
        }
        self.lasting = lasts;
        text
    }

    /// It has answered: the next trouble is news again.
    pub fn answered(&mut self) {
        self.lasting = None;
    }
}
