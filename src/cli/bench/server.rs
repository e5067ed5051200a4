//! A `kibitzer serve` of a bench's own, with nothing of the person's who runs it, and connections to
//! it that are kept.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// Longer than any reply takes from a server that lives.
const PATIENCE: Duration = Duration::from_secs(120);

/// The server; ended with this.
pub(super) struct Server {
    child: Child,
    address: String,
    _home: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Serves on a free port, with a session of each profile, on a display or on none.
    pub(super) fn start(profiles: &[&str], display: Option<&str>) -> anyhow::Result<Self> {
        let home = tempfile::tempdir()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(profiles)
            .current_dir(home.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, home.path());
        }
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        let mut child = command.spawn().context("kibitzer serve")?;
        let lines = child.stdout.take().map(BufReader::new);
        let told = lines
            .into_iter()
            .flat_map(BufReader::lines)
            .find_map(|line| {
                let line = line.ok()?;
                let at = line.strip_prefix("dashboard: http://")?;
                Some(at.trim_end_matches('/').to_owned())
            });
        let server = Self {
            child,
            address: told.unwrap_or_default(),
            _home: home,
        };
        ensure!(
            !server.address.is_empty(),
            "kibitzer serve has not told where it listens"
        );
        Ok(server)
    }

    /// Host and port.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Its process.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Reads a stream to its end in the background and keeps nothing, as a page does that shows it.
    pub(super) fn look_on(&self, path: &str) -> anyhow::Result<()> {
        let mut stream = TcpStream::connect(&self.address)?;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        stream.write_all(request.as_bytes())?;
        std::thread::Builder::new().spawn(move || {
            let mut part = [0; 65536];
            // It ends with the session or the server; either is as good.
            while stream.read(&mut part).is_ok_and(|n| n > 0) {}
        })?;
        Ok(())
    }
}

/// One connection that is kept.
pub(super) struct Line {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Line {
    /// A connection to a server.
    pub(super) fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream: BufReader::new(stream),
            host: address.to_owned(),
        })
    }

    /// The status and the body of an answer, and how long it took.
    pub(super) fn ask(
        &mut self,
        method: &str,
        path: &str,
        asked: Option<&Value>,
    ) -> anyhow::Result<(u16, Vec<u8>, Duration)> {
        let body = asked.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let began = Instant::now();
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            ensure!(
                self.stream.read_line(&mut line)? > 0,
                "the server has closed the connection"
            );
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.get(..3).unwrap_or_default().parse()?;
            } else if let Some(rest) = line.strip_prefix("content-length:") {
                length = rest.trim().parse()?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        Ok((status, answer, began.elapsed()))
    }
}

/// The milliseconds within which this share of sorted times lies; 0 where there are none.
pub(super) fn ms_of(sorted: &[Duration], share: f64) -> f64 {
    let at = (sorted.len() as f64 * share).ceil() as usize;
    let at = at.clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).map_or(0.0, |took| took.as_secs_f64() * 1e3)
}
