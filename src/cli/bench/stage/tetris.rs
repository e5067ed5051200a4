//! Two Tetris programs on the stage: GNOME's quadrapassel, and vitetris in an xterm.
//!
//! Each gets a home of its own, so that neither settings nor scores of the person who runs this
//! are read or written. Nothing is pressed here: what starts a game is in the profiles.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::Context;

use super::child::Child;
use super::desktop::Desktop;

/// A Tetris program that nobody here wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TetrisProgram {
    /// quadrapassel, beginning at this level, 1 to 20.
    Quadrapassel(u8),
    /// vitetris; its level is chosen in its menu, 0 unless somebody does.
    Vitetris,
}

impl fmt::Display for TetrisProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TetrisProgram {
    /// The name of the program, which is that of its profile and its system of pieces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quadrapassel(_) => "quadrapassel",
            Self::Vitetris => "vitetris",
        }
    }

    /// Files without which it cannot be started here.
    #[must_use]
    pub const fn needs(self) -> &'static [&'static str] {
        match self {
            Self::Quadrapassel(_) => &["/usr/games/quadrapassel", "/usr/bin/dbus-run-session"],
            Self::Vitetris => &["/usr/games/vitetris", "/usr/bin/xterm"],
        }
    }

    /// The first of [`Self::needs`] that is not there.
    #[must_use]
    pub fn missing(self) -> Option<&'static str> {
        let there = |file: &&&str| !Path::new(file).exists();
        self.needs().iter().find(there).copied()
    }
}

/// Flat colours, no sound, no shadow of the falling piece.
fn keyfile(level: u8) -> String {
    format!(
        "[org/gnome/Quadrapassel]\ntheme='modern'\nsound=false\nshow-shadow=false\n\
         starting-level={}\n",
        level.clamp(1, 20)
    )
}

impl Desktop {
    /// Starts the program and waits until its window is drawn; its title page is to be seen then.
    ///
    /// # Errors
    /// When it is missing or no window comes.
    pub fn tetris(&self, program: TetrisProgram) -> anyhow::Result<(Child, u32)> {
        let home = self.folder().join(program.name());
        let run = home.join("run");
        let settings = home.join(".config/glib-2.0/settings");
        for folder in [&run, &settings] {
            fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot be made", folder.display()))?;
        }
        private(&run)?;
        let (home, run) = (home.to_string_lossy(), run.to_string_lossy());
        let before = self.windows()?;
        let environment = [
            ("HOME", &*home),
            ("XDG_RUNTIME_DIR", &*run),
            ("XDG_CONFIG_HOME", &*format!("{home}/.config")),
            ("XDG_DATA_HOME", &*format!("{home}/.local/share")),
            ("GSETTINGS_BACKEND", "keyfile"),
        ];
        let child = match program {
            TetrisProgram::Quadrapassel(level) => {
                let file = settings.join("keyfile");
                fs::write(&file, keyfile(level))
                    .with_context(|| format!("{}: cannot be written", file.display()))?;
                let words = ["--", "/usr/games/quadrapassel"];
                self.run_with("dbus-run-session", &words, &environment)?
            }
            TetrisProgram::Vitetris => {
                let look = ["-geometry", "60x28", "-bg", "black", "-fg", "white"];
                let words = [&["-fn", "10x20"], &look[..], &["-e", "/usr/games/vitetris"]];
                self.run_with("xterm", &words.concat(), &environment)?
            }
        };
        let window = self.wait(program.name(), |d| {
            let now = d.windows()?;
            Ok(now.into_iter().find(|w| !before.contains(w)))
        })?;
        self.settled(window)?;
        Ok((child, window))
    }
}

/// Nobody else may enter the folder: programs refuse a runtime folder that others may.
pub(super) fn private(folder: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
            .with_context(|| format!("{}: cannot be made private", folder.display()))?;
    }
    Ok(())
}
