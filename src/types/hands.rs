//! Which hands press the keys of a game and how they are wired: read from a profile, opened by
//! the hands.

use std::time::Duration;

/// The hands of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandsSpec {
    /// Synthetic mouse and keyboard of the display that shows the game.
    Screen(ScreenHands),
    /// Relays across the keys of a keyboard.
    Relays(RelayHands),
}

/// Synthetic mouse and keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenHands {
    /// How long a key or button stays down.
    pub hold: Duration,
    /// From letting go until the next key.
    pub gap: Duration,
    /// From a key going down to its effect being on the screen, at most.
    pub latency: Duration,
    /// What is done about a window that has not got the focus.
    pub focus: Focus,
    /// Whether that is done before a click too.
    pub focus_clicks: bool,
}

/// What is done before a key when the target has not got the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// Nothing: the key is refused.
    Check,
    /// The focus is given to it by the window manager, or directly where there is none.
    #[default]
    Take,
    /// It is clicked in its middle.
    Click,
}

impl Default for ScreenHands {
    /// A key is down for as long as one picture at 50 Hz, so that programs that look at the keys
    /// once per picture see it.
    fn default() -> Self {
        Self {
            hold: Duration::from_millis(20),
            gap: Duration::from_millis(10),
            latency: Duration::from_millis(50),
            focus: Focus::Take,
            focus_clicks: false,
        }
    }
}

/// Relays on a serial line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayHands {
    /// Which board.
    pub board: Board,
    /// The serial port; a name below `/dev/serial/by-id` stays the same when the board is
    /// plugged in again.
    pub port: String,
    /// Bits per second on the line.
    pub baud: u32,
    /// The relay across each key.
    pub relays: Vec<(String, u8)>,
    /// From being asked for a key to telling the board.
    pub lead: Duration,
    /// How long a relay stays closed.
    pub hold: Duration,
    /// From opening it until the next key may be asked for.
    pub gap: Duration,
    /// From a key going down to its effect being on the screen, at most.
    pub latency: Duration,
    /// Whether the board must answer when it is asked for the state of its relays.
    pub handshake: bool,
    /// How long the board needs after its port was opened (boards that start anew with it).
    pub boot: Duration,
}

/// Kinds of relay boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// Ontrak ADR2200: 8 relays, commands in ASCII.
    Adr2200,
}

impl RelayHands {
    /// An ADR2200 on this port, with the timing of its reference: wait 30 ms, close 30 ms.
    #[must_use]
    pub fn adr2200(port: &str, relays: Vec<(String, u8)>) -> Self {
        Self {
            board: Board::Adr2200,
            port: port.to_owned(),
            baud: 9600,
            relays,
            lead: Duration::from_millis(30),
            hold: Duration::from_millis(30),
            gap: Duration::ZERO,
            latency: Duration::from_millis(100),
            handshake: true,
            boot: Duration::ZERO,
        }
    }
}
