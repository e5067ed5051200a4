//! What the search does with a fixed number of nodes: a change here is a change of its play, and
//! is meant or is a mistake.

use kibitzer::games::gomoku::policies::{GomokuPolicy as _, Search};
use kibitzer::games::gomoku::rules::{Rule, action, parse_position};
use kibitzer::types::{Budget, GridSize};

/// Position, rule, and with 20,000 nodes the move, value, depth and nodes.
const SIGNATURE: [(&str, Rule, &str); 8] = [
    ("15x15:7,7", Rule::FiveOrMore, "6,7 -380 9 20000"),
    (
        "15x15:7,7 8,8 8,6 6,8 7,9 9,7",
        Rule::FiveOrMore,
        "7,8 838 9 20000",
    ),
    (
        "20x20:9,9 10,10 11,9 9,11 8,9 12,9",
        Rule::FiveOrMore,
        "9,7 1248 7 20000",
    ),
    (
        "15x15:7,7 8,8 9,9 6,8 7,4 9,7",
        Rule::Exact,
        "7,6 -415 9 20000",
    ),
    ("12x9:5,4 6,4 5,5 5,3 6,6", Rule::Exact, "7,5 -11 9 20000"),
    (
        "10x10:4,4 5,5 4,6 4,5 6,5 3,5",
        Rule::FiveOrMore,
        "5,4 176 8 20000",
    ),
    (
        "15x15:3,7 5,8 4,9 5,9 4,7 5,7 5,10 3,8 4,8 4,6 4,10 4,11 6,8 5,6 5,5 3,10 1,7 2,9 1,8 6,6 3,6 7,6 8,6 4,5 2,7 0,7 3,9 2,8 1,5 1,4 1,9 1,6 1,11 1,10 6,7 6,11 2,10 0,12 5,12 4,4 3,4 7,9 7,5 8,8 3,11 4,12 8,7 9,9 9,7",
        Rule::FiveOrMore,
        "7,7 29989 11 58",
    ),
    (
        "15x15:10,3 8,3 3,10 10,9 8,4 4,5 10,4 7,4 10,5 10,2 10,6 10,7 9,5 11,7 9,6 6,5 5,6 8,7 9,7 10,1 9,2 9,8 7,6 11,6 8,9 11,8 11,9 12,5 13,4 10,8 7,3 6,2 12,8",
        Rule::Exact,
        "11,10 29991 9 1603",
    ),
];

#[test]
fn the_signature_is_as_it_was() {
    let budget = Budget {
        nodes: Some(20_000),
        ..Budget::default()
    };
    let mut one = Search::new(1 << 20, 1).expect("memory");
    let mut wrong = Vec::new();
    for (text, rule, wanted) in SIGNATURE {
        let board = parse_position(text, 1, GridSize::new(15, 15), rule).expect("a position");
        one.forget();
        let choice = one.decide(&board, &budget).expect("a move");
        let again = Search::new(1 << 20, 1)
            .expect("memory")
            .decide(&board, &budget)
            .expect("a move");
        assert_eq!(choice, again, "one that forgets is like a new one");
        let (at, score) = (action(choice.cell), choice.score);
        let found = format!("{at} {score} {} {}", choice.depth, choice.nodes);
        if found != wanted {
            wrong.push(format!("{text}: {found}, not {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
