//! Cameras: local ones through the kernel, others through the network.
//!
//! Takes a [`CameraSpec`]; gives upright frames with the time of their exposure, and while there
//! are none [`Hidden::Camera`] with the reason, or [`Hidden::Frozen`]. A camera that is unplugged,
//! busy, hanging or forbidden is waited for, for ever: it is another part's matter to end a run.
//! Must never block longer than it is told to, whatever a driver does.

pub mod controls;
pub mod decode;
#[cfg(target_os = "linux")]
pub mod device;
pub mod format;
pub mod grab;
pub mod name;
pub mod network;
#[cfg(target_os = "linux")]
pub mod show;
mod turn;

use std::sync::Arc;
use std::time::Duration;

use grab::{Counts, Fault, HANGS, Mail, Opener, Told};

use super::{CaptureError, FrameSource};
use crate::types::{
    CameraName, CameraSpec, CameraTrouble, Clock, Feed, Frame, Hidden, SourceId, Time,
};

/// A driver that does not return from a call for so long hangs. Opening takes some cameras seconds.
const STUCK: Duration = Duration::from_secs(8);

/// A camera that takes longer to close is left to its thread.
const CLOSES: Duration = Duration::from_millis(500);

/// A camera as a source of frames.
pub struct CameraSource {
    id: SourceId,
    mail: Arc<Mail>,
    clock: Arc<dyn Clock>,
    seq: u64,
}

impl CameraSource {
    /// Starts to use a camera. A local one must be there, at the latest at `until`; everything that
    /// is wrong with it later is told as frames are asked for.
    ///
    /// # Errors
    /// [`CaptureError::Open`] when a name fits no camera or several, with what there is.
    pub fn open(
        spec: &CameraSpec,
        clock: Arc<dyn Clock>,
        until: Time,
    ) -> Result<Self, CaptureError> {
        let (name, opener): (String, Box<dyn Opener>) = match &spec.which {
            CameraName::Local(wanted) => (wanted.clone(), local(spec, &clock, until)?),
            CameraName::Url(url) => {
                let network = network::Network::new(url, spec, Arc::clone(&clock));
                let network = network.map_err(CaptureError::Open)?;
                (network::public(url), Box::new(network))
            }
        };
        let id = format!("camera:{name}");
        Self::with(&id, opener, clock, spec.frozen)
    }

    /// A source of what an opener gives; a picture repeated for longer than `sameness` is frozen.
    ///
    /// # Errors
    /// [`CaptureError::Open`] when the system gives no thread.
    pub fn with(
        id: &str,
        opener: Box<dyn Opener>,
        clock: Arc<dyn Clock>,
        sameness: Option<Duration>,
    ) -> Result<Self, CaptureError> {
        let mail = grab::spawn(opener, Arc::clone(&clock), sameness)
            .map_err(|e| CaptureError::Open(format!("no thread for {id}: {e}")))?;
        Ok(Self {
            id: id.into(),
            mail,
            clock,
            seq: 0,
        })
    }

    /// What has been counted so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.mail.lock().counts
    }

    /// What the camera said when it was last opened, if it has been.
    #[must_use]
    pub fn told(&self) -> Option<Told> {
        self.mail.lock().told.clone()
    }

    /// What is wrong now, in all detail.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        self.mail.lock().fault.clone()
    }
}

/// The most stable name of the camera that is meant now: of one in the network its address; `None`
/// where none or several fit.
#[must_use]
pub fn stable_name(which: &CameraName) -> Option<String> {
    match which {
        CameraName::Url(url) => Some(network::public(url)),
        #[cfg(target_os = "linux")]
        CameraName::Local(wanted) => {
            let all = name::list();
            device::choose(&all, wanted).ok().map(name::Listed::stable)
        }
        #[cfg(not(target_os = "linux"))]
        CameraName::Local(_) => None,
    }
}

/// Waits until a camera of this machine is there.
#[cfg(target_os = "linux")]
fn local(
    spec: &CameraSpec,
    clock: &Arc<dyn Clock>,
    until: Time,
) -> Result<Box<dyn Opener>, CaptureError> {
    loop {
        match device::choose(&name::list(), spec.which.text()) {
            Ok(_) => break,
            Err(fault) if clock.now() >= until => return Err(CaptureError::Open(fault.text)),
            Err(_) => clock.sleep_until(clock.now() + Duration::from_millis(100)),
        }
    }
    Ok(Box::new(device::Local::new(
        spec.clone(),
        Arc::clone(clock),
    )))
}

/// Elsewhere only cameras in the network can be used.
#[cfg(not(target_os = "linux"))]
fn local(spec: &CameraSpec, _: &Arc<dyn Clock>, _: Time) -> Result<Box<dyn Opener>, CaptureError> {
    Err(CaptureError::Open(format!(
        "the camera {}: cameras of the machine itself are used on Linux only; one in the network \
         is named by its address (http:// or rtsp://)",
        spec.which.text()
    )))
}

impl FrameSource for CameraSource {
    fn id(&self) -> SourceId {
        Arc::clone(&self.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        let mut inside = self.mail.lock();
        loop {
            if let Some(shot) = inside.shot.take() {
                self.seq += 1;
                return Ok(Feed::Frame(Frame {
                    seq: self.seq,
                    captured_at: shot.captured_at,
                    source: Arc::clone(&self.id),
                    picture: shot.picture,
                    changed: shot.changed,
                    placement: None,
                    windows: None,
                }));
            }
            let now = self.clock.now();
            if now >= deadline {
                let silent = now.since(inside.alive);
                let hidden = match &inside.fault {
                    _ if inside.frozen => Hidden::Frozen,
                    Some(fault) => Hidden::Camera(fault.trouble),
                    None if silent > STUCK => Hidden::Camera(CameraTrouble::Hanging),
                    // Waiting for a picture it would have given a sign of life long ago.
                    None if silent > HANGS && inside.counts.taken > 0 => {
                        Hidden::Camera(CameraTrouble::Hanging)
                    }
                    None => return Ok(Feed::Quiet),
                };
                return Ok(Feed::Hidden(hidden));
            }
            inside = self.mail.wait(inside, deadline.since(now));
        }
    }
}

impl Drop for CameraSource {
    /// Waits a moment until the camera is closed: whoever opens it next would find it busy.
    fn drop(&mut self) {
        let until = self.clock.now() + CLOSES;
        let mut inside = self.mail.lock();
        inside.quit = true;
        self.mail.tell();
        loop {
            let now = self.clock.now();
            if inside.ended || now >= until {
                return;
            }
            inside = self.mail.wait(inside, until.since(now));
        }
    }
}

#[cfg(test)]
mod tests;
