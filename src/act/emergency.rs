//! The emergency stop: a key chord held, or the pointer pushed into a corner of the screen.
//!
//! Takes the run's [`Stop`] and pulls it, whatever the loop is doing; it has a thread and a
//! connection of its own. Must never grab a key (the chord keeps its meaning for other
//! programs) and never take a move of our own hands for a person's.
//!
//! Limit: under Wayland an X client learns of keys only while an X window has the focus.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::ConnectionExt as _;

use super::ActError;
use super::desk::{Desk, gone, read_layout, refused};
use super::keys::Chord;
use super::mouse::LastMove;
use super::release::release_everything;
use crate::types::{Clock, Rect, Stop};

/// The default chord.
pub const DEFAULT_CHORD: &str = "ctrl+alt+x";

/// How often keys and pointer are looked at. A chord is held for 50 ms at the very least.
const INTERVAL: Duration = Duration::from_millis(20);

/// How near to a corner counts, in pixels.
const NEAR: i32 = 2;

/// After so many looks monitors and layout are asked for again: about once a second.
const REFRESH: u32 = 50;

/// What pulls the stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triggers {
    /// A chord such as `ctrl+alt+x` or a single key such as `Pause`; `None` for no key.
    pub chord: Option<String>,
    /// Whether the pointer in a corner of the screen or of a monitor does.
    pub corners: bool,
}

impl Default for Triggers {
    fn default() -> Self {
        Self {
            chord: Some(DEFAULT_CHORD.into()),
            corners: true,
        }
    }
}

/// Keeps the emergency stop working; dropping it ends the thread.
#[derive(Debug)]
pub struct EmergencyWatch(Arc<AtomicBool>);

impl Drop for EmergencyWatch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Starts to watch the display of this name, or `$DISPLAY`. `hands` is what our own mouse did
/// last. The thread ends when the stop is pulled, by whomever; if it loses the X server it pulls
/// the stop itself, since nobody could stop the run any more.
///
/// # Errors
/// [`ActError::Unsupported`] for an unknown chord, [`ActError::Gone`] for no such display.
pub fn watch(
    display: Option<&str>,
    triggers: &Triggers,
    hands: Option<Arc<LastMove>>,
    clock: Arc<dyn Clock>,
    stop: Stop,
) -> Result<EmergencyWatch, ActError> {
    let chord = match &triggers.chord {
        Some(text) => Some((text.clone(), Chord::parse(text)?)),
        None => None,
    };
    let mut lookout = Lookout {
        desk: Desk::open(display)?,
        chord,
        codes: Vec::new(),
        corners: triggers.corners.then(Vec::new),
        was_outside: false,
        suspect: None,
        hands,
    };
    lookout.refresh()?;
    if let Some((text, _)) = &lookout.chord
        && (lookout.codes.is_empty() || lookout.codes.iter().any(Vec::is_empty))
    {
        return Err(ActError::Unsupported(format!(
            "the emergency chord \"{text}\" cannot be typed on this keyboard: choose another"
        )));
    }
    let ended = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&ended);
    std::thread::Builder::new()
        .name("emergency".into())
        .spawn(move || {
            let mut looks = 0;
            while !over.load(Ordering::SeqCst) && !stop.is_pulled() {
                let reason = match lookout.look(looks % REFRESH == REFRESH - 1) {
                    Ok(reason) => reason,
                    Err(e) => Some(format!("emergency stop: it cannot watch any more, as {e}")),
                };
                if let Some(reason) = reason {
                    stop.pull(&reason);
                    release_everything();
                }
                looks += 1;
                clock.sleep_until(clock.now() + INTERVAL);
            }
        })
        .map_err(|e| ActError::Gone(format!("no thread for the emergency stop: {e}")))?;
    Ok(EmergencyWatch(ended))
}

/// What the thread owns.
struct Lookout {
    desk: Desk,
    chord: Option<(String, Chord)>,
    /// For each part of the chord the keycodes any of which will do.
    codes: Vec<Vec<u8>>,
    /// Corner pixels; `None` if corners do not count.
    corners: Option<Vec<(i32, i32)>>,
    /// Whether the pointer has been seen away from the corners: where it rests at the start of
    /// a run says nothing.
    was_outside: bool,
    /// Where the pointer was found in a corner by the last look.
    suspect: Option<(i32, i32)>,
    hands: Option<Arc<LastMove>>,
}

impl Lookout {
    /// The reason to stop, if there is one.
    fn look(&mut self, refresh: bool) -> Result<Option<String>, ActError> {
        if refresh {
            self.refresh()?;
        }
        let conn = &self.desk.conn;
        let keys = conn.query_keymap().map_err(gone)?;
        let pointer = conn.query_pointer(self.desk.root).map_err(gone)?;
        let keys = keys.reply().map_err(refused)?.keys;
        let pointer = pointer.reply().map_err(refused)?;
        if let Some((text, _)) = &self.chord {
            let down = |&c: &u8| keys[usize::from(c / 8)] & (1 << (c % 8)) != 0;
            if self.codes.iter().all(|either| either.iter().any(down)) {
                return Ok(Some(format!(
                    "emergency stop: the keys {text} were pressed"
                )));
            }
        }
        let at = (i32::from(pointer.root_x), i32::from(pointer.root_y));
        let Some(corners) = &self.corners else {
            return Ok(None);
        };
        let near = |a: (i32, i32), b: (i32, i32)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) <= NEAR;
        let in_corner = corners.iter().any(|&c| near(c, at));
        let hands = self.hands.as_ref().map_or([None; 2], |h| h.places());
        let ours = hands.iter().flatten().any(|&p| near(p, at));
        if !in_corner || ours {
            self.was_outside |= !in_corner;
            self.suspect = None;
            return Ok(None);
        }
        // Once might be between the two ends of a move of ours.
        let twice = self
            .suspect
            .replace(at)
            .is_some_and(|before| near(before, at));
        Ok((self.was_outside && twice).then(|| {
            format!(
                "emergency stop: the pointer was pushed into the corner at {},{}",
                at.0, at.1
            )
        }))
    }

    /// Asks where the corners and the chord's keys are now.
    fn refresh(&mut self) -> Result<(), ActError> {
        let (conn, root) = (&self.desk.conn, self.desk.root);
        if let Some((_, chord)) = &self.chord {
            let layout = read_layout(conn)?;
            let either = |both: &[u32; 2]| both.iter().flat_map(|&s| layout.all(s)).collect();
            self.codes = chord.modifiers.iter().map(either).collect();
            self.codes.push(
                layout
                    .find(chord.key)
                    .map(|(code, _)| code)
                    .into_iter()
                    .collect(),
            );
        }
        if let Some(corners) = &mut self.corners {
            let size = conn.get_geometry(root).map_err(gone)?;
            let monitors = conn.randr_get_monitors(root, true).ok().map(|c| c.reply());
            let size = size.reply().map_err(refused)?;
            let mut rects = vec![Rect {
                x: 0,
                y: 0,
                width: size.width.into(),
                height: size.height.into(),
            }];
            if let Some(Ok(reply)) = monitors {
                rects.extend(reply.monitors.iter().map(|m| Rect {
                    x: m.x.into(),
                    y: m.y.into(),
                    width: m.width.into(),
                    height: m.height.into(),
                }));
            }
            corners.clear();
            for r in rects {
                let (right, low) = (r.x + r.width as i32 - 1, r.y + r.height as i32 - 1);
                corners.extend([(r.x, r.y), (right, r.y), (r.x, low), (right, low)]);
            }
        }
        Ok(())
    }
}
