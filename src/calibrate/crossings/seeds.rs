//! Seeds: a few equally spaced threads of both ways that cross each other, where a lattice of lines
//! may be.
//!
//! Takes threads, gives small lattices, likeliest first. Nothing is looked up in the picture.

use super::net::{Mark, Net, Way};
use super::threads::{Thread, Threads, meet};
use crate::types::Point;

/// Lines of each way that a seed needs at least.
const LEAST_LINES: usize = 3;

/// Threads of each way that seeds start from, longest first.
const STARTS: usize = 60;

/// Smallest distance between lines in px.
const LEAST_PITCH: f64 = 4.5;

/// Places on one line nearer than this are one.
const SAME: f64 = 2.0;

/// A thread met along another.
#[derive(Clone, Copy, Debug)]
struct Met {
    along: f64,
    index: usize,
    len: f64,
}

/// Calls `take` with seeds until it says that it is enough.
pub fn each(threads: &Threads, take: &mut dyn FnMut(Net) -> bool) {
    let mut starts: Vec<(bool, usize)> = Vec::new();
    for (down, list) in [(true, &threads.down), (false, &threads.across)] {
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by(|&a, &b| list[b].len().total_cmp(&list[a].len()));
        order.truncate(STARTS);
        starts.extend(order.into_iter().map(|i| (down, i)));
    }
    let len = |&(down, i): &(bool, usize)| {
        if down {
            threads.down[i].len()
        } else {
            threads.across[i].len()
        }
    };
    starts.sort_by(|a, b| len(b).total_cmp(&len(a)));
    let places = [places(&threads.down), places(&threads.across)];
    for (down, i) in starts {
        if let Some(net) = seed(threads, &places, down, i)
            && take(net)
        {
            return;
        }
    }
}

/// Threads in bands of their middle's `at`, so that those near a place are soon found.
struct Places {
    bands: Vec<Vec<u32>>,
}

const BAND: f64 = 32.0;

fn places(threads: &[Thread]) -> Places {
    let mut bands: Vec<Vec<u32>> = Vec::new();
    for (i, t) in threads.iter().enumerate() {
        // A slanting thread lies in all bands that it passes.
        let (a, b) = (t.at(t.from), t.at(t.to));
        let (lo, hi) = (a.min(b).max(0.0), a.max(b).max(0.0));
        let (lo, hi) = ((lo / BAND) as usize, (hi / BAND) as usize);
        if bands.len() <= hi {
            bands.resize(hi + 1, Vec::new());
        }
        for band in &mut bands[lo..=hi] {
            band.push(i as u32);
        }
    }
    Places { bands }
}

/// Threads of the other way that cross thread `t` or its continuation, in order along it.
fn met(t: &Thread, down: bool, others: &[Thread], places: &Places) -> Vec<Met> {
    let reach = (0.6 * t.len()).max(40.0);
    let (lo, hi) = (t.from - reach, t.to + reach);
    let band = |v: f64| (v.max(0.0) / BAND) as usize;
    let last = band(hi).min(places.bands.len().saturating_sub(1));
    let mut out: Vec<Met> = Vec::new();
    for band in places.bands.iter().take(last + 1).skip(band(lo)) {
        for &i in band {
            let o = &others[i as usize];
            let (d, a) = if down { (t, o) } else { (o, t) };
            let Some(p) = meet(d, a) else { continue };
            let (along, across) = if down { (p.y, p.x) } else { (p.x, p.y) };
            // Not where the other one has ended: a line that only points here is none here.
            let slack = 3.0 + 0.2 * o.len();
            if along >= lo && along <= hi && across >= o.from - slack && across <= o.to + slack {
                out.push(Met {
                    along,
                    index: i as usize,
                    len: o.len(),
                });
            }
        }
    }
    out.sort_by(|a, b| a.along.total_cmp(&b.along));
    // Pieces of one line, and the same piece in two bands.
    let mut merged: Vec<Met> = Vec::with_capacity(out.len());
    for m in out {
        match merged.last_mut() {
            Some(last) if m.along - last.along < SAME => {
                if m.len > last.len {
                    *last = m;
                }
            }
            _ => merged.push(m),
        }
    }
    merged
}

/// The longest run of nearly equal steps through one of the places, as their indices.
fn run(met: &[Met], anchor: usize) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::new();
    let mut best_score = 0.0;
    for other in 0..met.len() {
        let gap = (met[other].along - met[anchor].along).abs();
        if other == anchor || gap < LEAST_PITCH {
            continue;
        }
        let way = if other > anchor { 1.0 } else { -1.0 };
        let mut steps = vec![other];
        walk(met, other, gap, way, &mut steps);
        let mut back = Vec::new();
        walk(met, anchor, gap, -way, &mut back);
        let count = steps.len() + back.len() + 1;
        // Lines between those of the run speak against it.
        let (lo, hi) = steps
            .iter()
            .chain(&back)
            .chain([&anchor])
            .fold((usize::MAX, 0), |(lo, hi), &i| (lo.min(i), hi.max(i)));
        let between = (hi - lo + 1 - count) as f64;
        let score = count as f64 - 0.3 * between;
        if score > best_score {
            best_score = score;
            back.reverse();
            best = back;
            best.push(anchor);
            best.extend(steps);
            if way < 0.0 {
                best.reverse();
            }
        }
    }
    best
}

/// Goes on from a place in steps of about `gap`, which may slowly change.
fn walk(met: &[Met], from: usize, mut gap: f64, way: f64, steps: &mut Vec<usize>) {
    let mut here = from;
    loop {
        let goal = met[here].along + way * gap;
        let at = met.partition_point(|m| m.along < goal);
        let near = [at.wrapping_sub(1), at]
            .into_iter()
            .filter(|&i| i < met.len() && i != here)
            .min_by(|&a, &b| {
                let off = |i: usize| (met[i].along - goal).abs();
                off(a).total_cmp(&off(b))
            });
        let Some(i) = near else { return };
        if (met[i].along - goal).abs() > 0.08 * gap + 0.7 {
            return;
        }
        let seen = (met[i].along - met[here].along).abs();
        gap = 0.4 * gap + 0.6 * seen;
        here = i;
        steps.push(i);
    }
}

/// The lattice around a thread: those that cross it, and those that run beside it.
fn seed(threads: &Threads, places: &[Places; 2], down: bool, i: usize) -> Option<Net> {
    let (own, others) = if down {
        (&threads.down, &threads.across)
    } else {
        (&threads.across, &threads.down)
    };
    let (own_places, other_places) = if down {
        (&places[0], &places[1])
    } else {
        (&places[1], &places[0])
    };
    let t = &own[i];
    let crossing = met(t, down, others, other_places);
    if crossing.len() < LEAST_LINES {
        return None;
    }
    // Through the longest of those that cross it.
    let anchor =
        (0..crossing.len()).max_by(|&a, &b| crossing[a].len.total_cmp(&crossing[b].len))?;
    let first = run(&crossing, anchor);
    if first.len() < LEAST_LINES {
        return None;
    }
    let o = &others[crossing[anchor].index];
    let beside = met(o, !down, own, own_places);
    let here = beside
        .iter()
        .position(|m| (m.along - t.at(crossing[anchor].along)).abs() < SAME)?;
    let second = run(&beside, here);
    if second.len() < LEAST_LINES {
        return None;
    }
    let firsts: Vec<&Thread> = first.iter().map(|&k| &others[crossing[k].index]).collect();
    let seconds: Vec<&Thread> = second.iter().map(|&k| &own[beside[k].index]).collect();
    let (downs, acrosses) = if down {
        (seconds, firsts)
    } else {
        (firsts, seconds)
    };
    let mut marks = Vec::new();
    collect(&downs, true, &mut marks);
    collect(&acrosses, false, &mut marks);
    let contrast = t.strength;
    Net::fitted(
        &marks,
        [downs.len() as i32 - 1, acrosses.len() as i32 - 1],
        contrast,
    )
}

/// Points on each thread of a run, as marks of the line it is.
fn collect(run: &[&Thread], down: bool, marks: &mut Vec<Mark>) {
    let way = if down { Way::Down } else { Way::Across };
    for (k, t) in run.iter().enumerate() {
        for f in [0.0, 0.5, 1.0] {
            let along = t.from + f * t.len();
            let at = t.at(along);
            let px = if down {
                Point::new(at, along)
            } else {
                Point::new(along, at)
            };
            marks.push(Mark {
                px,
                way,
                line: k as i32,
            });
        }
    }
}
