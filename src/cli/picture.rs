//! Picture files: read into [`Picture`]s with errors that name the file and the fix, and written
//! as PNG.
//!
//! Of an animation the first frame is read; 16-bit channels are reduced to 8; what is
//! transparent shows black; the orientation a phone wrote beside the pixels is respected.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek};
use std::path::Path;

use anyhow::{Context, bail};
use image::{DynamicImage, ImageDecoder, ImageReader, RgbImage};

use crate::types::Picture;

/// Larger pictures are refused before their pixels are decoded: 100 megapixels.
const MOST_PIXELS: u64 = 100_000_000;

/// Reads a picture file.
///
/// # Errors
/// When it cannot be opened, is empty, is no picture, is cut short, or is too large.
pub fn load(path: &Path) -> anyhow::Result<Picture> {
    let name = path.display();
    let meta = std::fs::metadata(path).with_context(|| format!("cannot open {name}"))?;
    if meta.is_dir() {
        bail!("{name} is a directory: name a picture file in it");
    }
    let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
    if meta.is_file() && meta.len() == 0 {
        bail!("{name} is empty: save the picture again");
    }
    decode(BufReader::new(file)).with_context(|| format!("cannot read {name}"))
}

fn decode(reader: impl Read + Seek + std::io::BufRead) -> anyhow::Result<Picture> {
    let reader = ImageReader::new(reader).with_guessed_format()?;
    if reader.format().is_none() {
        bail!("it is no PNG, JPEG, GIF, BMP or WebP picture: convert it to one of these");
    }
    let mut decoder = reader
        .into_decoder()
        .context("its header is damaged or of a kind that is not supported")?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MOST_PIXELS {
        bail!("it has {width}x{height} pixels, more than 100 million: scale it down");
    }
    if pixels == 0 {
        bail!("it has no pixels");
    }
    let orientation = decoder.orientation();
    let mut image =
        DynamicImage::from_decoder(decoder).context("it is cut short or damaged: save it again")?;
    // A picture without readable orientation is upright.
    if let Ok(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    Ok(Picture::from_rgb(&opaque(image)))
}

/// The picture over black.
fn opaque(image: DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.into_rgb8();
    }
    let rgba = image.into_rgba8();
    let mut out = RgbImage::new(rgba.width(), rgba.height());
    for (to, from) in out.pixels_mut().zip(rgba.pixels()) {
        let a = u16::from(from.0[3]);
        for c in 0..3 {
            to.0[c] = ((u16::from(from.0[c]) * a + 127) / 255) as u8;
        }
    }
    out
}

/// Writes a picture as PNG.
///
/// # Errors
/// When the file cannot be written.
pub fn save_png(picture: &Picture, path: &Path) -> anyhow::Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    picture
        .to_rgb()
        .write_to(&mut BufWriter::new(file), image::ImageFormat::Png)
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("p.png");
        std::fs::write(&path, bytes).expect("written");
        match load(&path) {
            Ok(p) => format!("{}x{}", p.width(), p.height()),
            Err(e) => format!("{e:#}").replace(&path.display().to_string(), "p.png"),
        }
    }

    fn png(image: DynamicImage) -> Vec<u8> {
        let mut out = std::io::Cursor::new(Vec::new());
        image
            .write_to(&mut out, image::ImageFormat::Png)
            .expect("encoded");
        out.into_inner()
    }

    #[test]
    fn odd_files_are_read_or_refused_in_words() {
        assert_eq!(message(b""), "p.png is empty: save the picture again");
        assert!(
            message(b"hello there").contains("no PNG"),
            "{}",
            message(b"hello there")
        );
        let whole = png(DynamicImage::new_rgb16(40, 30));
        assert_eq!(message(&whole), "40x30");
        let cut = message(&whole[..whole.len() / 2]);
        assert!(cut.starts_with("cannot read p.png"), "{cut}");
        assert_eq!(message(&png(DynamicImage::new_rgb8(1, 1))), "1x1");
        // A header that promises 50,000 x 50,000 pixels.
        let mut huge = png(DynamicImage::new_luma8(1, 1));
        huge[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
        let crc = crc32(&huge[12..29]);
        huge[29..33].copy_from_slice(&crc.to_be_bytes());
        let text = message(&huge);
        assert!(text.contains("100 million"), "{text}");
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let mut crc = !0u32;
        for &b in bytes {
            crc ^= u32::from(b);
            for _ in 0..8 {
                crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
            }
        }
        !crc
    }

    #[test]
    fn what_is_transparent_shows_black() {
        let mut image = image::RgbaImage::new(2, 1);
        image.put_pixel(0, 0, image::Rgba([200, 100, 50, 255]));
        image.put_pixel(1, 0, image::Rgba([200, 100, 50, 128]));
        let out = opaque(DynamicImage::ImageRgba8(image));
        assert_eq!(out.get_pixel(0, 0).0, [200, 100, 50]);
        assert_eq!(out.get_pixel(1, 0).0, [100, 50, 25]);
    }
}
