//! Names of colours for people.

/// A name for a colour (0 to 255, red first).
#[must_use]
pub fn of(rgb: [f32; 3]) -> &'static str {
    let [r, g, b] = rgb.map(|v| v.clamp(0.0, 255.0));
    let max = r.max(g).max(b);
    let min = r.min(g).min(b);
    let span = max - min;
    if span < 0.15 * max.max(40.0) {
        return match max {
            m if m < 60.0 => "black",
            m if m < 200.0 => "grey",
            _ => "white",
        };
    }
    let hue = if max == r {
        60.0 * ((g - b) / span).rem_euclid(6.0)
    } else if max == g {
        60.0 * ((b - r) / span + 2.0)
    } else {
        60.0 * ((r - g) / span + 4.0)
    };
    let dark = max < 120.0;
    let pale = span < 0.45 * max;
    match hue {
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
}
