//! A mouse without a device: it clicks a built-in target, with faults on request.
//!
//! Takes strokes in px of the frames; a given function turns them into px of the target, by the
//! true geometry, so that a wrong calibration clicks beside. Must never act without a permit.

use std::sync::{Arc, Mutex, PoisonError};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::super::{ActError, Actuator, Hover};
use super::Faults;
use crate::types::{Armed, Clock, Point, Stroke, Target};

/// Turns a point of a frame into the target's px.
pub type TargetFromFrame = Box<dyn Fn(Point) -> Point + Send>;

/// Mouse and keyboard of a built-in target.
pub struct SimulatedMouse {
    target: Arc<Mutex<dyn Target>>,
    target_from_frame: TargetFromFrame,
    clock: Arc<dyn Clock>,
    faults: Faults,
    rng: ChaCha8Rng,
    at: Point,
    lost: u64,
    doubled: u64,
}

impl SimulatedMouse {
    /// Hands for a target that is seen through `target_from_frame` (the identity for plain
    /// screenshots).
    #[must_use]
    pub fn new(
        target: Arc<Mutex<dyn Target>>,
        target_from_frame: TargetFromFrame,
        clock: Arc<dyn Clock>,
        faults: Faults,
    ) -> Self {
        Self {
            target,
            target_from_frame,
            clock,
            rng: ChaCha8Rng::seed_from_u64(faults.seed),
            faults,
            at: Point::default(),
            lost: 0,
            doubled: 0,
        }
    }

    /// How many inputs were lost and how many doubled so far.
    #[must_use]
    pub const fn faults_made(&self) -> (u64, u64) {
        (self.lost, self.doubled)
    }

    fn send(&mut self, input: impl Fn(&mut dyn Target, crate::types::Time)) {
        let wait = self.faults.delay(&mut self.rng);
        self.clock.sleep_until(self.clock.now() + wait);
        let now = self.clock.now();
        let arrivals = self.faults.arrivals(&mut self.rng);
        self.lost += u64::from(arrivals == 0);
        self.doubled += u64::from(arrivals == 2);
        for _ in 0..arrivals {
            let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
            input(&mut *target, now);
        }
    }
}

impl Actuator for SimulatedMouse {
    /// The window is ignored: there is only the target.
    fn perform(
        &mut self,
        stroke: &Stroke,
        _window: Option<u32>,
        permit: &Armed,
    ) -> Result<(), ActError> {
        if !permit.is_valid(self.clock.now()) {
            return Err(ActError::Expired);
        }
        match stroke {
            Stroke::Click(frame) => {
                self.at = *frame;
                let at = (self.target_from_frame)(*frame);
                self.send(|t, now| t.click(at, now));
            }
            Stroke::Key(name) => self.send(|t, now| t.key(name, now)),
            Stroke::Park(frame) => self.at = *frame,
            Stroke::Focus => {}
        }
        Ok(())
    }

    fn hover(&mut self, at: Point, permit: &Armed) -> Result<Hover, ActError> {
        if !permit.is_valid(self.clock.now()) {
            return Err(ActError::Expired);
        }
        self.at = at;
        Ok(Hover { at, over: None })
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardText, ManualClock, Picture, Time};

    #[derive(Default)]
    struct Pad {
        clicks: Vec<(Point, Time)>,
        keys: Vec<String>,
    }

    impl Target for Pad {
        fn render(&mut self, _: Time, _: &mut Picture) {}
        fn click(&mut self, px: Point, now: Time) {
            self.clicks.push((px, now));
        }
        fn key(&mut self, name: &str, _: Time) {
            self.keys.push(name.to_owned());
        }
        fn truth(&self) -> BoardText {
            BoardText::default()
        }
    }

    fn mouse(faults: Faults) -> (Arc<Mutex<Pad>>, Arc<ManualClock>, SimulatedMouse) {
        let pad = Arc::new(Mutex::new(Pad::default()));
        let clock = Arc::new(ManualClock::default());
        let mouse = SimulatedMouse::new(
            Arc::clone(&pad) as Arc<Mutex<dyn Target>>,
            Box::new(|p| Point::new(p.x / 2.0, p.y / 2.0)),
            Arc::clone(&clock) as Arc<dyn Clock>,
            faults,
        );
        (pad, clock, mouse)
    }

    const CLICK: Stroke = Stroke::Click(Point::new(8.0, 6.0));

    #[test]
    fn clicks_arrive_in_the_targets_px_after_the_latency() {
        let (pad, _, mut mouse) = mouse(Faults {
            latency_ms: 30,
            ..Faults::default()
        });
        let permit = Armed::grant(1, Time::from_millis(100));
        mouse.perform(&CLICK, None, &permit).expect("valid");
        mouse
            .perform(&Stroke::Key("n".into()), None, &permit)
            .expect("valid");
        let pad = pad.lock().expect("not poisoned");
        assert_eq!(pad.clicks, [(Point::new(4.0, 3.0), Time::from_millis(30))]);
        assert_eq!(pad.keys, ["n"]);
    }

    #[test]
    fn an_expired_permit_moves_nothing() {
        let (pad, clock, mut mouse) = mouse(Faults::default());
        let permit = Armed::grant(1, Time::from_millis(100));
        clock.set(Time::from_millis(100));
        let refused = mouse.perform(&CLICK, None, &permit);
        assert!(matches!(refused, Err(ActError::Expired)), "{refused:?}");
        assert!(matches!(
            mouse.hover(Point::default(), &permit),
            Err(ActError::Expired)
        ));
        assert!(pad.lock().expect("not poisoned").clicks.is_empty());
    }

    #[test]
    fn faults_come_at_their_rate_and_repeat_by_seed() {
        let run = || {
            let (pad, _, mut mouse) = mouse(Faults {
                lost: 0.2,
                doubled: 0.1,
                seed: 3,
                ..Faults::default()
            });
            let permit = Armed::grant(1, Time::from_millis(100));
            for _ in 0..1000 {
                mouse.perform(&CLICK, None, &permit).expect("valid");
            }
            let arrived = pad.lock().expect("not poisoned").clicks.len();
            (mouse.faults_made(), arrived)
        };
        let ((lost, doubled), arrived) = run();
        assert!((150..250).contains(&lost) && (60..140).contains(&doubled));
        assert_eq!(arrived as u64, 1000 - lost + doubled);
        assert_eq!(run(), ((lost, doubled), arrived));
    }
}
