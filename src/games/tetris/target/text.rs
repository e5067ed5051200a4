//! Text in a picture, in whole multiples of a font of 8x8 px.
//!
//! Takes a picture, a place and a text, changes pixels. Must never draw outside the picture.

use font8x8::{BASIC_FONTS, UnicodeFonts};

use super::palette::Rgb;
use crate::types::picture::packed;
use crate::types::{Picture, Rect};

/// Width and height of a character at scale 1.
pub const GLYPH: i32 = 8;
/// From one line to the next at scale 1.
pub const LINE: i32 = 10;

/// Fills a box; parts outside the picture are left out.
pub fn fill(out: &mut Picture, area: Rect, rgb: Rgb) {
    let (width, height) = (i64::from(out.width()), i64::from(out.height()));
    let cut = |v: i64, most: i64| v.clamp(0, most) as usize;
    let x0 = cut(area.x.into(), width);
    let x1 = cut(i64::from(area.x) + i64::from(area.width), width);
    let y0 = cut(area.y.into(), height);
    let y1 = cut(i64::from(area.y) + i64::from(area.height), height);
    let colour = packed(rgb);
    for y in y0..y1 {
        out.pixels_mut()[y * width as usize..][x0..x1].fill(colour);
    }
}

/// The four sides of a box, this thick, inside it.
pub fn border(out: &mut Picture, area: Rect, thick: u32, rgb: Rgb) {
    let Rect {
        x,
        y,
        width,
        height,
    } = area;
    let rect = |x: i32, y: i32, width: u32, height: u32| Rect {
        x,
        y,
        width,
        height,
    };
    let far = |start: i32, length: u32| start + length.saturating_sub(thick) as i32;
    fill(out, rect(x, y, width, thick), rgb);
    fill(out, rect(x, far(y, height), width, thick), rgb);
    fill(out, rect(x, y, thick, height), rgb);
    fill(out, rect(far(x, width), y, thick, height), rgb);
}

/// Writes one line from its top left corner. Characters that the font lacks are `?`.
pub fn write(out: &mut Picture, [x, y]: [i32; 2], scale: i32, rgb: Rgb, text: &str) {
    let scale = scale.max(1);
    let unknown = || BASIC_FONTS.get('?').unwrap_or_default();
    for (i, c) in (0..).zip(text.chars()) {
        let left = x + i * GLYPH * scale;
        if left >= out.width() as i32 {
            break;
        }
        let glyph = BASIC_FONTS.get(c).unwrap_or_else(unknown);
        for (dy, bits) in (0..).zip(glyph) {
            for dx in (0..GLYPH).filter(|dx| bits >> dx & 1 == 1) {
                let dot = Rect {
                    x: left + dx * scale,
                    y: y + dy * scale,
                    width: scale as u32,
                    height: scale as u32,
                };
                fill(out, dot, rgb);
            }
        }
    }
}

/// How wide a line is.
#[must_use]
pub fn width(text: &str, scale: i32) -> i32 {
    text.chars().count() as i32 * GLYPH * scale
}

/// Lines one below the other in a box; what does not fit is not drawn.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    area: Rect,
    scale: i32,
    y: i32,
}

impl Column {
    /// An empty one.
    #[must_use]
    pub const fn new(area: Rect, scale: i32) -> Self {
        Self {
            area,
            scale,
            y: area.y,
        }
    }

    /// How many characters fit into a line.
    #[must_use]
    pub const fn chars(&self) -> usize {
        (self.area.width / (GLYPH * self.scale) as u32) as usize
    }

    /// The next line, in as many rows as it takes, broken between words where that is possible.
    pub fn line(&mut self, out: &mut Picture, rgb: Rgb, text: &str) {
        let most = self.chars();
        if most < 4 {
            return;
        }
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.char_indices().nth(most).map_or(rest.len(), |(i, _)| i);
            let cut = match rest[..end].rfind(' ') {
                Some(space) if end < rest.len() && space > 0 => space,
                _ => end,
            };
            if self.y + GLYPH * self.scale > self.area.y + self.area.height as i32 {
                return;
            }
            write(out, [self.area.x, self.y], self.scale, rgb, &rest[..cut]);
            self.y += LINE * self.scale;
            rest = rest[cut..].trim_start();
        }
    }

    /// Leaves out so many tenths of a line.
    pub fn gap(&mut self, tenths: i32) {
        self.y += tenths * self.scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Rgb = [255; 3];

    fn inked(p: &Picture) -> usize {
        p.pixels().iter().filter(|&&v| v == packed(INK)).count()
    }

    #[test]
    fn nothing_is_drawn_outside() {
        let mut out = Picture::filled(20, 12, [0; 3]);
        for at in [[-5, -5], [15, 8], [100, 100], [i32::MIN / 2, 0]] {
            write(&mut out, at, 3, INK, "W?");
        }
        let far = Rect {
            x: i32::MAX,
            y: -4,
            width: u32::MAX,
            height: u32::MAX,
        };
        fill(&mut out, far, INK);
        let mut empty = Picture::default();
        write(&mut empty, [0, 0], 1, INK, "x");
    }

    #[test]
    fn twice_as_large_is_four_times_as_many_pixels() {
        let mut one = Picture::filled(100, 20, [0; 3]);
        let mut two = one.clone();
        write(&mut one, [0, 0], 1, INK, "Tetris");
        write(&mut two, [0, 0], 2, INK, "Tetris");
        assert!(inked(&one) > 60);
        assert_eq!(inked(&two), 4 * inked(&one));
    }

    #[test]
    fn a_column_breaks_lines_and_ends_at_its_box() {
        let area = Rect {
            x: 0,
            y: 0,
            width: 48,
            height: 30,
        };
        let mut out = Picture::filled(60, 60, [0; 3]);
        let mut column = Column::new(area, 1);
        assert_eq!(column.chars(), 6);
        column.line(&mut out, INK, "one two three four five");
        let low = out.crop(0, 30, 60, 30);
        assert_eq!(inked(&low), 0, "only three lines fit");
        assert!(inked(&out) > 60);
    }
}
