//! The frames of a CH9329: a chip that gets commands on a serial line and is a USB keyboard and
//! mouse to another computer.
//!
//! Takes reports of keys and pointers, gives bytes, and reads the chip's answers. Must never do
//! I/O. A frame is `57 AB`, address, command, length, data, and the low byte of the sum of all.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Answer, Commands, Protocol};
use crate::act::physical::Physical;

/// What every frame begins with: two bytes of head and the address of any chip.
const HEAD: [u8; 3] = [0x57, 0xab, 0x00];

/// Commands. The chip answers with bit 7 set, and bits 7 and 6 where it failed.
const GET_INFO: u8 = 0x01;
const KEYS: u8 = 0x02;
const MOUSE_TO: u8 = 0x04;
const MOUSE_BY: u8 = 0x05;

/// The answer to a command, and to one that it could not do.
const DONE: u8 = 0x80;
const FAILED: u8 = 0xc0;

/// Keys that a report has room for, besides modifiers.
const ROOM: usize = 6;

/// What the protocol's bits of held things mean.
pub const HELD_KEYS: u32 = 1;
/// A mouse button.
pub const HELD_BUTTON: u32 = 2;

/// Absolute places go from 0 to this.
pub const FULL: u16 = 4095;

/// Longest step of the pointer in one frame.
pub const STEP: i32 = 127;

/// The chip. It remembers where its absolute pointer was put, since letting go of a button says
/// that again.
pub struct Ch9329 {
    /// Set where there is a pointer.
    at: AtomicU64,
    relative: bool,
}

/// Marks a place that is known.
const KNOWN: u64 = 1 << 32;

impl Ch9329 {
    /// A chip with or without a pointer, which is moved by steps or to places.
    #[must_use]
    pub fn new(pointer: bool, relative: bool) -> Self {
        let made = Self {
            at: AtomicU64::new(0),
            relative,
        };
        if pointer {
            // The middle: an earlier program may have left the button down.
            made.remember(FULL / 2, FULL / 2);
        }
        made
    }

    /// The pointer is about to be put here.
    pub fn remember(&self, x: u16, y: u16) {
        let place = KNOWN | u64::from(x) << 16 | u64::from(y);
        self.at.store(place, Ordering::SeqCst);
    }

    /// The button at the place of the pointer, or wherever it is.
    #[must_use]
    pub fn button(&self, down: bool) -> Vec<u8> {
        let at = self.at.load(Ordering::SeqCst);
        if self.relative || at & KNOWN == 0 {
            return move_by(0, 0, down);
        }
        move_to((at >> 16 & 0xffff) as u16, (at & 0xffff) as u16, down)
    }
}

impl Protocol for Ch9329 {
    fn name(&self) -> &'static str {
        "CH9329"
    }

    fn let_go(&self, held: u32) -> Commands {
        let mut all = vec![keys(&[]).unwrap_or_default()];
        if self.at.load(Ordering::SeqCst) & KNOWN != 0 {
            all.push(self.button(false));
            if held & (HELD_KEYS | HELD_BUTTON) == HELD_BUTTON {
                all.reverse();
            }
        }
        all
    }

    fn question(&self) -> Option<Vec<u8>> {
        Some(frame(GET_INFO, &[]))
    }

    /// The chip tells its version, whether a computer has taken it for a keyboard, and the lamps.
    fn answer(&self, heard: &[u8]) -> Option<Answer> {
        let info = frames(heard)
            .filter(|f| f.command == GET_INFO | DONE)
            .last()?;
        Some(match info.data.get(1) {
            Some(0) => Answer::Cannot(
                "no computer has taken it for a keyboard: plug its USB side into the computer \
                 that shows the game, and switch that on"
                    .into(),
            ),
            Some(_) => Answer::Holds(0),
            None => return None,
        })
    }
}

/// A report of exactly these keys: none let go of all. `None` when there is no room for them.
#[must_use]
pub fn keys(held: &[Physical]) -> Option<Vec<u8>> {
    let mut report = [0u8; 2 + ROOM];
    let mut next = 2;
    for key in held {
        if (0xe0..=0xe7).contains(&key.usage) {
            report[0] |= 1 << (key.usage - 0xe0);
        } else {
            *report.get_mut(next)? = key.usage;
            next += 1;
        }
    }
    Some(frame(KEYS, &report))
}

/// The pointer at this place, each way from 0 to [`FULL`], with the left button down or not.
#[must_use]
pub fn move_to(x: u16, y: u16, down: bool) -> Vec<u8> {
    let ([xl, xh], [yl, yh]) = (x.min(FULL).to_le_bytes(), y.min(FULL).to_le_bytes());
    frame(MOUSE_TO, &[0x02, u8::from(down), xl, xh, yl, yh, 0])
}

/// The pointer further by so much, at most [`STEP`] each way.
#[must_use]
pub fn move_by(dx: i32, dy: i32, down: bool) -> Vec<u8> {
    let step = |d: i32| (d.clamp(-STEP, STEP) as i8).to_le_bytes()[0];
    frame(MOUSE_BY, &[0x01, u8::from(down), step(dx), step(dy), 0])
}

/// What a command came to, one for each of them that is answered in what was heard: nothing, or
/// why not.
#[must_use]
pub fn outcomes(heard: &[u8]) -> Vec<Result<(), String>> {
    let outcome = |f: Frame| {
        let command = f.command & 0x3f;
        if !matches!(command, KEYS | MOUSE_TO | MOUSE_BY) {
            return None;
        }
        let status = f.data.first().copied()?;
        match (f.command & FAILED, status) {
            (DONE, 0) => Some(Ok(())),
            (DONE | FAILED, status) => Some(Err(format!(
                "status {status:02X}, {}",
                match status {
                    0xe1 => "bytes came too slowly",
                    0xe2 => "bytes were lost",
                    0xe3 => "it does not know the command",
                    0xe4 => "bytes were changed on the line",
                    0xe5 => "it does not take the values",
                    0xe6 => "the other computer does not take it",
                    _ => "unknown",
                }
            ))),
            _ => None,
        }
    };
    frames(heard).filter_map(outcome).collect()
}

fn frame(command: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = HEAD.to_vec();
    // No report is longer than eight bytes.
    bytes.extend([command, data.len() as u8]);
    bytes.extend(data);
    bytes.push(sum(&bytes));
    bytes
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, b| sum.wrapping_add(*b))
}

struct Frame<'a> {
    command: u8,
    data: &'a [u8],
}

/// The whole frames whose sums are right; bytes between them are passed over.
fn frames(heard: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    let mut rest = heard;
    std::iter::from_fn(move || {
        loop {
            let at = rest.windows(2).position(|w| w == &HEAD[..2])?;
            let here = &rest[at..];
            // A head in the middle of a frame begins none: its sum would have to fit too.
            rest = &here[2..];
            let &[_, _, _, command, length, ..] = here else {
                return None;
            };
            let end = 5 + usize::from(length);
            if here.len() > end && sum(&here[..end]) == here[end] {
                rest = &here[end + 1..];
                return Some(Frame {
                    command,
                    data: &here[5..end],
                });
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::physical;
    use proptest::prelude::*;

    fn key(name: &str) -> Vec<u8> {
        keys(&physical::keys(name).expect(name)).expect("room")
    }

    #[test]
    fn the_bytes_of_the_maker() {
        let a = [0x57, 0xab, 0, 2, 8, 0, 0, 4, 0, 0, 0, 0, 0, 0x10];
        assert_eq!(key("a"), a);
        let none = [0x57, 0xab, 0, 2, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0x0c];
        assert_eq!(keys(&[]), Some(none.to_vec()));
        assert_eq!(key("Left").last(), Some(&0x5c));
        assert_eq!(key("space").last(), Some(&0x38));
        assert_eq!(key("ctrl+shift+n")[5..8], [0b11, 0, 0x11]);
        let many: Vec<Physical> = "abcdefg"
            .chars()
            .flat_map(|c| physical::keys(&c.to_string()).expect("a key"))
            .collect();
        assert_eq!(keys(&many), None, "six keys at most");
        assert_eq!(frame(GET_INFO, &[]), [0x57, 0xab, 0, 1, 0, 0x03]);
        assert_eq!(
            move_to(0x0123, 0x0456, true),
            [0x57, 0xab, 0, 4, 7, 2, 1, 0x23, 0x01, 0x56, 0x04, 0, 0x8e]
        );
        assert_eq!(move_by(-1, 500, false)[5..10], [1, 0, 0xff, 127, 0]);
        // The middle until it is somewhere else; with the button up.
        let chip = Ch9329::new(true, false);
        assert_eq!(chip.let_go(0), [none.to_vec(), move_to(2047, 2047, false)]);
        chip.remember(7, 9);
        assert_eq!(
            chip.let_go(HELD_BUTTON),
            [move_to(7, 9, false), none.to_vec()],
            "what is held comes first"
        );
        assert_eq!(Ch9329::new(false, false).let_go(0), [none]);
        assert_eq!(Ch9329::new(true, true).button(true), move_by(0, 0, true));
    }

    #[test]
    fn answers() {
        let chip = Ch9329::new(false, false);
        let info = |usb| frame(0x81, &[0x30, usb, 0, 0, 0, 0, 0, 0]);
        assert_eq!(chip.answer(&info(1)), Some(Answer::Holds(0)));
        let Some(Answer::Cannot(why)) = chip.answer(&info(0)) else {
            panic!("it is not plugged in");
        };
        assert!(why.contains("plug"), "{why}");
        let mut noisy = vec![0x57, 0xab, 0x57, 0xff];
        noisy.extend(info(1));
        noisy.extend(frame(0x82, &[0]));
        assert_eq!(chip.answer(&noisy), Some(Answer::Holds(0)));
        assert_eq!(outcomes(&noisy), [Ok(())]);
        assert_eq!(chip.answer(&info(1)[..10]), None, "not all is there");
        let mut wrong = info(1);
        wrong[7] ^= 1;
        assert_eq!(chip.answer(&wrong), None, "the sum");
        let failed = outcomes(&frame(0xc2, &[0xe4]));
        assert!(
            failed[0].as_ref().is_err_and(|e| e.contains("E4")),
            "{failed:?}"
        );
        assert!(outcomes(&frame(0x82, &[0xe6]))[0].is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_are_read_without_panic_and_an_answer_after_them_is_found(
            noise in proptest::collection::vec(any::<u8>(), 0..64),
            status in any::<u8>(),
        ) {
            let _ = outcomes(&noise);
            let _ = Ch9329::new(true, false).answer(&noise);
            let mut heard = noise;
            // The rest of a frame that noise began.
            heard.extend([0; 260]);
            heard.extend(frame(0x82, &[status]));
            let last = outcomes(&heard).pop();
            prop_assert_eq!(last.map(|l| l.is_ok()), Some(status == 0));
        }
    }
}
