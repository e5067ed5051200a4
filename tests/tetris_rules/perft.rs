//! Counts of placements. The figures come from a second program that knows boards as sets of
//! points and nothing of this one.

use std::collections::{HashMap, HashSet};

use kibitzer::games::tetris::rules::{Board, Game, Key, Kind, Pose, Setup};
use kibitzer::types::Time;

/// When keys are pressed.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    /// Up to the first fall step, then the piece is dropped.
    Early,
    /// At any time.
    Always,
}

/// All boards after a piece, with the cells in which it came to rest: what keys and fall steps of
/// the engine can reach. Empty when it cannot even appear.
fn placements(pile: &Board, kind: Kind, keys: Keys) -> HashMap<Vec<(i16, i16)>, Board> {
    let mut start = Game::with_board(Setup::default(), pile.clone(), Time::ZERO);
    start.set_next(kind);
    start.advance(start.next_step_at().expect("it runs"));
    let mut found = HashMap::new();
    let Some(first) = start.piece() else {
        return found;
    };
    let mut seen: HashSet<Pose> = HashSet::from([first]);
    let mut open = vec![start];
    while let Some(game) = open.pop() {
        let piece = game.piece().expect("only falling ones are open");
        let now = Time::from_millis(0).max(game.next_step_at().expect("it runs"));
        // Just before the step that is due.
        let before = Time(now.0 - 1);
        for key in Key::ALL {
            let mut after = game.clone();
            after.press(key, before);
            if let Some(pose) = after.piece() {
                if seen.insert(pose) {
                    open.push(after);
                }
            } else {
                let landing = after.landing().expect("dropped");
                if keys == Keys::Early || landing.pose == piece {
                    found.insert(cells(&after, landing.pose), after.board().clone());
                }
            }
        }
        if keys == Keys::Always || game.fallen() == 0 {
            let mut after = game.clone();
            after.advance(now);
            match after.piece() {
                Some(pose) if seen.insert(pose) => open.push(after),
                Some(_) => {}
                None => {
                    let pose = after.landing().expect("landed").pose;
                    found.insert(cells(&after, pose), after.board().clone());
                }
            }
        }
    }
    found
}

fn cells(game: &Game, pose: Pose) -> Vec<(i16, i16)> {
    let mut cells = game.system().cells(pose).to_vec();
    cells.sort_unstable();
    cells
}

fn counts(pile: &Board, keys: Keys) -> [usize; 7] {
    Kind::ALL.map(|k| placements(pile, k, keys).len())
}

/// A 10x20 board from its lowest rows.
fn pile(rows: &[&str]) -> Board {
    let mut all = vec![".........."; 20 - rows.len()];
    all.extend(rows);
    Board::from_text(&all.join("/")).expect("a board")
}

#[test]
fn on_an_empty_board() {
    let empty = Board::empty(10, 20);
    let wanted = [9, 17, 17, 17, 34, 34, 34];
    assert_eq!(counts(&empty, Keys::Early), wanted);
    assert_eq!(counts(&empty, Keys::Always), wanted);
}

#[test]
fn on_other_piles() {
    let overhang = pile(&["......####", "......#...", "####..#...", "####..#..#"]);
    assert_eq!(counts(&overhang, Keys::Early), [9, 17, 17, 17, 34, 34, 34]);

    let gap = "..........";
    let roof = pile(&["###....###", gap, gap, gap, "#.#.#.#.#."]);
    assert_eq!(counts(&roof, Keys::Early), [9, 17, 17, 17, 34, 34, 34]);
    assert_eq!(counts(&roof, Keys::Always), [15, 24, 29, 29, 58, 58, 58]);

    let mut high = vec!["##......##", "##......##", "###....###"];
    high.extend(["####..####"; 14]);
    assert_eq!(
        counts(&pile(&high), Keys::Early),
        [9, 13, 17, 17, 34, 34, 34]
    );

    let shaft = pile(&["#........#"; 19]);
    assert_eq!(counts(&shaft, Keys::Early), [7, 15, 14, 14, 28, 28, 28]);

    let tower = pile(&["....#....."; 18]);
    assert_eq!(counts(&tower, Keys::Early), [9, 16, 16, 16, 31, 31, 32]);

    let closed = pile(&["....##...."; 20]);
    assert_eq!(counts(&closed, Keys::Always), [0; 7]);
}

/// Distinct boards after a sequence, and ways to them.
fn sequence(kinds: &str, keys: Keys) -> (usize, u64) {
    let mut boards = HashMap::from([(Board::empty(10, 20), 1)]);
    for letter in kinds.chars() {
        let kind = Kind::from_letter(letter).expect("a kind");
        let mut after: HashMap<Board, u64> = HashMap::new();
        for (board, ways) in boards {
            for mut next in placements(&board, kind, keys).into_values() {
                // Which piece a cell came from does not matter here.
                for (x, y) in (0..10).flat_map(|x| (0..20).map(move |y| (x, y))) {
                    if next.get(x, y) != Some(0) {
                        next.set(x, y, 8);
                    }
                }
                *after.entry(next).or_default() += ways;
            }
        }
        boards = after;
    }
    (boards.len(), boards.values().sum())
}

#[test]
fn of_two_pieces() {
    let table = [
        ("OO", (53, 81), (53, 81)),
        ("II", (196, 289), (196, 289)),
        ("SZ", (289, 289), (295, 295)),
        ("LT", (1156, 1156), (1182, 1182)),
        ("TT", (816, 1156), (816, 1178)),
        ("JO", (306, 306), (313, 313)),
    ];
    for (kinds, early, always) in table {
        assert_eq!(sequence(kinds, Keys::Early), early, "{kinds}");
        assert_eq!(sequence(kinds, Keys::Always), always, "{kinds}");
    }
}

#[test]
fn of_three_pieces() {
    let table = [
        ("OOO", (260, 729), (260, 741)),
        ("ISO", (2601, 2601), (2662, 2662)),
        ("SZS", (4526, 4913), (4759, 5291)),
        ("III", (1988, 4913), (1988, 5049)),
    ];
    for (kinds, early, always) in table {
        assert_eq!(sequence(kinds, Keys::Early), early, "{kinds}");
        assert_eq!(sequence(kinds, Keys::Always), always, "{kinds}");
    }
}
