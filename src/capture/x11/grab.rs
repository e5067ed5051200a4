//! Copies pixels of a drawable into a picture: by shared memory (MIT-SHM) where the server is
//! on this machine, else through the socket.
//!
//! Takes a drawable and a rectangle in its coordinates that is wholly on the screen. Must never
//! allocate once its segment is large enough (the socket way allocates one reply per frame).

use x11rb::cookie::Cookie;
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{self, ConnectionExt as _, Drawable, ImageFormat};
use x11rb::rust_connection::RustConnection;

use super::Display;
use crate::types::{Picture, Rect};

/// The way pixels take; remembers the shared memory.
pub struct Grabber {
    segment: Option<Segment>,
    /// Whether shared memory may still be tried.
    share: bool,
}

/// An image asked for and not yet taken.
pub enum Pending<'c> {
    /// It will lie in the shared segment.
    Shared(Cookie<'c, RustConnection, shm::GetImageReply>),
    /// It will come through the socket.
    Plain(Cookie<'c, RustConnection, xproto::GetImageReply>),
}

impl Grabber {
    /// By shared memory if the display is local and willing.
    #[must_use]
    pub fn new(display: &Display) -> Self {
        Self {
            segment: None,
            share: display.local && has_shm(display),
        }
    }

    /// Through the socket, whatever the server can do.
    #[must_use]
    pub const fn plain() -> Self {
        Self {
            segment: None,
            share: false,
        }
    }

    /// Whether pixels come by shared memory.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        self.share
    }

    /// Sends the request without waiting for the answer.
    ///
    /// # Errors
    /// When the connection is broken.
    pub fn ask<'c>(
        &mut self,
        display: &'c Display,
        drawable: Drawable,
        part: Rect,
    ) -> Result<Pending<'c>, ConnectionError> {
        let conn = &display.conn;
        // Window coordinates and sizes are 16 bits wide in the protocol.
        let (x, y) = (part.x as i16, part.y as i16);
        let (w, h) = (part.width as u16, part.height as u16);
        let bytes = part.width as usize * part.height as usize * 4;
        if self.share && self.segment.as_ref().is_none_or(|s| s.len() < bytes) {
            if let Some(old) = self.segment.take() {
                conn.shm_detach(old.id)?;
            }
            // The whole screen is the largest that can be asked for later.
            let most = display.screen.width as usize * display.screen.height as usize * 4;
            self.segment = Segment::attach(conn, bytes.max(most))?;
            self.share = self.segment.is_some();
        }
        if let Some(segment) = &self.segment {
            let format = u8::from(ImageFormat::Z_PIXMAP);
            let cookie = conn.shm_get_image(drawable, x, y, w, h, !0, format, segment.id, 0)?;
            return Ok(Pending::Shared(cookie));
        }
        conn.get_image(ImageFormat::Z_PIXMAP, drawable, x, y, w, h, !0)
            .map(Pending::Plain)
    }

    /// Waits for the answer and copies it to column `x`, row `y` of the picture, which must be
    /// large enough. Tells whether any copied pixel differs from `before` at the same place.
    ///
    /// # Errors
    /// What the server answered instead of an image.
    pub fn take(
        &self,
        pending: Pending<'_>,
        (width, height): (u32, u32),
        into: &mut Picture,
        (x, y): (u32, u32),
        before: Option<&Picture>,
    ) -> Result<bool, ReplyError> {
        let before = before.filter(|b| (b.width(), b.height()) == (into.width(), into.height()));
        let stride = into.width() as usize;
        let (w, h) = (width as usize, height as usize);
        let first = y as usize * stride + x as usize;
        let mut changed = before.is_none();
        let mut row = |i: usize, copy: &mut dyn FnMut(&mut [u32])| {
            let at = first + i * stride;
            let to = &mut into.pixels_mut()[at..at + w];
            copy(to);
            if !changed {
                changed = before.is_none_or(|b| b.pixels()[at..at + w] != *to);
            }
        };
        match pending {
            Pending::Shared(cookie) => {
                cookie.reply()?;
                let pixels = self.segment.as_ref().map_or(&[][..], Segment::pixels);
                for (i, from) in pixels.chunks_exact(w.max(1)).take(h).enumerate() {
                    row(i, &mut |to| {
                        for (t, f) in to.iter_mut().zip(from) {
                            // The top byte is undefined at depth 24 and opacity at depth 32.
                            *t = f & 0x00ff_ffff;
                        }
                    });
                }
            }
            Pending::Plain(cookie) => {
                let data = cookie.reply()?.data;
                for (i, from) in data.chunks_exact(w.max(1) * 4).take(h).enumerate() {
                    row(i, &mut |to| {
                        for (t, f) in to.iter_mut().zip(from.as_chunks::<4>().0) {
                            *t = u32::from_ne_bytes(*f) & 0x00ff_ffff;
                        }
                    });
                }
            }
        }
        Ok(changed)
    }
}

fn has_shm(display: &Display) -> bool {
    // Version 1.2 brought passing of file descriptors, which needs no cleaning up by key.
    display
        .conn
        .shm_query_version()
        .ok()
        .and_then(|c| c.reply().ok())
        .is_some_and(|v| (v.major_version, v.minor_version) >= (1, 2))
}

/// Memory shared with the X server. The server forgets it with the connection.
struct Segment {
    id: shm::Seg,
    map: memmap2::MmapRaw,
}

impl Segment {
    /// `None` if this machine or the server refuses; the caller then does without.
    #[cfg(target_os = "linux")]
    fn attach(conn: &RustConnection, bytes: usize) -> Result<Option<Self>, ConnectionError> {
        use rustix::fs::{MemfdFlags, SealFlags};
        let make = || -> rustix::io::Result<_> {
            let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
            let file = rustix::fs::memfd_create("kibitzer-capture", flags)?;
            rustix::fs::ftruncate(&file, bytes as u64)?;
            rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK)?;
            Ok(file)
        };
        let Ok(file) = make() else { return Ok(None) };
        let Ok(map) = memmap2::MmapRaw::map_raw(&file) else {
            return Ok(None);
        };
        let Ok(id) = x11rb::connection::Connection::generate_id(conn) else {
            return Ok(None);
        };
        match conn.shm_attach_fd(id, file, false)?.check() {
            Ok(()) => Ok(Some(Self { id, map })),
            Err(ReplyError::X11Error(_)) => Ok(None),
            Err(ReplyError::ConnectionError(e)) => Err(e),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn attach(_: &RustConnection, _: usize) -> Result<Option<Self>, ConnectionError> {
        Ok(None)
    }

    fn len(&self) -> usize {
        self.map.len()
    }

    #[allow(unsafe_code)]
    fn pixels(&self) -> &[u32] {
        // SAFETY: the mapping is page-aligned, lives as long as `self`, any bytes are valid
        // u32s, and the file is sealed against shrinking, so that no access can fault. The
        // server writes only while it serves a request of ours, and `Grabber::take` reads only
        // after the answer to the one request that may be under way has arrived.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.map.len() / 4) }
    }
}
