//! Where a pixel of the camera lies in the picture that stands upright.
//!
//! Takes a [`Turn`] and the size the camera delivers; gives the size of the upright picture and,
//! for each pixel, its place in it. So turning costs nothing on top of decoding, and everything
//! after it knows one picture only. Must never copy a picture.

use crate::types::Turn;

/// The way from the camera's pixels to the upright picture's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Width and height that the camera delivers.
    pub from: (u32, u32),
    /// Width and height of the upright picture.
    pub size: (u32, u32),
    origin: isize,
    right: isize,
    down: isize,
}

impl Layout {
    /// For a camera that delivers pictures of this size.
    pub fn new(turn: Turn, width: u32, height: u32) -> Self {
        let size = if turn.quarters.is_multiple_of(2) {
            (width, height)
        } else {
            (height, width)
        };
        let (w, h) = (size.0 as isize, size.1 as isize);
        // Where the camera's first pixel goes, and in which direction its row and column run.
        let (mut x, y, mut right, mut down) = match turn.quarters % 4 {
            0 => (0, 0, (1, 0), (0, 1)),
            1 => (w - 1, 0, (0, 1), (-1, 0)),
            2 => (w - 1, h - 1, (-1, 0), (0, -1)),
            _ => (0, h - 1, (0, -1), (1, 0)),
        };
        if turn.mirror {
            x = w - 1 - x;
            right.0 = -right.0;
            down.0 = -down.0;
        }
        Self {
            from: (width, height),
            size,
            origin: y * w + x,
            right: right.1 * w + right.0,
            down: down.1 * w + down.0,
        }
    }

    /// Where the first pixel of the camera's row `y` goes, and how far it is from one to the next.
    pub fn row(&self, y: u32) -> (isize, isize) {
        (self.origin + self.down * y as isize, self.right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The upright picture of a camera that sees
    /// ```text
    /// abc
    /// def
    /// ```
    fn seen(quarters: u8, mirror: bool) -> Vec<String> {
        let layout = Layout::new(Turn { quarters, mirror }, 3, 2);
        let mut out = [b'?'; 6];
        for (y, row) in (0..).zip([b"abc", b"def"]) {
            let (start, step) = layout.row(y);
            for (x, letter) in (0..).zip(row) {
                out[usize::try_from(start + step * x).expect("inside")] = *letter;
            }
        }
        out.chunks(layout.size.0 as usize)
            .map(|row| String::from_utf8_lossy(row).into_owned())
            .collect()
    }

    #[test]
    fn turned_clockwise_then_mirrored() {
        assert_eq!(seen(0, false), ["abc", "def"]);
        assert_eq!(seen(1, false), ["da", "eb", "fc"]);
        assert_eq!(seen(2, false), ["fed", "cba"]);
        assert_eq!(seen(3, false), ["cf", "be", "ad"]);
        assert_eq!(seen(0, true), ["cba", "fed"]);
        assert_eq!(seen(1, true), ["ad", "be", "cf"]);
        assert_eq!(seen(2, true), ["def", "abc"]);
        assert_eq!(seen(3, true), ["fc", "eb", "da"]);
    }
}
