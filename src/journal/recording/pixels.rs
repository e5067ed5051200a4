//! Pixels without loss: PNG that is quick to write, as text in a message.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _, ImageFormat};
use serde::Deserialize;

use crate::types::Picture;

/// A message of `/frame`; `at_ns` since 1970.
///
/// # Errors
/// When the picture cannot be encoded; the words say why.
pub(super) fn message(picture: &Picture, number: u64, at_ns: u64) -> Result<Vec<u8>, String> {
    let rgb = picture.to_rgb();
    let mut png = Vec::new();
    PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive)
        .write_image(
            rgb.as_raw(),
            rgb.width(),
            rgb.height(),
            ExtendedColorType::Rgb8,
        )
        .map_err(|e| e.to_string())?;
    let (sec, nsec) = (at_ns / 1_000_000_000, at_ns % 1_000_000_000);
    let mut text = format!(
        "{{\"timestamp\":{{\"sec\":{sec},\"nsec\":{nsec}}},\"frame_id\":\"screen\",\
         \"format\":\"png\",\"picture\":{number},\"data\":\""
    );
    STANDARD.encode_string(&png, &mut text);
    text.push_str("\"}");
    Ok(text.into_bytes())
}

#[derive(Deserialize)]
struct Line<'a> {
    picture: u64,
    #[serde(borrow)]
    data: std::borrow::Cow<'a, str>,
}

/// The largest picture that is read, in pixels: larger than any screen, smaller than memory.
const LARGEST: u64 = 1 << 28;

/// The number and the pixels of a message.
///
/// # Errors
/// When it is none; the words say why.
pub(super) fn read(message: &[u8]) -> Result<(u64, Picture), String> {
    let line: Line<'_> = serde_json::from_slice(message).map_err(|e| e.to_string())?;
    let png = STANDARD
        .decode(line.data.as_bytes())
        .map_err(|e| e.to_string())?;
    let reader = image::ImageReader::with_format(Cursor::new(&png), ImageFormat::Png);
    let (w, h) = reader.into_dimensions().map_err(|e| e.to_string())?;
    if u64::from(w) * u64::from(h) > LARGEST {
        return Err(format!("a picture of {w}x{h}"));
    }
    let image = image::load_from_memory_with_format(&png, ImageFormat::Png);
    let image = image.map_err(|e| e.to_string())?;
    Ok((line.picture, Picture::from_rgb(&image.into_rgb8())))
}
