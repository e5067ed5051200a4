//! Which colours are discs and which are empty holes.
//!
//! Takes the cells' looks; gives classes: 0 is empty, the others are kinds of discs. What decides:
//! a kind of disc is one colour, empty holes may show anything; discs do not float; two kinds take
//! turns. Nothing is known of any colour: empty may be yellow, or the plate's own blue.

use super::super::cell::CellLook;
use super::super::gain;
use super::groups::{Choice, Grouped, middle};
use super::looks::{HoleLook, median};
use super::names;
use super::tree::Tree;
use crate::types::colour::{apart, unveiled, veil};
use crate::types::{ClassLook, GainField, GridSize};

/// Groups of colours looked at, at most.
const MOST_GROUPS: usize = 7;

/// What the cells of a board are.
#[derive(Clone, Debug)]
pub struct Kinds {
    /// Empty first.
    pub classes: Vec<ClassLook>,
    /// The class of each cell; `None` for cells without a look.
    pub labels: Vec<Option<usize>>,
    /// The light.
    pub gain: GainField,
    /// Whether what makes the plate brighter in places lies over the holes, too.
    pub veil: bool,
    /// Distance of the two nearest classes over the spread of theirs.
    pub apart: f32,
    /// Discs with an empty hole below them.
    pub floating: usize,
    /// Cells with discs.
    pub discs: usize,
    /// Whether empty holes show more than one colour.
    pub open: bool,
    /// How mixed up they lie then, 0 to 1.
    pub mixed: f32,
    /// How unusual all of this is, in nats.
    pub cost: f32,
}

/// What another light must save before it is believed.
const LIGHT: f32 = 6.0;

/// Learns the classes from the cells that may be trusted (`seen`).
#[must_use]
pub fn kinds(size: GridSize, looks: &[HoleLook], seen: &[bool], noise: f32) -> Option<Kinds> {
    let insides: Vec<[f32; 3]> = looks.iter().map(|l| l.rgb).collect();
    let read = |insides: &[[f32; 3]], light: GainField| {
        Reading::best(size, looks, insides, seen, noise, light)
    };
    let none = GainField::default();
    let mut best = read(&insides, none)?;
    let mut take = |tried: Reading| {
        if tried.cost() + LIGHT < best.cost() {
            best = tried;
        }
    };
    // Light shows on the plate, but so does a gloss that the holes do not have.
    let plate: Vec<CellLook> = looks.iter().map(|l| rim(l.plate)).collect();
    let all: Vec<Option<usize>> = seen.iter().map(|&s| s.then_some(0)).collect();
    let by_plate = gain::from_classes(size, &plate, &all, &[[0.0; 3]]);
    let as_cells: Vec<CellLook> = insides.iter().map(|&c| rim(c)).collect();
    for first in [none, by_plate] {
        let mut light = first;
        for _ in 0..3 {
            let Some(tried) = read(&insides, light) else {
                break;
            };
            let colours: Vec<[f32; 3]> = tried.grouped.groups.iter().map(|g| g.rgb).collect();
            light = gain::from_classes(size, &as_cells, &tried.grouped.labels, &colours);
            take(tried);
        }
    }
    // A lamp's glare adds light to the plate and to what is in the holes.
    let shown: Vec<[f32; 3]> = { looks.iter().zip(seen) }
        .filter(|(_, seen)| **seen)
        .map(|(l, _)| l.plate)
        .collect();
    let usual = median(&shown);
    let clear: Vec<[f32; 3]> = looks
        .iter()
        .map(|l| unveiled(l.rgb, veil(usual, l.plate)))
        .collect();
    if let Some(mut tried) = read(&clear, none) {
        tried.veil = true;
        take(tried);
    }
    let insides = if best.veil { &clear } else { &insides };
    Some(best.named(size, insides))
}

fn rim(rgb: [f32; 3]) -> CellLook {
    CellLook {
        rim: rgb,
        ..CellLook::default()
    }
}

/// Groups and which of them are discs.
struct Reading {
    gain: GainField,
    /// Whether a glare was taken off first.
    veil: bool,
    grouped: Grouped,
    choice: Choice,
}

impl Reading {
    fn cost(&self) -> f32 {
        self.grouped.cost + self.choice.cost
    }

    /// The reading of least cost under some light.
    fn best(
        size: GridSize,
        looks: &[HoleLook],
        insides: &[[f32; 3]],
        seen: &[bool],
        noise: f32,
        gain: GainField,
    ) -> Option<Self> {
        let cells: Vec<usize> = (0..looks.len()).filter(|&i| seen[i]).collect();
        let flat: Vec<[f32; 3]> = cells
            .iter()
            .map(|&i| gain::removed(&gain, gain::place(size, i), insides[i]))
            .collect();
        let tree = Tree::new(&flat);
        (1..=MOST_GROUPS.min(tree.most()))
            .map(|n| {
                let cut = tree.cut(n);
                let grouped = Grouped::new(size, looks, &cells, &flat, &cut, noise);
                let choice = grouped.choice();
                Self {
                    gain,
                    veil: false,
                    grouped,
                    choice,
                }
            })
            .min_by(|a, b| a.cost().total_cmp(&b.cost()))
    }

    /// Classes with their letters.
    fn named(self, size: GridSize, insides: &[[f32; 3]]) -> Kinds {
        let groups = &self.grouped.groups;
        let is_disc = |g: usize| self.choice.discs >> g & 1 == 1;
        let mut discs: Vec<usize> = (0..groups.len()).filter(|&g| is_disc(g)).collect();
        let colours: Vec<[f32; 3]> = discs.iter().map(|&g| groups[g].rgb).collect();
        let letters = names::letters(&colours);
        let mut order: Vec<usize> = (0..discs.len()).collect();
        order.sort_by_key(|&i| letters[i]);
        let letters: Vec<char> = order.iter().map(|&i| letters[i]).collect();
        discs = order.iter().map(|&i| discs[i]).collect();
        let foreign = self.choice.foreign;
        let class_of = |g: usize| discs.iter().position(|&d| d == g).map_or(0, |k| k + 1);
        let labels: Vec<Option<usize>> = { self.grouped.labels.iter() }
            .map(|l| l.filter(|g| Some(*g) != foreign).map(class_of))
            .collect();
        let empty: Vec<[f32; 3]> = (0..insides.len())
            .filter(|&i| labels[i] == Some(0))
            .map(|i| gain::removed(&self.gain, gain::place(size, i), insides[i]))
            .collect();
        let is_hole = |g: &usize| !is_disc(*g) && Some(*g) != foreign;
        let open = (0..groups.len()).filter(is_hole).count() > 1;
        let (rgb, spread) = middle(&empty);
        let mut classes = vec![ClassLook {
            letter: '.',
            rgb,
            spread,
            mark: None,
        }];
        for (&g, &letter) in discs.iter().zip(&letters) {
            classes.push(ClassLook {
                letter,
                rgb: groups[g].rgb,
                spread: groups[g].spread,
                mark: None,
            });
        }
        let mut nearest = f32::INFINITY;
        for (i, a) in groups.iter().enumerate() {
            for (j, b) in groups.iter().enumerate().skip(i + 1) {
                if (is_disc(i) || is_disc(j)) && ![i, j].map(Some).contains(&foreign) {
                    let spread = a.spread.max(b.spread).max(0.5 * (a.floor + b.floor));
                    nearest = nearest.min(apart(a.rgb, b.rgb) / spread);
                }
            }
        }
        Kinds {
            classes,
            cost: self.cost(),
            mixed: self.grouped.mixed(self.choice.discs, foreign),
            gain: self.gain,
            veil: self.veil,
            apart: nearest,
            floating: self.grouped.floating(self.choice.discs, foreign),
            discs: labels.iter().flatten().filter(|&&l| l > 0).count(),
            open,
            labels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classes found where each letter is a colour.
    fn read(rows: &str) -> String {
        let rows: Vec<&str> = rows.split('/').collect();
        let size = GridSize::new(rows[0].len() as u16, rows.len() as u16);
        let cells = rows.concat();
        let looks: Vec<HoleLook> = { cells.chars() }
            .map(|c| HoleLook {
                rgb: match c {
                    '.' => [236.0, 236.0, 240.0],
                    'r' => [210.0, 30.0, 30.0],
                    'y' => [240.0, 210.0, 30.0],
                    'b' => [12.0, 12.0, 14.0],
                    // A thumb.
                    't' => [170.0, 134.0, 113.0],
                    other => panic!("no colour {other}"),
                },
                share: 1.0,
                plate: [20.0, 60.0, 190.0],
                framed: true,
                whole: true,
            })
            .collect();
        let kinds = kinds(size, &looks, &vec![true; looks.len()], 0.0).expect("cells");
        let letter = |l: &Option<usize>| l.map_or('?', |l| kinds.classes[l].letter);
        let all: Vec<char> = kinds.labels.iter().map(letter).collect();
        let rows = all
            .chunks(usize::from(size.cols))
            .map(|r| r.iter().collect());
        rows.collect::<Vec<String>>().join("/")
    }

    #[test]
    fn a_thumb_over_two_holes_is_no_third_kind_of_disc() {
        assert_eq!(
            read("......./......./..r..t./..y..t./..y.r../.yr.ry."),
            "......./......./..R..?./..Y..?./..Y.R../.YR.RY."
        );
    }

    #[test]
    fn a_table_behind_the_lowest_row_is_no_row_of_discs() {
        let empty = ["......."; 6].join("/");
        assert_eq!(
            read("......./......./......./......./......./ttttttt"),
            empty
        );
    }

    #[test]
    fn the_first_disc_of_a_kind_in_flight_does_not_turn_the_board() {
        assert_eq!(
            read("......./......./...b.../......./......./...r..."),
            "......./......./...?.../......./......./...R..."
        );
    }
}
