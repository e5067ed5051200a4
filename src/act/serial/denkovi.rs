//! The bytes of Denkovi's board of 16 relays: short words that end in two slashes.
//!
//! Takes relays, gives bytes, and reads the board's answers. Must never do I/O.

use super::{Answer, Commands, Protocol, Relays, each};

/// 16 relays behind an FT232, 9600 bits per second, 8N1. It echoes each command it has done.
pub struct Denkovi;

/// What two commands have that end alike.
const END: &[u8] = b"//";

/// The longest word: `01+`, `off`, `ask`, `x` and two bytes.
const WORD: usize = 3;

impl Protocol for Denkovi {
    fn name(&self) -> &'static str {
        "Denkovi board"
    }

    fn let_go(&self, _held: u32) -> Commands {
        vec![b"off//".to_vec()]
    }

    fn question(&self) -> Option<Vec<u8>> {
        Some(b"ask//".to_vec())
    }

    fn answer(&self, heard: &[u8]) -> Option<Answer> {
        told(heard).map(|mask| Answer::Holds(mask.into()))
    }
}

impl Relays for Denkovi {
    fn set(&self, closed: u32, before: u32) -> Commands {
        if closed == 0 {
            return self.let_go(before);
        }
        let open = each(before & !closed).map(|n| set_one(n + 1, false));
        open.chain(each(closed & !before).map(|n| set_one(n + 1, true)))
            .collect()
    }
}

/// `nn+//`, `nn-//`: closes or opens one relay, counted from 1.
#[must_use]
pub fn set_one(relay: u8, closed: bool) -> Vec<u8> {
    let sign = if closed { '+' } else { '-' };
    format!("{relay:02}{sign}//").into_bytes()
}

/// The answer to `ask//`: two bytes without any frame, the highest bit of the first for relay 1.
/// Echoes of commands before them are passed over. Where anything else lies beside them, nothing
/// is certain and nothing is told.
fn told(heard: &[u8]) -> Option<u16> {
    let mut rest = heard;
    while let Some(at) = rest.windows(2).position(|w| w == END) {
        if at > WORD || !begins_word(&rest[..at]) {
            return None;
        }
        rest = &rest[at + END.len()..];
    }
    let &[high, low] = rest else {
        return None;
    };
    // It may be the first half of an echo.
    (!begins_word(rest)).then(|| u16::from_be_bytes([high, low]).reverse_bits())
}

/// Whether a command could begin so.
fn begins_word(bytes: &[u8]) -> bool {
    let number = bytes.iter().take(2).all(u8::is_ascii_digit);
    let sign = bytes.get(2).is_none_or(|b| matches!(b, b'+' | b'-'));
    let words: [&[u8]; 3] = [b"off", b"on", b"ask"];
    number && sign || words.iter().any(|w| w.starts_with(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bytes_of_the_manual() {
        assert_eq!(set_one(1, true), b"01+//");
        assert_eq!(set_one(16, false), b"16-//");
        assert_eq!(Denkovi.set(0b11, 0), [b"01+//".to_vec(), b"02+//".to_vec()]);
        assert_eq!(Denkovi.set(0, 0b11), [b"off//"]);
    }

    #[test]
    fn answers() {
        assert_eq!(told(&[0, 0]), Some(0));
        assert_eq!(told(&[0x80, 0]), Some(1), "relay 1");
        assert_eq!(told(&[0, 1]), Some(0x8000), "relay 16");
        assert_eq!(told(b"off//01+//ask//\x00\x00"), Some(0), "echoes");
        for none in [
            &b""[..],
            b"\x00",
            b"\x00\x00\x00",
            b"off//",
            b"01",
            b"of",
            b"garbage//\x00\x00",
        ] {
            assert_eq!(told(none), None, "{none:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_are_read_without_panic_and_only_a_clean_answer_is_told(
            noise in proptest::collection::vec(any::<u8>(), 0..64),
            mask in any::<u16>(),
        ) {
            let _ = told(&noise);
            let bytes = mask.reverse_bits().to_be_bytes();
            let mut heard = b"off//".to_vec();
            heard.extend(bytes);
            let expected = (!begins_word(&bytes) && bytes != *b"//").then_some(mask);
            prop_assert_eq!(told(&heard), expected);
        }
    }
}
