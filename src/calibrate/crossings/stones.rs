//! Stones: which crossings bear one, and what kinds there are.
//!
//! Takes a survey, gives classes of crossings. Kinds are learnt from round things that hide the
//! lines; what is hidden otherwise (a hand, a window, glare) makes no kind.

use super::letters::is_grey;
use super::net::Net;
use super::probe::Probe;
use super::survey::{Cover, RAYS, Round, Survey, core, distance};

/// What stones look like on one board.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// Colours in the usual light, dark ones first.
    pub colours: Vec<[f32; 3]>,
    /// Spread of the crossings of each class around its colour, empty ones first.
    pub spreads: Vec<f32>,
    /// Radius in cells.
    pub radius: f64,
    /// How far stones are seen beside their crossings, in cells.
    pub shift: (f64, f64),
    /// For each crossing: 0 empty, from 1 on a kind, `None` where neither is certain.
    pub labels: Vec<Option<usize>>,
    /// How many things were round and alike in size.
    pub round: usize,
}

/// How far apart colours of one kind may be: noise and texture add a little everywhere, gloss and
/// light in proportion to how bright things are.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    noise: f32,
    ground: f32,
}

impl Reach {
    /// On the ground of a survey.
    #[must_use]
    pub fn new(survey: &Survey, noise: f32) -> Self {
        Self {
            noise,
            ground: brightest(survey.usual),
        }
    }

    /// For these two colours.
    #[must_use]
    pub fn of(&self, a: [f32; 3], b: [f32; 3]) -> f32 {
        let level = self.ground.max(brightest(a)).max(brightest(b));
        12.0 + 2.0 * self.noise + 0.17 * level
    }

    /// Whether two colours are within reach of each other.
    #[must_use]
    pub fn holds(&self, a: [f32; 3], b: [f32; 3]) -> bool {
        distance(a, b) < self.of(a, b)
    }
}

fn brightest(rgb: [f32; 3]) -> f32 {
    rgb.into_iter().fold(0.0, f32::max)
}

/// Stones of this radius or more hide the middles of the squares between them, in cells.
const WIDE: f64 = 0.6;

/// Stones of this radius or more reach as far as where the colour near their rim is looked up.
const LEAST_OUTER: f64 = 0.46;

/// Directions in which a stone's rim is seen at least, if not many others lie around it.
const SOME_RIM: usize = 4;

/// Learns the kinds of stones of a board.
#[must_use]
pub fn kinds(survey: &Survey, noise: f32) -> Kinds {
    let mut out = Kinds {
        radius: 0.47,
        labels: vec![None; survey.spots.len()],
        ..Kinds::default()
    };
    let reach = Reach::new(survey, noise);
    let specimens = specimens(survey, noise, &mut out);
    out.round = specimens.len();
    // In a shadow the ground nearby tells the light; where the ground is printed on, the whole
    // board does. The right way leaves fewer kinds.
    let grouped = |unlit: &dyn Fn(usize, [f32; 3]) -> [f32; 3]| {
        let mut groups: Vec<([f32; 3], f32)> = specimens
            .iter()
            .map(|&i| (unlit(i, out.own_colour(survey, i, noise)), 1.0))
            .collect();
        join(&mut groups, &reach);
        groups
    };
    let mut groups = grouped(&|i, rgb| survey.unlit(i, rgb));
    let shaded = grouped(&|i, rgb| survey.unshaded(i, rgb));
    let clear = grouped(&|i, rgb| survey.unveiled(i, rgb));
    for other in [shaded, clear] {
        if other.len() < groups.len() {
            groups = other;
        }
    }
    two_greys(&mut groups);
    two_sides(&mut groups);
    groups.sort_by(|a, b| level(a.0).total_cmp(&level(b.0)));
    out.colours = groups.iter().map(|g| g.0).collect();
    out.label(survey, noise, &reach);
    out.without_marked(survey, &reach);
    out.without_patches(survey, noise);
    out.recolour(survey, &reach);
    let mut groups: Vec<([f32; 3], f32)> = (0..out.colours.len())
        .map(|k| {
            let count = out.labels.iter().filter(|l| **l == Some(k + 1)).count();
            (out.colours[k], count as f32)
        })
        .collect();
    two_greys(&mut groups);
    groups.sort_by(|a, b| level(a.0).total_cmp(&level(b.0)));
    out.colours = groups.iter().map(|g| g.0).collect();
    out.label(survey, noise, &reach);
    out.spread(survey, noise);
    out
}

/// Joins greys until there are a dark and a light one: gleams and glare make others.
fn two_greys(groups: &mut Vec<([f32; 3], f32)>) {
    let (mut greys, mut colours): (Vec<_>, Vec<_>) = groups.drain(..).partition(|g| is_grey(g.0));
    while greys.len() > 2 {
        greys.sort_by(|a, b| level(a.0).total_cmp(&level(b.0)));
        let gap = |i: usize| level(greys[i + 1].0) - level(greys[i].0);
        let Some(i) = (0..greys.len() - 1).min_by(|&a, &b| gap(a).total_cmp(&gap(b))) else {
            break;
        };
        let (b, m) = greys.remove(i + 1);
        let (a, n) = greys[i];
        // The larger group knows its colour better.
        greys[i] = (if n >= m { a } else { b }, n + m);
    }
    groups.append(&mut greys);
    groups.append(&mut colours);
}

/// Drops kinds of very few stones beside two of many: there are two sides, and single stones of
/// other colours are lit, marked or drawn otherwise.
fn two_sides(groups: &mut Vec<([f32; 3], f32)>) {
    groups.sort_by(|a, b| b.1.total_cmp(&a.1));
    if let Some(&(_, second)) = groups.get(1) {
        groups.retain(|g| g.1 * 8.0 > second);
    }
}

fn level(rgb: [f32; 3]) -> f32 {
    0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2]
}

/// Crossings under something round, of the size that most of such things have.
fn specimens(survey: &Survey, noise: f32, out: &mut Kinds) -> Vec<usize> {
    let mut found: Vec<(usize, Round)> = Vec::new();
    for (i, spot) in survey.spots.iter().enumerate() {
        let off = distance(spot.core, survey.ground[i]);
        let level = brightest(spot.core).max(brightest(survey.ground[i]));
        // Stripes of shell and gleams; what is no stone is hardly ever round.
        let plain = spot.spread <= (0.5 * off).max(12.0 + 3.0 * noise + 0.3 * level);
        // The line around a small stone of the ground's colour lies on points that tell its own.
        let bound = off < 2.0 * survey.apart(noise, i) && spot.rim() == RAYS.len();
        // Gloss and a mark together leave no plain part, but all of its rim.
        if spot.cover() != Cover::Clear
            && (plain || bound || spot.is_disc())
            && let Some(round) = spot.round().or_else(|| spot.ringed())
        {
            found.push((i, round));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let middle = |get: &dyn Fn(&Round) -> f64| {
        let mut all: Vec<f64> = found.iter().map(|(_, r)| get(r)).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let radius = middle(&|r| r.radius);
    let shift = (middle(&|r| r.middle.0), middle(&|r| r.middle.1));
    // Of a stone with a line around it the inner or the outer side may have been seen.
    let most = 0.2 * radius + 0.6 * survey.px;
    found.retain(|(_, r)| {
        (r.radius - radius).abs() < most && (r.middle.0 - shift.0).hypot(r.middle.1 - shift.1) < 0.3
    });
    out.radius = radius;
    out.shift = shift;
    found.into_iter().map(|(i, _)| i).collect()
}

/// The mixture of `a` and `b` that is nearest to a colour.
fn nearest_mixture(rgb: [f32; 3], a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    let (mut dot, mut square) = (0.0, 1e-6);
    for c in 0..3 {
        dot += (rgb[c] - a[c]) * (b[c] - a[c]);
        square += (b[c] - a[c]) * (b[c] - a[c]);
    }
    let t = (dot / square).clamp(0.0, 1.0);
    [0, 1, 2].map(|c| a[c] + t * (b[c] - a[c]))
}

/// Joins the nearest groups of colours as long as they are within reach of each other.
pub fn join(groups: &mut Vec<([f32; 3], f32)>, reach: &Reach) {
    loop {
        let mut best = (1.0, 0, 0);
        for i in 0..groups.len() {
            for j in i + 1..groups.len() {
                let (a, b) = (groups[i].0, groups[j].0);
                let d = distance(a, b) / reach.of(a, b);
                if d < best.0 {
                    best = (d, i, j);
                }
            }
        }
        let (_, i, j) = best;
        if i == j {
            return;
        }
        let (b, m) = groups.swap_remove(j);
        let (a, n) = groups[i];
        let mean = [0, 1, 2].map(|c| (a[c] * n + b[c] * m) / (n + m));
        groups[i] = (mean, n + m);
    }
}

impl Kinds {
    /// The kind nearest to a colour seen at a crossing, and how far it is.
    fn nearest(&self, survey: &Survey, i: usize, rgb: [f32; 3]) -> Option<(f32, usize)> {
        let own = survey.unlit(i, rgb);
        let (shaded, clear) = (survey.unshaded(i, rgb), survey.unveiled(i, rgb));
        self.colours
            .iter()
            .enumerate()
            .map(|(k, &c)| {
                let near = distance(own, c).min(distance(shaded, c));
                (near.min(distance(clear, c)), k + 1)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Whether something is of the size and in the place of a stone.
    #[must_use]
    pub fn is_usual(&self, round: &Round) -> bool {
        let (dx, dy) = (round.middle.0 - self.shift.0, round.middle.1 - self.shift.1);
        (round.radius / self.radius - 1.0).abs() < 0.25 && dx.hypot(dy) < 0.2
    }

    /// Whether a point of the net, near crossing `i`, has the colour of a stone.
    #[must_use]
    pub fn is_like(
        &self,
        survey: &Survey,
        i: usize,
        probe: &Probe<'_>,
        net: &Net,
        at: (f64, f64),
    ) -> bool {
        let at = (at.0 + self.shift.0, at.1 + self.shift.1);
        let seen = core(probe.planes, net, at);
        let off = distance(survey.unlit(i, seen), survey.usual);
        self.nearest(survey, i, seen)
            .is_some_and(|(d, _)| d < 0.6 * off)
    }

    /// The kind that a thing in glare is clearly more like than any other, or the ground (`off` is
    /// how far it is from that).
    fn between(&self, survey: &Survey, i: usize, off: f32) -> Option<(f32, usize)> {
        let rgb = survey.spots[i].core;
        let (d, k) = self.nearest(survey, i, rgb)?;
        let second = self.colours.iter().enumerate().filter(|(j, _)| j + 1 != k);
        let second = second
            .map(|(_, &c)| distance(survey.unlit(i, rgb), c))
            .fold(f32::INFINITY, f32::min);
        (second.is_finite() && d < 0.6 * second.min(off)).then_some((d, k))
    }

    /// The colour of the stone on a crossing: what most of it shows, where something is drawn on it.
    fn own_colour(&self, survey: &Survey, i: usize, noise: f32) -> [f32; 3] {
        let spot = &survey.spots[i];
        // At the rim itself stone and ground mix.
        let ground = survey.ground[i];
        let mixed = distance(spot.whole, nearest_mixture(spot.whole, spot.core, ground));
        if self.radius < LEAST_OUTER || mixed < 3.0 * survey.apart(noise, i) {
            spot.core
        } else {
            spot.whole
        }
    }

    /// Share of the crossings that hide their lines under something round, but bear no kind: what
    /// there is to see was not understood.
    #[must_use]
    pub fn doubt(&self, survey: &Survey) -> f32 {
        let doubtful = survey
            .spots
            .iter()
            .zip(&self.labels)
            .filter(|(spot, label)| {
                let told = label.is_some_and(|k| k > 0);
                !told && spot.cover() == Cover::Hidden && spot.round().is_some()
            });
        // A few of them are a stone in glare here and a finger there.
        (doubtful.count() as f32 - 3.0).max(0.0) / survey.spots.len().max(1) as f32
    }

    /// Decides what is on each crossing.
    fn label(&mut self, survey: &Survey, noise: f32, reach: &Reach) {
        for (i, spot) in survey.spots.iter().enumerate() {
            let off = [
                survey.unlit(i, spot.core),
                survey.unshaded(i, spot.core),
                survey.unveiled(i, spot.core),
            ]
            .map(|rgb| distance(rgb, survey.usual))
            .into_iter()
            .fold(f32::INFINITY, f32::min);
            let like_ground = off < 2.0 * survey.apart(noise, i);
            let near = |rgb: [f32; 3]| {
                self.nearest(survey, i, rgb)
                    .filter(|&(d, k)| d < reach.of(rgb, self.colours[k - 1]).max(0.35 * off))
            };
            // Whatever is drawn on a stone leaves some of it free.
            let stone = near(spot.core)
                .or_else(|| near(spot.outer))
                .or_else(|| near(spot.middle))
                .or_else(|| {
                    self.between(survey, i, off)
                        .filter(|_| spot.round().is_some())
                });
            let ringed = spot
                .ring
                .is_some_and(|r| (r / self.radius - 1.0).abs() < 0.25);
            let rimmed = self.radius >= WIDE || spot.rim() >= SOME_RIM || ringed;
            let round = ringed || spot.round().is_some();
            self.labels[i] = match (spot.cover(), stone) {
                (Cover::Clear, _) => Some(0),
                (Cover::Hidden, Some((d, k))) if rimmed && (d < off || round) => Some(k),
                (Cover::Partly, Some((_, k))) if ringed => Some(k),
                (Cover::Partly, Some((d, k))) if rimmed && d < 0.5 * off => Some(k),
                _ if like_ground => Some(0),
                _ => None,
            };
        }
    }

    /// Drops kinds of a single stone that near its rim has the colour of another kind: only a mark
    /// is drawn on it.
    fn without_marked(&mut self, survey: &Survey, reach: &Reach) {
        let mut k = 0;
        while k < self.colours.len() {
            let of_kind = |(i, l): (usize, &Option<usize>)| (*l == Some(k + 1)).then_some(i);
            let members: Vec<usize> = self.labels.iter().enumerate().filter_map(of_kind).collect();
            let others: Vec<[f32; 3]> = (0..self.colours.len())
                .filter(|&j| j != k)
                .map(|j| self.colours[j])
                .collect();
            let is_other = |i: &usize| {
                let rgb = survey.unlit(*i, survey.spots[*i].outer);
                let off = distance(rgb, survey.usual);
                others.iter().any(|&c| {
                    let near = distance(rgb, c);
                    near < 1.5 * reach.of(rgb, c) && near < 0.4 * off
                })
            };
            if members.len() == 1 && members.iter().all(is_other) {
                self.colours.remove(k);
                self.labels.fill(None);
                return self.relabel(survey, reach);
            }
            k += 1;
        }
    }

    fn relabel(&mut self, survey: &Survey, reach: &Reach) {
        self.label(survey, reach.noise, reach);
        self.without_marked(survey, reach);
    }

    /// Drops kinds of which hardly any is round: patches of sun, hands, windows.
    fn without_patches(&mut self, survey: &Survey, noise: f32) {
        let mut kept = Vec::new();
        for (k, &colour) in self.colours.iter().enumerate() {
            let (mut like, mut round) = (0usize, 0usize);
            for (i, spot) in survey.spots.iter().enumerate() {
                let round_thing = spot.ring.is_some() || spot.round().is_some();
                // What has the ground's colour and no rim may be a letter drawn on the ground.
                let bare = distance(spot.core, survey.ground[i]) < survey.apart(noise, i);
                if spot.cover() == Cover::Hidden
                    && (round_thing || !bare)
                    && self
                        .nearest(survey, i, spot.core)
                        .is_some_and(|n| n.1 == k + 1)
                {
                    like += 1;
                    round += usize::from(round_thing);
                }
            }
            if round * 4 >= like {
                kept.push(colour);
            }
        }
        self.colours = kept;
    }

    /// The mean colour of each kind, over all its stones.
    fn recolour(&mut self, survey: &Survey, reach: &Reach) {
        for k in 0..self.colours.len() {
            let (mut sum, mut n) = ([0.0f32; 3], 0.0f32);
            for (i, spot) in survey.spots.iter().enumerate() {
                // In whichever light it is most like its kind.
                let off = |rgb: &[f32; 3]| distance(*rgb, self.colours[k]);
                let own = [
                    survey.unlit(i, spot.core),
                    survey.unshaded(i, spot.core),
                    survey.unveiled(i, spot.core),
                ]
                .into_iter()
                .min_by(|a, b| off(a).total_cmp(&off(b)))
                .unwrap_or_default();
                let far = distance(own, self.colours[k]) > 1.5 * reach.of(own, own);
                if self.labels[i] == Some(k + 1) && !far {
                    for c in 0..3 {
                        sum[c] += own[c];
                    }
                    n += 1.0;
                }
            }
            if n > 0.0 {
                self.colours[k] = sum.map(|v| v / n);
            }
        }
    }

    /// Around what most of each stone shows: a ring that is drawn on it says nothing of its kind.
    fn spread(&mut self, survey: &Survey, noise: f32) {
        self.spreads = (0..=self.colours.len())
            .map(|k| {
                let colour = match k {
                    0 => survey.usual,
                    k => self.colours[k - 1],
                };
                let (mut sum, mut n) = (0.0f32, 0.0f32);
                for (i, spot) in survey.spots.iter().enumerate() {
                    if self.labels[i] == Some(k) {
                        let own = match k {
                            0 => spot.core,
                            _ => self.own_colour(survey, i, noise),
                        };
                        sum += distance(survey.unlit(i, own), colour).powi(2);
                        n += 1.0;
                    }
                }
                (sum / n.max(1.0)).sqrt()
            })
            .collect();
    }
}
