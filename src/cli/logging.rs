//! Logs: for a person on stderr, and in a file of limited size.
//!
//! Levels by their reader: `error`, a person must act; `warn`, a person may want to act; `info`,
//! what the run does (games, moves, results); `debug`, why it does so; `trace`, timings of the
//! stages of each frame. Must never write to stdout, which belongs to `--json`, and never end a
//! run: a log file that cannot be written is a warning on stderr.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Level, Subscriber};
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, reload};

use crate::config::Settings;
use crate::journal::recording::Recorder;
use crate::types::Clock;
use crate::web::lines::{self, Lines};

/// Writes what is still waiting when dropped: keep it until the end of `main`.
#[must_use = "what is still waiting is lost when this is dropped early"]
#[derive(Debug, Default)]
pub struct Logging {
    _file: Option<WorkerGuard>,
}

/// Begins logging for this process; a second call changes nothing.
pub fn start(settings: &Settings) -> Logging {
    let log = &settings.log;
    let mut setters: Vec<Setter> = Vec::new();
    let stderr = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        // At trace level the end of a span tells how long a tick and each of its stages took.
        .with_span_events(FmtSpan::CLOSE)
        .with_filter(filter(&log.level, &mut setters));
    let opened = log
        .file
        .as_ref()
        .map(|path| RotatingFile::open(path, log.max_bytes, log.keep).map_err(|e| (path, e)));
    let mut guard = None;
    let mut warning = None;
    let mut file: Option<Box<dyn Layer<_> + Send + Sync>> = None;
    match opened {
        None => {}
        Some(Err((path, error))) => {
            warning = Some(format!(
                "no log file, because {} cannot be written: {error}; set log.file to another \
                 place or to \"none\"",
                path.display()
            ));
        }
        Some(Ok(writer)) => {
            // Frames must not wait for the disk: when the disk is slower than the log, lines are
            // dropped.
            let (writer, kept) = NonBlockingBuilder::default()
                .thread_name("log")
                .finish(writer);
            guard = Some(kept);
            let layer = tracing_subscriber::fmt::layer()
                .with_writer(writer)
                .with_ansi(false)
                .with_span_events(FmtSpan::CLOSE);
            file = Some(if log.json {
                layer
                    .json()
                    .with_filter(filter(&log.level, &mut setters))
                    .boxed()
            } else {
                layer.with_filter(filter(&log.level, &mut setters)).boxed()
            });
        }
    }
    // A test or an embedding program may have set one already; it is as good.
    let begun = Registry::default()
        .with(file)
        .with(stderr)
        .with(Tap.with_filter(filter(&log.level, &mut setters)))
        .with(Shown.with_filter(filter(&log.level, &mut setters)))
        .try_init();
    if begun.is_ok() {
        let _ = SETTERS.set(setters);
    }
    if let Some(warning) = warning {
        tracing::warn!("{warning}");
    }
    Logging { _file: guard }
}

/// Gives one layer another filter.
type Setter = Box<dyn Fn(&str) + Send + Sync>;

/// Those of the layers that `start` has begun.
static SETTERS: OnceLock<Vec<Setter>> = OnceLock::new();

/// What is logged from now on, everywhere. The configuration has checked the filter; one that it has
/// not is the usual one.
pub fn set_level(level: &str) {
    for set in SETTERS.get().into_iter().flatten() {
        set(level);
    }
}

/// A filter that can be replaced while the program runs.
fn filter<S: 'static>(level: &str, setters: &mut Vec<Setter>) -> reload::Layer<EnvFilter, S> {
    let of = |level: &str| EnvFilter::try_new(level).unwrap_or_else(|_| EnvFilter::new("info"));
    let (layer, handle) = reload::Layer::new(of(level));
    setters.push(Box::new(move |level| {
        // Fails only when its layer is gone, and then nobody reads what it lets through.
        let _ = handle.reload(of(level));
    }));
    layer
}

/// Where lines go, and whose clock tells when.
type Tapped = Option<(Recorder, Arc<dyn Clock>)>;

/// The recording that is being made.
static TAPPED: Mutex<Tapped> = Mutex::new(None);

/// From now on lines go into this recording too, or into none.
pub fn tap(recording: Tapped) {
    *TAPPED.lock().unwrap_or_else(PoisonError::into_inner) = recording;
}

/// Hands lines to the recording that is being made; it never waits for one.
struct Tap;

impl<S: Subscriber> Layer<S> for Tap {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        // Somebody who is being recorded right now logs nothing about it.
        let Ok(tapped) = TAPPED.try_lock() else {
            return;
        };
        let Some((recorder, clock)) = &*tapped else {
            return;
        };
        let mut words = Words(String::new());
        event.record(&mut words);
        let level = match *event.metadata().level() {
            Level::ERROR => 4,
            Level::WARN => 3,
            Level::INFO => 2,
            Level::DEBUG | Level::TRACE => 1,
        };
        recorder.log(clock.now(), level, &words.0);
    }
}

/// The lines that a dashboard shows, once one has asked for them.
static SHOWN: OnceLock<Arc<Lines>> = OnceLock::new();

/// The last lines, from the first call on.
pub fn lines() -> Arc<Lines> {
    Arc::clone(SHOWN.get_or_init(Arc::default))
}

/// Hands lines to the dashboard.
struct Shown;

impl<S: Subscriber> Layer<S> for Shown {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        let Some(lines) = SHOWN.get() else {
            return;
        };
        let mut words = Words(String::new());
        event.record(&mut words);
        let level = match *event.metadata().level() {
            Level::ERROR => lines::Level::Error,
            Level::WARN => lines::Level::Warn,
            Level::INFO => lines::Level::Info,
            Level::DEBUG => lines::Level::Debug,
            Level::TRACE => lines::Level::Trace,
        };
        lines.add(level, event.metadata().target(), words.0);
    }
}

/// A line as text: its message and its fields.
struct Words(String);

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        use std::fmt::Write as _;
        let gap = if self.0.is_empty() { "" } else { " " };
        let _ = match field.name() {
            "message" => write!(self.0, "{gap}{value:?}"),
            name => write!(self.0, "{gap}{name}={value:?}"),
        };
    }
}

/// Warnings on stderr and nothing else, for commands without settings. A second call changes
/// nothing.
pub fn warnings() {
    let stderr = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .without_time()
        .with_filter(EnvFilter::new(
            std::env::var("KIBITZER_LOG").as_deref().unwrap_or("warn"),
        ));
    let _ = Registry::default().with(stderr).try_init();
}

/// A file that is put aside as `NAME.1` when it is full; `NAME.1` becomes `NAME.2`, and so on.
#[derive(Debug)]
pub struct RotatingFile {
    path: PathBuf,
    file: File,
    size: u64,
    most: u64,
    keep: u32,
}

impl RotatingFile {
    /// Continues the file, or makes it with its folder. `most` is in bytes, `keep` the number of
    /// older files.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(path: &Path, most: u64, keep: u32) -> io::Result<Self> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let file = append(path)?;
        Ok(Self {
            size: file.metadata()?.len(),
            path: path.to_owned(),
            file,
            most: most.max(1),
            keep,
        })
    }

    fn numbered(&self, n: u32) -> PathBuf {
        if n == 0 {
            return self.path.clone();
        }
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{n}"));
        name.into()
    }

    fn put_aside(&mut self) -> io::Result<()> {
        if self.keep == 0 {
            self.file.set_len(0)?;
        } else {
            for n in (0..self.keep).rev() {
                let (from, to) = (self.numbered(n), self.numbered(n + 1));
                match std::fs::rename(from, to) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                    _ => {}
                }
            }
            self.file = append(&self.path)?;
        }
        self.size = 0;
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

impl Write for RotatingFile {
    /// One call is one line: lines are never divided between files.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.size > 0 && self.size + line.len() as u64 > self.most {
            // A file that cannot be put aside goes on: too long is better than silent.
            let _ = self.put_aside();
        }
        self.file.write_all(line)?;
        self.size += line.len() as u64;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::config::Sources;

    #[test]
    fn a_full_file_is_put_aside_and_only_so_many_are_kept() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep/kibitzer.log");
        for half in 0..2 {
            // The second half continues the file of the first.
            let mut log = RotatingFile::open(&path, 100, 2).expect("opened");
            for n in 0..20 {
                let line = format!("line number {:02}\n", half * 20 + n);
                log.write_all(line.as_bytes()).expect("written");
            }
        }
        let read = |name: &str| {
            std::fs::read_to_string(folder.path().join("deep").join(name)).expect("there")
        };
        let all = read("kibitzer.log.2") + &read("kibitzer.log.1") + &read("kibitzer.log");
        let lines: Vec<&str> = all.lines().collect();
        let last: Vec<String> = (40 - lines.len()..40)
            .map(|n| format!("line number {n:02}"))
            .collect();
        assert_eq!(lines, last);
        assert!(read("kibitzer.log.1").len() <= 100);
        assert!(!folder.path().join("deep/kibitzer.log.3").exists());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_an_error_and_no_panic() {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        assert!(RotatingFile::open(&file.join("x.log"), 100, 2).is_err());
    }

    /// Not a test: logs to a file that cannot be made, as the child of the next one.
    #[test]
    #[ignore = "runs as a child of a_log_file_that_cannot_be_written_is_a_warning"]
    fn child_logs() {
        let Some(path) = std::env::var_os("LOG_CHILD") else {
            return;
        };
        let path = path.into_string().expect("text");
        let settings = Settings::load(&Sources {
            env: vec![("HOME".into(), "/home/me".into())],
            overrides: vec![("log.file".into(), path)],
            ..Sources::default()
        });
        let _guard = start(&settings.expect("good"));
        tracing::info!("the game is won");
        tracing::debug!("nobody reads this");
    }

    fn log_child(path: &Path) -> (String, String) {
        let out = Command::new(std::env::current_exe().expect("this binary"))
            .args([
                "--ignored",
                "--exact",
                "--nocapture",
                "cli::logging::tests::child_logs",
            ])
            .env("LOG_CHILD", path)
            .stdin(Stdio::null())
            .output()
            .expect("runs");
        assert!(out.status.success());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&out.stdout), text(&out.stderr))
    }

    #[test]
    fn a_log_file_that_cannot_be_written_is_a_warning() {
        let folder = tempfile::tempdir().expect("folder");
        let good = folder.path().join("log/kibitzer.log");
        let (stdout, stderr) = log_child(&good);
        let file = std::fs::read_to_string(&good).expect("the log file");
        for text in [&stderr, &file] {
            assert!(text.contains("INFO"), "{text}");
            assert!(text.contains("the game is won"), "{text}");
            assert!(!text.contains("nobody"), "{text}");
        }
        assert!(
            !stdout.contains("won"),
            "stdout belongs to results: {stdout}"
        );
        let bad = good.join("below-a-file.log");
        let (stdout, stderr) = log_child(&bad);
        assert!(stderr.contains("WARN no log file, because"), "{stderr}");
        assert!(
            stderr.contains("set log.file to another place or to \"none\""),
            "{stderr}"
        );
        assert!(stderr.contains("the game is won"), "{stderr}");
        assert!(!stdout.contains("log file"), "{stdout}");
    }
}
