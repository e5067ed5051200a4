//! The windows that a person would call windows, with their names.
//!
//! Takes a display and gives client windows: by the window manager's own list where there is
//! one, else by walking the tree. Must never list frames, helper windows or the desktop's parts
//! without a name.

use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, GetPropertyReply, MapState, Window, WindowClass,
};

use super::{Display, area, lost, unless_closed};
use crate::capture::CaptureError;
use crate::capture::query::WindowInfo;

/// Anything smaller is a helper window: toolkits keep some of 1x1 or 10x10 px, named like
/// the real one.
const SMALLEST: u32 = 16;

/// All client windows, those mapped first.
///
/// # Errors
/// When the X server is gone.
pub fn list(display: &Display) -> Result<Vec<WindowInfo>, CaptureError> {
    let mut found = Vec::new();
    if let Some(managed) = managed(display)? {
        for id in managed {
            found.extend(describe(display, id)?);
        }
    } else {
        walk(display, display.root, 0, &mut found)?;
    }
    found.retain(|w| w.rect.width >= SMALLEST && w.rect.height >= SMALLEST);
    found.sort_by_key(|w| !w.viewable);
    Ok(found)
}

/// What is known of one window; `None` if there is no such window any more.
///
/// # Errors
/// When the X server is gone.
pub fn describe(display: &Display, id: Window) -> Result<Option<WindowInfo>, CaptureError> {
    let (conn, atoms) = (&display.conn, &display.atoms);
    let text = |property: u32| conn.get_property(false, id, property, AtomEnum::ANY, 0, 256);
    let attributes = conn.get_window_attributes(id).map_err(lost)?;
    let geometry = conn.get_geometry(id).map_err(lost)?;
    let origin = conn
        .translate_coordinates(id, display.root, 0, 0)
        .map_err(lost)?;
    let utf8 = text(atoms._NET_WM_NAME).map_err(lost)?;
    let name = text(AtomEnum::WM_NAME.into()).map_err(lost)?;
    let class = text(AtomEnum::WM_CLASS.into()).map_err(lost)?;
    let (Some(attributes), Some(geometry), Some(origin)) = (
        unless_closed(attributes.reply())?,
        unless_closed(geometry.reply())?,
        unless_closed(origin.reply())?,
    ) else {
        return Ok(None);
    };
    let (Some(utf8), Some(name), Some(class)) = (
        unless_closed(utf8.reply())?,
        unless_closed(name.reply())?,
        unless_closed(class.reply())?,
    ) else {
        return Ok(None);
    };
    if attributes.class != WindowClass::INPUT_OUTPUT {
        return Ok(None);
    }
    let title = if utf8.value.is_empty() {
        if name.type_ == atoms.UTF8_STRING {
            String::from_utf8_lossy(&name.value).into_owned()
        } else {
            // STRING is Latin-1, whose code points are Unicode's first 256.
            name.value.iter().map(|&b| char::from(b)).collect()
        }
    } else {
        String::from_utf8_lossy(&utf8.value).into_owned()
    };
    let mut parts = class
        .value
        .split(|&b| b == 0)
        .map(|p| String::from_utf8_lossy(p).into_owned());
    let instance = parts.next().unwrap_or_default();
    Ok(Some(WindowInfo {
        id,
        title: title.trim_end_matches('\0').to_owned(),
        class: [instance.clone(), parts.next().unwrap_or(instance)],
        rect: area(&origin, &geometry),
        viewable: attributes.map_state == MapState::VIEWABLE,
    }))
}

/// The window manager's list of client windows; `None` without a (living) window manager.
fn managed(display: &Display) -> Result<Option<Vec<Window>>, CaptureError> {
    let atoms = &display.atoms;
    // The properties outlive a window manager that crashed; its check window does not.
    let check = words(display, display.root, atoms._NET_SUPPORTING_WM_CHECK)?;
    let Some(&check) = check.first() else {
        return Ok(None);
    };
    if words(display, check, atoms._NET_SUPPORTING_WM_CHECK)?.first() != Some(&check) {
        return Ok(None);
    }
    let reply = property(display, display.root, atoms._NET_CLIENT_LIST)?;
    Ok(reply
        .filter(|r| r.format == 32)
        .and_then(|r| r.value32().map(Iterator::collect)))
}

/// The numbers in a property of 32-bit numbers; empty if there is no such property or window.
pub fn words(display: &Display, id: Window, name: u32) -> Result<Vec<u32>, CaptureError> {
    Ok(property(display, id, name)?
        .and_then(|r| r.value32().map(Iterator::collect))
        .unwrap_or_default())
}

fn property(
    display: &Display,
    id: Window,
    name: u32,
) -> Result<Option<GetPropertyReply>, CaptureError> {
    let reply = display
        .conn
        .get_property(false, id, name, AtomEnum::ANY, 0, 1 << 16)
        .map_err(lost)?
        .reply();
    unless_closed(reply)
}

/// A window with a name or a manager's mark is a client; nameless ones (frames) are looked into.
fn walk(
    display: &Display,
    parent: Window,
    depth: u32,
    found: &mut Vec<WindowInfo>,
) -> Result<(), CaptureError> {
    // Frames nest two or three deep; a program's own widgets are not looked at.
    if depth > 4 {
        return Ok(());
    }
    let reply = display.conn.query_tree(parent).map_err(lost)?.reply();
    let Some(tree) = unless_closed(reply)? else {
        return Ok(());
    };
    // Topmost first.
    for &child in tree.children.iter().rev() {
        let Some(info) = describe(display, child)? else {
            continue;
        };
        let marked = !words(display, child, display.atoms.WM_STATE)?.is_empty();
        if marked || !info.title.is_empty() || !info.class[0].is_empty() {
            if info.viewable || marked {
                found.push(info);
            }
        } else if info.viewable {
            walk(display, child, depth + 1, found)?;
        }
    }
    Ok(())
}

/// Whether the window is minimised by the manager's mark, also where it stays mapped.
///
/// # Errors
/// When the X server is gone.
pub fn is_iconic(display: &Display, id: Window) -> Result<bool, CaptureError> {
    // ICCCM 4.1.3.1: 1 is normal, 3 iconic.
    Ok(words(display, id, display.atoms.WM_STATE)?.first() == Some(&3))
}

/// Whether the window is mapped together with all its ancestors; `None` if it does not exist.
///
/// # Errors
/// When the X server is gone.
pub fn is_viewable(display: &Display, id: Window) -> Result<Option<bool>, CaptureError> {
    let reply = display
        .conn
        .get_window_attributes(id)
        .map_err(lost)?
        .reply();
    Ok(unless_closed(reply)?.map(|a| a.map_state == MapState::VIEWABLE))
}
