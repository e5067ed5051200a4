//! A keyboard and a mouse of this machine that the kernel takes for real ones (uinput): for
//! Wayland, consoles, and whatever else has no X server.
//!
//! Takes keys by their names and places of the screen. Must never leave a key down: the devices
//! are let go on every way out, and the kernel takes them away with this process, whatever ends
//! it.
//!
//! Limit: nobody can tell which window gets the keys, or where the pointer really is.

use std::io::ErrorKind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use evdev::uinput::VirtualDevice;
use evdev::{
    AbsInfo, AbsoluteAxisCode, AttributeSet, BusType, EventType, InputEvent, InputId, KeyCode,
    UinputAbsSetup,
};

use super::physical;
use super::pointing::Places;
use super::release::{LetGo, enlist};
use super::{ActError, Actuator, Hover};
use crate::types::{Armed, Clock, KernelHands as Spec, KeyTiming, Point, Stop, Stroke, Time};

/// The names under which the kernel shows the devices.
pub const KEYBOARD: &str = "Kibitzer keyboard";
/// The pointer's.
pub const POINTER: &str = "Kibitzer pointer";

/// Both ways a place goes from 0 to this.
const FULL: i32 = 65_535;

/// How long a desktop takes to notice a new device: what is pressed earlier is lost.
const NOTICED: Duration = Duration::from_millis(500);

/// Between the pointer's arrival and the button: programs look where it is once a picture.
const SETTLE: Duration = Duration::from_millis(20);

/// How soon a stop is noticed while waiting.
const SLICE: Duration = Duration::from_millis(2);

/// How many milliseconds letting go waits for an event under way, which takes microseconds.
const PATIENCE: u32 = 20;

/// The devices, shared by the thread that presses and whoever must let go.
struct Devices {
    inside: Mutex<Inside>,
    /// Counts the times that somebody let go.
    round: AtomicU64,
    stop: Stop,
}

struct Inside {
    keyboard: VirtualDevice,
    pointer: Option<VirtualDevice>,
    /// Codes that are down, of both devices.
    down: Vec<u16>,
}

impl Inside {
    fn key(&mut self, code: u16, down: bool) -> std::io::Result<()> {
        let event = InputEvent::new(EventType::KEY.0, code, i32::from(down));
        let device = match &mut self.pointer {
            Some(pointer) if code == KeyCode::BTN_LEFT.0 => pointer,
            _ => &mut self.keyboard,
        };
        if down {
            self.down.push(code);
        }
        device.emit(&[event])?;
        if !down {
            self.down.retain(|c| *c != code);
        }
        Ok(())
    }

    fn release(&mut self) -> std::io::Result<()> {
        let mut first = Ok(());
        for code in self.down.clone().into_iter().rev() {
            let done = self.key(code, false);
            first = first.and(done);
        }
        first
    }
}

impl Devices {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self, round: u64) -> bool {
        self.stop.is_pulled() || self.round.load(Ordering::SeqCst) != round
    }
}

impl LetGo for Devices {
    fn let_go(&self) -> Result<(), ActError> {
        self.round.fetch_add(1, Ordering::SeqCst);
        for _ in 0..PATIENCE {
            match self.inside.try_lock() {
                Ok(mut inside) => return inside.release().map_err(gone),
                Err(TryLockError::Poisoned(inside)) => {
                    return inside.into_inner().release().map_err(gone);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        Err(ActError::Gone("the kernel's keyboard hangs".into()))
    }
}

fn gone(error: std::io::Error) -> ActError {
    ActError::Gone(format!("the kernel's virtual keyboard is gone: {error}"))
}

/// Keyboard and mouse made by the kernel.
pub struct KernelHands {
    spec: Spec,
    places: Option<Places>,
    devices: Arc<Devices>,
    clock: Arc<dyn Clock>,
    last_key: Option<(Time, Time)>,
}

impl KernelHands {
    /// Makes the devices and waits until a desktop has noticed them.
    ///
    /// # Errors
    /// [`ActError::Gone`] with the fix when the kernel gives none, [`ActError::Unsupported`] for
    /// a pointer that cannot be.
    pub fn open(spec: Spec, clock: Arc<dyn Clock>, stop: Stop) -> Result<Self, ActError> {
        let places = spec.pointing.as_ref().map(Places::new).transpose()?;
        let keyboard = keyboard().map_err(|e| refusal(&e))?;
        let pointer = match places {
            Some(_) => Some(pointer().map_err(|e| refusal(&e))?),
            None => None,
        };
        let devices = Arc::new(Devices {
            inside: Mutex::new(Inside {
                keyboard,
                pointer,
                down: Vec::new(),
            }),
            round: AtomicU64::new(0),
            stop,
        });
        enlist(&devices);
        let made = Self {
            spec,
            places,
            devices,
            clock,
            last_key: None,
        };
        made.wait(made.clock.now() + NOTICED, 0)?;
        Ok(made)
    }

    fn round(&self) -> u64 {
        self.devices.round.load(Ordering::SeqCst)
    }

    fn wait(&self, until: Time, round: u64) -> Result<(), ActError> {
        loop {
            if self.devices.is_over(round) {
                return Err(ActError::Stopped);
            }
            let now = self.clock.now();
            if now >= until {
                return Ok(());
            }
            self.clock.sleep_until(until.min(now + SLICE));
        }
    }

    /// Presses these one after the other, holds them, lets go in reverse.
    fn press(&mut self, codes: &[u16], permit: &Armed) -> Result<(), ActError> {
        let round = self.round();
        if !permit.is_valid(self.clock.now()) {
            return Err(ActError::Expired);
        }
        for code in codes {
            let mut inside = self.devices.lock();
            // Under the lock: whoever lets go after this look lets go of this one too.
            if self.devices.is_over(round) {
                let _ = inside.release();
                return Err(ActError::Stopped);
            }
            if let Err(error) = inside.key(*code, true) {
                let _ = inside.release();
                return Err(gone(error));
            }
        }
        let down = self.clock.now();
        let held = self.wait(down + self.spec.hold, round);
        self.devices.lock().release().map_err(gone)?;
        let up = self.clock.now();
        self.last_key = Some((down, up));
        held?;
        // The key was made; the next one will be told of a stop.
        self.wait(up + self.spec.gap, round).or(Ok(()))
    }

    fn point(&self, at: Point) -> Result<(), ActError> {
        let Some(places) = &self.places else {
            return Err(ActError::Unsupported(
                "this keyboard has no pointer: write hands.screen = [1920, 1080] or what the \
                 screen has below [hands]"
                    .into(),
            ));
        };
        let share = places.share(at)?;
        let axis = |share: f64| (share * f64::from(FULL)).round() as i32;
        let event =
            |axis: AbsoluteAxisCode, value| InputEvent::new(EventType::ABSOLUTE.0, axis.0, value);
        let mut inside = self.devices.lock();
        if self.devices.stop.is_pulled() {
            return Err(ActError::Stopped);
        }
        match &mut inside.pointer {
            Some(pointer) => pointer
                .emit(&[
                    event(AbsoluteAxisCode::ABS_X, axis(share.x)),
                    event(AbsoluteAxisCode::ABS_Y, axis(share.y)),
                ])
                .map_err(gone),
            None => Ok(()),
        }
    }
}

impl Actuator for KernelHands {
    /// The window is ignored: the kernel knows none.
    fn perform(
        &mut self,
        stroke: &Stroke,
        _window: Option<u32>,
        permit: &Armed,
    ) -> Result<(), ActError> {
        if !permit.is_valid(self.clock.now()) {
            return Err(ActError::Expired);
        }
        match stroke {
            Stroke::Key(name) => {
                let keys = physical::keys(name)?;
                let codes: Vec<u16> = keys.iter().map(|k| k.code).collect();
                self.press(&codes, permit)
            }
            Stroke::Click(at) => {
                self.point(*at)?;
                self.wait(self.clock.now() + SETTLE, self.round())?;
                self.press(&[KeyCode::BTN_LEFT.0], permit)
            }
            Stroke::Park(at) => self.point(*at),
            // Whoever has the focus gets the keys.
            Stroke::Focus => Ok(()),
        }
    }

    fn hover(&mut self, at: Point, permit: &Armed) -> Result<Hover, ActError> {
        self.perform(&Stroke::Park(at), None, permit)?;
        Ok(Hover { at, over: None })
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        self.devices.let_go()
    }

    fn timing(&self) -> KeyTiming {
        KeyTiming {
            lead: Duration::ZERO,
            hold: self.spec.hold,
            gap: self.spec.gap,
            latency: self.spec.latency,
        }
    }

    fn last_key(&self) -> Option<(Time, Time)> {
        self.last_key
    }

    fn let_go(&self) -> Option<Arc<dyn LetGo>> {
        Some(Arc::clone(&self.devices) as Arc<dyn LetGo>)
    }
}

impl Drop for KernelHands {
    fn drop(&mut self) {
        // Nobody is left to hear of an error, which means that the devices are gone.
        let _ = self.devices.let_go();
    }
}

fn id(product: u16) -> InputId {
    // Numbers of no maker: software devices have none.
    InputId::new(BusType::BUS_VIRTUAL, 0, product, 1)
}

fn keyboard() -> std::io::Result<VirtualDevice> {
    let keys: AttributeSet<KeyCode> = physical::codes().map(KeyCode).collect();
    VirtualDevice::builder()?
        .name(KEYBOARD)
        .input_id(id(1))
        .with_keys(&keys)?
        .build()
}

/// A pointer that is told places, like a tablet's; desktops spread it over all their monitors.
fn pointer() -> std::io::Result<VirtualDevice> {
    let buttons: AttributeSet<KeyCode> =
        [KeyCode::BTN_LEFT, KeyCode::BTN_RIGHT, KeyCode::BTN_MIDDLE]
            .into_iter()
            .collect();
    let axis = |code| UinputAbsSetup::new(code, AbsInfo::new(0, 0, FULL, 0, 0, 0));
    VirtualDevice::builder()?
        .name(POINTER)
        .input_id(id(2))
        .with_keys(&buttons)?
        .with_absolute_axis(&axis(AbsoluteAxisCode::ABS_X))?
        .with_absolute_axis(&axis(AbsoluteAxisCode::ABS_Y))?
        .build()
}

/// Why the kernel gave no device and how to mend it.
fn refusal(error: &std::io::Error) -> ActError {
    ActError::Gone(match error.kind() {
        ErrorKind::PermissionDenied => "cannot open /dev/uinput: permission denied. Write the \
             line KERNEL==\"uinput\", SUBSYSTEM==\"misc\", TAG+=\"uaccess\", \
             OPTIONS+=\"static_node=uinput\" to /etc/udev/rules.d/60-kibitzer-uinput.rules, run \
             `sudo udevadm control --reload && sudo udevadm trigger /dev/uinput`, and log in again \
             (hardware/uinput.md)"
            .into(),
        ErrorKind::NotFound => "there is no /dev/uinput: run `sudo modprobe uinput`, and write \
             uinput to /etc/modules-load.d/uinput.conf to have it after every start"
            .into(),
        _ => format!("the kernel gives no virtual keyboard (/dev/uinput): {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_say_how_to_mend_them() {
        let text = |kind: ErrorKind| refusal(&kind.into()).to_string();
        assert!(text(ErrorKind::PermissionDenied).contains("udevadm"));
        assert!(text(ErrorKind::NotFound).contains("modprobe uinput"));
    }
}
