//! Features by hand, and the fast ones against the definitions.

use kibitzer::games::tetris::policies::Placement;
use kibitzer::games::tetris::policies::bits::Wide;
use kibitzer::games::tetris::policies::features::{Counts, Ground};
use kibitzer::games::tetris::policies::pile::Pile;
use kibitzer::games::tetris::rules::{Board, JUNK, Kind};
use proptest::prelude::*;

use super::{board, slow};

fn counts(text: &str) -> Counts {
    *Ground::new(&Pile::<u32, 20>::of(&board(text))).counts()
}

fn placed(text: &str, kind: Kind, turn: u8, left: u16) -> Counts {
    let placement = Placement { kind, turn, left };
    let ground = Ground::new(&Pile::<u32, 20>::of(&board(text)));
    ground.rate(placement.shape(), usize::from(left) + 1)
}

#[test]
fn a_pile_counted_by_hand() {
    // Heights 3 2 1 2 0. One hole (column 2, row 1), one cell above it.
    let found = counts("...../...../#..../##.#./#.##.");
    let wanted = Counts {
        // 4 in row 1, 4 in row 2, 2 in each of the others.
        row_transitions: 14,
        // 1 in each column, 2 more for the hole.
        column_transitions: 7,
        holes: 1,
        // The hole 1, column 3 in row 2 1, column 5 1 + 2.
        wells: 5,
        hole_depth: 1,
        hole_rows: 1,
        // 1, 1, -1, 2.
        patterns: 3,
        height: 3,
        ..Counts::default()
    };
    assert_eq!(found, wanted);
    assert_eq!(
        slow::of_pile(&board("...../...../#..../##.#./#.##.")),
        wanted
    );
}

#[test]
fn an_empty_pile_is_not_nothing() {
    let found = counts("..../..../..../....");
    let wanted = Counts {
        row_transitions: 8,
        column_transitions: 4,
        patterns: 1,
        ..Counts::default()
    };
    assert_eq!(found, wanted);
}

#[test]
fn rows_that_vanish_by_hand() {
    // An I on end in the right column: rows 1 to 4, two of them complete, two cells of it each
    // time one; two cells stay.
    let found = placed("...../...../...../####./####.", Kind::I, 1, 4);
    let wanted = Counts {
        landing2: 4,
        eroded: 4,
        removed: 2,
        row_transitions: 10,
        column_transitions: 5,
        holes: 0,
        wells: 0,
        hole_depth: 0,
        hole_rows: 0,
        // 0 and -2.
        patterns: 2,
        height: 2,
    };
    assert_eq!(found, wanted);
}

#[test]
fn a_covered_hole_by_hand() {
    // A flat I over a gap of two rows: four holes in the rows below it, in columns 2 to 4.
    let found = placed("..../..../..../..../#.../#..#", Kind::I, 0, 0);
    assert_eq!((found.landing2, found.removed), (5, 1));
    // The complete row vanishes again: nothing is covered.
    assert_eq!((found.holes, found.hole_depth, found.height), (0, 0, 2));
    let found = placed("...../...../...../...../#..../#..#.", Kind::I, 0, 0);
    assert_eq!((found.landing2, found.removed, found.height), (5, 0, 3));
    // Columns 2 and 3 two each, column 4 one.
    assert_eq!((found.holes, found.hole_rows, found.hole_depth), (5, 2, 3));
    // Every run of holes ends twice: 3 more than without.
    assert_eq!(found.column_transitions, 5 + 2 * 3);
}

/// A pile of at most `highest` rows, no row complete.
fn pile(cols: u16, rows: u16, highest: u16, cells: &[u8]) -> Board {
    let mut made = Board::empty(cols, rows);
    let mut cell = cells.iter().cycle();
    for y in 0..highest.min(rows) as i16 {
        for x in 0..cols as i16 {
            if cell.next().is_some_and(|c| *c % 3 > 0) {
                made.set(x, y, JUNK);
            }
        }
        // One gap, at a place of the row's own.
        let gap = cell.next().map_or(0, |c| i16::from(*c) % cols as i16);
        made.set(gap, y, 0);
        // And now and then nearly complete.
        if cell.next().is_some_and(|c| *c % 4 == 0) {
            (0..cols as i16)
                .filter(|&x| x != gap)
                .for_each(|x| made.set(x, y, JUNK));
        }
    }
    made
}

/// All placements of all kinds, fast and slow.
fn all_agree<C: kibitzer::games::tetris::policies::bits::Bits, const W: usize>(made: &Board) {
    let ground = Ground::new(&Pile::<C, W>::of(made));
    assert_eq!(*ground.counts(), slow::of_pile(made), "{}", made.text());
    let highest = made.rows() as i16;
    for kind in Kind::ALL {
        for placement in Placement::all(kind, made.cols()) {
            let cells = placement.cells(made).expect("between the walls");
            if cells.iter().any(|c| c.1 >= highest) {
                // Out at the top the slow definition has no board.
                continue;
            }
            let fast = ground.rate(placement.shape(), usize::from(placement.left) + 1);
            let wanted = slow::of_placement(made, &placement);
            assert_eq!(fast, wanted, "{placement} on {}", made.text());
            // The ground after it, from this one and from nothing.
            let mut next = ground.clone();
            next.follow(
                &ground,
                placement.shape(),
                usize::from(placement.left) + 1,
                &fast,
            );
            let mut pile = *ground.pile();
            pile.play(&placement);
            assert_eq!(next, Ground::new(&pile), "{placement} on {}", made.text());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn fast_features_are_the_definitions(
        (cols, rows) in (4_u16..=17, 4_u16..=28),
        share in 0_u16..=100,
        cells in proptest::collection::vec(any::<u8>(), 1..400),
    ) {
        let made = pile(cols, rows, rows * share / 100, &cells);
        all_agree::<u32, 20>(&made);
    }

    #[test]
    fn on_larger_boards_too(
        (cols, rows) in (4_u16..=61, 4_u16..=60),
        share in 0_u16..=100,
        cells in proptest::collection::vec(any::<u8>(), 1..400),
    ) {
        let made = pile(cols, rows, rows * share / 100, &cells);
        if cols * rows < 500 {
            all_agree::<u64, 64>(&made);
            all_agree::<Wide, 203>(&made);
        }
    }
}

#[test]
fn the_largest_board_has_features_too() {
    let cells: Vec<u8> = (0..250).map(|i| (i * 7 % 251) as u8).collect();
    let made = pile(200, 400, 70, &cells);
    let ground = Ground::new(&Pile::<Wide, 203>::of(&made));
    assert_eq!(*ground.counts(), slow::of_pile(&made));
    for placement in Placement::all(Kind::J, 200).step_by(97) {
        let fast = ground.rate(placement.shape(), usize::from(placement.left) + 1);
        assert_eq!(fast, slow::of_placement(&made, &placement));
    }
}
