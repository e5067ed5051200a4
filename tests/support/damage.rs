//! Texts that have been damaged, for parsers.

use std::ops::Range;

use proptest::prelude::*;

/// A text with some characters replaced, removed or doubled: so many, and by such.
pub fn damaged(
    text: &'static str,
    by: impl Strategy<Value = char>,
    changes: Range<usize>,
) -> impl Strategy<Value = String> {
    let places = prop::collection::vec((any::<prop::sample::Index>(), by, 0..3u8), changes);
    places.prop_map(move |changes| {
        let mut all: Vec<char> = text.chars().collect();
        for (place, c, how) in changes {
            let i = place.index(all.len());
            match how {
                0 => all[i] = c,
                1 if all.len() > 1 => {
                    all.remove(i);
                }
                _ => all.insert(i, all[i]),
            }
        }
        all.into_iter().collect()
    })
}
