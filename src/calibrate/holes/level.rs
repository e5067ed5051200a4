//! A picture at one of several sizes, and what may be spent on all of them.
//!
//! Takes planes, gives them packed. Must never look for anything.

use std::cell::{Cell, OnceCell};

use super::super::planes::Planes;
use super::fine::Fine;

/// A picture at some size.
#[derive(Clone, Debug)]
pub struct Level {
    /// The picture.
    pub planes: Planes,
    /// The same, packed when it is first needed.
    pub packed: OnceCell<Fine>,
    /// Its noise.
    pub noise: f32,
    /// Px of the whole picture per px of this one.
    pub scale: f64,
}

impl Level {
    /// The picture as lattices are judged in it.
    pub fn fine(&self) -> &Fine {
        self.packed.get_or_init(|| Fine::new(&self.planes))
    }
}

/// How many lattices are looked at closely: a picture full of them has no board, or it has been
/// found among the largest.
#[derive(Debug)]
pub struct Budget {
    /// As holes.
    pub holes: Cell<u32>,
    /// As squares between lines.
    pub squares: Cell<u32>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            holes: Cell::new(9),
            squares: Cell::new(8),
        }
    }
}

/// Takes one from what is left; true if there was none.
pub fn spent(left: &Cell<u32>) -> bool {
    left.replace(left.get().saturating_sub(1)) == 0
}
