//! The solver against trying everything, on small fields with any polyominoes.

use std::collections::BTreeSet;

use kibitzer::games::triplex::policies::{self, Outcome, TriplexPolicy};
use kibitzer::games::triplex::rules::{Field, Figure, Level, Placement, Tiling};
use kibitzer::types::{Budget, Cell, GridSize};
use proptest::prelude::*;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn budget(nodes: Option<u64>) -> Budget {
    Budget {
        nodes,
        ..Budget::default()
    }
}

/// A level that was cut out of a field, so that it has a solution: pieces of 1 to `most` squares,
/// some of which stay where they are, and perhaps one that may be turned.
fn carved(seed: u64, cols: u16, rows: u16, most: usize) -> Level {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = GridSize::new(cols, rows);
    let mut text = vec![b'.'; size.len()];
    let mut figures = Vec::new();
    let mut taken = vec![false; size.len()];
    while let Some(start) = size.cells().find(|&c| !taken[size.index(c)]) {
        let squares = rng.random_range(1..=most);
        let mut piece = vec![start];
        taken[size.index(start)] = true;
        while piece.len() < squares {
            let open = |a: &Cell, b: &Cell| a.col.abs_diff(b.col) + a.row.abs_diff(b.row) == 1;
            let beside: Vec<Cell> = size
                .cells()
                .filter(|b| !taken[size.index(*b)] && piece.iter().any(|a| open(a, b)))
                .collect();
            let Some(&next) = beside.choose(&mut rng) else {
                break;
            };
            taken[size.index(next)] = true;
            piece.push(next);
        }
        if rng.random_bool(0.15) {
            piece
                .iter()
                .for_each(|&c| text[size.index(c)] = b"#pq"[rng.random_range(0..3)]);
        } else {
            figures.push(Figure::new(&piece).expect("a piece"));
        }
    }
    let rows: Vec<&str> = text
        .chunks(usize::from(cols))
        .map(|r| std::str::from_utf8(r).expect("ASCII"))
        .collect();
    let field = Field::parse(&rows.join("/")).expect("a field");
    let turnable = figures.pop_if(|_| rng.random_bool(0.5));
    Level::new(field, figures.into_iter().map(|f| (f, 1)), turnable).expect("carved")
}

/// All solutions by laying every figure, one after the other, everywhere.
fn everything(level: &Level) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for stock in level.stocks() {
        let figures: Vec<Figure> = stock
            .iter()
            .flat_map(|&(f, n)| std::iter::repeat_n(f, n.into()))
            .collect();
        lay(level, &figures, &mut Vec::new(), &mut found);
    }
    found
}

fn lay(level: &Level, left: &[Figure], laid: &mut Vec<Placement>, found: &mut BTreeSet<String>) {
    let Some((&figure, rest)) = left.split_first() else {
        let tiling = Tiling::new(laid.clone());
        assert_eq!(tiling.check(level), Ok(()));
        found.insert(key(&tiling));
        return;
    };
    for at in level.field().size().cells() {
        let placement = Placement { figure, at };
        let free = |c: Cell| {
            level.field().is_free(c) && !laid.iter().any(|p| p.cells().any(|other| other == c))
        };
        if placement.cells().all(free) {
            laid.push(placement);
            lay(level, rest, laid, found);
            laid.pop();
        }
    }
}

/// Where every figure lies, whatever the order.
fn key(tiling: &Tiling) -> String {
    let mut all: Vec<String> = tiling
        .placements()
        .iter()
        .map(|p| format!("{}@{},{}", p.figure, p.at.col, p.at.row))
        .collect();
    all.sort();
    all.join(" ")
}

fn solve(policy: &mut dyn TriplexPolicy, level: &Level, most: usize) -> (Vec<Tiling>, Outcome) {
    let mut all = Vec::new();
    let outcome = policy.solve(level, &budget(None), &mut |tiling| {
        all.push(tiling);
        all.len() < most
    });
    (all, outcome)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn all_solutions_and_none_twice(seed: u64, cols in 1u16..5, rows in 1u16..5, most in 2usize..6) {
        let level = carved(seed, cols, rows, most);
        prop_assume!(level.figures() <= 7);
        let wanted = everything(&level);
        for listed in policies::LIST {
            let mut policy = policies::by_name(listed.name).expect("listed");
            let (all, outcome) = solve(policy.as_mut(), &level, usize::MAX);
            for tiling in &all {
                prop_assert_eq!(tiling.check(&level), Ok(()));
                let text = tiling.text(level.field()).0;
                let read = Tiling::from_text(level.field(), &text);
                prop_assert_eq!(read.as_ref(), Ok(tiling), "{}", text);
            }
            let found: BTreeSet<String> = all.iter().map(key).collect();
            prop_assert_eq!(&found, &wanted, "{}", listed.name);
            prop_assert_eq!(found.len(), all.len(), "none twice");
            prop_assert_eq!(outcome.solutions, all.len() as u64);
            prop_assert!(outcome.complete);
            prop_assert_eq!(outcome.unique(), Some(all.len() == 1));
            let (two, early) = solve(policy.as_mut(), &level, 2);
            prop_assert_eq!(two.len(), wanted.len().min(2));
            prop_assert_eq!(early.unique(), outcome.unique());
        }
    }

    #[test]
    fn larger_fields_are_solved(seed: u64, cols in 4u16..14, rows in 4u16..10) {
        let level = carved(seed, cols, rows, 5);
        let mut exact = policies::by_name("exact").expect("listed");
        let mut found = Vec::new();
        let outcome = exact.solve(&level, &budget(Some(300_000)), &mut |tiling| {
            found.push(tiling);
            false
        });
        // It was carved, so that there is one: none is found only where the budget was too small.
        prop_assert!(found.len() == 1 || outcome.iterations >= 299_999, "{:?}", outcome);
        for tiling in found {
            prop_assert_eq!(tiling.check(&level), Ok(()));
        }
    }
}

#[test]
fn a_budget_ends_a_search_exactly() {
    let level = carved(7, 12, 10, 3);
    for listed in policies::LIST {
        let mut policy = policies::by_name(listed.name).expect("listed");
        let outcome = policy.solve(&level, &budget(Some(50)), &mut |_| true);
        assert!(outcome.iterations <= 50 && !outcome.complete, "{outcome:?}");
        let stopped = budget(None);
        stopped.stop.pull("test");
        let outcome = policy.solve(&level, &stopped, &mut |_| true);
        assert!(outcome.iterations <= 64 && !outcome.complete, "{outcome:?}");
        assert_ne!(outcome.unique(), Some(true));
    }
}

#[test]
fn a_field_without_free_squares_is_solved_by_nothing() {
    let level = Level::new(Field::parse("ab/ab").expect("a field"), [], None).expect("a level");
    let mut policy = policies::by_name("exact").expect("listed");
    let (all, outcome) = solve(policy.as_mut(), &level, usize::MAX);
    assert_eq!((all.len(), outcome.iterations), (1, 0));
    assert!(all[0].placements().is_empty());
}

/// The twelve pentominoes in 10x6, each as it lies here.
const PENTOMINOES: &str = "ippyyyyvvv/ippxyllllv/ipxxxfzzlv/itwxfffzuu/itwwnnfzzu/tttwwnnnuu";

#[test]
fn pentominoes() {
    let field = Field::new(GridSize::new(10, 6)).expect("a field");
    let shown = Tiling::from_text(&field, PENTOMINOES).expect("a tiling");
    let figures = shown.placements().iter().map(|p| (p.figure, 1));
    let level = Level::new(field.clone(), figures, None).expect("sixty squares");
    assert_eq!(level.figures(), 12);
    let mut exact = policies::by_name("exact").expect("listed");
    let (found, outcome) = solve(exact.as_mut(), &level, usize::MAX);
    assert!(found.contains(&shown) && outcome.complete);
    let mut reading = policies::by_name("reading").expect("listed");
    let (other, _) = solve(reading.as_mut(), &level, usize::MAX);
    let keys = |all: &[Tiling]| all.iter().map(key).collect::<BTreeSet<_>>();
    assert_eq!(keys(&found), keys(&other));
    // The first column lies already, the rest is found again.
    let rows: Vec<String> = PENTOMINOES
        .split('/')
        .map(|row| row.replace(|c| c != 'i', "."))
        .collect();
    let field = Field::parse(&rows.join("/")).expect("a field");
    let rest = shown.placements().iter().filter(|p| p.figure.height() < 5);
    let level = Level::new(field, rest.map(|p| (p.figure, 1)), None).expect("55 squares");
    let (found, _) = solve(exact.as_mut(), &level, usize::MAX);
    assert!(!found.is_empty() && found.iter().all(|t| t.check(&level) == Ok(())));
}
