//! Keys by their names: `n`, `Left`, `space`, `F5`, `ctrl+shift+n`.
//!
//! Takes text and gives X keysyms, and keycodes once it knows a keyboard's layout. Must never
//! press anything.

use super::ActError;

/// Names of keys in any letter case, with the keysyms of the X protocol (keysymdef.h).
/// Single characters and F1 to F24 need no entry.
const NAMES: [(&str, u32); 58] = [
    ("space", 0x20),
    ("plus", 0x2b),
    ("comma", 0x2c),
    ("minus", 0x2d),
    ("period", 0x2e),
    ("slash", 0x2f),
    ("colon", 0x3a),
    ("semicolon", 0x3b),
    ("equal", 0x3d),
    ("question", 0x3f),
    ("backspace", 0xff08),
    ("tab", 0xff09),
    ("return", 0xff0d),
    ("enter", 0xff0d),
    ("pause", 0xff13),
    ("escape", 0xff1b),
    ("esc", 0xff1b),
    ("home", 0xff50),
    ("left", 0xff51),
    ("up", 0xff52),
    ("right", 0xff53),
    ("down", 0xff54),
    ("pageup", 0xff55),
    ("page_up", 0xff55),
    ("prior", 0xff55),
    ("pagedown", 0xff56),
    ("page_down", 0xff56),
    ("next", 0xff56),
    ("end", 0xff57),
    ("print", 0xff61),
    ("insert", 0xff63),
    ("menu", 0xff67),
    ("kp_enter", 0xff8d),
    ("kp_multiply", 0xffaa),
    ("kp_add", 0xffab),
    ("kp_subtract", 0xffad),
    ("kp_decimal", 0xffae),
    ("kp_divide", 0xffaf),
    ("kp_0", 0xffb0),
    ("kp_1", 0xffb1),
    ("kp_2", 0xffb2),
    ("kp_3", 0xffb3),
    ("kp_4", 0xffb4),
    ("kp_5", 0xffb5),
    ("kp_6", 0xffb6),
    ("kp_7", 0xffb7),
    ("kp_8", 0xffb8),
    ("kp_9", 0xffb9),
    ("shift_l", 0xffe1),
    ("shift_r", 0xffe2),
    ("control_l", 0xffe3),
    ("control_r", 0xffe4),
    ("caps_lock", 0xffe5),
    ("alt_l", 0xffe9),
    ("alt_r", 0xffea),
    ("super_l", 0xffeb),
    ("super_r", 0xffec),
    ("delete", 0xffff),
];

/// Modifiers, each with the keysyms of its left and right key.
const MODIFIERS: [(&str, [u32; 2]); 6] = [
    ("ctrl", [0xffe3, 0xffe4]),
    ("control", [0xffe3, 0xffe4]),
    ("shift", [0xffe1, 0xffe2]),
    ("alt", [0xffe9, 0xffea]),
    ("super", [0xffeb, 0xffec]),
    ("win", [0xffeb, 0xffec]),
];

/// A key with the modifiers that are held meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chord {
    /// Left and right keysym of each modifier; either key will do.
    pub modifiers: Vec<[u32; 2]>,
    /// The key's keysym.
    pub key: u32,
}

impl Chord {
    /// From `n`, `ctrl+n`, `ctrl+alt+Escape`, `ctrl++`.
    ///
    /// # Errors
    /// [`ActError::Unsupported`] that names the unknown part.
    pub fn parse(text: &str) -> Result<Self, ActError> {
        let mut modifiers = Vec::new();
        let mut rest = text.trim();
        while let Some((first, more)) = rest.split_once('+') {
            // The rest is the plus key itself.
            if first.is_empty() || more.is_empty() {
                break;
            }
            let Some((_, keys)) = MODIFIERS
                .iter()
                .find(|(n, _)| n.eq_ignore_ascii_case(first))
            else {
                return Err(ActError::Unsupported(format!(
                    "\"{first}\" in the key \"{text}\" is no modifier: use ctrl, shift, alt or super"
                )));
            };
            modifiers.push(*keys);
            rest = more;
        }
        let key = keysym(rest).ok_or_else(|| {
            ActError::Unsupported(format!(
                "there is no key \"{text}\": write a character, or a name like Left, space, \
                 Return, F5"
            ))
        })?;
        Ok(Self { modifiers, key })
    }
}

/// The keysym of a key's name; a lone modifier's name means its left key.
fn keysym(name: &str) -> Option<u32> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        let code = u32::from(c);
        return match code {
            0x20..=0x7e | 0xa0..=0xff => Some(code),
            0x100.. => Some(0x0100_0000 | code),
            _ => None,
        };
    }
    let lower = name.to_ascii_lowercase();
    if let Some(number) = lower.strip_prefix('f').and_then(|n| n.parse::<u32>().ok()) {
        return (1..=24).contains(&number).then(|| 0xffbe + number - 1);
    }
    let named = NAMES.iter().find(|(n, _)| *n == lower).map(|(_, s)| *s);
    named.or_else(|| {
        MODIFIERS
            .iter()
            .find(|(n, _)| *n == lower)
            .map(|(_, s)| s[0])
    })
}

/// Which key gives which symbol.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    first: u8,
    columns: usize,
    keysyms: Vec<u32>,
}

impl Layout {
    /// From the server's answer: the lowest keycode, symbols per key, symbols.
    #[must_use]
    pub fn new(first: u8, columns: u8, keysyms: Vec<u32>) -> Self {
        Self {
            first,
            columns: usize::from(columns.max(1)),
            keysyms,
        }
    }

    /// The keycode for a keysym in the first layout group, and whether Shift must be held.
    #[must_use]
    pub fn find(&self, keysym: u32) -> Option<(u8, bool)> {
        let with = |column: usize, symbol: u32| {
            self.keysyms
                .chunks(self.columns.max(1))
                .position(|key| key.get(column) == Some(&symbol))
                .and_then(|i| u8::try_from(i).ok()?.checked_add(self.first))
        };
        if let Some(code) = with(0, keysym) {
            return Some((code, false));
        }
        if let Some(code) = with(1, keysym) {
            return Some((code, true));
        }
        // A letter key may name only its small letter.
        let small = char::from_u32(keysym).filter(char::is_ascii_uppercase)?;
        with(0, u32::from(small.to_ascii_lowercase())).map(|code| (code, true))
    }

    /// Every keycode that gives this keysym without Shift.
    pub fn all(&self, keysym: u32) -> impl Iterator<Item = u8> {
        let first = self.first;
        self.keysyms
            .chunks(self.columns.max(1))
            .enumerate()
            .filter(move |(_, key)| key.first() == Some(&keysym))
            .filter_map(move |(i, _)| u8::try_from(i).ok()?.checked_add(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_chords() {
        let key = |t: &str| Chord::parse(t).map(|c| (c.modifiers.len(), c.key)).ok();
        assert_eq!(key("n"), Some((0, 0x6e)));
        assert_eq!(key("N"), Some((0, 0x4e)));
        assert_eq!(key("Left"), Some((0, 0xff51)));
        assert_eq!(key("space"), Some((0, 0x20)));
        assert_eq!(key("F5"), Some((0, 0xffc2)));
        assert_eq!(key("f"), Some((0, 0x66)));
        assert_eq!(key("Ctrl+Shift+n"), Some((2, 0x6e)));
        assert_eq!(key("ctrl++"), Some((1, 0x2b)));
        assert_eq!(key("+"), Some((0, 0x2b)));
        assert_eq!(key("ж"), Some((0, 0x0100_0436)));
        for bad in ["", "F99", "Lefft", "hyper+n", "ctrl+", "\u{7}"] {
            let error = Chord::parse(bad).expect_err(bad).to_string();
            assert!(error.contains(bad), "{error}");
        }
    }

    #[test]
    fn layouts() {
        // Keycode 8: nothing; 9: n N; 10: 1 !; 11: left only; 12: a lone small x.
        let syms = [0, 0, 0x6e, 0x4e, 0x31, 0x21, 0xff51, 0, 0x78, 0];
        let layout = Layout::new(8, 2, syms.to_vec());
        assert_eq!(layout.find(0x6e), Some((9, false)));
        assert_eq!(layout.find(0x4e), Some((9, true)));
        assert_eq!(layout.find(0x21), Some((10, true)));
        assert_eq!(layout.find(0xff51), Some((11, false)));
        assert_eq!(layout.find(0x58), Some((12, true)));
        assert_eq!(layout.find(0x40), None);
        assert_eq!(Layout::default().find(0x40), None);
    }
}
