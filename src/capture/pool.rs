//! Pictures that are written again once nobody else holds them.

use std::sync::Arc;

use crate::types::Picture;

/// More pictures than these are in use only where someone collects them; those are let go.
const KEPT: usize = 12;

/// Lends pictures and finds out by itself when they are free again.
#[derive(Debug, Default)]
pub struct Pool {
    kept: Vec<Arc<Picture>>,
}

impl Pool {
    /// A picture of this size that nobody else holds, with arbitrary contents: a new one only
    /// if all others are in use. It comes back by [`Self::keep`].
    pub fn take(&mut self, width: u32, height: u32) -> Arc<Picture> {
        let mut free = match self.kept.iter_mut().position(|p| Arc::get_mut(p).is_some()) {
            Some(i) => self.kept.swap_remove(i),
            None => Arc::default(),
        };
        if let Some(picture) = Arc::get_mut(&mut free) {
            picture.reshape(width, height);
        }
        free
    }

    /// Remembers a picture for later use, when all other holders have dropped it.
    pub fn keep(&mut self, picture: Arc<Picture>) {
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(picture);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_again_only_what_nobody_holds() {
        let mut pool = Pool::default();
        let first = pool.take(4, 3);
        pool.keep(first.clone());
        let second = pool.take(4, 3);
        assert!(!Arc::ptr_eq(&first, &second), "the first is still held");
        let address = Arc::as_ptr(&first);
        drop(first);
        pool.keep(second.clone());
        let third = pool.take(2, 2);
        assert_eq!(Arc::as_ptr(&third), address);
        assert_eq!((third.width(), third.height()), (2, 2));
        for _ in 0..100 {
            let p = pool.take(1, 1);
            pool.keep(p.clone());
            std::mem::forget(p);
        }
        assert!(pool.kept.len() <= KEPT);
    }
}
