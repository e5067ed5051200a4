//! A profile of the user's own, deleted.

use std::path::{Path, PathBuf};

use super::super::folders::Folders;
use super::find::{Known, known};

/// Why a profile was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum NotRemoved {
    /// There is none of this name.
    #[error("there is no profile \"{0}\"")]
    None(String),
    /// It is part of the program.
    #[error("\"{0}\" comes with the program and cannot be deleted")]
    Shipped(String),
    /// Its file lies in a folder of somebody's project.
    #[error("{path} is not among the profiles saved here: delete the file itself", path = .0.display())]
    Elsewhere(PathBuf),
    /// The file cannot be deleted.
    #[error("{path} cannot be deleted: {error}", path = .0.display(), error = .1)]
    File(PathBuf, std::io::Error),
}

/// Whether a profile is a file that was saved into the user's own folder.
#[must_use]
pub fn is_own(profile: &Known, folders: &Folders) -> bool {
    let own = folders.data.as_ref().map(|d| d.join("calibration"));
    let place = profile.path.as_deref().and_then(Path::parent);
    place.is_some() && place == own.as_deref()
}

/// Deletes a profile that was saved into the user's own folder. Where it took the place of one that
/// comes with the program, that one is found again.
///
/// # Errors
/// See [`NotRemoved`].
pub fn remove(name: &str, folders: &Folders) -> Result<(), NotRemoved> {
    // Only names that are listed: none of them is a way to another folder.
    let found = known(folders).into_iter().find(|k| k.name == name);
    let profile = found.ok_or_else(|| NotRemoved::None(name.to_owned()))?;
    let own = is_own(&profile, folders);
    match profile.path {
        None => Err(NotRemoved::Shipped(profile.name)),
        Some(path) if !own => Err(NotRemoved::Elsewhere(path)),
        Some(path) => std::fs::remove_file(&path).map_err(|e| NotRemoved::File(path, e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_saved_here_is_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(&[("XDG_DATA_HOME".into(), folder.path().into())]);
        let own = folder.path().join("kibitzer/calibration");
        std::fs::create_dir_all(&own).expect("a folder");
        let file = own.join("mine.toml");
        std::fs::write(&file, "even a wrong one").expect("written");
        std::fs::write(folder.path().join("kibitzer/other.toml"), "").expect("written");
        for name in ["theirs", "", "../other", "mine.toml", "./mine"] {
            let told = remove(name, &folders).expect_err(name);
            assert!(matches!(told, NotRemoved::None(_)), "{name}: {told}");
        }
        // Tests run beside the profiles of the project.
        let told = remove("sgt-flood", &folders).expect_err("not ours");
        assert!(matches!(told, NotRemoved::Elsewhere(_)), "{told}");
        assert!(file.exists());
        remove("mine", &folders).expect("deleted");
        assert!(!file.exists());
        let told = remove("mine", &folders).expect_err("gone");
        assert!(matches!(told, NotRemoved::None(_)), "{told}");
    }
}
