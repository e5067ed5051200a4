//! Whether another window lies over a part of the screen that one window should fill.
//!
//! Takes a window and its visible area and looks at everything stacked above it and above its
//! ancestors: managed or not, with or without a window manager or a compositor. (The server's
//! own VisibilityNotify is free but says "unobscured" of every window under a compositor, and
//! nothing about the state at the start.) Must be asked again after every change in the stack:
//! [`changes`] tells which events are one.

use x11rb::protocol::Event;
use x11rb::protocol::shape::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, MapState, Window, WindowClass};

use super::{Display, area, lost, unless_closed};
use crate::capture::CaptureError;
use crate::types::Rect;

/// How a window stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The part of the window, in root coordinates, that its ancestors and the screen's edges
    /// leave: a frame that is rolled up, or animated while it is minimised, hides its client
    /// without covering it.
    pub visible: Option<Rect>,
    /// Whether a window above covers part of that. Windows that pass every click through to
    /// what lies below (compositor overlays, on-screen displays) do not count.
    pub obscured: bool,
}

/// Finds out how a window stands whose client area is `rect` in root coordinates; `None` if a
/// window on the way has gone meanwhile, perhaps this one: ask again.
///
/// # Errors
/// When the X server is gone.
pub fn find(
    display: &Display,
    window: Window,
    rect: Rect,
) -> Result<Option<Standing>, CaptureError> {
    let conn = &display.conn;
    let unseen = Standing {
        visible: None,
        obscured: false,
    };
    let Some(mut visible) = rect.intersection(&display.screen) else {
        return Ok(Some(unseen));
    };
    let mut obscured = false;
    let mut below = window;
    loop {
        let reply = conn.query_tree(below).map_err(lost)?.reply();
        let Some(parent) = unless_closed(reply)?.map(|t| t.parent) else {
            return Ok(None);
        };
        if parent == x11rb::NONE {
            return Ok(Some(Standing {
                visible: Some(visible),
                obscured,
            }));
        }
        let siblings = conn.query_tree(parent).map_err(lost)?;
        let origin = conn
            .translate_coordinates(parent, display.root, 0, 0)
            .map_err(lost)?;
        let size = conn.get_geometry(parent).map_err(lost)?;
        let (Some(siblings), Some(origin), Some(size)) = (
            unless_closed(siblings.reply())?,
            unless_closed(origin.reply())?,
            unless_closed(size.reply())?,
        ) else {
            return Ok(None);
        };
        let Some(left) = visible.intersection(&area(&origin, &size)) else {
            return Ok(Some(unseen));
        };
        visible = left;
        let (dx, dy) = (i32::from(origin.dst_x), i32::from(origin.dst_y));
        // Bottom to top.
        let above = siblings
            .children
            .iter()
            .skip_while(|&&c| c != below)
            .skip(1);
        let asked: Vec<_> = above
            .map(|&w| Ok((w, conn.get_window_attributes(w)?, conn.get_geometry(w)?)))
            .collect::<Result<_, _>>()
            .map_err(lost)?;
        for (other, attributes, geometry) in asked {
            let (Some(a), Some(g)) = (
                unless_closed(attributes.reply())?,
                unless_closed(geometry.reply())?,
            ) else {
                continue;
            };
            if a.map_state != MapState::VIEWABLE || a.class != WindowClass::INPUT_OUTPUT {
                continue;
            }
            let border = i32::from(g.border_width);
            let outer = Rect {
                x: dx + i32::from(g.x),
                y: dy + i32::from(g.y),
                width: u32::from(g.width) + 2 * u32::from(g.border_width),
                height: u32::from(g.height) + 2 * u32::from(g.border_width),
            };
            if !obscured
                && outer.intersection(&visible).is_some()
                && covers(
                    display,
                    other,
                    (outer.x + border, outer.y + border),
                    visible,
                )?
            {
                obscured = true;
            }
        }
        below = parent;
    }
}

/// Whether the window's shape, not only its rectangle, reaches into `visible`.
fn covers(
    display: &Display,
    window: Window,
    (x, y): (i32, i32),
    visible: Rect,
) -> Result<bool, CaptureError> {
    let ask = |kind| display.conn.shape_get_rectangles(window, kind);
    let (Ok(bounding), Ok(input)) = (ask(shape::SK::BOUNDING), ask(shape::SK::INPUT)) else {
        // Without the extension windows are rectangles.
        return Ok(true);
    };
    let (Some(bounding), Some(input)) = (
        unless_closed(bounding.reply())?,
        unless_closed(input.reply())?,
    ) else {
        return Ok(false);
    };
    Ok(!input.rectangles.is_empty()
        && bounding.rectangles.iter().any(|r| {
            let part = Rect {
                x: x + i32::from(r.x),
                y: y + i32::from(r.y),
                width: u32::from(r.width),
                height: u32::from(r.height),
            };
            part.intersection(&visible).is_some()
        }))
}

/// Whether the event may change what lies over a window.
#[must_use]
pub const fn changes(event: &Event) -> bool {
    matches!(
        event,
        Event::MapNotify(_)
            | Event::UnmapNotify(_)
            | Event::ConfigureNotify(_)
            | Event::CirculateNotify(_)
            | Event::ReparentNotify(_)
            | Event::DestroyNotify(_)
            | Event::GravityNotify(_)
            | Event::VisibilityNotify(_)
    )
}
