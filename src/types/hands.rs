//! Which hands press the keys of a game and how they are wired: read from a profile, opened by
//! the hands.

use std::time::Duration;

use super::geometry::Point;

/// The hands of a profile.
#[derive(Clone, Debug, PartialEq)]
pub enum HandsSpec {
    /// Synthetic mouse and keyboard of the display that shows the game.
    Screen(ScreenHands),
    /// Relays across the keys of a keyboard.
    Relays(RelayHands),
    /// A chip on a serial line that is a USB keyboard and mouse to another computer.
    Usb(UsbHands),
    /// Keyboard and mouse of this machine as the kernel has them.
    Kernel(KernelHands),
}

/// The words for kinds of hands in a profile: these, and those of [`RELAY_BOARDS`].
pub const KEYBOARD: &str = "keyboard";
/// A CH9329.
pub const CH9329: &str = "ch9329";
/// The kernel's virtual keyboard and mouse.
pub const UINPUT: &str = "uinput";
/// All of them.
pub const HANDS: &[&str] = &[
    KEYBOARD, "adr2200", "lcus", "numato", "denkovi", "arduino", CH9329, UINPUT,
];

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

/// A serial line: which port, and how it is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSpec {
    /// The serial port; a name below `/dev/serial/by-id` stays the same when the device is
    /// plugged in again. [`AUTO`]: the only one that answers as this kind of device.
    pub port: String,
    /// Bits per second.
    pub baud: u32,
    /// Whether the device must answer before it counts as there.
    pub handshake: bool,
    /// How long the device needs after its port was opened (boards that start anew with it).
    pub boot: Duration,
    /// The level of the line DTR while the port is open; `None` leaves it to the system, which
    /// raises it.
    pub dtr: Option<bool>,
    /// The shortest time between two commands.
    pub spacing: Duration,
}

/// The port's name that asks for a search.
pub const AUTO: &str = "auto";

impl LineSpec {
    /// A line at 9600 bits per second to a device that answers at once.
    #[must_use]
    pub fn new(port: &str) -> Self {
        Self {
            port: port.to_owned(),
            baud: 9600,
            handshake: true,
            boot: Duration::ZERO,
            dtr: None,
            spacing: Duration::ZERO,
        }
    }
}

/// How a pointer finds a place of the picture on the screen. One of `screen` and `corners` is
/// there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointing {
    /// Pixels of the screen, across and down. Without `corners` the picture is the screen.
    pub screen: Option<(u32, u32)>,
    /// The picture shows the screen from somewhere: where its corners lie in it (pixels of the
    /// picture), the upper left, upper right, lower right, lower left.
    pub corners: Option<[Point; 4]>,
    /// The pointer is moved by steps instead of being told its place: for computers that know no
    /// other mouse. Needs `screen`, and a pointer without acceleration.
    pub relative: bool,
}

/// A CH9329: a chip on a serial line that is a USB keyboard and mouse to another computer.
#[derive(Clone, Debug, PartialEq)]
pub struct UsbHands {
    /// The line to it.
    pub line: LineSpec,
    /// From being asked for a key to telling the chip.
    pub lead: Duration,
    /// How long a key or button stays down.
    pub hold: Duration,
    /// From letting go until the next key.
    pub gap: Duration,
    /// From a key going down to its effect being on the screen, at most.
    pub latency: Duration,
    /// How places are found; without it there are keys only.
    pub pointing: Option<Pointing>,
}

impl UsbHands {
    /// A chip on this port. A key is down for as long as one picture at 50 Hz.
    #[must_use]
    pub fn new(port: &str) -> Self {
        Self {
            line: LineSpec::new(port),
            lead: Duration::ZERO,
            hold: Duration::from_millis(20),
            gap: Duration::from_millis(10),
            latency: Duration::from_millis(100),
            pointing: None,
        }
    }
}

/// Keyboard and mouse of this machine as the kernel has them (uinput).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelHands {
    /// How long a key or button stays down.
    pub hold: Duration,
    /// From letting go until the next key.
    pub gap: Duration,
    /// From a key going down to its effect being on the screen, at most.
    pub latency: Duration,
    /// How places are found; without it there are keys only.
    pub pointing: Option<Pointing>,
}

impl Default for KernelHands {
    fn default() -> Self {
        let screen = ScreenHands::default();
        Self {
            hold: screen.hold,
            gap: screen.gap,
            latency: screen.latency,
            pointing: None,
        }
    }
}

/// Relays on a serial line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayHands {
    /// Which board.
    pub board: Board,
    /// How many relays it has.
    pub size: u8,
    /// The line to it.
    pub line: LineSpec,
    /// The relay across each key, counted as the board counts them.
    pub relays: Vec<(String, u8)>,
    /// From being asked for a key to telling the board.
    pub lead: Duration,
    /// How long a relay stays closed.
    pub hold: Duration,
    /// From opening it until the next key may be asked for.
    pub gap: Duration,
    /// From a key going down to its effect being on the screen, at most.
    pub latency: Duration,
}

/// Kinds of relay boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// Ontrak ADR2200: 8 relays, commands in ASCII.
    Adr2200,
    /// LCUS-1 to LCUS-8: a CH340 and four bytes for each relay.
    Lcus,
    /// Numato's USB relay modules: a shell in ASCII that echoes and prompts.
    Numato,
    /// Denkovi's board of 16 relays.
    Denkovi,
    /// An Arduino with the firmware in `hardware/firmware`.
    Arduino,
}

/// What is known of a kind of board: the one table of them.
#[derive(Clone, Copy, Debug)]
pub struct RelayBoard {
    /// Which.
    pub board: Board,
    /// Its name in profiles and on the command line.
    pub word: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// How many relays there may be; where it is more than one number the profile says which.
    pub sizes: &'static [u8],
    /// The number of its first relay, as it is printed on the board.
    pub first: u8,
    /// Whether it answers when it is asked which relays are closed.
    pub answers: bool,
    /// How long it needs after its port was opened.
    pub boot: Duration,
}

/// All kinds of boards.
pub const RELAY_BOARDS: [RelayBoard; 5] = [
    RelayBoard {
        board: Board::Adr2200,
        word: "adr2200",
        name: "Ontrak ADR2200",
        sizes: &[8],
        first: 0,
        answers: true,
        boot: Duration::ZERO,
    },
    RelayBoard {
        board: Board::Lcus,
        word: "lcus",
        name: "LCUS board",
        sizes: &[1, 2, 4, 8],
        first: 1,
        // Some do; most of those that are sold do not.
        answers: false,
        boot: Duration::ZERO,
    },
    RelayBoard {
        board: Board::Numato,
        word: "numato",
        name: "Numato relay module",
        sizes: &[1, 2, 4, 8, 16, 32],
        first: 0,
        answers: true,
        boot: Duration::ZERO,
    },
    RelayBoard {
        board: Board::Denkovi,
        word: "denkovi",
        name: "Denkovi board of 16 relays",
        sizes: &[16],
        first: 1,
        answers: true,
        boot: Duration::ZERO,
    },
    RelayBoard {
        board: Board::Arduino,
        word: "arduino",
        name: "Arduino with Kibitzer's firmware",
        sizes: &[8],
        first: 0,
        answers: true,
        // Opening the port restarts it: about a second of boot loader.
        boot: Duration::from_millis(1500),
    },
];

impl Board {
    /// What is known of it.
    #[must_use]
    pub fn kind(self) -> &'static RelayBoard {
        // The table has them all, in the order of the enum: a test looks.
        RELAY_BOARDS
            .iter()
            .find(|k| k.board == self)
            .unwrap_or(&RELAY_BOARDS[0])
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        RELAY_BOARDS
            .iter()
            .find(|k| k.word == word)
            .map(|k| k.board)
    }
}

impl RelayHands {
    /// A board of this kind on this port with the timing of the reference: wait 30 ms, close
    /// 30 ms. `size` is not checked here.
    #[must_use]
    pub fn new(board: Board, size: u8, port: &str, relays: Vec<(String, u8)>) -> Self {
        let kind = board.kind();
        Self {
            board,
            size,
            line: LineSpec {
                handshake: kind.answers,
                boot: kind.boot,
                ..LineSpec::new(port)
            },
            relays,
            lead: Duration::from_millis(30),
            hold: Duration::from_millis(30),
            gap: Duration::ZERO,
            latency: Duration::from_millis(100),
        }
    }

    /// An ADR2200 on this port.
    #[must_use]
    pub fn adr2200(port: &str, relays: Vec<(String, u8)>) -> Self {
        Self::new(Board::Adr2200, 8, port, relays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_kind_once_and_masks_are_wide_enough() {
        for (i, kind) in RELAY_BOARDS.iter().enumerate() {
            assert_eq!(kind.board as usize, i, "{}", kind.word);
            assert_eq!(Board::named(kind.word), Some(kind.board));
            assert!(kind.sizes.iter().all(|s| (1..=32).contains(s)));
        }
        assert_eq!(Board::named("piano"), None);
        let words: Vec<&str> = RELAY_BOARDS.iter().map(|k| k.word).collect();
        assert_eq!(HANDS[1..1 + words.len()], words);
    }
}
