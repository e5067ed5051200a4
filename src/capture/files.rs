//! Picture files: one picture, a folder of them, an animated GIF.
//!
//! Takes paths and gives [`Picture`]s; [`load`] is the only place where the program decodes a
//! picture. Must never decode what would not fit, nor pass off part of a picture as the whole.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use image::{AnimationDecoder as _, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader};

use super::CaptureError;
use super::playback::{Reel, Shown};
use crate::types::Picture;
use crate::types::picture::packed;

/// The largest picture that is decoded: 100 megapixels, 400 MB in memory.
pub const MAX_PIXELS: u64 = 100_000_000;

/// No picture of that many pixels is stored in more bytes.
const MAX_BYTES: u64 = 8 * MAX_PIXELS;

/// Names that end like this are pictures of a folder.
const ENDINGS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "bmp", "webp"];

/// Loads a picture: PNG, JPEG, GIF, BMP or WebP, of any depth, by its contents and not its name.
///
/// 16-bit channels are scaled to 8, grey becomes equal red, green and blue, transparent parts
/// are laid over black (as if nothing had been drawn there), the camera's orientation is applied,
/// and of an animation the first picture is taken. Colour profiles are ignored: pixels are taken
/// as an untagged screenshot has them.
///
/// # Errors
/// [`CaptureError::Open`] that names the file and what is wrong with it: missing, empty, no
/// picture, truncated, larger than [`MAX_PIXELS`].
pub fn load(path: &Path) -> Result<Picture, CaptureError> {
    let bytes = read(path)?;
    decode(&bytes).map_err(|why| unreadable(path, &why))
}

/// A picture from the contents of a file, as [`load`] does it.
///
/// # Errors
/// What is wrong with it, for a sentence that names the file.
pub fn decode(bytes: &[u8]) -> Result<Picture, String> {
    if bytes.is_empty() {
        return Err("the file is empty".into());
    }
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|e| e.to_string())?;
    let Some(format) = reader.format() else {
        return Err("it is no PNG, JPEG, GIF, BMP or WebP picture".into());
    };
    if format == ImageFormat::Jpeg && !jpeg_is_whole(bytes) {
        return Err("it is truncated: the end of the JPEG data is missing".into());
    }
    let mut decoder = reader.into_decoder().map_err(|e| plain(&e))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(format!(
            "it has {width}x{height} pixels and at most {MAX_PIXELS} are read: crop it or make \
             it smaller"
        ));
    }
    if width == 0 || height == 0 {
        return Err("it has no pixels".into());
    }
    let orientation = decoder.orientation();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|e| plain(&e))?;
    // A picture without a readable orientation is upright.
    if let Ok(orientation) = orientation {
        picture.apply_orientation(orientation);
    }
    Ok(flatten(&picture))
}

/// Whether the path is a picture by its first bytes.
pub(super) fn is_picture(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let mut start = BufReader::with_capacity(64, file);
    start
        .fill_buf()
        .is_ok_and(|b| image::guess_format(b).is_ok())
}

fn read(path: &Path) -> Result<Vec<u8>, CaptureError> {
    let open = || -> std::io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(std::io::Error::other("it is a folder"));
        }
        if about.len() > MAX_BYTES {
            return Err(std::io::Error::other(format!(
                "it has {} bytes",
                about.len()
            )));
        }
        let mut bytes = Vec::new();
        // A pipe or device has no length.
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    open().map_err(|e| unreadable(path, &e.to_string()))
}

fn unreadable(path: &Path, why: &str) -> CaptureError {
    CaptureError::Open(format!("cannot read the picture {}: {why}", path.display()))
}

/// The decoder's error without the layers around it.
fn plain(error: &image::ImageError) -> String {
    match error {
        image::ImageError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it is truncated".into()
        }
        other => other.to_string(),
    }
}

/// A decoder of JPEG fills what is missing with grey; the end mark tells whether anything is.
/// Neither mark can occur within the coded data, and a thumbnail's end comes before the last
/// start.
fn jpeg_is_whole(bytes: &[u8]) -> bool {
    let last = |mark: [u8; 2]| bytes.windows(2).rposition(|w| w == mark);
    match (last([0xff, 0xda]), last([0xff, 0xd9])) {
        (Some(start), Some(end)) => start < end,
        _ => false,
    }
}

/// Into packed pixels, laid over black where it is transparent.
fn flatten(image: &DynamicImage) -> Picture {
    if !image.color().has_alpha() {
        return Picture::from_rgb(&image.to_rgb8());
    }
    let rgba = image.to_rgba8();
    let mut picture = Picture::default();
    picture.reshape(rgba.width(), rgba.height());
    for (to, from) in picture.pixels_mut().iter_mut().zip(rgba.pixels()) {
        let [r, g, b, a] = from.0.map(u32::from);
        let over = |c: u32| ((c * a + 127) / 255) as u8;
        *to = packed([over(r), over(g), over(b)]);
    }
    picture
}

/// Pictures one after the other, at a fixed rate.
pub(super) struct Pictures {
    files: std::vec::IntoIter<PathBuf>,
    interval: Duration,
    at: Duration,
    name: String,
}

impl Pictures {
    /// One picture.
    pub fn single(path: &Path, interval: Duration) -> Self {
        Self::of(vec![path.to_owned()], path, interval)
    }

    /// The pictures of a folder in the order of their names, in which numbers count as numbers.
    pub fn folder(path: &Path, interval: Duration) -> Result<Self, CaptureError> {
        let list = || -> std::io::Result<Vec<PathBuf>> {
            std::fs::read_dir(path)?.map(|e| Ok(e?.path())).collect()
        };
        let mut files = list().map_err(|e| {
            CaptureError::Open(format!("cannot read the folder {}: {e}", path.display()))
        })?;
        files.retain(|f| {
            let ending = f.extension().and_then(|e| e.to_str()).unwrap_or("");
            ENDINGS.iter().any(|e| e.eq_ignore_ascii_case(ending))
        });
        if files.is_empty() {
            return Err(CaptureError::Open(format!(
                "the folder {} holds no pictures ({})",
                path.display(),
                ENDINGS.join(", ")
            )));
        }
        files.sort_by(|a, b| by_name(&a.to_string_lossy(), &b.to_string_lossy()));
        Ok(Self::of(files, path, interval))
    }

    fn of(files: Vec<PathBuf>, path: &Path, interval: Duration) -> Self {
        Self {
            files: files.into_iter(),
            interval,
            at: Duration::ZERO,
            name: path.display().to_string(),
        }
    }
}

impl Reel for Pictures {
    fn show(&mut self, into: &mut Picture) -> Result<Shown, CaptureError> {
        let Some(file) = self.files.next() else {
            return Ok(Shown::End(format!("end of {}", self.name)));
        };
        *into = load(&file)?;
        let at = self.at;
        self.at += self.interval;
        Ok(Shown::At(at))
    }
}

/// An animation, decoded whole: the decoder cannot change threads halfway.
pub(super) struct Gif {
    frames: std::vec::IntoIter<(Arc<Picture>, Duration)>,
    at: Duration,
    name: String,
}

impl Gif {
    /// All frames of the animation.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        let wrong = |why: &str| unreadable(path, why);
        let bytes = read(path)?;
        let decoder = image::codecs::gif::GifDecoder::new(Cursor::new(&bytes))
            .map_err(|e| wrong(&plain(&e)))?;
        let (width, height) = decoder.dimensions();
        let each = u64::from(width) * u64::from(height);
        let mut frames = Vec::new();
        if each > MAX_PIXELS {
            return Err(wrong(&format!("it has {width}x{height} pixels")));
        }
        for frame in decoder.into_frames() {
            let frame = frame.map_err(|e| wrong(&plain(&e)))?;
            if (frames.len() as u64 + 1) * each > MAX_PIXELS {
                return Err(wrong(&format!(
                    "its animation has more than {MAX_PIXELS} pixels in all: make a video of it"
                )));
            }
            let lasts = Duration::from(frame.delay());
            let picture = flatten(&DynamicImage::ImageRgba8(frame.into_buffer()));
            // Browsers show frames without a time for a tenth of a second.
            let lasts = if lasts.is_zero() {
                Duration::from_millis(100)
            } else {
                lasts
            };
            frames.push((Arc::new(picture), lasts));
        }
        if frames.is_empty() {
            return Err(wrong("the animation has no pictures"));
        }
        let frames = frames.into_iter();
        Ok(Self {
            frames,
            at: Duration::ZERO,
            name: path.display().to_string(),
        })
    }
}

impl Reel for Gif {
    fn show(&mut self, into: &mut Picture) -> Result<Shown, CaptureError> {
        let Some((picture, lasts)) = self.frames.next() else {
            return Ok(Shown::End(format!("end of {}", self.name)));
        };
        into.reshape(picture.width(), picture.height());
        into.pixels_mut().copy_from_slice(picture.pixels());
        let at = self.at;
        self.at += lasts;
        Ok(Shown::At(at))
    }
}

/// `frame2` before `frame10`.
fn by_name(a: &str, b: &str) -> Ordering {
    fn number(s: &str) -> (&str, &str) {
        let end = s.find(|c: char| !c.is_ascii_digit()).unwrap_or(s.len());
        s.split_at(end)
    }
    let whole = (a, b);
    let (mut a, mut b) = whole;
    loop {
        let ((na, rest_a), (nb, rest_b)) = (number(a), number(b));
        if !na.is_empty() && !nb.is_empty() {
            // Without leading zeros the longer number is the larger one.
            let (va, vb) = (na.trim_start_matches('0'), nb.trim_start_matches('0'));
            let order = va.len().cmp(&vb.len()).then_with(|| va.cmp(vb));
            if order != Ordering::Equal {
                return order;
            }
            (a, b) = (rest_a, rest_b);
            continue;
        }
        let (mut ca, mut cb) = (a.chars(), b.chars());
        match (ca.next(), cb.next()) {
            (Some(x), Some(y)) if x == y => (a, b) = (ca.as_str(), cb.as_str()),
            // Names that differ only in leading zeros still have an order.
            (None, None) => return whole.1.cmp(whole.0),
            (x, y) => return x.cmp(&y),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GrayImage, ImageBuffer, Luma, Rgb, RgbImage, Rgba, RgbaImage};

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, format).expect("encodes");
        out.into_inner()
    }

    fn sample() -> RgbImage {
        RgbImage::from_fn(40, 30, |x, y| {
            Rgb([(x * 6) as u8, (y * 8) as u8, ((x * y) % 256) as u8])
        })
    }

    #[test]
    fn every_kind_of_picture() {
        let rgb = sample();
        let wanted = Picture::from_rgb(&rgb);
        for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::WebP] {
            let bytes = encoded(&rgb.clone().into(), format);
            assert_eq!(decode(&bytes).as_ref(), Ok(&wanted), "{format:?}");
        }
        let one = RgbImage::from_pixel(1, 1, Rgb([1, 2, 3]));
        let one = decode(&encoded(&one.into(), ImageFormat::Png)).expect("one pixel");
        assert_eq!(
            (one.width(), one.height(), one.rgb(0, 0)),
            (1, 1, [1, 2, 3])
        );

        let grey = GrayImage::from_pixel(3, 2, Luma([77]));
        let grey = decode(&encoded(&grey.into(), ImageFormat::Png)).expect("grey");
        assert_eq!(grey.rgb(2, 1), [77; 3]);

        let deep = ImageBuffer::from_pixel(3, 2, Rgb([0xffffu16, 0x8080, 0]));
        let deep = DynamicImage::ImageRgb16(deep);
        let deep = decode(&encoded(&deep, ImageFormat::Png)).expect("16 bits");
        assert_eq!(deep.rgb(0, 0), [255, 128, 0]);

        let mut glass = RgbaImage::from_pixel(3, 2, Rgba([200, 100, 50, 255]));
        glass.put_pixel(1, 0, Rgba([200, 100, 50, 0]));
        glass.put_pixel(2, 0, Rgba([200, 100, 50, 128]));
        let glass = decode(&encoded(&glass.into(), ImageFormat::Png)).expect("alpha");
        assert_eq!(glass.rgb(0, 0), [200, 100, 50]);
        assert_eq!(glass.rgb(1, 0), [0, 0, 0], "over black");
        assert_eq!(glass.rgb(2, 0), [100, 50, 25]);
    }

    /// A JPEG with an Exif segment that says how the camera was held.
    fn held(orientation: u8) -> Vec<u8> {
        let jpeg = encoded(&sample().into(), ImageFormat::Jpeg);
        let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
        exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
        let mut out = jpeg[..2].to_vec();
        out.extend([0xff, 0xe1]);
        out.extend(u16::try_from(exif.len() + 2).expect("short").to_be_bytes());
        out.extend(exif);
        out.extend(&jpeg[2..]);
        out
    }

    #[test]
    fn a_jpeg_stands_as_it_was_taken() {
        let upright = decode(&held(1)).expect("upright");
        let turned = decode(&held(6)).expect("turned to the right");
        assert_eq!((upright.width(), upright.height()), (40, 30));
        assert_eq!((turned.width(), turned.height()), (30, 40));
        for (x, y) in [(0, 0), (7, 11), (39, 29)] {
            assert_eq!(turned.rgb(29 - y, x), upright.rgb(x, y), "{x},{y}");
        }
    }

    #[test]
    fn no_part_of_any_picture_passes_for_the_whole() {
        let formats = [
            ImageFormat::Png,
            ImageFormat::Jpeg,
            ImageFormat::Bmp,
            ImageFormat::WebP,
            ImageFormat::Gif,
        ];
        for format in formats {
            let bytes = encoded(&sample().into(), format);
            decode(&bytes).expect("whole");
            for part in [
                0,
                1,
                7,
                30,
                bytes.len() / 4,
                bytes.len() / 2,
                bytes.len() - 20,
            ] {
                let part = part.min(bytes.len() - 1);
                let found = decode(&bytes[..part]);
                assert!(
                    found.is_err(),
                    "{part} of {} bytes of {format:?}",
                    bytes.len()
                );
            }
        }
        assert_eq!(decode(&[]).expect_err("empty"), "the file is empty");
        let text = decode(b"no picture but a letter to a friend").expect_err("text");
        assert!(text.contains("no PNG"), "{text}");
    }

    #[test]
    fn a_huge_picture_is_refused_by_its_header() {
        let mut png = encoded(&sample().into(), ImageFormat::Png);
        png[16..20].copy_from_slice(&60_000u32.to_be_bytes());
        png[20..24].copy_from_slice(&60_000u32.to_be_bytes());
        let check = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&check.to_be_bytes());
        let error = decode(&png).expect_err("3600 megapixels");
        assert!(error.contains("60000x60000"), "{error}");
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |crc, &b| {
            (0..8).fold(crc ^ u32::from(b), |c, _| {
                (c >> 1) ^ (0xedb8_8320 & (c & 1).wrapping_neg())
            })
        })
    }

    #[test]
    fn errors_name_the_file() {
        let error = load(Path::new("/nonexistent/board.png"))
            .expect_err("missing")
            .to_string();
        assert!(
            error.starts_with("cannot read the picture /nonexistent/board.png: "),
            "{error}"
        );
        let error = load(Path::new("/")).expect_err("a folder").to_string();
        assert!(error.contains("it is a folder"), "{error}");
    }

    #[test]
    fn numbers_sort_as_numbers() {
        let mut names = [
            "f10.png", "f2.png", "f02.png", "f1.png", "a.png", "f2b.png", "f.png",
        ];
        names.sort_by(|a, b| by_name(a, b));
        assert_eq!(
            names,
            [
                "a.png", "f.png", "f1.png", "f2.png", "f02.png", "f2b.png", "f10.png"
            ]
        );
    }
}
