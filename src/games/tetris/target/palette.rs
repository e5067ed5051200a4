//! Colours of the cells, for eyes and for cameras.
//!
//! Takes the name of a set, gives eight colours: the seven kinds by their numbers, then any other
//! filled cell. Must never hold two colours in one set that only differ in brightness: light
//! changes that.

use serde::{Deserialize, Serialize};

use crate::games::tetris::rules::JUNK;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// The empty cell.
pub const EMPTY: Rgb = [0x0c, 0x0e, 0x12];

/// A named set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Palette {
    /// The colours most programs use.
    #[default]
    Standard,
    /// Okabe and Ito 2008, made for colour-blind readers.
    ColourBlind,
}

/// The filled cell of monochrome mode.
pub const MONOCHROME: Rgb = [0xd4, 0xd4, 0xd0];

impl Palette {
    /// All sets.
    pub const ALL: [Self; 2] = [Self::Standard, Self::ColourBlind];

    /// Kinds 1 to 7 (O, I, S, Z, L, J, T), then the colour of everything else.
    #[must_use]
    pub const fn colours(self) -> &'static [Rgb; 8] {
        match self {
            Self::Standard => &[
                [0xf2, 0xd0, 0x1e],
                [0x12, 0xc4, 0xdc],
                [0x40, 0xc0, 0x46],
                [0xe4, 0x38, 0x3c],
                [0xf2, 0x88, 0x1c],
                [0x3c, 0x5c, 0xe6],
                [0xac, 0x44, 0xd4],
                [0x92, 0x98, 0xa0],
            ],
            Self::ColourBlind => &[
                [0xf0, 0xe4, 0x42],
                [0x56, 0xb4, 0xe9],
                [0x00, 0x9e, 0x73],
                [0xd5, 0x5e, 0x00],
                [0xe6, 0x9f, 0x00],
                [0x00, 0x72, 0xb2],
                [0xcc, 0x79, 0xa7],
                [0x9a, 0x9a, 0x9a],
            ],
        }
    }

    /// The colour of a cell value: 0 empty, 1 to 7 a kind, anything else other.
    #[must_use]
    pub const fn of(self, value: u8, monochrome: bool) -> Rgb {
        match value {
            0 => EMPTY,
            _ if monochrome => MONOCHROME,
            v if v < JUNK => self.colours()[v as usize - 1],
            _ => self.colours()[7],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_colours_of_a_set_differ_in_brightness_only() {
        for palette in Palette::ALL {
            let unit = palette.colours().map(|c| {
                let v = c.map(f64::from);
                let n = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                assert!(n > 150.0, "{palette:?}: {c:02x?} is too dark");
                v.map(|x| x / n)
            });
            for (i, a) in unit.iter().enumerate() {
                for b in &unit[..i] {
                    let cos: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
                    let degrees = cos.min(1.0).acos().to_degrees();
                    assert!(degrees > 10.0, "{palette:?}: {a:?} {b:?} {degrees}");
                }
            }
        }
    }
}
