//! Sets of cell colours that real Flood-It programs and their users have chosen.
//!
//! Takes a name, gives up to twelve colours, red first. Must never hold two colours so near
//! that a person could not tell two cells apart side by side.

use serde::{Deserialize, Serialize};

pub use crate::games::canvas::Rgb;

/// A named set of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Palette {
    /// Simon Tatham's Puzzles, "Flood": the six it names first, then its further ones.
    Sgt,
    /// The six of the classic browser game, then six that fit them.
    Classic,
    /// Material design, medium tones.
    Material,
    /// Light tones of low saturation.
    Pastel,
    /// Okabe and Ito 2008, made for colour-blind readers, then four further apart in lightness.
    OkabeIto,
    /// Greys from dark to light, each with a trace of a hue.
    TintedGreys,
    /// Dark tones for a dark screen.
    Night,
}

impl Palette {
    /// All sets.
    pub const ALL: [Self; 7] = [
        Self::Sgt,
        Self::Classic,
        Self::Material,
        Self::Pastel,
        Self::OkabeIto,
        Self::TintedGreys,
        Self::Night,
    ];

    /// Its colours.
    #[must_use]
    pub const fn colours(self) -> &'static [Rgb] {
        match self {
            Self::Sgt => &[
                [0xff, 0x00, 0x00],
                [0xff, 0xff, 0x00],
                [0x00, 0xff, 0x00],
                [0x33, 0x4c, 0xff],
                [0xff, 0x80, 0x00],
                [0x80, 0x00, 0xb3],
                [0x80, 0x4d, 0x4d],
                [0x66, 0xcc, 0xff],
                [0xb3, 0xff, 0xb3],
                [0xff, 0x99, 0xff],
            ],
            Self::Classic => &[
                [0xed, 0x70, 0xa1],
                [0x60, 0x5c, 0xa8],
                [0xf3, 0xf6, 0x1d],
                [0xdc, 0x4a, 0x20],
                [0x46, 0xb1, 0xe2],
                [0x7e, 0x9d, 0x1e],
                [0x5a, 0x3a, 0x22],
                [0xe8, 0xe8, 0xe8],
                [0x1d, 0x4f, 0x45],
                [0xf2, 0xa9, 0x3b],
                [0x2b, 0x2b, 0x6e],
                [0x98, 0xe6, 0xc4],
            ],
            Self::Material => &[
                [0xe5, 0x39, 0x3f],
                [0x70, 0x8d, 0xff],
                [0x36, 0x9a, 0x35],
                [0xff, 0xce, 0x2e],
                [0xff, 0x70, 0x43],
                [0xa0, 0x3c, 0xb0],
                [0x1e, 0x49, 0x68],
                [0x26, 0xc6, 0xda],
                [0x79, 0x55, 0x48],
                [0xee, 0xb4, 0xff],
                [0xb0, 0xd6, 0x50],
                [0x90, 0xa4, 0xae],
            ],
            Self::Pastel => &[
                [0xff, 0xad, 0xad],
                [0xfd, 0xff, 0xb6],
                [0xa0, 0xe8, 0x9a],
                [0x8e, 0xd8, 0xf8],
                [0xff, 0xc8, 0x7c],
                [0xbd, 0xa8, 0xf0],
                [0xf4, 0x9a, 0xd8],
                [0xb4, 0xb8, 0xa8],
            ],
            Self::OkabeIto => &[
                [0xe6, 0x9f, 0x00],
                [0x56, 0xb4, 0xe9],
                [0x00, 0x9e, 0x73],
                [0xf0, 0xe4, 0x42],
                [0x00, 0x72, 0xb2],
                [0xd5, 0x5e, 0x00],
                [0xcc, 0x79, 0xa7],
                [0x20, 0x20, 0x20],
                [0xf4, 0xf4, 0xf4],
                [0x8a, 0x1c, 0x3c],
                [0x88, 0x88, 0x88],
                [0xb2, 0xf0, 0xc0],
            ],
            Self::TintedGreys => &[
                [0x38, 0x2c, 0x2c],
                [0xd8, 0xd8, 0xc8],
                [0x70, 0x60, 0x78],
                [0xa0, 0xb0, 0xa0],
                [0x48, 0x58, 0x68],
                [0xc4, 0x90, 0x6c],
            ],
            Self::Night => &[
                [0x8c, 0x1f, 0x28],
                [0x1f, 0x5f, 0x8c],
                [0x2f, 0x7a, 0x3c],
                [0x9c, 0x84, 0x1e],
                [0x5c, 0x2f, 0x8c],
                [0xa8, 0x52, 0x20],
                [0x2c, 0x8a, 0x8a],
                [0xa0, 0x3c, 0x78],
            ],
        }
    }
}

/// How far apart two colours are: the largest difference of a channel.
#[must_use]
pub fn apart(a: Rgb, b: Rgb) -> u8 {
    let d = |i: usize| a[i].abs_diff(b[i]);
    d(0).max(d(1)).max(d(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_colours_of_a_set_are_near() {
        for palette in Palette::ALL {
            let all = palette.colours();
            for (i, &a) in all.iter().enumerate() {
                for &b in &all[..i] {
                    assert!(apart(a, b) >= 36, "{palette:?}: {a:02x?} {b:02x?}");
                }
            }
        }
    }
}
