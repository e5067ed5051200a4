//! One window of an X display as a source of frames.
//!
//! Takes a [`WindowQuery`] and gives the window's client area, wherever it moves and whatever
//! size it takes. The pixels are read from the window itself, so under a compositor they are its
//! own even where another window lies over it; without a compositor a covering window shows in
//! them. `Placement::obscured` tells either way. A part outside the screen is black and not in
//! `Placement::visible`. Must never raise, move or focus the window.

use std::sync::Arc;
use std::time::Duration;

use x11rb::connection::Connection as _;
use x11rb::errors::ReplyError;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Window};

use super::pace::Pace;
use super::query::{WindowInfo, WindowQuery};
use super::x11::grab::Grabber;
use super::x11::shots::Shots;
use super::x11::stacking::Standing;
use super::x11::{
    Display, area, is_closed, is_mismatch, lost, pixel, stacking, unexpected, unless_closed,
    windows,
};
use super::{CaptureError, FrameSource};
use crate::types::{Clock, Feed, Frame, Hidden, OtherWindow, Placement, Rect, SourceId, Time};

/// As often a frame is taken again because the window changed meanwhile.
const TRIES: u32 = 6;

/// Captures one window.
pub struct WindowSource {
    display: Display,
    window: Window,
    title: String,
    id: SourceId,
    shots: Shots,
    pace: Pace,
    clock: Arc<dyn Clock>,
    last: Option<Time>,
    seq: u64,
    state: State,
    others: Option<Others>,
}

/// What is known of the display's other windows.
struct Others {
    seen: Arc<[OtherWindow]>,
    at: Option<Time>,
}

/// The stack tells when windows come and go, but not when a manager has written them into its
/// list, nor when one gets its title: they are asked for again after this long.
const OTHERS: Duration = Duration::from_millis(200);

/// What is believed of the window; every frame checks it.
struct State {
    rect: Rect,
    standing: Standing,
    /// Something in the stack may have changed since `standing` was found out.
    stack_changed: bool,
    iconic: bool,
    properties_changed: bool,
    closed: bool,
}

/// What one try came to.
enum Try {
    Done(Feed),
    Again,
}

impl WindowSource {
    /// Opens the window that is meant, on the display of this name or on `$DISPLAY`.
    ///
    /// # Errors
    /// [`CaptureError::Open`], which lists the windows there are.
    pub fn open(
        display: Option<&str>,
        query: &WindowQuery,
        clock: Arc<dyn Clock>,
        pace: Pace,
    ) -> Result<Self, CaptureError> {
        Self::open_before(display, query, clock, pace, Time::ZERO)
    }

    /// Like [`Self::open`], but waits for the window to appear until `deadline`.
    ///
    /// # Errors
    /// As [`Self::open`], at the deadline.
    pub fn open_before(
        display: Option<&str>,
        query: &WindowQuery,
        clock: Arc<dyn Clock>,
        pace: Pace,
        deadline: Time,
    ) -> Result<Self, CaptureError> {
        let display = Display::open(display)?;
        let grabber = Grabber::new(&display);
        loop {
            let found = match Self::find(&display, query)? {
                Ok(info) => Self::watch(&display, &info)?.map(|state| (info, state)),
                Err(e) if clock.now() >= deadline => return Err(e),
                Err(_) => None,
            };
            if let Some((info, state)) = found {
                return Ok(Self {
                    display,
                    window: info.id,
                    title: info.title,
                    id: format!("window:{query}").into(),
                    shots: Shots::new(grabber),
                    pace,
                    clock,
                    last: None,
                    seq: 0,
                    state,
                    others: None,
                });
            }
            clock.sleep_until(clock.now() + Duration::from_millis(20));
        }
    }

    /// The window that is meant; the outer error is a broken display, the inner one may pass.
    fn find(
        display: &Display,
        query: &WindowQuery,
    ) -> Result<Result<WindowInfo, CaptureError>, CaptureError> {
        // A window known by its id need not be in anybody's list.
        if let Some(id) = query.id
            && let Some(info) = windows::describe(display, id)?
        {
            return Ok(query.choose(&[info]).cloned());
        }
        Ok(query.choose(&windows::list(display)?).cloned())
    }

    /// Selects the events that tell of changes; `None` if the window has just been closed.
    fn watch(display: &Display, info: &WindowInfo) -> Result<Option<State>, CaptureError> {
        let conn = &display.conn;
        let select = |window, mask| -> Result<bool, CaptureError> {
            let aux = ChangeWindowAttributesAux::new().event_mask(mask);
            let done = conn.change_window_attributes(window, &aux).map_err(lost)?;
            Ok(unless_closed(done.check())?.is_some())
        };
        let own =
            EventMask::STRUCTURE_NOTIFY | EventMask::VISIBILITY_CHANGE | EventMask::PROPERTY_CHANGE;
        // The root's own size, and everything stacked directly on it.
        let root = EventMask::STRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_NOTIFY;
        if !select(display.root, root)? || !select(info.id, own)? {
            return Ok(None);
        }
        let attributes = conn.get_window_attributes(info.id).map_err(lost)?;
        let geometry = conn.get_geometry(info.id).map_err(lost)?;
        let (Some(a), Some(g)) = (
            unless_closed(attributes.reply())?,
            unless_closed(geometry.reply())?,
        ) else {
            return Ok(None);
        };
        display.check_format(&format!("the window \"{}\"", info.title), a.visual, g.depth)?;
        Ok(Some(State {
            rect: info.rect,
            standing: Standing {
                visible: None,
                obscured: false,
            },
            stack_changed: true,
            iconic: false,
            properties_changed: true,
            closed: false,
        }))
    }

    /// The X id of the window, which the hands check before they click.
    #[must_use]
    pub const fn window(&self) -> u32 {
        self.window
    }

    /// The title the window had when it was opened.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Has every frame tell the other windows of the display too.
    pub fn tell_others(&mut self) {
        self.others = Some(Others {
            seen: Arc::new([]),
            at: None,
        });
    }

    /// Looks at the other windows, if that is asked for and due.
    fn look_around(&mut self, now: Time) -> Result<(), CaptureError> {
        let due = |o: &Others| o.at.is_none_or(|at| now.since(at) >= OTHERS);
        if !self.others.as_ref().is_some_and(due) {
            return Ok(());
        }
        let all = windows::list(&self.display)?;
        let others = all
            .into_iter()
            .filter(|w| w.viewable && w.id != self.window);
        let seen: Vec<OtherWindow> = others
            .map(|w| OtherWindow {
                id: w.id,
                title: w.title,
                class: w.class,
                rect: w.rect,
            })
            .collect();
        if let Some(others) = &mut self.others {
            if *others.seen != *seen {
                others.seen = seen.into();
            }
            others.at = Some(now);
        }
        Ok(())
    }

    /// Reads through the socket instead of shared memory: for comparison.
    pub fn use_socket(&mut self) {
        self.shots = Shots::new(Grabber::plain());
    }

    /// Whether pixels come by shared memory.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        self.shots.is_shared()
    }

    fn closed(&self) -> Feed {
        Feed::Ended(format!("window closed: {}", self.title))
    }

    /// Takes in what the server has told since the last time.
    fn drain(&mut self) -> Result<(), CaptureError> {
        while let Some(event) = self.display.conn.poll_for_event().map_err(lost)? {
            match &event {
                Event::DestroyNotify(e) if e.window == self.window => self.state.closed = true,
                Event::ConfigureNotify(e) if e.window == self.display.root => {
                    self.display.screen.width = u32::from(e.width);
                    self.display.screen.height = u32::from(e.height);
                }
                Event::PropertyNotify(_) => self.state.properties_changed = true,
                _ => {}
            }
            self.state.stack_changed |= stacking::changes(&event);
        }
        Ok(())
    }

    fn capture(&mut self) -> Result<Feed, CaptureError> {
        for _ in 0..TRIES {
            match self.attempt()? {
                Try::Done(feed) => return Ok(feed),
                Try::Again => {}
            }
        }
        // It moves all the time: no frame can be placed.
        Ok(Feed::Quiet)
    }

    fn attempt(&mut self) -> Result<Try, CaptureError> {
        self.drain()?;
        if self.state.closed {
            return Ok(Try::Done(self.closed()));
        }
        if std::mem::take(&mut self.state.properties_changed) {
            self.state.iconic = windows::is_iconic(&self.display, self.window)?;
        }
        let rect = self.state.rect;
        if std::mem::take(&mut self.state.stack_changed) {
            let Some(standing) = stacking::find(&self.display, self.window, rect)? else {
                self.state.stack_changed = true;
                return self.look_again();
            };
            self.state.standing = standing;
        }
        let Some(part) = self.state.standing.visible else {
            return self.look_for_return(rect);
        };
        if self.state.iconic {
            return Ok(Try::Done(Feed::Hidden(Hidden::Minimised)));
        }
        let part = Rect {
            x: part.x - rect.x,
            y: part.y - rect.y,
            ..part
        };

        // The pixels are read after this moment and before the answers arrive: a click made
        // earlier may show in them, a click made later cannot.
        let captured_at = self.clock.now();
        // All requests of a frame travel together; the server answers them in order.
        let (conn, root) = (&self.display.conn, self.display.root);
        let origin = conn.translate_coordinates(self.window, root, 0, 0);
        let size = conn.get_geometry(self.window);
        let image = self.shots.ask(&self.display, self.window, part);
        let origin_after = conn.translate_coordinates(self.window, root, 0, 0);
        let size_after = conn.get_geometry(self.window);
        let pointer = conn.query_pointer(self.window);
        let (origin, size) = (origin.map_err(lost)?, size.map_err(lost)?);
        let image = image.map_err(lost)?;
        let (origin_after, size_after) = (origin_after.map_err(lost)?, size_after.map_err(lost)?);

        let pointer = pointer.map_err(lost)?;

        let before = both(origin.reply(), size.reply());
        let shot = self.shots.take(image, (rect.width, rect.height), part);
        let after = both(origin_after.reply(), size_after.reply());
        let after = match after {
            Ok(after) => after,
            Err(e) if is_closed(&e) => return Ok(Try::Done(self.closed())),
            Err(e) => return Err(unexpected(e)),
        };
        let pointer = unless_closed(pointer.reply())?;
        let shot = match shot {
            Ok(shot) => shot,
            Err(e) if is_closed(&e) => return Ok(Try::Done(self.closed())),
            Err(e) if is_mismatch(&e) => return self.explain_mismatch(rect, after),
            Err(e) => return Err(unexpected(e)),
        };
        self.drain()?;
        let steady = before.is_ok_and(|b| b == rect) && after == rect;
        if !steady || self.state.stack_changed {
            self.state.stack_changed |= !steady;
            self.state.rect = after;
            self.shots.discard(shot);
            return Ok(Try::Again);
        }
        let (picture, changed) = self.shots.deliver(shot);
        self.seq += 1;
        Ok(Try::Done(Feed::Frame(Frame {
            seq: self.seq,
            captured_at,
            source: Arc::clone(&self.id),
            picture,
            changed,
            placement: Some(Placement {
                on_screen: rect,
                visible: part,
                window: Some(self.window),
                obscured: self.state.standing.obscured,
                pointer: pointer
                    .filter(|p| p.same_screen)
                    .map(|p| pixel(p.win_x, p.win_y)),
            }),
            windows: self.others.as_ref().map(|o| Arc::clone(&o.seen)),
        })))
    }

    /// A window went while the stack was looked at: was it this one?
    fn look_again(&self) -> Result<Try, CaptureError> {
        Ok(match windows::is_viewable(&self.display, self.window)? {
            None => Try::Done(self.closed()),
            Some(_) => Try::Again,
        })
    }

    /// Nothing of the window was visible: is it still so?
    fn look_for_return(&mut self, rect: Rect) -> Result<Try, CaptureError> {
        let conn = &self.display.conn;
        let origin = conn
            .translate_coordinates(self.window, self.display.root, 0, 0)
            .map_err(lost)?;
        let size = conn.get_geometry(self.window).map_err(lost)?;
        match both(origin.reply(), size.reply()) {
            Ok(now) if now == rect => Ok(Try::Done(Feed::Hidden(self.hidden_how()?))),
            Ok(now) => {
                self.state.rect = now;
                self.state.stack_changed = true;
                Ok(Try::Again)
            }
            Err(e) if is_closed(&e) => Ok(Try::Done(self.closed())),
            Err(e) => Err(unexpected(e)),
        }
    }

    /// No pixels: the window is unmapped, or has just moved or shrunk.
    fn explain_mismatch(&mut self, rect: Rect, now: Rect) -> Result<Try, CaptureError> {
        if now != rect {
            self.state.rect = now;
            self.state.stack_changed = true;
            return Ok(Try::Again);
        }
        match windows::is_viewable(&self.display, self.window)? {
            None => Ok(Try::Done(self.closed())),
            Some(false) => Ok(Try::Done(Feed::Hidden(Hidden::Minimised))),
            Some(true) => Ok(Try::Again),
        }
    }

    fn hidden_how(&self) -> Result<Hidden, CaptureError> {
        Ok(match windows::is_viewable(&self.display, self.window)? {
            Some(false) => Hidden::Minimised,
            _ => Hidden::OffScreen,
        })
    }
}

fn both(
    origin: Result<x11rb::protocol::xproto::TranslateCoordinatesReply, ReplyError>,
    size: Result<x11rb::protocol::xproto::GetGeometryReply, ReplyError>,
) -> Result<Rect, ReplyError> {
    Ok(area(&origin?, &size?))
}

impl FrameSource for WindowSource {
    fn id(&self) -> SourceId {
        Arc::clone(&self.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        if !self.pace.wait(&*self.clock, self.last, deadline) {
            return Ok(Feed::Quiet);
        }
        let now = self.clock.now();
        self.last = Some(now);
        self.look_around(now)?;
        self.capture()
    }
}
