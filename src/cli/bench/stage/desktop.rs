//! A private X server with or without a window manager, and hands for everything on it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConfigureWindowAux,
    ConnectionExt as _, CreateWindowAux, EventMask, ImageFormat, WindowClass,
};
use x11rb::rust_connection::RustConnection;

use super::child::Child;
use super::game::{FloodSpec, save_file};
use crate::types::{Picture, Rect};

/// How long programs may take to show up.
const PATIENCE: Duration = Duration::from_secs(10);

/// A screen of its own.
pub struct Desktop {
    // Dropped in this order: programs are ended by their owners, then the manager, then the
    // server.
    pub(super) x: RustConnection,
    pub(super) root: u32,
    _manager: Option<Child>,
    _server: Child,
    display: String,
    folder: PathBuf,
}

impl Desktop {
    /// Starts Xvfb on a free display number, and openbox with one of the themes of
    /// `/usr/share/themes` unless `theme` is `None`.
    ///
    /// # Errors
    /// When one of them is missing or does not come up.
    pub fn start(width: u16, height: u16, theme: Option<&str>) -> anyhow::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let screen = format!("{width}x{height}x24");
        let arguments = [
            "-displayfd",
            "1",
            "-noreset",
            "-nolisten",
            "tcp",
            "-screen",
            "0",
            &screen,
        ];
        let mut server = Child::start("Xvfb", &arguments, &[], true)?;
        let display = format!(":{}", server.first_line()?);
        let (x, number) = x11rb::connect(Some(&display))
            .with_context(|| format!("Xvfb on {display} does not answer"))?;
        let root = x.setup().roots[number].root;
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("kibitzer-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))?;
        let mut desktop = Self {
            x,
            root,
            _manager: None,
            _server: server,
            display,
            folder,
        };
        if let Some(theme) = theme {
            desktop.manage(theme)?;
        }
        Ok(desktop)
    }

    fn manage(&mut self, theme: &str) -> anyhow::Result<()> {
        let file = self.folder.join("rc.xml");
        let text = format!(
            "<?xml version=\"1.0\"?>\n<openbox_config xmlns=\"http://openbox.org/3.4/rc\">\
             <theme><name>{theme}</name></theme></openbox_config>\n"
        );
        std::fs::write(&file, text)
            .with_context(|| format!("{}: cannot be written", file.display()))?;
        let path = file.to_string_lossy().into_owned();
        self._manager = Some(self.run("openbox", &["--sm-disable", "--config-file", &path])?);
        self.wait("openbox", |d| {
            Ok((!d.cardinals(d.root, "_NET_SUPPORTING_WM_CHECK")?.is_empty()).then_some(()))
        })
    }

    /// The name of the display, `:7`.
    #[must_use]
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Starts a program on this screen.
    ///
    /// # Errors
    /// See [`Child::start`].
    pub fn run(&self, program: &str, args: &[&str]) -> anyhow::Result<Child> {
        self.run_with(program, args, &[])
    }

    /// Starts a program on this screen with more in its environment.
    ///
    /// # Errors
    /// See [`Child::start`].
    pub fn run_with(
        &self,
        program: &str,
        args: &[&str],
        more: &[(&str, &str)],
    ) -> anyhow::Result<Child> {
        let own = [
            ("DISPLAY", self.display.as_str()),
            // Without these GTK looks for a session bus and a compositor for seconds.
            ("NO_AT_BRIDGE", "1"),
            ("GDK_BACKEND", "x11"),
        ];
        Child::start(program, args, &[&own[..], more].concat(), false)
    }

    /// A folder that goes with the desktop.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts sgt-flood with its own words (`14x14c6m5#42`) and waits for its window.
    ///
    /// # Errors
    /// When it is missing or refuses the words.
    pub fn flood(&self, words: &str) -> anyhow::Result<(Child, u32)> {
        let before = self.windows()?;
        let child = self.run("/usr/games/sgt-flood", &[words])?;
        let window = self.wait(&format!("sgt-flood {words}"), |d| {
            let now = d.windows()?;
            Ok(now.into_iter().find(|w| !before.contains(w)))
        })?;
        self.settled(window)?;
        Ok((child, window))
    }

    /// Starts sgt-flood on an exact position.
    ///
    /// # Errors
    /// When it is missing or refuses the position.
    pub fn flood_at(&self, spec: &FloodSpec) -> anyhow::Result<(Child, u32)> {
        if let Some(id) = spec.game_id() {
            return self.flood(&id);
        }
        let file = self.folder.join("position.sav");
        std::fs::write(&file, save_file(spec))
            .with_context(|| format!("{}: cannot be written", file.display()))?;
        self.flood(&file.to_string_lossy())
    }

    /// Application windows: those of the window manager's list, or without one every visible
    /// child of the root that is larger than a few pixels.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn windows(&self) -> anyhow::Result<Vec<u32>> {
        if self._manager.is_some() {
            return self.cardinals(self.root, "_NET_CLIENT_LIST");
        }
        let tree = self.x.query_tree(self.root)?.reply()?;
        let mut all = Vec::new();
        for window in tree.children {
            let visible = self.is_viewable(window)?;
            let g = self.x.get_geometry(window)?.reply()?;
            if visible && g.width > 20 && g.height > 20 {
                all.push(window);
            }
        }
        Ok(all)
    }

    /// Whether a window is mapped with all its parents; `false` too if it is gone.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn is_viewable(&self, window: u32) -> anyhow::Result<bool> {
        use x11rb::protocol::xproto::MapState;
        let reply = self.x.get_window_attributes(window)?.reply();
        Ok(reply.is_ok_and(|a| a.map_state == MapState::VIEWABLE))
    }

    /// A window's title.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn title(&self, window: u32) -> anyhow::Result<String> {
        for property in ["_NET_WM_NAME", "WM_NAME"] {
            let (name, any) = (self.atom(property)?, AtomEnum::ANY);
            let reply = self.x.get_property(false, window, name, any, 0, 256)?;
            let value = reply.reply().map(|r| r.value).unwrap_or_default();
            if !value.is_empty() {
                return Ok(String::from_utf8_lossy(&value).into_owned());
            }
        }
        Ok(String::new())
    }

    /// A window's content without its frame, in screen coordinates.
    ///
    /// # Errors
    /// When the window is gone.
    pub fn client(&self, window: u32) -> anyhow::Result<Rect> {
        let g = self.x.get_geometry(window)?.reply()?;
        let at = self
            .x
            .translate_coordinates(window, self.root, 0, 0)?
            .reply()?;
        Ok(Rect {
            x: i32::from(at.dst_x),
            y: i32::from(at.dst_y),
            width: u32::from(g.width),
            height: u32::from(g.height),
        })
    }

    /// What is on a part of the screen; parts outside it are cut off.
    ///
    /// # Errors
    /// When nothing of it is on the screen.
    pub fn picture(&self, area: Rect) -> anyhow::Result<Picture> {
        let g = self.x.get_geometry(self.root)?.reply()?;
        let screen = Rect {
            x: 0,
            y: 0,
            width: u32::from(g.width),
            height: u32::from(g.height),
        };
        let area = area
            .intersection(&screen)
            .ok_or_else(|| anyhow!("{area:?} is not on the screen"))?;
        let (width, height) = (area.width as u16, area.height as u16);
        let (x, y) = (area.x as i16, area.y as i16);
        let reply = self
            .x
            .get_image(ImageFormat::Z_PIXMAP, self.root, x, y, width, height, !0)?
            .reply()?;
        let mut picture = Picture::filled(area.width, area.height, [0; 3]);
        for (to, from) in picture
            .pixels_mut()
            .iter_mut()
            .zip(reply.data.chunks_exact(4))
        {
            *to = u32::from(from[2]) << 16 | u32::from(from[1]) << 8 | u32::from(from[0]);
        }
        Ok(picture)
    }

    /// The whole screen.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn screen(&self) -> anyhow::Result<Picture> {
        self.picture(Rect {
            x: 0,
            y: 0,
            width: u32::from(u16::MAX),
            height: u32::from(u16::MAX),
        })
    }

    /// The window's content once it has stopped changing.
    ///
    /// # Errors
    /// When it shows nothing but one colour, or goes on changing.
    pub fn settled(&self, window: u32) -> anyhow::Result<Picture> {
        let mut last = Picture::default();
        self.wait("a window at rest", move |d| {
            std::thread::sleep(Duration::from_millis(25));
            let now = d.picture(d.client(window)?)?;
            let first = now.pixels().first().copied();
            let drawn = now.pixels().iter().any(|&p| Some(p) != first);
            if drawn && now == last {
                return Ok(Some(now));
            }
            last = now;
            Ok(None)
        })
    }

    /// Moves the window's frame.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn place(&self, window: u32, x: i32, y: i32) -> anyhow::Result<()> {
        self.configure(window, &ConfigureWindowAux::new().x(x).y(y))
    }

    /// Changes the size of the window's content.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn resize(&self, window: u32, width: u32, height: u32) -> anyhow::Result<()> {
        self.configure(
            window,
            &ConfigureWindowAux::new().width(width).height(height),
        )
    }

    fn configure(&self, window: u32, to: &ConfigureWindowAux) -> anyhow::Result<()> {
        self.x.configure_window(window, to)?.check()?;
        self.sync()
    }

    /// Minimises the window.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn minimise(&self, window: u32) -> anyhow::Result<()> {
        // 3 is the iconic state of the ICCCM, section 4.1.4.
        self.ask(window, "WM_CHANGE_STATE", [3, 0, 0, 0, 0])
    }

    /// Brings the window back and to the front.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn raise(&self, window: u32) -> anyhow::Result<()> {
        self.ask(window, "_NET_ACTIVE_WINDOW", [2, 0, 0, 0, 0])
    }

    /// Closes the window as its close button does.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn close(&self, window: u32) -> anyhow::Result<()> {
        self.ask(window, "_NET_CLOSE_WINDOW", [0, 2, 0, 0, 0])
    }

    fn ask(&self, window: u32, what: &str, data: [u32; 5]) -> anyhow::Result<()> {
        let kind = self.atom(what)?;
        let event = ClientMessageEvent::new(32, window, kind, data);
        let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
        self.x.send_event(false, self.root, mask, event)?.check()?;
        self.sync()
    }

    /// Lays a window of one colour over a part of the screen, above everything and without the
    /// window manager's knowledge, like a menu or a notification.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn cover(&self, area: Rect, rgb: u32) -> anyhow::Result<u32> {
        let window = self.x.generate_id()?;
        let look = CreateWindowAux::new()
            .background_pixel(rgb)
            .override_redirect(1);
        self.x
            .create_window(
                0,
                window,
                self.root,
                area.x as i16,
                area.y as i16,
                area.width as u16,
                area.height as u16,
                0,
                WindowClass::INPUT_OUTPUT,
                0,
                &look,
            )?
            .check()?;
        self.x.map_window(window)?.check()?;
        self.sync()?;
        Ok(window)
    }

    /// Takes a cover away.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn uncover(&self, cover: u32) -> anyhow::Result<()> {
        self.x.destroy_window(cover)?.check()?;
        self.sync()
    }

    /// The colour of the empty screen.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn background(&self, rgb: u32) -> anyhow::Result<()> {
        let look = ChangeWindowAttributesAux::new().background_pixel(rgb);
        self.x.change_window_attributes(self.root, &look)?.check()?;
        self.x.clear_area(false, self.root, 0, 0, 0, 0)?.check()?;
        self.sync()
    }

    fn atom(&self, name: &str) -> anyhow::Result<u32> {
        Ok(self.x.intern_atom(false, name.as_bytes())?.reply()?.atom)
    }

    fn cardinals(&self, window: u32, property: &str) -> anyhow::Result<Vec<u32>> {
        let name = self.atom(property)?;
        let reply = self
            .x
            .get_property(false, window, name, AtomEnum::ANY, 0, 1024)?
            .reply()?;
        Ok(reply.value32().map(Iterator::collect).unwrap_or_default())
    }

    fn sync(&self) -> anyhow::Result<()> {
        self.x.get_input_focus()?.reply()?;
        Ok(())
    }

    /// Tries until there is something, or patience is at its end.
    ///
    /// # Errors
    /// When it never comes; the text says what did not.
    pub fn wait<T>(
        &self,
        what: &str,
        mut look: impl FnMut(&Self) -> anyhow::Result<Option<T>>,
    ) -> anyhow::Result<T> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look(self)? {
                return Ok(found);
            }
            if Instant::now() > end {
                bail!("{what} did not come within {} s", PATIENCE.as_secs());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        // Only the temporary folder is ours to remove; what is left of it harms nobody.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
