//! Files that are written whole or not at all.

use std::path::Path;

use anyhow::Context as _;

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
}
