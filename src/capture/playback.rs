//! Files as a source of frames, each at its time.
//!
//! Takes a path and a clock and gives its pictures as a camera would: one when its time has
//! come, in order and none left out, in the time of the clock that was passed in. After the last
//! one it stays for a while, so that a loop that waits for stillness sees it still. Must never
//! repeat or skip a picture by itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::files::{Gif, Pictures, is_picture};
use super::pool::Pool;
use super::video::Video;
use super::{CaptureError, FrameSource};
use crate::types::{Clock, Feed, Frame, Picture, SourceId, Time};

/// Something that shows pictures in order.
pub(super) trait Reel: Send {
    /// Writes the next picture into `into`, which keeps its allocation.
    ///
    /// # Errors
    /// [`CaptureError`] that names the file.
    fn show(&mut self, into: &mut Picture) -> Result<Shown, CaptureError>;
}

/// What a reel showed.
pub(super) enum Shown {
    /// A picture, this long after the first one.
    At(Duration),
    /// Nothing, and why there will be nothing any more.
    End(String),
}

/// How files are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Pictures per second for folders, and for the last picture while it stays.
    pub fps: f64,
    /// How long the last picture stays.
    pub hold: Duration,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            fps: 30.0,
            hold: Duration::from_secs(1),
        }
    }
}

/// Pictures from a file or folder.
pub struct FileSource {
    reel: Box<dyn Reel>,
    id: SourceId,
    clock: Arc<dyn Clock>,
    pool: Pool,
    /// The time of the first picture.
    start: Option<Time>,
    /// Read ahead, so that the time of the next picture is known.
    next: Option<(Arc<Picture>, Duration)>,
    last: Option<(Arc<Picture>, Duration)>,
    end: Option<String>,
    stays_until: Option<Duration>,
    interval: Duration,
    hold: Duration,
    seq: u64,
}

impl FileSource {
    /// Opens a picture, a folder of pictures, an animated GIF or a video.
    ///
    /// # Errors
    /// [`CaptureError::Open`] that names the file and what is wrong with it.
    pub fn open(
        path: &Path,
        playback: Playback,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, CaptureError> {
        if !(playback.fps.is_finite() && playback.fps >= 0.001 && playback.fps <= 10_000.0) {
            return Err(CaptureError::Open(format!(
                "{} pictures per second cannot be played: choose 0.001 to 10000",
                playback.fps
            )));
        }
        let interval = Duration::from_secs_f64(1.0 / playback.fps);
        let about = std::fs::metadata(path)
            .map_err(|e| CaptureError::Open(format!("cannot open {}: {e}", path.display())))?;
        let gif = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("gif"));
        let reel: Box<dyn Reel> = if about.is_dir() {
            Box::new(Pictures::folder(path, interval)?)
        } else if about.len() == 0 {
            return Err(CaptureError::Open(format!(
                "the file {} is empty",
                path.display()
            )));
        } else if is_picture(path) && gif {
            Box::new(Gif::open(path)?)
        } else if is_picture(path) {
            Box::new(Pictures::single(path, interval))
        } else {
            Box::new(Video::open(path)?)
        };
        let mut source = Self {
            reel,
            id: format!("file:{}", PathBuf::from(path).display()).into(),
            clock,
            pool: Pool::default(),
            start: None,
            next: None,
            last: None,
            end: None,
            stays_until: None,
            interval,
            hold: playback.hold,
            seq: 0,
        };
        // The first picture is read at once: what is no picture is told when it is opened.
        source.read_ahead()?;
        Ok(source)
    }

    fn read_ahead(&mut self) -> Result<(), CaptureError> {
        if self.next.is_some() || self.end.is_some() {
            return Ok(());
        }
        let mut fresh = self.pool.take(0, 0);
        if let Some(picture) = Arc::get_mut(&mut fresh) {
            match self.reel.show(picture)? {
                Shown::At(at) => self.next = Some((fresh, at)),
                Shown::End(why) => {
                    let shown = self.last.as_ref().map_or(Duration::ZERO, |(_, at)| *at);
                    self.stays_until = Some(shown + self.hold);
                    self.end = Some(why);
                }
            }
        }
        Ok(())
    }
}

impl FrameSource for FileSource {
    fn id(&self) -> SourceId {
        Arc::clone(&self.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        self.read_ahead()?;
        if self.next.is_none() {
            // The last picture stays for a while.
            let again = self
                .last
                .as_ref()
                .map(|(p, at)| (Arc::clone(p), *at + self.interval));
            self.next = again.filter(|(_, at)| Some(*at) <= self.stays_until);
        }
        let start = *self.start.get_or_insert_with(|| self.clock.now());
        let Some((_, at)) = &self.next else {
            return Ok(Feed::Ended(self.end.clone().unwrap_or_default()));
        };
        let due = start + *at;
        if due > deadline {
            self.clock.sleep_until(deadline);
            return Ok(Feed::Quiet);
        }
        self.clock.sleep_until(due);
        let Some((picture, at)) = self.next.take() else {
            return Ok(Feed::Quiet);
        };
        let before = self
            .last
            .replace((Arc::clone(&picture), at))
            .map(|(p, _)| p);
        let changed = before
            .as_ref()
            .is_none_or(|b| !Arc::ptr_eq(b, &picture) && **b != *picture);
        if let Some(before) = before.filter(|b| !Arc::ptr_eq(b, &picture)) {
            self.pool.keep(before);
        }
        self.seq += 1;
        Ok(Feed::Frame(Frame {
            seq: self.seq,
            captured_at: due,
            source: Arc::clone(&self.id),
            picture,
            changed,
            placement: None,
            windows: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ManualClock;
    use image::codecs::gif::GifEncoder;
    use image::{Delay, Rgb, RgbImage, RgbaImage};
    use std::process::Command;

    /// All frames as `time in ms: red of the first pixel, = if unchanged`, then the end.
    fn played(path: &Path, fps: f64, hold_ms: u64) -> Vec<String> {
        let clock = Arc::new(ManualClock::default());
        let playback = Playback {
            fps,
            hold: Duration::from_millis(hold_ms),
        };
        let mut source = match FileSource::open(path, playback, clock.clone()) {
            Ok(source) => source,
            Err(e) => return vec![e.to_string()],
        };
        let mut told = Vec::new();
        while told.len() < 100 {
            match source.next(clock.now() + Duration::from_millis(40)) {
                Ok(Feed::Frame(f)) => told.push(format!(
                    "{}: {}{}",
                    f.captured_at.0 / 1000,
                    f.picture.rgb(0, 0)[0],
                    if f.changed { "" } else { " =" }
                )),
                Ok(Feed::Quiet) => {}
                Ok(Feed::Ended(why)) => {
                    told.push(why);
                    break;
                }
                Ok(Feed::Hidden(h)) => told.push(h.to_string()),
                Err(e) => {
                    told.push(e.to_string());
                    break;
                }
            }
        }
        told
    }

    fn red(value: u8) -> RgbImage {
        RgbImage::from_pixel(16, 16, Rgb([value, 0, 0]))
    }

    #[test]
    fn a_folder_in_its_order_and_time() {
        let dir = tempfile::tempdir().expect("a folder");
        for (name, value) in [
            ("s10.png", 30),
            ("s9.png", 20),
            ("s1.png", 10),
            ("s2.png", 10),
        ] {
            red(value).save(dir.path().join(name)).expect("saved");
        }
        std::fs::write(dir.path().join("notes.txt"), "not a picture").expect("written");
        let end = format!("end of {}", dir.path().display());
        assert_eq!(
            played(dir.path(), 10.0, 200),
            [
                "0: 10",
                "100: 10 =",
                "200: 20",
                "300: 30",
                "400: 30 =",
                "500: 30 =",
                &end
            ]
        );
        std::fs::write(dir.path().join("s3.png"), b"\x89PNG\r\n\x1a\nbroken").expect("written");
        let told = played(dir.path(), 10.0, 0);
        assert_eq!(told.len(), 3);
        assert!(told[2].contains("s3.png: "), "{told:?}");
        let empty = tempfile::tempdir().expect("a folder");
        assert!(played(empty.path(), 10.0, 0)[0].contains("holds no pictures"));
    }

    #[test]
    fn one_picture_stays() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("board.png");
        red(5).save(&path).expect("saved");
        let end = format!("end of {}", path.display());
        assert_eq!(
            played(&path, 2.0, 1000),
            ["0: 5", "500: 5 =", "1000: 5 =", &end]
        );
        let clock = Arc::new(ManualClock::default());
        let none = Playback {
            fps: 0.0,
            ..Playback::default()
        };
        assert!(FileSource::open(&path, none, clock).is_err());
    }

    #[test]
    fn an_animation_in_its_own_time() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("game.gif");
        let file = std::fs::File::create(&path).expect("created");
        let mut gif = GifEncoder::new(file);
        for (value, ms) in [(0, 50), (255, 200), (0, 100)] {
            let picture = RgbaImage::from_pixel(8, 8, image::Rgba([value, 0, 0, 255]));
            let delay = Delay::from_numer_denom_ms(ms, 1);
            gif.encode_frame(image::Frame::from_parts(picture, 0, 0, delay))
                .expect("encoded");
        }
        drop(gif);
        let end = format!("end of {}", path.display());
        assert_eq!(played(&path, 100.0, 0), ["0: 0", "50: 255", "250: 0", &end]);
        let bytes = std::fs::read(&path).expect("read");
        std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
        assert!(played(&path, 100.0, 0)[0].contains("game.gif"));
    }

    #[test]
    fn a_video_in_its_own_time() {
        let dir = tempfile::tempdir().expect("a folder");
        for n in 0..10u8 {
            let name = format!("{n}.png");
            RgbImage::from_pixel(64, 48, Rgb([n * 25, 0, 0]))
                .save(dir.path().join(name))
                .expect("saved");
        }
        let path = dir.path().join("game.mp4");
        let made = Command::new("ffmpeg")
            .args(["-loglevel", "error", "-framerate", "10", "-i"])
            .arg(dir.path().join("%d.png"))
            .args(["-pix_fmt", "yuv420p"])
            .arg(&path)
            .status();
        if !made.is_ok_and(|s| s.success()) {
            println!("skipped: ffmpeg is not installed");
            return;
        }
        let told = played(&path, 10.0, 0);
        assert_eq!(told.len(), 11, "{told:?}");
        for (n, line) in told[..10].iter().enumerate() {
            let (at, value) = line.split_once(": ").expect("a frame");
            assert_eq!(at, (n * 100).to_string(), "{told:?}");
            let value: i64 = value.trim_end_matches(" =").parse().expect("a number");
            assert!((value - n as i64 * 25).abs() <= 8, "{told:?}");
        }
        assert_eq!(told[10], format!("end of {}", path.display()));

        // An AVI has its index at the end: what comes before the cut can be decoded.
        let avi = dir.path().join("game.avi");
        let made = Command::new("ffmpeg")
            .args(["-loglevel", "error", "-i"])
            .arg(&path)
            .args(["-c:v", "mjpeg"])
            .arg(&avi)
            .status();
        assert!(made.is_ok_and(|s| s.success()));
        let bytes = std::fs::read(&avi).expect("read");
        std::fs::write(&avi, &bytes[..bytes.len() * 3 / 4]).expect("written");
        let told = played(&avi, 10.0, 0);
        let end = told.last().expect("an end");
        assert!(
            told.len() > 1 && end.contains("of 10 pictures: the file is damaged"),
            "{told:?}"
        );

        let bytes = std::fs::read(&path).expect("read");
        for (name, part) in [
            ("half.mp4", &bytes[..bytes.len() / 2]),
            ("text.mp4", b"a letter"),
        ] {
            let bad = dir.path().join(name);
            std::fs::write(&bad, part).expect("written");
            let told = played(&bad, 10.0, 0);
            assert!(
                told[0].contains(name) && told[0].contains("video"),
                "{told:?}"
            );
        }
        let empty = dir.path().join("empty.mp4");
        std::fs::write(&empty, "").expect("written");
        assert!(played(&empty, 10.0, 0)[0].contains("empty.mp4 is empty"));
        let missing = played(&dir.path().join("missing.mp4"), 10.0, 0);
        assert!(missing[0].contains("missing.mp4"), "{missing:?}");
    }
}
