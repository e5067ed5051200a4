//! Nodes waiting to be expanded: fewest moves in all first, of those the deepest, of those the
//! latest.

/// Node numbers in buckets by estimated moves in all and by depth.
#[derive(Debug, Default)]
pub struct Open {
    buckets: Vec<Level>,
    waiting: usize,
}

#[derive(Debug, Default)]
struct Level {
    by_depth: Vec<Vec<u32>>,
    /// No deeper bucket has a node.
    deepest: usize,
}

impl Open {
    /// Adds a node.
    #[inline]
    pub fn push(&mut self, total: u32, depth: u32, node: u32) {
        let (total, depth) = (total as usize, depth as usize);
        if self.buckets.len() <= total {
            self.buckets.resize_with(total + 1, Level::default);
        }
        let level = &mut self.buckets[total];
        if level.by_depth.len() <= depth {
            level.by_depth.resize_with(depth + 1, Vec::new);
        }
        level.by_depth[depth].push(node);
        level.deepest = level.deepest.max(depth);
        self.waiting += 1;
    }

    /// Takes the next node whose estimate is `total`.
    #[inline]
    pub fn pop(&mut self, total: u32) -> Option<u32> {
        let level = self.buckets.get_mut(total as usize)?;
        loop {
            if let Some(node) = level.by_depth.get_mut(level.deepest)?.pop() {
                self.waiting -= 1;
                return Some(node);
            }
            level.deepest = level.deepest.checked_sub(1)?;
        }
    }

    /// How many nodes wait.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_of_the_wanted_estimate_comes_first() {
        let mut open = Open::default();
        for (total, depth, node) in [(5, 1, 0), (5, 3, 1), (6, 4, 2), (5, 3, 3), (5, 0, 4)] {
            open.push(total, depth, node);
        }
        let fives: Vec<u32> = std::iter::from_fn(|| open.pop(5)).collect();
        assert_eq!(fives, [3, 1, 0, 4]);
        open.push(5, 2, 9);
        assert_eq!((open.pop(5), open.pop(5), open.len()), (Some(9), None, 1));
        assert_eq!((open.pop(7), open.pop(6), open.len()), (None, Some(2), 0));
    }
}
