//! Hands on a serial line: relays across the keys of a keyboard, or a chip that is a keyboard and
//! mouse of its own.
//!
//! Takes keys by their names and a board's wiring; one file per kind of device says which bytes
//! it understands. Must never leave a key held on any way out that this process survives; a
//! process that is killed outright leaves it to the board's own timer, if it has one.

pub mod adr2200;
pub mod arduino;
pub mod ch9329;
pub mod denkovi;
pub mod lcus;
mod line;
pub mod numato;
mod port;
pub mod ports;
mod relays;
mod tether;
mod usb;

use std::sync::Arc;
use std::time::Duration;

pub use relays::RelayKeyboard;

/// The group that a device belongs to, by its name; `None` where that cannot be told.
#[must_use]
pub fn owner(device: &std::path::Path) -> Option<String> {
    port::owner(device)
}

pub use usb::UsbKeyboard;

use crate::types::Board;

/// Commands, each to be written at once.
pub(super) type Commands = Vec<Vec<u8>>;

/// What one kind of device on a serial line understands, as far as the line itself needs it.
pub(super) trait Protocol: Send + Sync {
    /// The device's name for people.
    fn name(&self) -> &'static str;

    /// The commands after which nothing is held, whatever was before: what may be held (bits of
    /// the device's own choice) comes first.
    fn let_go(&self, held: u32) -> Commands;

    /// Asked when the port was opened, before anything else but letting go.
    fn greeting(&self) -> Option<&'static [u8]> {
        None
    }

    /// Finds the answer to the greeting: whether the device is one that can be used, or why not
    /// and how to mend it. `None` while there is none.
    fn greeted(&self, _heard: &[u8]) -> Option<Result<(), String>> {
        None
    }

    /// The commands that make the device ready once it was greeted.
    fn setup(&self) -> Commands {
        Vec::new()
    }

    /// The bytes that ask whether all is let go, if the device can be asked.
    fn question(&self) -> Option<Vec<u8>>;

    /// Finds the answer to the question in what was heard since it was asked, which may begin
    /// with an echo or the rest of something else; `None` while there is none.
    fn answer(&self, heard: &[u8]) -> Option<Answer>;

    /// What must be sent while something is held, and how often, or the device lets go by itself.
    fn keep_alive(&self) -> Option<(Duration, &'static [u8])> {
        None
    }
}

/// What a device says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It works, and this is held: bit n for relay n.
    Holds(u32),
    /// It hears us but cannot do its work, and why.
    Cannot(String),
}

/// What a relay board understands besides. Masks have bit n for the n-th relay.
pub(super) trait Relays: Protocol {
    /// The commands after which exactly these relays are closed, where `before` are closed now.
    fn set(&self, closed: u32, before: u32) -> Commands;
}

/// The protocol of a kind of board with so many relays.
pub(super) fn protocol(board: Board, size: u8) -> Arc<dyn Relays> {
    match board {
        Board::Adr2200 => Arc::new(adr2200::Adr2200),
        Board::Lcus => Arc::new(lcus::Lcus { size }),
        Board::Numato => Arc::new(numato::Numato { size }),
        Board::Denkovi => Arc::new(denkovi::Denkovi),
        Board::Arduino => Arc::new(arduino::Arduino),
    }
}

/// What a board with so many relays has answered in these bytes, in words: for tools that listen in.
#[must_use]
pub fn understood(board: Board, size: u8, heard: &[u8]) -> Option<String> {
    let relays = protocol(board, size);
    if let Some(Err(why)) = relays.greeted(heard) {
        return Some(why);
    }
    relays.answer(heard).map(|answer| match answer {
        Answer::Holds(mask) => format!("closed: {:?}", each(mask).collect::<Vec<u8>>()),
        Answer::Cannot(why) => why,
    })
}

/// The relays that a mask has, the lowest first.
pub(super) fn each(mask: u32) -> impl Iterator<Item = u8> {
    (0..32u8).filter(move |n| mask >> n & 1 != 0)
}
