//! Mouse and keyboard of an X display.
//!
//! Takes strokes in root pixels (all monitors together, no scale) and makes them with synthetic
//! events; a second connection reads back what came of them. Must never press anything before it
//! has seen that the pointer, or the focus, is where it must be.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use enigo::{Button, Coordinate, Direction, Enigo, Keyboard as _, Mouse as _, Settings};
use x11rb::protocol::xproto::ConnectionExt as _;

use super::desk::{Desk, Under, gone, refused};
use super::keys::Chord;
use super::release::{LetGo, Release};
use super::{ActError, Actuator, Hover};
use crate::types::{Armed, Clock, Focus, KeyTiming, Point, ScreenHands, Stroke, Time};

/// How far the pointer may be from where it was sent, in pixels.
const TOLERANCE: i32 = 1;

/// How long a move of the pointer may take to be seen; it usually takes one answer, on a busy
/// machine a few time slices.
const ARRIVAL: Duration = Duration::from_millis(100);

/// How soon it is noticed while waiting that somebody let go.
const SLICE: Duration = Duration::from_millis(5);

/// Where our hands put the pointer last, shared with the emergency stop, which must not take
/// our own moves for a person's. While a move is under way both its ends are ours.
#[derive(Debug, Default)]
pub struct LastMove(AtomicU64);

/// Marks half of the number as a place.
const PLACE: u64 = 1 << 31;

impl LastMove {
    /// A move begins; coordinates are not negative.
    fn begin(&self, x: i16, y: i16) {
        let place = PLACE | u64::from(x as u16) << 16 | u64::from(y as u16);
        let before = self.0.load(Ordering::SeqCst) & 0xffff_ffff;
        self.0.store(before << 32 | place, Ordering::SeqCst);
    }

    /// The pointer has arrived.
    fn end(&self) {
        self.0.fetch_and(0xffff_ffff, Ordering::SeqCst);
    }

    /// Where the last move went, in root pixels; and where it came from, while it is under way.
    #[must_use]
    pub fn places(&self) -> [Option<(i32, i32)>; 2] {
        let both = self.0.load(Ordering::SeqCst);
        [both, both >> 32].map(|place| {
            let (x, y) = ((place >> 16 & 0x7fff) as i32, (place & 0xffff) as i32);
            (place & PLACE != 0).then_some((x, y))
        })
    }
}

/// Synthetic mouse and keyboard on an X server.
pub struct X11Mouse {
    enigo: Enigo,
    desk: Desk,
    release: Arc<Release>,
    clock: Arc<dyn Clock>,
    last: Arc<LastMove>,
    /// The button that programs see as the left one; another one for the left-handed.
    left: Button,
    hold: Duration,
    gap: Duration,
    latency: Duration,
    focus: Focus,
    /// Whether a click waits for the focus too.
    focus_clicks: bool,
    last_key: Option<(Time, Time)>,
    /// When the stroke under way began, everything had been let go so often.
    round: u64,
    target: Option<u32>,
    /// Where a window lay when it was last looked at.
    expected: Option<(u32, (i32, i32))>,
}

impl X11Mouse {
    /// Hands on the display of this name, or on `$DISPLAY`; releases what an earlier run may
    /// have left pressed.
    ///
    /// # Errors
    /// [`ActError::Gone`] with the fix if the display cannot be opened,
    /// [`ActError::Unsupported`] if it takes no synthetic input.
    pub fn open(display: Option<&str>, clock: Arc<dyn Clock>) -> Result<Self, ActError> {
        // Opened first, since its errors say how to mend them.
        let desk = Desk::open(display)?;
        let release = Release::open(display)?;
        let settings = Settings {
            // The server would delay every button by this; games need no delay.
            linux_delay: 0,
            x11_display: display.map(str::to_owned),
            // Everything is released by `Release`, also on ways out that run no destructor.
            release_keys_when_dropped: false,
            ..Settings::default()
        };
        let enigo = Enigo::new(&settings).map_err(|e| {
            ActError::Gone(format!(
                "mouse and keyboard of the X display cannot be used: {e}"
            ))
        })?;
        let map = desk.conn.get_pointer_mapping().map_err(gone)?.reply();
        let left = match map
            .map_err(refused)?
            .map
            .iter()
            .position(|&logical| logical == 1)
        {
            Some(1) => Button::Middle,
            Some(2) => Button::Right,
            _ => Button::Left,
        };
        release.now()?;
        Ok(Self {
            enigo,
            desk,
            release,
            clock,
            last: Arc::default(),
            left,
            hold: Duration::ZERO,
            gap: Duration::ZERO,
            latency: Duration::ZERO,
            focus: Focus::Take,
            focus_clicks: false,
            last_key: None,
            round: 0,
            target: None,
            expected: None,
        })
    }

    /// How long a button or key stays down; zero, the default, suits programs that take events.
    /// Programs that look at the state once per picture need as long as a picture lasts.
    pub const fn set_hold(&mut self, hold: Duration) {
        self.hold = hold;
    }

    /// Hold, gap and focus as a profile has them.
    pub const fn set_screen_hands(&mut self, hands: ScreenHands) {
        self.hold = hands.hold;
        self.gap = hands.gap;
        self.latency = hands.latency;
        self.focus = hands.focus;
        self.focus_clicks = hands.focus_clicks;
    }

    /// The window that [`Actuator::hover`] is asked about.
    pub const fn set_target(&mut self, window: Option<u32>) {
        self.target = window;
    }

    /// Where these hands put the pointer last, for the emergency stop.
    #[must_use]
    pub fn last_move(&self) -> Arc<LastMove> {
        Arc::clone(&self.last)
    }

    /// Moves the pointer and makes sure that it is there.
    fn go(&mut self, to: Point) -> Result<Under, ActError> {
        let pixel = |v: f64| -> Option<i16> {
            // Pixel i covers [i, i + 1).
            let v = v.floor();
            (v >= 0.0 && v <= f64::from(i16::MAX)).then_some(v as i16)
        };
        let (Some(x), Some(y)) = (pixel(to.x), pixel(to.y)) else {
            return Err(ActError::Unsupported(format!(
                "the point {:.1},{:.1} lies outside any screen",
                to.x, to.y
            )));
        };
        self.last.begin(x, y);
        let (x, y) = (i32::from(x), i32::from(y));
        let moved = self.enigo.move_mouse(x, y, Coordinate::Abs);
        self.taken(moved)?;
        // Two connections: the server may answer the question before it has made the move.
        let patience = self.clock.now() + ARRIVAL;
        loop {
            let under = self.desk.under_pointer()?;
            let off = (under.at.0 - x).abs().max((under.at.1 - y).abs());
            if off <= TOLERANCE {
                self.last.end();
                return Ok(under);
            }
            if self.clock.now() >= patience {
                return Err(ActError::PointerElsewhere {
                    wanted: to,
                    found: centre(under.at),
                });
            }
        }
    }

    fn click(&mut self, to: Point, window: Option<u32>, permit: &Armed) -> Result<(), ActError> {
        let under = self.go(to)?;
        if let Some(wanted) = window
            && !under.chain.contains(&wanted)
        {
            let found = self.desk.client_of(&under.chain)?.unwrap_or(self.desk.root);
            return Err(ActError::NotTarget {
                wanted,
                found,
                x: to.x,
                y: to.y,
            });
        }
        self.unmoved(&under)?;
        self.still_permitted(permit)?;
        if let Some(window) = window.filter(|_| self.focus_clicks) {
            match self.focus {
                // The click itself gives it.
                Focus::Click => {}
                _ => self.aim(window, permit)?,
            }
        }
        self.press_and_release(|enigo, left, how| enigo.button(left, how))
    }

    fn key(&mut self, name: &str, window: Option<u32>, permit: &Armed) -> Result<(), ActError> {
        let chord = Chord::parse(name)?;
        let missing =
            || ActError::Unsupported(format!("this keyboard layout has no key for \"{name}\""));
        let layout = self.desk.layout()?;
        let (code, shift) = layout.find(chord.key).ok_or_else(missing)?;
        let mut held: Vec<u16> = Vec::with_capacity(4);
        let shift = shift.then_some([0xffe1, 0xffe2]);
        for either in chord.modifiers.iter().chain(&shift) {
            let (modifier, _) = layout.find(either[0]).ok_or_else(missing)?;
            if !held.contains(&u16::from(modifier)) {
                held.push(modifier.into());
            }
        }
        if let Some(window) = window {
            self.aim(window, permit)?;
        }
        self.still_permitted(permit)?;
        let round = self.round;
        let modified = held.iter().try_for_each(|&modifier| {
            let press = || Ok(self.enigo.raw(modifier, Direction::Press));
            let pressed = self.release.guard(round, press)?;
            self.taken(pressed)
        });
        let down = self.clock.now();
        let made = modified
            .and_then(|()| self.press_and_release(|enigo, _, how| enigo.raw(code.into(), how)));
        // Also of those that were not pressed any more: the server forgets a release of nothing.
        for &modifier in held.iter().rev() {
            let released = self.enigo.raw(modifier, Direction::Release);
            self.taken(released)?;
        }
        made?;
        self.last_key = Some((down, self.clock.now()));
        // The key was made; the next one will be told of a stop.
        self.wait(self.gap).or(Ok(()))
    }

    /// Makes sure that the next key goes to the window, by the rule of the profile.
    fn aim(&mut self, window: u32, permit: &Armed) -> Result<(), ActError> {
        match self.focus {
            Focus::Take => self.desk.focus(window, &*self.clock),
            Focus::Check => self.desk.has_focus(window),
            Focus::Click => {
                if self.desk.has_focus(window).is_ok() {
                    return Ok(());
                }
                let middle = self.desk.middle(window)?;
                self.click(middle, Some(window), permit)?;
                self.desk.gains_focus(window, &*self.clock)
            }
        }
    }

    /// Down and up, in one request where nothing must be held between.
    fn press_and_release(
        &mut self,
        act: impl Fn(&mut Enigo, Button, Direction) -> enigo::InputResult<()>,
    ) -> Result<(), ActError> {
        let (left, round) = (self.left, self.round);
        let release = Arc::clone(&self.release);
        let mut make = |how| release.guard(round, || Ok(act(&mut self.enigo, left, how)));
        if self.hold.is_zero() {
            let done = make(Direction::Click)?;
            return self.taken(done);
        }
        let down = make(Direction::Press)?;
        self.taken(down)?;
        let held = self.wait(self.hold);
        // Also after somebody let go: on this connection it cannot overtake the press.
        let up = act(&mut self.enigo, self.left, Direction::Release);
        self.taken(up)?;
        held
    }

    /// Waits, until somebody lets go.
    fn wait(&self, time: Duration) -> Result<(), ActError> {
        let until = self.clock.now() + time;
        loop {
            if self.release.round() != self.round {
                return Err(ActError::Stopped);
            }
            let now = self.clock.now();
            if now >= until {
                return Ok(());
            }
            self.clock.sleep_until(until.min(now + SLICE));
        }
    }

    /// After a failure nothing stays pressed.
    fn taken(&self, done: enigo::InputResult<()>) -> Result<(), ActError> {
        done.map_err(|e| match self.release.now() {
            // The server is gone: that error says so.
            Err(gone) => gone,
            Ok(()) => ActError::Gone(format!("the X server did not take a stroke: {e}")),
        })
    }

    /// A window that has moved since the frame shows other cells under the pointer.
    fn unmoved(&self, under: &Under) -> Result<(), ActError> {
        let Some((window, (x, y))) = self.expected else {
            return Ok(());
        };
        let place = under.chain.iter().position(|&w| w == window);
        match place.and_then(|i| under.origins.get(i)) {
            Some(&now) if now != (x, y) => Err(ActError::Moved {
                dx: now.0 - x,
                dy: now.1 - y,
            }),
            _ => Ok(()),
        }
    }

    fn still_permitted(&self, permit: &Armed) -> Result<(), ActError> {
        if permit.is_valid(self.clock.now()) {
            Ok(())
        } else {
            Err(ActError::Expired)
        }
    }
}

/// The middle of a pixel.
fn centre((x, y): (i32, i32)) -> Point {
    Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5)
}

impl Actuator for X11Mouse {
    fn perform(
        &mut self,
        stroke: &Stroke,
        window: Option<u32>,
        permit: &Armed,
    ) -> Result<(), ActError> {
        self.still_permitted(permit)?;
        self.round = self.release.round();
        if window.is_some() {
            self.target = window;
        }
        match stroke {
            Stroke::Click(to) => self.click(*to, window, permit),
            Stroke::Key(name) => self.key(name, window, permit),
            Stroke::Park(to) => self.go(*to).map(|_| ()),
            Stroke::Focus => window.map_or(Ok(()), |w| self.desk.focus(w, &*self.clock)),
        }
    }

    fn expect_at(&mut self, window: u32, origin: (i32, i32)) {
        self.expected = Some((window, origin));
    }

    /// The place is the middle of the pixel. The window is the target, if it lies there
    /// ([`X11Mouse::set_target`], or that of the last stroke), else the client window.
    fn hover(&mut self, at: Point, permit: &Armed) -> Result<Hover, ActError> {
        self.still_permitted(permit)?;
        let under = self.go(at)?;
        let over = match self.target.filter(|t| under.chain.contains(t)) {
            Some(target) => Some(target),
            None => Some(self.desk.client_of(&under.chain)?.unwrap_or(self.desk.root)),
        };
        Ok(Hover {
            at: centre(under.at),
            over,
        })
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        self.release.now()
    }

    /// The gap is kept after keys only: a click is proved by reading back, which takes longer.
    fn timing(&self) -> KeyTiming {
        KeyTiming {
            lead: Duration::ZERO,
            hold: self.hold,
            gap: self.gap,
            latency: self.latency,
        }
    }

    fn last_key(&self) -> Option<(Time, Time)> {
        self.last_key
    }

    fn let_go(&self) -> Option<Arc<dyn LetGo>> {
        Some(Arc::clone(&self.release) as Arc<dyn LetGo>)
    }
}

impl Drop for X11Mouse {
    fn drop(&mut self) {
        // Nobody is left to hear of an error, which means that the server is gone.
        let _ = self.release.now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_move_are_ours_until_it_ends() {
        let last = LastMove::default();
        assert_eq!(last.places(), [None, None]);
        last.begin(0, 0);
        assert_eq!(last.places(), [Some((0, 0)), None]);
        last.begin(i16::MAX, 799);
        assert_eq!(last.places(), [Some((32_767, 799)), Some((0, 0))]);
        last.end();
        assert_eq!(last.places(), [Some((32_767, 799)), None]);
        last.begin(5, i16::MAX);
        assert_eq!(last.places(), [Some((5, 32_767)), Some((32_767, 799))]);
    }
}
