//! The camera in a profile's `[source]`, from text and back.

use std::time::Duration;

use super::super::key::{Key, Kind, Plain, some_text};
use super::keys::key;
use super::read::Reader;
use super::write::{Writer, list, millis};
use crate::types::{CameraControl, CameraName, CameraSpec, ControlValue, Turn};

/// What a camera is set to, in its own units.
const CHOICE: Kind = Kind::NumberOr(-1e9, 1e9, "auto");

/// The keys of a camera.
pub(super) const KEYS: &[Key] = &[
    key(
        "source.camera",
        Kind::Text(
            some_text,
            "a name that `kibitzer cameras` lists, or a part of it",
        ),
        "A camera, by its stable name, its device or a part of its card's name",
    ),
    key(
        "source.url",
        Kind::Text(
            url,
            "an address like \"http://10.0.0.5:8080/video\" or \"rtsp://...\"",
        ),
        "A camera in the network, by its address",
    ),
    key(
        "source.size",
        Kind::Wholes(2, 1, 16_384),
        "Width and height that are wanted from the camera, in pixels",
    ),
    key(
        "source.rate",
        Kind::Number(0.1, 1000.0),
        "Pictures a second that are wanted from the camera (30)",
    ),
    key(
        "source.format",
        Kind::Text(format, "the letters of a format like \"YUYV\" or \"MJPG\""),
        "How the camera shall pack its pixels",
    ),
    key(
        "source.rotate",
        Kind::Whole(0, 270),
        "Degrees clockwise by which the camera's picture is turned upright: 0, 90, 180 or 270",
    ),
    key(
        "source.mirror",
        Kind::Bool,
        "The camera's picture is mirrored, after it was turned",
    ),
    key(
        "source.frozen_ms",
        Kind::Whole(0, 3_600_000),
        "A camera that repeats its picture bit for bit for so long is frozen; 0 is never (2000)",
    ),
    key(
        "source.calibrated_with",
        Kind::Text(some_text, "the stable name of a camera"),
        "The camera that the calibration below was made with; with another one it is not used",
    ),
    key(
        "source.controls.mains",
        CHOICE,
        "The mains' frequency in Hz: 50, 60, 0 or \"auto\"",
    ),
    key(
        "source.controls.exposure",
        CHOICE,
        "Time of exposure in 0.1 ms, or \"auto\"; best a multiple of the screen's refresh",
    ),
    key("source.controls.gain", CHOICE, "Gain, or \"auto\""),
    key(
        "source.controls.white_balance",
        CHOICE,
        "White balance in Kelvin, or \"auto\"",
    ),
    key("source.controls.focus", CHOICE, "Focus, or \"auto\""),
    key("source.controls.zoom", CHOICE, "Zoom"),
    key("source.controls.brightness", CHOICE, "Brightness"),
    key("source.controls.contrast", CHOICE, "Contrast"),
    key("source.controls.saturation", CHOICE, "Saturation"),
    key("source.controls.sharpness", CHOICE, "Sharpness"),
    key(
        "source.controls.backlight",
        CHOICE,
        "Compensation of light from behind",
    ),
];

/// Keys that mean something for a camera only.
const CAMERAS: [&str; 8] = [
    "source.size",
    "source.rate",
    "source.format",
    "source.mirror",
    "source.rotate",
    "source.frozen_ms",
    "source.calibrated_with",
    "source.controls.",
];

/// The longest name of a format of pixels.
const LETTERS: usize = 4;

/// Checks the four letters of a format.
fn format(text: &str) -> Result<(), String> {
    let good = |c: char| c.is_ascii_graphic();
    match !text.is_empty() && text.len() <= LETTERS && text.chars().all(good) {
        true => Ok(()),
        false => Err(String::new()),
    }
}

/// Checks the address of a camera in the network.
fn url(text: &str) -> Result<(), String> {
    match text.split_once("://") {
        Some((kind, rest)) if !kind.is_empty() && !rest.is_empty() => Ok(()),
        _ => Err(String::new()),
    }
}

impl Reader<'_> {
    /// The cameras that `[source]` names: one, or none, or by mistake both kinds.
    pub(super) fn cameras(&mut self) -> Vec<CameraSpec> {
        let local = self.string("source.camera").map(CameraName::Local);
        let away = self.string("source.url").map(CameraName::Url);
        let named: Vec<CameraName> = local.into_iter().chain(away).collect();
        let mine = |e: &&super::super::document::Entry| {
            CAMERAS
                .iter()
                .any(|key| e.path == *key || e.path.starts_with("source.controls."))
        };
        if named.is_empty()
            && let Some(entry) = self.found.entries.iter().find(mine)
        {
            let (line, path) = (entry.line, entry.path.clone());
            let text = format!("{path} is used with source.camera or source.url only");
            self.problem(Some(line), text);
        }
        named.into_iter().map(|which| self.camera(which)).collect()
    }

    fn camera(&mut self, which: CameraName) -> CameraSpec {
        let away = matches!(which, CameraName::Url(_));
        let usual = CameraSpec::new(which);
        let mut controls = Vec::new();
        for control in CameraControl::ALL {
            let path = format!("source.controls.{control}");
            let Some(entry) = self.found.get(&path) else {
                continue;
            };
            let line = Some(entry.line);
            let value = match &entry.value {
                Plain::Text(_) => ControlValue::Auto,
                other => ControlValue::Fixed(other.as_number().unwrap_or(0.0).round() as i64),
            };
            if value == ControlValue::Auto && !control.has_auto() {
                let text = format!("{path}: cameras do not choose it themselves; give a number");
                self.problem(line, text);
            }
            if away {
                let text = format!(
                    "{path}: a camera in the network is not told anything: set it at the camera"
                );
                self.problem(line, text);
            }
            controls.push((control, value));
        }
        for path in ["source.size", "source.rate", "source.format"] {
            if away && let Some(entry) = self.found.get(path) {
                let line = Some(entry.line);
                let text = format!(
                    "{path}: a camera in the network chooses it: set it at the camera or in its \
                     address"
                );
                self.problem(line, text);
            }
        }
        let quarters = match self.whole::<u32>("source.rotate") {
            None => 0,
            Some(turn @ (0 | 90 | 180 | 270)) => (turn / 90) as u8,
            Some(other) => {
                let line = self.found.get("source.rotate").map(|e| e.line);
                let text = format!("source.rotate = {other}: 0, 90, 180 and 270 are allowed");
                self.problem(line, text);
                0
            }
        };
        let size = self.value("source.size").and_then(Plain::as_list);
        let size: Vec<u32> = { size.into_iter().flatten() }
            .filter_map(|v| u32::try_from(v.as_whole()?).ok())
            .collect();
        CameraSpec {
            size: <[u32; 2]>::try_from(size).ok().map(|[w, h]| (w, h)),
            rate: self.value("source.rate").and_then(Plain::as_number),
            format: self.string("source.format"),
            turn: Turn {
                quarters,
                mirror: matches!(self.value("source.mirror"), Some(Plain::Bool(true))),
            },
            frozen: match self.millis("source.frozen_ms") {
                None => usual.frozen,
                Some(Duration::ZERO) => None,
                some => some,
            },
            controls,
            calibrated_with: self.string("source.calibrated_with"),
            ..usual
        }
    }
}

impl Writer {
    pub(super) fn camera(&mut self, spec: &CameraSpec) {
        match &spec.which {
            CameraName::Local(name) => self.put("source.camera", name.as_str()),
            CameraName::Url(url) => self.put("source.url", url.as_str()),
        }
        let size = spec.size.map(|(w, h)| list([i64::from(w), i64::from(h)]));
        self.maybe("source.size", size);
        self.maybe("source.rate", spec.rate);
        self.maybe("source.format", spec.format.as_deref());
        if spec.turn.quarters > 0 {
            self.put("source.rotate", i64::from(spec.turn.quarters) * 90);
        }
        if spec.turn.mirror {
            self.put("source.mirror", true);
        }
        if spec.frozen != Some(CameraSpec::FROZEN) {
            self.put("source.frozen_ms", millis(spec.frozen).unwrap_or(0));
        }
        self.maybe("source.calibrated_with", spec.calibrated_with.as_deref());
        for (control, value) in &spec.controls {
            let path = format!("source.controls.{control}");
            match value {
                ControlValue::Auto => self.put(&path, "auto"),
                ControlValue::Fixed(value) => self.put(&path, *value),
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::super::{Profile, Source};
    use super::*;

    pub(in super::super) fn camera() -> impl Strategy<Value = CameraSpec> {
        let which = prop_oneof![
            "[ -~äß]{1,12}"
                .prop_filter("not blank", |s| !s.trim().is_empty())
                .prop_map(CameraName::Local),
            "(http|rtsp)://[a-z@.:0-9]{1,20}".prop_map(CameraName::Url),
        ];
        let wish = proptest::option::of(((1u32..9999, 1u32..9999), 1.0f64..200.0, "[A-Z0-9]{1,4}"));
        let value = prop_oneof![
            Just(ControlValue::Auto),
            (-1000i64..100_000).prop_map(ControlValue::Fixed)
        ];
        let controls = proptest::collection::btree_map(0..CameraControl::ALL.len(), value, 0..4);
        let frozen = proptest::option::of((1u64..9999).prop_map(Duration::from_millis));
        (which, wish, 0u8..4, any::<bool>(), frozen, controls).prop_map(
            |(which, wish, quarters, mirror, frozen, controls)| {
                let away = matches!(which, CameraName::Url(_));
                let wish = wish.filter(|_| !away);
                let chosen = |(i, value)| (CameraControl::ALL[i], value);
                CameraSpec {
                    size: wish.as_ref().map(|w| w.0),
                    rate: wish.as_ref().map(|w| w.1),
                    format: wish.map(|w| w.2),
                    turn: Turn { quarters, mirror },
                    calibrated_with: mirror.then(|| "by-id/usb-1".to_owned()),
                    frozen,
                    controls: { controls.into_iter().map(chosen) }
                        .filter(|(c, v)| !away && (c.has_auto() || *v != ControlValue::Auto))
                        .collect(),
                    ..CameraSpec::new(which)
                }
            },
        )
    }

    fn read(source: &str) -> Result<CameraSpec, String> {
        let text = format!("version = 1\n[game]\nname = \"tetris\"\n[source]\n{source}");
        match Profile::parse("p", "p", &text)
            .map_err(|e| e.to_string())?
            .source
        {
            Source::Camera(spec) => Ok(spec),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_that_a_camera_can_be_told() {
        let spec = read(
            "camera = \"C920\"\nsize = [1280, 720]\nrate = 30\nformat = \"MJPG\"\nrotate = 270\n\
             mirror = true\nfrozen_ms = 0\n[source.controls]\nexposure = 200\nmains = 50\n\
             focus = \"auto\"\n",
        );
        let spec = spec.expect("good");
        assert_eq!(spec.which, CameraName::Local("C920".into()));
        assert_eq!((spec.size, spec.rate), (Some((1280, 720)), Some(30.0)));
        assert_eq!((spec.turn.quarters, spec.turn.mirror), (3, true));
        assert_eq!(spec.frozen, None);
        let told: Vec<String> = spec
            .controls
            .iter()
            .map(|(c, v)| format!("{c}={v}"))
            .collect();
        assert_eq!(told, ["mains=50", "exposure=200", "focus=auto"]);
        let phone = read("url = \"http://10.0.0.5:8080/video\"\nrotate = 90\n").expect("good");
        assert_eq!(phone.which.text(), "http://10.0.0.5:8080/video");
        assert_eq!(phone.frozen, Some(CameraSpec::FROZEN));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, expected) in [
            ("camera = \"\"\n", "p:5: source.camera"),
            (
                "camera = \"x\"\nrotate = 45\n",
                "p:6: source.rotate = 45: 0, 90, 180 and 270",
            ),
            ("camera = \"x\"\nformat = \"MJPEG\"\n", "p:6: source.format"),
            ("camera = \"x\"\nsize = [640]\n", "p:6: source.size"),
            (
                "camera = \"x\"\n[source.controls]\nzoom = \"auto\"\n",
                "p:7: source.controls.zoom",
            ),
            (
                "camera = \"x\"\n[source.controls]\nexpose = 3\n",
                "did you mean source.controls.exposure",
            ),
            (
                "camera = \"x\"\nscreen = \"1\"\n",
                "names more than one source",
            ),
            (
                "camera = \"x\"\nurl = \"http://x/\"\n",
                "names more than one source",
            ),
            (
                "screen = \"1\"\nmirror = true\n",
                "p:6: source.mirror is used with source.camera",
            ),
            ("url = \"10.0.0.5\"\n", "p:5: source.url"),
            (
                "url = \"http://x/\"\nrate = 5\n",
                "p:6: source.rate: a camera in the network",
            ),
            (
                "url = \"http://x/\"\n[source.controls]\ngain = 5\n",
                "p:7: source.controls.gain",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(expected), "{text}\n{error}");
        }
    }
}
