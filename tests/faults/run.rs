//! One `kibitzer play` as a child process, watched through its journal.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kibitzer::journal::read::{Entry, Filter, MismatchRow, Reader, What, Which};
use serde_json::Value;

use super::table::{PATIENCE, signal};

/// A run under way; it is killed if the test fails.
pub struct Run {
    child: Child,
    folder: PathBuf,
}

/// A run that has ended.
pub struct Ended {
    pub status: i32,
    /// The objects on its stdout.
    pub games: Vec<Value>,
    pub stderr: String,
    /// Why, as its journal has it.
    pub why: String,
}

impl Run {
    /// Plays the window of this title until the end of the first game, unless `more` says
    /// otherwise.
    pub fn start(display: &str, folder: &Path, title: &str, more: &[&str]) -> Self {
        let mut args = vec!["--window", title, "--game", "flood"];
        args.extend(more);
        let kibitzer = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
        Self::start_by(kibitzer, display, folder, &args)
    }

    /// Plays what the arguments say, started by another program to which they are given.
    pub fn start_by(by: Command, display: &str, folder: &Path, args: &[&str]) -> Self {
        let args = [&["--policy", "greedy"], args].concat();
        Self::start_usual(by, display, folder, &args)
    }

    /// The same with the usual policy.
    pub fn start_usual(mut by: Command, display: &str, folder: &Path, args: &[&str]) -> Self {
        let file = |name| std::fs::File::create(folder.join(name)).expect("a file");
        let child = by
            .args(["play", "--json"])
            .arg("--journal")
            .arg(folder.join("journal.db"))
            .args(args)
            .env("DISPLAY", display)
            .env("HOME", folder)
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .expect("kibitzer starts");
        Self {
            child,
            folder: folder.to_owned(),
        }
    }

    fn reader(&self) -> Option<Reader> {
        Reader::open(&self.folder.join("journal.db")).ok()
    }

    /// Everything so far, in order.
    pub fn story(&self) -> Vec<Entry> {
        let read = |reader: &Reader| {
            let run = reader.reads().run(Which::Latest).ok()?.run;
            reader.reads().timeline(run).ok()
        };
        self.reader().as_ref().and_then(read).unwrap_or_default()
    }

    /// Moves seen to take effect.
    pub fn moves(&self) -> usize {
        let confirmed = |e: &Entry| matches!(e.what, What::Confirmed { .. });
        self.story().iter().filter(|e| confirmed(e)).count()
    }

    /// Attempts to act.
    pub fn acts(&self) -> usize {
        let acted = |e: &Entry| matches!(e.what, What::Acted { .. });
        self.story().iter().filter(|e| acted(e)).count()
    }

    /// Steps of the profile's script, in order.
    pub fn steps(&self) -> Vec<String> {
        let step = |e: Entry| match e.what {
            What::Acted { strokes, .. } => {
                let named = ["start ", "again ", "dialog "];
                named
                    .iter()
                    .any(|n| strokes.starts_with(n))
                    .then_some(strokes)
            }
            _ => None,
        };
        self.story().into_iter().filter_map(step).collect()
    }

    /// Waits until so many moves have been made.
    pub fn after_moves(&self, n: usize) {
        let end = Instant::now() + PATIENCE;
        while self.moves() < n {
            assert!(
                Instant::now() < end,
                "no {n} moves: {:#?} {}",
                self.story(),
                self.said()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for two more moves than there are.
    pub fn goes_on(&self) {
        self.after_moves(self.moves() + 2);
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.folder.join("stderr")).unwrap_or_default()
    }

    /// All mismatches so far.
    pub fn mismatches(&self) -> Vec<MismatchRow> {
        let read = |r: Reader| r.reads().mismatches(&Filter::default()).ok();
        self.reader().and_then(read).unwrap_or_default()
    }

    /// Their causes.
    pub fn causes(&self) -> Vec<String> {
        self.mismatches().into_iter().map(|m| m.cause).collect()
    }

    /// How many there are of a cause.
    pub fn count(&self, cause: &str) -> usize {
        self.causes().iter().filter(|c| *c == cause).count()
    }

    /// Waits for the `n`th mismatch of a cause.
    pub fn tells(&self, cause: &str, n: usize) {
        let end = Instant::now() + PATIENCE;
        while self.count(cause) < n {
            assert!(
                Instant::now() < end,
                "{cause} was not told {n} times: {:?}; {}",
                self.causes(),
                self.said()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asserts that nothing is done for so long.
    pub fn rests_for(&self, time: Duration) {
        let before = self.acts();
        std::thread::sleep(time);
        assert_eq!(self.acts(), before, "nothing may be done now");
    }

    /// When and where it meant to click.
    pub fn clicks(&self) -> Vec<(SystemTime, f64, f64)> {
        let reader = self.reader().expect("a journal");
        let run = reader.reads().run(Which::Latest).expect("a run");
        let began = UNIX_EPOCH + Duration::from_millis(run.started_ms.unwrap_or(0).unsigned_abs());
        let story = reader.reads().timeline(run.run).expect("readable");
        let mut all = Vec::new();
        for entry in story {
            let What::Acted { strokes, .. } = &entry.what else {
                continue;
            };
            for stroke in strokes.split(", ") {
                let Some((x, y)) = stroke
                    .strip_prefix("click ")
                    .and_then(|s| s.split_once(','))
                else {
                    continue;
                };
                let number = |s: &str| s.parse().expect("a number");
                all.push((
                    began + Duration::from_micros(entry.at),
                    number(x),
                    number(y),
                ));
            }
        }
        assert!(!all.is_empty(), "it clicked");
        all
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    /// How long it takes from now until it has ended.
    pub fn time_to_end(&mut self) -> Duration {
        let began = Instant::now();
        while self.child.try_wait().expect("our child").is_none() {
            assert!(
                began.elapsed() < PATIENCE,
                "it does not end: {}",
                self.said()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        began.elapsed()
    }

    /// Waits for its end.
    pub fn end(&mut self) -> Ended {
        self.time_to_end();
        let status = self.child.wait().expect("ended").code().unwrap_or(-1);
        let stdout = std::fs::read_to_string(self.folder.join("stdout")).expect("written");
        let object = |line: &str| serde_json::from_str(line).expect("stdout has only JSON objects");
        let why = self
            .reader()
            .and_then(|r| r.reads().run(Which::Latest).ok());
        Ended {
            status,
            games: stdout.lines().map(object).collect(),
            stderr: self.said(),
            why: why.map(|r| r.why).unwrap_or_default(),
        }
    }

    /// Waits for its end, which must be a game won.
    pub fn wins(&mut self) {
        let ended = self.end();
        let result = ended.games.first().map(|g| g["result"].clone());
        assert_eq!(
            (ended.status, result),
            (0, Some("won".into())),
            "{} {} {:?}",
            ended.why,
            ended.stderr,
            self.causes()
        );
    }

    /// Waits for its end, which must be an aborted game, told everywhere by the same words.
    pub fn aborts(&mut self, words: &str) -> Ended {
        let ended = self.end();
        assert_eq!(ended.status, 1, "{}", ended.stderr);
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
        let game = ended.games.last().expect("the game is told");
        assert_eq!(game["result"], "aborted");
        assert!(
            game["why"].as_str().is_some_and(|w| w.contains(words)),
            "{game}"
        );
        assert!(ended.why.contains(words), "{}", ended.why);
        ended
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
