//! Keys of a keyboard by their place: what a device presses that knows no letters.
//!
//! Takes a chord, gives the numbers of its keys in the two tables that devices use. Must never
//! guess: a character that is on no key of the layout is refused.
//!
//! The layout is the American one. The computer that gets the keys decides what they mean: with
//! another layout set there, letters and signs may come out as others; arrows, space, Enter and
//! the function keys do not.

use super::ActError;
use super::keys::Chord;

/// One key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Physical {
    /// Its usage on the keyboard page of the USB HID usage tables; `E0` to `E7` are modifiers.
    pub usage: u8,
    /// Its code in the kernel's `input-event-codes.h`.
    pub code: u16,
}

/// The left Shift.
const SHIFT: Physical = Physical {
    usage: 0xe1,
    code: 42,
};

/// The codes of the letters a to z; their usages are 04 to 1D.
const LETTERS: [u16; 26] = [
    30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38, 50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45,
    21, 44,
];

/// Keysym, keysym with Shift (0 for none), usage, code.
#[rustfmt::skip]
const KEYS: [(u32, u32, u8, u16); 73] = [
    (0x31, 0x21, 0x1e, 2), (0x32, 0x40, 0x1f, 3), (0x33, 0x23, 0x20, 4), (0x34, 0x24, 0x21, 5),
    (0x35, 0x25, 0x22, 6), (0x36, 0x5e, 0x23, 7), (0x37, 0x26, 0x24, 8), (0x38, 0x2a, 0x25, 9),
    (0x39, 0x28, 0x26, 10), (0x30, 0x29, 0x27, 11),
    (0xff0d, 0, 0x28, 28), (0xff1b, 0, 0x29, 1), (0xff08, 0, 0x2a, 14), (0xff09, 0, 0x2b, 15),
    (0x20, 0, 0x2c, 57),
    (0x2d, 0x5f, 0x2d, 12), (0x3d, 0x2b, 0x2e, 13), (0x5b, 0x7b, 0x2f, 26), (0x5d, 0x7d, 0x30, 27),
    (0x5c, 0x7c, 0x31, 43), (0x3b, 0x3a, 0x33, 39), (0x27, 0x22, 0x34, 40), (0x60, 0x7e, 0x35, 41),
    (0x2c, 0x3c, 0x36, 51), (0x2e, 0x3e, 0x37, 52), (0x2f, 0x3f, 0x38, 53),
    (0xffe5, 0, 0x39, 58),
    (0xffbe, 0, 0x3a, 59), (0xffbf, 0, 0x3b, 60), (0xffc0, 0, 0x3c, 61), (0xffc1, 0, 0x3d, 62),
    (0xffc2, 0, 0x3e, 63), (0xffc3, 0, 0x3f, 64), (0xffc4, 0, 0x40, 65), (0xffc5, 0, 0x41, 66),
    (0xffc6, 0, 0x42, 67), (0xffc7, 0, 0x43, 68), (0xffc8, 0, 0x44, 87), (0xffc9, 0, 0x45, 88),
    (0xff61, 0, 0x46, 99), (0xff13, 0, 0x48, 119), (0xff63, 0, 0x49, 110), (0xff50, 0, 0x4a, 102),
    (0xff55, 0, 0x4b, 104), (0xffff, 0, 0x4c, 111), (0xff57, 0, 0x4d, 107), (0xff56, 0, 0x4e, 109),
    (0xff53, 0, 0x4f, 106), (0xff51, 0, 0x50, 105), (0xff54, 0, 0x51, 108), (0xff52, 0, 0x52, 103),
    (0xffaf, 0, 0x54, 98), (0xffaa, 0, 0x55, 55), (0xffad, 0, 0x56, 74), (0xffab, 0, 0x57, 78),
    (0xff8d, 0, 0x58, 96), (0xffb1, 0, 0x59, 79), (0xffb2, 0, 0x5a, 80), (0xffb3, 0, 0x5b, 81),
    (0xffb4, 0, 0x5c, 75), (0xffb5, 0, 0x5d, 76), (0xffb6, 0, 0x5e, 77), (0xffb7, 0, 0x5f, 71),
    (0xffb8, 0, 0x60, 72), (0xffb9, 0, 0x61, 73), (0xffb0, 0, 0x62, 82), (0xffae, 0, 0x63, 83),
    (0xff67, 0, 0x65, 127),
    (0xffe1, 0, 0xe1, 42), (0xffe2, 0, 0xe5, 54), (0xffe3, 0, 0xe0, 29), (0xffe4, 0, 0xe4, 97),
    (0xffe9, 0, 0xe2, 56),
];

/// The keys that [`KEYS`] has no room for.
const MORE: [(u32, u32, u8, u16); 3] = [
    (0xffea, 0, 0xe6, 100),
    (0xffeb, 0, 0xe3, 125),
    (0xffec, 0, 0xe7, 126),
];

/// Every code that [`keys`] may give.
pub fn codes() -> impl Iterator<Item = u16> {
    let table = KEYS.iter().chain(&MORE).map(|(.., code)| *code);
    let more = (0..12).map(|n| 183 + n);
    LETTERS.into_iter().chain(table).chain(more)
}

/// The keys that are pressed together for a key by its name (`n`, `Left`, `ctrl+N`), modifiers
/// first.
///
/// # Errors
/// [`ActError::Unsupported`] for a name that is none, and for a character that is on no key.
pub fn keys(name: &str) -> Result<Vec<Physical>, ActError> {
    let chord = Chord::parse(name)?;
    let mut all = Vec::with_capacity(chord.modifiers.len() + 2);
    for [left, _] in &chord.modifiers {
        // Modifiers are in the table: a test looks.
        all.extend(find(*left).map(|(key, _)| key));
    }
    let Some((key, shift)) = find(chord.key) else {
        return Err(ActError::Unsupported(format!(
            "the key \"{name}\" is on no American keyboard, and this device knows no other"
        )));
    };
    if shift && !all.contains(&SHIFT) {
        all.push(SHIFT);
    }
    all.push(key);
    Ok(all)
}

/// The key of a keysym, and whether Shift must be held.
fn find(keysym: u32) -> Option<(Physical, bool)> {
    let letter = |first: u32| {
        let n = keysym.checked_sub(first).filter(|n| *n < 26)?;
        let usage = u8::try_from(n).ok()? + 4;
        let code = *LETTERS.get(n as usize)?;
        Some(Physical { usage, code })
    };
    if let Some(key) = letter(0x61) {
        return Some((key, false));
    }
    if let Some(key) = letter(0x41) {
        return Some((key, true));
    }
    // F13 to F24.
    if let Some(n) = keysym.checked_sub(0xffca).filter(|n| *n < 12) {
        let (usage, code) = (0x68 + n as u8, 183 + n as u16);
        return Some((Physical { usage, code }, false));
    }
    KEYS.iter()
        .chain(&MORE)
        .find_map(|&(plain, shifted, usage, code)| {
            let hit = plain == keysym || shifted == keysym && shifted != 0;
            hit.then_some((Physical { usage, code }, plain != keysym))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usages(name: &str) -> Vec<u8> {
        let keys = keys(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        keys.iter().map(|k| k.usage).collect()
    }

    #[test]
    fn keys_by_name() {
        assert_eq!(usages("a"), [0x04]);
        assert_eq!(usages("z"), [0x1d]);
        assert_eq!(usages("Left"), [0x50]);
        assert_eq!(usages("space"), [0x2c]);
        assert_eq!(usages("N"), [0xe1, 0x11]);
        assert_eq!(usages("?"), [0xe1, 0x38]);
        assert_eq!(usages("ctrl+shift+N"), [0xe0, 0xe1, 0x11]);
        assert_eq!(usages("ctrl+alt+Delete"), [0xe0, 0xe2, 0x4c]);
        assert_eq!(usages("F5"), [0x3e]);
        assert_eq!(usages("F24"), [0x73]);
        assert_eq!(usages("shift"), [0xe1]);
        assert_eq!(usages("super+1"), [0xe3, 0x1e]);
        let error = keys("ß").expect_err("no such key").to_string();
        assert!(error.contains("ß"), "{error}");
    }

    #[test]
    fn every_character_of_ascii_is_on_a_key_and_no_key_is_there_twice() {
        for c in '!'..='~' {
            assert!(keys(&c.to_string()).is_ok(), "{c}");
        }
        let mut all: Vec<u16> = codes().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        let mut usages: Vec<u8> = KEYS.iter().chain(&MORE).map(|k| k.2).collect();
        usages.sort_unstable();
        usages.dedup();
        assert_eq!(usages.len(), KEYS.len() + MORE.len());
    }
}
