//! The name of an X display, as in `DISPLAY`: `:0`, `host:10.0`.

/// Whether the display's number is one that a server can have: its port, 6000 and the number, must
/// be a port. The X library takes this for granted and panics otherwise. Names without a number
/// are left to the library, which says what is wrong with them.
#[must_use]
pub fn is_possible(name: &str) -> bool {
    let number = name.rsplit_once(':').map_or("", |(_, rest)| rest);
    let number = number.split('.').next().unwrap_or("");
    number.is_empty()
        || number
            .parse::<u16>()
            .map_or(!is_digits(number), |n| n <= u16::MAX - 6000)
}

fn is_digits(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_possible;

    #[test]
    fn numbers_beyond_the_ports_are_impossible() {
        for good in [":0", ":99.0", "host:10.1", ":59535", "nonsense", ":x"] {
            assert!(is_possible(good), "{good}");
        }
        for bad in [":59536", ":64999.0", "host:99999999"] {
            assert!(!is_possible(bad), "{bad}");
        }
    }
}
