//! A keyboard whose keys are closed by relays.
//!
//! Takes keys by their names; closes the relay across the key for as long as it is set, and
//! tells when. A board that goes away is looked for under the same name until it is back. Must
//! never close a relay before all were opened and, where the board answers, read back as open.

use std::sync::Arc;
use std::time::Duration;

use super::line::Line;
use super::port::Port;
use super::{Protocol, protocol};
use crate::act::release::{LetGo, enlist};
use crate::act::{ActError, Actuator, Hover};
use crate::types::{Armed, Clock, KeyTiming, Point, RelayHands, Stop, Stroke, Time};

/// How long an answer may take. The board needs 14 ms for question and answer on the line.
const ANSWER: Duration = Duration::from_millis(250);

/// How often the board is asked until it counts as dumb.
const QUESTIONS: u32 = 3;

/// Between two looks for a board that is away.
const SEARCH: Duration = Duration::from_millis(250);

/// So long after its last answer the board is asked whether it is still there: an adapter stays
/// when the board behind it loses its power.
const CHECK: Duration = Duration::from_secs(5);

/// A board that has not answered then is away. Nobody waits for it meanwhile.
const SILENCE: Duration = Duration::from_secs(1);

/// How soon a stop is noticed while waiting.
const SLICE: Duration = Duration::from_millis(2);

/// Bits on the line for a byte at 8N1.
const BITS: u32 = 10;

/// Relays across keys.
pub struct RelayKeyboard {
    spec: RelayHands,
    protocol: &'static dyn Protocol,
    line: Arc<Line>,
    clock: Arc<dyn Clock>,
    /// How long a command is on the line.
    wire: Duration,
    last_key: Option<(Time, Time)>,
    /// Why the board is away, and when it is looked for next.
    away: Option<(String, Time)>,
    /// When the board last answered.
    alive: Time,
    /// When it was asked, if it has not answered yet, and what was heard since.
    asked: Option<Time>,
    heard: Vec<u8>,
}

impl RelayKeyboard {
    /// Opens the port for this program alone, opens all relays and, unless the profile says that
    /// the board is dumb, makes sure that it answers.
    ///
    /// # Errors
    /// [`ActError::Unsupported`] for a wiring that the board does not have, [`ActError::Gone`]
    /// with the fix when the board cannot be used.
    pub fn open(spec: RelayHands, clock: Arc<dyn Clock>, stop: Stop) -> Result<Self, ActError> {
        let protocol = protocol(spec.board);
        let relays = protocol.relays();
        if let Some((key, relay)) = spec.relays.iter().find(|(_, r)| *r >= relays) {
            return Err(ActError::Unsupported(format!(
                "[hands.relays] {key} = {relay}: the {} has relays 0 to {}",
                protocol.name(),
                relays - 1
            )));
        }
        if spec.baud == 0 {
            return Err(ActError::Unsupported(
                "hands.baud = 0: no line is so slow".into(),
            ));
        }
        let command = u32::try_from(protocol.set(0).len()).unwrap_or(0);
        let line = Arc::new(Line::new(protocol, spec.port.clone(), stop));
        let mut made = Self {
            wire: Duration::from_secs(1) * (command * BITS) / spec.baud,
            spec,
            protocol,
            line,
            alive: clock.now(),
            clock,
            last_key: None,
            away: None,
            asked: None,
            heard: Vec::new(),
        };
        made.connect()?;
        enlist(&made.line);
        Ok(made)
    }

    /// Opens the port, opens all relays, asks whether they are.
    fn connect(&mut self) -> Result<(), ActError> {
        let mut port = Port::open(&self.spec.port, self.spec.baud)?;
        if !self.spec.boot.is_zero() {
            self.clock.sleep_until(self.clock.now() + self.spec.boot);
        }
        let lost = |e: std::io::Error| {
            ActError::Gone(format!(
                "the relay board on {} went away while it was opened: {e}",
                self.spec.port
            ))
        };
        let open = self.protocol.set(0);
        port.write(&open).map_err(lost)?;
        if let Some(question) = self.protocol.question().filter(|_| self.spec.handshake) {
            let mut closed = None;
            let mut heard = Vec::new();
            for again in 0..QUESTIONS {
                if again > 0 {
                    port.write(&open).map_err(lost)?;
                }
                (closed, heard) = self.ask(&mut port, question, ANSWER).map_err(lost)?;
                if closed == Some(0) {
                    break;
                }
            }
            match closed {
                Some(0) => {}
                Some(mask) => {
                    return Err(ActError::Gone(format!(
                        "the relay board on {} says that relays stay closed ({mask:08b}, relay 7 \
                         first) after all were opened: is it a {}, and is nothing else wired to it?",
                        self.spec.port,
                        self.protocol.name()
                    )));
                }
                None => return Err(ActError::Gone(self.dumb(&heard))),
            }
        }
        self.line.connect(port)?;
        self.alive = self.clock.now();
        self.asked = None;
        Ok(())
    }

    fn ask(
        &self,
        port: &mut Port,
        question: &[u8],
        patience: Duration,
    ) -> std::io::Result<(Option<u8>, Vec<u8>)> {
        port.forget_input()?;
        port.write(question)?;
        port.read_until(patience, |heard| self.protocol.answer(heard))
    }

    fn dumb(&self, heard: &[u8]) -> String {
        let heard = match heard {
            [] => "nothing was heard".to_owned(),
            some => format!("heard \"{}\"", some[..some.len().min(40)].escape_ascii()),
        };
        format!(
            "the relay board on {} does not answer ({heard}): is it a {}, has it power, is its \
             line at {} bits per second, is this its port? For a board that never answers write \
             handshake = false below [hands]",
            self.spec.port,
            self.protocol.name(),
            self.spec.baud
        )
    }

    /// The relays for a key, or for keys together such as `shift+k`.
    fn relays_for(&self, name: &str) -> Result<u8, ActError> {
        let one = |name: &str| {
            let exact = self.spec.relays.iter().find(|(k, _)| k == name);
            let found = exact.or_else(|| {
                let mut all = self.spec.relays.iter();
                all.find(|(k, _)| k.eq_ignore_ascii_case(name))
            });
            found.map(|(_, relay)| 1u8 << relay)
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

    /// Waits; the time when it is over.
    fn wait(&self, until: Time, round: u64) -> Result<(), ActError> {
        loop {
            if self.line.is_over(round) {
                return Err(ActError::Stopped);
            }
            let now = self.clock.now();
            if now >= until {
                return Ok(());
            }
            self.clock.sleep_until(until.min(now + SLICE));
        }
    }

    fn press(&mut self, name: &str, permit: &Armed) -> Result<(), ActError> {
        let relays = self.relays_for(name)?;
        let round = self.line.round();
        self.wait(self.clock.now() + self.spec.lead, round)?;
        if !permit.is_valid(self.clock.now()) {
            return Err(ActError::Expired);
        }
        self.line.close(relays, round)?;
        let closed = self.clock.now();
        let held = self.wait(closed + self.spec.hold, round);
        self.line.open_all()?;
        let opened = self.clock.now();
        self.last_key = Some((closed + self.wire, opened + self.wire));
        held?;
        if let Err(error) = self.check() {
            // The key was made, for all that is known; the next one is refused.
            let _ = self.noticed(error);
            return Ok(());
        }
        self.wait(opened + self.wire + self.spec.gap, round)
            // The key was made; the next one will be told of a stop.
            .or(Ok(()))
    }

    /// The board went away: what is known of it is void.
    fn lose(&mut self, why: String) -> ActError {
        if self.away.is_none() {
            tracing::warn!(port = %self.spec.port, why, "the relay board is away");
            self.away = Some((why.clone(), self.clock.now() + SEARCH));
        }
        self.line.disconnect();
        ActError::Away(why)
    }

    /// Looks for a board that is away, now and then.
    fn search(&mut self) -> Result<(), ActError> {
        let Some((why, next)) = self.away.clone() else {
            return Ok(());
        };
        if self.clock.now() < next {
            return Err(ActError::Away(why));
        }
        match self.connect() {
            Ok(()) => {
                tracing::info!(port = %self.spec.port, "the relay board is back");
                self.away = None;
                Ok(())
            }
            Err(error) => {
                let why = error.to_string();
                tracing::debug!(port = %self.spec.port, why, "the relay board is still away");
                self.away = Some((why.clone(), self.clock.now() + SEARCH));
                Err(ActError::Away(why))
            }
        }
    }

    /// Asks the board now and then whether it is still there and all is open, and takes its
    /// answer when it comes. Never waits.
    fn check(&mut self) -> Result<(), ActError> {
        let line = Arc::clone(&self.line);
        line.with(|port| port.check())?;
        let Some(question) = self.protocol.question().filter(|_| self.spec.handshake) else {
            return Ok(());
        };
        let now = self.clock.now();
        let Some(asked) = self.asked else {
            if now >= self.alive + CHECK {
                line.with(|port| {
                    port.forget_input()?;
                    port.write(question)
                })?;
                self.heard.clear();
                self.asked = Some(now);
            }
            return Ok(());
        };
        line.with(|port| port.read_now(&mut self.heard))?;
        match self.protocol.answer(&self.heard) {
            Some(mask) => {
                self.asked = None;
                self.alive = now;
                if mask != 0 {
                    tracing::warn!(mask, "relays were closed by somebody else");
                    line.open_all()?;
                }
                Ok(())
            }
            None if now >= asked + SILENCE => Err(ActError::Away(self.dumb(&self.heard))),
            None => Ok(()),
        }
    }

    /// An error that says that the board is away makes it so.
    fn noticed(&mut self, error: ActError) -> ActError {
        match error {
            ActError::Away(why) => self.lose(why),
            other => other,
        }
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
        if !permit.is_valid(self.clock.now()) {
            return Err(ActError::Expired);
        }
        let Stroke::Key(name) = stroke else {
            return Err(no_pointer(stroke));
        };
        self.search()?;
        if !self.line.is_connected() {
            let why = format!("the relay board on {} went away", self.spec.port);
            return Err(self.lose(why));
        }
        self.press(name, permit).map_err(|e| self.noticed(e))
    }

    fn hover(&mut self, at: Point, _permit: &Armed) -> Result<Hover, ActError> {
        Err(no_pointer(&Stroke::Park(at)))
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        self.line.let_go().map_err(|e| self.noticed(e))
    }

    fn timing(&self) -> KeyTiming {
        KeyTiming {
            lead: self.spec.lead + self.wire,
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
        // What is wrong is kept in `away`.
        if self.search().is_ok()
            && let Err(error) = self.check()
        {
            let _ = self.noticed(error);
        }
    }

    fn away(&self) -> Option<String> {
        self.away.as_ref().map(|(why, _)| why.clone())
    }

    fn let_go(&self) -> Option<Arc<dyn LetGo>> {
        Some(Arc::clone(&self.line) as Arc<dyn LetGo>)
    }
}

impl Drop for RelayKeyboard {
    fn drop(&mut self) {
        // Nobody is left to hear of an error, which means that the board is gone.
        let _ = self.line.let_go();
    }
}

fn no_pointer(stroke: &Stroke) -> ActError {
    ActError::Unsupported(format!(
        "relays cannot do \"{stroke}\": they press keys and have no pointer"
    ))
}
