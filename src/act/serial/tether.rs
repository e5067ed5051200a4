//! What keeps a device on a serial line: opened, greeted, let go and read back before it counts
//! as there; asked now and then whether it still is; looked for while it is away.
//!
//! Takes a protocol and the line's settings; knows neither keys nor relays. Must never let a
//! device count as there before everything on it was let go and, where it answers, read back so.

use std::sync::Arc;
use std::time::Duration;

use super::line::Line;
use super::port::Port;
use super::{Answer, Protocol};
use crate::act::ActError;
use crate::act::release::{LetGo as _, enlist};
use crate::types::{Clock, LineSpec, Stop, Time};

/// How long an answer may take. The slowest needs 14 ms for question and answer on the line.
const ANSWER: Duration = Duration::from_millis(250);

/// How often a device is asked until it counts as dumb.
const QUESTIONS: u32 = 3;

/// Between two looks for a device that is away: at first, and at the most.
const SEARCH: Duration = Duration::from_millis(250);
const SELDOM: Duration = Duration::from_secs(2);

/// So long after its last answer the device is asked whether it is still there: an adapter stays
/// when the board behind it loses its power.
const CHECK: Duration = Duration::from_secs(5);

/// A device that has not answered then is away. Nobody waits for it meanwhile.
const SILENCE: Duration = Duration::from_secs(1);

/// How soon a stop is noticed while waiting.
const SLICE: Duration = Duration::from_millis(2);

/// Bits on the line for a byte at 8N1.
const BITS: u32 = 10;

/// A device that is away.
struct Away {
    why: String,
    /// When it is looked for next, and how long it is waited after that.
    next: Time,
    pause: Duration,
}

/// One device and its line.
pub(super) struct Tether {
    spec: LineSpec,
    protocol: Arc<dyn Protocol>,
    pub(super) line: Arc<Line>,
    pub(super) clock: Arc<dyn Clock>,
    away: Option<Away>,
    /// When the device last answered.
    alive: Time,
    /// When it was asked, if it has not answered yet, and what was heard since.
    asked: Option<Time>,
    heard: Vec<u8>,
}

impl Tether {
    /// Opens the port for this program alone, lets go of everything and, unless the profile says
    /// that the device is dumb, makes sure that it answers.
    ///
    /// # Errors
    /// [`ActError::Gone`] with the fix when the device cannot be used.
    pub(super) fn open(
        spec: LineSpec,
        protocol: Arc<dyn Protocol>,
        clock: Arc<dyn Clock>,
        stop: Stop,
    ) -> Result<Self, ActError> {
        if spec.baud == 0 {
            return Err(ActError::Unsupported(
                "hands.baud = 0: no line is so slow".into(),
            ));
        }
        let line = Line::new(Arc::clone(&protocol), spec.port.clone(), spec.spacing, stop);
        let mut made = Self {
            spec,
            protocol,
            line: Arc::new(line),
            alive: clock.now(),
            clock,
            away: None,
            asked: None,
            heard: Vec::new(),
        };
        made.connect()?;
        enlist(&made.line);
        Ok(made)
    }

    /// How long commands are on the line.
    pub(super) fn wire(&self, commands: &[Vec<u8>]) -> Duration {
        let bytes = commands.iter().map(Vec::len).sum::<usize>();
        let bits = u32::try_from(bytes)
            .unwrap_or(u32::MAX)
            .saturating_mul(BITS);
        let pauses = u32::try_from(commands.len().saturating_sub(1)).unwrap_or(u32::MAX);
        Duration::from_secs(1) * bits / self.spec.baud + self.spec.spacing * pauses
    }

    /// Waits, and keeps the device alive meanwhile.
    ///
    /// # Errors
    /// [`ActError::Stopped`] when the round is over, [`ActError::Away`].
    pub(super) fn wait(&self, until: Time, round: u64) -> Result<(), ActError> {
        let alive = self.protocol.keep_alive();
        let mut last = self.clock.now();
        loop {
            if self.line.is_over(round) {
                return Err(ActError::Stopped);
            }
            let now = self.clock.now();
            if now >= until {
                return Ok(());
            }
            if let Some((every, bytes)) = alive
                && now >= last + every
            {
                self.line.press(&[bytes.to_vec()], 0, round)?;
                last = now;
            }
            self.clock.sleep_until(until.min(now + SLICE));
        }
    }

    /// Opens the port, lets go of everything, asks whether that was done.
    fn connect(&mut self) -> Result<(), ActError> {
        let mut port = Port::open(&self.spec)?;
        if !self.spec.boot.is_zero() {
            let round = self.line.round();
            let until = self.clock.now() + self.spec.boot;
            while self.clock.now() < until {
                if self.line.is_over(round) {
                    return Err(ActError::Stopped);
                }
                self.clock.sleep_until(until.min(self.clock.now() + SLICE));
            }
        }
        self.handshake(&mut port)?;
        self.line.connect(port)?;
        self.alive = self.clock.now();
        self.asked = None;
        Ok(())
    }

    fn handshake(&self, port: &mut Port) -> Result<(), ActError> {
        let lost = |e: std::io::Error| {
            ActError::Gone(format!(
                "the {} on {} went away while it was opened: {e}",
                self.protocol.name(),
                self.spec.port
            ))
        };
        let send = |port: &mut Port, commands: Vec<Vec<u8>>| {
            for (i, command) in commands.iter().enumerate() {
                if i > 0 {
                    std::thread::sleep(self.spec.spacing);
                }
                port.write(command).map_err(lost)?;
            }
            std::thread::sleep(self.spec.spacing);
            Ok(())
        };
        send(port, self.protocol.let_go(u32::MAX))?;
        if !self.spec.handshake {
            return send(port, self.protocol.setup());
        }
        if let Some(greeting) = self.protocol.greeting() {
            let greeted = self.ask(port, greeting, |heard| self.protocol.greeted(heard));
            if let Err(why) = greeted.map_err(lost)?.map_err(|heard| self.dumb(&heard))? {
                return Err(ActError::Gone(self.useless(&why)));
            }
        }
        send(port, self.protocol.setup())?;
        let Some(question) = self.protocol.question() else {
            return Ok(());
        };
        let mut told = Ok(Answer::Holds(0));
        for again in 0..QUESTIONS {
            if again > 0 {
                send(port, self.protocol.let_go(u32::MAX))?;
            }
            told = self
                .ask_once(port, &question, |heard| self.protocol.answer(heard))
                .map_err(lost)?;
            if told == Ok(Answer::Holds(0)) {
                return Ok(());
            }
        }
        Err(ActError::Gone(match told {
            Ok(Answer::Holds(mask)) => format!(
                "the {} on {} says that something stays closed ({mask:#b}) after all was let go: \
                 is it such a device, and is nothing else wired to it?",
                self.protocol.name(),
                self.spec.port
            ),
            Ok(Answer::Cannot(why)) => self.useless(&why),
            Err(heard) => return Err(self.dumb(&heard)),
        }))
    }

    /// Asks a few times until there is an answer, or gives what was heard last.
    fn ask<T>(
        &self,
        port: &mut Port,
        question: &[u8],
        answer: impl Fn(&[u8]) -> Option<T>,
    ) -> std::io::Result<Result<T, Vec<u8>>> {
        let mut told = Err(Vec::new());
        for _ in 0..QUESTIONS {
            told = self.ask_once(port, question, &answer)?;
            if told.is_ok() {
                break;
            }
        }
        Ok(told)
    }

    fn ask_once<T>(
        &self,
        port: &mut Port,
        question: &[u8],
        answer: impl Fn(&[u8]) -> Option<T>,
    ) -> std::io::Result<Result<T, Vec<u8>>> {
        port.forget_input()?;
        port.write(question)?;
        let patience = ANSWER + self.wire(&[question.to_vec()]);
        let (told, heard) = port.read_until(patience, answer)?;
        Ok(told.ok_or(heard))
    }

    fn useless(&self, why: &str) -> String {
        format!(
            "the {} on {} cannot be used: {why}",
            self.protocol.name(),
            self.spec.port
        )
    }

    fn dumb(&self, heard: &[u8]) -> ActError {
        let heard = match heard {
            [] => "nothing was heard".to_owned(),
            some => format!("heard \"{}\"", some[..some.len().min(40)].escape_ascii()),
        };
        ActError::Gone(format!(
            "the {0} on {1} does not answer ({heard}): is it a {0}, has it power, is its line at \
             {2} bits per second, is this its port? For a device that never answers write \
             handshake = false below [hands]",
            self.protocol.name(),
            self.spec.port,
            self.spec.baud
        ))
    }

    /// The device went away: what is known of it is void.
    fn lose(&mut self, why: String) -> ActError {
        if self.away.is_none() {
            tracing::warn!(port = %self.spec.port, why, "the {} is away", self.protocol.name());
            self.away = Some(Away {
                why: why.clone(),
                next: self.clock.now() + SEARCH,
                pause: SEARCH,
            });
        }
        self.line.disconnect();
        ActError::Away(why)
    }

    /// Looks for a device that is away, now and then. Without an error it is there.
    ///
    /// # Errors
    /// [`ActError::Away`].
    pub(super) fn search(&mut self) -> Result<(), ActError> {
        let Some(Away { why, next, pause }) = &self.away else {
            if !self.line.is_connected() {
                let name = self.protocol.name();
                return Err(self.lose(format!("the {name} on {} went away", self.spec.port)));
            }
            return Ok(());
        };
        if self.clock.now() < *next {
            return Err(ActError::Away(why.clone()));
        }
        // A port that is not there costs nothing to look for; one that is there but does not
        // answer is asked less and less often.
        let there = std::path::Path::new(&self.spec.port).exists();
        let pause = if there {
            (*pause * 2).min(SELDOM)
        } else {
            SEARCH
        };
        match self.connect() {
            Ok(()) => {
                tracing::info!(port = %self.spec.port, "the {} is back", self.protocol.name());
                self.away = None;
                Ok(())
            }
            Err(error) => {
                let why = error.to_string();
                tracing::debug!(port = %self.spec.port, why, "still away");
                self.away = Some(Away {
                    why: why.clone(),
                    next: self.clock.now() + pause,
                    pause,
                });
                Err(ActError::Away(why))
            }
        }
    }

    /// Asks the device now and then whether it is still there and holds nothing, and takes its
    /// answer when it comes. Never waits for it. Only while nothing is pressed.
    ///
    /// # Errors
    /// [`ActError::Away`].
    pub(super) fn check(&mut self) -> Result<(), ActError> {
        let line = Arc::clone(&self.line);
        line.with(|port| port.check())?;
        let handshake = self.spec.handshake;
        let Some(question) = self.protocol.question().filter(|_| handshake) else {
            return Ok(());
        };
        let now = self.clock.now();
        let Some(asked) = self.asked else {
            if now >= self.alive + CHECK {
                line.ask(&question)?;
                self.heard.clear();
                self.asked = Some(now);
            }
            return Ok(());
        };
        line.with(|port| port.read_now(&mut self.heard))?;
        match self.protocol.answer(&self.heard) {
            Some(Answer::Holds(mask)) => {
                self.asked = None;
                self.alive = now;
                if mask != 0 {
                    tracing::warn!(mask, "relays were closed by somebody else");
                    line.release_all()?;
                }
                Ok(())
            }
            Some(Answer::Cannot(why)) => Err(ActError::Away(self.useless(&why))),
            None if now >= asked + SILENCE => {
                let why = self.dumb(&self.heard).to_string();
                Err(ActError::Away(why))
            }
            None => Ok(()),
        }
    }

    /// An error that says that the device is away makes it so.
    pub(super) fn noticed(&mut self, error: ActError) -> ActError {
        match error {
            ActError::Away(why) => self.lose(why),
            other => other,
        }
    }

    /// Called while nothing is to be done; what is wrong is kept.
    pub(super) fn tend(&mut self) {
        if self.search().is_ok()
            && let Err(error) = self.check()
        {
            let _ = self.noticed(error);
        }
    }

    /// Why nothing can be done just now.
    pub(super) fn away(&self) -> Option<String> {
        self.away.as_ref().map(|away| away.why.clone())
    }
}

impl Drop for Tether {
    fn drop(&mut self) {
        // Nobody is left to hear of an error, which means that the device is gone.
        let _ = self.line.let_go();
    }
}
