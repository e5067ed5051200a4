//! Which colours are discs and which are empty holes.
//!
//! Takes the cells' looks; gives classes: 0 is empty, the others are kinds of discs. What decides:
//! a kind of disc is one colour, empty holes may show anything; discs do not float; two kinds take
//! turns. Nothing is known of any colour: empty may be yellow, or the plate's own blue.

use super::super::cell::CellLook;
use super::super::gain;
use super::looks::{HoleLook, median};
use super::names;
use super::tree::Tree;
use crate::types::colour::{apart, unveiled, veil};
use crate::types::{ClassLook, GainField, GridSize};

/// Groups of colours looked at, at most.
const MOST_GROUPS: usize = 7;

/// What another group of colours must save.
const PRICE: f32 = 7.5;

/// What a cell of a colour that its group does not have costs at most.
const DEAREST: f32 = 16.0;

/// What discs that float cost at most.
const FLOATING: f32 = 10.0;

/// What it costs to say that a group of colours is neither: a thumb, a message, a disc in flight.
const FOREIGN: f32 = 3.0;

/// The same for each of its cells, of which there are few.
const FOREIGN_CELL: f32 = 0.8;
const MOST_FOREIGN: usize = 6;

/// A kind of which all discs are in the air.
const FLYING: f32 = 4.0;

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

/// One group of colours.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    rgb: [f32; 3],
    n: usize,
    /// Root mean square distance from the mean.
    spread: f32,
    /// Least spread that means anything.
    floor: f32,
    /// Mean share of a hole's inside that is of the one colour.
    share: f32,
}

/// Cells put into groups under some light.
struct Grouped {
    groups: Vec<Group>,
    labels: Vec<Option<usize>>,
    /// `above[a][b]`: how often a cell of group a lies directly above one of b.
    above: Vec<Vec<usize>>,
    /// The same for cells left of each other.
    before: Vec<Vec<usize>>,
    cost: f32,
}

/// Which groups are discs, which is neither disc nor hole, and what that costs.
struct Choice {
    discs: u32,
    foreign: Option<usize>,
    cost: f32,
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

/// Mean and spread of some colours.
fn middle(colours: &[[f32; 3]]) -> ([f32; 3], f32) {
    let n = colours.len().max(1) as f32;
    let mean = [0, 1, 2].map(|c| colours.iter().map(|p| p[c]).sum::<f32>() / n);
    let sum: f32 = colours.iter().map(|&p| apart(p, mean).powi(2)).sum();
    (mean, (sum / n).sqrt())
}

impl Grouped {
    fn new(
        size: GridSize,
        looks: &[HoleLook],
        cells: &[usize],
        flat: &[[f32; 3]],
        cut: &[usize],
        noise: f32,
    ) -> Self {
        let n = cut.iter().max().map_or(0, |m| m + 1);
        let mut groups = vec![Group::default(); n];
        let mut labels = vec![None; looks.len()];
        let mut cost = PRICE * n as f32;
        for (g, group) in groups.iter_mut().enumerate() {
            let members: Vec<usize> = (0..cells.len()).filter(|&k| cut[k] == g).collect();
            let colours: Vec<[f32; 3]> = members.iter().map(|&k| flat[k]).collect();
            let (rgb, spread) = middle(&colours);
            let level = rgb.into_iter().fold(0.0, f32::max);
            let floor = 8.0 + 0.7 * noise + 0.05 * level;
            let share: f32 = members.iter().map(|&k| looks[cells[k]].share).sum();
            for &k in &members {
                labels[cells[k]] = Some(g);
            }
            for &c in &colours {
                // What no group explains costs no more than this: behind the board lies anything.
                cost += (0.5 * (apart(c, rgb) / floor).powi(2)).min(DEAREST);
            }
            *group = Group {
                rgb,
                n: members.len(),
                spread,
                floor,
                share: share / members.len().max(1) as f32,
            };
        }
        let cols = usize::from(size.cols);
        let mut above = vec![vec![0; n]; n];
        let mut before = above.clone();
        for i in 0..labels.len() {
            let below = labels.get(i + cols).copied().flatten();
            let next = labels.get(i + 1).copied().flatten();
            if let (Some(a), Some(b)) = (labels[i], below) {
                above[a][b] += 1;
            }
            if let (Some(a), Some(b), true) = (labels[i], next, (i + 1) % cols > 0) {
                before[a][b] += 1;
            }
        }
        Self {
            groups,
            labels,
            above,
            before,
            cost,
        }
    }

    /// Discs directly above empty holes.
    fn floating(&self, discs: u32, foreign: Option<usize>) -> usize {
        let kinds = (0..self.groups.len()).filter(|g| discs >> g & 1 == 1);
        kinds.map(|g| self.floating_of(g, discs, foreign)).sum()
    }

    /// Those of one group.
    fn floating_of(&self, group: usize, discs: u32, foreign: Option<usize>) -> usize {
        let holes = (0..self.groups.len()).filter(|&b| discs >> b & 1 == 0 && Some(b) != foreign);
        holes.map(|b| self.above[group][b]).sum()
    }

    /// How mixed up the groups that are no discs lie: 0 where each has a part of the board for
    /// itself, as a wall above a table has, 1 where they lie anyhow.
    fn mixed(&self, discs: u32, foreign: Option<usize>) -> f32 {
        let is_empty = |g: &usize| discs >> *g & 1 == 0 && Some(*g) != foreign;
        let empty: Vec<usize> = (0..self.groups.len()).filter(is_empty).collect();
        let (mut pairs, mut unlike) = (0usize, 0usize);
        for &a in &empty {
            for &b in &empty {
                let n = self.above[a][b] + self.before[a][b];
                pairs += n;
                unlike += if a == b { 0 } else { n };
            }
        }
        let all: usize = empty.iter().map(|&g| self.groups[g].n).sum();
        let alike: f32 = empty
            .iter()
            .map(|&g| (self.groups[g].n as f32 / all.max(1) as f32).powi(2))
            .sum();
        let expected = pairs as f32 * (1.0 - alike);
        if expected > 0.0 {
            unlike as f32 / expected
        } else {
            0.0
        }
    }

    /// The likeliest choice of the groups that are discs.
    fn choice(&self) -> Choice {
        let few = |g: &usize| self.groups[*g].n <= MOST_FOREIGN;
        let none_or_one = std::iter::once(None).chain((0..self.groups.len()).filter(few).map(Some));
        none_or_one
            .flat_map(|foreign| (0..1u32 << self.groups.len()).map(move |discs| (discs, foreign)))
            .filter(|(discs, foreign)| foreign.is_none_or(|g| discs >> g & 1 == 0))
            .map(|(discs, foreign)| Choice {
                discs,
                foreign,
                cost: self.price(discs, foreign),
            })
            .min_by(|a, b| a.cost.total_cmp(&b.cost))
            .unwrap_or(Choice {
                discs: 0,
                foreign: None,
                cost: f32::INFINITY,
            })
    }

    /// How unusual it would be if just these groups were discs, in nats.
    fn price(&self, discs: u32, foreign: Option<usize>) -> f32 {
        let is_disc = |g: &usize| discs >> *g & 1 == 1;
        let all = (0..self.groups.len()).filter(|g| Some(*g) != foreign);
        let which: Vec<usize> = all.clone().filter(is_disc).collect();
        let kinds: Vec<&Group> = which.iter().map(|&g| &self.groups[g]).collect();
        let empty: Vec<&Group> = all
            .filter(|g| !is_disc(g))
            .map(|g| &self.groups[g])
            .collect();
        let mut cost = match kinds.len() {
            0 | 2 => 0.0,
            1 => 0.5,
            // Two take turns: a third kind is something else.
            n => 14.0 + 8.0 * (n - 3) as f32,
        };
        if let Some(g) = foreign {
            cost += FOREIGN + FOREIGN_CELL * self.groups[g].n as f32;
        }
        cost += match empty.len() {
            0 => 6.0,
            1 => 0.0,
            n => {
                let cells: usize = empty.iter().map(|g| g.n).sum();
                let mixed = (self.mixed(discs, foreign) - 0.35).max(0.0);
                // Where most holes show one plain colour, nothing else shows in another.
                let plain = { empty.iter() }.any(|g| {
                    g.n > 4 && g.n * 2 > cells && g.share > 0.95 && g.spread < 0.5 * g.floor
                });
                let each = if plain { 6.0 } else { 2.5 };
                each * (n - 1) as f32 + 0.6 * cells as f32 * mixed
            }
        };
        let floating = self.floating(discs, foreign) as f32;
        // Positions that no game leads to are read as well.
        cost += (1.6 * floating).min(FLOATING);
        // But a few discs of a kind of which none has landed are on their way.
        let in_the_air = |&&g: &&usize| {
            let n = self.groups[g].n;
            n <= 2 && self.floating_of(g, discs, foreign) == n
        };
        cost += FLYING * which.iter().filter(in_the_air).count() as f32;
        let mut counts: Vec<usize> = kinds.iter().map(|g| g.n).collect();
        counts.sort_unstable_by_key(|&n| std::cmp::Reverse(n));
        if let Some((most, rest)) = counts.split_first() {
            let ahead = most.saturating_sub(rest.iter().sum::<usize>() + 1);
            cost += (0.6 * ahead as f32).min(8.0);
        }
        let holes: usize = empty.iter().map(|g| g.n).sum();
        if counts.first().is_some_and(|&most| most > holes) {
            cost += 1.0;
        }
        for (i, a) in kinds.iter().enumerate() {
            for b in &kinds[i + 1..] {
                let d = apart(a.rgb, b.rgb).max(1.0);
                cost += 2.0 * (50.0 / d).powi(2).min(6.0);
            }
            // A disc is of one colour, and all of its kind are.
            cost += 4.0 * (a.spread / a.floor).max(1.0).ln() + 5.0 * (0.6 - a.share).max(0.0);
        }
        cost
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
    fn the_first_disc_of_a_kind_in_flight_does_not_turn_the_board() {
        assert_eq!(
            read("......./......./...b.../......./......./...r..."),
            "......./......./...?.../......./......./...R..."
        );
    }
}
