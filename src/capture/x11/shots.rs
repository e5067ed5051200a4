//! One picture after another from the same drawable: buffers reused, changes noticed.
//!
//! Takes the part of the frame that is on the screen; the rest of the picture is black.

use std::sync::Arc;

use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::xproto::Drawable;

use super::Display;
use super::grab::{Grabber, Pending};
use crate::capture::pool::Pool;
use crate::types::{Picture, Rect};

/// The pictures of one source.
pub struct Shots {
    grabber: Grabber,
    pool: Pool,
    last: Option<(Arc<Picture>, Rect)>,
}

impl Shots {
    /// None taken yet.
    #[must_use]
    pub fn new(grabber: Grabber) -> Self {
        Self {
            grabber,
            pool: Pool::default(),
            last: None,
        }
    }

    /// Whether pixels come by shared memory.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        self.grabber.is_shared()
    }

    /// Sends the request for `part`, in the drawable's coordinates.
    ///
    /// # Errors
    /// When the connection is broken.
    pub fn ask<'c>(
        &mut self,
        display: &'c Display,
        drawable: Drawable,
        part: Rect,
    ) -> Result<Pending<'c>, ConnectionError> {
        self.grabber.ask(display, drawable, part)
    }

    /// Waits for the pixels of `part` (in the frame's coordinates) of a frame of this size.
    ///
    /// # Errors
    /// What the server answered instead of an image.
    pub fn take(
        &mut self,
        pending: Pending<'_>,
        (width, height): (u32, u32),
        part: Rect,
    ) -> Result<Shot, ReplyError> {
        let mut fresh = self.pool.take(width, height);
        let before = self.last.as_ref().filter(|(_, p)| *p == part);
        // The pool hands out only pictures that nobody else holds.
        let Some(picture) = Arc::get_mut(&mut fresh) else {
            return Err(ConnectionError::UnknownError.into());
        };
        if (part.width, part.height) != (width, height) {
            picture.pixels_mut().fill(0);
        }
        let taken = self.grabber.take(
            pending,
            (part.width, part.height),
            picture,
            (part.x as u32, part.y as u32),
            before.map(|(p, _)| &**p),
        );
        match taken {
            Ok(changed) => Ok(Shot {
                picture: fresh,
                changed,
                part,
            }),
            Err(e) => {
                self.pool.keep(fresh);
                Err(e)
            }
        }
    }

    /// Makes a shot the one that later ones are compared with. An unchanged shot gives its
    /// buffer back and the earlier picture stands for it.
    pub fn deliver(&mut self, shot: Shot) -> (Arc<Picture>, bool) {
        if !shot.changed
            && let Some((last, _)) = &self.last
        {
            self.pool.keep(shot.picture);
            return (Arc::clone(last), false);
        }
        if let Some((old, _)) = self.last.replace((Arc::clone(&shot.picture), shot.part)) {
            self.pool.keep(old);
        }
        (shot.picture, true)
    }

    /// Drops a shot that was taken while the window moved.
    pub fn discard(&mut self, shot: Shot) {
        self.pool.keep(shot.picture);
    }
}

/// A picture that has been taken and may still prove to be wrong.
pub struct Shot {
    picture: Arc<Picture>,
    changed: bool,
    part: Rect,
}
