//! The screen: whether there is one, what its server can do, and whether it can be captured.

use std::sync::Arc;
use std::time::Duration;

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};

use super::Needs;
use super::finding::Finding;
use crate::capture::FrameSource as _;
use crate::capture::pace::Pace;
use crate::capture::screen::{Area, ScreenSource};
use crate::capture::x11::{Display, monitors, windows};
use crate::types::{Clock, Feed, Picture, SystemClock};

/// Extensions: name, what is lost without it, whether nothing works without it.
const EXTENSIONS: [(&str, &str, bool); 6] = [
    ("XTEST", "nothing can be clicked or typed", true),
    ("RANDR", "monitors cannot be told apart", false),
    ("MIT-SHM", "capture takes several times as long", false),
    ("XFIXES", "the pointer is not told from the picture", false),
    (
        "DAMAGE",
        "unchanged screens are read again and again",
        false,
    ),
    (
        "Composite",
        "windows are captured with what lies over them",
        false,
    ),
];

/// Looks; whether there is a screen.
pub(super) fn look(needs: Needs<'_>, tell: &mut dyn FnMut(Finding)) -> bool {
    if std::env::var_os("WAYLAND_DISPLAY").is_some() {
        tell(Finding::warn(
            "display",
            "session",
            "this is a Wayland session: only windows of X11 programs can be seen and played",
            "choose an X11 (Xorg) session when logging in, or build with --features portable-capture \
             to look at other windows",
        ));
    }
    let display = match Display::open(None) {
        Ok(display) => display,
        Err(error) => {
            tell(Finding::missing(
                needs.screen,
                "display",
                "X display",
                error.to_string(),
                "start this in the desktop session; games by camera and relays need no display",
            ));
            return false;
        }
    };
    let (vendor, release) = {
        let setup = display.conn.setup();
        let vendor = String::from_utf8_lossy(&setup.vendor).into_owned();
        (vendor, setup.release_number)
    };
    let kind = if display.local {
        "local"
    } else {
        "remote: capture is slow"
    };
    let text = format!(
        "{} {vendor} {release}, {kind}",
        std::env::var("DISPLAY").unwrap_or_default()
    );
    tell(Finding::ok("display", "X display", text));
    extensions(&display, tell);
    screens(&display, tell);
    manager(&display, tell);
    seen_windows(&display, tell);
    tell(test_capture());
    true
}

fn extensions(display: &Display, tell: &mut dyn FnMut(Finding)) {
    let mut there = Vec::new();
    for (name, lost, needed) in EXTENSIONS {
        let asked = name.to_owned();
        let found = display.conn.query_extension(asked.as_bytes());
        let found = found.ok().and_then(|c| c.reply().ok());
        if found.is_some_and(|r| r.present) {
            there.push(name);
            continue;
        }
        tell(Finding::missing(
            needed,
            "display",
            &format!("extension {name}"),
            format!("the X server has none: {lost}"),
            "start the X server with it (Xvfb and Xorg have it unless -extension turns it off)",
        ));
    }
    tell(Finding::ok("display", "extensions", there.join(", ")));
}

fn screens(display: &Display, tell: &mut dyn FnMut(Finding)) {
    match monitors::list(display) {
        Ok(list) => {
            for (n, m) in list.iter().enumerate() {
                let r = m.rect;
                let text = format!("{}x{} at {},{}", r.width, r.height, r.x, r.y);
                let name = format!("monitor {} {}", n + 1, m.name);
                tell(Finding::ok("display", &name, text));
            }
        }
        Err(error) => tell(Finding::fail(
            "display",
            "monitors",
            error.to_string(),
            "look at the X server's log",
        )),
    }
    let text = match dpi(display) {
        Some(dpi) => format!(
            "programs draw at {:.0} % (Xft.dpi {dpi}); boards are found at any size",
            dpi / 0.96
        ),
        None => "none is set: programs draw at 100 %".to_owned(),
    };
    tell(Finding::ok("display", "scale", text));
}

/// The resolution that programs draw for, where the desktop has set one.
fn dpi(display: &Display) -> Option<f64> {
    let (from, to) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
    let asked = display
        .conn
        .get_property(false, display.root, from, to, 0, 1 << 16);
    let text = asked.ok()?.reply().ok()?.value;
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = text.lines().find_map(|l| l.strip_prefix("Xft.dpi:"))?;
    line.trim()
        .parse()
        .ok()
        .filter(|dpi: &f64| dpi.is_finite() && *dpi > 0.0)
}

fn manager(display: &Display, tell: &mut dyn FnMut(Finding)) {
    let atom = |name: &str| -> Option<u32> {
        let asked = display.conn.intern_atom(true, name.as_bytes()).ok()?;
        asked.reply().ok().map(|r| r.atom).filter(|a| *a != 0)
    };
    let property = |window: u32, name: u32, kind: u32| {
        let asked = display
            .conn
            .get_property(false, window, name, kind, 0, 1024);
        asked.ok()?.reply().ok().filter(|r| !r.value.is_empty())
    };
    let named = atom("_NET_SUPPORTING_WM_CHECK").and_then(|check| {
        let reply = property(display.root, check, AtomEnum::WINDOW.into())?;
        let window = reply.value32()?.next()?;
        let name = property(window, atom("_NET_WM_NAME")?, atom("UTF8_STRING")?);
        Some(name.map_or_else(
            || "without a name".to_owned(),
            |n| String::from_utf8_lossy(&n.value).into_owned(),
        ))
    });
    tell(match named {
        Some(name) => Finding::ok("display", "window manager", name),
        None => Finding::warn(
            "display",
            "window manager",
            "none answers: windows cannot be raised or given the focus by one",
            "start one (openbox is small) where the game's windows lie over each other",
        ),
    });
}

fn seen_windows(display: &Display, tell: &mut dyn FnMut(Finding)) {
    tell(match windows::list(display) {
        Ok(list) => {
            let shown = list.iter().filter(|w| w.viewable);
            let names: Vec<String> = shown.map(|w| format!("\"{}\"", w.title)).collect();
            let text = match names.len() {
                0 => "none is open".to_owned(),
                n if n > 8 => format!("{n}: {}, ...", names[..8].join(", ")),
                n => format!("{n}: {}", names.join(", ")),
            };
            Finding::ok("display", "windows", text)
        }
        Err(error) => Finding::fail(
            "display",
            "windows",
            error.to_string(),
            "look at the X server's log",
        ),
    });
}

/// Frames that are looked at.
const FRAMES: usize = 10;
/// A frame that takes longer than this is slow for games that do not wait.
const SLOW: Duration = Duration::from_millis(20);

fn test_capture() -> Finding {
    let name = "test capture";
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let pace = Pace::new(Duration::ZERO);
    let source = ScreenSource::open(None, Area::Whole, Arc::clone(&clock), pace);
    let mut took = Vec::new();
    let mut last = None;
    let done = source.and_then(|mut source| {
        for _ in 0..FRAMES {
            let begun = clock.now();
            if let Feed::Frame(frame) = source.next(begun + Duration::from_secs(2))? {
                took.push(clock.now() - begun);
                last = Some(frame.picture);
            }
        }
        Ok(())
    });
    let fix = "lock no screen while a game is played; where a compositor hides the screen from \
               other programs, turn that off";
    match (done, last) {
        (Err(error), _) => Finding::fail("display", name, error.to_string(), fix),
        (Ok(()), None) => Finding::fail("display", name, "no frame came within 2 s", fix),
        (Ok(()), Some(picture)) => {
            took.sort();
            let usual = took[took.len() / 2];
            let text = format!(
                "{}x{} in {:.1} ms",
                picture.width(),
                picture.height(),
                usual.as_secs_f64() * 1e3
            );
            if is_black(&picture) {
                let text = format!("{text}, but all of it is black");
                Finding::warn("display", name, text, fix)
            } else if usual > SLOW {
                let fix = "watch the game's window or a region instead of the whole screen, and \
                           see that MIT-SHM works";
                Finding::warn("display", name, format!("{text}: that is slow"), fix)
            } else {
                Finding::ok("display", name, text)
            }
        }
    }
}

fn is_black(picture: &Picture) -> bool {
    picture.pixels().iter().all(|&p| p == 0)
}
