//! Video files, decoded by OpenCV.
//!
//! Takes a path and gives its pictures with their own times. Must never pass off a damaged
//! file's part as the whole: it tells how much was missing.

use std::path::Path;
use std::time::Duration;

use opencv::core::{Mat, MatTraitConst as _, MatTraitConstManual as _};
use opencv::videoio::{
    CAP_ANY, CAP_FFMPEG, CAP_PROP_FPS, CAP_PROP_FRAME_COUNT, CAP_PROP_POS_MSEC, VideoCapture,
    VideoCaptureAPIs, VideoCaptureTrait as _, VideoCaptureTraitConst as _, has_backend,
};

use super::CaptureError;
use super::files::MAX_PIXELS;
use super::playback::{Reel, Shown};
use crate::types::Picture;
use crate::types::picture::packed;

/// A video that is being read.
pub(super) struct Video {
    capture: VideoCapture,
    frame: Mat,
    name: String,
    /// Pictures according to the file's header; zero if it does not say.
    announced: u64,
    shown: u64,
    interval: Duration,
    last: Option<Duration>,
    first_ms: f64,
}

impl Video {
    /// Opens a video file.
    ///
    /// # Errors
    /// [`CaptureError::Open`] if it is no video that this machine can decode.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        let name = path.display().to_string();
        let broken = |why: &str| {
            CaptureError::Open(format!(
                "cannot read {name}: it is neither a picture nor a video that can be decoded ({why})"
            ))
        };
        // Left to choose, OpenCV tries every library it has, and those that cannot read a file
        // complain at length.
        let ffmpeg = has_backend(VideoCaptureAPIs::CAP_FFMPEG).unwrap_or(false);
        let library = if ffmpeg { CAP_FFMPEG } else { CAP_ANY };
        let capture = VideoCapture::from_file(path, library).map_err(|e| broken(&e.message))?;
        if !capture.is_opened().unwrap_or(false) {
            return Err(broken("it is damaged, or its format is unknown"));
        }
        let number = |property| capture.get(property).unwrap_or(0.0);
        let fps = number(CAP_PROP_FPS);
        let fps = if fps.is_finite() && (0.1..=1000.0).contains(&fps) {
            fps
        } else {
            30.0
        };
        let announced = number(CAP_PROP_FRAME_COUNT);
        Ok(Self {
            announced: if announced.is_finite() && announced > 0.0 {
                announced as u64
            } else {
                0
            },
            capture,
            frame: Mat::default(),
            name,
            shown: 0,
            interval: Duration::from_secs_f64(1.0 / fps),
            last: None,
            first_ms: 0.0,
        })
    }

    fn lost(&self, why: &str) -> CaptureError {
        let text = format!("cannot read the video {}: {why}", self.name);
        // Before the first picture it is a matter of opening.
        if self.shown == 0 {
            CaptureError::Open(text)
        } else {
            CaptureError::Lost(text)
        }
    }

    fn end(&self) -> Result<Shown, CaptureError> {
        if self.shown == 0 {
            return Err(self.lost("no picture in it can be decoded"));
        }
        // Headers count a few pictures more than can be decoded; half a film is another thing.
        if self.shown * 10 < self.announced * 9 {
            return Ok(Shown::End(format!(
                "end of {} after {} of {} pictures: the file is damaged",
                self.name, self.shown, self.announced
            )));
        }
        Ok(Shown::End(format!("end of {}", self.name)))
    }
}

impl Reel for Video {
    fn show(&mut self, into: &mut Picture) -> Result<Shown, CaptureError> {
        let got = self
            .capture
            .read(&mut self.frame)
            .map_err(|e| self.lost(&e.message))?;
        if !got || self.frame.empty() {
            return self.end();
        }
        let (width, height) = (
            self.frame.cols().max(0) as u32,
            self.frame.rows().max(0) as u32,
        );
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(self.lost(&format!("its pictures have {width}x{height} pixels")));
        }
        let bytes = self.frame.data_bytes().map_err(|e| self.lost(&e.message))?;
        if self.frame.channels() != 3 || bytes.len() != width as usize * height as usize * 3 {
            return Err(self.lost("its pictures are not of 8 bits per colour"));
        }
        into.reshape(width, height);
        for (to, bgr) in into.pixels_mut().iter_mut().zip(bytes.as_chunks::<3>().0) {
            *to = packed([bgr[2], bgr[1], bgr[0]]);
        }
        let ms = self.capture.get(CAP_PROP_POS_MSEC).unwrap_or(f64::NAN);
        if self.shown == 0 {
            self.first_ms = if ms.is_finite() { ms } else { 0.0 };
        }
        self.shown += 1;
        let told = (ms - self.first_ms) / 1000.0;
        let at = match self.last {
            None => Duration::ZERO,
            // Some containers tell no times, or times that stand still.
            Some(last) if !(told.is_finite() && told > last.as_secs_f64() && told < 1e9) => {
                last + self.interval
            }
            Some(_) => Duration::from_secs_f64(told),
        };
        self.last = Some(at);
        Ok(Shown::At(at))
    }
}
