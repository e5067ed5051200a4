//! Letters for colours that were told apart: the kind of a piece is its shape, and where no piece
//! lies alone, programs agree well enough on its colour.
//!
//! Takes the cells with their colours, gives a letter for each colour. A letter is a name for a
//! person to read; nothing is played by it.

/// Letters of the kinds, the colour that most programs give them, and their cells as they may
/// lie, each from its top left corner: column, row.
const KINDS: [(char, [f32; 3], &[Shape]); 7] = [
    (
        'O',
        [240.0, 210.0, 40.0],
        &[[(0, 0), (1, 0), (0, 1), (1, 1)]],
    ),
    (
        'I',
        [40.0, 200.0, 220.0],
        &[
            [(0, 0), (1, 0), (2, 0), (3, 0)],
            [(0, 0), (0, 1), (0, 2), (0, 3)],
        ],
    ),
    (
        'S',
        [90.0, 200.0, 60.0],
        &[
            [(1, 0), (2, 0), (0, 1), (1, 1)],
            [(0, 0), (0, 1), (1, 1), (1, 2)],
        ],
    ),
    (
        'Z',
        [225.0, 40.0, 50.0],
        &[
            [(0, 0), (1, 0), (1, 1), (2, 1)],
            [(1, 0), (0, 1), (1, 1), (0, 2)],
        ],
    ),
    (
        'L',
        [235.0, 130.0, 30.0],
        &[
            [(0, 0), (1, 0), (2, 0), (0, 1)],
            [(0, 0), (1, 0), (1, 1), (1, 2)],
            [(2, 0), (0, 1), (1, 1), (2, 1)],
            [(0, 0), (0, 1), (0, 2), (1, 2)],
        ],
    ),
    (
        'J',
        [50.0, 70.0, 220.0],
        &[
            [(0, 0), (1, 0), (2, 0), (2, 1)],
            [(1, 0), (1, 1), (0, 2), (1, 2)],
            [(0, 0), (0, 1), (1, 1), (2, 1)],
            [(0, 0), (1, 0), (0, 1), (0, 2)],
        ],
    ),
    (
        'T',
        [170.0, 60.0, 200.0],
        &[
            [(0, 0), (1, 0), (2, 0), (1, 1)],
            [(1, 0), (0, 1), (1, 1), (1, 2)],
            [(1, 0), (0, 1), (1, 1), (2, 1)],
            [(0, 0), (0, 1), (1, 1), (0, 2)],
        ],
    ),
];

type Shape = [(i32, i32); 4];

/// The index of the kind whose shape these cells have, wherever they lie.
#[must_use]
pub fn of_shape(cells: &[(i32, i32)]) -> Option<usize> {
    if cells.len() != 4 {
        return None;
    }
    let x = cells.iter().map(|c| c.0).min()?;
    let y = cells.iter().map(|c| c.1).min()?;
    let has = |&(dx, dy): &(i32, i32)| cells.contains(&(x + dx, y + dy));
    let is = |shape: &Shape| shape.iter().all(has);
    KINDS.iter().position(|k| k.2.iter().any(is))
}

/// Groups of cells of one colour that touch: the colour, columns and rows.
#[must_use]
pub fn groups(colours: &[Option<usize>], cols: usize) -> Vec<(usize, Vec<(i32, i32)>)> {
    let mut seen = vec![false; colours.len()];
    let mut out = Vec::new();
    for start in 0..colours.len() {
        let Some(colour) = colours[start] else {
            continue;
        };
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let (mut todo, mut cells) = (vec![start], Vec::new());
        while let Some(i) = todo.pop() {
            let (x, y) = (i % cols, i / cols);
            cells.push((x as i32, y as i32));
            let mut visit = |j: usize| {
                if colours.get(j) == Some(&Some(colour)) && !seen[j] {
                    seen[j] = true;
                    todo.push(j);
                }
            };
            if x > 0 {
                visit(i - 1);
            }
            if x + 1 < cols {
                visit(i + 1);
            }
            if y > 0 {
                visit(i - cols);
            }
            visit(i + cols);
        }
        out.push((colour, cells));
    }
    out
}

/// A letter for each of the colours, no letter twice.
#[must_use]
pub fn letters(colours: &[Option<usize>], cols: usize, rgb: &[[f32; 3]]) -> Vec<char> {
    let mut votes = vec![[0usize; KINDS.len()]; rgb.len()];
    for (colour, cells) in groups(colours, cols) {
        if let (Some(kind), Some(votes)) = (of_shape(&cells), votes.get_mut(colour)) {
            votes[kind] += 1;
        }
    }
    let mut claims: Vec<(f32, usize, usize)> = Vec::new();
    for (i, &c) in rgb.iter().enumerate() {
        for (k, &(_, usual, _)) in KINDS.iter().enumerate() {
            // A grey is nobody's colour, a piece that lies alone says more than any.
            if votes[i][k] == 0 && apart(c, [0.0; 3]) < GREY {
                continue;
            }
            claims.push((apart(c, usual) - 10.0 * votes[i][k] as f32, i, k));
        }
    }
    claims.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = vec![None; rgb.len()];
    let mut taken = [false; KINDS.len()];
    for (far, i, k) in claims {
        if out[i].is_none() && !taken[k] && far < FAR {
            out[i] = Some(KINDS[k].0);
            taken[k] = true;
        }
    }
    let mut spare = ('G'..='H').chain('a'..='z');
    out.into_iter()
        .map(|letter| letter.or_else(|| spare.next()).unwrap_or('*'))
        .collect()
}

/// Difference of tint beyond which a colour is not that of a kind.
const FAR: f32 = 0.62;

/// Tint below which a colour is a grey.
const GREY: f32 = 0.15;

/// How differently two colours are tinted, brightness aside.
fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    let tint = |c: [f32; 3]| {
        let mean = (c[0] + c[1] + c[2]) / 3.0;
        let most = c.iter().copied().fold(1.0, f32::max);
        c.map(|v| (v - mean) / most)
    };
    let (a, b) = (tint(a), tint(b));
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_lies_alone_names_its_colour() {
        // A red T and a yellow O that lie alone, five grey cells in a row.
        let text = ".0.....000..............11.....11..22222..";
        let cells: Vec<Option<usize>> = text
            .chars()
            .map(|c| c.to_digit(10).map(|d| d as usize))
            .collect();
        let rgb = [[220.0, 30.0, 40.0], [230.0, 210.0, 30.0], [120.0; 3]];
        assert_eq!(letters(&cells, 7, &rgb), ['T', 'O', 'G']);
    }

    #[test]
    fn without_a_piece_that_lies_alone_the_usual_colours_count() {
        let rgb = [
            [210.0, 20.0, 60.0],
            [30.0, 60.0, 200.0],
            [90.0, 210.0, 50.0],
        ];
        let cells = [Some(0), Some(1), Some(2)];
        assert_eq!(letters(&cells, 3, &rgb), ['Z', 'J', 'S']);
    }
}
