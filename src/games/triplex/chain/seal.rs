//! How a level is sealed, and what its solution proves.
//!
//! The page does the same in its own language (`page/seal.js`): every hash is of a text, so that
//! both make it alike.

use std::fmt::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// What opens a level. The first level's is all zeros: it is open to everybody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key([u8; 8]);

/// Bytes before a sealed text that tell whether it was opened with the right key.
const CHECK: usize = 4;
/// Letters and digits of codes: none that is easily taken for another.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

fn hash(what: &str, number: usize, key: Key, rest: &str) -> [u8; 32] {
    let text = format!("triplex1 {what}\n{number}\n{key}\n{rest}");
    Sha256::digest(text.as_bytes()).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl fmt::Display for Key {
    /// In hexadecimal digits, as the page keeps it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl Key {
    /// The key of the level after `number`, by this one's key and its solution.
    #[must_use]
    pub fn next(self, number: usize, solution: &str) -> Self {
        let hash = hash("key", number, self, solution);
        let mut key = [0; 8];
        key.copy_from_slice(&hash[..8]);
        Self(key)
    }

    /// A level's code, to be written down: its number and its key.
    #[must_use]
    pub fn code(self, number: u16) -> String {
        let mut bits = u128::from(number);
        for byte in self.0 {
            bits = bits << 8 | u128::from(byte);
        }
        let mut code = String::new();
        for i in (0..16).rev() {
            code.push(char::from(LETTERS[(bits >> (5 * i) & 31) as usize]));
            if i > 0 && i % 4 == 0 {
                code.push('-');
            }
        }
        code
    }

    /// What proves that somebody who could open a level has solved it, once.
    #[must_use]
    pub fn proof(self, number: usize, claimed: &str) -> String {
        hex(&hash("solved", number, self, claimed))
    }

    /// A level's text as nobody can read it without the key.
    #[must_use]
    pub fn seal(self, number: usize, text: &str) -> String {
        let check = hash("check", number, self, text);
        let mut bytes: Vec<u8> = check[..CHECK].to_vec();
        bytes.extend_from_slice(text.as_bytes());
        self.mix(number, &mut bytes);
        STANDARD.encode(bytes)
    }

    /// Adds the stream of this key, or takes it away again.
    fn mix(self, number: usize, bytes: &mut [u8]) {
        for (i, block) in bytes.chunks_mut(32).enumerate() {
            let stream = hash("text", number, self, &i.to_string());
            block.iter_mut().zip(stream).for_each(|(b, s)| *b ^= s);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(key: Key, number: usize, sealed: &str) -> Option<String> {
        let mut bytes = STANDARD.decode(sealed).ok()?;
        key.mix(number, &mut bytes);
        let text = String::from_utf8(bytes.split_off(CHECK)).ok()?;
        let check = hash("check", number, key, &text);
        (bytes == check[..CHECK]).then_some(text)
    }

    #[test]
    fn a_level_opens_with_its_key_and_its_number_alone() {
        let text = "4x3 2*xx x./xx xxx o/o, and longer than one block of the stream is";
        let key = Key::default().next(1, "aab/cbb");
        let sealed = key.seal(2, text);
        assert_eq!(open(key, 2, &sealed).as_deref(), Some(text));
        assert_eq!(open(key, 3, &sealed), None);
        for other in ["aab/cbc", "aab/ccb", ""] {
            assert_eq!(open(Key::default().next(1, other), 2, &sealed), None);
        }
        assert!(!sealed.contains("xx"));
    }

    #[test]
    fn codes_hold_number_and_key_in_letters_that_are_not_mistaken() {
        assert_eq!(Key::default().code(1), "000G-0000-0000-0000");
        let key = Key([0xFF; 8]);
        assert_eq!(key.code(u16::MAX), "ZZZZ-ZZZZ-ZZZZ-ZZZZ");
        assert_ne!(Key::default().next(1, "a").code(2), Key::default().code(2));
    }
}
