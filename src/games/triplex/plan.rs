//! What to do next with a level that is seen: one figure dragged, or the one that turns turned.
//!
//! Takes a [`Scene`] and the policy that solves it; gives one [`Step`] in the space of the
//! rectangle's cells. It is asked again after each step with what is then seen, so that a figure
//! that was dropped wrong, or moved by somebody else, is part of the next question and needs no
//! memory. Must never trust that a step had its effect.

use super::policies::TriplexPolicy;
use super::rules::{Field, FieldError, Figure, Level, LevelError, Placement, Tiling};
use super::vision::{Piece, Scene, Spot};
use crate::types::{Budget, Cell, Point, Rect};

/// One thing to do, in cell space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Click on the circle of the figure that turns.
    Turn {
        /// The circle's centre.
        at: Point,
    },
    /// Press on a square of a figure, move, let go.
    Drag {
        /// The centre of the square.
        from: Point,
        /// Where that centre belongs.
        to: Point,
        /// Where the figure then lies; `None` if it is only taken out of the way.
        lays: Option<Placement>,
    },
}

/// Why there is no next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// The field is none that a level has.
    #[error("the rectangle that is seen is no field: {0}")]
    Field(#[from] FieldError),
    /// A figure is hidden, on its way, or was not seen as it is.
    #[error("not all figures are seen: {0}")]
    Figures(#[from] LevelError),
    /// More than one figure bears a circle.
    #[error("{0} figures bear a circle, and a level has one at most: something was seen wrongly")]
    Circles(usize),
    /// No solution was found.
    #[error("the figures that are seen do not fill the rectangle, or the budget was spent")]
    Unsolved,
    /// A figure is to be taken off and nothing is free beside the rectangle.
    #[error("there is no room beside the rectangle to take a figure to: make the window larger")]
    Room,
}

/// How far beyond the rectangle the middle of a figure is that is taken off it, in cells.
const BEYOND: f64 = 2.0;

/// What solves the level.
///
/// # Errors
/// When not all is seen, or what is seen has no solution within the budget.
pub fn solution(
    scene: &Scene,
    policy: &mut dyn TriplexPolicy,
    budget: &Budget,
) -> Result<Tiling, Stuck> {
    let turns: Vec<&Piece> = { scene.pieces.iter() }
        .filter(|p| p.circle.is_some())
        .collect();
    if turns.len() > 1 {
        return Err(Stuck::Circles(turns.len()));
    }
    let fixed = { scene.pieces.iter() }
        .filter(|p| p.circle.is_none())
        .map(|p| (p.figure, 1));
    let turnable = turns.first().map(|p| p.figure);
    let level = Level::new(Field::new(scene.size)?, fixed, turnable)?;
    let mut found = None;
    policy.solve(&level, budget, &mut |tiling| {
        found = Some(tiling);
        false
    });
    found.ok_or(Stuck::Unsolved)
}

/// The next step towards a solution; `None` when all figures lie as it says. `visible` is the part
/// of the picture that can be clicked, in pixels.
///
/// # Errors
/// When a figure must be taken off the rectangle and there is no room for it.
pub fn next(scene: &Scene, solution: &Tiling, visible: Rect) -> Result<Option<Step>, Stuck> {
    if let Some(step) = turn(scene, solution) {
        return Ok(Some(step));
    }
    let places = solution.placements();
    let lies = |place: &Placement| {
        let own = |p: &Piece| p.figure == place.figure && p.spot == Spot::Laid(place.at);
        scene.pieces.iter().any(own)
    };
    let open: Vec<&Placement> = places.iter().filter(|p| !lies(p)).collect();
    let wrong = |p: &&Piece| {
        let right = |q: &Placement| q.figure == p.figure && p.spot == Spot::Laid(q.at);
        !places.iter().any(right)
    };
    let pieces: Vec<&Piece> = scene.pieces.iter().filter(wrong).collect();
    for piece in &pieces {
        let free = |c: Cell| {
            let mut others = scene.pieces.iter().filter(|p| *p != *piece);
            !others.any(|p| p.covers().any(|d| d == c))
        };
        let fits = |p: &&&Placement| p.figure == piece.figure && p.cells().all(free);
        if let Some(place) = open.iter().find(fits) {
            return Ok(drag(piece, Spot::Laid(place.at), Some(**place)));
        }
    }
    // Every place is covered by a figure that belongs elsewhere: one of them makes room.
    let Some(piece) = { pieces.iter() }.find(|p| matches!(p.spot, Spot::Laid(_))) else {
        return Ok(None);
    };
    let away = room(scene, piece.figure, visible).ok_or(Stuck::Room)?;
    Ok(drag(piece, Spot::Loose(away), None))
}

/// A click on the circle, unless the figure that turns is turned as the solution has it.
fn turn(scene: &Scene, solution: &Tiling) -> Option<Step> {
    let piece = scene.pieces.iter().find(|p| p.circle.is_some())?;
    let count = |figure: Figure| {
        let fixed = scene.pieces.iter().filter(|p| p.circle.is_none());
        fixed.filter(|p| p.figure == figure).count()
    };
    let wanted = |figure: Figure| {
        let all = solution.placements().iter();
        all.filter(|p| p.figure == figure).count() > count(figure)
    };
    (!wanted(piece.figure)).then(|| Step::Turn {
        at: piece.centre_of(piece.circle.unwrap_or(Cell::new(0, 0))),
    })
}

/// Takes a figure by a square that bears no circle, where it has one.
fn drag(piece: &Piece, to: Spot, lays: Option<Placement>) -> Option<Step> {
    let square = { piece.figure.cells() }.find(|c| Some(*c) != piece.circle)?;
    let there = Piece { spot: to, ..*piece };
    Some(Step::Drag {
        from: piece.centre_of(square),
        to: there.centre_of(square),
        lays,
    })
}

/// Where the corner of a figure's box may be beside the rectangle, so that its middle is visible.
fn room(scene: &Scene, figure: Figure, visible: Rect) -> Option<Point> {
    let (cols, rows) = (f64::from(scene.size.cols), f64::from(scene.size.rows));
    let middles = [
        Point::new(cols / 2.0, rows + BEYOND),
        Point::new(cols + BEYOND, rows / 2.0),
        Point::new(-BEYOND, rows / 2.0),
        Point::new(cols / 2.0, -BEYOND),
    ];
    let half = (
        f64::from(figure.width()) / 2.0,
        f64::from(figure.height()) / 2.0,
    );
    let seen = |m: &&Point| {
        let reach = [(-half.0, -half.1), (half.0, half.1)];
        reach.iter().all(|(x, y)| {
            let px = scene.px_from_cell.map(Point::new(m.x + x, m.y + y));
            visible.contains(px)
        })
    };
    let middle = middles.iter().find(seen)?;
    Some(Point::new(middle.x - half.0, middle.y - half.1))
}

#[cfg(test)]
mod tests;
