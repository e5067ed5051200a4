//! How certain it is which side is ours.
//!
//! Words of the sides and of nobody else; what follows from them is in `sides`.

/// How it is known which side is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Proof {
    /// It is not.
    None,
    /// It fits what was seen.
    Guess,
    /// A move of ours was seen to take effect.
    Played,
    /// It was said.
    Told,
}

/// A first move of ours may have come just after the other side's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Of the first two pieces either may be ours: they appeared together, and either may have been
    /// the first; or the second one was `late`, and lies where our next one was to lie.
    Order { late: bool },
    /// The only piece lies where ours was to lie, and may be theirs; the more so if our move was
    /// made `twice`.
    Owner { twice: bool },
}
