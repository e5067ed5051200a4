//! A daemon of our own, and requests to the letter: what is sent is what a test says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than anything takes that works.
const PATIENCE: Duration = Duration::from_secs(60);

/// The built-in Connect-4 through a simulated webcam, against a policy that loses.
pub const GAME: &str = "version = 1
[game]
name = \"connect4\"
new_game = \"n\"
[source.simulated.target]
policy = \"minimax:depth=2\"
level = 1
[source.simulated.camera]
seed = 1
";

/// A window that is not there.
pub const NOWHERE: &str = "version = 1
[game]
name = \"flood\"
[source]
window = \"There is no such window\"
";

/// What a daemon finds where it is started.
#[derive(Default)]
pub struct Setting<'a> {
    pub display: Option<&'a str>,
    /// Text of its configuration.
    pub config: &'a str,
    pub env: &'a [(&'a str, &'a str)],
    pub stdin: Option<Stdio>,
}

fn configure(home: &Path, text: &str) {
    let folder = home.join("config/kibitzer");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), text).expect("written");
}

/// A running `kibitzer serve`.
pub struct Daemon {
    child: Child,
    pub address: String,
    pub token: Option<String>,
    pub home: tempfile::TempDir,
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

/// Sends exactly this and reads until the other side ends.
fn send(address: &str, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    // It may have answered and closed before all was sent.
    let _ = stream.write_all(request);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let end = all
        .windows(4)
        .position(|w| w == b"\r\n\r\n")
        .unwrap_or(all.len());
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|s| s.parse().ok())
        .unwrap_or(0);
    Answer {
        status,
        head,
        body: all.get(end + 4..).unwrap_or_default().to_vec(),
    }
}

impl Daemon {
    /// Serves profiles of these names and texts; the first `begun` of them are begun.
    pub fn start(listen: &str, profiles: &[(&str, &str)], begun: usize) -> Self {
        Self::spawn(listen, profiles, begun, None)
    }

    /// Serves on this machine, with a screen to look at and to click.
    pub fn on_display(display: &str) -> Self {
        Self::with_display(&[], 0, display)
    }

    /// The same with profiles, the first `begun` of which are begun.
    pub fn with_display(profiles: &[(&str, &str)], begun: usize, display: &str) -> Self {
        Self::spawn("127.0.0.1:0", profiles, begun, Some(display))
    }

    fn spawn(listen: &str, profiles: &[(&str, &str)], begun: usize, display: Option<&str>) -> Self {
        let setting = Setting {
            display,
            ..Setting::default()
        };
        Self::set(listen, profiles, begun, setting)
    }

    /// The same in an environment of its own.
    pub fn set(
        listen: &str,
        profiles: &[(&str, &str)],
        begun: usize,
        setting: Setting<'_>,
    ) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("data/kibitzer/calibration");
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in profiles {
            std::fs::write(folder.join(format!("{name}.toml")), text).expect("written");
        }
        if !setting.config.is_empty() {
            configure(home.path(), setting.config);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
        command
            .args(["serve", "--listen", listen])
            .args(profiles[..begun].iter().map(|(name, _)| name))
            .current_dir(home.path())
            .env("HOME", home.path())
            .env("XDG_DATA_HOME", home.path().join("data"))
            .env("XDG_STATE_HOME", home.path().join("state"))
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command.envs(setting.env.iter().copied());
        if let Some(stdin) = setting.stdin {
            command.stdin(stdin);
        }
        if let Some(display) = setting.display {
            command.env("DISPLAY", display);
        }
        let mut child = command.spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut token = None;
        let address = loop {
            let line = lines.next().expect("it tells where it is").expect("UTF-8");
            if let Some(made) = line.strip_prefix("token, shown this once: ") {
                token = Some(made.to_owned());
            }
            if let Some(at) = line.strip_prefix("dashboard: http://") {
                break at.trim_end_matches('/').replace("0.0.0.0", "127.0.0.1");
            }
        };
        Self {
            child,
            address,
            token,
            home,
        }
    }

    /// Sends exactly this and reads to the end.
    pub fn raw(&self, request: &[u8]) -> Answer {
        send(&self.address, request)
    }

    /// A request with more headers, and a body if there is one.
    pub fn with(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            text += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            text += &format!(
                "Content-Type: application/json\r\nContent-Length: {}\r\n",
                body.len()
            );
        }
        self.raw(format!("{text}\r\n{body}").as_bytes())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.with("GET", path, &[], "")
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.with("POST", path, &[], body)
    }

    /// Looks at a session until it is as wanted.
    pub fn until(&self, id: u32, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let state = self.get(&format!("/api/sessions/{id}")).json();
            if is(&state) {
                return state;
            }
            assert!(began.elapsed() < PATIENCE, "{what}: {state:#}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Reads a stream until `enough` says so.
    pub fn stream(&self, path: &str, enough: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).expect("sent");
        let (mut all, mut part) = (Vec::new(), [0; 65536]);
        while !enough(&all) {
            let n = stream.read(&mut part).expect("it goes on");
            assert!(n > 0, "the stream has ended");
            all.extend_from_slice(&part[..n]);
        }
        all
    }

    /// Reads a stream in the background; it must end before the patience does.
    pub fn to_its_end(&self, path: &str) -> std::thread::JoinHandle<Vec<u8>> {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let address = &self.address;
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        std::thread::spawn(move || {
            let mut all = Vec::new();
            stream.read_to_end(&mut all).expect("its end, in time");
            all
        })
    }

    /// Writes its configuration anew.
    pub fn configure(&self, text: &str) {
        configure(self.home.path(), text);
    }

    /// Writes a profile anew.
    pub fn profile(&self, name: &str, text: &str) {
        let folder = self.home.path().join("data/kibitzer/calibration");
        std::fs::write(folder.join(format!("{name}.toml")), text).expect("written");
    }

    /// Waits until its log has a line with all of this, and gives the log.
    pub fn logs(&self, parts: &[&str]) -> String {
        let began = Instant::now();
        let path = self.home.path().join("state/kibitzer/log/kibitzer.log");
        loop {
            let log = std::fs::read_to_string(&path).unwrap_or_default();
            if log.lines().any(|l| parts.iter().all(|p| l.contains(p))) {
                return log;
            }
            assert!(began.elapsed() < PATIENCE, "{parts:?}: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &pid]).status();
        assert!(sent.expect("kill").success());
    }

    /// Whether it ended well.
    pub fn ends(mut self) -> bool {
        self.child.wait().expect("it ends").success()
    }

    /// Ends it as Ctrl+C does; whether it ended well.
    pub fn interrupt(self) -> bool {
        self.signal("-INT");
        self.ends()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
