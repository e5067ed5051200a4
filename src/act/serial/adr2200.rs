//! The bytes of an Ontrak ADR2200: commands in ASCII, each ended by a carriage return.
//!
//! Takes relays, gives bytes, and reads the board's answers. Must never do I/O.

use super::{Answer, Commands, Protocol, Relays};

/// Ontrak ADR2200: 8 relays in port K, 9600 bits per second, 8N1. It answers only what is asked.
pub struct Adr2200;

impl Protocol for Adr2200 {
    fn name(&self) -> &'static str {
        "ADR2200"
    }

    fn let_go(&self, _held: u32) -> Commands {
        vec![set_all(0)]
    }

    fn question(&self) -> Option<Vec<u8>> {
        Some(b"RPK\r".to_vec())
    }

    fn answer(&self, heard: &[u8]) -> Option<Answer> {
        bits(heard).map(|mask| Answer::Holds(mask.into()))
    }
}

impl Relays for Adr2200 {
    fn set(&self, closed: u32, _before: u32) -> Commands {
        vec![set_all(closed as u8)]
    }
}

/// `MKddd`: closes exactly these relays; three decimal digits.
#[must_use]
pub fn set_all(closed: u8) -> Vec<u8> {
    format!("MK{closed:03}\r").into_bytes()
}

/// `SKn`: closes one relay and leaves the others.
#[must_use]
pub fn close_one(relay: u8) -> Vec<u8> {
    format!("SK{}\r", relay & 7).into_bytes()
}

/// `RKn`: opens one relay and leaves the others.
#[must_use]
pub fn open_one(relay: u8) -> Vec<u8> {
    format!("RK{}\r", relay & 7).into_bytes()
}

/// The answer to `RPK`: eight binary digits on a line, relay 7 first. The last such line counts;
/// other lines (an echo, the rest of something garbled) are passed over.
#[must_use]
pub fn bits(heard: &[u8]) -> Option<u8> {
    let mut lines: Vec<&[u8]> = heard.split(|b| matches!(b, b'\r' | b'\n')).collect();
    // What has no end yet may go on.
    lines.pop();
    lines.iter().rev().find_map(|line| {
        let line = line.trim_ascii();
        if line.len() != 8 {
            return None;
        }
        line.iter().try_fold(0u8, |mask, digit| match digit {
            b'0' => Some(mask << 1),
            b'1' => Some(mask << 1 | 1),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bytes_of_the_manual() {
        assert_eq!(set_all(1), [0x4d, 0x4b, 0x30, 0x30, 0x31, 0x0d]);
        assert_eq!(set_all(0), b"MK000\r");
        assert_eq!(set_all(16), b"MK016\r");
        assert_eq!(set_all(255), b"MK255\r");
        assert_eq!(close_one(3), b"SK3\r");
        assert_eq!(open_one(7), b"RK7\r");
    }

    #[test]
    fn answers() {
        assert_eq!(bits(b"00000000\r"), Some(0));
        assert_eq!(bits(b"00000101\r\n"), Some(5));
        assert_eq!(bits(b"RPK\r10000000\r"), Some(128), "an echo");
        assert_eq!(bits(b"\xff\x00garbage\r00000001\r"), Some(1));
        assert_eq!(bits(b"00000001\r00000000\r"), Some(0), "the last");
        for none in [
            &b""[..],
            b"0000000\r",
            b"000000001\r",
            b"00000002\r",
            b"00000001",
            b"RPK\r",
        ] {
            assert_eq!(bits(none), None, "{none:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_are_read_without_panic_and_an_answer_after_them_is_found(
            noise in proptest::collection::vec(any::<u8>(), 0..64),
            mask in any::<u8>(),
        ) {
            let _ = bits(&noise);
            let mut heard = noise;
            heard.extend(format!("\r{mask:08b}\r").bytes());
            prop_assert_eq!(bits(&heard), Some(mask));
        }
    }
}
