//! Marks in the middle of cells: whether they set classes apart, or go with a colour.
//!
//! Takes the looks of cells and their classes so far. Does not look at pixels.

use super::cell::CellLook;
use crate::types::GridSize;

/// What lies in the middle of the cells of each class, where nearly all of its cells have it: a
/// letter or a sign that goes with the colour.
pub fn signs(
    looks: &[CellLook],
    labels: &[Option<usize>],
    classes: usize,
    is_marked: &dyn Fn(usize) -> bool,
) -> Vec<Option<[f32; 3]>> {
    (0..classes)
        .map(|k| {
            let own = || (0..looks.len()).filter(|&i| labels[i] == Some(k));
            let with: Vec<usize> = own().filter(|&i| is_marked(i)).collect();
            if with.len() < 2 || with.len() * 10 < own().count() * 9 {
                return None;
            }
            let n = with.len() as f32;
            Some([0, 1, 2].map(|c| with.iter().map(|&i| looks[i].centre[c]).sum::<f32>() / n))
        })
        .collect()
}

/// Whether marks set classes apart. Where lines are drawn between cells of different classes only,
/// they tell; elsewhere marks on cells of several colours are hints, not classes.
pub fn marks_tell(
    size: GridSize,
    labels: &[Option<usize>],
    with: &[Vec<usize>],
    is_marked: &dyn Fn(usize) -> bool,
    lined: &dyn Fn(usize, usize) -> bool,
) -> bool {
    let bearing = with.iter().filter(|w| !w.is_empty()).count();
    if bearing == 0 {
        return false;
    }
    let cols = usize::from(size.cols);
    // Lines and pairs between cells of one colour, both or neither marked; between marked and
    // unmarked cells of one colour; between different colours.
    let mut seen = [(0usize, 0usize); 3];
    for i in 0..labels.len() {
        for (j, last) in [
            (i + 1, i % cols + 1 == cols),
            (i + cols, i + cols >= labels.len()),
        ] {
            if last || labels[i].is_none() || labels[j].is_none() {
                continue;
            }
            let kind = match (labels[i] == labels[j], is_marked(i) == is_marked(j)) {
                (true, true) => 0,
                (true, false) => 1,
                (false, _) => 2,
            };
            // A few dozen of each tell enough.
            if seen[kind].1 < 60 {
                seen[kind].1 += 1;
                seen[kind].0 += usize::from(lined(i, j));
            }
        }
    }
    let mostly = |(lines, pairs): (usize, usize)| pairs > 0 && lines * 2 >= pairs;
    if seen[1].1 >= 2 && mostly(seen[2]) && !mostly(seen[0]) {
        return mostly(seen[1]);
    }
    bearing == 1
}
