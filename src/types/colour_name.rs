//! Names of colours for people.

/// The colours that people have short names for, whatever the light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Nearly no light.
    Black,
    /// No hue.
    Grey,
    /// All light.
    White,
    /// Hues around 0 degrees; pale or dark ones, too.
    Red,
    /// Between red and yellow.
    Orange,
    /// Hues around 58 degrees.
    Yellow,
    /// Hues around 120 degrees.
    Green,
    /// Hues around 180 degrees.
    Cyan,
    /// Hues around 230 degrees.
    Blue,
    /// Between blue and magenta.
    Purple,
    /// Magenta and what lies towards red.
    Pink,
}

impl Family {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::Grey => "grey",
            Self::White => "white",
            Self::Red => "red",
            Self::Orange => "orange",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Cyan => "cyan",
            Self::Blue => "blue",
            Self::Purple => "purple",
            Self::Pink => "pink",
        }
    }
}

/// Brightest channel, and how far the darkest lies below it.
fn reach(rgb: [f32; 3]) -> (f32, f32) {
    let [r, g, b] = rgb.map(|v| v.clamp(0.0, 255.0));
    let max = r.max(g).max(b);
    (max, max - r.min(g).min(b))
}

/// Hue in degrees, 0 red, 120 green, 240 blue; 0 for greys.
#[must_use]
pub fn hue(rgb: [f32; 3]) -> f32 {
    let [r, g, b] = rgb.map(|v| v.clamp(0.0, 255.0));
    let (max, span) = reach(rgb);
    if span <= 0.0 {
        0.0
    } else if max == r {
        60.0 * ((g - b) / span).rem_euclid(6.0)
    } else if max == g {
        60.0 * ((b - r) / span + 2.0)
    } else {
        60.0 * ((r - g) / span + 4.0)
    }
}

/// Whether a colour has no hue to speak of.
fn is_grey(rgb: [f32; 3]) -> bool {
    let (max, span) = reach(rgb);
    span < 0.15 * max.max(40.0)
}

/// The family of a colour (0 to 255, red first).
#[must_use]
pub fn family(rgb: [f32; 3]) -> Family {
    if is_grey(rgb) {
        return match reach(rgb).0 {
            m if m < 60.0 => Family::Black,
            m if m < 200.0 => Family::Grey,
            _ => Family::White,
        };
    }
    match hue(rgb) {
        h if !(14.0..342.0).contains(&h) => Family::Red,
        h if h < 43.0 => Family::Orange,
        h if h < 72.0 => Family::Yellow,
        h if h < 165.0 => Family::Green,
        h if h < 195.0 => Family::Cyan,
        h if h < 262.0 => Family::Blue,
        h if h < 295.0 => Family::Purple,
        _ => Family::Pink,
    }
}

/// A name for a colour (0 to 255, red first).
#[must_use]
pub fn of(rgb: [f32; 3]) -> &'static str {
    let (max, span) = reach(rgb);
    if is_grey(rgb) {
        return family(rgb).name();
    }
    let dark = max < 120.0;
    let pale = span < 0.45 * max;
    match hue(rgb) {
        h if !(12.0..345.0).contains(&h) => match (dark, pale) {
            (true, _) => "dark red",
            (_, true) => "pink",
            _ => "red",
        },
        h if h < 45.0 => {
            if dark {
                "brown"
            } else {
                "orange"
            }
        }
        h if h < 70.0 => {
            if dark {
                "olive"
            } else {
                "yellow"
            }
        }
        h if h < 165.0 => match (dark, pale) {
            (true, _) => "dark green",
            (_, true) => "light green",
            _ => "green",
        },
        h if h < 195.0 => "cyan",
        h if h < 255.0 => match (dark, pale) {
            (true, _) => "navy",
            (_, true) => "light blue",
            _ => "blue",
        },
        h if h < 290.0 => "purple",
        _ => {
            if pale {
                "pink"
            } else {
                "magenta"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn plain_colours_have_their_names() {
        for (rgb, name) in [
            ([255.0, 0.0, 0.0], "red"),
            ([255.0, 128.0, 0.0], "orange"),
            ([255.0, 255.0, 0.0], "yellow"),
            ([0.0, 255.0, 0.0], "green"),
            ([51.0, 76.0, 255.0], "blue"),
            ([128.0, 0.0, 179.0], "purple"),
            ([30.0, 71.0, 102.0], "navy"),
            ([10.0, 10.0, 12.0], "black"),
            ([240.0, 240.0, 240.0], "white"),
        ] {
            assert_eq!(super::of(rgb), name);
        }
    }

    #[test]
    fn dark_and_pale_colours_keep_their_family() {
        for (rgb, name) in [
            ([90.0, 20.0, 22.0], "red"),
            ([255.0, 140.0, 140.0], "red"),
            ([110.0, 95.0, 20.0], "yellow"),
            ([30.0, 40.0, 90.0], "blue"),
            ([24.0, 24.0, 28.0], "black"),
        ] {
            assert_eq!(super::family(rgb).name(), name);
        }
    }
}
