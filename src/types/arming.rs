//! The switch with which a person arms and disarms a run that was made for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Shared by a run and whoever commands it: holds the last wish until the loop has taken it. It
/// grants nothing: the gate does.
#[derive(Clone, Debug, Default)]
pub struct Arming(Arc<AtomicU8>);

const NONE: u8 = 0;
const DISARM: u8 = 1;
const ARM: u8 = 2;

impl Arming {
    /// A switch that nobody has touched.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for it; a wish that was not taken yet is replaced.
    pub fn ask(&self, armed: bool) {
        let wish = if armed { ARM } else { DISARM };
        self.0.store(wish, Ordering::SeqCst);
    }

    /// Takes the wish, if there is one.
    pub fn take(&self) -> Option<bool> {
        match self.0.swap(NONE, Ordering::SeqCst) {
            ARM => Some(true),
            DISARM => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_wish_is_taken_once() {
        let (person, run) = (Arming::new(), Arming::new());
        assert_eq!(run.take(), None);
        let run = person.clone();
        person.ask(true);
        person.ask(false);
        assert_eq!(run.take(), Some(false));
        assert_eq!(run.take(), None);
        person.ask(true);
        assert_eq!(run.take(), Some(true));
    }
}
