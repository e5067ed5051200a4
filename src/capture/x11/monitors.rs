//! The monitors of a screen, by RandR.

use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::ConnectionExt as _;

use super::{Display, lost};
use crate::capture::CaptureError;
use crate::types::Rect;

/// One monitor in root coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// As RandR names it: `HDMI-1`.
    pub name: String,
    /// Its place on the screen.
    pub rect: Rect,
}

/// All monitors, the primary one first; one that is the whole screen where RandR 1.5 is missing.
///
/// # Errors
/// When the X server is gone.
pub fn list(display: &Display) -> Result<Vec<Monitor>, CaptureError> {
    let mut found = Vec::new();
    let reply = display
        .conn
        .randr_get_monitors(display.root, true)
        .ok()
        .map(|c| c.reply());
    if let Some(Ok(reply)) = reply {
        for m in reply.monitors {
            let name = display
                .conn
                .get_atom_name(m.name)
                .map_err(lost)?
                .reply()
                .map(|r| String::from_utf8_lossy(&r.name).into_owned())
                .unwrap_or_default();
            let rect = Rect {
                x: i32::from(m.x),
                y: i32::from(m.y),
                width: u32::from(m.width),
                height: u32::from(m.height),
            };
            found.push((!m.primary, Monitor { name, rect }));
        }
    }
    found.sort_by_key(|(secondary, _)| *secondary);
    let mut monitors: Vec<_> = found.into_iter().map(|(_, m)| m).collect();
    if monitors.is_empty() {
        monitors.push(Monitor {
            name: "screen".into(),
            rect: super::root_rect(display)?,
        });
    }
    Ok(monitors)
}
