//! Groups of cells that look the same: those that somebody has named, and what else there is.

use super::lesson::{self, Lesson};
use super::{MOST_KINDS, Sight, Trouble};
use crate::calibrate::cell::{CellLook, distance};
use crate::calibrate::gain;
use crate::types::{ClassLook, GainField};

/// Rounds in which cells move to the group that is nearest.
const ROUNDS: usize = 4;

/// Groups kept at most: far more than can be kinds, so that a place where no board is costs little.
const MOST_GROUPS: usize = 5 * MOST_KINDS;

/// Spread from which on the light is looked into.
const UNEVEN: f32 = 2.0;

/// What the cells of a board fall into.
pub(super) struct Groups {
    /// Colours with the light removed; those with a name first.
    pub colours: Vec<[f32; 3]>,
    /// Spread of each, and how many cells it has.
    pub spreads: Vec<f32>,
    pub counts: Vec<usize>,
    /// The name of each of the first ones.
    pub names: Vec<String>,
    /// The group of each cell; `None` for cells of no one colour that nobody has named.
    pub labels: Vec<Option<usize>>,
    /// The light.
    pub gain: GainField,
}

impl Groups {
    /// Groups cells that are of one colour by what they look like, others only by their names.
    pub fn of(sight: &Sight<'_>, looks: &[CellLook], lessons: &[Lesson]) -> Result<Self, Trouble> {
        let plain: Vec<bool> = looks.iter().map(|l| sight.eye.plain(l)).collect();
        Self::among(sight, looks, &plain, lessons)
    }

    /// Groups pieces by what they look like and by their names; they may be glossy, or bear marks.
    pub fn of_pieces(
        sight: &Sight<'_>,
        looks: &[CellLook],
        lessons: &[Lesson],
    ) -> Result<Self, Trouble> {
        Self::among(sight, looks, &vec![true; looks.len()], lessons)
    }

    fn among(
        sight: &Sight<'_>,
        looks: &[CellLook],
        plain: &[bool],
        lessons: &[Lesson],
    ) -> Result<Self, Trouble> {
        let mut best = Self::under(GainField::default(), sight, looks, plain, lessons);
        // A gradient of light can make two kinds look alike, or one like two.
        if best.spread() > UNEVEN || best.colours.len() > MOST_KINDS || best.alike(sight).is_some()
        {
            let mut light = gain::from_neighbours(sight.size, looks, plain);
            let mut lit = Self::under(light, sight, looks, plain, lessons);
            for _ in 0..3 {
                light = gain::from_classes(sight.size, looks, &lit.labels, &lit.colours);
                lit = Self::under(light, sight, looks, plain, lessons);
            }
            if lit.cost(sight) < best.cost(sight) {
                best = lit;
            }
        }
        if let Some((a, b)) = best.alike(sight) {
            return Err(Trouble::Alike(best.names[a].clone(), best.names[b].clone()));
        }
        if best.colours.len() > MOST_KINDS {
            return Err(Trouble::Many(best.colours.len()));
        }
        Ok(best)
    }

    fn under(
        gain: GainField,
        sight: &Sight<'_>,
        looks: &[CellLook],
        plain: &[bool],
        lessons: &[Lesson],
    ) -> Self {
        let unlit = |i: usize| gain::removed(&gain, gain::place(sight.size, i), looks[i].rim);
        let flat: Vec<[f32; 3]> = (0..looks.len()).map(unlit).collect();
        let names = lesson::names(lessons);
        let mut labels: Vec<Option<usize>> = vec![None; looks.len()];
        let mut fixed = vec![false; looks.len()];
        for lesson in lessons {
            let i = sight.size.index(lesson.cell);
            labels[i] = names.iter().position(|n| *n == lesson.name);
            fixed[i] = true;
        }
        let mean = |labels: &[Option<usize>], k: usize| {
            let mut all: Vec<[f32; 3]> = Vec::new();
            all.extend(
                (0..flat.len())
                    .filter(|&i| labels[i] == Some(k))
                    .map(|i| flat[i]),
            );
            super::median(&all)
        };
        let mut colours: Vec<[f32; 3]> = (0..names.len()).map(|k| mean(&labels, k)).collect();
        let reach = |a, b| 3.0 * sight.eye.class(a, b);
        for _ in 0..ROUNDS {
            for i in 0..flat.len() {
                if fixed[i] || !plain[i] {
                    continue;
                }
                let near = (0..colours.len())
                    .map(|k| (k, distance(colours[k], flat[i])))
                    .min_by(|a, b| a.1.total_cmp(&b.1));
                labels[i] = match near {
                    Some((k, d)) if d <= reach(colours[k], flat[i]) => Some(k),
                    Some((k, _)) if colours.len() >= MOST_GROUPS => Some(k),
                    _ => {
                        colours.push(flat[i]);
                        Some(colours.len() - 1)
                    }
                };
            }
            for (k, colour) in colours.iter_mut().enumerate() {
                if labels.contains(&Some(k)) {
                    *colour = mean(&labels, k);
                }
            }
            // What came to lie on a group is of that group; what nobody is in is none.
            let mut k = names.len();
            while k < colours.len() {
                let joined = (0..k).any(|j| {
                    distance(colours[j], colours[k]) < 0.5 * reach(colours[j], colours[k])
                });
                if joined || !labels.contains(&Some(k)) {
                    colours.remove(k);
                    for label in &mut labels {
                        *label = match *label {
                            Some(l) if l == k => None,
                            Some(l) if l > k => Some(l - 1),
                            other => other,
                        };
                    }
                } else {
                    k += 1;
                }
            }
        }
        // Whoever lost their group finds the nearest.
        for i in (0..flat.len()).filter(|&i| plain[i]) {
            labels[i] = labels[i].or_else(|| {
                { 0..colours.len() }.min_by(|&a, &b| {
                    distance(colours[a], flat[i]).total_cmp(&distance(colours[b], flat[i]))
                })
            });
        }
        let members = |k: usize| (0..flat.len()).filter(|&i| labels[i] == Some(k)).collect();
        let members: Vec<Vec<usize>> = (0..colours.len()).map(members).collect();
        let spread = |(k, all): (usize, &Vec<usize>)| {
            let sum: f32 = all
                .iter()
                .map(|&i| distance(flat[i], colours[k]).powi(2))
                .sum();
            (sum / all.len().max(1) as f32).sqrt()
        };
        Self {
            spreads: members.iter().enumerate().map(spread).collect(),
            counts: members.iter().map(Vec::len).collect(),
            names: names.into_iter().map(str::to_owned).collect(),
            colours,
            labels,
            gain,
        }
    }

    /// Root mean square distance of all cells from their group.
    fn spread(&self) -> f32 {
        let all: f32 = { self.spreads.iter().zip(&self.counts) }
            .map(|(s, &n)| s * s * n as f32)
            .sum();
        (all / self.counts.iter().sum::<usize>().max(1) as f32).sqrt()
    }

    fn cost(&self, sight: &Sight<'_>) -> f32 {
        let alike = if self.alike(sight).is_some() {
            1e4
        } else {
            0.0
        };
        self.spread().max(1.5).ln() * self.labels.len() as f32
            + 6.0 * self.colours.len() as f32
            + alike
    }

    /// Two that have names and cannot be told apart.
    fn alike(&self, sight: &Sight<'_>) -> Option<(usize, usize)> {
        let named = self.names.len();
        (0..named)
            .flat_map(|a| (a + 1..named).map(move |b| (a, b)))
            .find(|&(a, b)| {
                let (p, q) = (self.colours[a], self.colours[b]);
                distance(p, q) < sight.eye.class(p, q)
            })
    }

    /// The group with this name.
    pub fn by_name(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// The group of most cells among these.
    pub fn commonest(&self, cells: impl Iterator<Item = usize>) -> Option<usize> {
        let mut counts = vec![0usize; self.colours.len()];
        for i in cells {
            if let Some(k) = self.labels.get(i).copied().flatten() {
                counts[k] += 1;
            }
        }
        (0..counts.len()).max_by_key(|&k| (counts[k], std::cmp::Reverse(k)))
    }

    /// A group as a class of this letter.
    pub fn class(&self, k: usize, letter: char) -> ClassLook {
        ClassLook {
            letter,
            rgb: self.colours[k],
            spread: self.spreads[k],
            mark: None,
        }
    }
}
