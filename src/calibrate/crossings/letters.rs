//! The letters of stones: B and W for dark and light ones, otherwise the initial of the colour.

/// A letter for each colour of a board's stones; `ground` is what they lie on.
#[must_use]
pub fn letters(ground: [f32; 3], colours: &[[f32; 3]]) -> Vec<char> {
    let grey: Vec<usize> = (0..colours.len())
        .filter(|&i| hue(colours[i]).is_none())
        .collect();
    let by_level = |a: &&usize, b: &&usize| level(colours[**a]).total_cmp(&level(colours[**b]));
    let darkest = grey.iter().min_by(by_level).copied();
    let lightest = grey.iter().max_by(by_level).copied();
    let mut out: Vec<char> = Vec::new();
    for (i, &rgb) in colours.iter().enumerate() {
        let name = match hue(rgb) {
            Some(name) => name,
            None if grey.len() > 1 && darkest == Some(i) => "black",
            None if grey.len() > 1 && lightest == Some(i) => "white",
            None if grey.len() > 1 => "grey",
            None if is_light(rgb, ground) => "white",
            None => "black",
        };
        out.push(free(name, &out));
    }
    out
}

/// The first letter of a name that no other class has.
fn free(name: &str, taken: &[char]) -> char {
    let own = name.chars().map(|c| c.to_ascii_uppercase());
    own.chain('A'..='Z')
        .find(|c| !taken.contains(c))
        .unwrap_or('*')
}

fn level([r, g, b]: [f32; 3]) -> f32 {
    0.3 * r + 0.6 * g + 0.1 * b
}

/// Whether a stone without colour is a light one: lighter than the ground, or light as such.
fn is_light(rgb: [f32; 3], ground: [f32; 3]) -> bool {
    let (own, under) = (level(rgb), level(ground));
    if own > 1.12 * under + 4.0 {
        true
    } else if own < 0.75 * under {
        false
    } else {
        own > 127.0
    }
}

/// Whether a colour is none: black, grey or white.
#[must_use]
pub fn is_grey(rgb: [f32; 3]) -> bool {
    hue(rgb).is_none()
}

/// The name of a colour; `None` for black, grey and white, also in the light of a warm lamp.
fn hue(rgb: [f32; 3]) -> Option<&'static str> {
    let [r, g, b] = rgb.map(|v| v.clamp(0.0, 255.0));
    let (max, min) = (r.max(g).max(b), r.min(g).min(b));
    let span = max - min;
    if span < 0.25 * max + 14.0 {
        return None;
    }
    let hue = if max == r {
        60.0 * ((g - b) / span).rem_euclid(6.0)
    } else if max == g {
        60.0 * ((b - r) / span + 2.0)
    } else {
        60.0 * ((r - g) / span + 4.0)
    };
    Some(match hue {
        h if !(15.0..340.0).contains(&h) => "red",
        h if h < 45.0 => "orange",
        h if h < 70.0 => "yellow",
        h if h < 165.0 => "green",
        h if h < 200.0 => "cyan",
        h if h < 260.0 => "blue",
        h if h < 300.0 => "purple",
        _ => "pink",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_and_light_stones_have_their_letters_on_any_ground() {
        let wood = [220.0, 175.0, 110.0];
        let (black, white) = ([30.0, 28.0, 24.0], [235.0, 228.0, 205.0]);
        assert_eq!(letters(wood, &[black, white]), ['B', 'W']);
        assert_eq!(letters(wood, &[white]), ['W']);
        assert_eq!(letters(wood, &[black]), ['B']);
        // In a dark room white is grey, but lighter than the wood.
        assert_eq!(letters([80.0, 62.0, 40.0], &[[105.0, 104.0, 100.0]]), ['W']);
        assert_eq!(letters([30.0; 3], &[[12.0; 3]]), ['B']);
    }

    #[test]
    fn other_colours_have_their_initial_or_the_next_free_letter() {
        let (red, green, blue) = (
            [230.0, 20.0, 40.0],
            [20.0, 240.0, 20.0],
            [40.0, 40.0, 240.0],
        );
        assert_eq!(letters([0.0; 3], &[red, green]), ['R', 'G']);
        assert_eq!(letters([255.0; 3], &[[0.0; 3], blue]), ['B', 'L']);
    }
}
