//! What the hands read back from an X server: where the pointer is, what lies under it, who has
//! the focus, which keys are held.
//!
//! Takes nothing but questions. Must never press or release anything; moving the focus to the
//! target before a key is all it changes.

use std::time::Duration;

use x11rb::connection::Connection as _;
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, InputFocus, Window,
};
use x11rb::rust_connection::RustConnection;

use super::ActError;
use super::keys::Layout;
use crate::types::Clock;
use crate::types::{Point, display};

x11rb::atom_manager! {
    /// The names of window properties that are read.
    pub(super) Atoms: AtomsCookie {
        WM_STATE,
        _NET_ACTIVE_WINDOW,
        _NET_SUPPORTED,
        _NET_SUPPORTING_WM_CHECK,
    }
}

/// How long a window manager may take to give the focus.
const FOCUS_PATIENCE: Duration = Duration::from_millis(500);

/// The protocol's number for a focus that follows the pointer.
const POINTER_ROOT: Window = 1;

/// A connection for questions, apart from the one that presses.
pub(super) struct Desk {
    pub conn: RustConnection,
    pub root: Window,
    atoms: Atoms,
    layout: Option<Layout>,
}

/// What was found at the pointer.
pub(super) struct Under {
    /// Root pixels.
    pub at: (i32, i32),
    /// All windows there, from the root's child down to the innermost.
    pub chain: Vec<Window>,
    /// Where the content of each of them begins, in root pixels.
    pub origins: Vec<(i32, i32)>,
}

impl Desk {
    /// Connects to the display of this name, or to `$DISPLAY`.
    pub fn open(display: Option<&str>) -> Result<Self, ActError> {
        let wanted = display
            .map(str::to_owned)
            .or_else(|| std::env::var("DISPLAY").ok())
            .filter(|d| !d.is_empty());
        let Some(wanted) = wanted else {
            return Err(ActError::Gone(
                "no X display for mouse and keyboard: DISPLAY is not set; set it, for example \
                 DISPLAY=:0"
                    .into(),
            ));
        };
        if !display::is_possible(&wanted) {
            return Err(ActError::Gone(format!(
                "cannot open the X display \"{wanted}\" for mouse and keyboard: no display has \
                 that number; check DISPLAY"
            )));
        }
        let (conn, number) = x11rb::connect(Some(&wanted)).map_err(|e| {
            ActError::Gone(format!(
                "cannot open the X display \"{wanted}\" for mouse and keyboard: {e}; check DISPLAY"
            ))
        })?;
        let atoms = Atoms::new(&conn).map_err(gone)?.reply().map_err(refused)?;
        let root = conn.setup().roots.get(number).map_or(0, |s| s.root);
        Ok(Self {
            conn,
            root,
            atoms,
            layout: None,
        })
    }

    /// Where the pointer is and every window under it.
    pub fn under_pointer(&self) -> Result<Under, ActError> {
        let mut chain = Vec::with_capacity(8);
        let mut origins = Vec::with_capacity(8);
        let reply = self.conn.query_pointer(self.root).map_err(gone)?.reply();
        let root = reply.map_err(refused)?;
        let mut below = root.child;
        while below != x11rb::NONE {
            chain.push(below);
            match self.conn.query_pointer(below).map_err(gone)?.reply() {
                Ok(reply) => {
                    let x = i32::from(reply.root_x) - i32::from(reply.win_x);
                    let y = i32::from(reply.root_y) - i32::from(reply.win_y);
                    origins.push((x, y));
                    below = reply.child;
                }
                Err(ReplyError::ConnectionError(e)) => return Err(gone(e)),
                // It was closed just now.
                Err(ReplyError::X11Error(_)) => break,
            }
        }
        Ok(Under {
            at: (i32::from(root.root_x), i32::from(root.root_y)),
            chain,
            origins,
        })
    }

    /// Of a chain of windows the one a person would call the window: the first that a window
    /// manager has marked, or else the outermost.
    pub fn client_of(&self, chain: &[Window]) -> Result<Option<Window>, ActError> {
        for &window in chain {
            let state = self.words(window, self.atoms.WM_STATE)?;
            if !state.is_empty() {
                return Ok(Some(window));
            }
        }
        Ok(chain.first().copied())
    }

    fn words(&self, window: Window, name: u32) -> Result<Vec<u32>, ActError> {
        let reply = self
            .conn
            .get_property(false, window, name, AtomEnum::ANY, 0, 1024)
            .map_err(gone)?
            .reply();
        match reply {
            Ok(r) => Ok(r.value32().map(Iterator::collect).unwrap_or_default()),
            Err(ReplyError::ConnectionError(e)) => Err(gone(e)),
            Err(ReplyError::X11Error(_)) => Ok(Vec::new()),
        }
    }

    /// Makes sure that keys go to `window`.
    pub fn focus(&self, window: Window, clock: &dyn Clock) -> Result<(), ActError> {
        if self.belongs(self.focused()?, window)? {
            return Ok(());
        }
        if self.manager_gives_focus()? {
            // Source 2: a pager, which managers obey although no person clicked.
            let data = [2, x11rb::CURRENT_TIME, 0, 0, 0];
            let message = ClientMessageEvent::new(32, window, self.atoms._NET_ACTIVE_WINDOW, data);
            let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
            self.conn
                .send_event(false, self.root, mask, message)
                .map_err(gone)?;
        } else {
            // Refused while the window is not viewable: the check below finds out.
            self.conn
                .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)
                .map_err(gone)?
                .ignore_error();
        }
        self.conn.flush().map_err(gone)?;
        self.gains_focus(window, clock)
    }

    /// Waits until keys go to `window`, which has been asked for.
    pub fn gains_focus(&self, window: Window, clock: &dyn Clock) -> Result<(), ActError> {
        let deadline = clock.now() + FOCUS_PATIENCE;
        loop {
            match self.has_focus(window) {
                Err(ActError::NotTarget { .. }) if clock.now() < deadline => {
                    clock.sleep_until(clock.now() + Duration::from_millis(1));
                }
                done => return done,
            }
        }
    }

    /// Whether keys go to `window` now.
    ///
    /// # Errors
    /// [`ActError::NotTarget`] if they do not.
    pub fn has_focus(&self, window: Window) -> Result<(), ActError> {
        let focus = self.focused()?;
        if self.belongs(focus, window)? {
            return Ok(());
        }
        let under = self.under_pointer()?;
        // Without a window manager the focus often is "wherever the pointer is".
        if focus == POINTER_ROOT && under.chain.contains(&window) {
            return Ok(());
        }
        Err(ActError::NotTarget {
            wanted: window,
            found: focus,
            x: f64::from(under.at.0),
            y: f64::from(under.at.1),
        })
    }

    /// The middle of a window, in root pixels.
    pub fn middle(&self, window: Window) -> Result<Point, ActError> {
        let size = self.conn.get_geometry(window).map_err(gone)?;
        let place = self.conn.translate_coordinates(window, self.root, 0, 0);
        let place = place.map_err(gone)?;
        let (size, place) = (size.reply(), place.reply());
        let (Ok(size), Ok(place)) = (size, place) else {
            return Err(ActError::NotTarget {
                wanted: window,
                found: self.focused()?,
                x: 0.0,
                y: 0.0,
            });
        };
        Ok(Point::new(
            f64::from(place.dst_x) + f64::from(size.width) / 2.0,
            f64::from(place.dst_y) + f64::from(size.height) / 2.0,
        ))
    }

    fn focused(&self) -> Result<Window, ActError> {
        let reply = self.conn.get_input_focus().map_err(gone)?.reply();
        Ok(reply.map_err(refused)?.focus)
    }

    /// Whether `inner` is `window` or lies in it.
    fn belongs(&self, inner: Window, window: Window) -> Result<bool, ActError> {
        let mut at = inner;
        // Below 2 are the protocol's "none" and "wherever the pointer is".
        while at > 1 && at != self.root {
            if at == window {
                return Ok(true);
            }
            match self.conn.query_tree(at).map_err(gone)?.reply() {
                Ok(tree) => at = tree.parent,
                Err(ReplyError::ConnectionError(e)) => return Err(gone(e)),
                Err(ReplyError::X11Error(_)) => return Ok(false),
            }
        }
        Ok(false)
    }

    fn manager_gives_focus(&self) -> Result<bool, ActError> {
        let name = self.atoms._NET_SUPPORTING_WM_CHECK;
        let Some(&check) = self.words(self.root, name)?.first() else {
            return Ok(false);
        };
        // The root's property outlives a manager that crashed; its own window does not.
        let alive = self.words(check, name)?.first() == Some(&check);
        let can = self.words(self.root, self.atoms._NET_SUPPORTED)?;
        Ok(alive && can.contains(&self.atoms._NET_ACTIVE_WINDOW))
    }

    /// The keyboard's layout, asked for again after the server told of a change.
    pub fn layout(&mut self) -> Result<&Layout, ActError> {
        while let Some(event) = self.conn.poll_for_event().map_err(gone)? {
            if matches!(event, Event::MappingNotify(_)) {
                self.layout = None;
            }
        }
        let layout = match self.layout.take() {
            Some(known) => known,
            None => read_layout(&self.conn)?,
        };
        Ok(self.layout.insert(layout))
    }
}

/// Asks the server which key gives which symbol.
pub(super) fn read_layout(conn: &RustConnection) -> Result<Layout, ActError> {
    let setup = conn.setup();
    let (low, high) = (setup.min_keycode, setup.max_keycode);
    let count = (high - low).saturating_add(1);
    let reply = conn.get_keyboard_mapping(low, count).map_err(gone)?.reply();
    let reply = reply.map_err(refused)?;
    Ok(Layout::new(low, reply.keysyms_per_keycode, reply.keysyms))
}

/// The connection broke.
pub(super) fn gone(error: ConnectionError) -> ActError {
    ActError::Gone(format!(
        "the X server went away ({error}): mouse and keyboard are lost"
    ))
}

/// An answer that nothing explains but a broken server.
pub(super) fn refused(error: ReplyError) -> ActError {
    match error {
        ReplyError::ConnectionError(e) => gone(e),
        ReplyError::X11Error(e) => ActError::Gone(format!(
            "the X server refused a request of the hands ({:?} to {})",
            e.error_kind,
            e.request_name.unwrap_or("an unknown request")
        )),
    }
}
