//! Boards drawn with characters in a terminal: each row of the board is a row of text, each cell
//! the same number of characters, and on both sides stands a column of upright strokes.
//!
//! Takes planes of an exact picture and the size, gives transforms. Cells are as wide and as high
//! as the font makes them. Says nothing about what the cells contain.

use super::super::planes::Planes;
use crate::types::{GridSize, Point, PxFromCell};

/// Widest stroke in px.
const WIDEST: usize = 6;

/// Characters per cell that are tried: two are nearly square in most fonts.
const CHARACTERS: [usize; 3] = [2, 1, 3];

/// A cell may be so much higher than wide, or wider than high.
const OBLONG: f64 = 2.2;

/// Equal strokes one below the other, one for each row of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Train {
    colour: u32,
    /// Left edge and width of the strokes.
    x: usize,
    width: usize,
    /// Upper end of the first one, its length, and the distance to the next.
    y: usize,
    length: usize,
    pitch: usize,
}

/// Boards that may be there, the innermost first.
#[must_use]
pub fn find(planes: &Planes, size: GridSize) -> Vec<PxFromCell> {
    let (cols, rows) = (usize::from(size.cols), usize::from(size.rows));
    if cols == 0 || rows < 4 {
        return Vec::new();
    }
    let trains = trains(planes, rows);
    let mut found = Vec::new();
    for (i, left) in trains.iter().enumerate() {
        for right in &trains[i + 1..] {
            let alike = Train {
                x: left.x,
                ..*right
            } == *left;
            if alike && right.x > left.x {
                found.extend(between(left, right.x - left.x, cols));
            }
        }
    }
    found.sort_by_key(|f| f.0);
    found.into_iter().map(|f| f.1).collect()
}

/// The board between two trains this far apart, with that distance.
fn between(left: &Train, apart: usize, cols: usize) -> Option<(usize, PxFromCell)> {
    for characters in CHARACTERS {
        // From a stroke to its like: the characters of a row and one of the border's own.
        let all = characters * cols + 1;
        if !apart.is_multiple_of(all) {
            continue;
        }
        let character = apart / all;
        let (wide, high) = ((characters * character) as f64, left.pitch as f64);
        if left.width > character || wide > high * OBLONG || high > wide * OBLONG {
            continue;
        }
        // Strokes stand in the middle of their characters.
        let x = left.x as f64 + (left.width + character) as f64 / 2.0;
        let y = left.y as f64 - (left.pitch - left.length) as f64 / 2.0;
        let at = Point::new(x.round(), y.max(0.0).round());
        return Some((apart, PxFromCell::upright(at, wide, high)));
    }
    None
}

fn trains(planes: &Planes, rows: usize) -> Vec<Train> {
    let (w, h) = (planes.width, planes.height);
    let tone = |x: usize, y: usize| {
        let i = y * w + x;
        let [r, g, b] = [0, 1, 2].map(|c| u32::from(planes.rgb[c][i]));
        r << 16 | g << 8 | b
    };
    let mut found: Vec<Train> = Vec::new();
    let mut strokes: Vec<(usize, usize, u32)> = Vec::new();
    for x in 1..w {
        strokes.clear();
        let mut y = 0;
        while y < h {
            let colour = tone(x, y);
            let from = y;
            while y < h && tone(x, y) == colour {
                y += 1;
            }
            // A stroke's left edge: something else lies to the left of all of it.
            if (from..y).all(|y| tone(x - 1, y) != colour) {
                strokes.push((from, y - from, colour));
            }
        }
        if strokes.len() < rows {
            continue;
        }
        found.extend(
            train(&strokes, rows).and_then(|(y, length, pitch, colour)| {
                let same = |x: usize| x < w && tone(x, y) == colour;
                let width = (x..).take_while(|&x| same(x)).count();
                (width <= WIDEST).then_some(Train {
                    colour,
                    x,
                    width,
                    y,
                    length,
                    pitch,
                })
            }),
        );
    }
    found
}

/// The longest row of equal strokes at equal distances, if it has one for each row of the board
/// and not many more.
fn train(strokes: &[(usize, usize, u32)], rows: usize) -> Option<(usize, usize, usize, u32)> {
    for (i, &(y, length, colour)) in strokes.iter().enumerate() {
        let like = |s: &&(usize, usize, u32)| s.1 == length && s.2 == colour;
        let Some(&(second, ..)) = strokes[i + 1..].iter().find(like) else {
            continue;
        };
        let pitch = second - y;
        // Gaps between the strokes are shorter than the strokes, and there are some.
        if pitch <= length || pitch > 2 * length {
            continue;
        }
        let at = |k: usize| (y + k * pitch, length, colour);
        let count = (0..=rows).take_while(|&k| strokes.contains(&at(k))).count();
        let before = y
            .checked_sub(pitch)
            .is_some_and(|y| strokes.contains(&(y, length, colour)));
        if count == rows && !before {
            return Some((y, length, pitch, colour));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Picture;

    /// A terminal of characters of this size that shows a board of 10x20 cells two characters
    /// wide, its first character in this column and row.
    fn terminal(character: (i64, i64), at: (i64, i64)) -> Picture {
        let (cw, ch) = character;
        let mut picture = Picture::filled((60 * cw) as u32, (28 * ch) as u32, [0; 3]);
        let mut stroke = |column: i64, row: i64, rgb| {
            for y in ch / 6..ch - ch / 6 {
                picture.set(column * cw + cw / 2 - 1, row * ch + y, rgb);
            }
        };
        for row in 0..20 {
            stroke(at.0 - 1, at.1 + row, [0, 0, 238]);
            stroke(at.0 + 20, at.1 + row, [0, 0, 238]);
            // Something else stands around it.
            stroke(at.0 - 2, at.1 + row, [255, 0, 0]);
            stroke(at.0 + 22, at.1 + row, [255, 0, 0]);
        }
        picture
    }

    #[test]
    fn a_board_of_characters_lies_between_its_borders() {
        for (character, at) in [((6, 13), (19, 4)), ((10, 20), (7, 2)), ((9, 18), (30, 8))] {
            let planes = Planes::new(&terminal(character, at));
            let found = find(&planes, GridSize::new(10, 20));
            let first = found.first().expect("found");
            let corner = first.map(Point::new(0.0, 0.0));
            let wanted = Point::new((at.0 * character.0) as f64, (at.1 * character.1) as f64);
            assert!(
                corner.distance(wanted) < 1.5,
                "{corner:?}, wanted {wanted:?}"
            );
            let far = first.map(Point::new(10.0, 20.0));
            let wanted = Point::new(
                wanted.x + (20 * character.0) as f64,
                wanted.y + (20 * character.1) as f64,
            );
            assert!(far.distance(wanted) < 1.5, "{far:?}, wanted {wanted:?}");
        }
    }

    #[test]
    fn other_strokes_are_no_board() {
        let size = GridSize::new(10, 20);
        let planes = Planes::new(&terminal((6, 13), (19, 4)));
        assert!(find(&planes, GridSize::new(10, 19)).is_empty());
        assert!(find(&planes, GridSize::new(12, 20)).is_empty());
        let plain = Planes::new(&Picture::filled(300, 300, [9; 3]));
        assert!(find(&plain, size).is_empty());
        let tiny = Planes::new(&Picture::filled(1, 1, [9; 3]));
        assert!(find(&tiny, size).is_empty());
    }
}
