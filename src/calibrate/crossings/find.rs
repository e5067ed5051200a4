//! The search: where seeds are looked for, and when it ends.
//!
//! The likeliest and cheapest ways come first, and the first clear finding ends the search. Large
//! and noisy pictures are looked at in half their size first, where noise and texture fade and
//! lines are thin.

use super::grow::Grower;
use super::judge::judge;
use super::net::Net;
use super::probe::Probe;
use super::seeds;
use super::threads::{Ink, Threads, threads};
use crate::calibrate::finder::noise;
use crate::calibrate::planes::Planes;
use crate::types::{Calibration, Wanted};

/// A finding of this quality needs no further search.
const CLEAR: f32 = 0.9;

/// Pictures larger than this are halved first, in px.
const LARGE: usize = 5_000_000;

/// Noisy pictures larger than this are halved first, in px.
const LARGE_AND_NOISY: usize = 900_000;

/// Noise from which on a picture is filmed and not drawn.
const FILMED: f32 = 1.0;

/// Noise (standard deviation, of 255) beyond that of any camera that shows a board.
const MOST_NOISE: f32 = 30.0;

/// The smallest side that is worth halving.
const LEAST_SIDE: usize = 160;

/// Seeds that are grown at most in one picture of one size.
const MOST_SEEDS: usize = 48;

/// Lines of a family beyond which a net is squared paper.
const MOST_LINES: i32 = 27;

/// The shortest thread, in px.
const SHORTEST: u32 = 7;

/// All boards found, unordered, with their quality.
#[must_use]
pub fn find(planes: &Planes, wanted: &Wanted) -> Vec<Calibration> {
    let mut sizes = vec![planes.clone()];
    while let Some(last) = sizes.last()
        && last.width.min(last.height) >= 2 * LEAST_SIDE
        && sizes.len() < 4
    {
        let half = last.halved();
        sizes.push(half);
    }
    let first = sizes
        .iter()
        .position(|p| {
            let area = p.width * p.height;
            area <= LARGE && (area <= LARGE_AND_NOISY || noise(p) < FILMED)
        })
        .unwrap_or(sizes.len() - 1);
    // Then finer ones, for small boards, and coarser ones, for thick lines.
    let mut order = vec![first];
    order.extend((0..first).rev());
    order.extend(first + 1..sizes.len());
    let mut found: Vec<Calibration> = Vec::new();
    for i in order {
        if noise(&sizes[i]) > MOST_NOISE {
            continue;
        }
        let mut search = Search {
            planes: &sizes[i],
            noise: noise(&sizes[i]),
            wanted,
            scale: (1u32 << i).into(),
            nets: Vec::new(),
            found: Vec::new(),
        };
        search.run();
        found.extend(
            search
                .found
                .into_iter()
                .map(|c| enlarged(c, planes, 1 << i)),
        );
        if found.iter().any(|c| c.quality >= CLEAR) {
            break;
        }
    }
    found
}

/// A search in a picture of one size.
struct Search<'a> {
    planes: &'a Planes,
    noise: f32,
    wanted: &'a Wanted,
    scale: f64,
    /// Nets that were grown.
    nets: Vec<Net>,
    found: Vec<Calibration>,
}

impl Search<'_> {
    fn run(&mut self) {
        let threshold = (5.0 + 2.5 * self.noise).min(60.0) as u8;
        let mut all: Vec<(Ink, Threads)> = [Ink::Dark, Ink::Light]
            .into_iter()
            .map(|ink| (ink, threads(self.planes, ink, threshold, SHORTEST)))
            .collect();
        // Those with more to say first.
        let weight = |t: &Threads| -> f64 {
            let all = t.down.iter().chain(&t.across);
            all.map(|t| t.len() * t.len() * f64::from(t.strength)).sum()
        };
        all.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1)));
        for (ink, threads) in &all {
            let mut grown = 0;
            seeds::each(threads, &mut |seed| {
                if self.is_known(&seed) {
                    return false;
                }
                grown += 1;
                self.grow(&seed, *ink);
                self.is_clear() || grown >= MOST_SEEDS
            });
            if self.is_clear() {
                return;
            }
        }
    }

    fn is_clear(&self) -> bool {
        self.found.iter().any(|c| c.quality >= CLEAR)
    }

    /// Whether the seed's lines are those of a net that was grown.
    fn is_known(&self, seed: &Net) -> bool {
        let e = &seed.extent;
        self.nets.iter().any(|net| {
            [(e.x0, e.y0), (e.x1, e.y1), (e.x0, e.y1)]
                .iter()
                .all(|&(x, y)| {
                    let p = net.cell_from_px.map(seed.px(x.into(), y.into()));
                    let whole = |v: f64| (v - v.round()).abs() < 0.12;
                    let inside = |v: f64, lo: i32, hi: i32| {
                        v > f64::from(lo) - 0.5 && v < f64::from(hi) + 0.5
                    };
                    whole(p.x)
                        && whole(p.y)
                        && inside(p.x, net.extent.x0, net.extent.x1)
                        && inside(p.y, net.extent.y0, net.extent.y1)
                })
        })
    }

    fn grow(&mut self, seed: &Net, ink: Ink) {
        let grower = |channel| Grower {
            probe: Probe {
                planes: self.planes,
                ink,
                channel,
                beside: 2.0,
                noise: self.noise,
            },
            most: MOST_LINES,
        };
        let shows = |c: usize| grower(c).contrast(seed);
        let Some(channel) = (0..3).max_by(|&a, &b| shows(a).total_cmp(&shows(b))) else {
            return;
        };
        let grower = grower(channel);
        let Some(net) = grower.grown(seed) else {
            return;
        };
        tracing::debug!(?ink, channel, lines = ?net.extent.lines(), contrast = net.contrast, scale = self.scale, "net");
        if let Some(calibration) = judge(&grower.probe, &net, self.wanted) {
            self.found.push(calibration);
        }
        self.nets.push(net);
    }
}

/// The same in a picture that is larger by a whole factor.
fn enlarged(mut c: Calibration, planes: &Planes, scale: u32) -> Calibration {
    for (i, v) in c.px_from_cell.0.iter_mut().enumerate() {
        if i < 6 {
            *v *= f64::from(scale);
        }
    }
    c.image = (planes.width as u32, planes.height as u32);
    c.residual *= scale as f32;
    c
}
