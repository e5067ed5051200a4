//! Groups of colours in holes: how unusual it would be if just some of them were discs.
//!
//! Takes the colours of the cells cut into groups, gives the likeliest choice. Every doubt is a
//! price in nats; prices that belong together stand together.

use super::looks::HoleLook;
use crate::types::GridSize;
use crate::types::colour::apart;

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

/// The lowest rows full of discs of the only kind.
const FLOOR: f32 = 12.0;

/// A kind of which all discs are in the air.
const FLYING: f32 = 4.0;

/// Mean and spread of some colours.
pub(super) fn middle(colours: &[[f32; 3]]) -> ([f32; 3], f32) {
    let n = colours.len().max(1) as f32;
    let mean = [0, 1, 2].map(|c| colours.iter().map(|p| p[c]).sum::<f32>() / n);
    let sum: f32 = colours.iter().map(|&p| apart(p, mean).powi(2)).sum();
    (mean, (sum / n).sqrt())
}

/// One group of colours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub(super) rgb: [f32; 3],
    pub(super) n: usize,
    /// Root mean square distance from the mean.
    pub(super) spread: f32,
    /// Least spread that means anything.
    pub(super) floor: f32,
    /// Mean share of a hole's inside that is of the one colour.
    pub(super) share: f32,
}

/// Cells put into groups under some light.
pub(super) struct Grouped {
    pub(super) groups: Vec<Group>,
    pub(super) labels: Vec<Option<usize>>,
    /// `above[a][b]`: how often a cell of group a lies directly above one of b.
    above: Vec<Vec<usize>>,
    /// The same for cells left of each other.
    before: Vec<Vec<usize>>,
    /// Columns of the board.
    cols: usize,
    pub(super) cost: f32,
}

/// Which groups are discs, which is neither disc nor hole, and what that costs.
pub(super) struct Choice {
    pub(super) discs: u32,
    pub(super) foreign: Option<usize>,
    pub(super) cost: f32,
}

impl Grouped {
    pub(super) fn new(
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
            cols,
            cost,
        }
    }

    /// Whether a group is all of the lowest rows and nothing else: what is seen through them is
    /// the table, for in a game two kinds take turns.
    fn is_floor(&self, group: usize) -> bool {
        let n = self.groups[group].n;
        let lowest = self.labels.iter().rev().take(n);
        n.is_multiple_of(self.cols) && { lowest }.all(|l| *l == Some(group))
    }

    /// Discs directly above empty holes.
    pub(super) fn floating(&self, discs: u32, foreign: Option<usize>) -> usize {
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
    pub(super) fn mixed(&self, discs: u32, foreign: Option<usize>) -> f32 {
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
    pub(super) fn choice(&self) -> Choice {
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
            1 if self.is_floor(which[0]) => FLOOR,
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
