//! A private X server, a window manager if wanted, and windows that record what is done to them.

// A request that our own server refuses is a fault of the test.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::*;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// A child process that ends with the test.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server of its own.
pub struct Xvfb {
    server: Option<Running>,
    pub display: String,
}

impl Xvfb {
    /// A server with a screen of this size and depth (`1280x800x24`); `None`, and a line that
    /// says so, where no Xvfb is installed.
    pub fn start(screen: &str) -> Option<Self> {
        Self::with(screen, &[])
    }

    /// The same without an extension.
    pub fn start_without(screen: &str, extension: &str) -> Option<Self> {
        Self::with(screen, &["-extension", extension])
    }

    fn with(screen: &str, more: &[&str]) -> Option<Self> {
        let mut command = Command::new("Xvfb");
        command
            .args([
                "-displayfd",
                "1",
                "-noreset",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                screen,
            ])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            println!("skipped: Xvfb is not installed");
            return None;
        };
        let out = child.stdout.take().expect("piped");
        let server = Some(Running(child));
        let mut number = String::new();
        BufReader::new(out)
            .read_line(&mut number)
            .expect("Xvfb tells its display");
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Some(Self {
            server,
            display: format!(":{}", number.trim()),
        })
    }

    /// The server dies.
    pub fn kill(&mut self) {
        self.server = None;
    }

    /// Starts openbox and waits until it manages windows.
    pub fn openbox(&self) -> Option<Running> {
        let manager = self.spawn("openbox", &["--sm-disable"])?;
        let (conn, root) = self.connect();
        wait_for("openbox", || {
            has_word(&conn, root, "_NET_SUPPORTING_WM_CHECK")
        });
        // It says so before it heeds requests, and loses those that come meanwhile.
        let first = Plan::new("First", (0, 0, 50, 50)).unmapped(self);
        wait_for("openbox to map a window", || {
            first.map();
            std::thread::sleep(Duration::from_millis(10));
            first.is_viewable()
        });
        first.destroy();
        Some(manager)
    }

    /// Starts a program on this display; `None`, and a line that says so, without it.
    pub fn spawn(&self, program: &str, arguments: &[&str]) -> Option<Running> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("DISPLAY", &self.display)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match command.spawn() {
            Ok(child) => Some(Running(child)),
            Err(_) => {
                println!("skipped: {program} is not installed");
                None
            }
        }
    }

    /// Runs a program on this display to its end and gives its output.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
        let done = Command::new(program)
            .args(arguments)
            .env("DISPLAY", &self.display)
            .stdin(Stdio::null())
            .output();
        match done {
            Ok(done) => {
                let error = String::from_utf8_lossy(&done.stderr);
                assert!(done.status.success(), "{program} {arguments:?}: {error}");
                Some(done.stdout)
            }
            Err(_) => {
                println!("skipped: {program} is not installed");
                None
            }
        }
    }

    pub fn connect(&self) -> (RustConnection, Window) {
        let (conn, number) = x11rb::connect(Some(&self.display)).expect("our own server");
        let root = conn.setup().roots[number].root;
        (conn, root)
    }
}

fn has_word(conn: &RustConnection, window: Window, name: &str) -> bool {
    let atom = conn
        .intern_atom(false, name.as_bytes())
        .unwrap()
        .reply()
        .unwrap()
        .atom;
    let reply = conn
        .get_property(false, window, atom, AtomEnum::ANY, 0, 1)
        .unwrap()
        .reply();
    reply.is_ok_and(|r| !r.value.is_empty())
}

/// Waits up to ten seconds.
pub fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !there() {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "waited in vain for {what}"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A window whose every pixel is known, that records clicks and keys.
pub struct TestWindow {
    conn: RustConnection,
    pub id: Window,
    pub root: Window,
}

/// How a test window is made.
pub struct Plan<'a> {
    pub title: &'a str,
    pub class: &'a str,
    /// x, y, width, height.
    pub place: (i16, i16, u16, u16),
    /// Not managed by any window manager: a popup.
    pub popup: bool,
}

impl<'a> Plan<'a> {
    pub fn new(title: &'a str, place: (i16, i16, u16, u16)) -> Self {
        Self {
            title,
            class: "Test-window",
            place,
            popup: false,
        }
    }

    pub fn popup(place: (i16, i16, u16, u16)) -> Self {
        Self {
            title: "",
            class: "",
            place,
            popup: true,
        }
    }

    /// Makes the window and waits until it is mapped.
    pub fn open(&self, x: &Xvfb) -> TestWindow {
        let window = self.unmapped(x);
        window.map();
        wait_for("a window to be mapped", || window.is_viewable());
        window
    }

    fn unmapped(&self, x: &Xvfb) -> TestWindow {
        let (conn, root) = x.connect();
        let id = conn.generate_id().unwrap();
        let (px, py, w, h) = self.place;
        let aux = CreateWindowAux::new()
            .override_redirect(u32::from(self.popup))
            .background_pixmap(tile(&conn, root, w, h))
            .event_mask(
                EventMask::BUTTON_PRESS
                    | EventMask::BUTTON_RELEASE
                    | EventMask::KEY_PRESS
                    | EventMask::KEY_RELEASE
                    | EventMask::STRUCTURE_NOTIFY,
            );
        let class = WindowClass::INPUT_OUTPUT;
        conn.create_window(
            COPY_DEPTH_FROM_PARENT,
            id,
            root,
            px,
            py,
            w,
            h,
            0,
            class,
            0,
            &aux,
        )
        .unwrap();
        if !self.title.is_empty() {
            let (name, text) = (AtomEnum::WM_NAME, AtomEnum::STRING);
            conn.change_property8(PropMode::REPLACE, id, name, text, self.title.as_bytes())
                .unwrap();
            let both = format!("{}\0{}\0", self.class.to_lowercase(), self.class);
            let name = AtomEnum::WM_CLASS;
            conn.change_property8(PropMode::REPLACE, id, name, text, both.as_bytes())
                .unwrap();
            // A place that the user asked for: managers obey (ICCCM 4.1.2.3, USPosition).
            let hints = [1u32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            let (name, kind) = (AtomEnum::WM_NORMAL_HINTS, AtomEnum::WM_SIZE_HINTS);
            conn.change_property32(PropMode::REPLACE, id, name, kind, &hints)
                .unwrap();
        }
        conn.sync().unwrap();
        TestWindow { conn, id, root }
    }
}

/// The colour of a test window's pixel.
pub fn pattern(x: u32, y: u32) -> u32 {
    (x.wrapping_mul(7919) ^ y.wrapping_mul(104_729) ^ (x * y)).wrapping_mul(2_654_435_761) >> 8
}

/// A pixmap of this size with the pattern; the server paints the window with it by itself.
fn tile(conn: &RustConnection, root: Window, w: u16, h: u16) -> Pixmap {
    let pixmap = conn.generate_id().unwrap();
    conn.create_pixmap(24, pixmap, root, w, h).unwrap();
    let gc = conn.generate_id().unwrap();
    conn.create_gc(gc, pixmap, &CreateGCAux::new()).unwrap();
    // One row at a time stays below the longest request.
    for y in 0..h {
        let row: Vec<u8> = (0..w)
            .flat_map(|x| pattern(x.into(), y.into()).to_ne_bytes())
            .collect();
        let y = y as i16;
        conn.put_image(ImageFormat::Z_PIXMAP, pixmap, gc, w, 1, 0, y, 0, 24, &row)
            .unwrap();
    }
    pixmap
}

impl TestWindow {
    pub fn configure(&self, aux: ConfigureWindowAux) {
        self.conn.configure_window(self.id, &aux).unwrap();
        self.conn.sync().unwrap();
    }

    pub fn move_to(&self, x: i32, y: i32) {
        self.configure(ConfigureWindowAux::new().x(x).y(y));
    }

    pub fn unmap(&self) {
        self.conn.unmap_window(self.id).unwrap();
        self.conn.sync().unwrap();
    }

    pub fn map(&self) {
        self.conn.map_window(self.id).unwrap();
        self.conn.sync().unwrap();
    }

    pub fn is_viewable(&self) -> bool {
        let a = self
            .conn
            .get_window_attributes(self.id)
            .unwrap()
            .reply()
            .unwrap();
        a.map_state == MapState::VIEWABLE
    }

    /// Whether keys go to it.
    pub fn has_focus(&self) -> bool {
        let reply = self.conn.get_input_focus().unwrap().reply().unwrap();
        reply.focus == self.id
    }

    pub fn destroy(&self) {
        self.conn.destroy_window(self.id).unwrap();
        self.conn.sync().unwrap();
    }

    /// Asks the window manager to minimise it (ICCCM 4.1.4).
    pub fn minimise(&self) {
        let name = b"WM_CHANGE_STATE";
        let atom = self
            .conn
            .intern_atom(false, name)
            .unwrap()
            .reply()
            .unwrap()
            .atom;
        let event = ClientMessageEvent::new(32, self.id, atom, [3, 0, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.conn.send_event(false, self.root, mask, event).unwrap();
        self.conn.sync().unwrap();
    }

    /// Gives the window pixels of its own, as a compositor does for every window.
    pub fn redirect(&self) {
        use x11rb::protocol::composite::{ConnectionExt as _, Redirect};
        self.conn
            .composite_query_version(0, 4)
            .unwrap()
            .reply()
            .unwrap();
        self.conn
            .composite_redirect_window(self.id, Redirect::AUTOMATIC)
            .unwrap();
        self.conn.sync().unwrap();
    }

    /// Draws one pixel over the pattern.
    pub fn dot(&self, x: i16, y: i16, colour: u32) {
        let gc = self.conn.generate_id().unwrap();
        self.conn
            .create_gc(gc, self.id, &CreateGCAux::new().foreground(colour))
            .unwrap();
        let dot = Rectangle {
            x,
            y,
            width: 1,
            height: 1,
        };
        self.conn.poly_fill_rectangle(self.id, gc, &[dot]).unwrap();
        self.conn.free_gc(gc).unwrap();
        self.conn.sync().unwrap();
    }

    /// Its client area's corner in root coordinates.
    pub fn origin(&self) -> (i32, i32) {
        let t = self
            .conn
            .translate_coordinates(self.id, self.root, 0, 0)
            .unwrap();
        let t = t.reply().unwrap();
        (t.dst_x.into(), t.dst_y.into())
    }

    /// What was done to it since the last call: `press 1 at 10,20`, `key 38 state 4`.
    pub fn events(&self) -> Vec<String> {
        self.conn.sync().unwrap();
        let mut told = Vec::new();
        while let Some(event) = self.conn.poll_for_event().unwrap() {
            match event {
                Event::ButtonPress(e) => {
                    told.push(format!("press {} at {},{}", e.detail, e.event_x, e.event_y));
                }
                Event::ButtonRelease(e) => {
                    told.push(format!(
                        "release {} at {},{}",
                        e.detail, e.event_x, e.event_y
                    ));
                }
                Event::KeyPress(e) => {
                    told.push(format!("key {} state {}", e.detail, u16::from(e.state)));
                }
                Event::KeyRelease(e) => told.push(format!("key up {}", e.detail)),
                _ => {}
            }
        }
        told
    }

    /// Waits until something of this kind has happened and gives all that has.
    pub fn events_until(&self, last: &str) -> Vec<String> {
        let mut all = Vec::new();
        wait_for(last, || {
            all.extend(self.events());
            all.iter().any(|e| e.starts_with(last))
        });
        all
    }
}
