//! Boards of filled cells, and of mostly empty ones.

use super::groups::Groups;
use super::lesson::{EMPTY, Lesson, id, letter};
use super::{Learnt, Sight, Trouble};
use crate::calibrate::cell::{distance, rim_offsets};
use crate::types::{BoardKind, ClassLook};

/// Letters of the classes of a stack.
const KINDS: [char; 9] = ['.', 'O', 'I', 'S', 'Z', 'L', 'J', 'T', '#'];

/// The name of cells that are filled with no matter what.
const FILLED: &str = "filled";

/// Cells of one colour each.
pub(super) fn cells(sight: &Sight<'_>, lessons: &[Lesson]) -> Result<Learnt, Trouble> {
    let looks = sight.looks(&rim_offsets())?;
    let groups = Groups::of(sight, &looks, lessons)?;
    if groups.colours.len() < 2 {
        return Err(Trouble::Plain);
    }
    let mut classes: Vec<ClassLook> = Vec::new();
    let mut taken = Vec::new();
    for k in 0..groups.colours.len() {
        id(k)?;
        let name = groups.names.get(k).map_or("", String::as_str);
        let own = letter(BoardKind::Cells, name, &taken);
        taken.push(own);
        classes.push(groups.class(k, own));
    }
    Ok(Learnt {
        classes,
        gain: groups.gain,
        plate: None,
    })
}

/// Empty cells, and cells with something in them.
pub(super) fn stack(sight: &Sight<'_>, lessons: &[Lesson]) -> Result<Learnt, Trouble> {
    let slot = |name: &str| match name {
        EMPTY => Some(0),
        FILLED => Some(KINDS.len() - 1),
        _ => KINDS
            .iter()
            .position(|c| c.to_string().eq_ignore_ascii_case(name)),
    };
    if let Some(wrong) = lessons.iter().find(|l| slot(&l.name).is_none()) {
        let known = "empty, filled, O, I, S, Z, L, J and T";
        return Err(Trouble::NoName(wrong.name.clone(), known));
    }
    let looks = sight.looks(&rim_offsets())?;
    let groups = Groups::of(sight, &looks, lessons)?;
    // Pieces lie at the bottom, and come one at a time.
    let above = 0..looks.len().div_ceil(3);
    let empty = { groups.by_name(EMPTY) }
        .or_else(|| groups.commonest(above))
        .ok_or(Trouble::Plain)?;
    let filled: Vec<usize> = (0..groups.colours.len()).filter(|&k| k != empty).collect();
    // What is furthest from empty is filled for sure; a grid between the cells, a shade, is not.
    let far = |k: usize| distance(groups.colours[k], groups.colours[empty]);
    let most = filled.iter().map(|&k| far(k)).fold(0.0, f32::max);
    let filled: Vec<usize> = { filled.into_iter() }
        .filter(|&k| k < groups.names.len() || far(k) > 0.4 * most)
        .collect();
    if filled.is_empty() {
        return Err(Trouble::Plain);
    }
    let any = groups.by_name(FILLED);
    let all: Vec<[f32; 3]> = filled.iter().map(|&k| groups.colours[k]).collect();
    let usual = any.map_or_else(|| super::median(&all), |k| groups.colours[k]);
    let classes = KINDS.iter().enumerate().map(|(i, &letter)| {
        let named = (0..groups.names.len()).find(|&k| slot(&groups.names[k]) == Some(i));
        match (i, named) {
            (0, _) => groups.class(empty, letter),
            (_, Some(k)) => groups.class(k, letter),
            // A kind that nobody has shown is filled like any other.
            (_, None) => ClassLook {
                letter,
                rgb: usual,
                spread: 0.0,
                mark: None,
            },
        }
    });
    Ok(Learnt {
        classes: classes.collect(),
        gain: groups.gain,
        plate: None,
    })
}
