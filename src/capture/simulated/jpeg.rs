//! What compression leaves of a picture.

use crate::types::Picture;

/// Through JPEG and back; a picture that cannot be encoded (no pixels) stays as it is.
pub fn compress(out: &mut Picture, quality: u8) {
    let mut bytes = Vec::new();
    let encoder =
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, quality.clamp(1, 100));
    if out.to_rgb().write_with_encoder(encoder).is_err() {
        return;
    }
    if let Ok(back) = image::load_from_memory_with_format(&bytes, image::ImageFormat::Jpeg) {
        *out = Picture::from_rgb(&back.to_rgb8());
    }
}
