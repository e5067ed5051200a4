//! Pictures written as PNG files.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::Context;

use crate::types::Picture;

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
