//! Where files live: the XDG base directories.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folders from the environment; each already ends in `kibitzer`. `None` where the environment
/// tells nothing (a service without HOME).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders {
    /// Settings: `$XDG_CONFIG_HOME/kibitzer`.
    pub config: Option<PathBuf>,
    /// Journal and logs: `$XDG_STATE_HOME/kibitzer`, or systemd's `$STATE_DIRECTORY`.
    pub state: Option<PathBuf>,
    /// Profiles: `$XDG_DATA_HOME/kibitzer`.
    pub data: Option<PathBuf>,
    home: Option<PathBuf>,
}

impl Folders {
    /// From the variables of an environment.
    #[must_use]
    pub fn new(env: &[(OsString, OsString)]) -> Self {
        let absolute = |name: &str| {
            let found = env.iter().find(|(k, _)| k == name)?;
            // The standard says that relative paths are to be ignored.
            Some(PathBuf::from(&found.1)).filter(|p| p.is_absolute())
        };
        let home = absolute("HOME");
        let folder = |xdg: &str, usual: &str| {
            absolute(xdg)
                .or_else(|| home.as_ref().map(|h| h.join(usual)))
                .map(|p| p.join("kibitzer"))
        };
        Self {
            config: folder("XDG_CONFIG_HOME", ".config"),
            state: folder("XDG_STATE_HOME", ".local/state").or_else(|| absolute("STATE_DIRECTORY")),
            data: folder("XDG_DATA_HOME", ".local/share"),
            home,
        }
    }

    /// Of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self::new(&std::env::vars_os().collect::<Vec<_>>())
    }

    /// The journal where no other is named.
    #[must_use]
    pub fn journal(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|s| s.join("journal.db"))
    }

    /// `~/x` in the home folder; a relative path in `base`.
    pub(super) fn resolve(&self, path: &str, base: &Path) -> PathBuf {
        match (path.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => base.join(path),
        }
    }
}
