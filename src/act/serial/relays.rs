//! A keyboard whose keys are closed by relays.
//!
//! Takes keys by their names; closes the relay across the key for as long as it is set, and
//! tells when. Must never close a relay before all were opened and, where the board answers, read
//! back as open.

use std::sync::Arc;

use super::tether::Tether;
use super::{Protocol, Relays, protocol};
use crate::act::release::LetGo;
use crate::act::{ActError, Actuator, Hover};
use crate::types::{Armed, Clock, KeyTiming, Point, RelayHands, Stop, Stroke, Time};

/// Relays across keys.
pub struct RelayKeyboard {
    spec: RelayHands,
    relays: Arc<dyn Relays>,
    tether: Tether,
    last_key: Option<(Time, Time)>,
}

impl RelayKeyboard {
    /// Opens the port for this program alone, opens all relays and, unless the profile says that
    /// the board is dumb, makes sure that it answers.
    ///
    /// # Errors
    /// [`ActError::Unsupported`] for a wiring that the board does not have, [`ActError::Gone`]
    /// with the fix when the board cannot be used.
    pub fn open(spec: RelayHands, clock: Arc<dyn Clock>, stop: Stop) -> Result<Self, ActError> {
        let kind = spec.board.kind();
        if !kind.sizes.contains(&spec.size) {
            return Err(ActError::Unsupported(format!(
                "there is no {} with {} relays: write hands.size = one of {:?}",
                kind.name, spec.size, kind.sizes
            )));
        }
        let (first, last) = (kind.first, kind.first + spec.size - 1);
        let other = |r: &u8| !(first..=last).contains(r);
        if let Some((key, relay)) = spec.relays.iter().find(|(_, r)| other(r)) {
            return Err(ActError::Unsupported(format!(
                "[hands.relays] {key} = {relay}: the {} has relays {first} to {last}",
                kind.name
            )));
        }
        let relays = protocol(spec.board, spec.size);
        let line = Arc::clone(&relays) as Arc<dyn Protocol>;
        Ok(Self {
            tether: Tether::open(spec.line.clone(), line, clock, stop)?,
            spec,
            relays,
            last_key: None,
        })
    }

    /// The relays for a key, or for keys together such as `shift+k`.
    fn relays_for(&self, name: &str) -> Result<u32, ActError> {
        let first = self.spec.board.kind().first;
        let one = |name: &str| {
            let exact = self.spec.relays.iter().find(|(k, _)| k == name);
            let found = exact.or_else(|| {
                let mut all = self.spec.relays.iter();
                all.find(|(k, _)| k.eq_ignore_ascii_case(name))
            });
            found.map(|(_, relay)| 1u32 << (relay - first))
        };
        let together = || {
            name.split('+')
                .try_fold(0, |mask, part| Some(mask | one(part)?))
        };
        one(name).or_else(together).ok_or_else(|| {
            let wired: Vec<&str> = self.spec.relays.iter().map(|(k, _)| k.as_str()).collect();
            ActError::Unsupported(format!(
                "no relay is wired to the key \"{name}\": add it below [hands.relays], which has \
                 {}",
                wired.join(", ")
            ))
        })
    }

    fn press(&mut self, name: &str, permit: &Armed) -> Result<(), ActError> {
        let mask = self.relays_for(name)?;
        let (close, open) = (self.relays.set(mask, 0), self.relays.set(0, mask));
        let tether = &mut self.tether;
        let (line, clock) = (Arc::clone(&tether.line), Arc::clone(&tether.clock));
        let round = line.round();
        tether.wait(clock.now() + self.spec.lead, round)?;
        if !permit.is_valid(clock.now()) {
            return Err(ActError::Expired);
        }
        if let Err(error) = line.press(&close, mask, round) {
            // A part of them may be closed.
            let _ = line.release(&open, mask);
            return Err(error);
        }
        let closed = clock.now();
        let held = tether.wait(closed + self.spec.hold, round);
        line.release(&open, mask)?;
        let opened = clock.now();
        let up = opened + tether.wire(&open);
        self.last_key = Some((closed + tether.wire(&close), up));
        held?;
        if let Err(error) = tether.check() {
            // The key was made, for all that is known; the next one is refused.
            let _ = tether.noticed(error);
            return Ok(());
        }
        tether
            .wait(up + self.spec.gap, round)
            // The key was made; the next one will be told of a stop.
            .or(Ok(()))
    }
}

impl Actuator for RelayKeyboard {
    /// The window is ignored: a relay cannot tell where its key goes.
    fn perform(
        &mut self,
        stroke: &Stroke,
        _window: Option<u32>,
        permit: &Armed,
    ) -> Result<(), ActError> {
        if !permit.is_valid(self.tether.clock.now()) {
            return Err(ActError::Expired);
        }
        let Stroke::Key(name) = stroke else {
            return Err(no_pointer(stroke));
        };
        self.tether.search()?;
        self.press(name, permit).map_err(|e| self.tether.noticed(e))
    }

    fn hover(&mut self, at: Point, _permit: &Armed) -> Result<Hover, ActError> {
        Err(no_pointer(&Stroke::Park(at)))
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        let released = self.tether.line.let_go();
        released.map_err(|e| self.tether.noticed(e))
    }

    /// With the time of a command on the line, as of one relay that is closed.
    fn timing(&self) -> KeyTiming {
        KeyTiming {
            lead: self.spec.lead + self.tether.wire(&self.relays.set(1, 0)),
            hold: self.spec.hold,
            gap: self.spec.gap,
            latency: self.spec.latency,
        }
    }

    /// The times at which the board has the whole command; its relays follow within a few
    /// milliseconds.
    fn last_key(&self) -> Option<(Time, Time)> {
        self.last_key
    }

    fn tend(&mut self) {
        self.tether.tend();
    }

    fn away(&self) -> Option<String> {
        self.tether.away()
    }

    fn let_go(&self) -> Option<Arc<dyn LetGo>> {
        Some(Arc::clone(&self.tether.line) as Arc<dyn LetGo>)
    }
}

fn no_pointer(stroke: &Stroke) -> ActError {
    ActError::Unsupported(format!(
        "relays cannot do \"{stroke}\": they press keys and have no pointer"
    ))
}
