//! A table to play at: a private screen with sgt-flood on it, a person's hands, and everything that
//! can come between. What must never be clicked records that it was.

use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use kibitzer::types::Rect;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::*;
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::run::Run;
use crate::support::{Child, Desktop, desktop};

/// How long anything may take; only reached when something is wrong.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Tries until it holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A window that must not be clicked.
pub struct Cover<'t> {
    table: &'t Table,
    pub window: u32,
}

impl Drop for Cover<'_> {
    fn drop(&mut self) {
        let _ = self.table.x.destroy_window(self.window);
        let _ = self.table.x.sync();
    }
}

/// A screen with a game on it.
pub struct Table {
    // Dropped in this order.
    pub game: Option<Child>,
    x: RustConnection,
    root: u32,
    pub window: u32,
    pub desktop: Desktop,
    /// Where the board was, since when.
    places: Mutex<Vec<(SystemTime, Rect)>>,
    pub folder: tempfile::TempDir,
}

impl Table {
    /// A game that is about to begin, its window in the middle of the screen; `None`, said aloud,
    /// where programs are missing.
    pub fn set(words: &str) -> Option<Self> {
        let desktop = desktop("Clearlooks")?;
        let (x, number) = x11rb::connect(Some(desktop.display())).expect("the private X server");
        let root = x.setup().roots[number].root;
        let mut table = Self {
            game: None,
            x,
            root,
            window: 0,
            desktop,
            places: Mutex::default(),
            folder: tempfile::tempdir().expect("a folder"),
        };
        // Under everything else: what misses the game's window hits this.
        let whole = Rect {
            x: 0,
            y: 0,
            width: 1280,
            height: 800,
        };
        let ground = table.create(whole, Some(0x30_4050));
        let lowest = ConfigureWindowAux::new().stack_mode(StackMode::BELOW);
        table.x.configure_window(ground, &lowest).expect("sent");
        table.x.sync().expect("answered");
        let (game, window) = table.desktop.flood(words).expect("sgt-flood starts");
        table.game = Some(game);
        table.window = window;
        table.point(1200, 700);
        table.desktop.place(window, 300, 80).expect("moved");
        table.arrives(300, 80);
        Some(table)
    }

    /// Starts `kibitzer play` on it.
    pub fn play(&self, more: &[&str]) -> Run {
        Run::start(self.desktop.display(), self.folder.path(), "Flood", more)
    }

    fn create(&self, area: Rect, colour: Option<u32>) -> u32 {
        let window = self.make(area, colour, true);
        self.x.map_window(window).expect("sent");
        self.x.sync().expect("answered");
        window
    }

    fn make(&self, area: Rect, colour: Option<u32>, unmanaged: bool) -> u32 {
        let window = self.x.generate_id().expect("an id");
        let mut look = CreateWindowAux::new()
            .override_redirect(u32::from(unmanaged))
            .event_mask(EventMask::BUTTON_PRESS | EventMask::BUTTON_RELEASE | EventMask::KEY_PRESS);
        look.background_pixel = colour;
        let class = match colour {
            Some(_) => WindowClass::INPUT_OUTPUT,
            None => WindowClass::INPUT_ONLY,
        };
        let (x, y, w, h) = (
            area.x as i16,
            area.y as i16,
            area.width as u16,
            area.height as u16,
        );
        let made = self
            .x
            .create_window(0, window, self.root, x, y, w, h, 0, class, 0, &look);
        made.expect("sent").check().expect("a window");
        window
    }

    /// Lays a window over a part of the screen, as a menu or a notification does.
    pub fn cover(&self, area: Rect, rgb: u32) -> Cover<'_> {
        Cover {
            table: self,
            window: self.create(area, Some(rgb)),
        }
    }

    /// Opens a window of another program in front, with a title and a frame.
    pub fn program(&self, title: &str, area: Rect, rgb: u32) -> Cover<'_> {
        let cover = Cover {
            table: self,
            window: self.make(area, Some(rgb), false),
        };
        let mut hints = x11rb::properties::WmSizeHints::new();
        let (x, y, w, h) = (area.x, area.y, area.width as i32, area.height as i32);
        hints.position = Some((
            x11rb::properties::WmSizeHintsSpecification::UserSpecified,
            x,
            y,
        ));
        hints.size = Some((
            x11rb::properties::WmSizeHintsSpecification::UserSpecified,
            w,
            h,
        ));
        hints.set_normal_hints(&self.x, cover.window).expect("sent");
        let name = AtomEnum::WM_NAME;
        let kind = AtomEnum::STRING;
        let text = title.as_bytes();
        let set = self
            .x
            .change_property8(PropMode::REPLACE, cover.window, name, kind, text);
        set.expect("sent").check().expect("a title");
        self.x.map_window(cover.window).expect("sent");
        self.x.sync().expect("answered");
        until("the program's window", || {
            let listed = self
                .desktop
                .windows()
                .expect("listed")
                .contains(&cover.window);
            listed && self.desktop.is_viewable(cover.window).expect("answered")
        });
        self.desktop.raise(cover.window).expect("asked");
        cover
    }

    /// The same, but it cannot be seen.
    pub fn invisible_cover(&self, area: Rect) -> Cover<'_> {
        Cover {
            table: self,
            window: self.create(area, None),
        }
    }

    /// Clicks and keys that landed on windows of this table, which are all but the game's.
    pub fn strays(&self) -> Vec<String> {
        self.x.sync().expect("answered");
        let mut all = Vec::new();
        while let Some(event) = self.x.poll_for_event().expect("connected") {
            match event {
                Event::ButtonPress(e) => all.push(format!("press at {},{}", e.root_x, e.root_y)),
                Event::ButtonRelease(e) => {
                    all.push(format!("release at {},{}", e.root_x, e.root_y))
                }
                Event::KeyPress(e) => all.push(format!("key {}", e.detail)),
                _ => {}
            }
        }
        all
    }

    /// Where the board is now: the coloured part of the window.
    pub fn board(&self) -> Rect {
        let client = self
            .desktop
            .client(self.window)
            .expect("the window is there");
        let picture = self.desktop.picture(client).expect("on the screen");
        // Cut off at the left or at the top, the picture begins at the screen's edge.
        let (left, top) = (client.x.max(0), client.y.max(0));
        let (mut x0, mut y0, mut x1, mut y1) = (i32::MAX, i32::MAX, 0, 0);
        for y in 0..picture.height() {
            for x in 0..picture.width() {
                let rgb = picture.rgb(x, y);
                let (low, high) = (rgb.iter().min(), rgb.iter().max());
                if high.zip(low).is_some_and(|(h, l)| h - l > 100) {
                    (x0, y0) = (x0.min(x as i32), y0.min(y as i32));
                    (x1, y1) = (x1.max(x as i32), y1.max(y as i32));
                }
            }
        }
        assert!(x0 < x1, "the window shows a board");
        Rect {
            x: left + x0,
            y: top + y0,
            width: (x1 - x0 + 1) as u32,
            height: (y1 - y0 + 1) as u32,
        }
    }

    /// Notes where the board is from now on, once it is drawn.
    pub fn note_place(&self) {
        self.desktop.settled(self.window).expect("drawn");
        let board = self.board();
        let mut places = self.places.lock().expect("not poisoned");
        places.push((SystemTime::now(), board));
    }

    /// Moves the window and waits until it is there.
    pub fn move_to(&self, x: i32, y: i32) {
        self.desktop.place(self.window, x, y).expect("moved");
        self.arrives(x, y);
    }

    fn arrives(&self, x: i32, y: i32) {
        until("the window to arrive", || {
            // The frame's border lies between.
            let at = self.desktop.client(self.window).expect("there");
            (0..40).contains(&(at.x - x)) && (0..60).contains(&(at.y - y))
        });
        self.note_place();
    }

    /// Asserts that every click of the run was meant for the board, wherever it was then, and that
    /// nothing else got one.
    pub fn only_the_board_was_clicked(&self, run: &Run) {
        assert_eq!(
            self.strays(),
            Vec::<String>::new(),
            "clicks that missed the window"
        );
        let places = self.places.lock().expect("not poisoned");
        // The wall clock of the journal and the time a person's move takes.
        let slack = Duration::from_millis(250);
        for (at, x, y) in run.clicks() {
            let hit = places.iter().enumerate().any(|(i, (since, r))| {
                let left = places
                    .get(i + 1)
                    .is_some_and(|(next, _)| at > *next + slack);
                let inside = x >= f64::from(r.x)
                    && y >= f64::from(r.y)
                    && x < f64::from(r.x) + f64::from(r.width)
                    && y < f64::from(r.y) + f64::from(r.height);
                at + slack > *since && !left && inside
            });
            assert!(
                hit,
                "a click at {x},{y} at {at:?}, where no board was: {places:?}"
            );
        }
    }

    /// Puts the pointer somewhere, as a person does.
    pub fn point(&self, x: i32, y: i32) {
        self.fake(MOTION_NOTIFY_EVENT, 0, x, y);
    }

    /// Where the pointer is.
    pub fn pointer(&self) -> (i32, i32) {
        let p = self
            .x
            .query_pointer(self.root)
            .expect("sent")
            .reply()
            .expect("answered");
        (p.root_x.into(), p.root_y.into())
    }

    /// A person's key goes down or up.
    pub fn press(&self, code: u8, down: bool) {
        self.fake(
            if down {
                KEY_PRESS_EVENT
            } else {
                KEY_RELEASE_EVENT
            },
            code,
            0,
            0,
        );
    }

    fn fake(&self, kind: u8, detail: u8, x: i32, y: i32) {
        let done = self
            .x
            .xtest_fake_input(kind, detail, 0, self.root, x as i16, y as i16, 0);
        done.expect("sent").check().expect("a synthetic event");
    }

    /// Keys and buttons that are down.
    pub fn held(&self) -> Vec<String> {
        let keys = self
            .x
            .query_keymap()
            .expect("sent")
            .reply()
            .expect("answered")
            .keys;
        let pointer = self
            .x
            .query_pointer(self.root)
            .expect("sent")
            .reply()
            .expect("answered");
        let mut all: Vec<String> = (0..=255u8)
            .filter(|c| keys[usize::from(c / 8)] & (1 << (c % 8)) != 0)
            .map(|c| format!("key {c}"))
            .collect();
        let mask = u16::from(pointer.mask) & 0x1f00;
        if mask != 0 {
            all.push(format!("buttons {mask:#x}"));
        }
        all
    }

    /// All clicks go to a window of this table from now on, wherever they are made.
    pub fn grab(&self) {
        let mask = EventMask::BUTTON_PRESS | EventMask::BUTTON_RELEASE;
        let asked = self.x.grab_pointer(
            false,
            self.root,
            mask,
            GrabMode::ASYNC,
            GrabMode::ASYNC,
            x11rb::NONE,
            x11rb::NONE,
            x11rb::CURRENT_TIME,
        );
        let status = asked.expect("sent").reply().expect("answered").status;
        assert_eq!(status, GrabStatus::SUCCESS);
    }

    /// No longer.
    pub fn ungrab(&self) {
        self.x.ungrab_pointer(x11rb::CURRENT_TIME).expect("sent");
        self.x.sync().expect("answered");
    }

    /// The game stops reacting, or goes on; what happened meanwhile happens then.
    pub fn freeze(&self, frozen: bool) {
        let name = self
            .x
            .intern_atom(false, b"_NET_WM_PID")
            .expect("sent")
            .reply()
            .expect("atom")
            .atom;
        let asked = self
            .x
            .get_property(false, self.window, name, AtomEnum::CARDINAL, 0, 1);
        let reply = asked.expect("sent").reply().expect("answered");
        let pid = reply
            .value32()
            .and_then(|mut v| v.next())
            .expect("programs tell their process");
        signal(pid, if frozen { "STOP" } else { "CONT" });
    }

    /// The process of the X server: the one that listens on the display's socket.
    pub fn server(&self) -> u32 {
        let number = self.desktop.display().trim_start_matches(':');
        let end = format!("/tmp/.X11-unix/X{number}");
        let sockets = std::fs::read_to_string("/proc/net/unix").expect("Linux");
        // Num RefCount Protocol Flags Type St Inode Path; flag 10000 is a listening socket.
        let inodes: Vec<String> = sockets
            .lines()
            .map(|l| l.split_whitespace().collect::<Vec<_>>())
            .filter(|w| w.len() == 8 && w[3] == "00010000" && w[7].trim_start_matches('@') == end)
            .map(|w| format!("socket:[{}]", w[6]))
            .collect();
        let holds = |pid: &u32| {
            let files = std::fs::read_dir(format!("/proc/{pid}/fd"));
            files.into_iter().flatten().flatten().any(|f| {
                let to = std::fs::read_link(f.path());
                to.is_ok_and(|to| inodes.iter().any(|i| to.as_os_str() == i.as_str()))
            })
        };
        let all = std::fs::read_dir("/proc").expect("Linux").flatten();
        let mut pids = all.filter_map(|d| d.file_name().to_str()?.parse().ok());
        pids.find(holds).expect("somebody listens on the display")
    }

    /// The colour of the cell in this column and row of a board in its natural size.
    pub fn cell(&self, col: i32, row: i32) -> u32 {
        let client = self.desktop.client(self.window).expect("there");
        let (x, y) = (client.x + 16 + 32 * col + 8, client.y + 41 + 32 * row + 8);
        let spot = Rect {
            x,
            y,
            width: 1,
            height: 1,
        };
        self.desktop.picture(spot).expect("on the screen").at(0, 0)
    }

    /// A person makes a move: clicks a cell of a colour that the flooded corner does not have.
    /// The chosen cell lies as far from the corner as possible.
    pub fn make_a_move(&self, size: i32) {
        let corner = self.cell(0, 0);
        let mut cells = (0..size * size).rev().map(|i| (i % size, i / size));
        let (col, row) = cells
            .find(|&(c, r)| self.cell(c, r) != corner)
            .expect("the game is not over");
        let client = self.desktop.client(self.window).expect("there");
        let (x, y) = (client.x + 16 + 32 * col + 16, client.y + 41 + 32 * row + 16);
        self.desktop.click(x, y).expect("clicked");
        // A person takes the hand away, too.
        self.point(1200, 700);
    }
}

/// Sends a signal to a process.
pub fn signal(pid: u32, name: &str) {
    let done = std::process::Command::new("kill")
        .args(["-s", name, &pid.to_string()])
        .status()
        .expect("kill");
    assert!(done.success(), "kill -s {name} {pid}");
}
