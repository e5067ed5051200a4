//! Relays across the keys of a keyboard, told over a serial line which of them to close.
//!
//! Takes keys by their names and a board's wiring; one file per kind of board says which bytes
//! it understands. Must never leave a relay closed on any way out that this process survives; a
//! process that is killed outright leaves it to the board's own timer, if it has one.

pub mod adr2200;
mod line;
mod port;
mod relays;

pub use relays::RelayKeyboard;

use crate::types::Board;

/// What one kind of board understands. Masks have bit n for relay n.
pub(super) trait Protocol: Send + Sync {
    /// The board's name for people.
    fn name(&self) -> &'static str;

    /// How many relays it has.
    fn relays(&self) -> u8;

    /// The bytes after which exactly these relays are closed, whatever was before.
    fn set(&self, closed: u8) -> Vec<u8>;

    /// The bytes that ask which relays are closed, if the board can be asked.
    fn question(&self) -> Option<&'static [u8]>;

    /// Finds the answer to the question in what was heard since it was asked, which may begin
    /// with an echo or the rest of something else; `None` while there is none.
    fn answer(&self, heard: &[u8]) -> Option<u8>;
}

/// The protocol of a kind of board.
pub(super) fn protocol(board: Board) -> &'static dyn Protocol {
    match board {
        Board::Adr2200 => &adr2200::Adr2200,
    }
}
