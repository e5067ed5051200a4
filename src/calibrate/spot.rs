//! A place by what is to be seen there: a small picture (a button, an icon), or an area of one
//! colour.
//!
//! Takes a picture and a [`Look`], gives a point in px. Must never guess: what is not surely there
//! has no place.

use opencv::core::{Mat, Point as CvPoint, Size, min_max_loc, no_array};
use opencv::imgproc::{INTER_AREA, INTER_LINEAR, TM_CCOEFF_NORMED, match_template, resize};
use opencv::prelude::MatTraitConst as _;

use crate::types::picture::channels;
use crate::types::{Look, Picture, Point};

/// Least correlation of a picture that is there. One button beside another with other words on it
/// reaches 0.8; the same one in another size 0.93 and more, since its letters are drawn anew.
const SURE: f64 = 0.9;
/// At its own size nothing else need be looked for above this.
const EXACT: f64 = 0.98;
/// From one size that is tried to the next: a picture of 100 px is then at most 3 px off.
const SIZE_STEP: f64 = 1.06;
/// Smallest side in px that a picture is looked for with.
const SMALLEST: f64 = 6.0;

/// Where it is to be seen: the middle of the picture, or a point well inside the area.
#[must_use]
pub fn find(picture: &Picture, look: &Look) -> Option<Point> {
    match look {
        Look::Picture { picture: small, .. } => find_picture(picture, small).map(|(at, _)| at),
        Look::Colour {
            rgb,
            tolerance,
            least,
        } => find_colour(picture, *rgb, *tolerance, *least),
    }
}

fn grey(picture: &Picture) -> Vec<u8> {
    let shade = |&pixel: &u32| {
        let [r, g, b] = channels(pixel).map(u32::from);
        ((r * 77 + g * 150 + b * 29) >> 8) as u8
    };
    picture.pixels().iter().map(shade).collect()
}

/// One size that was tried.
#[derive(Clone, Copy)]
struct Hit {
    score: f64,
    /// Top left corner.
    at: CvPoint,
    /// Size that was looked for.
    size: Size,
    /// Against its own size.
    scale: f64,
}

impl Hit {
    fn middle(&self) -> Point {
        let half = |side: i32| f64::from(side) / 2.0;
        Point::new(
            f64::from(self.at.x) + half(self.size.width),
            f64::from(self.at.y) + half(self.size.height),
        )
    }
}

/// The middle of the place where a small picture is to be seen best, and how sure that is: its
/// correlation, up to 1. A failure inside the library is the same as not found.
#[must_use]
pub fn find_picture(picture: &Picture, small: &Picture) -> Option<(Point, f64)> {
    let hit = search(picture, small).ok().flatten()?;
    Some((hit.middle(), hit.score))
}

fn search(picture: &Picture, small: &Picture) -> opencv::Result<Option<Hit>> {
    if picture.pixels().is_empty() || Look::usable(small).is_err() {
        return Ok(None);
    }
    let (shades, wanted) = (grey(picture), grey(small));
    let shades = Mat::from_slice(&shades)?;
    let shades = shades.reshape(1, picture.height() as i32)?.try_clone()?;
    let wanted = Mat::from_slice(&wanted)?;
    let wanted = wanted.reshape(1, small.height() as i32)?.try_clone()?;
    let own = attempt(&shades, &wanted, 1.0)?;
    if let Some(hit) = own.filter(|h| h.score >= EXACT) {
        return Ok(Some(hit));
    }
    // Other sizes, in a picture of half the size first.
    let half = scaled(&shades, 0.5)?;
    let mut rough: Option<Hit> = None;
    let mut scale = 0.5;
    while scale <= 2.0 * SIZE_STEP {
        let hit = attempt(&half, &wanted, scale / 2.0)?;
        rough = better(rough, hit);
        scale *= SIZE_STEP;
    }
    let mut best = own;
    if let Some(rough) = rough {
        for near in [0.96, 0.98, 1.0, 1.02, 1.04] {
            best = better(best, attempt(&shades, &wanted, rough.scale * 2.0 * near)?);
        }
    }
    Ok(best.filter(|h| h.score >= SURE))
}

fn better(a: Option<Hit>, b: Option<Hit>) -> Option<Hit> {
    match (a, b) {
        (Some(a), Some(b)) if b.score > a.score => Some(b),
        (None, b) => b,
        (a, _) => a,
    }
}

/// The best place of the picture at this scale.
fn attempt(shades: &Mat, wanted: &Mat, scale: f64) -> opencv::Result<Option<Hit>> {
    let small = scaled(wanted, scale)?;
    let size = small.size()?;
    let room = shades.size()?;
    if size.width > room.width
        || size.height > room.height
        || f64::from(size.width.min(size.height)) < SMALLEST
    {
        return Ok(None);
    }
    let mut scores = Mat::default();
    match_template(shades, &small, &mut scores, TM_CCOEFF_NORMED, &no_array())?;
    let (mut score, mut at) = (0.0, CvPoint::default());
    min_max_loc(
        &scores,
        None,
        Some(&mut score),
        None,
        Some(&mut at),
        &no_array(),
    )?;
    // A flat part of the picture correlates with anything.
    Ok((score.is_finite() && score <= 1.5).then_some(Hit {
        score,
        at,
        size,
        scale,
    }))
}

fn scaled(picture: &Mat, scale: f64) -> opencv::Result<Mat> {
    if (scale - 1.0).abs() < 1e-9 {
        return picture.try_clone();
    }
    let size = picture.size()?;
    let side = |v: i32| ((f64::from(v) * scale).round() as i32).max(1);
    let to = Size::new(side(size.width), side(size.height));
    let how = if scale < 1.0 {
        INTER_AREA
    } else {
        INTER_LINEAR
    };
    let mut out = Mat::default();
    resize(picture, &mut out, to, 0.0, 0.0, how)?;
    Ok(out)
}

/// Pixels of one row that belong together.
#[derive(Clone, Copy)]
struct Run {
    y: u32,
    from: u32,
    to: u32,
    area: usize,
}

fn find_colour(picture: &Picture, rgb: [u8; 3], tolerance: u8, least: f64) -> Option<Point> {
    let is = |pixel: u32| {
        let seen = channels(pixel);
        (0..3).all(|i| seen[i].abs_diff(rgb[i]) <= tolerance)
    };
    let mut runs: Vec<Run> = Vec::new();
    // Areas by their numbers; a merged one points at the other.
    let mut parent: Vec<usize> = Vec::new();
    let mut above = 0..0;
    for y in 0..picture.height() {
        let row = picture.row(y);
        let began = runs.len();
        let mut x = 0;
        while x < row.len() {
            if !is(row[x]) {
                x += 1;
                continue;
            }
            let from = x;
            while x < row.len() && is(row[x]) {
                x += 1;
            }
            let (from, to) = (from as u32, x as u32);
            let mut area = None;
            for i in above.clone() {
                let other: Run = runs[i];
                if other.from < to && from < other.to {
                    let root = root(&mut parent, other.area);
                    match area {
                        None => area = Some(root),
                        Some(mine) => parent[root] = mine,
                    }
                }
            }
            let area = area.unwrap_or_else(|| {
                parent.push(parent.len());
                parent.len() - 1
            });
            let area = root(&mut parent, area);
            runs.push(Run { y, from, to, area });
        }
        above = began..runs.len();
    }
    let mut sums = vec![(0_u64, 0_u64); parent.len()];
    for run in &mut runs {
        run.area = root(&mut parent, run.area);
        let n = u64::from(run.to - run.from);
        sums[run.area].0 += n;
        sums[run.area].1 += n * u64::from(run.y);
    }
    let largest = (0..sums.len()).max_by_key(|&i| sums[i].0)?;
    let (count, weighted) = sums[largest];
    let all = picture.pixels().len().max(1) as f64;
    if (count as f64) < (least * all).max(1.0) {
        return None;
    }
    // The longest run of its middle row is inside, whatever its shape.
    let middle = (weighted / count.max(1)) as u32;
    let of_area = runs.iter().filter(|r| r.area == largest);
    let run = of_area.min_by_key(|r| (r.y.abs_diff(middle), u32::MAX - (r.to - r.from)))?;
    let x = f64::from(run.from + run.to) / 2.0;
    Some(Point::new(x, f64::from(run.y) + 0.5))
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        // Half of the way is forgotten each time, so that chains stay short.
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Stripes and spots that are nowhere else, at a scale; drawn with soft edges, as text is.
    fn motif(picture: &mut Picture, x0: i64, y0: i64, scale: f64, turned: bool) {
        let side = (40.0 * scale) as i64;
        let inked = |x: f64, y: f64| {
            let (u, v) = (x / scale, y / scale);
            f64::from(((u * 0.55).sin() * (v * 0.6).cos() > 0.2) != turned)
        };
        for y in 0..side / 2 {
            for x in 0..side {
                let parts = (0..16).map(|i| (f64::from(i % 4), f64::from(i / 4)));
                let at = |(dx, dy): (f64, f64)| {
                    inked(x as f64 + (dx + 0.5) / 4.0, y as f64 + (dy + 0.5) / 4.0)
                };
                let ink = parts.map(at).sum::<f64>() / 16.0;
                picture.set(x0 + x, y0 + y, [(40.0 + 180.0 * ink) as u8; 3]);
            }
        }
    }

    fn look(picture: Picture) -> Look {
        Look::Picture {
            name: "motif.png".into(),
            picture: Arc::new(picture),
        }
    }

    fn ground() -> Picture {
        let mut ground = Picture::filled(400, 300, [90, 100, 110]);
        for i in 0..60 {
            ground.set(i * 6, (i * 37) % 300, [200, 30, 30]);
        }
        ground
    }

    #[test]
    fn a_picture_is_found_at_its_own_size_and_in_others() {
        let mut small = Picture::filled(40, 20, [0; 3]);
        motif(&mut small, 0, 0, 1.0, false);
        let look = look(small);
        for scale in [1.0, 0.7, 1.5] {
            let mut seen = ground();
            motif(&mut seen, 200, 120, scale, false);
            motif(&mut seen, 30, 40, scale, true);
            let at = find(&seen, &look).expect("it is there");
            let wanted = Point::new(200.0 + 20.0 * scale, 120.0 + 10.0 * scale);
            assert!(at.distance(wanted) < 2.5, "{scale}: {at:?}");
        }
    }

    #[test]
    fn a_picture_that_is_not_there_is_not_found() {
        let mut small = Picture::filled(40, 20, [0; 3]);
        motif(&mut small, 0, 0, 1.0, false);
        let look = look(small);
        assert_eq!(find(&ground(), &look), None);
        let mut other = ground();
        motif(&mut other, 200, 120, 1.0, true);
        assert_eq!(find(&other, &look), None);
        assert_eq!(find(&Picture::filled(10, 10, [9; 3]), &look), None);
        assert_eq!(find(&Picture::default(), &look), None);
    }

    #[test]
    fn the_largest_area_of_a_colour() {
        let blue = |least| Look::Colour {
            rgb: [0x35, 0x84, 0xe4],
            tolerance: 10,
            least,
        };
        let mut seen = ground();
        // A ring, and a smaller bar of almost the same colour.
        for y in 0..60 {
            for x in 0..100 {
                if !(10..90).contains(&x) || !(10..50).contains(&y) {
                    seen.set(200 + x, 100 + y, [0x35, 0x80, 0xe0]);
                }
            }
        }
        for y in 0..20 {
            for x in 0..50 {
                seen.set(20 + x, 200 + y, [0x35, 0x84, 0xe4]);
            }
        }
        let at = find(&seen, &blue(0.01)).expect("it is there");
        let [r, _, b] = seen.rgb(at.x as u32, at.y as u32);
        assert_eq!((r, b), (0x35, 0xe0), "inside the ring itself: {at:?}");
        assert_eq!(find(&seen, &blue(0.05)), None, "too small");
        assert_eq!(find(&Picture::default(), &blue(0.0)), None);
    }

    #[test]
    fn pictures_that_say_nothing_are_refused() {
        assert!(Look::usable(&Picture::filled(30, 30, [5; 3])).is_err());
        assert!(Look::usable(&Picture::filled(3, 30, [5; 3])).is_err());
        let mut good = Picture::filled(40, 20, [0; 3]);
        motif(&mut good, 0, 0, 1.0, false);
        assert_eq!(Look::usable(&good), Ok(()));
    }
}
