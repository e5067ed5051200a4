//! The numbers of the evaluation.
//!
//! The value of a position is the sum over its empty cells and both colours: of the four line
//! patterns of the cell, and of its two strongest patterns together.

/// By whether the colour is to move, and pattern.
const LINE: [[i32; 16]; 2] = [
    [0, 0, 0, 1, 2, 4, 5, 10, 14, 18, 20, 40, 55, 60, 150, 400],
    [0, 0, 0, 1, 2, 3, 4, 7, 10, 12, 14, 24, 30, 34, 100, 300],
];

/// The value of a cell for a colour that is to move (`side` 0) or not (1); patterns strongest
/// first.
pub(super) fn value(side: usize, set: [u8; 4]) -> i32 {
    let line = |p: u8| LINE[side][usize::from(p)];
    let sum: i32 = set.iter().map(|&p| line(p)).sum();
    // Two lines that meet are worth more than two that do not.
    sum + line(set[0]).min(line(set[1]))
}

/// How early to look at a move, for the colour itself (`side` 0) or against it (1).
pub(super) fn order(side: usize, set: [u8; 4]) -> i32 {
    let own = value(0, set);
    if side == 0 { own * 2 } else { own + own / 4 }
}
