//! The words of Numato's USB relay modules: a shell that echoes what it is told and prompts.
//!
//! Takes relays, gives bytes, and reads the module's answers. Must never do I/O.

use super::{Answer, Commands, Protocol, Relays, each};

/// 1 to 32 relays behind a USB serial port of its own, whose speed does not matter. Modules with
/// 8 and more relays set and tell them all at once, the smaller ones one by one.
pub struct Numato {
    /// How many relays.
    pub size: u8,
}

impl Protocol for Numato {
    fn name(&self) -> &'static str {
        "Numato relay module"
    }

    fn let_go(&self, held: u32) -> Commands {
        if self.has_all() {
            return self.set(0, held);
        }
        let all = u32::MAX >> (32 - self.size);
        let relays = each(held & all).chain(each(all & !held));
        relays.map(|n| set_one(n, false)).collect()
    }

    fn question(&self) -> Option<Vec<u8>> {
        Some(if self.has_all() {
            b"relay readall\r".to_vec()
        } else {
            let one = |n| format!("relay read {}\r", digit(n)).into_bytes();
            (0..self.size).flat_map(one).collect()
        })
    }

    fn answer(&self, heard: &[u8]) -> Option<Answer> {
        let told = if self.has_all() {
            self.all_told(heard)
        } else {
            self.each_told(heard)
        };
        told.map(Answer::Holds)
    }
}

impl Relays for Numato {
    fn set(&self, closed: u32, before: u32) -> Commands {
        if self.has_all() {
            let digits = usize::from(self.size / 4);
            return vec![format!("relay writeall {closed:0digits$x}\r").into_bytes()];
        }
        let open = each(before & !closed).map(|n| set_one(n, false));
        open.chain(each(closed & !before).map(|n| set_one(n, true)))
            .collect()
    }
}

impl Numato {
    const fn has_all(&self) -> bool {
        self.size >= 8
    }

    /// The answer to `relay readall`: a line of so many hexadecimal digits. The last one counts.
    fn all_told(&self, heard: &[u8]) -> Option<u32> {
        lines(heard).rev().find_map(|line| {
            let fits = line.len() == usize::from(self.size / 4);
            let text = std::str::from_utf8(line).ok().filter(|_| fits)?;
            let digits = text.bytes().all(|b| b.is_ascii_hexdigit());
            u32::from_str_radix(text, 16).ok().filter(|_| digits)
        })
    }

    /// The answers to `relay read n`: the echo, and on the next line `on` or `off`.
    fn each_told(&self, heard: &[u8]) -> Option<u32> {
        let (mut mask, mut seen) = (0u32, 0u32);
        let mut asked = None;
        for line in lines(heard) {
            let echo = (0..self.size).find(|n| {
                let question = format!("relay read {}", digit(*n));
                line.ends_with(question.as_bytes())
            });
            match (echo, asked) {
                (Some(relay), _) => asked = Some(relay),
                (None, Some(relay)) if matches!(line, b"on" | b"off") => {
                    mask = mask & !(1 << relay) | u32::from(line == b"on") << relay;
                    seen |= 1 << relay;
                    asked = None;
                }
                _ => {}
            }
        }
        (seen == u32::MAX >> (32 - self.size)).then_some(mask)
    }
}

/// Whole lines without prompts and blanks, but for empty ones.
fn lines(heard: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let end = heard.iter().rposition(|b| matches!(b, b'\r' | b'\n'));
    let whole = &heard[..end.map_or(0, |at| at + 1)];
    whole
        .split(|b| matches!(b, b'\r' | b'\n'))
        .map(|line| {
            let line = line.trim_ascii();
            line.strip_prefix(b">").unwrap_or(line).trim_ascii()
        })
        .filter(|line| !line.is_empty())
}

/// Relays are told by one digit: from 10 on they are letters.
fn digit(relay: u8) -> char {
    let letter = |n: u8| char::from(b'A' + n - 10);
    char::from_digit(relay.into(), 10).unwrap_or_else(|| letter(relay.clamp(10, 35)))
}

/// `relay on n`, `relay off n`: one relay, counted from 0.
#[must_use]
pub fn set_one(relay: u8, closed: bool) -> Vec<u8> {
    let word = if closed { "on" } else { "off" };
    format!("relay {word} {}\r", digit(relay)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_words_of_the_manual() {
        assert_eq!(set_one(0, true), b"relay on 0\r");
        assert_eq!(set_one(10, false), b"relay off A\r");
        assert_eq!(set_one(31, true), b"relay on V\r");
        assert_eq!(Numato { size: 8 }.set(0xff, 0), [b"relay writeall ff\r"]);
        assert_eq!(
            Numato { size: 16 }.let_go(1),
            [b"relay writeall 0000\r".to_vec()]
        );
        let four = Numato { size: 4 };
        assert_eq!(four.set(2, 1), [set_one(0, false), set_one(1, true)]);
        assert_eq!(four.let_go(4), [2, 0, 1, 3].map(|n| set_one(n, false)));
        let two = Numato { size: 2 }.question();
        assert_eq!(two.as_deref(), Some(&b"relay read 0\rrelay read 1\r"[..]));
    }

    #[test]
    fn answers() {
        let eight = |heard: &[u8]| Numato { size: 8 }.all_told(heard);
        assert_eq!(eight(b"relay readall\n\r05\n\r>"), Some(5));
        assert_eq!(
            eight(b">relay writeall 00\n\r>relay readall\n\r00\n\r>"),
            Some(0)
        );
        assert_eq!(eight(b"\xffa\n\r>05\n\r10\n\r>"), Some(16), "the last");
        for none in [&b""[..], b"05", b"5\n\r", b"005\n\r", b"0g\n\r", b"+5\n\r"] {
            assert_eq!(eight(none), None, "{none:?}");
        }
        assert_eq!(
            Numato { size: 32 }.all_told(b"relay readall\n\r80000001\n\r>"),
            Some(0x8000_0001)
        );
        let two = |heard: &[u8]| Numato { size: 2 }.each_told(heard);
        let whole = b">relay read 0\n\ron\n\r>relay read 1\n\roff\n\r>";
        assert_eq!(two(whole), Some(1));
        assert_eq!(two(&whole[..20]), None);
        assert_eq!(two(b"on\n\roff\n\r"), None, "without the question");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_are_read_without_panic_and_an_answer_after_them_is_found(
            noise in proptest::collection::vec(any::<u8>(), 0..64),
            mask in any::<u16>(),
        ) {
            for size in [1, 4, 8, 32] {
                let _ = Numato { size }.answer(&noise);
            }
            let mut heard = noise;
            heard.extend(format!("\n\r>relay readall\n\r{mask:04x}\n\r>").bytes());
            prop_assert_eq!(Numato { size: 16 }.answer(&heard), Some(Answer::Holds(mask.into())));
        }
    }
}
