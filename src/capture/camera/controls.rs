//! What a camera is told beside its format: exposure, gain, white balance, focus and the like.
//!
//! Takes names and values; sets them, reads them back, and says of each what became of it. Must
//! never keep quiet about a value that the camera did not take.

#[cfg(target_os = "linux")]
use v4l::Device;
#[cfg(target_os = "linux")]
use v4l::control::{Control, Value};

use crate::types::{CameraControl, ControlValue};

/// Numbers of the kernel's controls (`linux/v4l2-controls.h`).
mod id {
    const USER: u32 = 0x0098_0900;
    const CAMERA: u32 = 0x009a_0900;
    pub const BRIGHTNESS: u32 = USER;
    pub const CONTRAST: u32 = USER + 1;
    pub const SATURATION: u32 = USER + 2;
    pub const AUTO_WHITE_BALANCE: u32 = USER + 12;
    pub const AUTOGAIN: u32 = USER + 18;
    pub const GAIN: u32 = USER + 19;
    pub const POWER_LINE: u32 = USER + 24;
    pub const WHITE_BALANCE: u32 = USER + 26;
    pub const SHARPNESS: u32 = USER + 27;
    pub const BACKLIGHT: u32 = USER + 28;
    pub const EXPOSURE_AUTO: u32 = CAMERA + 1;
    pub const EXPOSURE: u32 = CAMERA + 2;
    /// Lets the rate sink for the sake of the exposure.
    pub const EXPOSURE_PRIORITY: u32 = CAMERA + 3;
    pub const FOCUS: u32 = CAMERA + 10;
    pub const FOCUS_AUTO: u32 = CAMERA + 12;
    pub const ZOOM: u32 = CAMERA + 13;
}

/// A control and its switch between the camera's own choice and ours.
struct Wiring {
    value: u32,
    auto: Option<Switch>,
}

/// A switch: its number, the values for "the camera decides" in the order of preference, and the
/// one for "we do".
struct Switch {
    id: u32,
    auto: &'static [i64],
    fixed: i64,
}

const ON: &[i64] = &[1];

fn wiring(control: CameraControl) -> Wiring {
    let switch = |id, auto, fixed| Some(Switch { id, auto, fixed });
    let (value, auto) = match control {
        // Webcams have "aperture priority" where others have "auto".
        CameraControl::Exposure => (id::EXPOSURE, switch(id::EXPOSURE_AUTO, &[3, 0], 1)),
        CameraControl::Gain => (id::GAIN, switch(id::AUTOGAIN, ON, 0)),
        CameraControl::WhiteBalance => (id::WHITE_BALANCE, switch(id::AUTO_WHITE_BALANCE, ON, 0)),
        CameraControl::Focus => (id::FOCUS, switch(id::FOCUS_AUTO, ON, 0)),
        CameraControl::Mains => (id::POWER_LINE, None),
        CameraControl::Zoom => (id::ZOOM, None),
        CameraControl::Brightness => (id::BRIGHTNESS, None),
        CameraControl::Contrast => (id::CONTRAST, None),
        CameraControl::Saturation => (id::SATURATION, None),
        CameraControl::Sharpness => (id::SHARPNESS, None),
        CameraControl::Backlight => (id::BACKLIGHT, None),
    };
    Wiring { value, auto }
}

/// Mains frequencies as the kernel numbers them.
const MAINS: [(i64, ControlValue); 4] = [
    (0, ControlValue::Fixed(0)),
    (1, ControlValue::Fixed(50)),
    (2, ControlValue::Fixed(60)),
    (3, ControlValue::Auto),
];

/// The part of a device that is used here.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
trait Knobs {
    fn get(&self, id: u32) -> Option<i64>;
    fn put(&self, id: u32, value: i64) -> Result<(), String>;
}

#[cfg(target_os = "linux")]
impl Knobs for Device {
    fn get(&self, id: u32) -> Option<i64> {
        match self.control(id).ok()?.value {
            Value::Integer(value) => Some(value),
            Value::Boolean(on) => Some(on.into()),
            _ => None,
        }
    }

    fn put(&self, id: u32, value: i64) -> Result<(), String> {
        let value = Value::Integer(value);
        self.set_control(Control { id, value })
            .map_err(|e| e.to_string())
    }
}

/// A control as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Which one.
    pub control: CameraControl,
    /// Its value; where the camera decides, the one it uses at the moment, if it tells.
    pub value: i64,
    /// Whether the camera decides; `None` where it has no way to.
    pub auto: Option<bool>,
}

impl Now {
    /// What a profile says to have it so.
    #[must_use]
    pub fn setting(&self) -> ControlValue {
        match self.auto {
            Some(true) => ControlValue::Auto,
            _ => ControlValue::Fixed(self.value),
        }
    }
}

/// What became of a control that was to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which one.
    pub control: CameraControl,
    /// What was asked for.
    pub asked: ControlValue,
    /// What it is now, if the camera has it.
    pub now: Option<Now>,
    /// Why it is not as asked; `None` where it is.
    pub refused: Option<String>,
}

impl std::fmt::Display for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}", self.control, self.asked)?;
        match &self.refused {
            Some(why) => write!(f, " refused: {why}"),
            None => Ok(()),
        }
    }
}

/// All controls that a camera has.
#[cfg(target_os = "linux")]
#[must_use]
pub fn read(device: &Device) -> Vec<Now> {
    { CameraControl::ALL.into_iter() }
        .filter_map(|control| now(device, control))
        .collect()
}

fn now(knobs: &dyn Knobs, control: CameraControl) -> Option<Now> {
    let wiring = wiring(control);
    let raw = knobs.get(wiring.value)?;
    if control == CameraControl::Mains {
        let known = MAINS.iter().find(|(number, _)| *number == raw)?;
        let (value, auto) = match known.1 {
            ControlValue::Fixed(hertz) => (hertz, false),
            ControlValue::Auto => (0, true),
        };
        let auto = Some(auto);
        return Some(Now {
            control,
            value,
            auto,
        });
    }
    let auto = wiring.auto.and_then(|s| Some(knobs.get(s.id)? != s.fixed));
    Some(Now {
        control,
        value: raw,
        auto,
    })
}

/// Sets controls in this order and reads each back.
#[cfg(target_os = "linux")]
#[must_use]
pub fn set(device: &Device, wanted: &[(CameraControl, ControlValue)]) -> Vec<Kept> {
    set_on(device, wanted)
}

fn set_on(knobs: &dyn Knobs, wanted: &[(CameraControl, ControlValue)]) -> Vec<Kept> {
    let mut all: Vec<Kept> = Vec::new();
    for &(control, asked) in wanted {
        let done = set_one(knobs, control, asked);
        let now = now(knobs, control);
        let refused = match (done, now) {
            (Err(why), _) => Some(why),
            (Ok(()), None) => Some("it cannot be read back".to_owned()),
            (Ok(()), Some(now)) if now.setting() != asked => {
                Some(format!("it is {} now", now.setting()))
            }
            _ => None,
        };
        all.push(Kept {
            control,
            asked,
            now,
            refused,
        });
    }
    all
}

fn set_one(knobs: &dyn Knobs, control: CameraControl, asked: ControlValue) -> Result<(), String> {
    let wiring = wiring(control);
    if knobs.get(wiring.value).is_none() {
        return Err("the camera does not have it".to_owned());
    }
    if control == CameraControl::Mains {
        let known = MAINS.iter().find(|(_, value)| *value == asked);
        let (number, _) = known.ok_or("mains is 50, 60, 0 or auto")?;
        return knobs.put(wiring.value, *number);
    }
    match (asked, wiring.auto) {
        (ControlValue::Auto, None) => Err("the camera cannot choose it itself".to_owned()),
        (ControlValue::Auto, Some(switch)) => {
            let mut said = "the camera cannot choose it itself".to_owned();
            for &auto in switch.auto {
                match knobs.put(switch.id, auto) {
                    Ok(()) => return Ok(()),
                    Err(why) => said = why,
                }
            }
            Err(said)
        }
        (ControlValue::Fixed(value), switch) => {
            if let Some(switch) = switch.filter(|s| knobs.get(s.id).is_some()) {
                knobs.put(switch.id, switch.fixed)?;
            }
            if control == CameraControl::Exposure {
                // Not all have it, and those that do lose pictures in the dark with it.
                let _ = knobs.put(id::EXPOSURE_PRIORITY, 0);
            }
            knobs.put(wiring.value, value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    /// A camera with some of the controls, each with its allowed values.
    struct Panel(RefCell<BTreeMap<u32, (i64, std::ops::RangeInclusive<i64>)>>);

    impl Panel {
        fn webcam() -> Self {
            Self(RefCell::new(BTreeMap::from([
                (id::EXPOSURE_AUTO, (3, 1..=3)),
                (id::EXPOSURE, (250, 3..=2047)),
                (id::EXPOSURE_PRIORITY, (1, 0..=1)),
                (id::POWER_LINE, (2, 0..=2)),
                (id::GAIN, (64, 0..=255)),
                (id::FOCUS, (0, 0..=250)),
                (id::FOCUS_AUTO, (1, 0..=1)),
            ])))
        }
    }

    impl Knobs for Panel {
        fn get(&self, id: u32) -> Option<i64> {
            self.0.borrow().get(&id).map(|(value, _)| *value)
        }
        fn put(&self, id: u32, value: i64) -> Result<(), String> {
            let mut all = self.0.borrow_mut();
            let (now, range) = all.get_mut(&id).ok_or("no such control")?;
            // Numbers are clamped by drivers, choices refused.
            if range.end() - range.start() < 5 && !range.contains(&value) {
                return Err("Numerical result out of range".to_owned());
            }
            *now = value.clamp(*range.start(), *range.end());
            Ok(())
        }
    }

    #[test]
    fn set_and_read_back() {
        let panel = Panel::webcam();
        let fixed = ControlValue::Fixed;
        let kept = set_on(
            &panel,
            &[
                (CameraControl::Mains, fixed(50)),
                (CameraControl::Exposure, fixed(200)),
                (CameraControl::Gain, fixed(10)),
                (CameraControl::Focus, fixed(30)),
            ],
        );
        assert!(kept.iter().all(|k| k.refused.is_none()), "{kept:?}");
        assert_eq!(panel.get(id::EXPOSURE_AUTO), Some(1));
        assert_eq!(panel.get(id::EXPOSURE_PRIORITY), Some(0));
        assert_eq!(panel.get(id::POWER_LINE), Some(1));
        assert_eq!(panel.get(id::FOCUS_AUTO), Some(0));
        let back = set_on(&panel, &[(CameraControl::Exposure, ControlValue::Auto)]);
        assert_eq!(back[0].refused, None);
        assert_eq!(panel.get(id::EXPOSURE_AUTO), Some(3));
    }

    #[test]
    fn what_is_refused_is_told() {
        let panel = Panel::webcam();
        let kept = set_on(
            &panel,
            &[
                (CameraControl::Exposure, ControlValue::Fixed(9000)),
                (CameraControl::Zoom, ControlValue::Fixed(2)),
                (CameraControl::Mains, ControlValue::Auto),
                (CameraControl::Gain, ControlValue::Auto),
            ],
        );
        let told: Vec<String> = kept.iter().map(Kept::to_string).collect();
        assert_eq!(
            told,
            [
                "exposure = 9000 refused: it is 2047 now",
                "zoom = 2 refused: the camera does not have it",
                "mains = auto refused: Numerical result out of range",
                "gain = auto refused: no such control",
            ]
        );
    }
}
