//! Files that are read up to a size, and written whole or not at all.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use anyhow::{Context as _, ensure};

/// The bytes of a file that begins with `head`; `None` when there is none. Whoever names a file may
/// be mistaken: of one that begins otherwise no more than as many bytes are read, and of none, nor
/// of a device that never ends, more than `most`.
///
/// # Errors
/// When it cannot be read or is larger, with its name.
pub fn read(path: &Path, head: &[u8], most: u64) -> anyhow::Result<Option<Vec<u8>>> {
    let name = path.display();
    let cannot = || format!("{name} cannot be read");
    let mut file = match File::open(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(cannot)?,
    };
    let mut bytes = Vec::new();
    let mut begin = file.by_ref().take(head.len() as u64);
    begin.read_to_end(&mut bytes).with_context(cannot)?;
    if bytes == head {
        let mut rest = file.take(most.saturating_add(1));
        rest.read_to_end(&mut bytes).with_context(cannot)?;
    }
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
        assert_eq!(read(&path, b"12", 5).expect("no file is no error"), None);
        std::fs::write(&path, "12345").expect("written");
        let bytes = |path: &Path, head: &[u8]| read(path, head, 5).expect("small").expect("there");
        assert_eq!(bytes(&path, b"12"), b"12345");
        assert_eq!(bytes(&path, b"123456"), b"12345");
        let zero = Path::new("/dev/zero");
        for (path, head, most) in [(path.as_path(), &b"1"[..], 4), (zero, b"\0", 1 << 20)] {
            let told = read(path, head, most).expect_err("too large").to_string();
            assert!(told.contains("has more than"), "{told}");
        }
        assert_eq!(
            bytes(&path, b"21"),
            b"12",
            "no more of what begins otherwise"
        );
        assert_eq!(bytes(zero, b"C4"), b"\0\0");
        let told = read(folder.path(), b"1", 5)
            .expect_err("a folder")
            .to_string();
        assert!(told.contains("cannot be read"), "{told}");
    }
}
