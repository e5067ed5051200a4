//! Boards as text: the notation of tests, journal and terminal.

use serde::{Deserialize, Serialize};

/// A board as rows of one character per cell, top row first, joined by `/`.
///
/// `?` is a cell that could not be read. What the other characters mean is the game's affair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoardText(pub String);

impl BoardText {
    /// From row-major characters.
    #[must_use]
    pub fn from_cells(cols: usize, cells: impl IntoIterator<Item = char>) -> Self {
        let mut text = String::new();
        for (i, c) in cells.into_iter().enumerate() {
            if i > 0 && cols > 0 && i % cols == 0 {
                text.push('/');
            }
            text.push(c);
        }
        Self(text)
    }

    /// Its rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

impl std::fmt::Display for BoardText {
    /// One row per line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, row) in self.rows().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            f.write_str(row)?;
        }
        Ok(())
    }
}
