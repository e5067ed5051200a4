//! Lets go of everything that hands may hold, from wherever the program leaves: an error, a
//! panic, a signal, the emergency stop.
//!
//! Takes no part in pressing. Must never wait for anything that a failing thread may hold: it
//! has a connection of its own and skips what is locked.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, TryLockError, Weak};
use std::time::Duration;

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    BUTTON_RELEASE_EVENT, ConnectionExt as _, KEY_RELEASE_EVENT, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::ActError;
use super::desk::{gone, refused};

/// Something that lets go of all that hands hold, from any thread and without waiting for the
/// one that presses.
pub trait LetGo: Send + Sync {
    /// Lets go. What is under way ends, and presses nothing more.
    ///
    /// # Errors
    /// When the device is gone or away.
    fn let_go(&self) -> Result<(), ActError>;
}

/// Releases all synthetic keys and buttons of one display.
///
/// The server keeps synthetic presses apart from those of real devices, and forgets a release
/// of what is not pressed. So everything that is down may be released: what a person holds
/// stays held, what any program pressed is let go.
pub struct Release {
    conn: RustConnection,
    root: Window,
    /// Counts the times that somebody let go.
    round: AtomicU64,
    /// Held while something is pressed, so that nobody lets go in between.
    pressing: Mutex<()>,
}

/// How many milliseconds letting go waits for a press under way. One takes a few microseconds; a
/// thread that hangs in it must not be waited for.
const PATIENCE: u32 = 20;

/// All that have been made and still exist.
static MADE: Mutex<Vec<Weak<dyn LetGo>>> = Mutex::new(Vec::new());

/// From now on [`release_everything`] lets go of this one too, while it exists.
pub(super) fn enlist(made: &Arc<impl LetGo + 'static>) {
    let weak: Weak<dyn LetGo> = Arc::downgrade(made) as Weak<dyn LetGo>;
    let mut all = MADE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    all.retain(|w| w.strong_count() > 0);
    all.push(weak);
}

impl LetGo for Release {
    fn let_go(&self) -> Result<(), ActError> {
        self.round.fetch_add(1, Ordering::SeqCst);
        for _ in 0..PATIENCE {
            match self.pressing.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
                _ => break,
            }
        }
        self.now()
    }
}

impl Release {
    /// A connection of its own to this display.
    pub(super) fn open(display: Option<&str>) -> Result<Arc<Self>, ActError> {
        let (conn, number) = x11rb::connect(display)
            .map_err(|e| ActError::Gone(format!("cannot open the X display: {e}")))?;
        let version = conn.xtest_get_version(2, 2);
        if version.map_err(gone)?.reply().is_err() {
            return Err(ActError::Unsupported(
                "the X server has no XTEST extension, so mouse and keyboard cannot be played"
                    .into(),
            ));
        }
        let root = conn.setup().roots.get(number).map_or(0, |s| s.root);
        let made = Arc::new(Self {
            conn,
            root,
            round: AtomicU64::new(0),
            pressing: Mutex::new(()),
        });
        enlist(&made);
        Ok(made)
    }

    /// How often somebody let go so far.
    pub(super) fn round(&self) -> u64 {
        self.round.load(Ordering::SeqCst)
    }

    /// Presses something, unless somebody has let go since the round began.
    ///
    /// # Errors
    /// [`ActError::Stopped`], or what the press fails with.
    pub(super) fn guard<T>(
        &self,
        round: u64,
        press: impl FnOnce() -> Result<T, ActError>,
    ) -> Result<T, ActError> {
        let _pressing = self
            .pressing
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.round() == round {
            press()
        } else {
            Err(ActError::Stopped)
        }
    }

    /// Releases all buttons and keys and waits until the server has done it.
    ///
    /// # Errors
    /// [`ActError::Gone`] when the server is gone, and with it all that was pressed.
    pub fn now(&self) -> Result<(), ActError> {
        let keys = self.conn.query_keymap().map_err(gone)?;
        let pointer = self.conn.query_pointer(self.root).map_err(gone)?;
        let keys = keys.reply().map_err(refused)?.keys;
        let mask = u16::from(pointer.reply().map_err(refused)?.mask);
        let send = |kind, detail| {
            self.conn
                .xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, self.root, 0, 0, 0)
                .map(|_| ())
                .map_err(gone)
        };
        // Buttons 1 to 5 are bits 8 to 12 by the logical number; a left-handed mouse has them
        // crossed, so all three are released if any is down.
        if mask & 0x1f00 != 0 {
            for button in 1..=5 {
                send(BUTTON_RELEASE_EVENT, button)?;
            }
        }
        for code in (0..=255u8).filter(|&c| keys[usize::from(c / 8)] & (1 << (c % 8)) != 0) {
            send(KEY_RELEASE_EVENT, code)?;
        }
        self.conn.sync().map_err(refused)
    }
}

/// Releases everything on every display and every board that hands were opened on. Safe at any time and from
/// any thread; errors mean that there is nothing left to release.
pub fn release_everything() {
    // Held only for as long as a list is copied; a thread that dies with it must not be waited
    // for all the same.
    let mut all = Vec::new();
    for _ in 0..50 {
        match MADE.try_lock() {
            Ok(made) => all = made.iter().filter_map(Weak::upgrade).collect(),
            Err(TryLockError::Poisoned(made)) => {
                all = made.into_inner().iter().filter_map(Weak::upgrade).collect();
            }
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
        }
        break;
    }
    for one in all {
        let _ = one.let_go();
    }
}

/// From now on a panic in any thread releases everything, before anything else unwinds.
pub fn release_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            release_everything();
            usual(info);
        }));
    });
}
