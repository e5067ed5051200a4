//! The rules of TripleX: figures, fields, levels, solutions and their texts.
//!
//! Takes plain data, gives plain data. Must never import anything but `types`, and never
//! panic on a text that somebody else made.

mod field;
mod figure;
mod level;
mod notation;
mod tiling;

pub use field::{Field, FieldError, MOST_CELLS};
pub use figure::{Figure, FigureError, KINDS, MOST_SQUARES};
pub use level::{Level, LevelError};
pub use notation::{Entry, HEAD, NotationError, block, one_line, parse_file, parse_line};
pub use tiling::{Placement, Tiling, Wrong};
