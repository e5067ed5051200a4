//! Generated pictures that were once read wrong: each must stay right.
//!
//! `kibitzer bench seeing --set SET --from SEED --seeds 1 --save-failures DIR` shows one of them.

use kibitzer::cli::bench::seeing::score::{judge, judge_any};
use kibitzer::cli::bench::seeing::{eyes, holes, lines, none, paper, photos, stacks, styles};
use kibitzer::games::flood::target::cases::{Case, screenshot};
use kibitzer::games::{connect4, gomoku};
use kibitzer::types::Wanted;

/// Screenshots that were missed or misread by earlier finders.
const SCREENSHOTS: [u64; 30] = [
    4, 7, 8, 12, 15, 20, 24, 28, 29, 31, 39, 41, 43, 52, 57, 65, 71, 74, 76, 82, 89, 95, 104, 106,
    111, 116, 122, 136, 151, 159,
];

/// Photographs: a lamp mirrored in a television, in a turned monitor and in a phone's picture, a
/// steep view, a hand and popups over a part of the board.
const PHOTOS: [u64; 8] = [0, 3, 7, 8, 15, 20, 33, 36];

/// Paper: regions so large that no cell stands alone, strong light, a strip below the board, a
/// colour of one cell, a photograph.
const PAPER: [u64; 10] = [0, 1, 6, 8, 11, 35, 36, 40, 44, 49];

/// A sign or a dot on every cell.
const STYLES: [u64; 4] = [1, 12, 23, 34];

/// One of each kind of screen with Tetris.
const STACKS: [u64; 13] = [0, 1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16];

/// Pictures without a board, one of each kind.
const NONE: std::ops::Range<u64> = 0..none::KINDS.len() as u64;

/// Boards of holes with thumbs and messages over them, lines and marks drawn on them, and before a
/// table, that were once missed or misread.
const HOLES: [u64; 17] = [
    21, 22, 23, 45, 96, 119, 141, 155, 191, 203, 213, 215, 239, 262, 309, 357, 358,
];

/// Boards under a lamp's glare: what cannot be told is Unknown.
const GLARE: [u64; 5] = [33, 81, 129, 201, 297];

/// Round things in rows, and squares, that were once taken for boards of holes.
const NO_HOLES: [u64; 4] = [15, 29, 46, 78];

fn verdicts(draw: fn(u64) -> Case, seeds: impl IntoIterator<Item = u64>) -> Vec<String> {
    verdicts_of(&kibitzer::games::flood::vision::wanted(), draw, seeds)
}

fn verdicts_of(
    wanted: &Wanted,
    draw: fn(u64) -> Case,
    seeds: impl IntoIterator<Item = u64>,
) -> Vec<String> {
    let mut missed = Vec::new();
    for seed in seeds {
        let case = draw(seed);
        let found = eyes::find(&case.picture, wanted);
        let verdict = judge(case.truth.as_ref(), &eyes::read(&case.picture, found));
        if verdict.wrong || verdict.board && !(verdict.right && verdict.accepted) {
            missed.push(format!("{}: {verdict:?}", case.name));
        }
    }
    missed
}

#[test]
fn screenshots_once_misread_stay_right() {
    assert_eq!(verdicts(screenshot, SCREENSHOTS), [""; 0]);
}

#[test]
fn no_kind_of_picture_without_a_board_shows_one() {
    assert_eq!(verdicts(none::case, NONE), [""; 0]);
}

#[test]
fn boards_of_holes_once_misread_stay_right() {
    let wanted = connect4::vision::wanted();
    assert_eq!(verdicts_of(&wanted, holes::case, HOLES), [""; 0]);
    assert_eq!(verdicts_of(&wanted, holes::none::case, NO_HOLES), [""; 0]);
}

#[test]
fn a_glare_makes_doubt_and_no_disc() {
    let wanted = connect4::vision::wanted();
    for seed in GLARE {
        let case = holes::case(seed);
        let found = eyes::find(&case.picture, &wanted);
        let verdict = judge(case.truth.as_ref(), &eyes::read(&case.picture, found));
        assert!(
            verdict.accepted && !verdict.wrong,
            "{}: {verdict:?}",
            case.name
        );
    }
}

#[test]
fn photographs_once_missed_stay_right() {
    assert_eq!(verdicts(photos::case, PHOTOS), [""; 0]);
}

#[test]
fn paper_once_missed_stays_right() {
    assert_eq!(verdicts(paper::case, PAPER), [""; 0]);
}

#[test]
fn signs_that_go_with_a_colour_do_not_hide_a_board() {
    assert_eq!(verdicts(styles::case, STYLES), [""; 0]);
}

#[test]
fn stacks_once_missed_stay_right() {
    let wanted = kibitzer::games::tetris::vision::wanted();
    for seed in STACKS {
        let drawn = stacks::case(seed);
        let found = eyes::find(&drawn.case.picture, &wanted);
        let truths = drawn.case.truth.iter().chain(&drawn.others);
        let verdict = judge_any(truths, &eyes::read(&drawn.case.picture, found));
        assert!(
            verdict.right && verdict.accepted,
            "{}: {verdict:?}",
            drawn.case.name
        );
    }
}

/// Boards of squares: lit and framed squares, strokes told by ink, discs over lines.
const SQUARES: [u64; 8] = [10, 21, 29, 34, 45, 66, 69, 188];

/// Boards of crossings: outermost lines hidden by stones, glare over stones, single odd colours, small
/// boards, numbers, symbols, strong grain, thick stones, stones of the ground's colour that only a
/// line tells from it.
const CROSSINGS: [u64; 13] = [21, 22, 23, 24, 25, 64, 96, 100, 115, 124, 151, 165, 191];

#[test]
fn boards_of_squares_once_misread_stay_right() {
    let wanted = gomoku::vision::wanted();
    assert_eq!(verdicts_of(&wanted, lines::squares, SQUARES), [""; 0]);
}

#[test]
fn boards_of_crossings_once_misread_stay_right() {
    let wanted = gomoku::vision::wanted();
    assert_eq!(verdicts_of(&wanted, lines::crossings, CROSSINGS), [""; 0]);
}
