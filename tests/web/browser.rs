//! A real browser: headless Chromium, driven by its WebDriver, with everything it says on its
//! console and everything it asks any machine for.
//!
//! Needs `chromium` and `chromedriver` (Debian: `chromium chromium-driver`).

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fantoccini::actions::{
    InputSource as _, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
    TouchActions,
};
use fantoccini::error::CmdError;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// Longer than anything takes that works, also on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// One window of a browser of its own; ended with everything it started when dropped.
pub struct Browser {
    driver: Child,
    runtime: tokio::runtime::Runtime,
    client: Option<Client>,
    /// Its profile: nothing of an earlier test.
    _folder: tempfile::TempDir,
}

/// What the browser has written down since it was last asked.
#[derive(Debug)]
struct Log(&'static str);

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({"type": self.0}).to_string()))
    }
}

/// A command of the browser's own protocol, for what WebDriver has no word for.
#[derive(Debug)]
struct Own(&'static str, Value);

impl WebDriverCompatibleCommand for Own {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let body = json!({"cmd": self.0, "params": self.1});
        (Method::POST, Some(body.to_string()))
    }
}

impl Browser {
    /// A headless window of so many pixels; `language` as in `fr`.
    pub fn open(width: u32, height: u32, language: &str) -> Self {
        Self::begin(width, height, language, None)
    }

    /// A window on a screen, for eyes that look at it.
    #[allow(dead_code, reason = "for whoever works on a page")]
    pub fn on_screen(width: u32, height: u32, display: &str) -> Self {
        Self::begin(width, height, "en", Some(display))
    }

    fn begin(width: u32, height: u32, language: &str, display: Option<&str>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("chromedriver");
        command
            .arg("--port=0")
            .env("LANGUAGE", language)
            .env("HOME", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        match display {
            Some(display) => command.env("DISPLAY", display),
            None => command.env_remove("DISPLAY"),
        };
        let mut driver = command
            .spawn()
            .expect("chromedriver starts (Debian: chromium-driver)");
        let mut lines = BufReader::new(driver.stdout.take().expect("piped"));
        let port = loop {
            let mut line = String::new();
            let read = lines.read_line(&mut line).expect("UTF-8");
            assert!(read > 0, "chromedriver tells its port");
            let told = line
                .split_once("successfully on port ")
                .and_then(|(_, rest)| rest.trim().trim_end_matches('.').parse::<u16>().ok());
            if let Some(port) = told {
                break port;
            }
        };
        // It must never wait for somebody to read.
        std::thread::spawn(move || {
            let _ = lines.read_to_end(&mut Vec::new());
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let capabilities = capabilities(width, height, language, folder.path(), display.is_none());
        let client = runtime
            .block_on(async {
                ClientBuilder::new(HttpConnector::new())
                    .capabilities(capabilities)
                    .connect(&format!("http://127.0.0.1:{port}"))
                    .await
            })
            .expect("chromium starts (Debian: chromium)");
        Self {
            driver,
            runtime,
            client: Some(client),
            _folder: folder,
        }
    }

    fn client(&self) -> &Client {
        self.client.as_ref().expect("until it is dropped")
    }

    fn wait<T>(&self, what: impl Future<Output = Result<T, CmdError>>) -> T {
        self.runtime
            .block_on(what)
            .unwrap_or_else(|e| panic!("the browser: {e}"))
    }

    /// Goes to an address and waits until its document is there; what streams into it may go on.
    pub fn go(&self, address: &str) {
        self.wait(self.client().goto(address));
        self.until(
            "the page is there",
            "return location.href !== 'about:blank' && document.readyState !== 'loading'",
        );
    }

    /// What a function with this body returns in the page.
    pub fn eval(&self, body: &str) -> Value {
        self.wait(self.client().execute(body, Vec::new()))
    }

    /// Asks the page again and again until a function with this body returns something true.
    pub fn until(&self, what: &str, body: &str) -> Value {
        let began = Instant::now();
        loop {
            let found = self.eval(body);
            let is = match &found {
                Value::Null => false,
                Value::Bool(is) => *is,
                Value::String(text) => !text.is_empty(),
                Value::Number(number) => number.as_f64() != Some(0.0),
                Value::Array(_) | Value::Object(_) => true,
            };
            if is {
                return found;
            }
            if began.elapsed() > PATIENCE {
                let page = self.eval("return document.body ? document.body.innerText : ''");
                panic!("{what}; never: {body}\nthe page: {page}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The text that a person sees in the first element of a selector.
    pub fn text(&self, selector: &str) -> String {
        let body = format!("return document.querySelector({selector:?})?.innerText ?? ''");
        self.eval(&body).as_str().unwrap_or_default().to_owned()
    }

    /// The middle of an element, in CSS pixels of the window; it is scrolled into view and waited
    /// for.
    pub fn middle(&self, selector: &str) -> (f64, f64) {
        let body = format!(
            "const e = document.querySelector({selector:?}); if (!e) return null; \
             e.scrollIntoView({{block: 'nearest', inline: 'nearest'}}); \
             const r = e.getBoundingClientRect(); \
             return r.width > 0 ? [r.x + r.width / 2, r.y + r.height / 2] : null"
        );
        let at = self.until(selector, &body);
        let of = |i: usize| at[i].as_f64().expect("a number");
        (of(0), of(1))
    }

    /// Clicks the middle of an element with the mouse.
    pub fn click(&self, selector: &str) {
        self.click_at(self.middle(selector));
    }

    /// Clicks a place of the window.
    pub fn click_at(&self, at: (f64, f64)) {
        self.drag(&[at]);
    }

    /// Presses the button at the first place, moves to the others one after the other, and lets go.
    pub fn drag(&self, places: &[(f64, f64)]) {
        let to = |at: (f64, f64), duration| PointerAction::MoveTo {
            duration: Some(Duration::from_millis(duration)),
            x: at.0,
            y: at.1,
        };
        let button = MOUSE_BUTTON_LEFT;
        let mut mouse = MouseActions::new("mouse".to_owned())
            .then(to(places[0], 0))
            .then(PointerAction::Down { button });
        for &place in &places[1..] {
            mouse = mouse.then(to(place, 40));
        }
        let mouse = mouse.then(PointerAction::Up { button });
        self.wait(self.client().perform_actions(mouse));
    }

    /// The same with a finger.
    pub fn touch(&self, places: &[(f64, f64)]) {
        let to = |at: (f64, f64)| PointerAction::MoveTo {
            duration: Some(Duration::from_millis(40)),
            x: at.0,
            y: at.1,
        };
        let button = MOUSE_BUTTON_LEFT;
        let mut finger = TouchActions::new("finger".to_owned())
            .then(to(places[0]))
            .then(PointerAction::Down { button });
        for &place in &places[1..] {
            finger = finger.then(to(place));
        }
        let finger = finger.then(PointerAction::Up { button });
        self.wait(self.client().perform_actions(finger));
    }

    /// Presses and lets go of keys one after the other; special ones as in
    /// [`fantoccini::key::Key`].
    pub fn keys(&self, keys: &[char]) {
        let mut board = KeyActions::new("keys".to_owned());
        for &value in keys {
            board = board
                .then(KeyAction::Down { value })
                .then(KeyAction::Up { value });
        }
        self.wait(self.client().perform_actions(board));
    }

    /// Presses a key while another one is held.
    pub fn chord(&self, held: char, key: char) {
        let board = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: held })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: held });
        self.wait(self.client().perform_actions(board));
    }

    /// The window as PNG.
    #[allow(dead_code, reason = "for whoever works on a page")]
    pub fn picture(&self) -> Vec<u8> {
        self.wait(self.client().screenshot())
    }

    /// Makes the window this large, as phones and large screens are.
    #[allow(dead_code, reason = "for whoever works on a page")]
    pub fn resize(&self, width: u32, height: u32) {
        self.wait(self.client().set_window_size(width, height));
    }

    fn log(&self, of: &'static str) -> Vec<Value> {
        match self.wait(self.client().issue_cmd(Log(of))) {
            Value::Array(lines) => lines,
            other => panic!("a list of lines: {other}"),
        }
    }

    /// What the page has complained of on its console since the last call.
    pub fn complaints(&self) -> Vec<String> {
        let lines = self.log("browser").into_iter();
        lines
            .filter(|line| line["level"] == "SEVERE" || line["level"] == "WARNING")
            .map(|line| line["message"].to_string())
            .collect()
    }

    /// Prefers dark pages from now on, or light ones.
    pub fn prefer_dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.own("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Shows pages on a screen of so many CSS pixels from now on, each `fine` pixels wide: a window
    /// cannot be as narrow as a phone.
    pub fn is_screen(&self, width: u32, height: u32, fine: u32) {
        let screen =
            json!({"width": width, "height": height, "deviceScaleFactor": fine, "mobile": false});
        self.own("Emulation.setDeviceMetricsOverride", screen);
    }

    /// The window as WebP, from 0 (small) to 100 (like).
    pub fn webp(&self, quality: u8) -> Vec<u8> {
        let wanted = json!({"format": "webp", "quality": quality});
        let got = self.own("Page.captureScreenshot", wanted);
        let text = got["data"].as_str().expect("a picture");
        STANDARD.decode(text).expect("base 64")
    }

    fn own(&self, command: &'static str, parameters: Value) -> Value {
        self.wait(self.client().issue_cmd(Own(command, parameters)))
    }

    /// Panics when the page has complained on its console, or has asked anything but `own` (the
    /// beginning of addresses) for something since the last call.
    pub fn is_content(&self, own: &str) {
        let complaints: Vec<_> = self
            .log("browser")
            .into_iter()
            .filter(|line| line["level"] == "SEVERE" || line["level"] == "WARNING")
            .collect();
        assert!(complaints.is_empty(), "the console: {complaints:#?}");
        for line in self.log("performance") {
            let told: Value = serde_json::from_str(line["message"].as_str().unwrap_or("null"))
                .expect("JSON in JSON");
            let message = &told["message"];
            if message["method"] != "Network.requestWillBeSent" {
                continue;
            }
            let asked = message["params"]["request"]["url"].as_str().unwrap_or("");
            let is_own = [own, "data:", "blob:", "about:", "chrome:"]
                .iter()
                .any(|beginning| asked.starts_with(beginning));
            assert!(is_own, "asked for {asked}");
        }
    }
}

/// What chromium must be: alone, quiet, and writing down what it is asked for later.
fn capabilities(
    width: u32,
    height: u32,
    language: &str,
    folder: &Path,
    headless: bool,
) -> serde_json::Map<String, Value> {
    let mut args = vec![
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--force-device-scale-factor=1".to_owned(),
        format!("--lang={language}"),
        format!("--window-size={width},{height}"),
        format!("--user-data-dir={}", folder.join("profile").display()),
    ];
    if headless {
        args.push("--headless=new".to_owned());
    }
    let wanted = json!({
        "browserName": "chrome",
        // Pictures that stream keep a page loading for ever.
        "pageLoadStrategy": "none",
        "goog:chromeOptions": {
            "args": args,
            "prefs": {"intl.accept_languages": language},
        },
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    });
    match wanted {
        Value::Object(map) => map,
        _ => unreachable!("it is written as an object above"),
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let _ = self.runtime.block_on(client.close());
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
