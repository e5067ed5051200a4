//! Bytes to lines, with a bound on both.

/// The longest line in bytes, unless told otherwise; of a longer one nothing is kept.
pub const LONGEST: usize = 1 << 16;

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end; what is not UTF-8 in it is replaced.
    Whole(String),
    /// A line that is too long to be kept.
    TooLong,
}

/// Puts lines together. CR, LF and CR LF end a line; empty ones are passed over.
#[derive(Debug)]
pub struct Lines {
    begun: Vec<u8>,
    too_long: bool,
    longest: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self::up_to(LONGEST)
    }
}

impl Lines {
    /// Lines of at most so many bytes.
    #[must_use]
    pub const fn up_to(longest: usize) -> Self {
        Self {
            begun: Vec::new(),
            too_long: false,
            longest,
        }
    }

    /// Takes bytes and gives each line that is complete with them. `give` says whether to go on.
    pub fn take(&mut self, bytes: &[u8], mut give: impl FnMut(Line) -> bool) -> bool {
        for part in bytes.split_inclusive(|b| matches!(b, b'\r' | b'\n')) {
            let (part, ends) = match part {
                [part @ .., b'\r' | b'\n'] => (part, true),
                part => (part, false),
            };
            if self.too_long || self.begun.len() + part.len() > self.longest {
                // Told at once: the end of the line may never come.
                let news = !self.too_long;
                self.too_long = !ends;
                self.begun = Vec::new();
                if news && !give(Line::TooLong) {
                    return false;
                }
                continue;
            }
            self.begun.extend_from_slice(part);
            if ends && !self.finish(&mut give) {
                return false;
            }
        }
        true
    }

    /// The end of the bytes ends a line too.
    pub fn end(&mut self, mut give: impl FnMut(Line) -> bool) {
        self.finish(&mut give);
    }

    fn finish(&mut self, give: &mut impl FnMut(Line) -> bool) -> bool {
        let line = String::from_utf8_lossy(&self.begun).into_owned();
        self.begun.clear();
        line.trim().is_empty() || give(Line::Whole(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(parts: &[&[u8]]) -> Vec<Line> {
        let (mut lines, mut all) = (Lines::default(), Vec::new());
        for part in parts {
            lines.take(part, |l| {
                all.push(l);
                true
            });
        }
        lines.end(|l| {
            all.push(l);
            true
        });
        all
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.to_owned())
    }

    #[test]
    fn every_end_of_line_ends_a_line() {
        let all = lines(&[b"a\r\nb\rc\n", b"\n \nd", b"e\nf"]);
        assert_eq!(all, ["a", "b", "c", "de", "f"].map(whole));
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let long = vec![b'x'; LONGEST - 1];
        let all = lines(&[&long, b"xx", &long, &long, b"x\nshort\n"]);
        assert_eq!(all, [Line::TooLong, whole("short")]);
        let just = [long.as_slice(), b"x\n"].concat();
        assert_eq!(lines(&[&just]).len(), 1);
        assert!(matches!(lines(&[&just])[0], Line::Whole(_)));
    }

    #[test]
    fn the_bound_can_be_another() {
        let mut lines = Lines::up_to(3);
        let mut all = Vec::new();
        lines.take(b"abc\nabcd\nab\n", |l| {
            all.push(l);
            true
        });
        assert_eq!(all, [whole("abc"), Line::TooLong, whole("ab")]);
        // What is not kept costs nothing.
        for _ in 0..1000 {
            lines.take(&[b'x'; 1000], |_| true);
            assert!(lines.begun.capacity() <= 3, "{}", lines.begun.capacity());
        }
    }

    #[test]
    fn what_is_not_text_is_replaced() {
        assert_eq!(lines(&[b"a\xffb\n"]), [whole("a\u{fffd}b")]);
    }
}
