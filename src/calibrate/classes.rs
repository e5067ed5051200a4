//! The colours of a board: how many there are, what they look like, and which cell has which.
//!
//! Takes the sampled cells, gives classes with the light removed. The number of classes is not
//! given: colours join while they are nearer than noise and light explain. A class may have a
//! single cell. A mark in the middle of cells makes a class of its own when it sets some cells
//! of a colour apart from others (as the seventh colour of some games is drawn).

use super::borders::Border;
use super::cell::{CellLook, Eye, distance};
use super::groups::{Groups, grouped};
use super::marks::{marks_tell, signs};
use super::veil::Light;
use crate::types::{ClassLook, GridSize};

/// What the cells of one board look like.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// In order of first appearance, row by row.
    pub classes: Vec<ClassLook>,
    /// The light.
    pub light: Light,
    /// The class of each cell; `None` for cells of no single colour.
    pub labels: Vec<Option<usize>>,
    /// Typical distance of a cell from its class.
    pub spread: f32,
    /// Smallest distance between two classes.
    pub nearest: f32,
    /// Cells whose middle differs from their rim and from the middles of their class.
    pub marked: usize,
}

/// The colour group of each cell, marks aside; `None` for cells of no single colour.
#[must_use]
pub fn colours(size: GridSize, looks: &[CellLook], eye: Eye) -> Option<Vec<Option<usize>>> {
    Some(grouped(size, looks, eye, &[])?.labels)
}

/// Learns classes; cells of several colours are left out. `lined` says whether a line is drawn between two neighbouring cells. `None` when there
/// is nothing to learn from.
#[must_use]
pub fn learn(
    size: GridSize,
    looks: &[CellLook],
    eye: Eye,
    lined: &dyn Fn(usize, usize) -> bool,
) -> Option<Learnt> {
    learn_bordered(size, looks, eye, &[], lined)
}

/// As [`learn`], with what the lines between the cells show.
#[must_use]
pub fn learn_bordered(
    size: GridSize,
    looks: &[CellLook],
    eye: Eye,
    borders: &[Border],
    lined: &dyn Fn(usize, usize) -> bool,
) -> Option<Learnt> {
    Some(grouped(size, looks, eye, borders)?.named(size, looks, eye, lined))
}

impl Groups {
    /// Marks told apart, classes put in order and given letters.
    fn named(
        self,
        size: GridSize,
        looks: &[CellLook],
        eye: Eye,
        lined: &dyn Fn(usize, usize) -> bool,
    ) -> Learnt {
        let Self {
            light,
            mut colours,
            mut labels,
            spread,
        } = self;
        let mut marks: Vec<Option<[f32; 3]>> = vec![None; colours.len()];
        let is_marked = |i: usize| eye.marked(&looks[i]);
        let mut with: Vec<Vec<usize>> = vec![Vec::new(); colours.len()];
        let mut without = vec![0usize; colours.len()];
        for (i, label) in labels.iter().enumerate() {
            if let Some(k) = *label {
                if is_marked(i) {
                    with[k].push(i);
                } else {
                    without[k] += 1;
                }
            }
        }
        if marks_tell(size, &labels, &with, &is_marked, lined) {
            for k in 0..with.len() {
                let start = with[k].len() == 1 && with[k][0] == 0;
                if with[k].is_empty() || start {
                    continue;
                }
                let mut middle = [0.0f32; 3];
                for &i in &with[k] {
                    for (m, v) in middle.iter_mut().zip(looks[i].centre) {
                        *m += v / with[k].len() as f32;
                    }
                }
                if without[k] == 0 {
                    marks[k] = Some(middle);
                    continue;
                }
                for &i in &with[k] {
                    labels[i] = Some(colours.len());
                }
                colours.push(colours[k]);
                marks.push(Some(middle));
            }
        }
        let mut order: Vec<usize> = Vec::new();
        for k in labels.iter().flatten() {
            if !order.contains(k) {
                order.push(*k);
            }
        }
        for k in labels.iter_mut().flatten() {
            *k = order.iter().position(|o| o == k).unwrap_or(0);
        }
        let classes: Vec<ClassLook> = order
            .iter()
            .enumerate()
            .map(|(n, &k)| ClassLook {
                letter: letter(n),
                rgb: colours[k],
                spread: spread_of(&light, size, looks, &labels, n, colours[k]),
                mark: marks[k],
            })
            .collect();
        let own = signs(looks, &labels, classes.len(), &is_marked);
        let odd = (0..looks.len())
            .filter(|&i| is_marked(i))
            .filter(|&i| {
                let mark = labels[i].and_then(|k| classes[k].mark.or(own[k]));
                mark.is_none_or(|m| distance(looks[i].centre, m) > 0.5 * distance(looks[i].rim, m))
            })
            .count();
        let mut nearest = f32::INFINITY;
        for (i, a) in classes.iter().enumerate() {
            for b in &classes[i + 1..] {
                let d = distance(a.rgb, b.rgb);
                if d > 0.0 {
                    nearest = nearest.min(d);
                }
            }
        }
        Learnt {
            classes,
            light,
            labels,
            spread,
            nearest,
            marked: odd,
        }
    }
}

fn spread_of(
    light: &Light,
    size: GridSize,
    looks: &[CellLook],
    labels: &[Option<usize>],
    class: usize,
    rgb: [f32; 3],
) -> f32 {
    let (mut sum, mut n) = (0.0f32, 0.0f32);
    for (i, label) in labels.iter().enumerate() {
        if *label == Some(class) {
            let c = light.removed(size, i, looks[i].rim);
            sum += distance(c, rgb).powi(2);
            n += 1.0;
        }
    }
    (sum / n.max(1.0)).sqrt()
}

/// The letter of the n-th class: a to z, then A to Z, then `*`.
#[must_use]
pub fn letter(n: usize) -> char {
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    match n {
        0..26 => char::from_u32(u32::from('a') + n),
        26..52 => char::from_u32(u32::from('A') + n - 26),
        _ => None,
    }
    .unwrap_or('*')
}
