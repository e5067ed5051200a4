//! Half a rectangle: all stocks that tile its upper or its lower part, by the line between.
//!
//! Squares are filled in reading order. After `cut` squares have been dealt with, what matters of
//! the figures laid down is their stock and the profile: which of the squares beyond are covered
//! already. For each profile there is a sorted list of stocks, each with a mark whether one way
//! or several lead to it. Adding a figure adds the same word to all stocks of a list and leaves it
//! sorted, so that a step is a union of sorted lists.

use super::stock::{Packed, one};
use crate::games::triplex::rules::KINDS;

/// Mark of a stock that several ways lead to.
const SEVERAL: Packed = 1;

/// The profiles of a rectangle, and the steps between them.
pub struct Steps {
    len: usize,
    width: usize,
    pieces: Vec<Piece>,
    /// For each cut the profiles that can be reached from above and from below, sorted.
    profiles: Vec<Vec<u32>>,
}

/// A kind of figure whose first square is the next to be covered.
struct Piece {
    squares: u32,
    /// Columns it reaches to the left and right of its first square.
    left: usize,
    right: usize,
    /// How far its last square is from the first, in squares.
    reach: usize,
    stock: Packed,
}

/// More memory would be needed than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "more than {megabytes} MB are needed after {cut} of {len} squares: allow more, or take a smaller rectangle"
)]
pub struct TooLarge {
    /// What is allowed.
    pub megabytes: usize,
    /// Squares dealt with.
    pub cut: usize,
    /// Squares in all.
    pub len: usize,
}

/// For each profile of a cut, in their order, its stocks.
pub type Lists = Vec<Vec<Packed>>;

impl Steps {
    /// Of a rectangle; the profiles are the fewer the narrower it is.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Self {
        let pieces = KINDS.iter().enumerate().map(|(kind, figure)| {
            let cells: Vec<(usize, usize)> = figure
                .cells()
                .map(|c| (usize::from(c.col), usize::from(c.row)))
                .collect();
            let first = cells[0].0;
            let far = |&(col, row): &(usize, usize)| row * width + col - first;
            Piece {
                squares: cells.iter().map(|c| 1 << far(c)).sum(),
                left: first,
                right: usize::from(figure.width()) - 1 - first,
                reach: cells.iter().map(far).max().unwrap_or(0),
                stock: one(kind),
            }
        });
        let mut steps = Self {
            len: width * height,
            width,
            pieces: pieces.collect(),
            profiles: vec![Vec::new(); width * height + 1],
        };
        steps.profiles[0].push(0);
        for cut in 0..steps.len {
            let mut next = Vec::new();
            for &profile in &steps.profiles[cut] {
                steps.each_from(cut, profile, |to, _| next.push(to));
            }
            next.sort_unstable();
            next.dedup();
            steps.profiles[cut + 1] = next;
        }
        for cut in (0..steps.len).rev() {
            let mut here = std::mem::take(&mut steps.profiles[cut]);
            here.retain(|&profile| {
                let mut leads_on = false;
                steps.each_from(cut, profile, |to, _| {
                    leads_on |= steps.profiles[cut + 1].binary_search(&to).is_ok();
                });
                leads_on
            });
            steps.profiles[cut] = here;
        }
        steps
    }

    /// The profiles of a cut, sorted: bit `i` is square `cut + i`.
    #[must_use]
    pub fn profiles(&self, cut: usize) -> &[u32] {
        &self.profiles[cut]
    }

    /// Calls `f` with each profile that one step leads to, and the stock it adds.
    #[inline]
    fn each_from(&self, cut: usize, profile: u32, mut f: impl FnMut(u32, Packed)) {
        if profile & 1 == 1 {
            return f(profile >> 1, 0);
        }
        let col = cut % self.width;
        for piece in &self.pieces {
            let fits = piece.squares & profile == 0
                && piece.left <= col
                && col + piece.right < self.width
                && cut + piece.reach < self.len;
            if fits {
                f((profile | piece.squares) >> 1, piece.stock);
            }
        }
    }

    /// The steps from one cut to the next: for each source the targets, as places in the lists of
    /// profiles, with the stock that is added.
    fn between(&self, cut: usize) -> Vec<(u32, u32, Packed)> {
        let mut steps = Vec::new();
        for (i, &profile) in self.profiles[cut].iter().enumerate() {
            self.each_from(cut, profile, |to, stock| {
                if let Ok(j) = self.profiles[cut + 1].binary_search(&to) {
                    steps.push((i as u32, j as u32, stock));
                }
            });
        }
        steps
    }

    /// The stocks that tile the squares before `cut`, and those of each profile, in one way only.
    /// `progress` is told the share that is done.
    ///
    /// # Errors
    /// When more memory is needed than `megabytes`.
    pub fn above(
        &self,
        cut: usize,
        megabytes: usize,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Lists, TooLarge> {
        let mut lists: Lists = vec![vec![0]];
        for k in 0..cut {
            progress(work(k, cut));
            let steps = self.between(k).into_iter();
            let steps = steps.map(|(from, to, stock)| (to, from, stock)).collect();
            lists = self.step(lists, steps, k + 1, k + 1 == cut, megabytes)?;
        }
        Ok(lists)
    }

    /// The stocks that tile the squares from `cut` on but for those of each profile, in one way
    /// only. `progress` is told the share that is done.
    ///
    /// # Errors
    /// When more memory is needed than `megabytes`.
    pub fn below(
        &self,
        cut: usize,
        megabytes: usize,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Lists, TooLarge> {
        let mut lists: Lists = vec![vec![0]];
        for k in (cut..self.len).rev() {
            progress(work(self.len - k, self.len - cut));
            lists = self.step(lists, self.between(k), k, k == cut, megabytes)?;
        }
        Ok(lists)
    }

    /// The lists of cut `to`: the union of the source's lists for each (target, source, stock).
    fn step(
        &self,
        sources: Lists,
        mut steps: Vec<(u32, u32, Packed)>,
        to: usize,
        last: bool,
        megabytes: usize,
    ) -> Result<Lists, TooLarge> {
        steps.sort_unstable();
        let mut uses = vec![0u32; sources.len()];
        steps.iter().for_each(|s| uses[s.1 as usize] += 1);
        let mut held: usize = sources.iter().map(Vec::len).sum();
        let most = megabytes.saturating_mul(1 << 20) / size_of::<Packed>();
        let mut sources = sources;
        let mut lists: Lists = vec![Vec::new(); self.profiles[to].len()];
        let mut union = Union::default();
        for group in steps.chunk_by(|a, b| a.0 == b.0) {
            let parts = group
                .iter()
                .map(|&(_, i, stock)| (&sources[i as usize][..], stock));
            let stocks = union.of(parts);
            let list = &mut lists[group[0].0 as usize];
            if last {
                list.extend(stocks.iter().filter(|&&s| s & SEVERAL == 0));
            } else {
                list.extend_from_slice(stocks);
            }
            list.shrink_to_fit();
            held += list.len();
            for &(_, i, _) in group {
                let left = &mut uses[i as usize];
                *left -= 1;
                if *left == 0 {
                    held -= std::mem::take(&mut sources[i as usize]).len();
                }
            }
            if held > most {
                return Err(TooLarge {
                    megabytes,
                    cut: to,
                    len: self.len,
                });
            }
        }
        Ok(lists)
    }
}

/// The share of the work that so many of `all` squares are: each costs a third more than the one
/// before, about.
fn work(squares: usize, all: usize) -> f64 {
    1.33f64.powi(squares as i32 - all as i32)
}

/// Unions of sorted lists, with room that is used again.
#[derive(Default)]
struct Union {
    spare: Vec<Vec<Packed>>,
    result: Vec<Packed>,
}

impl Union {
    /// The union of lists, a stock added to each; what is in two of them is marked.
    fn of<'a>(&mut self, parts: impl Iterator<Item = (&'a [Packed], Packed)>) -> &[Packed] {
        let mut given: Vec<(&[Packed], Packed)> = parts.collect();
        given.sort_unstable_by_key(|p| std::cmp::Reverse(p.0.len()));
        let mut made: Vec<Vec<Packed>> = Vec::new();
        // The two shortest each time.
        while given.len() + made.len() > 1 {
            let mut out = self.spare.pop().unwrap_or_default();
            let shortest = |given: &mut Vec<(&'a [Packed], Packed)>,
                            made: &mut Vec<Vec<Packed>>| {
                let of_given = given.last().map_or(usize::MAX, |g| g.0.len());
                let of_made = made.last().map_or(usize::MAX, Vec::len);
                if of_given <= of_made {
                    (given.pop().unwrap_or_default(), None)
                } else {
                    (Default::default(), made.pop())
                }
            };
            let (a, made_a) = shortest(&mut given, &mut made);
            let (b, made_b) = shortest(&mut given, &mut made);
            let a = made_a.as_ref().map_or(a, |v| (&v[..], 0));
            let b = made_b.as_ref().map_or(b, |v| (&v[..], 0));
            merge(a, b, &mut out);
            self.spare.extend([made_a, made_b].into_iter().flatten());
            let at = made.partition_point(|v| v.len() > out.len());
            made.insert(at, out);
        }
        if let Some(result) = made.pop() {
            self.spare.push(std::mem::replace(&mut self.result, result));
        } else {
            self.result.clear();
            if let Some((list, stock)) = given.pop() {
                self.result.extend(list.iter().map(|s| s + stock));
            }
        }
        &self.result
    }
}

/// Merges two sorted lists after adding a stock to each.
fn merge((a, add_a): (&[Packed], Packed), (b, add_b): (&[Packed], Packed), out: &mut Vec<Packed>) {
    out.clear();
    out.resize(a.len() + b.len(), 0);
    let (mut i, mut j, mut n) = (0, 0, 0);
    // Without branches that depend on the stocks: they come in no order that could be foreseen.
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i].wrapping_add(add_a), b[j].wrapping_add(add_b));
        let (plain_x, plain_y) = (x | SEVERAL, y | SEVERAL);
        let (first, second) = (plain_x <= plain_y, plain_y <= plain_x);
        let smaller = if first { x } else { y };
        out[n] = smaller | Packed::from(first & second);
        n += 1;
        i += usize::from(first);
        j += usize::from(second);
    }
    for (list, add) in [(&a[i..], add_a), (&b[j..], add_b)] {
        for (to, stock) in out[n..].iter_mut().zip(list) {
            *to = stock + add;
        }
        n += list.len();
    }
    out.truncate(n);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_mark_what_comes_twice() {
        let mut union = Union::default();
        let lists: [&[Packed]; 3] = [&[2, 4, 9], &[4, 6], &[0]];
        let adds = [0, 0, 8];
        let parts = || lists.iter().copied().zip(adds);
        assert_eq!(union.of(parts()), [2, 5, 6, 9]);
        assert_eq!(union.of(parts().take(1)), [2, 4, 9]);
        assert_eq!(union.of(parts().take(0)), [0; 0]);
    }

    #[test]
    fn a_whole_rectangle_from_either_side() {
        // 3x2: three pairs of dominoes, two corners, two straight ones; two dominoes lying beside
        // one standing come in two ways.
        let steps = Steps::new(3, 2);
        let above = steps.above(6, 10, &mut |_| ()).expect("small");
        assert_eq!(above, steps.below(0, 10, &mut |_| ()).expect("small"));
        assert_eq!(above.len(), 1);
        let packed = |kinds: &[usize]| kinds.iter().map(|&k| one(k)).sum::<Packed>();
        let mut wanted = [
            packed(&[1, 1, 1]),
            packed(&[2, 2]),
            packed(&[4, 7]),
            packed(&[5, 6]),
        ];
        wanted.sort_unstable();
        assert_eq!(above[0], wanted);
    }

    #[test]
    fn memory_is_bounded() {
        let error = Steps::new(6, 6)
            .above(30, 1, &mut |_| ())
            .expect_err("more than a megabyte");
        assert!(error.cut > 10 && error.cut < 30, "{error}");
    }
}
