//! The X server as capture needs it: one connection, the pixel format checked, errors told apart.
//!
//! Takes a display name and gives a [`Display`]. Must never change anything on the screen:
//! it selects events, reads pixels and geometry, and grabs nothing.

pub mod grab;
pub mod monitors;
pub mod shots;
pub mod stacking;
pub mod windows;

use x11rb::connection::Connection;
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::ErrorKind;
use x11rb::protocol::xproto::{
    ConnectionExt as _, GetGeometryReply, ImageOrder, TranslateCoordinatesReply, VisualClass,
    Visualid, Window,
};
use x11rb::rust_connection::RustConnection;

use super::CaptureError;
use crate::types::display;
use crate::types::{Point, Rect};

x11rb::atom_manager! {
    /// The names of window properties that are read.
    pub(crate) Atoms: AtomsCookie {
        WM_STATE,
        UTF8_STRING,
        _NET_WM_NAME,
        _NET_CLIENT_LIST,
        _NET_SUPPORTING_WM_CHECK,
    }
}

/// A connection to an X server whose pixels can be read as 0x00RRGGBB.
pub struct Display {
    /// The connection; requests of one frame are sent together, replies read afterwards.
    pub conn: RustConnection,
    /// The root window of the screen.
    pub root: Window,
    /// Size of the root window; kept up to date by the source's events.
    pub screen: Rect,
    /// Interned names.
    pub(crate) atoms: Atoms,
    /// Whether the server is on this machine, so that memory can be shared with it.
    pub local: bool,
}

impl Display {
    /// Connects to `name`, or to `$DISPLAY` if it is `None`.
    ///
    /// # Errors
    /// [`CaptureError::Open`] with the fix, when there is no such display or when its pixels
    /// are not 8 bits per colour.
    pub fn open(name: Option<&str>) -> Result<Self, CaptureError> {
        let wanted = match name {
            Some(name) => name.to_owned(),
            None => std::env::var("DISPLAY").unwrap_or_default(),
        };
        if wanted.is_empty() {
            return Err(CaptureError::Open(
                "no X display: DISPLAY is not set; start this inside the desktop session or set \
                 it, for example DISPLAY=:0"
                    .into(),
            ));
        }
        if !display::is_possible(&wanted) {
            return Err(CaptureError::Open(format!(
                "cannot open the X display \"{wanted}\": no display has that number; check DISPLAY"
            )));
        }
        let (conn, number) = x11rb::connect(Some(&wanted)).map_err(|e| {
            CaptureError::Open(format!(
                "cannot open the X display \"{wanted}\": {e}; check DISPLAY (echo $DISPLAY in a \
                 terminal of that session) and that this user may connect (xhost)"
            ))
        })?;
        let atoms = Atoms::new(&conn)
            .map_err(lost)?
            .reply()
            .map_err(unexpected)?;
        let screen = conn.setup().roots.get(number).ok_or_else(|| {
            CaptureError::Open(format!("the X display \"{wanted}\" has no screen {number}"))
        })?;
        let (root, visual, depth) = (screen.root, screen.root_visual, screen.root_depth);
        let rect = Rect {
            x: 0,
            y: 0,
            width: u32::from(screen.width_in_pixels),
            height: u32::from(screen.height_in_pixels),
        };
        let display = Self {
            local: is_local(&conn),
            root,
            screen: rect,
            atoms,
            conn,
        };
        display.check_format("the screen", visual, depth)?;
        Ok(display)
    }

    /// Makes sure that pixels of this visual arrive as 0x??RRGGBB words of this machine.
    ///
    /// # Errors
    /// [`CaptureError::Open`] that names what is different.
    pub fn check_format(
        &self,
        what: &str,
        visual: Visualid,
        depth: u8,
    ) -> Result<(), CaptureError> {
        let setup = self.conn.setup();
        let refuse = |why: String| {
            Err(CaptureError::Open(format!(
                "{what} cannot be read: {why}; a TrueColor screen of depth 24 or 32 is needed \
                 (for Xvfb: -screen 0 1280x800x24)"
            )))
        };
        let native = if cfg!(target_endian = "little") {
            ImageOrder::LSB_FIRST
        } else {
            ImageOrder::MSB_FIRST
        };
        if setup.image_byte_order != native {
            return refuse("the X server has the other byte order".into());
        }
        if depth != 24 && depth != 32 {
            return refuse(format!("its depth is {depth}"));
        }
        let format = setup.pixmap_formats.iter().find(|f| f.depth == depth);
        if format.is_none_or(|f| f.bits_per_pixel != 32 || f.scanline_pad != 32) {
            return refuse(format!("depth {depth} is not stored as 32 bits per pixel"));
        }
        let found = setup
            .roots
            .iter()
            .flat_map(|s| &s.allowed_depths)
            .flat_map(|d| &d.visuals)
            .find(|v| v.visual_id == visual);
        match found {
            Some(v)
                if v.class == VisualClass::TRUE_COLOR
                    && (v.red_mask, v.green_mask, v.blue_mask) == (0xff_0000, 0xff00, 0xff) =>
            {
                Ok(())
            }
            Some(v) => refuse(format!(
                "its colours are stored as red {:#x}, green {:#x}, blue {:#x} (class {:?})",
                v.red_mask, v.green_mask, v.blue_mask, v.class
            )),
            None => refuse("its visual is unknown".into()),
        }
    }
}

/// A window's client area in root coordinates, from the two replies that tell it.
pub(super) fn area(origin: &TranslateCoordinatesReply, size: &GetGeometryReply) -> Rect {
    Rect {
        x: i32::from(origin.dst_x),
        y: i32::from(origin.dst_y),
        width: u32::from(size.width),
        height: u32::from(size.height),
    }
}

/// The middle of a pixel.
pub(super) fn pixel(x: i16, y: i16) -> Point {
    Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5)
}

/// The connection broke: the text is for a person.
pub(super) fn lost(error: ConnectionError) -> CaptureError {
    CaptureError::Lost(format!("the X server went away ({error})"))
}

/// An answer that no window's coming and going explains.
pub(super) fn unexpected(error: ReplyError) -> CaptureError {
    match error {
        ReplyError::ConnectionError(e) => lost(e),
        ReplyError::X11Error(e) => CaptureError::Lost(format!(
            "the X server refused a request ({:?} to {})",
            e.error_kind,
            e.request_name.unwrap_or("an unknown request")
        )),
    }
}

/// Whether the server says that the window does not exist.
pub(super) fn is_closed(error: &ReplyError) -> bool {
    matches!(error, ReplyError::X11Error(e)
        if matches!(e.error_kind, ErrorKind::Window | ErrorKind::Drawable))
}

/// Whether the server says that the pixels asked for are not on the screen.
pub(super) fn is_mismatch(error: &ReplyError) -> bool {
    matches!(error, ReplyError::X11Error(e) if e.error_kind == ErrorKind::Match)
}

/// A value, or `None` if the window it was asked of does not exist any more.
pub(super) fn unless_closed<T>(reply: Result<T, ReplyError>) -> Result<Option<T>, CaptureError> {
    match reply {
        Ok(value) => Ok(Some(value)),
        Err(e) if is_closed(&e) => Ok(None),
        Err(e) => Err(unexpected(e)),
    }
}

/// Memory can be passed only over a Unix socket. Asking for the peer's address fails on any
/// other kind, which tells them apart without parsing the display's name.
#[cfg(unix)]
fn is_local(conn: &RustConnection) -> bool {
    use std::os::fd::AsFd as _;
    conn.stream()
        .as_fd()
        .try_clone_to_owned()
        .map(std::os::unix::net::UnixStream::from)
        .and_then(|s| s.peer_addr())
        .is_ok()
}

#[cfg(not(unix))]
fn is_local(_: &RustConnection) -> bool {
    false
}

/// Asks for the size of the root window, which changes with monitors.
pub(super) fn root_rect(display: &Display) -> Result<Rect, CaptureError> {
    let g = display
        .conn
        .get_geometry(display.root)
        .map_err(lost)?
        .reply()
        .map_err(unexpected)?;
    Ok(Rect {
        x: 0,
        y: 0,
        width: u32::from(g.width),
        height: u32::from(g.height),
    })
}
