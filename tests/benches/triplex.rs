//! TripleX: all levels of a rectangle, one level solved, all tilings by the reference's filters.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kibitzer::games::triplex::levels::{Found, MEMORY, filters, levels, with_turnable};
use kibitzer::games::triplex::policies::{self, only_solution};
use kibitzer::types::GridSize;

fn main() {
    divan::main();
}

fn found(cols: u16, rows: u16) -> Vec<Found> {
    levels(GridSize::new(cols, rows), MEMORY, &mut |_| ()).expect("small")
}

/// Search and solving together.
#[divan::bench(args = [(5, 4), (6, 6), (7, 7), (12, 4)])]
fn rectangle(bencher: Bencher, (cols, rows): (u16, u16)) {
    bencher.bench_local(|| found(black_box(cols), black_box(rows)));
}

/// The levels of 6x6, by each policy.
#[divan::bench(args = ["exact", "reading"])]
fn solve(bencher: Bencher, name: &str) {
    let all = found(6, 6);
    let mut policy = policies::by_name(name).expect("listed");
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        for level in &all {
            black_box(only_solution(&level.level, policy.as_mut()));
        }
    });
}

/// The turnable figures of 6x5.
#[divan::bench]
fn turnable(bencher: Bencher) {
    let all = found(6, 5);
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        for level in &all {
            black_box(with_turnable(level, 0));
        }
    });
}

/// The reference's filters over all tilings of 6x4.
#[divan::bench]
fn tilings(bencher: Bencher) {
    bencher.bench_local(|| filters::by_tilings(black_box(GridSize::new(6, 4))));
}
