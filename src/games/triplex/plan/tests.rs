//! Steps towards a solution, from scenes that nobody had to draw, carried out by the rules.

use super::*;
use crate::games::triplex::policies::Exact;
use crate::types::{GridSize, PxFromCell};

const VISIBLE: Rect = Rect {
    x: 0,
    y: 0,
    width: 400,
    height: 400,
};

fn loose(text: &str, x: f64) -> Piece {
    let turns = text.contains('o');
    let figure: Figure = text.replace('o', "x").parse().expect("a figure");
    Piece {
        figure,
        spot: Spot::Loose(Point::new(x, 4.0)),
        circle: turns.then(|| figure.cells().next().expect("a square")),
    }
}

/// The first level: a corner, three in a row and a domino that lies the wrong way fill 4x2.
fn first() -> Scene {
    let figures = [".x/xx", "xxx", "o/o"];
    Scene {
        size: GridSize::new(4, 2),
        px_from_cell: PxFromCell::upright(Point::new(100.0, 100.0), 30.0, 30.0),
        pieces: { figures.iter().zip([-2.0, 1.0, 5.0]) }
            .map(|(text, x)| loose(text, x))
            .collect(),
    }
}

/// Does what the page does with a step.
fn carry_out(scene: &mut Scene, step: Step) {
    let (Step::Turn { at: from } | Step::Drag { from, .. }) = step;
    let touched = |p: &Piece| { p.figure.cells() }.any(|c| p.centre_of(c).distance(from) < 0.3);
    let moved = { scene.pieces.iter() }.position(touched).expect("a figure");
    let taken: Vec<Cell> = { scene.pieces.iter().enumerate() }
        .filter(|(i, _)| *i != moved)
        .flat_map(|(_, p)| p.covers().collect::<Vec<_>>())
        .collect();
    let size = scene.size;
    let piece = &mut scene.pieces[moved];
    match step {
        Step::Turn { .. } => {
            piece.figure = piece.figure.turned();
            piece.circle = piece.figure.cells().next();
        }
        Step::Drag { to, lays, .. } => match lays {
            Some(place) => {
                let free = |c: Cell| c.col < size.cols && c.row < size.rows && !taken.contains(&c);
                assert!(place.cells().all(free), "{place:?} is covered");
                piece.spot = Spot::Laid(place.at);
                let touched = piece.figure.cells().any(|c| piece.centre_of(c) == to);
                assert!(touched, "{to:?} is no square of it");
            }
            None => piece.spot = Spot::Loose(Point::new(to.x, to.y)),
        },
    }
}

/// Steps until all lies as the solution says.
fn play(scene: &mut Scene) -> Vec<Step> {
    let mut steps = Vec::new();
    loop {
        let found = solution(scene, &mut Exact::new(), &Budget::default()).expect("a solution");
        let Some(step) = next(scene, &found, VISIBLE).expect("room") else {
            break;
        };
        steps.push(step);
        assert!(steps.len() < 20, "it goes round in circles: {steps:?}");
        carry_out(scene, step);
    }
    assert!(scene.is_solved(), "{}", scene.board());
    steps
}

#[test]
fn turns_first_and_drags_each_figure_once() {
    let mut scene = first();
    let steps = play(&mut scene);
    let turned = |s: &&Step| matches!(s, Step::Turn { .. });
    assert_eq!(steps.iter().filter(turned).count(), 1);
    assert_eq!(steps.len(), 4);
}

#[test]
fn a_figure_in_a_wrong_place_is_moved_and_one_in_the_way_is_taken_off() {
    for piece in 0..2 {
        for (col, row) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)] {
            let mut scene = first();
            let figure = scene.pieces[piece].figure;
            let solution = solution(&scene, &mut Exact::new(), &Budget::default());
            let at = Cell::new(col, row);
            if solution
                .expect("one")
                .placements()
                .contains(&Placement { figure, at })
            {
                continue;
            }
            if col + figure.width() > 4 || row + figure.height() > 2 {
                continue;
            }
            scene.pieces[piece].spot = Spot::Laid(at);
            let steps = play(&mut scene);
            assert!((4..=5).contains(&steps.len()), "{steps:?}");
        }
    }
}

#[test]
fn nothing_is_done_while_a_figure_is_hidden() {
    let mut scene = first();
    scene.pieces.pop();
    let told = solution(&scene, &mut Exact::new(), &Budget::default());
    assert!(matches!(told, Err(Stuck::Figures(_))), "{told:?}");
}

#[test]
fn two_circles_are_one_too_many() {
    let mut scene = first();
    scene.pieces[1].circle = Some(Cell::new(1, 0));
    let told = solution(&scene, &mut Exact::new(), &Budget::default());
    assert_eq!(told, Err(Stuck::Circles(2)));
}
