//! The serial ports of this machine, and what is behind them.
//!
//! Takes what the system tells of its ports; asks the devices only where it is told to, since a
//! question is bytes that some other device may take for something else. Must never send what
//! closes a relay or presses a key.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serialport::SerialPortType;

use super::ch9329::Ch9329;
use super::port::Port;
use super::{Protocol, protocol};
use crate::act::ActError;
use crate::types::{AUTO, Board, CH9329, HandsSpec, LineSpec, RELAY_BOARDS};

/// How long one question may take.
const ANSWER: Duration = Duration::from_millis(250);

/// A board that starts anew when its port is opened says nothing before.
const BOOT: Duration = Duration::from_millis(2500);

/// Chips of serial adapters by their USB ids (vendor, product; 0 for any), what they are called,
/// and the kinds of hands that come with them.
const CHIPS: [(u16, u16, &str, &[&str]); 8] = [
    (
        0x1a86,
        0x7523,
        "CH340",
        &["lcus", CH9329, "arduino", "adr2200"],
    ),
    (
        0x1a86,
        0x5523,
        "CH341",
        &["lcus", CH9329, "arduino", "adr2200"],
    ),
    (
        0x0403,
        0,
        "FTDI",
        &["denkovi", "adr2200", "arduino", CH9329],
    ),
    (0x067b, 0, "Prolific", &["adr2200", CH9329]),
    (0x10c4, 0, "Silicon Labs", &["adr2200", CH9329, "arduino"]),
    (0x2341, 0, "Arduino", &["arduino"]),
    (0x2a03, 0, "Arduino", &["arduino"]),
    (0x2a19, 0, "Numato", &["numato"]),
];

/// A serial port as the system knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortInfo {
    /// Its device, like `/dev/ttyUSB0`.
    pub device: PathBuf,
    /// Its name that stays when it is plugged in again, where there is one.
    pub by_id: Option<PathBuf>,
    /// Vendor and product of the adapter on the USB.
    pub usb: Option<(u16, u16)>,
    /// What the adapter calls itself, or what its ids say.
    pub product: Option<String>,
}

impl PortInfo {
    /// The name to write into a profile.
    #[must_use]
    pub fn name(&self) -> &Path {
        self.by_id.as_deref().unwrap_or(&self.device)
    }

    /// The kinds of hands that come with such an adapter; all where it is not known.
    #[must_use]
    pub fn likely(&self) -> Vec<&'static str> {
        let chip = self.usb.and_then(chip);
        let all = || {
            let boards = RELAY_BOARDS.iter().map(|k| k.word);
            boards.chain([CH9329]).collect()
        };
        chip.map_or_else(all, |(_, kinds)| kinds.to_vec())
    }

    /// Why it cannot be opened, with the fix, without opening it.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        use rustix::fs::{Access, access};
        match access(&self.device, Access::READ_OK | Access::WRITE_OK) {
            Ok(()) => None,
            Err(rustix::io::Errno::ACCESS) => Some(super::port::denied(&self.device)),
            Err(error) => Some(error.to_string()),
        }
    }
}

fn chip((vendor, product): (u16, u16)) -> Option<(&'static str, &'static [&'static str])> {
    let fits = |p: u16| p == 0 || p == product;
    let found = CHIPS.iter().find(|c| c.0 == vendor && fits(c.1));
    found.map(|(_, _, name, kinds)| (*name, *kinds))
}

/// The ports that a device may be plugged into: those on the USB, and others only if there are
/// none, since `/dev/ttyS0` to `ttyS3` are there without anything behind them.
#[must_use]
pub fn list() -> Vec<PortInfo> {
    let names = by_id(Path::new("/dev/serial/by-id"));
    let mut all: Vec<PortInfo> = serialport::available_ports()
        .unwrap_or_default()
        .into_iter()
        .map(|port| {
            let device = PathBuf::from(&port.port_name);
            let (usb, product) = match port.port_type {
                SerialPortType::UsbPort(usb) => {
                    let ids = (usb.vid, usb.pid);
                    let named = usb.product.or_else(|| chip(ids).map(|c| c.0.to_owned()));
                    (Some(ids), named)
                }
                _ => (None, None),
            };
            let by_id = names.iter().find(|(_, d)| *d == device);
            PortInfo {
                by_id: by_id.map(|(name, _)| name.clone()),
                device,
                usb,
                product,
            }
        })
        .collect();
    if all.iter().any(|p| p.usb.is_some()) {
        all.retain(|p| p.usb.is_some());
    }
    all.sort_by(|a, b| a.device.cmp(&b.device));
    all
}

/// The names in such a folder with the devices that they stand for.
fn by_id(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(PathBuf, PathBuf)> = entries
        .filter_map(|e| Some((e.path(), std::fs::canonicalize(e.path()).ok()?)))
        .collect();
    found.sort();
    found
}

/// Asks what is behind a port, kind by kind. The word of the kind, and how many relays it has.
///
/// # Errors
/// [`ActError::Gone`] with the fix when the port cannot be opened.
pub fn identify(port: &Path, kinds: &[&str]) -> Result<Option<(&'static str, u8)>, ActError> {
    // Those that restart first: the others' questions pass the time.
    let order = ["arduino", "adr2200", "numato", "denkovi", CH9329, "lcus"];
    for word in order.into_iter().filter(|w| kinds.contains(w)) {
        let sizes = match Board::named(word) {
            Some(board) => board.kind().sizes,
            None => &[0][..],
        };
        // The small boards' questions are understood by the large ones too.
        for &size in sizes.iter().rev() {
            let boot = if word == "arduino" {
                BOOT
            } else {
                Duration::ZERO
            };
            let mut line = LineSpec::new(&port.display().to_string());
            line.boot = boot;
            if answers(&line, &*speaker(word, size))? {
                return Ok(Some((word, size)));
            }
        }
    }
    Ok(None)
}

/// What is spoken with a kind of device.
fn speaker(word: &str, size: u8) -> std::sync::Arc<dyn Protocol> {
    match Board::named(word) {
        Some(board) => protocol(board, size),
        None => std::sync::Arc::new(Ch9329::new(false, false)),
    }
}

/// Whether the device on this line answers the protocol's question; `boot` is how long it is
/// asked.
fn answers(line: &LineSpec, protocol: &dyn Protocol) -> Result<bool, ActError> {
    let mut port = Port::open(line)?;
    let lost = |e: std::io::Error| ActError::Gone(format!("{}: {e}", line.port));
    let until = Instant::now() + line.boot;
    let question = match protocol.greeting() {
        Some(greeting) => greeting.to_vec(),
        None => protocol.question().unwrap_or_default(),
    };
    loop {
        port.forget_input().map_err(lost)?;
        // What an earlier question left on the line is no part of this one.
        for end in [&b"\r"[..], b"//"] {
            if question.ends_with(end) {
                port.write(end).map_err(lost)?;
            }
        }
        port.write(&question).map_err(lost)?;
        let heard = port.read_until(ANSWER, |heard| match protocol.greeting() {
            Some(_) => protocol.greeted(heard).map(|_| ()),
            None => protocol.answer(heard).map(|_| ()),
        });
        if heard.map_err(lost)?.0.is_some() {
            return Ok(true);
        }
        if Instant::now() >= until {
            return Ok(false);
        }
    }
}

/// Whether the profile leaves the port to us.
#[must_use]
pub fn is_open(spec: &HandsSpec) -> bool {
    match spec {
        HandsSpec::Relays(relays) => relays.line.port == AUTO,
        HandsSpec::Usb(usb) => usb.line.port == AUTO,
        HandsSpec::Screen(_) | HandsSpec::Kernel(_) => false,
    }
}

/// The same hands with the port found, where the profile leaves that to us (`port = "auto"`):
/// the only one of `candidates` that answers as this kind of device.
///
/// # Errors
/// [`ActError::Gone`] that names what was found when it is not exactly one,
/// [`ActError::Unsupported`] for devices that never answer.
pub fn resolve(spec: &HandsSpec, candidates: &[PortInfo]) -> Result<HandsSpec, ActError> {
    let (line, word, size) = match spec {
        HandsSpec::Relays(relays) => (&relays.line, relays.board.kind().word, relays.size),
        HandsSpec::Usb(usb) => (&usb.line, CH9329, 0),
        HandsSpec::Screen(_) | HandsSpec::Kernel(_) => return Ok(spec.clone()),
    };
    if line.port != AUTO {
        return Ok(spec.clone());
    }
    if !line.handshake {
        return Err(ActError::Unsupported(
            "hands.port = \"auto\" needs a device that answers: write its port (`kibitzer ports` \
             lists them), or handshake = true"
                .into(),
        ));
    }
    let speaker = speaker(word, size);
    let (mut found, mut told) = (Vec::new(), Vec::new());
    for port in candidates.iter().filter(|p| p.likely().contains(&word)) {
        let name = port.name().display().to_string();
        let line = LineSpec {
            port: name.clone(),
            ..line.clone()
        };
        match answers(&line, &*speaker) {
            Ok(true) => found.push(name),
            Ok(false) => told.push(format!("{name} does not answer")),
            Err(error) => told.push(error.to_string()),
        }
    }
    let port = match found.as_slice() {
        [one] => one.clone(),
        [] if told.is_empty() => {
            return Err(ActError::Gone(format!(
                "hands.port = \"auto\": no serial adapter that a {word} may have is plugged in"
            )));
        }
        [] => {
            let told = told.join("; ");
            return Err(ActError::Gone(format!(
                "hands.port = \"auto\": no {word} was found: {told}"
            )));
        }
        many => {
            return Err(ActError::Gone(format!(
                "hands.port = \"auto\": {} devices answer as {word}: {}; write one of them",
                many.len(),
                many.join(", ")
            )));
        }
    };
    tracing::info!(port, "found the {word}");
    let mut spec = spec.clone();
    match &mut spec {
        HandsSpec::Relays(relays) => relays.line.port = port,
        HandsSpec::Usb(usb) => usb.line.port = port,
        HandsSpec::Screen(_) | HandsSpec::Kernel(_) => {}
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters_tell_what_they_may_be() {
        let port = |usb| PortInfo {
            device: "/dev/ttyUSB0".into(),
            by_id: None,
            usb,
            product: None,
        };
        assert!(port(Some((0x1a86, 0x7523))).likely().contains(&"lcus"));
        assert_eq!(port(Some((0x2a19, 0x0c05))).likely(), ["numato"]);
        assert_eq!(port(Some((1, 2))).likely().len(), RELAY_BOARDS.len() + 1);
        // Every kind is somewhere, and every word is a kind.
        for kind in RELAY_BOARDS {
            assert!(
                CHIPS.iter().any(|c| c.3.contains(&kind.word)),
                "{}",
                kind.word
            );
        }
        let known = |w: &&str| Board::named(w).is_some() || *w == CH9329;
        assert!(CHIPS.iter().all(|c| c.3.iter().all(known)));
    }

    #[test]
    fn names_that_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let device = folder.path().join("ttyUSB7");
        std::fs::write(&device, "").expect("written");
        let ids = folder.path().join("by-id");
        std::fs::create_dir(&ids).expect("made");
        std::os::unix::fs::symlink("../ttyUSB7", ids.join("usb-X-port0")).expect("a link");
        std::os::unix::fs::symlink("../none", ids.join("usb-Y-port0")).expect("a link");
        let device = device.canonicalize().expect("there");
        assert_eq!(by_id(&ids), [(ids.join("usb-X-port0"), device)]);
        assert_eq!(by_id(&folder.path().join("none")), []);
    }
}
