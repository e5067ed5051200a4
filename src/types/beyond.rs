//! What a block shows beyond what is empty at its place, as a colour that may be told from others.
//!
//! Takes colours as they are seen (0 to 255, red first) and squares of what empty looks like there,
//! gives colours in a space of its own: squares stand for light, near enough to what screens and
//! cameras do, so that what a lamp adds to both falls away. About the colour itself where that is
//! bright, evened out where it is dark and mostly noise, below zero where it is darker than empty.

type Rgb = [f32; 3];

/// Square of the value below which a channel is mostly noise.
const DARK: f32 = 24.0 * 24.0;

/// Differences of brightness count less than those of colour: gloss and light are in them.
const BRIGHTNESS: f32 = 0.55;

/// What `rgb` shows beyond what is empty (its squares), where the light makes everything brighter
/// by `factor`.
#[must_use]
#[inline]
pub fn beyond(empty: Rgb, factor: Rgb, rgb: Rgb) -> Rgb {
    [0, 1, 2].map(|c| {
        let light = (rgb[c] * rgb[c] - empty[c]) / (factor[c] * factor[c]);
        light / (light.abs() + DARK).sqrt()
    })
}

/// The light, as squares, of a colour that is seen beyond what is empty.
#[must_use]
pub fn lights(beyond: Rgb) -> Rgb {
    beyond.map(|v| {
        // v = q / sqrt(|q| + DARK), solved for q.
        let b = v * v;
        ((b + (b * b + 4.0 * b * DARK).sqrt()) / 2.0).copysign(v)
    })
}

/// The colour that shows so much beyond what is empty (its squares), without any light.
#[must_use]
pub fn shown(empty: Rgb, beyond: Rgb) -> Rgb {
    let more = lights(beyond);
    [0, 1, 2].map(|c| (empty[c] + more[c]).max(0.0).sqrt())
}

/// What is taken off at a place where empty looks like `empty` (squares): in a light well nothing,
/// since it is not lamps that make it light.
#[must_use]
pub fn base(empty: Rgb, light: bool) -> Rgb {
    if light { [0.0; 3] } else { empty }
}

/// Whether what looks like this when empty (0 to 255) is light by itself.
#[must_use]
pub fn is_light(empty: Rgb) -> bool {
    /// Mirrored lamps and lit rooms rarely make a dark screen so bright.
    const LIGHT: f32 = 112.0;
    0.3 * empty[0] + 0.59 * empty[1] + 0.11 * empty[2] > LIGHT
}

/// How different two of these colours are.
#[must_use]
#[inline]
pub fn apart(a: Rgb, b: Rgb) -> f32 {
    let dot = |a: Rgb, b: Rgb| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let m = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    // The part along the colours themselves is brightness.
    let along = dot(d, m);
    let bright = along * along / dot(m, m).max(1.0);
    let less = (1.0 - BRIGHTNESS * BRIGHTNESS) * bright;
    (dot(d, d) - less).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lamp_adds_falls_away() {
        let empty = [20.0f32, 22.0, 25.0];
        let block = [200.0f32, 40.0, 30.0];
        let one = [1.0; 3];
        let bare = beyond(empty.map(|v| v * v), one, block);
        let lamp = 3000.0;
        let lit = |c: [f32; 3]| c.map(|v| (v * v + lamp).sqrt());
        let under = beyond(lit(empty).map(|v| v * v), one, lit(block));
        assert!(apart(bare, under) < 0.1, "{bare:?} {under:?}");
        let back = shown(empty.map(|v| v * v), bare);
        assert!((0..3).all(|c| (back[c] - block[c]).abs() < 0.1), "{back:?}");
    }

    #[test]
    fn dark_colours_differ_in_a_light_well() {
        assert!(is_light([230.0; 3]) && !is_light([60.0; 3]));
        let base = base([230.0f32 * 230.0; 3], true);
        let bare = |rgb| beyond(base, [1.0; 3], rgb);
        let (orange, red) = (bare([227.0, 91.0, 2.0]), bare([215.0, 15.0, 55.0]));
        assert!(apart(orange, red) > 60.0, "{orange:?} {red:?}");
        let back = shown(base, orange);
        assert!((back[1] - 91.0).abs() < 0.5, "{back:?}");
    }

    #[test]
    fn brightness_says_less_than_colour() {
        let one = apart([200.0, 20.0, 20.0], [180.0, 18.0, 18.0]);
        let other = apart([200.0, 20.0, 20.0], [200.0, 40.0, 20.0]);
        assert!(one < 0.7 * other, "{one} {other}");
    }
}
