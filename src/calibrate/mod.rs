//! Which picture shows a board and where: finders, one scorer, learnt classes, profiles.
//!
//! Takes a picture and what is wanted, gives [`Calibration`](crate::types::Calibration)s with a quality. Must never guess:
//! a picture without a board has none.
