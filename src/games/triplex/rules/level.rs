//! Levels: a field and the figures that are to cover what is free of it.

use super::field::Field;
use super::figure::Figure;

/// A field and a stock of figures that cover as many squares as are free.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    field: Field,
    stock: Vec<(Figure, u16)>,
    turnable: Option<Figure>,
}

/// Figures that cannot cover a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelError {
    /// Their squares do not add up.
    #[error(
        "the figures have {figures} squares and the field has {free} free ones: \
         add or remove figures until they are equal"
    )]
    Squares {
        /// Squares of all figures.
        figures: usize,
        /// Free squares.
        free: usize,
    },
}

impl Level {
    /// A level of figures that do not turn, and perhaps one more that does.
    ///
    /// # Errors
    /// When the figures have more or fewer squares than are free.
    pub fn new(
        field: Field,
        figures: impl IntoIterator<Item = (Figure, u16)>,
        turnable: Option<Figure>,
    ) -> Result<Self, LevelError> {
        let mut all: Vec<(Figure, u16)> = figures.into_iter().filter(|f| f.1 > 0).collect();
        all.sort_unstable();
        let mut stock: Vec<(Figure, u16)> = Vec::with_capacity(all.len());
        for (figure, count) in all {
            match stock.last_mut() {
                Some(last) if last.0 == figure => last.1 = last.1.saturating_add(count),
                _ => stock.push((figure, count)),
            }
        }
        let fixed = stock.iter().map(|(f, n)| f.squares() * usize::from(*n));
        let figures = fixed.sum::<usize>() + turnable.map_or(0, |f| f.squares());
        let free = field.free();
        if figures != free {
            return Err(LevelError::Squares { figures, free });
        }
        Ok(Self {
            field,
            stock,
            turnable,
        })
    }

    /// The field.
    #[must_use]
    pub const fn field(&self) -> &Field {
        &self.field
    }

    /// The figures that do not turn, each kind once with how many there are, in their order.
    #[must_use]
    pub fn stock(&self) -> &[(Figure, u16)] {
        &self.stock
    }

    /// The figure that may be turned and mirrored, as it is shown; it is not in the stock.
    #[must_use]
    pub const fn turnable(&self) -> Option<Figure> {
        self.turnable
    }

    /// How many figures there are.
    #[must_use]
    pub fn figures(&self) -> usize {
        let fixed = self.stock.iter().map(|(_, n)| usize::from(*n));
        fixed.sum::<usize>() + usize::from(self.turnable.is_some())
    }

    /// The stock with the turnable figure in each of its orientations: one list, in order, per
    /// orientation; one list of the stock alone if nothing turns.
    #[must_use]
    pub fn stocks(&self) -> Vec<Vec<(Figure, u16)>> {
        let Some(figure) = self.turnable else {
            return vec![self.stock.clone()];
        };
        let orientations = figure.orientations().into_iter();
        let with = |one: Figure| {
            let mut stock = self.stock.clone();
            match stock.binary_search_by_key(&one, |s| s.0) {
                Ok(i) => stock[i].1 = stock[i].1.saturating_add(1),
                Err(i) => stock.insert(i, (one, 1)),
            }
            stock
        };
        orientations.map(with).collect()
    }
}
