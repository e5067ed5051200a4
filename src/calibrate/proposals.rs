//! Lattices that some part of a picture suggests, cheapest ways first; nothing is judged here.
//!
//! The same ways as the finder's for filled boards: lines along the sides of the picture, cells
//! that stand alone, lines that vanish in two points.

use super::blobs::blobs;
use super::chains::{Chain, Way, chains};
use super::extent::{Span, cells_in};
use super::finder::{LEAST_SIDE, MOST_NOISE, STEADY, enlarged, noise, threshold};
use super::grow;
use super::lattice::lattices;
use super::planes::Planes;
use super::refine::product;
use super::view::views;
use crate::types::PxFromCell;

/// Hands out endless lattices and the cells in which each was seen, until `take` says that it
/// is enough.
pub fn each(planes: &Planes, take: &mut dyn FnMut(&PxFromCell, Span) -> bool) {
    if noise(planes) > MOST_NOISE || upright(planes, 1.0, take) {
        return;
    }
    let mut scaled = planes.clone();
    let mut scale = 1.0;
    for round in 0..2 {
        if round > 0 || noise(&scaled) > 1.0 {
            if scaled.width.min(scaled.height) < 2 * LEAST_SIDE {
                return;
            }
            scaled = scaled.halved();
            scale *= 2.0;
            if upright(&scaled, scale, take) {
                return;
            }
        }
        if alone(&scaled, scale, take) || tilted(&scaled, scale, take) {
            return;
        }
    }
}

fn upright(planes: &Planes, scale: f64, take: &mut dyn FnMut(&PxFromCell, Span) -> bool) -> bool {
    let threshold = threshold(planes);
    let straight = |mut all: Vec<Chain>| {
        all.retain(|c| c.slope.abs() < 0.06 && c.bend < 0.9);
        all
    };
    let down = straight(chains(planes, Way::Down, threshold, 4, STEADY));
    let across = straight(chains(planes, Way::Across, threshold, 4, STEADY));
    let size = [planes.width as f32, planes.height as f32];
    lattices(&down, &across, size).iter().any(|l| {
        cells_in(&l.view_from_cell, l.bounds)
            .is_some_and(|core| take(&enlarged(&l.view_from_cell, scale), core))
    })
}

fn alone(planes: &Planes, scale: f64, take: &mut dyn FnMut(&PxFromCell, Span) -> bool) -> bool {
    let threshold = (7.0 + 2.5 * noise(planes)).min(40.0) as u8;
    let alone = blobs(planes, threshold, 6.0);
    let found = grow::lattices(&alone, 8);
    found
        .iter()
        .take(4)
        .any(|l| take(&enlarged(&l.px_from_cell, scale), l.core))
}

fn tilted(planes: &Planes, scale: f64, take: &mut dyn FnMut(&PxFromCell, Span) -> bool) -> bool {
    let threshold = threshold(planes);
    let down = chains(planes, Way::Down, threshold, 4, 1);
    let across = chains(planes, Way::Across, threshold, 4, 1);
    let size = [planes.width as f32, planes.height as f32];
    views(&down, &across, size).iter().any(|view| {
        let seen = view.carried(&down, &across);
        lattices(&seen.down, &seen.across, seen.size)
            .iter()
            .any(|l| {
                let t = PxFromCell(product(&seen.px_from_view.0, &l.view_from_cell.0));
                cells_in(&l.view_from_cell, l.bounds)
                    .is_some_and(|core| take(&enlarged(&t, scale), core))
            })
    })
}
