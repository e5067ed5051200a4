//! A built-in target in place of a screen: its source and its hands.

use std::sync::{Arc, Mutex};

use crate::act::Actuator;
use crate::act::simulated::{Faults, SimulatedMouse};
use crate::capture::simulated::{CameraModel, SimulatedSource};
use crate::capture::{CaptureError, FrameSource};
use crate::pipeline::run::Feeder;
use crate::types::{Clock, Feed, Target, Time};

/// A built-in target seen through a simulated camera, and the hands that play it.
#[must_use]
pub fn simulated(
    target: Arc<Mutex<dyn Target>>,
    camera: Option<CameraModel>,
    clock: &Arc<dyn Clock>,
    fps: f64,
    faults: Faults,
) -> (Box<dyn Feeder>, Box<dyn Actuator>) {
    let model = camera.clone();
    let target_from_frame = Box::new(move |p| match &model {
        Some(camera) => camera.screen_from_camera(p),
        None => p,
    });
    let hands = SimulatedMouse::new(
        Arc::clone(&target),
        target_from_frame,
        Arc::clone(clock),
        faults,
    );
    let source = SimulatedSource::new(target, camera, Arc::clone(clock), fps);
    (Box::new(Direct(Box::new(source))), Box::new(hands))
}

/// A source asked by the loop itself, without a thread.
#[must_use]
pub fn direct(source: Box<dyn FrameSource>) -> Box<dyn Feeder> {
    Box::new(Direct(source))
}

/// A source asked by the loop itself: nothing is dropped and virtual time stays exact.
struct Direct(Box<dyn FrameSource>);

impl Feeder for Direct {
    fn wait(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        self.0.next(deadline)
    }

    fn dropped(&self) -> u64 {
        0
    }

    fn set_eager(&mut self, _eager: bool) {}
}
