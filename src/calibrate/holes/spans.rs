//! Cells of an endless lattice that are looked at together, and its transform at other scales.
//!
//! Takes spans and transforms, gives others. Nothing is looked at.

use super::super::extent::Span;
use super::super::refine::product;
use crate::types::{Point, PxFromCell};

/// A span with `by` more cells on each side.
#[must_use]
pub fn grown(s: Span, by: i32) -> Span {
    Span {
        x0: s.x0 - by,
        y0: s.y0 - by,
        x1: s.x1 + by,
        y1: s.y1 + by,
    }
}

/// The cells around the middle of a span.
#[must_use]
pub fn central(s: Span) -> Span {
    const SIDE: i32 = 7;
    let cut = |a: i32, b: i32| {
        let from = a + ((b - a - SIDE) / 2).max(0);
        (from, b.min(from + SIDE))
    };
    let (x0, x1) = cut(s.x0, s.x1);
    let (y0, y1) = cut(s.y0, s.y1);
    Span { x0, y0, x1, y1 }
}

/// No more cells than a board and its surroundings may have.
#[must_use]
pub fn limited(s: Span) -> Span {
    const MOST: i32 = 18;
    let cut = |a: i32, b: i32| {
        let over = (b - a - MOST).max(0);
        (a + over / 2, b - (over - over / 2))
    };
    let (x0, x1) = cut(s.x0, s.x1);
    let (y0, y1) = cut(s.y0, s.y1);
    Span { x0, y0, x1, y1 }
}

/// The transform with its origin moved to the corner of a span.
#[must_use]
pub fn shifted(at: &PxFromCell, span: Span) -> PxFromCell {
    let (x, y) = (f64::from(span.x0), f64::from(span.y0));
    PxFromCell(product(&at.0, &[1.0, 0.0, x, 0.0, 1.0, y, 0.0, 0.0, 1.0]))
}

/// The transform to a picture `by` times as large.
#[must_use]
pub fn scaled(at: &PxFromCell, by: f64) -> PxFromCell {
    super::super::finder::enlarged(at, by)
}

/// Px from cell to cell in the middle of a span, the smaller of both ways.
#[must_use]
pub fn pitch(at: &PxFromCell, span: Span) -> Option<f64> {
    let x = f64::from(span.x0 + span.x1) / 2.0;
    let y = f64::from(span.y0 + span.y1) / 2.0;
    let side = |dx: f64, dy: f64| {
        at.map(Point::new(x - dx, y - dy))
            .distance(at.map(Point::new(x + dx, y + dy)))
    };
    let least = side(0.5, 0.0).min(side(0.0, 0.5));
    (least.is_finite() && least > 3.0).then_some(least)
}
