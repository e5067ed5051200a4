//! The markers of a calibration sheet (ArUco, 4x4 modules) found in a picture.
//!
//! Takes planes, gives the corners of the first four markers of the dictionary. What lies around
//! them is said by [`Sheet`].

use opencv::aruco::{
    CornerRefineMethod, DetectorParameters, PREDEFINED_DICTIONARY_NAME, detect_markers,
    get_predefined_dictionary,
};
use opencv::core::{Mat, Point2f, Vector};
use opencv::prelude::{DetectorParametersTrait as _, MatTraitConst as _};

use super::planes::Planes;
use super::solve::Normal;
use crate::types::{Point, PxFromCell, Sheet};

/// Corners in px of each marker that is seen, clockwise from its own top left.
pub type Seen = [Option<[Point; 4]>; 4];

/// Looks for the markers; a failure inside the library is the same as none.
#[must_use]
pub fn find(planes: &Planes) -> Seen {
    detect(&grey(planes), planes.height).unwrap_or_default()
}

/// Brightness of each pixel.
#[must_use]
pub fn grey(planes: &Planes) -> Vec<u8> {
    let [r, g, b] = &planes.rgb;
    let weighted = |((&r, &g), &b): ((&u8, &u8), &u8)| {
        ((u32::from(r) * 77 + u32::from(g) * 150 + u32::from(b) * 29) >> 8) as u8
    };
    r.iter().zip(g).zip(b).map(weighted).collect()
}

fn detect(grey: &[u8], height: usize) -> opencv::Result<Seen> {
    let mut seen = Seen::default();
    if grey.is_empty() {
        return Ok(seen);
    }
    let flat = Mat::from_slice(grey)?;
    let image = flat.reshape(1, height as i32)?;
    let dictionary = get_predefined_dictionary(PREDEFINED_DICTIONARY_NAME::DICT_4X4_50)?;
    let mut parameters = DetectorParameters::create()?;
    parameters.set_corner_refinement_method(CornerRefineMethod::CORNER_REFINE_SUBPIX as i32);
    parameters.set_corner_refinement_win_size(3);
    let mut corners: Vector<Vector<Point2f>> = Vector::new();
    let mut rejected: Vector<Vector<Point2f>> = Vector::new();
    let mut ids: Vector<i32> = Vector::new();
    detect_markers(
        &image,
        &dictionary,
        &mut corners,
        &mut ids,
        &parameters,
        &mut rejected,
    )?;
    for (id, four) in ids.iter().zip(corners.iter()) {
        let Some(slot) = usize::try_from(id).ok().and_then(|i| seen.get_mut(i)) else {
            continue;
        };
        if four.len() == 4 {
            let mut points = [Point::default(); 4];
            for (to, p) in points.iter_mut().zip(four.iter()) {
                // The library counts from the middle of the first pixel.
                *to = Point::new(f64::from(p.x) + 0.5, f64::from(p.y) + 0.5);
            }
            *slot = Some(points);
        }
    }
    Ok(seen)
}

/// The board's transform from at least three markers, and the root mean square distance in px at
/// their corners.
#[must_use]
pub fn transform(seen: &Seen, sheet: &Sheet) -> Option<(PxFromCell, f64)> {
    let mut pairs = Vec::with_capacity(16);
    for (found, area) in seen.iter().zip(sheet.markers) {
        if let Some(corners) = found {
            pairs.extend(area.corners().into_iter().zip(*corners));
        }
    }
    if pairs.len() < 12 {
        return None;
    }
    let t = homography(&pairs)?;
    let sum: f64 = pairs
        .iter()
        .map(|(cell, px)| t.map(*cell).distance(*px).powi(2))
        .sum();
    Some((t, (sum / pairs.len() as f64).sqrt()))
}

/// The homography with the least squared error (algebraic, in balanced coordinates) over pairs of
/// a point in cell space and one in px.
#[must_use]
pub fn homography(pairs: &[(Point, Point)]) -> Option<PxFromCell> {
    let n = pairs.len().max(1) as f64;
    let balance = |all: &dyn Fn(&(Point, Point)) -> Point| {
        let (x, y) = pairs
            .iter()
            .map(all)
            .fold((0.0, 0.0), |s, p| (s.0 + p.x, s.1 + p.y));
        let c = Point::new(x / n, y / n);
        let spread = pairs.iter().map(|p| all(p).distance(c)).sum::<f64>() / n;
        (c, spread.max(1e-9))
    };
    let (c, s) = balance(&|p| p.0);
    let (d, t) = balance(&|p| p.1);
    let mut normal = Normal::<8>::default();
    for (cell, px) in pairs {
        let (x, y) = ((cell.x - c.x) / s, (cell.y - c.y) / s);
        let (u, v) = ((px.x - d.x) / t, (px.y - d.y) / t);
        normal.add(&[x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y], u, 1.0);
        normal.add(&[0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y], v, 1.0);
    }
    let m = normal.solve()?;
    let h = [m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], 1.0];
    let into = [
        1.0 / s,
        0.0,
        -c.x / s,
        0.0,
        1.0 / s,
        -c.y / s,
        0.0,
        0.0,
        1.0,
    ];
    let out = [t, 0.0, d.x, 0.0, t, d.y, 0.0, 0.0, 1.0];
    let product = super::refine::product;
    Some(PxFromCell(product(&out, &product(&h, &into))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::picture::packed;
    use crate::types::sheet::MARKERS;
    use crate::types::{GridSize, Picture};

    /// The sheet's markers drawn through a transform.
    fn drawn(at: &PxFromCell, sheet: &Sheet) -> Picture {
        let mut picture = Picture::filled(640, 480, [30, 34, 40]);
        let back = at.inverse().expect("regular");
        for y in 0..480u32 {
            for x in 0..640u32 {
                let p = back.map(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
                for (area, bits) in sheet.markers.iter().zip(MARKERS) {
                    let (u, v) = (
                        (p.x - area.at.x) / area.width * 6.0,
                        (p.y - area.at.y) / area.width * 6.0,
                    );
                    if (-1.0..7.0).contains(&u) && (-1.0..7.0).contains(&v) {
                        let (i, j) = (v.floor() as i32 - 1, u.floor() as i32 - 1);
                        let quiet = !(0.0..6.0).contains(&u) || !(0.0..6.0).contains(&v);
                        let inner = (0..4).contains(&i) && (0..4).contains(&j);
                        let white = quiet || inner && bits[i as usize] >> (3 - j) & 1 == 1;
                        let tone = if white { 230 } else { 10 };
                        picture.pixels_mut()[(y * 640 + x) as usize] = packed([tone; 3]);
                    }
                }
            }
        }
        picture
    }

    #[test]
    fn all_four_are_found_at_their_corners() {
        let size = GridSize::new(10, 20);
        let sheet = Sheet::of(size);
        let corners = [
            Point::new(210.0, 40.0),
            Point::new(400.0, 30.0),
            Point::new(420.0, 420.0),
            Point::new(190.0, 440.0),
        ];
        let at = PxFromCell::from_corners(size, corners).expect("no three on a line");
        let planes = Planes::new(&drawn(&at, &sheet));
        let seen = find(&planes);
        assert!(seen.iter().all(Option::is_some), "{seen:?}");
        let (found, rms) = transform(&seen, &sheet).expect("four markers");
        assert!(rms < 0.8, "{rms}");
        for (a, b) in found.corners(size).iter().zip(corners) {
            assert!(a.distance(b) < 1.0, "{a:?} {b:?}");
        }
    }

    #[test]
    fn no_markers_are_no_error() {
        for (w, h) in [(0, 0), (1, 1), (64, 48)] {
            let planes = Planes::new(&Picture::filled(w, h, [200; 3]));
            assert_eq!(find(&planes), Seen::default());
        }
    }
}
