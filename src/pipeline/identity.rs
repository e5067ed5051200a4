//! Which class of a board that is found again is which of those that were known.
//!
//! Takes two calibrations, gives the newer one with the ids and letters of the older. A camera's
//! exposure may have changed in between, and kinds that are not to be seen now come back later.

use crate::calibrate;
use crate::types::{BoardKind, Calibration, ClassLook};

/// Colours closer than this (Euclidean, 0 to 255 per channel) may be one class seen twice. Half
/// the distance of the closest pair of colours known from real games (`#e5393f`, `#ff7043`).
const SAME_CLASS: f32 = 30.0;

/// Colours of pieces further apart than this are those of two kinds in any light.
const UNLIKE: f32 = 100.0;

/// Gives the new calibration's classes the ids and letters that they had in the old one.
///
/// Classes not seen now are kept: a colour that was flooded away comes back in the next game.
/// Returns whether it is the same board: same size and at least half of its classes known, or the
/// look of its empty places (class 0) where that is what makes a board.
pub fn keep_identities(old: &Calibration, new: &mut Calibration) -> bool {
    if new.kind == BoardKind::Stack {
        return calibrate::continued(old, new);
    }
    if old.size != new.size {
        return false;
    }
    // Where most places are empty those are the board; pieces may all be seen for the first time.
    let sparse = matches!(
        new.kind,
        BoardKind::Holes | BoardKind::Crossings | BoardKind::Squares
    );
    let light = match (old.classes.first(), new.classes.first()) {
        (Some(was), Some(is)) if sparse => brightening(is.rgb, was.rgb),
        _ => 1.0,
    };
    let mut classes = old.classes.clone();
    let mut known = 0;
    let mut taken = vec![false; old.classes.len()];
    let mut unmatched = Vec::new();
    for look in &new.classes {
        // Crosses and rings are told by their shape: the ink of one that was not seen yet was a guess.
        let drawn = new.kind == BoardKind::Squares && matches!(look.letter, 'X' | 'O');
        if drawn && let Some(i) = old.classes.iter().position(|c| c.letter == look.letter) {
            taken[i] = true;
            known += 1;
            classes[i] = look.clone();
            continue;
        }
        let here = lit(look, light);
        let mut near: Vec<(usize, f32)> = { 0..old.classes.len() }
            .map(|i| (i, distance(&old.classes[i], &here)))
            .collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1));
        // A camera that has no room left above makes what is bright no brighter, only the rest: of
        // few kinds it is enough to be much like one and unlike all others.
        let clear =
            sparse && matches!(near[..], [(_, d), (_, next), ..] if d < UNLIKE && d < 0.5 * next);
        match near.iter().find(|(i, _)| !taken[*i]) {
            Some(&(i, d)) if d < SAME_CLASS || clear && i == near[0].0 => {
                taken[i] = true;
                known += 1;
                classes[i] = ClassLook {
                    letter: old.classes[i].letter,
                    ..look.clone()
                };
            }
            _ => unmatched.push(look.clone()),
        }
    }
    let same = match (sparse, old.classes.first(), new.classes.first()) {
        (true, Some(was), Some(is)) => distance(was, &lit(is, light)) < SAME_CLASS,
        _ => known * 2 >= new.classes.len(),
    };
    if !same {
        return false;
    }
    for look in unmatched {
        let free = |l: &char| classes.iter().all(|c| c.letter != *l);
        let own = Some(look.letter).filter(|l| sparse && free(l));
        let Some(letter) = own.or_else(|| ('a'..='z').find(free)) else {
            return false;
        };
        classes.push(ClassLook { letter, ..look });
    }
    new.classes = classes;
    true
}

/// By how much brighter a board was that looked like `was` and now looks like `is`: a camera's
/// exposure follows the light. Within the bounds of what it does by itself.
fn brightening(is: [f32; 3], was: [f32; 3]) -> f32 {
    let level = |c: [f32; 3]| c[0] + c[1] + c[2] + 1.0;
    (level(was) / level(is)).clamp(0.65, 1.5)
}

/// A class in so much brighter light.
fn lit(look: &ClassLook, light: f32) -> ClassLook {
    let by = |c: [f32; 3]| c.map(|v| v * light);
    ClassLook {
        rgb: by(look.rgb),
        mark: look.mark.map(by),
        ..look.clone()
    }
}

/// How differently two classes look: by colour, and by the mark where either bears one.
fn distance(a: &ClassLook, b: &ClassLook) -> f32 {
    let apart = |x: [f32; 3], y: [f32; 3]| {
        x.iter()
            .zip(y)
            .map(|(x, y)| (x - y) * (x - y))
            .sum::<f32>()
            .sqrt()
    };
    // A class without a mark has its own colour in the middle.
    let marks = apart(a.mark.unwrap_or(a.rgb), b.mark.unwrap_or(b.rgb));
    apart(a.rgb, b.rgb).max(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{GridSize, Point, PxFromCell};

    #[test]
    fn a_cross_is_a_cross_in_whatever_ink() {
        let white = [255.0; 3];
        let squares = |inks: &[(char, [f32; 3])]| Calibration {
            kind: BoardKind::Squares,
            ..calibration(inks)
        };
        // Of a first ring in a lit square the ink of both was guessed.
        let ink = [11.0, 62.0, 111.0];
        let old = squares(&[('.', white), ('X', ink), ('O', ink)]);
        let (red, blue) = ([166.0, 23.0, 23.0], [13.0, 13.0, 159.0]);
        let mut new = squares(&[('.', white), ('O', blue), ('X', red)]);
        assert!(keep_identities(&old, &mut new));
        let all: Vec<_> = new.classes.iter().map(|c| (c.letter, c.rgb)).collect();
        assert_eq!(all, [('.', white), ('X', red), ('O', blue)]);
    }

    fn calibration(colours: &[(char, [f32; 3])]) -> Calibration {
        let at = PxFromCell::upright(Point::new(1.0, 1.0), 20.0, 20.0);
        let look = |&(letter, rgb): &(char, [f32; 3])| ClassLook {
            letter,
            rgb,
            spread: 1.0,
            mark: None,
        };
        Calibration {
            classes: colours.iter().map(look).collect(),
            quality: 0.9,
            ..Calibration::at(BoardKind::Cells, GridSize::new(4, 4), (100, 100), at)
        }
    }

    #[test]
    fn classes_keep_their_letters_and_absent_ones_stay() {
        let red = [250.0, 0.0, 0.0];
        let green = [0.0, 250.0, 0.0];
        let blue = [0.0, 0.0, 250.0];
        let white = [250.0, 250.0, 250.0];
        let old = calibration(&[('a', red), ('b', green), ('c', blue)]);
        let mut new = calibration(&[('a', blue), ('b', white), ('c', red)]);
        assert!(keep_identities(&old, &mut new));
        let letters: String = new.classes.iter().map(|c| c.letter).collect();
        assert_eq!(letters, "abcd");
        assert_eq!(new.classes[0].rgb, red);
        assert_eq!(new.classes[1].rgb, green);
        assert_eq!(new.classes[3].rgb, white);
    }

    #[test]
    fn on_a_board_of_holes_pieces_may_be_new_but_not_what_is_empty() {
        let holes = |colours: &[(char, [f32; 3])]| Calibration {
            kind: BoardKind::Holes,
            ..calibration(colours)
        };
        let (blue, red, yellow) = ([0.0, 0.0, 250.0], [250.0, 0.0, 0.0], [250.0, 250.0, 0.0]);
        let old = holes(&[('.', blue)]);
        let mut new = holes(&[('.', blue), ('y', yellow), ('r', red)]);
        assert!(keep_identities(&old, &mut new));
        let letters: String = new.classes.iter().map(|c| c.letter).collect();
        assert_eq!(letters, ".yr");
        let mut again = holes(&[('.', blue), ('r', red)]);
        assert!(keep_identities(&new, &mut again));
        assert_eq!(again.classes[2].rgb, red, "a kind keeps its id");
        let dim = |c: [f32; 3]| c.map(|v| v * 0.75);
        let mut dark = holes(&[('.', dim(blue)), ('q', dim(red)), ('z', dim(yellow))]);
        assert!(keep_identities(&new, &mut dark), "a camera's exposure");
        let letters: String = dark.classes.iter().map(|c| c.letter).collect();
        assert_eq!(letters, ".yr");
        let mut glaring = holes(&[
            ('.', blue),
            ('q', [180.0, 20.0, 10.0]),
            ('z', [190.0, 180.0, 10.0]),
        ]);
        assert!(
            keep_identities(&new, &mut glaring),
            "what is bright was as bright before"
        );
        let letters: String = glaring.classes.iter().map(|c| c.letter).collect();
        assert_eq!(letters, ".yr");
        let mut other = holes(&[('.', yellow), ('y', blue), ('r', red)]);
        assert!(!keep_identities(&old, &mut other));
    }

    #[test]
    fn a_mark_sets_two_classes_of_one_colour_apart() {
        let red = [250.0, 0.0, 0.0];
        let dotted = |c: &mut Calibration, i: usize| c.classes[i].mark = Some([0.0; 3]);
        let mut old = calibration(&[('a', red), ('b', red)]);
        dotted(&mut old, 1);
        let mut new = calibration(&[('a', red), ('b', red)]);
        dotted(&mut new, 0);
        assert!(keep_identities(&old, &mut new));
        assert_eq!(
            new.classes
                .iter()
                .map(|c| c.mark.is_some())
                .collect::<Vec<_>>(),
            [false, true]
        );
    }

    #[test]
    fn a_board_of_other_colours_is_another_board() {
        let old = calibration(&[('a', [250.0, 0.0, 0.0]), ('b', [0.0, 250.0, 0.0])]);
        let mut new = calibration(&[
            ('a', [0.0, 0.0, 0.0]),
            ('b', [90.0, 90.0, 90.0]),
            ('c', [0.0, 250.0, 0.0]),
        ]);
        assert!(!keep_identities(&old, &mut new));
    }
}
