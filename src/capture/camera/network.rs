//! A camera in the network: a phone that serves MJPEG over http, or anything that speaks RTSP.
//!
//! Takes an address; opens it through OpenCV (and so FFmpeg) with limits of time and gives its
//! pictures as they arrive. When a picture was exposed the network does not tell: the time of its
//! arrival is what it is given. Must never show a password that stands in the address.

use std::sync::Arc;
use std::time::Duration;

use opencv::core::{Mat, MatTraitConst as _, MatTraitConstManual as _, Vector};
use opencv::videoio::{
    CAP_FFMPEG, CAP_PROP_FPS, CAP_PROP_OPEN_TIMEOUT_MSEC, CAP_PROP_READ_TIMEOUT_MSEC, VideoCapture,
    VideoCaptureAPIs, VideoCaptureTrait as _, VideoCaptureTraitConst as _, has_backend,
};

use super::super::files::MAX_PIXELS;
use super::decode::{Decoder, Packing, Shape};
use super::grab::{Fault, Grab, Opened, Opener, Told};
use crate::types::{CameraSpec, CameraTrouble, Clock, Picture, Turn};

/// How long connecting may take, and how long a picture may be awaited before the connection is
/// taken as lost. A wireless network pauses for a second now and then.
const LIMITS: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(3));

/// Connects to a camera, again and again.
pub struct Network {
    url: String,
    turn: Turn,
    clock: Arc<dyn Clock>,
}

impl Network {
    /// For the camera at this address; only its turn is taken from the spec.
    ///
    /// # Errors
    /// When this OpenCV cannot reach addresses, or not this kind of them.
    pub fn new(url: &str, spec: &CameraSpec, clock: Arc<dyn Clock>) -> Result<Self, String> {
        let kind = url.split("://").next().unwrap_or_default();
        let known = ["http", "https", "rtsp", "rtsps", "rtmp", "udp", "tcp"];
        if !known.contains(&kind) {
            return Err(format!(
                "{}: an address of a camera begins with http:// or rtsp://",
                public(url)
            ));
        }
        if !has_backend(VideoCaptureAPIs::CAP_FFMPEG).unwrap_or(false) {
            return Err(format!(
                "{}: cameras in the network need an OpenCV with FFmpeg, and this one has none",
                public(url)
            ));
        }
        Ok(Self {
            url: url.to_owned(),
            turn: spec.turn,
            clock,
        })
    }
}

/// An address without what may be secret in it: name and password, and what is asked of it.
#[must_use]
pub fn public(url: &str) -> String {
    let Some((kind, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    // What is asked of the camera may hold a password, too.
    let path = path.split(['?', '#']).next().unwrap_or_default();
    format!("{kind}://{host}{path}")
}

impl Opener for Network {
    fn open(&mut self) -> Result<Box<dyn Opened>, Fault> {
        let name = public(&self.url);
        let gone = |why: &str| Fault {
            trouble: CameraTrouble::Gone,
            text: format!("{name}: {why}"),
        };
        let millis = |d: Duration| i32::try_from(d.as_millis()).unwrap_or(i32::MAX);
        let limits = Vector::from_slice(&[
            CAP_PROP_OPEN_TIMEOUT_MSEC,
            millis(LIMITS.0),
            CAP_PROP_READ_TIMEOUT_MSEC,
            millis(LIMITS.1),
        ]);
        let capture = VideoCapture::from_file_with_params(&self.url, CAP_FFMPEG, &limits)
            .map_err(|e| gone(&e.message))?;
        if !capture.is_opened().unwrap_or(false) {
            return Err(gone(
                "it does not answer, or not with a video: is it on, and the address right?",
            ));
        }
        let rate = capture.get(CAP_PROP_FPS).unwrap_or(0.0);
        Ok(Box::new(Connected {
            told: Told {
                camera: name,
                format: "as it comes".to_owned(),
                // FFmpeg makes up a rate where the camera tells none.
                rate: Some(rate).filter(|r| r.is_finite() && (1.0..=240.0).contains(r)),
                controls: Vec::new(),
            },
            capture,
            frame: Mat::default(),
            decoder: Decoder::default(),
            turn: self.turn,
            clock: Arc::clone(&self.clock),
        }))
    }
}

struct Connected {
    told: Told,
    capture: VideoCapture,
    frame: Mat,
    decoder: Decoder,
    turn: Turn,
    clock: Arc<dyn Clock>,
}

impl Opened for Connected {
    fn told(&self) -> &Told {
        &self.told
    }

    /// Waits for as long as [`LIMITS`] say: FFmpeg does not return earlier.
    fn grab(&mut self, _: Duration, into: &mut Picture) -> Result<Grab, Fault> {
        let lost = |why: &str| Fault {
            trouble: CameraTrouble::Gone,
            text: format!("{}: {why}", self.told.camera),
        };
        let began = self.clock.now();
        let got = self
            .capture
            .read(&mut self.frame)
            .map_err(|e| lost(&e.message))?;
        let captured_at = self.clock.now();
        if !got || self.frame.empty() {
            let waited = captured_at.since(began);
            return Err(if waited >= LIMITS.1 {
                let seconds = waited.as_secs();
                Fault {
                    trouble: CameraTrouble::Hanging,
                    ..lost(&format!("no picture for {seconds} s"))
                }
            } else {
                lost("the connection has ended")
            });
        }
        let side = |n: i32| u32::try_from(n).unwrap_or(0);
        let (width, height) = (side(self.frame.cols()), side(self.frame.rows()));
        if u64::from(width) * u64::from(height) > MAX_PIXELS || self.frame.channels() != 3 {
            return Ok(Grab::Damaged(format!(
                "{width}x{height} px of another kind"
            )));
        }
        let bytes = self.frame.data_bytes().map_err(|e| lost(&e.message))?;
        let shape = Shape {
            packing: Packing::Bgr,
            width,
            height,
            stride: 0,
        };
        Ok(match self.decoder.decode(shape, self.turn, bytes, into) {
            Ok(()) => Grab::Picture {
                captured_at,
                missed: 0,
            },
            Err(bad) => Grab::Damaged(bad.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::public;

    #[test]
    fn no_password_is_shown() {
        for (url, shown) in [
            ("http://10.0.0.5:8080/video", "http://10.0.0.5:8080/video"),
            ("rtsp://me:se@cret@cam/1?pwd=a@b", "rtsp://cam/1"),
            ("http://me:pw@cam", "http://cam"),
            ("no address", "no address"),
        ] {
            assert_eq!(public(url), shown);
        }
    }
}
