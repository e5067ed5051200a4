//! Keyboard and mouse of another computer through a chip on a serial line (CH9329).
//!
//! Takes keys by their names and places of the picture. Every report is answered by the chip, and
//! an answer that says no, or none, is an error. Must never press a key before everything was let
//! go, and never point outside the screen that the profile tells.
//!
//! Where the pointer really is cannot be read back: what a click came to must be seen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Protocol;
use super::ch9329::{self, Ch9329, FULL, HELD_BUTTON, HELD_KEYS, STEP};
use super::tether::Tether;
use crate::act::physical;
use crate::act::pointing::Places;
use crate::act::release::LetGo;
use crate::act::{ActError, Actuator, Hover};
use crate::types::{Armed, Clock, KeyTiming, Point, Stop, Stroke, Time, UsbHands};

/// How long the chip may take to answer a report, besides the time on the line.
const ANSWER: Duration = Duration::from_millis(250);

/// How soon it is noticed while waiting for an answer that somebody let go.
const SLICE: Duration = Duration::from_millis(5);

/// Between the pointer's arrival and the button: programs look where it is once a picture.
const SETTLE: Duration = Duration::from_millis(20);

/// Keyboard and mouse behind a chip.
pub struct UsbKeyboard {
    spec: UsbHands,
    chip: Arc<Ch9329>,
    places: Option<Places>,
    tether: Tether,
    last_key: Option<(Time, Time)>,
}

impl UsbKeyboard {
    /// Opens the port for this program alone, lets go of everything and, unless the profile says
    /// that it never answers, makes sure that the chip is there and plugged into a computer.
    ///
    /// # Errors
    /// [`ActError::Unsupported`] for a pointer that cannot be, [`ActError::Gone`] with the fix
    /// when the chip cannot be used.
    pub fn open(spec: UsbHands, clock: Arc<dyn Clock>, stop: Stop) -> Result<Self, ActError> {
        let places = spec.pointing.as_ref().map(Places::new).transpose()?;
        let relative = spec.pointing.is_some_and(|p| p.relative);
        let chip = Arc::new(Ch9329::new(places.is_some(), relative));
        let protocol = Arc::clone(&chip) as Arc<dyn Protocol>;
        let tether = Tether::open(spec.line.clone(), protocol, clock, stop)?;
        Ok(Self {
            spec,
            chip,
            places,
            tether,
            last_key: None,
        })
    }

    /// Waits for the chip's answers to so many reports: what each came to, the missing ones left
    /// out.
    fn outcomes(&self, count: usize, round: u64) -> Result<Vec<Result<(), String>>, ActError> {
        if !self.spec.line.handshake {
            return Ok(vec![Ok(()); count]);
        }
        let until = Instant::now() + ANSWER;
        let mut heard = Vec::new();
        loop {
            let answered = |piece: &[u8]| {
                let all = [heard.as_slice(), piece].concat();
                let told = ch9329::outcomes(&all);
                (told.len() >= count).then_some(told)
            };
            let (told, piece) = self
                .tether
                .line
                .with(|port| port.read_until(SLICE, answered))?;
            if let Some(told) = told {
                return Ok(told);
            }
            heard.extend(piece);
            if self.tether.line.is_over(round) {
                return Err(ActError::Stopped);
            }
            if Instant::now() >= until {
                return Ok(ch9329::outcomes(&heard));
            }
        }
    }

    /// Sends reports that press nothing, each once the one before was answered.
    fn send(&mut self, reports: &[Vec<u8>], round: u64) -> Result<(), ActError> {
        let line = Arc::clone(&self.tether.line);
        for report in reports {
            line.with(|port| port.forget_input())?;
            line.press(std::slice::from_ref(report), 0, round)?;
            match self.outcomes(1, round)?.pop() {
                Some(Ok(())) => {}
                Some(Err(why)) => return Err(self.refused(&why)),
                None => return Err(self.silent()),
            }
        }
        Ok(())
    }

    /// The chip is there, but the report was not taken: it may be tried again.
    fn refused(&self, why: &str) -> ActError {
        ActError::Away(format!(
            "the CH9329 on {} did not do what it was told: {why}",
            self.spec.line.port
        ))
    }

    fn silent(&mut self) -> ActError {
        let port = &self.spec.line.port;
        let why = format!("the CH9329 on {port} does not answer any more");
        self.tether.noticed(ActError::Away(why))
    }

    /// Presses and lets go; `held` says of what.
    fn press(
        &mut self,
        press: Vec<u8>,
        release: Vec<u8>,
        held: u32,
        permit: &Armed,
    ) -> Result<(), ActError> {
        let tether = &self.tether;
        let (line, clock) = (Arc::clone(&tether.line), Arc::clone(&tether.clock));
        let round = line.round();
        tether.wait(clock.now() + self.spec.lead, round)?;
        if !permit.is_valid(clock.now()) {
            return Err(ActError::Expired);
        }
        line.with(|port| port.forget_input())?;
        let (press, release) = ([press], [release]);
        line.press(&press, held, round)?;
        let pressed = clock.now();
        let waited = tether.wait(pressed + self.spec.hold, round);
        line.release(&release, held)?;
        let released = clock.now();
        let up = released + tether.wire(&release);
        self.last_key = Some((pressed + tether.wire(&press), up));
        waited?;
        let mut told = self.outcomes(2, round)?.into_iter();
        match (told.next(), told.next()) {
            (Some(Err(why)), _) => {
                line.release_all()?;
                return Err(self.refused(&why));
            }
            (None, _) => return Err(self.silent()),
            // It was pressed, and may still be down.
            (_, Some(Err(why))) => {
                tracing::warn!(why, "the CH9329 did not let go: told once more");
                line.release_all()?;
            }
            (_, None) => {
                let _ = self.silent();
                return Ok(());
            }
            (Some(Ok(())), Some(Ok(()))) => {}
        }
        if let Err(error) = self.tether.check() {
            // The key was made; the next one is refused.
            let _ = self.tether.noticed(error);
            return Ok(());
        }
        // The key was made; the next one will be told of a stop.
        let rest = self.tether.wait(up + self.spec.gap, round);
        rest.or(Ok(()))
    }

    fn key(&mut self, name: &str, permit: &Armed) -> Result<(), ActError> {
        let keys = physical::keys(name)?;
        let no_room = || ActError::Unsupported(format!("\"{name}\" has more than six keys"));
        let press = ch9329::keys(&keys).ok_or_else(no_room)?;
        let release = ch9329::keys(&[]).ok_or_else(no_room)?;
        self.press(press, release, HELD_KEYS, permit)
    }

    /// Puts the pointer somewhere.
    fn point(&mut self, at: Point) -> Result<(), ActError> {
        let Some(places) = &self.places else {
            return Err(ActError::Unsupported(
                "this CH9329 has no pointer: write hands.screen = [1920, 1080], or hands.corners \
                 for a screen that a camera sees"
                    .into(),
            ));
        };
        let share = places.share(at)?;
        let relative = self.spec.pointing.is_some_and(|p| p.relative);
        let reports = match places.screen {
            Some(screen) if relative => steps(screen, share),
            _ => {
                let axis = |share: f64| (share * f64::from(FULL)).round() as u16;
                let (x, y) = (axis(share.x), axis(share.y));
                self.chip.remember(x, y);
                vec![ch9329::move_to(x, y, false)]
            }
        };
        self.send(&reports, self.tether.line.round())
    }

    fn click(&mut self, at: Point, permit: &Armed) -> Result<(), ActError> {
        self.point(at)?;
        let round = self.tether.line.round();
        self.tether.wait(self.tether.clock.now() + SETTLE, round)?;
        let (press, release) = (self.chip.button(true), self.chip.button(false));
        self.press(press, release, HELD_BUTTON, permit)
    }
}

/// Into the upper left corner, whence the way is known, and from there to the place.
fn steps((width, height): (u32, u32), share: Point) -> Vec<Vec<u8>> {
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    let (width, height) = (side(width), side(height));
    let home = width.max(height) / STEP + 1;
    let pixel = |share: f64, side: i32| ((share * f64::from(side)) as i32).min(side - 1);
    let (mut dx, mut dy) = (pixel(share.x, width), pixel(share.y, height));
    let mut all: Vec<Vec<u8>> = (0..home)
        .map(|_| ch9329::move_by(-STEP, -STEP, false))
        .collect();
    while dx > 0 || dy > 0 {
        all.push(ch9329::move_by(dx, dy, false));
        (dx, dy) = ((dx - STEP).max(0), (dy - STEP).max(0));
    }
    all
}

impl Actuator for UsbKeyboard {
    /// The window is ignored: nobody can tell from here what lies under another computer's
    /// pointer.
    fn perform(
        &mut self,
        stroke: &Stroke,
        _window: Option<u32>,
        permit: &Armed,
    ) -> Result<(), ActError> {
        if !permit.is_valid(self.tether.clock.now()) {
            return Err(ActError::Expired);
        }
        self.tether.search()?;
        let done = match stroke {
            Stroke::Key(name) => self.key(name, permit),
            Stroke::Click(at) => self.click(*at, permit),
            Stroke::Park(at) => self.point(*at),
            // There are no windows here.
            Stroke::Focus => Ok(()),
        };
        done.map_err(|e| match self.tether.line.is_connected() {
            true => e,
            false => self.tether.noticed(e),
        })
    }

    fn hover(&mut self, at: Point, permit: &Armed) -> Result<Hover, ActError> {
        self.perform(&Stroke::Park(at), None, permit)?;
        Ok(Hover { at, over: None })
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        let released = self.tether.line.let_go();
        released.map_err(|e| self.tether.noticed(e))
    }

    fn timing(&self) -> KeyTiming {
        let report = ch9329::keys(&[]).unwrap_or_default();
        KeyTiming {
            lead: self.spec.lead + self.tether.wire(&[report]),
            hold: self.spec.hold,
            gap: self.spec.gap,
            latency: self.spec.latency,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_home_and_then_exactly_there() {
        let way = |share: Point| {
            let all = steps((1920, 1080), share);
            all.iter().fold((700, 900), |(x, y), report| {
                let step = |at: usize| i32::from(i8::from_le_bytes([report[at]]));
                // The screen's edges stop it.
                let next = |v: i32, d: i32, side: i32| (v + d).clamp(0, side - 1);
                (next(x, step(7), 1920), next(y, step(8), 1080))
            })
        };
        assert_eq!(way(Point::new(0.0, 0.0)), (0, 0));
        assert_eq!(way(Point::new(0.5, 0.25)), (960, 270));
        assert_eq!(way(Point::new(1.0, 1.0)), (1919, 1079));
    }
}
