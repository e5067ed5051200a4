//! Pictures written one after the other as a video or an animated picture.
//!
//! Takes pictures of one size at a steady rate; the file's name says the format. Must never leave
//! a file that cannot be opened: it is finished when the recording is dropped.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, DynamicImage};
use opencv::core::MatTraitConst as _;
use opencv::core::{Mat, Scalar, Size};
use opencv::prelude::MatTraitManual as _;
use opencv::videoio::{VideoWriter, VideoWriterTrait as _, VideoWriterTraitConst as _};

use crate::types::Picture;
use crate::types::picture::channels;

/// A file that is being written.
pub struct Recording {
    path: PathBuf,
    fps: f64,
    size: Option<(u32, u32)>,
    writer: Option<Writer>,
    frames: u64,
}

enum Writer {
    Video(VideoWriter, Mat),
    Gif(Box<GifEncoder<BufWriter<File>>>),
}

impl Recording {
    /// A recording of `fps` pictures a second. The file is made with the first picture.
    ///
    /// # Errors
    /// When the name ends in none of the formats that can be written.
    pub fn new(path: &Path, fps: f64) -> anyhow::Result<Self> {
        if format(path).is_none() {
            bail!(
                "{}: a recording's name ends in .mp4, .avi or .gif",
                path.display()
            );
        }
        Ok(Self {
            path: path.to_owned(),
            fps,
            size: None,
            writer: None,
            frames: 0,
        })
    }

    /// Pictures written so far.
    #[must_use]
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Appends a picture.
    ///
    /// # Errors
    /// When the file cannot be written, or the picture has another size than the first one.
    pub fn push(&mut self, picture: &Picture) -> anyhow::Result<()> {
        let size = (picture.width(), picture.height());
        let wanted = *self.size.get_or_insert(size);
        if size != wanted {
            bail!("a picture of {size:?} in a recording of {wanted:?}");
        }
        if self.writer.is_none() {
            self.writer = Some(open(&self.path, self.fps, size)?);
        }
        let place = || format!("cannot write {}", self.path.display());
        match &mut self.writer {
            Some(Writer::Video(video, mat)) => {
                fill(mat, picture).with_context(place)?;
                video.write(mat).with_context(place)?;
            }
            Some(Writer::Gif(gif)) => {
                let image = DynamicImage::ImageRgb8(picture.to_rgb()).into_rgba8();
                // Hundredths of a second are the format's unit.
                let ms = (1000.0 / self.fps).round().max(10.0) as u32;
                let frame =
                    image::Frame::from_parts(image, 0, 0, Delay::from_numer_denom_ms(ms, 1));
                gif.encode_frame(frame).with_context(place)?;
            }
            None => {}
        }
        self.frames += 1;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Mp4,
    Avi,
    Gif,
}

fn format(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "mp4" => Some(Format::Mp4),
        "avi" => Some(Format::Avi),
        "gif" => Some(Format::Gif),
        _ => None,
    }
}

fn open(path: &Path, fps: f64, (width, height): (u32, u32)) -> anyhow::Result<Writer> {
    let place = || format!("cannot write {}", path.display());
    // Whoever has written to it before gets a clear word, whatever the library would say.
    let file = File::create(path).with_context(place)?;
    let code = match format(path) {
        Some(Format::Gif) => {
            let mut gif = GifEncoder::new_with_speed(BufWriter::new(file), 20);
            gif.set_repeat(Repeat::Infinite).with_context(place)?;
            return Ok(Writer::Gif(Box::new(gif)));
        }
        Some(Format::Mp4) => VideoWriter::fourcc('m', 'p', '4', 'v'),
        _ => VideoWriter::fourcc('M', 'J', 'P', 'G'),
    }
    .with_context(place)?;
    drop(file);
    let size = Size::new(width as i32, height as i32);
    let video = VideoWriter::new(path, code, fps, size, true).with_context(place)?;
    if !video.is_opened().unwrap_or(false) {
        bail!(
            "cannot write {}: this OpenCV has no encoder for it; try a name ending in .gif",
            path.display()
        );
    }
    let mat = Mat::new_size_with_default(size, opencv::core::CV_8UC3, Scalar::default())
        .with_context(place)?;
    Ok(Writer::Video(video, mat))
}

/// Blue first, as OpenCV has it.
fn fill(mat: &mut Mat, picture: &Picture) -> opencv::Result<()> {
    let width = mat.cols() as usize;
    let bytes = mat.data_bytes_mut()?;
    for (to, from) in bytes
        .chunks_exact_mut(3 * width.max(1))
        .zip(picture.pixels().chunks_exact(width.max(1)))
    {
        for (to, &pixel) in to.chunks_exact_mut(3).zip(from) {
            let [r, g, b] = channels(pixel);
            to.copy_from_slice(&[b, g, r]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::FrameSource as _;
    use crate::capture::playback::{FileSource, Playback};
    use crate::types::{Clock, Feed, ManualClock, Time};
    use std::sync::Arc;

    #[test]
    fn what_is_written_can_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.mp4", "a.avi"] {
            let path = folder.path().join(name);
            let mut recording = Recording::new(&path, 10.0).expect("a format");
            for i in 0..5u8 {
                let picture = Picture::filled(64, 48, [40 * i, 100, 20]);
                recording.push(&picture).expect("written");
            }
            let odd = Picture::filled(32, 48, [0; 3]);
            assert!(recording.push(&odd).is_err(), "another size");
            assert_eq!(recording.frames(), 5);
            drop(recording);
            let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
            let mut source = FileSource::open(&path, Playback::default(), clock).expect("a video");
            let mut reds = Vec::new();
            while let Ok(Feed::Frame(frame)) = source.next(Time::from_millis(60_000)) {
                // The last picture stays for a while.
                if frame.changed {
                    reds.push(i32::from(frame.picture.rgb(30, 20)[0]));
                }
            }
            assert_eq!(reds.len(), 5, "{name}");
            for (i, red) in reds.iter().enumerate() {
                assert!((red - 40 * i as i32).abs() < 12, "{name}: {reds:?}");
            }
        }
    }

    #[test]
    fn an_animated_picture() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.gif");
        let mut recording = Recording::new(&path, 10.0).expect("a format");
        for i in 0..3u8 {
            let picture = Picture::filled(20, 10, [80 * i; 3]);
            recording.push(&picture).expect("written");
        }
        drop(recording);
        let bytes = std::fs::read(&path).expect("there");
        assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"));
    }

    #[test]
    fn other_names_are_refused_with_those_that_are_not() {
        let error = Recording::new(Path::new("a.mkv"), 10.0)
            .err()
            .expect("none");
        assert!(error.to_string().contains(".mp4, .avi or .gif"), "{error}");
    }
}
