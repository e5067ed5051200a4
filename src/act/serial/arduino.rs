//! The words of the firmware in `hardware/firmware`: those of the ADR2200, a version, and a timer
//! that opens all relays when this side falls silent.
//!
//! Takes relays, gives bytes, and reads the board's answers. Must never do I/O.

use std::time::Duration;

use super::adr2200::{Adr2200, set_all};
use super::{Answer, Commands, Protocol, Relays};

/// The version of the protocol that this program speaks.
pub const VERSION: u32 = 1;

/// The board opens all relays when it has heard no command for so long.
pub const DEAD_MAN: Duration = Duration::from_millis(500);

/// How often something is sent while a relay is closed: three of them may be lost.
pub const KEEP_ALIVE: Duration = Duration::from_millis(120);

/// The command that does nothing else.
pub const NOTHING: &[u8] = b"KA\r";

/// What the answer to the question for the version begins with.
const TITLE: &str = "KIBITZER ";

/// An Arduino Uno or Nano with Kibitzer's firmware: 8 relays, 9600 bits per second.
pub struct Arduino;

impl Protocol for Arduino {
    fn name(&self) -> &'static str {
        "Arduino"
    }

    fn let_go(&self, _held: u32) -> Commands {
        vec![set_all(0)]
    }

    fn greeting(&self) -> Option<&'static [u8]> {
        Some(b"VER\r")
    }

    fn greeted(&self, heard: &[u8]) -> Option<Result<(), String>> {
        let version = version(heard)?;
        Some(if version == VERSION {
            Ok(())
        } else {
            Err(format!(
                "its firmware speaks version {version} of the protocol and this program version \
                 {VERSION}: run `make -C hardware/firmware flash PORT=...` of this program's \
                 sources (see hardware/arduino.md)"
            ))
        })
    }

    fn setup(&self) -> Commands {
        vec![format!("DM{:04}\r", DEAD_MAN.as_millis()).into_bytes()]
    }

    fn question(&self) -> Option<Vec<u8>> {
        Adr2200.question()
    }

    fn answer(&self, heard: &[u8]) -> Option<Answer> {
        Adr2200.answer(heard)
    }

    fn keep_alive(&self) -> Option<(Duration, &'static [u8])> {
        Some((KEEP_ALIVE, NOTHING))
    }
}

impl Relays for Arduino {
    fn set(&self, closed: u32, before: u32) -> Commands {
        Adr2200.set(closed, before)
    }
}

/// The answer to `VER`: a line `KIBITZER n`. The last such line counts.
fn version(heard: &[u8]) -> Option<u32> {
    let mut lines: Vec<&[u8]> = heard.split(|b| matches!(b, b'\r' | b'\n')).collect();
    // What has no end yet may go on.
    lines.pop();
    lines.iter().rev().find_map(|line| {
        let text = std::str::from_utf8(line).ok()?.trim();
        let number = text.strip_prefix(TITLE)?;
        let digits = number.bytes().all(|b| b.is_ascii_digit());
        number.parse().ok().filter(|_| digits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn versions() {
        assert_eq!(version(b"KIBITZER 1\r\n"), Some(1));
        assert_eq!(version(b"\x00\xffVER\rKIBITZER 12\r"), Some(12));
        for none in [
            &b""[..],
            b"KIBITZER 1",
            b"KIBITZER \r",
            b"KIBITZER +1\r",
            b"ADR2200\r",
        ] {
            assert_eq!(version(none), None, "{none:?}");
        }
        assert_eq!(Arduino.greeted(b"KIBITZER 1\r"), Some(Ok(())));
        let old = Arduino.greeted(b"KIBITZER 2\r").expect("an answer");
        let text = old.expect_err("another version");
        assert!(
            text.contains("version 2") && text.contains("flash"),
            "{text}"
        );
        assert_eq!(Arduino.setup(), [b"DM0500\r"]);
        assert!(KEEP_ALIVE * 4 < DEAD_MAN);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_are_read_without_panic_and_an_answer_after_them_is_found(
            noise in proptest::collection::vec(any::<u8>(), 0..64),
        ) {
            let _ = version(&noise);
            let mut heard = noise;
            heard.extend(b"\rKIBITZER 1\r");
            prop_assert_eq!(version(&heard), Some(1));
        }
    }
}
