//! A source without a device: a built-in target, as a screenshot or through a camera model.
//!
//! Takes a shared target, a clock and perhaps a [`CameraModel`] or a [`Webcam`]; gives frames as a real source
//! does, with the true geometry at hand to check against. Must never touch a device.

mod faults;
mod jpeg;
pub mod model;
mod noise;
mod optic;
mod optics;
pub mod passing;
pub mod view;
pub mod webcam;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use model::CameraModel;
pub use passing::Passing;
pub use view::Camera;
pub use webcam::Webcam;

use super::{CaptureError, FrameSource};
use crate::types::{Clock, Feed, Frame, Picture, Placement, Rect, SourceId, Target, Time};

/// Pictures kept for reuse: one being written, one in the slot, one in the loop, one spare.
const POOL: usize = 4;

/// How the target is looked at.
enum Through {
    /// As a screenshot.
    Screen,
    /// Through a camera that renders every frame with care.
    Camera(Box<Camera>),
    /// Through a cheap one with a sense of time.
    Webcam(Box<Webcam>),
}

/// Frames of a target at a steady rate.
pub struct SimulatedSource {
    id: SourceId,
    target: Arc<Mutex<dyn Target>>,
    through: Through,
    clock: Arc<dyn Clock>,
    period: Duration,
    due: Time,
    seq: u64,
    screen: Picture,
    pool: Vec<Arc<Picture>>,
}

impl SimulatedSource {
    /// A source that delivers `fps` frames a second by the clock, the first one at once.
    #[must_use]
    pub fn new(
        target: Arc<Mutex<dyn Target>>,
        camera: Option<CameraModel>,
        clock: Arc<dyn Clock>,
        fps: f64,
    ) -> Self {
        let through = camera.map_or(Through::Screen, |m| {
            Through::Camera(Box::new(Camera::new(m)))
        });
        Self::through(target, through, clock, fps)
    }

    /// A source like [`Self::new`], through a webcam: a frame is captured while its lines are
    /// read, and what is captured is drawn at those times.
    #[must_use]
    pub fn webcam(
        target: Arc<Mutex<dyn Target>>,
        webcam: Webcam,
        clock: Arc<dyn Clock>,
        fps: f64,
    ) -> Self {
        Self::through(target, Through::Webcam(Box::new(webcam)), clock, fps)
    }

    fn through(
        target: Arc<Mutex<dyn Target>>,
        through: Through,
        clock: Arc<dyn Clock>,
        fps: f64,
    ) -> Self {
        Self {
            id: Arc::from(match through {
                Through::Screen => "simulated:screen",
                Through::Camera(_) => "simulated:camera",
                Through::Webcam(_) => "simulated:webcam",
            }),
            target,
            through,
            due: clock.now(),
            clock,
            period: Duration::from_secs_f64(1.0 / fps.clamp(0.01, 10_000.0)),
            seq: 0,
            screen: Picture::default(),
            pool: Vec::new(),
        }
    }

    /// A picture nobody else holds.
    fn blank(&mut self) -> Arc<Picture> {
        let free = self.pool.iter().position(|p| Arc::strong_count(p) == 1);
        free.map_or_else(Arc::default, |i| self.pool.swap_remove(i))
    }

    fn keep(&mut self, picture: &Arc<Picture>) {
        if self.pool.len() >= POOL {
            self.pool.remove(0);
        }
        self.pool.push(Arc::clone(picture));
    }
}

impl FrameSource for SimulatedSource {
    fn id(&self) -> SourceId {
        Arc::clone(&self.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        if self.due > deadline {
            self.clock.sleep_until(deadline);
            return Ok(Feed::Quiet);
        }
        self.clock.sleep_until(self.due);
        let now = self.clock.now();
        // A source that is asked late skips frames, as a device does.
        self.due = (self.due + self.period).max(now);
        self.seq += 1;
        let mut picture = self.blank();
        // `blank` gives a picture with one owner, so this never copies.
        let out = Arc::make_mut(&mut picture);
        let mut draw = |at: Time, screen: &mut Picture| {
            self.clock.sleep_until(at);
            let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
            target.render(at, screen);
        };
        let captured_at = match &mut self.through {
            Through::Screen => {
                draw(now, out);
                now
            }
            Through::Camera(camera) => {
                draw(now, &mut self.screen);
                camera.view(&self.screen, self.seq, out);
                now
            }
            Through::Webcam(webcam) => {
                webcam.film(&mut draw, now, self.seq, out);
                webcam.middle(now)
            }
        };
        let all = Rect {
            x: 0,
            y: 0,
            width: out.width(),
            height: out.height(),
        };
        self.keep(&picture);
        Ok(Feed::Frame(Frame {
            seq: self.seq,
            captured_at,
            source: Arc::clone(&self.id),
            picture,
            // Every frame is drawn and exposed anew.
            changed: true,
            placement: Some(Placement {
                on_screen: all,
                visible: all,
                window: None,
                obscured: false,
                pointer: None,
            }),
            windows: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardText, ManualClock, Point};

    struct Blink;

    impl Target for Blink {
        fn render(&mut self, now: Time, out: &mut Picture) {
            *out = Picture::filled(32, 24, [(now.0 / 1000) as u8, 0, 0]);
        }
        fn click(&mut self, _: Point, _: Time) {}
        fn key(&mut self, _: &str, _: Time) {}
        fn truth(&self) -> BoardText {
            BoardText::default()
        }
    }

    fn frame(feed: Feed) -> Frame {
        match feed {
            Feed::Frame(f) => f,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn frames_come_in_time_with_what_was_shown_then() {
        let clock = Arc::new(ManualClock::default());
        let mut source = SimulatedSource::new(
            Arc::new(Mutex::new(Blink)),
            None,
            Arc::clone(&clock) as Arc<dyn Clock>,
            20.0,
        );
        let end = Time::from_millis(1000);
        for i in 0..4u64 {
            let f = frame(source.next(end).expect("no device"));
            assert_eq!((f.seq, f.captured_at), (i + 1, Time::from_millis(50 * i)));
            assert_eq!(f.picture.rgb(3, 3)[0], (50 * i) as u8);
        }
        let quiet = source.next(Time::from_millis(160)).expect("no device");
        assert!(matches!(quiet, Feed::Quiet), "{quiet:?}");
        assert_eq!(clock.now(), Time::from_millis(160));
    }

    #[test]
    fn a_held_picture_is_never_overwritten() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let mut source = SimulatedSource::new(Arc::new(Mutex::new(Blink)), None, clock, 20.0);
        let held: Vec<Frame> = (0..7)
            .map(|_| frame(source.next(Time::from_millis(900)).expect("no device")))
            .collect();
        for (i, f) in held.iter().enumerate() {
            assert_eq!(f.picture.rgb(0, 0)[0], (50 * i) as u8);
        }
    }
}
