//! TripleX: levels and their counts, the solver against brute force, the texts, the commands.

mod brute;
mod commands;
mod texts;

use kibitzer::games::triplex::levels::{MEMORY, levels, sizes_up_to, with_turnable};
use kibitzer::games::triplex::policies::{self, only_solution};
use kibitzer::games::triplex::rules::block;
use kibitzer::types::GridSize;

/// Levels per rectangle, as published.
const PUBLISHED: [(u16, u16, usize); 33] = [
    (4, 2, 2),
    (3, 3, 1),
    (5, 2, 1),
    (4, 3, 4),
    (5, 3, 6),
    (4, 4, 5),
    (6, 3, 8),
    (5, 4, 48),
    (7, 3, 16),
    (6, 4, 27),
    (8, 3, 16),
    (5, 5, 22),
    (9, 3, 19),
    (7, 4, 45),
    (6, 5, 55),
    (10, 3, 19),
    (8, 4, 112),
    (11, 3, 22),
    (7, 5, 158),
    (6, 6, 46),
    (9, 4, 69),
    (12, 3, 23),
    (13, 3, 25),
    (8, 5, 172),
    (10, 4, 106),
    (7, 6, 136),
    (14, 3, 25),
    (11, 4, 152),
    (9, 5, 176),
    (15, 3, 24),
    (8, 6, 200),
    (12, 4, 92),
    (16, 3, 29),
];

#[test]
fn every_published_count_to_area_48() {
    for size in sizes_up_to(48) {
        let row = PUBLISHED
            .iter()
            .find(|r| (r.0, r.1) == (size.cols, size.rows));
        let wanted = row.map_or(0, |r| r.2);
        let found = levels(size, MEMORY, &mut |_| ()).expect("small");
        assert_eq!(found.len(), wanted, "{size}");
    }
}

#[test]
fn the_levels_to_area_36_their_turnable_figures_and_the_solvers_signature() {
    let mut all = Vec::new();
    for size in sizes_up_to(36) {
        all.extend(levels(size, MEMORY, &mut |_| ()).expect("small"));
    }
    assert_eq!(all.len(), 724);
    let turning = all.iter().filter_map(|f| with_turnable(f, 1));
    assert_eq!(turning.count(), 555);
    // Fixed levels, fixed order: another number means that the search has changed, and with it the
    // difficulty of every level.
    let iterations = |name: &str| -> u64 {
        let mut policy = policies::by_name(name).expect("listed");
        let solved = all.iter().map(|f| only_solution(&f.level, policy.as_mut()));
        solved.map(|s| s.expect("a level").1).sum()
    };
    let found: u64 = all.iter().map(|f| f.iterations).sum();
    assert_eq!((found, iterations("exact")), (320_613, 320_613));
    assert_eq!(iterations("reading"), 654_740);
}

#[test]
fn the_first_levels_look_like_this() {
    let blocks: Vec<String> = levels(GridSize::new(4, 2), MEMORY, &mut |_| ())
        .expect("small")
        .iter()
        .map(|f| block(&f.level, Some(&f.solution)))
        .collect();
    let first = "triplex1
field
....
....
figures
1*  xx
1*  xxx
1*  .x
    xx
solution
aaab
ccbb
";
    assert!(blocks.contains(&first.to_owned()), "{}", blocks.join("\n"));
    let nine = &levels(GridSize::new(3, 3), MEMORY, &mut |_| ()).expect("small")[0];
    let shown = nine.solution.text(nine.level.field()).to_string();
    assert_eq!(shown.trim_end(), "abb\nacd\nccd");
}

#[test]
fn policies_have_names() {
    for listed in policies::LIST {
        assert_eq!(
            policies::by_name(listed.name).expect("listed").name(),
            listed.name
        );
    }
    let error = policies::by_name("exakt").err().expect("none").to_string();
    assert!(error.contains("there are: exact"), "{error}");
    let error = policies::by_name("exact:depth=3")
        .err()
        .expect("none")
        .to_string();
    assert!(error.contains("has no option `depth`"), "{error}");
}
