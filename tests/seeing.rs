//! Generated pictures that were once read wrong: each must stay right.
//!
//! `kibitzer bench seeing --set SET --from SEED --seeds 1 --save-failures DIR` shows one of them.

use kibitzer::cli::bench::seeing::score::judge;
use kibitzer::cli::bench::seeing::{eyes, lines, none};
use kibitzer::games::flood::target::cases::{Case, screenshot};
use kibitzer::games::gomoku;
use kibitzer::types::Wanted;

/// Screenshots that were missed or misread by earlier finders.
const SCREENSHOTS: [u64; 30] = [
    4, 7, 8, 12, 15, 20, 24, 28, 29, 31, 39, 41, 43, 52, 57, 65, 71, 74, 76, 82, 89, 95, 104, 106,
    111, 116, 122, 136, 151, 159,
];

/// Pictures without a board, one of each kind.
const NONE: std::ops::Range<u64> = 0..none::KINDS.len() as u64;

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

/// Boards of squares: lit and framed squares, strokes told by ink, discs over lines.
const SQUARES: [u64; 8] = [10, 21, 29, 34, 45, 66, 69, 188];

/// Boards of crossings: outermost lines hidden by stones, glare over stones, single odd colours, small
/// boards, numbers, symbols, strong grain, thick stones.
const CROSSINGS: [u64; 9] = [22, 23, 24, 25, 64, 96, 115, 124, 165];

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
