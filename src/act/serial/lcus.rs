//! The bytes of an LCUS-n (n relays behind a CH340): four bytes for one relay.
//!
//! Takes relays, gives bytes, and reads the answer of those boards that have one. Must never do
//! I/O.

use super::{Answer, Commands, Protocol, Relays, each};

/// LCUS-1, LCUS-2, LCUS-4, LCUS-8: 9600 bits per second, 8N1. There is no command for all
/// relays. Some boards tell their relays when asked (`FF`), others know no question.
pub struct Lcus {
    /// How many relays.
    pub size: u8,
}

/// The byte that asks for all relays.
pub const QUESTION: u8 = 0xff;

impl Protocol for Lcus {
    fn name(&self) -> &'static str {
        "LCUS board"
    }

    fn let_go(&self, held: u32) -> Commands {
        let rest = all(self.size) & !held;
        let relays = each(held & all(self.size)).chain(each(rest));
        relays.map(|n| set_one(n + 1, false)).collect()
    }

    fn question(&self) -> Option<Vec<u8>> {
        Some(vec![QUESTION])
    }

    fn answer(&self, heard: &[u8]) -> Option<Answer> {
        told(heard, self.size).map(Answer::Holds)
    }
}

impl Relays for Lcus {
    fn set(&self, closed: u32, before: u32) -> Commands {
        // What opens comes first: never more keys at once than are meant.
        let open = each(before & !closed).map(|n| set_one(n + 1, false));
        open.chain(each(closed & !before).map(|n| set_one(n + 1, true)))
            .collect()
    }
}

const fn all(size: u8) -> u32 {
    u32::MAX >> (32 - size)
}

/// `A0 relay state sum`: closes or opens one relay, counted from 1.
#[must_use]
pub fn set_one(relay: u8, closed: bool) -> Vec<u8> {
    let (head, state) = (0xa0u8, u8::from(closed));
    let sum = head.wrapping_add(relay).wrapping_add(state);
    vec![head, relay, state, sum]
}

/// The answer to the question: a line `CHn:ON` or `CHn: OFF` for each relay. The last of each
/// counts; all must be there.
fn told(heard: &[u8], size: u8) -> Option<u32> {
    let (mut mask, mut seen) = (0u32, 0u32);
    let mut lines: Vec<&[u8]> = heard.split(|b| matches!(b, b'\r' | b'\n')).collect();
    // What has no end yet may go on.
    lines.pop();
    for line in lines {
        let Some(at) = line.windows(2).position(|w| w.eq_ignore_ascii_case(b"CH")) else {
            continue;
        };
        let mut parts = line[at + 2..].splitn(2, |b| *b == b':');
        let number = parts.next().and_then(|n| std::str::from_utf8(n).ok());
        let relay = number.and_then(|n| n.trim().parse::<u8>().ok());
        let Some(bit) = relay.filter(|n| (1..=size).contains(n)).map(|n| n - 1) else {
            continue;
        };
        let state = parts.next().map_or(&b""[..], <[u8]>::trim_ascii);
        let on = match () {
            () if state.eq_ignore_ascii_case(b"ON") => 1,
            () if state.eq_ignore_ascii_case(b"OFF") => 0,
            () => continue,
        };
        mask = mask & !(1 << bit) | on << bit;
        seen |= 1 << bit;
    }
    (seen == all(size)).then_some(mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bytes_of_the_maker() {
        assert_eq!(set_one(1, true), [0xa0, 0x01, 0x01, 0xa2]);
        assert_eq!(set_one(1, false), [0xa0, 0x01, 0x00, 0xa1]);
        assert_eq!(set_one(2, true), [0xa0, 0x02, 0x01, 0xa3]);
        assert_eq!(set_one(2, false), [0xa0, 0x02, 0x00, 0xa2]);
        let four = Lcus { size: 4 };
        assert_eq!(four.set(0b0100, 0), [set_one(3, true)]);
        assert_eq!(
            four.set(0b0001, 0b0100),
            [set_one(3, false), set_one(1, true)]
        );
        // What may be closed is opened first, then all the others.
        let order = [3, 1, 2, 4].map(|n| set_one(n, false));
        assert_eq!(four.let_go(0b0100), order);
    }

    #[test]
    fn answers() {
        assert_eq!(told(b"CH1:OFF \r\nCH2:ON \r\n", 2), Some(0b10));
        assert_eq!(told(b"\xffCH1: ON\r\nCH2: OFF\r\n", 2), Some(0b01));
        assert_eq!(told(b"CH1:OFF\r\nCH2:O", 2), None, "not all is there");
        for none in [
            &b""[..],
            b"CH3:ON\r\n",
            b"CH:ON\r\n",
            b"CH1:\r\n",
            b"CH1\r\n",
        ] {
            assert_eq!(told(none, 1), None, "{none:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_are_read_without_panic_and_an_answer_after_them_is_found(
            noise in proptest::collection::vec(any::<u8>(), 0..64),
            mask in any::<u8>(),
        ) {
            let _ = told(&noise, 8);
            let mut heard = noise;
            heard.extend(b"\r\n");
            for n in 0..8 {
                let state = if mask >> n & 1 != 0 { "ON" } else { "OFF" };
                heard.extend(format!("CH{}:{state}\r\n", n + 1).bytes());
            }
            prop_assert_eq!(told(&heard, 8), Some(mask.into()));
        }
    }
}
