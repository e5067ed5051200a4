//! A keyboard in virtual time: keys reach a built-in target late, twice or never.
//!
//! Takes actions made of keys and delivers them when it is polled, each at its own time. Must
//! never deliver anything before it is due: the target may be drawn in between.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::{ActError, Done, Hands};
use super::Faults;
use crate::types::{Action, Armed, KeyTiming, Stroke, Target, Time};

/// A doubled press acts again after this, as by a keyboard's repetition or a bouncing contact;
/// up to half as much again is drawn for each.
pub(super) const REPEAT: Duration = Duration::from_millis(30);

/// Keys on their way to the target.
///
/// Shared with whoever draws the target: it calls [`KeyLine::deliver`] before it draws, so that a
/// picture never lacks a key that was due before it.
#[derive(Clone)]
pub struct KeyLine(Arc<Mutex<Line>>);

struct Line {
    target: Arc<Mutex<dyn Target>>,
    /// By time.
    waiting: VecDeque<(Time, String)>,
    lost: u64,
    doubled: u64,
}

impl KeyLine {
    pub(super) fn new(target: Arc<Mutex<dyn Target>>) -> Self {
        Self(Arc::new(Mutex::new(Line {
            target,
            waiting: VecDeque::new(),
            lost: 0,
            doubled: 0,
        })))
    }

    /// Hands every key that is due by `now` to the target, in order and each with its own time.
    /// Must not be called while the caller holds the target's lock.
    pub fn deliver(&self, now: Time) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while line.waiting.front().is_some_and(|(at, _)| *at <= now) {
            if let Some((at, key)) = line.waiting.pop_front() {
                let mut target = line.target.lock().unwrap_or_else(PoisonError::into_inner);
                target.key(&key, at);
            }
        }
    }

    /// When the next key arrives.
    #[must_use]
    pub fn next(&self) -> Option<Time> {
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        line.waiting.front().map(|(at, _)| *at)
    }

    /// How many keys were lost and how many doubled so far.
    #[must_use]
    pub fn faults_made(&self) -> (u64, u64) {
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (line.lost, line.doubled)
    }

    fn count(&self, arrivals: u8) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        line.lost += u64::from(arrivals == 0);
        line.doubled += u64::from(arrivals == 2);
    }

    pub(super) fn put(&self, at: Time, key: &str) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Behind all that arrive at the same time: of two keys the earlier sent is first.
        let place = line.waiting.partition_point(|(t, _)| *t <= at);
        line.waiting.insert(place, (at, key.to_owned()));
    }
}

/// What is under way.
struct Under {
    action: Action,
    permit: Armed,
    /// The key that comes next or is down.
    key: usize,
    /// When it goes down, or went.
    down: Time,
    is_down: bool,
    first_down: Option<Time>,
}

/// Hands that type into a built-in target.
pub struct SimulatedKeyboard {
    line: KeyLine,
    timing: KeyTiming,
    faults: Faults,
    rng: ChaCha8Rng,
    under: Option<Under>,
    /// When the hands are free again.
    free: Time,
    keys: u64,
}

impl SimulatedKeyboard {
    /// A keyboard with the timing of a real one. `timing.latency` is only told to whoever asks;
    /// `faults` say how long keys really take.
    #[must_use]
    pub fn new(target: Arc<Mutex<dyn Target>>, timing: KeyTiming, faults: Faults) -> Self {
        Self {
            line: KeyLine::new(target),
            timing,
            rng: ChaCha8Rng::seed_from_u64(faults.seed),
            faults,
            under: None,
            free: Time::ZERO,
            keys: 0,
        }
    }

    /// Keys on their way, to be delivered before the target is drawn.
    #[must_use]
    pub fn line(&self) -> KeyLine {
        self.line.clone()
    }

    /// How many keys were lost and how many doubled so far.
    #[must_use]
    pub fn faults_made(&self) -> (u64, u64) {
        self.line.faults_made()
    }

    /// How many keys were pressed so far.
    #[must_use]
    pub const fn keys_pressed(&self) -> u64 {
        self.keys
    }

    /// A key goes down: what arrives of it, and when.
    fn press(&mut self, key: &str, down: Time) {
        self.keys += 1;
        let at = down + self.faults.delay(&mut self.rng);
        let arrivals = self.faults.arrivals(&mut self.rng);
        self.line.count(arrivals);
        match arrivals {
            0 => {}
            1 => self.line.put(at, key),
            _ => {
                self.line.put(at, key);
                let more = self.rng.random_range(0..=REPEAT.as_micros() as u64 / 2);
                self.line
                    .put(at + REPEAT + Duration::from_micros(more), key);
            }
        }
    }

    /// Brings what is under way up to `now`.
    fn advance(&mut self, now: Time) -> Option<Result<Done, ActError>> {
        loop {
            let under = self.under.as_mut()?;
            if !under.is_down {
                if now < under.down {
                    return None;
                }
                if !under.permit.is_valid(under.down) {
                    self.under = None;
                    return Some(Err(ActError::Expired));
                }
                under.is_down = true;
                under.first_down.get_or_insert(under.down);
                let (down, stroke) = (under.down, under.action.strokes.get(under.key).cloned());
                if let Some(Stroke::Key(name)) = stroke {
                    self.press(&name, down);
                }
                continue;
            }
            let up = under.down + self.timing.hold;
            if now < up {
                return None;
            }
            if under.key + 1 < under.action.strokes.len() {
                under.key += 1;
                under.is_down = false;
                under.down = up + self.timing.gap + self.timing.lead;
                continue;
            }
            let free = up + self.timing.gap;
            if now < free {
                return None;
            }
            self.free = free;
            let under = self.under.take()?;
            return Some(Ok(Done {
                down: under.first_down.unwrap_or(under.down),
                up,
                action: under.action,
            }));
        }
    }
}

impl Hands for SimulatedKeyboard {
    fn start(&mut self, action: Action, permit: Armed, now: Time) -> Result<(), ActError> {
        if self.under.is_some() || now < self.free {
            return Err(ActError::Busy);
        }
        if !permit.is_valid(now) {
            return Err(ActError::Expired);
        }
        if let Some(other) = action.strokes.iter().find(|s| !matches!(s, Stroke::Key(_))) {
            return Err(ActError::Unsupported(format!(
                "a keyboard cannot do \"{other}\": it has no pointer"
            )));
        }
        if action.strokes.is_empty() {
            return Err(ActError::Unsupported("an action without keys".into()));
        }
        self.under = Some(Under {
            action,
            permit,
            key: 0,
            down: now + self.timing.lead,
            is_down: false,
            first_down: None,
        });
        Ok(())
    }

    fn poll(&mut self, now: Time) -> Option<Result<Done, ActError>> {
        let ended = self.advance(now);
        self.line.deliver(now);
        ended
    }

    /// The next thing that happens: a key goes down, comes up or arrives.
    fn due(&self) -> Option<Time> {
        let under = self.under.as_ref().map(|under| {
            let up = under.down + self.timing.hold;
            match under.is_down {
                false => under.down,
                true if under.key + 1 < under.action.strokes.len() => up,
                true => up + self.timing.gap,
            }
        });
        [under, self.line.next()].into_iter().flatten().min()
    }

    /// Keys that are already on their way arrive all the same.
    fn release_all(&mut self) -> Result<(), ActError> {
        self.under = None;
        Ok(())
    }

    fn timing(&self) -> KeyTiming {
        self.timing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardText, Picture, Point};

    #[derive(Default)]
    struct Pad(Vec<(String, u64)>);

    impl Target for Pad {
        fn render(&mut self, _: Time, _: &mut Picture) {}
        fn click(&mut self, _: Point, _: Time) {}
        fn key(&mut self, name: &str, now: Time) {
            self.0.push((name.to_owned(), now.0 / 1000));
        }
        fn truth(&self) -> BoardText {
            BoardText::default()
        }
    }

    const MS: fn(u64) -> Time = Time::from_millis;

    fn keyboard(faults: Faults) -> (Arc<Mutex<Pad>>, SimulatedKeyboard) {
        let pad = Arc::new(Mutex::new(Pad::default()));
        let target = Arc::clone(&pad) as Arc<Mutex<dyn Target>>;
        let ms = Duration::from_millis;
        let timing = KeyTiming {
            lead: ms(30),
            hold: ms(30),
            gap: ms(10),
            latency: ms(0),
        };
        (pad, SimulatedKeyboard::new(target, timing, faults))
    }

    fn keys(names: &[&str]) -> Action {
        Action {
            id: 1,
            cause_seq: 1,
            cause_at: Time::ZERO,
            expires_at: MS(10_000),
            strokes: names.iter().map(|n| Stroke::Key((*n).into())).collect(),
            window: None,
            origin: None,
        }
    }

    fn permit(until: u64) -> Armed {
        Armed::grant(1, MS(until))
    }

    /// Steps from one due time to the next until the action has ended.
    fn until_done(hands: &mut SimulatedKeyboard) -> Result<Done, ActError> {
        loop {
            let due = hands.due().expect("something is under way");
            if let Some(ended) = hands.poll(due) {
                return ended;
            }
        }
    }

    #[test]
    fn a_key_arrives_after_lead_and_latency_and_the_hands_are_free_after_the_gap() {
        let (pad, mut hands) = keyboard(Faults {
            latency_ms: 5,
            ..Faults::default()
        });
        hands
            .start(keys(&["Left"]), permit(1000), MS(100))
            .expect("free");
        let busy = hands.start(keys(&["Up"]), permit(1000), MS(100));
        assert!(matches!(busy, Err(ActError::Busy)), "{busy:?}");
        assert_eq!(hands.due(), Some(MS(130)));
        assert!(hands.poll(MS(129)).is_none());
        assert!(pad.lock().expect("sound").0.is_empty());
        let done = until_done(&mut hands).expect("made");
        assert_eq!((done.down, done.up), (MS(130), MS(160)));
        assert_eq!(pad.lock().expect("sound").0, [("Left".to_owned(), 135)]);
        let early = hands.start(keys(&["Up"]), permit(1000), MS(169));
        assert!(matches!(early, Err(ActError::Busy)), "{early:?}");
        hands
            .start(keys(&["a", "b"]), permit(1000), MS(170))
            .expect("free");
        let done = until_done(&mut hands).expect("made");
        assert_eq!((done.down, done.up), (MS(200), MS(300)));
        assert_eq!(
            pad.lock().expect("sound").0[1..],
            [("a".to_owned(), 205), ("b".to_owned(), 275)]
        );
    }

    #[test]
    fn one_late_poll_gives_the_same_times_as_many() {
        let run = |all_at_once: bool| {
            let (pad, mut hands) = keyboard(Faults {
                latency_ms: 3,
                jitter_ms: 20,
                lost: 0.2,
                doubled: 0.3,
                seed: 9,
            });
            for i in 0..50 {
                hands
                    .start(keys(&["x"]), permit(100_000), MS(i * 200))
                    .expect("free");
                if all_at_once {
                    let done = hands.poll(MS(i * 200 + 199)).expect("ended");
                    assert_eq!(done.expect("made").down, MS(i * 200 + 30));
                } else {
                    until_done(&mut hands).expect("made");
                    hands.poll(MS(i * 200 + 199));
                }
            }
            let told = pad.lock().expect("sound").0.clone();
            (told, hands.faults_made(), hands.keys_pressed())
        };
        let (told, (lost, doubled), pressed) = run(true);
        assert_eq!((told.clone(), (lost, doubled), pressed), run(false));
        assert!(lost > 0 && doubled > 0);
        assert_eq!(told.len() as u64, 50 - lost + doubled);
        assert!(told.is_sorted_by_key(|(_, at)| *at));
    }

    #[test]
    fn a_permit_that_ends_before_the_key_goes_down_presses_nothing() {
        let (pad, mut hands) = keyboard(Faults::default());
        let late = hands.start(keys(&["x"]), permit(100), MS(100));
        assert!(matches!(late, Err(ActError::Expired)), "{late:?}");
        hands
            .start(keys(&["x"]), permit(130), MS(100))
            .expect("still valid");
        let ended = until_done(&mut hands);
        assert!(matches!(ended, Err(ActError::Expired)), "{ended:?}");
        assert!(pad.lock().expect("sound").0.is_empty());
        hands
            .start(keys(&["x"]), permit(1000), MS(200))
            .expect("free");
        hands.release_all().expect("released");
        assert!(hands.poll(MS(999)).is_none());
        assert!(pad.lock().expect("sound").0.is_empty());
        let click = Action {
            strokes: vec![Stroke::Click(Point::new(1.0, 1.0))],
            ..keys(&[])
        };
        let refused = hands.start(click, permit(2000), MS(1000));
        assert!(
            matches!(refused, Err(ActError::Unsupported(_))),
            "{refused:?}"
        );
    }
}
