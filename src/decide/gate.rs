//! The gate: an action passes only when armed, on a fresh, still, certain board, at a bounded rate.

use std::time::Duration;

use crate::types::{ActionId, Armed, Time};

/// The gate's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// At least this long between two actions.
    pub min_interval: Duration,
    /// A frame older than this is no ground for an action.
    pub max_age: Duration,
    /// An action not begun this long after it was permitted is void.
    pub expiry: Duration,
}

/// What is known when permission is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Now.
    pub now: Time,
    /// When the frame was captured on which the action rests.
    pub captured_at: Time,
    /// Every cell is known and the position is as believed.
    pub certain: bool,
    /// No change has been going on in this frame.
    pub still: bool,
    /// Every point of the action lies on the visible part of the screen.
    pub reachable: bool,
}

/// Why an action may not be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Only watching.
    NotArmed,
    /// The frame is too old, or was captured before the last action ended.
    Stale,
    /// The position is not certain.
    Uncertain,
    /// The board is changing.
    Moving,
    /// A point of the action cannot be reached.
    Unreachable,
    /// The rate limit: not before this time.
    TooSoon(Time),
}

/// Grants one action at a time.
#[derive(Debug)]
pub struct Gate {
    armed: bool,
    /// Whether a person may arm and disarm it while it runs.
    changeable: bool,
    limits: Limits,
    last_begun: Option<Time>,
    last_ended: Time,
    granted: ActionId,
}

impl Gate {
    /// A gate; whether it is armed is decided once, by the command that was given.
    #[must_use]
    pub const fn new(armed: bool, limits: Limits) -> Self {
        Self {
            armed,
            changeable: false,
            limits,
            last_begun: None,
            last_ended: Time::ZERO,
            granted: 0,
        }
    }

    /// Whether it can grant anything at all.
    #[must_use]
    pub const fn is_armed(&self) -> bool {
        self.armed
    }

    /// Lets [`Self::set_armed`] change it from now on. It begins disarmed.
    #[must_use]
    pub const fn changeable(mut self) -> Self {
        (self.armed, self.changeable) = (false, true);
        self
    }

    /// A person arms or disarms it. A gate that was decided once stays as it is; whether it was
    /// changed.
    pub const fn set_armed(&mut self, armed: bool) -> bool {
        let changed = self.changeable && self.armed != armed;
        if changed {
            self.armed = armed;
        }
        changed
    }

    /// Never grants anything again.
    pub const fn disarm(&mut self) {
        (self.armed, self.changeable) = (false, false);
    }

    /// Permission for one action, or why not.
    ///
    /// # Errors
    /// The first reason against it.
    pub fn ask(&mut self, facts: &Facts) -> Result<Armed, Refusal> {
        if !self.armed {
            return Err(Refusal::NotArmed);
        }
        if !facts.certain {
            return Err(Refusal::Uncertain);
        }
        if !facts.still {
            return Err(Refusal::Moving);
        }
        if !facts.reachable {
            return Err(Refusal::Unreachable);
        }
        if !self.is_fresh(facts.now, facts.captured_at) {
            return Err(Refusal::Stale);
        }
        if let Some(last) = self.last_begun {
            let earliest = last + self.limits.min_interval;
            if facts.now < earliest {
                return Err(Refusal::TooSoon(earliest));
            }
        }
        self.granted += 1;
        self.last_begun = Some(facts.now);
        Ok(Armed::grant(self.granted, facts.now + self.limits.expiry))
    }

    /// Permission for one key of a game that does not wait. Such a game is never still, and the
    /// belief accounts for keys whose effect has not been seen: the frame must be young, not
    /// younger than the last key.
    ///
    /// # Errors
    /// The first reason against it.
    pub fn ask_live(
        &mut self,
        now: Time,
        captured_at: Time,
        certain: bool,
    ) -> Result<Armed, Refusal> {
        if !self.armed {
            return Err(Refusal::NotArmed);
        }
        if !certain {
            return Err(Refusal::Uncertain);
        }
        if now.since(captured_at) > self.limits.max_age {
            return Err(Refusal::Stale);
        }
        if let Some(last) = self.last_begun {
            let earliest = last + self.limits.min_interval;
            if now < earliest {
                return Err(Refusal::TooSoon(earliest));
            }
        }
        self.granted += 1;
        self.last_begun = Some(now);
        Ok(Armed::grant(self.granted, now + self.limits.expiry))
    }

    /// Permission for a step of the profile's script, which needs no board: there may be none to
    /// be certain of. The frame must be young and later than the last action.
    ///
    /// # Errors
    /// The first reason against it.
    pub fn ask_for_step(
        &mut self,
        now: Time,
        captured_at: Time,
        reachable: bool,
    ) -> Result<Armed, Refusal> {
        self.ask(&Facts {
            now,
            captured_at,
            certain: true,
            still: true,
            reachable,
        })
    }

    /// Permission to move the pointer off the board. It presses nothing, so it needs no certain
    /// board (the pointer may be what hides a cell) and takes no turn of the rate limit.
    ///
    /// # Errors
    /// Not armed, or the frame is older than the end of the last action.
    pub fn ask_to_park(&mut self, now: Time, captured_at: Time) -> Result<Armed, Refusal> {
        if !self.armed {
            return Err(Refusal::NotArmed);
        }
        if !self.is_fresh(now, captured_at) {
            return Err(Refusal::Stale);
        }
        self.granted += 1;
        Ok(Armed::grant(self.granted, now + self.limits.expiry))
    }

    /// Whether a frame is young enough and was captured after the last action ended.
    #[must_use]
    pub fn is_fresh(&self, now: Time, captured_at: Time) -> bool {
        now.since(captured_at) <= self.limits.max_age
            && (self.granted == 0 || captured_at > self.last_ended)
    }

    /// The number of the last action granted; 0 before the first.
    #[must_use]
    pub const fn last_granted(&self) -> ActionId {
        self.granted
    }

    /// The granted action has ended (made, refused or failed): only later frames count.
    pub const fn ended(&mut self, at: Time) {
        self.last_ended = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(armed: bool) -> Gate {
        Gate::new(
            armed,
            Limits {
                min_interval: Duration::from_millis(10),
                max_age: Duration::from_millis(100),
                expiry: Duration::from_millis(50),
            },
        )
    }

    fn good(ms: u64) -> Facts {
        Facts {
            now: Time::from_millis(ms),
            captured_at: Time::from_millis(ms),
            certain: true,
            still: true,
            reachable: true,
        }
    }

    #[test]
    fn nothing_passes_unarmed() {
        assert_eq!(gate(false).ask(&good(1)).err(), Some(Refusal::NotArmed));
        let mut g = gate(true);
        g.disarm();
        assert_eq!(g.ask(&good(1)).err(), Some(Refusal::NotArmed));
    }

    #[test]
    fn a_person_arms_and_disarms_only_where_that_was_meant() {
        let mut g = gate(false);
        assert!(
            !g.set_armed(true) && !g.is_armed(),
            "decided by the command"
        );
        let mut g = gate(true).changeable();
        assert_eq!(g.ask(&good(1)).err(), Some(Refusal::NotArmed));
        assert!(g.set_armed(true) && !g.set_armed(true));
        assert!(g.ask(&good(1)).is_ok());
        assert!(g.set_armed(false));
        assert_eq!(g.ask(&good(100)).err(), Some(Refusal::NotArmed));
        g.disarm();
        assert!(!g.set_armed(true) && !g.is_armed(), "the run is over");
    }

    #[test]
    fn every_doubt_refuses() {
        let ask = |f: Facts| gate(true).ask(&f).err();
        assert_eq!(
            ask(Facts {
                certain: false,
                ..good(1)
            }),
            Some(Refusal::Uncertain)
        );
        assert_eq!(
            ask(Facts {
                still: false,
                ..good(1)
            }),
            Some(Refusal::Moving)
        );
        assert_eq!(
            ask(Facts {
                reachable: false,
                ..good(1)
            }),
            Some(Refusal::Unreachable)
        );
        let stale = Facts {
            captured_at: Time::from_millis(1),
            ..good(200)
        };
        assert_eq!(ask(stale), Some(Refusal::Stale));
    }

    #[test]
    fn parking_needs_a_fresh_frame_and_takes_no_turn() {
        let ms = Time::from_millis;
        assert!(gate(false).ask_to_park(ms(5), ms(5)).is_err());
        let mut g = gate(true);
        let permit = g.ask_to_park(ms(5), ms(5)).expect("fresh");
        assert!(permit.is_valid(ms(54)) && !permit.is_valid(ms(55)));
        g.ended(ms(6));
        assert_eq!(g.ask_to_park(ms(9), ms(6)).err(), Some(Refusal::Stale));
        assert!(g.ask(&good(7)).is_ok(), "no turn was taken");
    }

    #[test]
    fn a_key_needs_a_young_frame_and_a_certain_belief_only() {
        let at = Time::from_millis;
        assert_eq!(
            gate(false).ask_live(at(10), at(10), true).err(),
            Some(Refusal::NotArmed)
        );
        let mut g = gate(true);
        assert_eq!(
            g.ask_live(at(1000), at(1000), false).err(),
            Some(Refusal::Uncertain)
        );
        assert_eq!(
            g.ask_live(at(100_000), at(1000), true).err(),
            Some(Refusal::Stale)
        );
        assert!(g.ask_live(at(100_000), at(100_000), true).is_ok());
        g.ended(at(100_050));
        let limit = at(100_000) + g.limits.min_interval;
        assert!(
            g.ask_live(limit, at(100_000), true).is_ok(),
            "an older frame will do"
        );
        assert!(matches!(
            g.ask_live(limit, at(100_000), true).err(),
            Some(Refusal::TooSoon(_))
        ));
    }

    #[test]
    fn rate_and_expiry_hold_and_only_later_frames_count() {
        let mut g = gate(true);
        let permit = g.ask(&good(5)).expect("the first passes");
        assert!(permit.is_valid(Time::from_millis(54)));
        assert!(!permit.is_valid(Time::from_millis(55)));
        g.ended(Time::from_millis(7));
        let before = Facts {
            captured_at: Time::from_millis(6),
            ..good(20)
        };
        assert_eq!(g.ask(&before).err(), Some(Refusal::Stale));
        assert_eq!(
            g.ask(&good(9)).err(),
            Some(Refusal::TooSoon(Time::from_millis(15)))
        );
        assert!(g.ask(&good(15)).is_ok());
    }
}
