//! Files that are read up to a size, and written whole or not at all.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use anyhow::{Context as _, ensure};

/// The bytes of a file; `None` when there is none. Whoever names a file may be mistaken: one of more
/// than `most` bytes, or a device that never ends, costs no memory.
///
/// # Errors
/// When it cannot be read or is larger, with its name.
pub fn read(path: &Path, most: u64) -> anyhow::Result<Option<Vec<u8>>> {
    let name = path.display();
    let file = match File::open(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(|| format!("{name} cannot be read"))?,
    };
    let mut bytes = Vec::new();
    let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.with_context(|| format!("{name} cannot be read"))?;
    ensure!(
        bytes.len() as u64 <= most,
        "{name} has more than {most} bytes: it is something else"
    );
    Ok(Some(bytes))
}

/// Writes a file so that there is always the old one or the new one, however the run ends; it is
/// written beside, as `FILE.new`, and renamed.
///
/// # Errors
/// When it cannot be written, with its name.
pub fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    std::fs::write(&beside, bytes)
        .and_then(|()| std::fs::rename(&beside, path))
        .with_context(|| {
            // It may never have come to be.
            let _ = std::fs::remove_file(&beside);
            format!("{} cannot be written", path.display())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("levels.txt");
        for text in ["first", "second"] {
            replace(&path, text.as_bytes()).expect("written");
            assert_eq!(std::fs::read_to_string(&path).expect("there"), text);
        }
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            1
        );
        let nowhere = folder.path().join("none").join("levels.txt");
        let told = replace(&nowhere, b"x").expect_err("no folder").to_string();
        assert!(told.contains("levels.txt cannot be written"), "{told}");
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("some.book");
        assert_eq!(read(&path, 5).expect("no file is no error"), None);
        std::fs::write(&path, "12345").expect("written");
        let bytes = read(&path, 5).expect("small").expect("there");
        assert_eq!(bytes, b"12345");
        for (path, most) in [(path.as_path(), 4), (Path::new("/dev/zero"), 1 << 20)] {
            let told = read(path, most).expect_err("too large").to_string();
            assert!(told.contains("has more than"), "{told}");
        }
        let told = read(folder.path(), 5).expect_err("a folder").to_string();
        assert!(told.contains("cannot be read"), "{told}");
    }
}
