//! Two-player programs on the stage: four of Connect-4, two of five in a row.
//!
//! Each gets a home of its own, so that neither settings nor scores of the person who runs this
//! are read or written, and is started as a user would find it: with its menu, intro or demo.
//! [`Desktop::first_position`] goes on from there as a person would; `kibitzer play` does it by
//! the steps of the profile.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::Context;

use super::child::Child;
use super::desktop::Desktop;
use super::tetris::private;

/// A two-player program that nobody here wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardProgram {
    /// xvier: Connect-4 without any decoration.
    Xvier {
        /// Search depth, 0 to 9.
        level: u8,
        /// Columns and rows, 4 to 13 each.
        size: (u8, u8),
    },
    /// GNOME's four-in-a-row.
    FourInARow {
        /// 1 to 3.
        level: u8,
    },
    /// KDE's kfourinline with its intro.
    Kfourinline,
    /// explosive-c4 with its menu.
    ExplosiveC4,
    /// KDE's Bovo: five in a row on 22x22.
    Bovo {
        /// How it looks.
        theme: BovoTheme,
        /// Its place in [`BOVO_LEVELS`].
        level: u8,
    },
    /// Gomoku.app of GNUstep: five in a row on 8x8.
    GomokuApp {
        /// 0 to 5; 3 unless somebody chooses.
        level: u8,
    },
}

/// The looks of Bovo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BovoTheme {
    /// X and O in cells, as drawn by hand.
    Scribble,
    /// Stones on crossings of a brown board with a watermark.
    Gomoku,
    /// Black X and O in cells of a yellow board.
    HighContrast,
    /// Glowing balls in cells of a black board.
    Spacy,
}

impl BovoTheme {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Scribble,
        Self::Gomoku,
        Self::HighContrast,
        Self::Spacy,
    ];

    /// Its name in Bovo's settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scribble => "scribble",
            Self::Gomoku => "gomoku",
            Self::HighContrast => "highcontrast",
            Self::Spacy => "spacy",
        }
    }
}

/// The levels of Bovo by their names in its settings, the hardest last.
pub const BOVO_LEVELS: [&str; 8] = [
    "Ridiculously Easy",
    "Very Easy",
    "Easy",
    "Medium",
    "Hard",
    "Very Hard",
    "Extremely Hard",
    "Impossible",
];

impl fmt::Display for BoardProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bovo { theme, .. } => write!(f, "bovo-{}", theme.name()),
            _ => f.write_str(self.name()),
        }
    }
}

impl BoardProgram {
    /// Every program at its hardest, Bovo in all its looks.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let bovo = |theme| Self::Bovo { theme, level: 7 };
        let mut all = vec![
            Self::Xvier {
                level: 9,
                size: (7, 6),
            },
            Self::FourInARow { level: 3 },
            Self::Kfourinline,
            Self::ExplosiveC4,
        ];
        all.extend(BovoTheme::ALL.map(bovo));
        all.push(Self::GomokuApp { level: 5 });
        all
    }

    /// The name of its profile.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xvier { .. } => "xvier",
            Self::FourInARow { .. } => "four-in-a-row",
            Self::Kfourinline => "kfourinline",
            Self::ExplosiveC4 => "explosive-c4",
            Self::Bovo { .. } => "bovo",
            Self::GomokuApp { .. } => "gomoku-app",
        }
    }

    /// Files without which it cannot be started here.
    #[must_use]
    pub const fn needs(self) -> &'static [&'static str] {
        match self {
            Self::Xvier { .. } => &["/usr/games/xvier", "/usr/games/xvier_prog"],
            Self::FourInARow { .. } => &["/usr/games/four-in-a-row", "/usr/bin/dbus-run-session"],
            Self::Kfourinline => &["/usr/games/kfourinline", "/usr/bin/dbus-run-session"],
            Self::ExplosiveC4 => &["/usr/games/explosive-c4"],
            Self::Bovo { .. } => &["/usr/games/bovo", "/usr/bin/dbus-run-session"],
            Self::GomokuApp { .. } => &["/usr/games/Gomoku"],
        }
    }

    /// The first of [`Self::needs`] that is not there.
    #[must_use]
    pub fn missing(self) -> Option<&'static str> {
        let there = |file: &&&str| !Path::new(file).exists();
        self.needs().iter().find(there).copied()
    }

    /// The start of the title of the window with the board, for programs with several windows.
    const fn title(self) -> &'static str {
        match self {
            Self::GomokuApp { .. } => "Gomoku Game",
            _ => "",
        }
    }

    /// What is to be run, with its arguments.
    fn command(self) -> Vec<String> {
        let words = |w: &[&str]| w.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
        let mut command = match self {
            Self::FourInARow { .. } | Self::Kfourinline | Self::Bovo { .. } => {
                words(&["dbus-run-session", "--"])
            }
            _ => Vec::new(),
        };
        command.push(self.needs()[0].to_owned());
        match self {
            Self::Xvier { level, size } => {
                let numbers = [level, size.0, size.1].map(|n| n.to_string());
                for (option, number) in ["-level", "-columns", "-rows"].into_iter().zip(numbers) {
                    command.extend([option.to_owned(), number]);
                }
            }
            Self::FourInARow { level } => {
                command.extend(words(&["--mute", "--level", &level.to_string()]));
            }
            Self::GomokuApp { level } => {
                command.extend(words(&["-DifficultyLevel", &level.to_string()]));
            }
            Self::Kfourinline | Self::ExplosiveC4 | Self::Bovo { .. } => {}
        }
        command
    }

    /// Its settings: a file under the home's `.config` and what is in it.
    fn settings(self) -> Option<(&'static str, String)> {
        let Self::Bovo { theme, level } = self else {
            return None;
        };
        let level = BOVO_LEVELS[usize::from(level).min(BOVO_LEVELS.len() - 1)];
        // Wide enough for the whole status line, which tells how a game ended.
        let text = format!(
            "[bovo]\ntheme={}\n[KgDifficulty]\nLevel={level}\n[MainWindow]\n\
             1280x800 screen: Width=740\n1280x800 screen: Height=740\n",
            theme.name()
        );
        Some(("bovorc", text))
    }
}

impl Desktop {
    /// Starts the program and waits until its window is drawn.
    ///
    /// # Errors
    /// When it is missing or no window comes.
    pub fn board_game(&self, program: BoardProgram) -> anyhow::Result<(Child, u32)> {
        let home = self.folder().join(program.name());
        let (run, config) = (home.join("run"), home.join(".config"));
        for folder in [&run, &config] {
            fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot be made", folder.display()))?;
        }
        private(&run)?;
        if let Some((name, text)) = program.settings() {
            let file = config.join(name);
            fs::write(&file, text)
                .with_context(|| format!("{}: cannot be written", file.display()))?;
        }
        let (home, run) = (home.to_string_lossy(), run.to_string_lossy());
        // Some of them start a second program of theirs by its name.
        let path = format!(
            "{}:/usr/games",
            std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into())
        );
        let environment = [
            ("HOME", &*home),
            ("PATH", &path),
            ("TMPDIR", &*run),
            ("XDG_RUNTIME_DIR", &*run),
            ("XDG_CONFIG_HOME", &*config.to_string_lossy()),
            ("XDG_DATA_HOME", &*format!("{home}/.local/share")),
            ("XDG_CACHE_HOME", &*format!("{home}/.cache")),
            ("GSETTINGS_BACKEND", "memory"),
            ("QT_QPA_PLATFORM", "xcb"),
            ("SDL_AUDIODRIVER", "dummy"),
        ];
        let before = self.windows()?;
        let command = program.command();
        let words: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
        let child = self.run_with(&command[0], &words, &environment)?;
        let window = self.wait(program.name(), |d| {
            for window in d.windows()? {
                if !before.contains(&window) && d.title(window)?.starts_with(program.title()) {
                    return Ok(Some(window));
                }
            }
            Ok(None)
        })?;
        self.settled(window)?;
        Ok((child, window))
    }

    /// Goes on from what [`Self::board_game`] shows to the first position of a game, as a person
    /// would.
    ///
    /// # Errors
    /// When the window is gone.
    pub fn first_position(&self, program: BoardProgram, window: u32) -> anyhow::Result<()> {
        let at = self.client(window)?;
        // Parts of the window's width and height.
        let click = |x: f64, y: f64| {
            let along =
                |from: i32, length: u32, part: f64| from + (f64::from(length) * part) as i32;
            self.click(along(at.x, at.width, x), along(at.y, at.height, y))
        };
        match program {
            // A game is under way at once.
            BoardProgram::Xvier { .. } | BoardProgram::FourInARow { .. } => return Ok(()),
            // "Hard Game" of the intro.
            BoardProgram::Kfourinline => click(0.22, 0.72)?,
            // "Play against computer".
            BoardProgram::ExplosiveC4 => click(0.5, 0.52)?,
            BoardProgram::Bovo { .. } => self.chord("ctrl+n")?,
            // The first click only gives it the focus.
            BoardProgram::GomokuApp { .. } => click(0.5, 0.01)?,
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
        self.settled(window)?;
        Ok(())
    }
}
