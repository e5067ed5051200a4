//! The one file of the target: its saved game.

use std::path::Path;

/// Longer files are no saved games.
const MOST: u64 = 1 << 20;

/// Writes a file so that there is always the old one or the new one.
pub fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

/// Reads a file that is not too long.
///
/// # Errors
/// When it cannot be read, or is far too long for a saved game.
pub fn read(path: &Path) -> std::io::Result<String> {
    let length = std::fs::metadata(path)?.len();
    if length > MOST {
        let text = format!("{length} bytes are no saved game");
        return Err(std::io::Error::other(text));
    }
    std::fs::read_to_string(path)
}
