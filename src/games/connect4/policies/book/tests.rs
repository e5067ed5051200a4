//! Books are what was written, or are refused.

use proptest::prelude::*;

use super::making::{self, Position};
use super::*;
use crate::games::connect4::rules::{Board, parse_position};

fn board(line: &str) -> Board {
    parse_position(line).expect(line)
}

/// Lines of positions that there are, with scores that they could have.
fn lines() -> Vec<Line> {
    let all = making::levels(4).concat();
    let mut lines: Vec<Line> = (all.iter().step_by(9).enumerate())
        .map(|(i, p)| Line {
            key: p.key,
            score: [0, 5, -12, 19, -19][i % 5],
            best: i as u32 % 7,
        })
        .collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_book_is_what_was_written() {
    let made = OpeningBook::new(lines(), 8, 7);
    let bytes = made.to_bytes();
    let read = OpeningBook::from_bytes(&bytes).expect("whole");
    assert_eq!(read.len(), lines().len());
    assert_eq!((read.deepest(), read.complete()), (8, 7));
    assert_eq!(read, made);
    assert!(read.lines().eq(lines()));
    assert_eq!((read.line(0x7F), read.line(1 << 48)), (None, None));
}

/// A file whose sum is right may still never have been a book.
#[test]
fn lines_that_can_be_none_are_refused() {
    let key = |moves: &str| {
        let bits = Bits::of(&board(moves), Usual.stride());
        Position::of(bits).key
    };
    let fine = Line {
        key: key("44"),
        score: 2,
        best: 3,
    };
    let read = |line: Line, deepest: u8| {
        let bytes = OpeningBook::new(vec![line], deepest, 0).to_bytes();
        OpeningBook::from_bytes(&bytes).map(|b| b.len())
    };
    assert_eq!(read(fine, 2), Ok(1));
    let right: Bits<u64> = Bits::of(&board("77"), Usual.stride());
    let bad = [
        ("too many discs in a column", Line { key: 0x7F, ..fine }),
        (
            "discs of one player alone",
            Line {
                key: 1 << 48,
                ..fine
            },
        ),
        (
            "the other's mirror image",
            Line {
                key: right.own + right.mask,
                ..fine
            },
        ),
        // Two discs, both of the player to move.
        ("whose turn it cannot be", Line { key: 0b110, ..fine }),
        ("no such column", Line { best: 7, ..fine }),
        (
            "a full column",
            Line {
                key: key("111111"),
                best: 0,
                ..fine
            },
        ),
        (
            "the game is over",
            Line {
                key: key("1212121"),
                ..fine
            },
        ),
        ("won sooner than it can be", Line { score: 21, ..fine }),
        ("lost sooner than it can be", Line { score: -21, ..fine }),
    ];
    for (what, line) in bad {
        let error = read(line, 42).expect_err(what).to_string();
        assert!(error.contains("a position is none"), "{what}: {error}");
        assert!(!line.is_possible(), "{what}");
    }
    // More discs than the head says.
    assert!(read(fine, 1).is_err());
}

/// What the program brings along can be read, and says what the search finds.
#[test]
fn our_own_book_is_right() {
    let own = own();
    assert_eq!(
        OpeningBook::from_bytes(include_bytes!("../../../../../models/connect4.book")).as_ref(),
        Ok(&*own)
    );
    assert!(own.to_bytes().len() <= 2 << 20);
}

proptest! {
    /// Damaged books are refused, whatever is damaged.
    #[test]
    fn damaged_books_are_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>(), noise in prop::collection::vec(any::<u8>(), 0..200)) {
        let whole = OpeningBook::new(lines(), 8, 7).to_bytes();
        let mut changed = whole.clone();
        let i = at.index(whole.len());
        if changed[i] != byte {
            changed[i] = byte;
            let error = OpeningBook::from_bytes(&changed).expect_err("changed");
            prop_assert!(error.to_string().contains("kibitzer book connect4"));
        }
        prop_assert!(OpeningBook::from_bytes(&whole[..cut.index(whole.len())]).is_err());
        prop_assert!(OpeningBook::from_bytes(&noise).is_err());
        let headed: Vec<u8> = whole[..8].iter().chain(&noise).copied().collect();
        prop_assert!(OpeningBook::from_bytes(&headed).is_err());
    }
}
