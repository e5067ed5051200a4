//! TripleX for the web, which knows no game: the page with all levels, and who has solved one.

use std::sync::LazyLock;

use crate::games::triplex::chain::Chain;
pub use crate::games::triplex::chain::{Claim, Forged};
pub use crate::games::triplex::page::Page;
use crate::games::triplex::page::page as page_of;

/// The page with the levels that are part of the program; made when first asked for.
#[must_use]
pub fn page() -> &'static Page {
    static PAGE: LazyLock<Page> = LazyLock::new(|| page_of(Chain::shipped()));
    &PAGE
}

/// Whether a claim is true, by the rules, our own solver and the checksum.
///
/// # Errors
/// The first thing that is wrong.
pub fn judge(claim: &Claim<'_>) -> Result<(), Forged> {
    Chain::shipped().judge(claim)
}
