//! Which camera is wanted, how it shall be set, and why it shows nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Which camera, and how it shall be set.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraSpec {
    /// Which one.
    pub which: CameraName,
    /// Width and height that are wanted, in px as the camera delivers them, before they are turned.
    pub size: Option<(u32, u32)>,
    /// Pictures a second that are wanted.
    pub rate: Option<f64>,
    /// How its pixels shall be packed, by the four letters of the format (`YUYV`, `MJPG`).
    pub format: Option<String>,
    /// What makes its picture stand upright.
    pub turn: Turn,
    /// A picture that is repeated bit for bit for so long comes out of a buffer; `None` lets it.
    pub frozen: Option<Duration>,
    /// What is set at every opening, in this order.
    pub controls: Vec<(CameraControl, ControlValue)>,
    /// The stable name of the camera that a saved calibration was made with: another one stands
    /// elsewhere and sees other colours, even if it has the same name.
    pub calibrated_with: Option<String>,
}

impl CameraSpec {
    /// How long a camera may repeat itself when nobody says: the noise of a sensor changes some
    /// pixel of every exposure.
    pub const FROZEN: Duration = Duration::from_secs(2);

    /// A camera as it comes.
    #[must_use]
    pub const fn new(which: CameraName) -> Self {
        Self {
            which,
            size: None,
            rate: None,
            format: None,
            turn: Turn {
                quarters: 0,
                mirror: false,
            },
            frozen: Some(Self::FROZEN),
            controls: Vec::new(),
            calibrated_with: None,
        }
    }
}

/// How a camera is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CameraName {
    /// One of this machine: a name below `/dev/v4l/by-id` or `by-path`, a device, a serial number,
    /// or a part of the card's name.
    Local(String),
    /// One in the network, by its address.
    Url(String),
}

impl CameraName {
    /// What a person wrote: an address has `://` in it.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        if text.contains("://") {
            Self::Url(text.to_owned())
        } else {
            Self::Local(text.to_owned())
        }
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Local(text) | Self::Url(text) => text,
        }
    }
}

/// What makes a camera's picture stand upright: first turned, then mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Quarter turns clockwise, 0 to 3.
    pub quarters: u8,
    /// Left and right exchanged.
    pub mirror: bool,
}

/// What a camera can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CameraControl {
    /// Time of exposure, in units of 0.1 ms.
    Exposure,
    /// Gain, in the camera's own units.
    Gain,
    /// White balance, in Kelvin.
    WhiteBalance,
    /// Focus, in the camera's own units.
    Focus,
    /// The mains' frequency that the camera suits its exposure to: 50, 60, or 0 for none.
    Mains,
    /// Zoom, in the camera's own units.
    Zoom,
    /// Brightness, in the camera's own units.
    Brightness,
    /// Contrast, in the camera's own units.
    Contrast,
    /// Saturation, in the camera's own units.
    Saturation,
    /// Sharpness, in the camera's own units.
    Sharpness,
    /// Compensation of light from behind, in the camera's own units.
    Backlight,
}

impl CameraControl {
    /// All, in the order in which they are set.
    pub const ALL: [Self; 11] = [
        Self::Mains,
        Self::Exposure,
        Self::Gain,
        Self::WhiteBalance,
        Self::Focus,
        Self::Zoom,
        Self::Brightness,
        Self::Contrast,
        Self::Saturation,
        Self::Sharpness,
        Self::Backlight,
    ];

    /// Its name in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exposure => "exposure",
            Self::Gain => "gain",
            Self::WhiteBalance => "white_balance",
            Self::Focus => "focus",
            Self::Mains => "mains",
            Self::Zoom => "zoom",
            Self::Brightness => "brightness",
            Self::Contrast => "contrast",
            Self::Saturation => "saturation",
            Self::Sharpness => "sharpness",
            Self::Backlight => "backlight",
        }
    }

    /// The control of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Whether cameras have a way of setting it themselves.
    #[must_use]
    pub const fn has_auto(self) -> bool {
        matches!(
            self,
            Self::Exposure | Self::Gain | Self::WhiteBalance | Self::Focus | Self::Mains
        )
    }
}

impl std::fmt::Display for CameraControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a control is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlValue {
    /// The camera decides.
    Auto,
    /// A number.
    Fixed(i64),
}

impl std::fmt::Display for ControlValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Fixed(value) => write!(f, "{value}"),
        }
    }
}

/// Why a camera that is wanted shows nothing now. All of these may pass by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CameraTrouble {
    /// It is not there, or no more.
    Gone,
    /// Another program has it.
    Busy,
    /// This user may not use it.
    Denied,
    /// It gives no pictures.
    Hanging,
    /// It gives damaged pictures only.
    Damaged,
    /// It does nothing that can be used.
    Refusing,
}

impl CameraTrouble {
    /// One word, for machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Busy => "busy",
            Self::Denied => "denied",
            Self::Hanging => "hanging",
            Self::Damaged => "damaged",
            Self::Refusing => "refusing",
        }
    }
}

impl std::fmt::Display for CameraTrouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Gone => "a camera that is gone: plug it in again, it is waited for",
            Self::Busy => "a camera that another program uses: close that one",
            Self::Denied => {
                "a camera that this user may not use: add the user to the group video \
                 (sudo usermod -aG video $USER) and log in again"
            }
            Self::Hanging => {
                "a camera that gives no pictures: it is opened again and again; if that does not \
                 help, unplug it"
            }
            Self::Damaged => {
                "a camera that gives damaged pictures only: use another cable or USB socket, or a \
                 lower rate or size"
            }
            Self::Refusing => {
                "a camera that does nothing that can be used here: `kibitzer cameras` lists what \
                 it offers"
            }
        })
    }
}
