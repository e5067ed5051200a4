//! Keys as a player means them, their names in profiles, and keys that are on their way.
//!
//! Takes when each key went down, gives what may have become of it by the time of a frame. Must
//! never decide by itself that a key was lost: that is seen.

use std::time::Duration;

use crate::types::{KeyTiming, Time};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Press {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// The next orientation of the system.
    Rotate,
    /// The orientation before.
    RotateBack,
    /// Down as far as it goes.
    Drop,
}

impl Press {
    /// Whether it asks for another orientation.
    #[must_use]
    pub const fn turns(self) -> bool {
        matches!(self, Self::Rotate | Self::RotateBack)
    }
}

/// Names of the keys, as the hands know them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyNames {
    /// One column to the left.
    pub left: String,
    /// One column to the right.
    pub right: String,
    /// The next orientation of the system.
    pub rotate: String,
    /// Down as far as it goes.
    pub drop: String,
    /// The orientation before, for programs that have such a key.
    pub rotate_back: Option<String>,
}

impl Default for KeyNames {
    fn default() -> Self {
        Self {
            left: "Left".to_owned(),
            right: "Right".to_owned(),
            rotate: "Up".to_owned(),
            drop: "space".to_owned(),
            rotate_back: None,
        }
    }
}

impl KeyNames {
    /// The name of a key; `None` when the program has no such key.
    #[must_use]
    pub fn name(&self, press: Press) -> Option<&str> {
        match press {
            Press::Left => Some(&self.left),
            Press::Right => Some(&self.right),
            Press::Rotate => Some(&self.rotate),
            Press::Drop => Some(&self.drop),
            Press::RotateBack => self.rotate_back.as_deref(),
        }
    }

    /// What a key of this name asks for.
    #[must_use]
    pub fn press(&self, name: &str) -> Option<Press> {
        [
            Press::Left,
            Press::Right,
            Press::Rotate,
            Press::Drop,
            Press::RotateBack,
        ]
        .into_iter()
        .find(|&p| self.name(p) == Some(name))
    }
}

/// A press that was doubled acts again within so long after it went down, over and above the
/// latency: keyboards repeat, contacts bounce.
pub const REPEAT: Duration = Duration::from_millis(50);
/// A key that was taken for lost may still show up for so long.
const LATE: Duration = Duration::from_millis(150);
/// Clocks of hands and eyes agree this well.
const CLOCKS: Duration = Duration::from_millis(2);
/// Keys followed at once; hands send one at a time, so there are never so many.
pub const MOST: usize = 8;

/// What is known of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was asked for; the hands have not said yet that it was sent.
    Asked,
    /// It was sent; its effect was not seen yet.
    Sent,
    /// Its effect was seen.
    Seen,
    /// No effect was seen when it had to be.
    Lost,
}

/// A key on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// What it asks for.
    pub press: Press,
    /// When it went down.
    pub down: Time,
    /// What is known of it.
    pub fate: Fate,
}

/// What may have become of a key by the time of a frame: the cost (minus the logarithm of the
/// odds) of each; infinite where impossible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// What the key asks for.
    pub press: Press,
    /// Neither it nor any later key can be seen yet.
    pub wait: f32,
    /// It had no effect and will have none.
    pub none: f32,
    /// It acted once.
    pub once: f32,
    /// It acted twice.
    pub twice: f32,
}

/// Cost of a lost key.
pub const LOST: f32 = 3.9;
/// Cost of a doubled key.
pub const DOUBLED: f32 = 4.6;
const NEVER: f32 = f32::INFINITY;

impl Flight {
    /// What may have become of it in a frame captured at `at`.
    #[must_use]
    pub fn odds(&self, at: Time, latency: Duration) -> Odds {
        let odds = |wait, none, once, twice| Odds {
            press: self.press,
            wait,
            none,
            once,
            twice,
        };
        match self.fate {
            Fate::Asked | Fate::Sent if self.down > at + CLOCKS => odds(0.0, NEVER, NEVER, NEVER),
            Fate::Asked => odds(0.7, LOST, 0.7, DOUBLED),
            Fate::Sent if at < self.down + latency + CLOCKS => odds(0.7, NEVER, 0.7, DOUBLED),
            Fate::Sent => odds(NEVER, LOST, 0.0, DOUBLED),
            Fate::Seen => odds(NEVER, 0.0, DOUBLED, NEVER),
            Fate::Lost => odds(NEVER, 0.0, LOST, NEVER),
        }
    }

    /// Whether it can have no further effect on frames captured at `at` or later.
    #[must_use]
    pub fn is_past(&self, at: Time, latency: Duration) -> bool {
        match self.fate {
            Fate::Asked | Fate::Sent => false,
            Fate::Seen => at > self.down + latency + REPEAT,
            Fate::Lost => at > self.down + latency + LATE,
        }
    }
}

/// The keys on their way, in order.
#[derive(Clone, Debug, Default)]
pub struct Flights {
    keys: Vec<Flight>,
}

impl Flights {
    /// In the order in which they went down.
    #[must_use]
    pub fn keys(&self) -> &[Flight] {
        &self.keys
    }

    /// A key is asked for.
    pub fn ask(&mut self, press: Press, now: Time, timing: &KeyTiming) {
        self.keys.retain(|k| k.fate != Fate::Asked);
        self.push(Flight {
            press,
            down: now + timing.lead,
            fate: Fate::Asked,
        });
    }

    fn push(&mut self, key: Flight) {
        if self.keys.len() >= MOST {
            self.keys.remove(0);
        }
        self.keys.push(key);
    }

    /// A key was sent. If it was asked for, its effect may have been seen already.
    pub fn sent(&mut self, press: Press, down: Time) {
        if let Some(key) = self
            .keys
            .iter_mut()
            .find(|k| k.press == press && k.fate == Fate::Asked)
        {
            key.down = down;
            key.fate = Fate::Sent;
            return;
        }
        // Its effect was seen before the hands told of it.
        let told = |k: &&mut Flight| {
            let apart = k.down.since(down).max(down.since(k.down));
            k.press == press && k.fate == Fate::Seen && apart < Duration::from_millis(25)
        };
        if let Some(key) = self.keys.iter_mut().rev().find(told) {
            key.down = down;
            return;
        }
        self.push(Flight {
            press,
            down,
            fate: Fate::Sent,
        });
    }

    /// The key asked for was not sent.
    pub fn refused(&mut self) {
        self.keys.retain(|k| k.fate != Fate::Asked);
    }

    /// Nothing is known of any key any more.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// What a frame showed of the key at this index.
    pub fn set(&mut self, index: usize, fate: Fate) {
        if let Some(key) = self.keys.get_mut(index) {
            key.fate = fate;
        }
    }

    /// Forgets the keys that can have no further effect.
    pub fn tidy(&mut self, at: Time, latency: Duration) {
        self.keys.retain(|k| !k.is_past(at, latency));
    }

    /// Keys whose effect was not seen yet, in order.
    pub fn open(&self) -> impl Iterator<Item = &Flight> {
        let open = |k: &&Flight| matches!(k.fate, Fate::Asked | Fate::Sent);
        self.keys.iter().filter(open)
    }
}
