//! Hands: synthetic mouse and keyboard, devices that press keys of other computers, simulated
//! ones, and the emergency stop.
//!
//! Takes strokes in screen coordinates together with the gate's permission. Must never act
//! without it, and must release every key and button on every way out.

mod desk;
pub mod emergency;
pub mod keys;
pub mod mouse;
pub mod physical;
mod pointing;
pub mod release;
pub mod serial;
pub mod simulated;
#[cfg(target_os = "linux")]
pub mod uinput;
pub mod worker;

use std::sync::Arc;
use std::time::Duration;

use crate::types::{Action, Armed, Clock, HandsSpec, KeyTiming, Point, Stop, Stroke, Time};

use release::LetGo;

/// Something that can do strokes.
pub trait Actuator: Send {
    /// Performs one stroke and returns when the system has taken it.
    ///
    /// For [`Stroke::Click`] the pointer is moved first, its real place and the window under it
    /// are read back, and nothing is pressed if they are not as asked.
    ///
    /// # Errors
    /// See [`ActError`]; nothing stays pressed after an error.
    fn perform(
        &mut self,
        stroke: &Stroke,
        window: Option<u32>,
        permit: &Armed,
    ) -> Result<(), ActError>;

    /// Tells where the content of `window` began when it was last looked at (screen coordinates).
    /// Hands that can tell refuse to click it with [`ActError::Moved`] once it is elsewhere.
    fn expect_at(&mut self, _window: u32, _origin: (i32, i32)) {}

    /// Moves the pointer without pressing anything and tells where it really is and which
    /// window lies under it: the proof of the mapping at start.
    ///
    /// # Errors
    /// See [`ActError`].
    fn hover(&mut self, at: Point, permit: &Armed) -> Result<Hover, ActError>;

    /// Releases everything that is held, whoever pressed it. Safe to call at any time.
    ///
    /// # Errors
    /// When the device is gone, which also releases it.
    fn release_all(&mut self) -> Result<(), ActError>;

    /// How long a key takes with these hands.
    fn timing(&self) -> KeyTiming {
        KeyTiming {
            lead: Duration::ZERO,
            hold: Duration::ZERO,
            gap: Duration::ZERO,
            latency: Duration::ZERO,
        }
    }

    /// When the last key that was made went down and came up, as far as the hands can tell.
    fn last_key(&self) -> Option<(Time, Time)> {
        None
    }

    /// Called a few times per second while nothing is to be done: a device that went away is
    /// looked for.
    fn tend(&mut self) {}

    /// Why nothing can be done just now, if the device is away and may come back.
    fn away(&self) -> Option<String> {
        None
    }

    /// What lets go of everything from another thread while [`Self::perform`] is under way.
    fn let_go(&self) -> Option<Arc<dyn LetGo>> {
        None
    }
}

/// Opens the hands of a profile. `display` is the X display that shows the game, or `None` for
/// `$DISPLAY`; relays have none. What the hands hold is let go when `stop` is pulled.
///
/// # Errors
/// [`ActError::Gone`] with the fix when the device cannot be used, [`ActError::Unsupported`] for
/// settings that it cannot have.
pub fn open(
    spec: &HandsSpec,
    display: Option<&str>,
    clock: Arc<dyn Clock>,
    stop: Stop,
) -> Result<Box<dyn Actuator>, ActError> {
    let found;
    let spec = match serial::ports::is_open(spec) {
        true => {
            found = serial::ports::resolve(spec, &serial::ports::list())?;
            &found
        }
        false => spec,
    };
    Ok(match spec {
        HandsSpec::Screen(screen) => {
            let mut hands = mouse::X11Mouse::open(display, clock)?;
            hands.set_screen_hands(*screen);
            Box::new(hands)
        }
        HandsSpec::Relays(relays) => {
            Box::new(serial::RelayKeyboard::open(relays.clone(), clock, stop)?)
        }
        HandsSpec::Usb(usb) => Box::new(serial::UsbKeyboard::open(usb.clone(), clock, stop)?),
        #[cfg(target_os = "linux")]
        HandsSpec::Kernel(kernel) => Box::new(uinput::KernelHands::open(*kernel, clock, stop)?),
        #[cfg(not(target_os = "linux"))]
        HandsSpec::Kernel(_) => {
            return Err(ActError::Unsupported("uinput is a part of Linux".into()));
        }
    })
}

/// Hands for a game that does not wait: they are told to begin and asked later how it went.
///
/// One action at a time. All times are handed in, so the same trait is met by real hands on a
/// thread of their own ([`worker::Worker`]) and by simulated ones in virtual time
/// ([`simulated::SimulatedKeyboard`]).
pub trait Hands: Send {
    /// Begins an action and returns at once.
    ///
    /// # Errors
    /// [`ActError::Busy`] while another is under way, [`ActError::Expired`] for a permit that is
    /// void, [`ActError::Away`] while the device is away. Other errors come from [`Self::poll`].
    fn start(&mut self, action: Action, permit: Armed, now: Time) -> Result<(), ActError>;

    /// How the action that was begun last has ended, once. `None`: nothing is new.
    fn poll(&mut self, now: Time) -> Option<Result<Done, ActError>>;

    /// When to call [`Self::poll`] again, at the latest; `None` while nothing is under way. In
    /// virtual time the clock must not be moved past it without a call.
    fn due(&self) -> Option<Time>;

    /// Releases everything at once and gives up what is under way: it is never reported.
    ///
    /// # Errors
    /// When the device is gone or away.
    fn release_all(&mut self) -> Result<(), ActError>;

    /// How long a key takes.
    fn timing(&self) -> KeyTiming;

    /// Why nothing can be done just now, if the device is away and may come back.
    fn away(&self) -> Option<String> {
        None
    }
}

/// An action that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The action.
    pub action: Action,
    /// When its first key went down, as far as the hands can tell.
    pub down: Time,
    /// When its last key came up.
    pub up: Time,
}

/// Where the pointer really is after it was moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hover {
    /// Screen coordinates read back from the system.
    pub at: Point,
    /// Whether the window asked about lies under it; `None` where the system cannot tell.
    pub over: Option<u32>,
}

/// Why a stroke was not made.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// Another window lies where the target was expected: look again.
    #[error(
        "window {found:#x} lies under the pointer at {x:.0},{y:.0}, not the target {wanted:#x}"
    )]
    NotTarget {
        /// The window that must be there.
        wanted: u32,
        /// The topmost window there.
        found: u32,
        /// Screen coordinates.
        x: f64,
        /// Screen coordinates.
        y: f64,
    },
    /// The window has moved since it was looked at: look again.
    #[error("the window moved by {dx},{dy} px before it could be clicked")]
    Moved {
        /// To the right, in pixels.
        dx: i32,
        /// Down, in pixels.
        dy: i32,
    },
    /// The pointer did not go where it was sent (a grab, a person, a barrier): look again.
    #[error("the pointer was sent to {wanted:?} but is at {found:?}")]
    PointerElsewhere {
        /// Screen coordinates asked for.
        wanted: Point,
        /// Screen coordinates read back.
        found: Point,
    },
    /// The permission has expired: decide again.
    #[error("the action expired before it could be made")]
    Expired,
    /// Hands do one thing at a time: ask again when they are done.
    #[error("the hands are still busy with the last action")]
    Busy,
    /// Everything was released while the action was under way; it has been made in part or not
    /// at all.
    #[error("stopped before it was done: everything was released")]
    Stopped,
    /// The device is away and looked for; nothing can be done until it is back.
    #[error("{0}")]
    Away(String),
    /// No such key or the like: a fault of profile or program.
    #[error("{0}")]
    Unsupported(String),
    /// The device is gone: stop.
    #[error("{0}")]
    Gone(String),
}
