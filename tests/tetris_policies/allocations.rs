//! No memory is asked for while games are played, after the first pieces.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use kibitzer::games::tetris::policies::{MoveModel, names, sim};
use kibitzer::types::Budget;

/// The system's allocator, which counts what this thread asks for.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no counter any more.
        let _ = ASKED.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = ASKED.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn the_counter_counts() {
    let before = ASKED.get();
    drop(std::hint::black_box(Box::new(3_u64)));
    assert_eq!(ASKED.get(), before + 1);
}

#[test]
fn placements_ask_for_no_memory() {
    for name in [
        "dellacherie",
        "kibitzer",
        "two-piece:dt10",
        "expectimax:dt10:1",
    ] {
        let setting = sim::Setting {
            cols: 10,
            rows: 20,
            moves: MoveModel::AfterOneStep,
            next_shown: name.starts_with("two"),
            seed: 1,
            budget: Budget::default(),
        };
        let mut player = names::player(name).expect("known");
        // Asked at the start, then every 1024 pieces.
        let mut counts = Vec::with_capacity(8);
        let pieces = if name.starts_with("exp") { 2000 } else { 4000 };
        // The same game twice: after the first time every buffer has the size that it needs.
        for _ in 0..2 {
            counts.clear();
            sim::play(&mut player, &setting, &mut |t| {
                counts.push(ASKED.get());
                t.pieces < pieces
            });
        }
        let asked = counts[counts.len() - 1] - counts[1];
        assert_eq!(asked, 0, "{name}");
    }
}
