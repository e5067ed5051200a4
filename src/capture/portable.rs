//! Screens and windows where there is no X server: macOS, Windows, Wayland, by the xcap library.
//!
//! Takes the same [`WindowQuery`] and [`Area`] as the X11 sources and gives the same frames,
//! slower (5 to 20 ms each, a new picture allocated every time). The library keeps nothing
//! between two pictures, so the window is looked up for each. Where the system scales (HiDPI) a
//! picture has more pixels than `Placement::on_screen` has units. Must never be chosen where X11
//! works: it cannot tell where the pointer is, nor see a window change while it copies.
//!
//! Limits: on macOS the program needs the permission for screen recording, without which windows
//! have no titles or show only the desktop; on Wayland windows cannot be listed, so only screens
//! work, and the compositor may ask the person each time.

use std::sync::Arc;

use xcap::image::RgbaImage;
use xcap::{Monitor, Window, XCapError, XCapResult};

use super::pace::Pace;
use super::pool::Pool;
use super::query::{WindowInfo, WindowQuery};
use super::screen::Area;
use super::{CaptureError, FrameSource};
use crate::types::picture::packed;
use crate::types::{Clock, Feed, Frame, Hidden, Picture, Placement, Rect, SourceId, Time};

/// What both kinds of source share: rhythm, buffers, numbering.
struct Reel {
    id: SourceId,
    clock: Arc<dyn Clock>,
    pace: Pace,
    pool: Pool,
    last: Option<Arc<Picture>>,
    looked: Option<Time>,
    seq: u64,
}

impl Reel {
    fn new(id: String, clock: Arc<dyn Clock>, pace: Pace) -> Self {
        Self {
            id: id.into(),
            clock,
            pace,
            pool: Pool::default(),
            last: None,
            looked: None,
            seq: 0,
        }
    }

    /// Whether it is time for a picture before `deadline`.
    fn due(&mut self, deadline: Time) -> bool {
        let due = self.pace.wait(&*self.clock, self.looked, deadline);
        if due {
            self.looked = Some(self.clock.now());
        }
        due
    }

    fn frame(&mut self, image: &RgbaImage, captured_at: Time, placement: Placement) -> Feed {
        let mut fresh = self.pool.take(image.width(), image.height());
        if let Some(picture) = Arc::get_mut(&mut fresh) {
            for (to, from) in picture.pixels_mut().iter_mut().zip(image.pixels()) {
                let [r, g, b, _] = from.0;
                *to = packed([r, g, b]);
            }
        }
        let changed = self.last.as_ref().is_none_or(|last| **last != *fresh);
        if let Some(old) = self.last.replace(Arc::clone(&fresh)) {
            self.pool.keep(old);
        }
        self.seq += 1;
        Feed::Frame(Frame {
            seq: self.seq,
            captured_at,
            source: Arc::clone(&self.id),
            picture: fresh,
            changed,
            placement: Some(placement),
            windows: None,
        })
    }
}

/// Captures one window of any system.
pub struct PortableWindow {
    reel: Reel,
    window: u32,
    title: String,
}

impl PortableWindow {
    /// Opens the window that is meant.
    ///
    /// # Errors
    /// [`CaptureError::Open`], which lists the windows there are.
    pub fn open(
        query: &WindowQuery,
        clock: Arc<dyn Clock>,
        pace: Pace,
    ) -> Result<Self, CaptureError> {
        let all = Window::all().map_err(|e| cannot_open("list windows", &e))?;
        let known: Vec<_> = all.iter().filter_map(|w| describe(w).ok()).collect();
        let chosen = query.choose(&known)?;
        Ok(Self {
            reel: Reel::new(format!("window:{query}"), clock, pace),
            window: chosen.id,
            title: chosen.title.clone(),
        })
    }

    /// The system's id of the window.
    #[must_use]
    pub const fn window(&self) -> u32 {
        self.window
    }

    fn capture(&mut self) -> Result<Feed, CaptureError> {
        let all = Window::all().map_err(|e| lost(&e))?;
        let Some(window) = all.iter().find(|w| w.id().ok() == Some(self.window)) else {
            return Ok(Feed::Ended(format!("window closed: {}", self.title)));
        };
        let before = describe(window).map_err(|e| lost(&e))?;
        if !before.viewable {
            return Ok(Feed::Hidden(Hidden::Minimised));
        }
        let Some(on_screen) = desktop().and_then(|d| before.rect.intersection(&d)) else {
            return Ok(Feed::Hidden(Hidden::OffScreen));
        };
        let above = window.z().map_err(|e| lost(&e))?;
        let obscured = all.iter().any(|other| {
            other.z().is_ok_and(|z| z > above)
                && describe(other).is_ok_and(|o| {
                    o.viewable && o.id != self.window && o.rect.intersection(&on_screen).is_some()
                })
        });
        let captured_at = self.reel.clock.now();
        let image = window.capture_image().map_err(|e| lost(&e))?;
        if describe(window).ok().as_ref() != Some(&before) || image.width() == 0 {
            // It moved meanwhile; the next look will be right.
            return Ok(Feed::Quiet);
        }
        let visible = scaled(on_screen, before.rect, image.width(), image.height());
        let placement = Placement {
            on_screen: before.rect,
            visible,
            window: Some(self.window),
            obscured,
            pointer: None,
        };
        Ok(self.reel.frame(&image, captured_at, placement))
    }
}

impl FrameSource for PortableWindow {
    fn id(&self) -> SourceId {
        Arc::clone(&self.reel.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        if self.reel.due(deadline) {
            self.capture()
        } else {
            Ok(Feed::Quiet)
        }
    }
}

/// Captures a monitor of any system, or a region of one.
pub struct PortableScreen {
    reel: Reel,
    area: Area,
}

impl PortableScreen {
    /// Opens an area: the whole screen is the primary monitor here, and a region lies on the
    /// monitor that holds its top left corner.
    ///
    /// # Errors
    /// [`CaptureError::Open`]; for an unknown monitor it lists the monitors there are.
    pub fn open(area: Area, clock: Arc<dyn Clock>, pace: Pace) -> Result<Self, CaptureError> {
        find(&area)?;
        let id = match area.to_string() {
            all if all.is_empty() => "screen".into(),
            part => format!("screen:{part}"),
        };
        Ok(Self {
            reel: Reel::new(id, clock, pace),
            area,
        })
    }

    fn capture(&mut self) -> Result<Feed, CaptureError> {
        let monitor = match find(&self.area) {
            Ok(monitor) => monitor,
            Err(e) => return Ok(Feed::Ended(e.to_string())),
        };
        let whole = place(&monitor).map_err(|e| lost(&e))?;
        let captured_at = self.reel.clock.now();
        let (rect, image) = match &self.area {
            Area::Region(wanted) => {
                let Some(part) = wanted.intersection(&whole) else {
                    return Ok(Feed::Hidden(Hidden::OffScreen));
                };
                let (x, y) = ((part.x - whole.x) as u32, (part.y - whole.y) as u32);
                (part, monitor.capture_region(x, y, part.width, part.height))
            }
            _ => (whole, monitor.capture_image()),
        };
        let image = image.map_err(|e| lost(&e))?;
        let placement = Placement {
            on_screen: rect,
            visible: Rect {
                x: 0,
                y: 0,
                width: image.width(),
                height: image.height(),
            },
            window: None,
            obscured: false,
            pointer: None,
        };
        Ok(self.reel.frame(&image, captured_at, placement))
    }
}

impl FrameSource for PortableScreen {
    fn id(&self) -> SourceId {
        Arc::clone(&self.reel.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        if self.reel.due(deadline) {
            self.capture()
        } else {
            Ok(Feed::Quiet)
        }
    }
}

fn find(area: &Area) -> Result<Monitor, CaptureError> {
    let mut all = Monitor::all().map_err(|e| cannot_open("list monitors", &e))?;
    all.sort_by_key(|m| !m.is_primary().unwrap_or(false));
    let position = match area {
        Area::Whole => Some(0),
        Area::Monitor(wanted) => all
            .iter()
            .position(|m| m.name().is_ok_and(|n| n.eq_ignore_ascii_case(wanted)))
            .or_else(|| wanted.parse::<usize>().ok()?.checked_sub(1)),
        Area::Region(r) => all.iter().position(|m| {
            let corner = Rect {
                width: 1,
                height: 1,
                ..*r
            };
            place(m).is_ok_and(|p| p.intersection(&corner).is_some())
        }),
    };
    let names: Vec<_> = all.iter().filter_map(|m| m.name().ok()).collect();
    position
        .filter(|&i| i < all.len())
        .map(|i| all.swap_remove(i))
        .ok_or_else(|| {
            CaptureError::Open(format!(
                "there is no monitor for \"{area}\"; there are: {}",
                names.join(", ")
            ))
        })
}

fn place(monitor: &Monitor) -> XCapResult<Rect> {
    Ok(Rect {
        x: monitor.x()?,
        y: monitor.y()?,
        width: monitor.width()?,
        height: monitor.height()?,
    })
}

/// The smallest rectangle around all monitors.
fn desktop() -> Option<Rect> {
    let all = Monitor::all().ok()?;
    all.iter().filter_map(|m| place(m).ok()).reduce(|a, b| {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        let right = (a.x + a.width as i32).max(b.x + b.width as i32);
        let low = (a.y + a.height as i32).max(b.y + b.height as i32);
        Rect {
            x,
            y,
            width: (right - x) as u32,
            height: (low - y) as u32,
        }
    })
}

fn describe(window: &Window) -> XCapResult<WindowInfo> {
    let program = window.app_name()?;
    Ok(WindowInfo {
        id: window.id()?,
        title: window.title()?,
        class: [program.clone(), program],
        rect: Rect {
            x: window.x()?,
            y: window.y()?,
            width: window.width()?,
            height: window.height()?,
        },
        viewable: !window.is_minimized()?,
    })
}

/// A part of a window, from screen units into the pixels of its picture.
fn scaled(part: Rect, window: Rect, width: u32, height: u32) -> Rect {
    let along = |at: i64, whole: u32, pixels: u32| -> i64 {
        at * i64::from(pixels) / i64::from(whole.max(1))
    };
    let (x0, y0) = (i64::from(part.x - window.x), i64::from(part.y - window.y));
    let (x1, y1) = (x0 + i64::from(part.width), y0 + i64::from(part.height));
    let x = along(x0, window.width, width);
    let y = along(y0, window.height, height);
    Rect {
        x: x as i32,
        y: y as i32,
        width: (along(x1, window.width, width) - x) as u32,
        height: (along(y1, window.height, height) - y) as u32,
    }
}

fn cannot_open(what: &str, error: &XCapError) -> CaptureError {
    CaptureError::Open(format!(
        "cannot {what}: {error}; allow this program to record the screen in the system's privacy \
         settings"
    ))
}

fn lost(error: &XCapError) -> CaptureError {
    CaptureError::Lost(format!("the screen can no longer be captured: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_window() {
        let rect = |x, y, width, height| Rect {
            x,
            y,
            width,
            height,
        };
        let window = rect(-50, 10, 200, 100);
        assert_eq!(
            scaled(rect(0, 10, 150, 100), window, 400, 200),
            rect(100, 0, 300, 200)
        );
        assert_eq!(scaled(window, window, 200, 100), rect(0, 0, 200, 100));
    }
}
