//! Quadrilaterals that may be the outer edge of a light frame around a board.
//!
//! Takes planes, gives corners in px, largest first: what is brighter than its surroundings is
//! outlined, and outlines with four corners are kept.

use opencv::core::{Mat, Point as CvPoint, Vector};
use opencv::imgproc::{
    ADAPTIVE_THRESH_MEAN_C, CHAIN_APPROX_SIMPLE, RETR_LIST, THRESH_BINARY, adaptive_threshold,
    approx_poly_dp, arc_length, contour_area_def, convex_hull_def, find_contours_def,
};
use opencv::prelude::MatTraitConst as _;

use super::super::markers::grey;
use super::super::planes::Planes;
use crate::types::Point;

/// Least share of the picture that a board covers.
const LEAST: f64 = 0.02;

/// Sides of the squares over which the surroundings are averaged, for a picture 640 px wide.
const BLOCKS: [f64; 3] = [25.0, 51.0, 13.0];

/// Corners clockwise from the top left.
#[must_use]
pub fn find(planes: &Planes) -> Vec<[Point; 4]> {
    let grey = grey(planes);
    let mut found: Vec<([Point; 4], f64)> = Vec::new();
    for block in BLOCKS {
        // A failure inside the library is the same as no outline.
        let _ = outlined(&grey, planes, block, &mut found);
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.into_iter().map(|f| f.0).collect()
}

fn outlined(
    grey: &[u8],
    planes: &Planes,
    block: f64,
    found: &mut Vec<([Point; 4], f64)>,
) -> opencv::Result<()> {
    if planes.width.min(planes.height) < 32 {
        return Ok(());
    }
    let flat = Mat::from_slice(grey)?;
    let image = flat.reshape(1, planes.height as i32)?;
    let side = (block * planes.width.max(planes.height) as f64 / 640.0) as i32 | 1;
    let mut light = Mat::default();
    adaptive_threshold(
        &image,
        &mut light,
        255.0,
        ADAPTIVE_THRESH_MEAN_C,
        THRESH_BINARY,
        side.max(3),
        -7.0,
    )?;
    let mut contours: Vector<Vector<CvPoint>> = Vector::new();
    find_contours_def(&light, &mut contours, RETR_LIST, CHAIN_APPROX_SIMPLE)?;
    let least = LEAST * (planes.width * planes.height) as f64;
    for contour in &contours {
        if contour.len() < 4 {
            continue;
        }
        let mut hull: Vector<CvPoint> = Vector::new();
        convex_hull_def(&contour, &mut hull)?;
        let area = contour_area_def(&hull)?;
        if area < least {
            continue;
        }
        let around = arc_length(&hull, true)?;
        for part in [0.012, 0.025, 0.045] {
            let mut few: Vector<CvPoint> = Vector::new();
            approx_poly_dp(&hull, &mut few, part * around, true)?;
            if few.len() != 4 {
                continue;
            }
            let corners = ordered(&few, (planes.width, planes.height));
            let again = found.iter().any(|(other, _)| {
                let far = other.iter().zip(&corners).map(|(a, b)| a.distance(*b));
                far.fold(0.0, f64::max) < 3.0
            });
            if !again {
                found.push((corners, area));
            }
            break;
        }
    }
    Ok(())
}

/// Corners of pixels become corners of the area, the one nearest to the top left first.
fn ordered(four: &Vector<CvPoint>, (w, h): (usize, usize)) -> [Point; 4] {
    let mut p: Vec<Point> = four
        .iter()
        .map(|p| Point::new(f64::from(p.x) + 0.5, f64::from(p.y) + 0.5))
        .collect();
    let c = Point::new(
        p.iter().map(|p| p.x).sum::<f64>() / 4.0,
        p.iter().map(|p| p.y).sum::<f64>() / 4.0,
    );
    // Contours are drawn through the pixels' middles.
    for q in &mut p {
        q.x = (q.x + 0.5 * (q.x - c.x).signum()).clamp(0.0, w as f64);
        q.y = (q.y + 0.5 * (q.y - c.y).signum()).clamp(0.0, h as f64);
    }
    p.sort_by(|a, b| {
        let angle = |q: &Point| (q.y - c.y).atan2(q.x - c.x);
        angle(a).total_cmp(&angle(b))
    });
    // By angle they run clockwise on the screen; the first is the one most up and left.
    let first = (0..4)
        .min_by(|&i, &j| (p[i].x + p[i].y).total_cmp(&(p[j].x + p[j].y)))
        .unwrap_or(0);
    std::array::from_fn(|i| p[(first + i) % 4])
}
