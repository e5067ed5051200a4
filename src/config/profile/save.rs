//! A profile written into the user's own folder.

use std::io::Write as _;
use std::path::PathBuf;

use super::super::folders::Folders;
use super::Profile;
use super::find::known;

/// The longest name.
const LONGEST: usize = 48;

/// Why a profile was not written.
#[derive(Debug, thiserror::Error)]
pub enum NotSaved {
    /// No name of a file in one folder.
    #[error(
        "\"{0}\" is no name for a profile: up to 48 small letters, digits, - and _, the first one a \
         letter or digit"
    )]
    Name(String),
    /// There is one of this name.
    #[error("there is a profile \"{0}\" already: choose another name, or write over it")]
    Exists(String),
    /// One in a folder that is looked into first would be used instead.
    #[error(
        "{path} has a profile of this name, and it would be used instead: choose another name",
        path = .0.display()
    )]
    Shadowed(PathBuf),
    /// The folder cannot be found or written.
    #[error("{0}")]
    Folder(String),
}

/// Whether this can be the name of a profile: never the way to another folder.
#[must_use]
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.len() <= LONGEST
        && name.starts_with(plain)
        && name.chars().all(|c| plain(c) || c == '-' || c == '_')
}

/// Writes a profile into the user's folder under its own name, whole or not at all; over another
/// one only with `force`.
///
/// # Errors
/// See [`NotSaved`].
pub fn save(profile: &Profile, folders: &Folders, force: bool) -> Result<PathBuf, NotSaved> {
    let name = &profile.name;
    if !is_name(name) {
        return Err(NotSaved::Name(name.clone()));
    }
    let Some(data) = &folders.data else {
        let text = "there is no folder for profiles: set HOME or XDG_DATA_HOME";
        return Err(NotSaved::Folder(text.to_owned()));
    };
    let folder = data.join("calibration");
    let path = folder.join(format!("{name}.toml"));
    if let Some(other) = known(folders).into_iter().find(|k| k.name == *name) {
        match other.path {
            Some(other) if other != path => return Err(NotSaved::Shadowed(other)),
            _ if !force => return Err(NotSaved::Exists(name.clone())),
            _ => {}
        }
    }
    let cannot = |e: &dyn std::fmt::Display| {
        NotSaved::Folder(format!("{} cannot be written: {e}", path.display()))
    };
    let text = profile.to_toml().map_err(|e| cannot(&e))?;
    std::fs::create_dir_all(&folder).map_err(|e| cannot(&e))?;
    let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(|e| cannot(&e))?;
    file.write_all(text.as_bytes()).map_err(|e| cannot(&e))?;
    let kept = match force {
        true => file.persist(&path),
        // Somebody else may have been faster.
        false => file.persist_noclobber(&path),
    };
    match kept {
        Ok(_) => Ok(path),
        Err(e) if e.error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(NotSaved::Exists(name.clone()))
        }
        Err(e) => Err(cannot(&e.error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(data: &std::path::Path) -> Folders {
        Folders::new(&[("XDG_DATA_HOME".into(), data.into())])
    }

    fn profile(name: &str) -> Profile {
        let text = "version = 1\n[game]\nname = \"flood\"\n[source]\nwindow = \"Flood\"\n";
        Profile::parse(name, "test", text).expect("a profile")
    }

    #[test]
    fn a_profile_is_kept_in_its_folder_and_written_over_only_when_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = folders(folder.path());
        let path = save(&profile("my-flood"), &folders, false).expect("saved");
        assert_eq!(
            path,
            folder.path().join("kibitzer/calibration/my-flood.toml")
        );
        let again = super::super::load("my-flood", &folders).expect("read back");
        assert_eq!(again.game, "flood");
        let twice = save(&profile("my-flood"), &folders, false).expect_err("there already");
        assert!(matches!(twice, NotSaved::Exists(_)), "{twice}");
        save(&profile("my-flood"), &folders, true).expect("told to");
        // Tests run beside the profiles of the project, which are looked into first.
        let other = save(&profile("sgt-flood"), &folders, true).expect_err("shadowed");
        assert!(matches!(other, NotSaved::Shadowed(_)), "{other}");
        let kept = std::fs::read_dir(folder.path().join("kibitzer/calibration")).expect("a folder");
        assert_eq!(kept.count(), 1, "nothing stays beside it");
    }

    #[test]
    fn a_name_is_no_way_out_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = folders(&folder.path().join("data"));
        let long = "a".repeat(49);
        for name in [
            "", ".", "..", "../x", "/etc/x", "a/b", "a\\b", ".hidden", "-x", "a b", "A", "é",
            "a\0", "x.toml", &long,
        ] {
            let told = save(&profile(name), &folders, true).expect_err(name);
            assert!(matches!(told, NotSaved::Name(_)), "{name}: {told}");
        }
        assert!(!folder.path().join("data").exists());
    }
}
