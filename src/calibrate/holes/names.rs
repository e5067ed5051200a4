//! Letters for kinds of discs: the initials of their colours.

use crate::types::colour_name::{self, Family};

/// A letter for each colour, all different: the upper-case initial of its name, or where two
/// share one, the next letter of the name that is free.
#[must_use]
pub fn letters(colours: &[[f32; 3]]) -> Vec<char> {
    let mut families: Vec<Family> = colours.iter().map(|&c| colour_name::family(c)).collect();
    warm(colours, &mut families);
    let mut out: Vec<char> = Vec::new();
    for family in families {
        let name = family.name().chars();
        let letter = name
            .map(|c| c.to_ascii_uppercase())
            .chain('A'..='Z')
            .find(|c| !out.contains(c))
            .unwrap_or('*');
        out.push(letter);
    }
    out
}

/// Warm light turns red and yellow towards orange. Of two kinds that are both warm, the one is
/// red and the other yellow.
fn warm(colours: &[[f32; 3]], families: &mut [Family]) {
    let warm: Vec<usize> = (0..families.len())
        .filter(|&i| matches!(families[i], Family::Red | Family::Orange | Family::Yellow))
        .collect();
    let [a, b] = warm[..] else { return };
    let hue = |i: usize| (colour_name::hue(colours[i]) + 60.0) % 360.0;
    let (low, high) = if hue(a) < hue(b) { (a, b) } else { (b, a) };
    if families[low] == Family::Orange && families[high] == Family::Yellow && hue(low) < 85.0
        || families[low] == Family::Red && families[high] == Family::Orange && hue(high) > 82.0
    {
        families[low] = Family::Red;
        families[high] = Family::Yellow;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_differ_and_warm_light_is_seen_through() {
        let red = [220.0, 20.0, 20.0];
        let yellow = [250.0, 220.0, 0.0];
        assert_eq!(letters(&[red, yellow]), ['R', 'Y']);
        assert_eq!(letters(&[[5.0; 3], [20.0, 30.0, 230.0]]), ['B', 'L']);
        assert_eq!(
            letters(&[[240.0, 170.0, 20.0], [200.0, 40.0, 20.0]]),
            ['Y', 'R']
        );
        assert_eq!(letters(&[[240.0, 120.0, 20.0], [20.0; 3]]), ['O', 'B']);
    }
}
