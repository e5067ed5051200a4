//! Colours by the words that people use for pieces: which of several looks is "the red one"; and
//! how different colours look.
//!
//! Distances are taken in CIE L*a*b* (D65), where a step of about 2.3 is just visible.

/// A word and an sRGB colour that most would call so.
const NAMES: [(&str, [f32; 3]); 12] = [
    ("red", [224.0, 24.0, 24.0]),
    ("yellow", [250.0, 220.0, 20.0]),
    ("green", [40.0, 160.0, 50.0]),
    ("blue", [30.0, 70.0, 220.0]),
    ("black", [12.0, 12.0, 14.0]),
    ("white", [246.0, 246.0, 244.0]),
    ("orange", [250.0, 140.0, 10.0]),
    ("purple", [130.0, 20.0, 170.0]),
    ("pink", [250.0, 150.0, 190.0]),
    ("cyan", [30.0, 200.0, 220.0]),
    ("grey", [140.0, 140.0, 140.0]),
    ("brown", [120.0, 70.0, 30.0]),
];

/// A look farther from a word than this is not meant by it, even if no other look is nearer: half
/// way from red to orange, and the darkest red of a known program is within it.
const FARTHEST: f32 = 60.0;

/// The words there are.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// The word as it is kept, if it is one.
#[must_use]
pub fn named(text: &str) -> Option<&'static str> {
    names().find(|name| name.eq_ignore_ascii_case(text))
}

/// Which of these colours (0 to 255, red first) is meant by a word: the nearest, if it is near at
/// all; `None` for a word that is none.
#[must_use]
pub fn meant(name: &str, looks: impl IntoIterator<Item = [f32; 3]>) -> Option<usize> {
    let wanted = lab(NAMES.iter().find(|(n, _)| *n == name)?.1);
    looks
        .into_iter()
        .map(|rgb| lab_apart(wanted, lab(rgb)))
        .enumerate()
        .filter(|(_, far)| *far <= FARTHEST)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(i, _)| i)
}

/// How far two colours (0 to 255, red first) are from each other.
#[must_use]
pub fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    lab_apart(lab(a), lab(b))
}

fn lab_apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    let square: f32 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    square.sqrt()
}

fn lab(rgb: [f32; 3]) -> [f32; 3] {
    let [r, g, b] = rgb.map(|v| {
        let v = (v / 255.0).clamp(0.0, 1.0);
        match v <= 0.040_45 {
            true => v / 12.92,
            false => ((v + 0.055) / 1.055).powf(2.4),
        }
    });
    // Divided by the white point, so that white is 1, 1, 1.
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505;
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089;
    let f = |t: f32| match t > 0.008_856 {
        true => t.cbrt(),
        false => 7.787 * t + 16.0 / 116.0,
    };
    let (x, y, z) = (f(x), f(y), f(z));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Along the direction of both colours a difference counts so much.
const ALONG: f32 = 0.55;

/// Squared [`apart`].
#[must_use]
#[inline]
pub fn apart2(a: [f32; 3], b: [f32; 3]) -> f32 {
    let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    // Near black there is no direction.
    let m = [a[0] + b[0] + 6.0, a[1] + b[1] + 6.0, a[2] + b[2] + 6.0];
    let dot = |p: [f32; 3], q: [f32; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let along = dot(d, m);
    let along2 = along * along / dot(m, m).max(1.0);
    (dot(d, d) - (1.0 - ALONG * ALONG) * along2).max(0.0)
}

/// How different two colours (0 to 255, red first) are to someone who knows that light and shade
/// change brightness more than hue: a difference in brightness counts about half.
#[must_use]
#[inline]
pub fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    apart2(a, b).sqrt()
}

/// Light that a glare adds to each channel where it turns a known colour (`usual`) into `seen`: in
/// the square of pixel values, which is nearly in proportion to light.
#[must_use]
pub fn veil(usual: [f32; 3], seen: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| (seen[i] * seen[i] - usual[i] * usual[i]).max(0.0))
}

/// A colour without a [`veil`].
#[must_use]
#[inline]
pub fn unveiled(rgb: [f32; 3], veil: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| (rgb[i] * rgb[i] - veil[i]).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_discs_of_known_programs_are_told_by_their_names() {
        let rgb = |hex: u32| [hex >> 16, hex >> 8 & 255, hex & 255].map(|v| v as f32);
        for (discs, names) in [
            ([0xff_ff00, 0xff_0000], ["yellow", "red"]),
            ([0xe5_2727, 0x65_b82e], ["red", "green"]),
            ([0x9c_000f, 0x00_0000], ["red", "black"]),
            ([0xf5_f5f5, 0x13_1217], ["white", "black"]),
        ] {
            for (i, name) in names.iter().enumerate() {
                assert_eq!(meant(name, discs.map(rgb)), Some(i), "{name}");
                assert_eq!(meant(name, [rgb(discs[1 - i])]), None, "not {name}");
            }
        }
        assert_eq!(meant("mauve", [[0.0; 3]]), None);
        assert_eq!(named("Yellow"), Some("yellow"));
    }

    #[test]
    fn every_word_means_its_own_colour() {
        for (i, (name, _)) in NAMES.iter().enumerate() {
            assert_eq!(meant(name, NAMES.map(|(_, rgb)| rgb)), Some(i), "{name}");
        }
    }

    #[test]
    fn shade_is_nearer_than_hue() {
        let red = [240.0, 20.0, 20.0];
        let shaded = apart(red, [170.0, 14.0, 14.0]);
        let hue = apart(red, [240.0, 90.0, 20.0]);
        assert!(shaded < 42.0 && hue > 60.0, "{shaded} {hue}");
        assert!(apart([0.0; 3], [255.0; 3]) > 200.0);
    }

    #[test]
    fn a_veil_is_taken_off_again() {
        let (plate, disc) = ([20.0, 40.0, 200.0], [220.0, 30.0, 30.0]);
        let add = |c: [f32; 3]| c.map(|v| (v * v + 9000.0f32).sqrt());
        let seen = unveiled(add(disc), veil(plate, add(plate)));
        assert!(apart(seen, disc) < 1.0, "{seen:?}");
    }
}
