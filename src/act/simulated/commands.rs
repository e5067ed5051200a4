//! What relay boards understand, from the boards' side: bytes in, commands out, answers back.
//!
//! Takes any bytes; must never keep more of them than a command has.

use std::time::Duration;

use crate::types::Board;

/// The longest command: `relay writeall` and eight digits.
const LONGEST: usize = 24;

/// A command that the board carries out. Relays count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Exactly these relays are closed.
    Set(u32),
    /// This one too.
    Close(u8),
    /// This one no longer.
    Open(u8),
    /// Tell something.
    Tell(Tell),
    /// From now on open all after so long a silence.
    DeadMan(Duration),
    /// Nothing but a sign of life.
    Nothing,
}

/// What a board can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tell {
    /// All relays.
    All,
    /// All as a decimal number.
    Number,
    /// This one.
    One(u8),
    /// The version of the protocol.
    Version,
}

/// Collects bytes until they are a command.
#[derive(Clone, Debug)]
pub struct Commands {
    board: Board,
    size: u8,
    line: Vec<u8>,
    /// The line is too long to be anything.
    lost: bool,
    /// The line that was completed last, for boards that echo it.
    last: Vec<u8>,
}

impl Commands {
    /// The commands of a kind of board with so many relays.
    #[must_use]
    pub const fn new(board: Board, size: u8) -> Self {
        Self {
            board,
            size,
            line: Vec::new(),
            lost: false,
            last: Vec::new(),
        }
    }

    /// Takes one byte; gives the command that it completes, if it is one.
    pub fn take(&mut self, byte: u8) -> Option<Command> {
        if self.board == Board::Lcus {
            return self.take_frame(byte);
        }
        let end: &[u8] = match self.board {
            Board::Denkovi => b"//",
            _ => b"\r",
        };
        self.lost |= self.line.len() >= LONGEST;
        if self.lost {
            // The end alone is of interest still.
            self.line
                .drain(..(self.line.len() + 1).saturating_sub(end.len()));
        }
        self.line.push(byte);
        if !self.line.ends_with(end) {
            return None;
        }
        self.line.truncate(self.line.len() - end.len());
        self.last = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.lost) {
            return None;
        }
        let text = std::str::from_utf8(&self.last).ok()?.trim();
        match self.board {
            Board::Numato => self.numato(text),
            Board::Denkovi => self.denkovi(text),
            Board::Arduino => arduino(text).or_else(|| adr2200(text)),
            Board::Adr2200 | Board::Lcus => adr2200(text),
        }
    }

    /// `A0 relay state sum`, or `FF` alone.
    fn take_frame(&mut self, byte: u8) -> Option<Command> {
        if self.line.is_empty() && byte == 0xff {
            return Some(Command::Tell(Tell::All));
        }
        if !self.line.is_empty() || byte == 0xa0 {
            self.line.push(byte);
        }
        let &[head, relay, state, sum] = self.line.as_slice() else {
            return None;
        };
        self.line.clear();
        let sums = head.wrapping_add(relay).wrapping_add(state) == sum;
        let relay = relay.checked_sub(1).filter(|r| sums && *r < self.size)?;
        match state {
            0 => Some(Command::Open(relay)),
            1 => Some(Command::Close(relay)),
            _ => None,
        }
    }

    fn numato(&self, text: &str) -> Option<Command> {
        let mut words = text.split(' ');
        let (first, word, what) = (words.next(), words.next()?, words.next());
        if first != Some("relay") || words.next().is_some() {
            return None;
        }
        let digits = usize::from(self.size / 4);
        let relay = || {
            let digit = what.filter(|w| w.len() == 1)?.chars().next()?;
            let number = match digit {
                'A'..='V' => digit as u32 - 'A' as u32 + 10,
                _ => digit.to_digit(10)?,
            };
            u8::try_from(number).ok().filter(|r| *r < self.size)
        };
        match word {
            "on" => relay().map(Command::Close),
            "off" => relay().map(Command::Open),
            "read" => relay().map(|r| Command::Tell(Tell::One(r))),
            "readall" if digits > 1 && what.is_none() => Some(Command::Tell(Tell::All)),
            "writeall" if digits > 1 => {
                let hex = what.filter(|w| w.len() == digits && !w.starts_with('+'))?;
                u32::from_str_radix(hex, 16).ok().map(Command::Set)
            }
            _ => None,
        }
    }

    fn denkovi(&self, text: &str) -> Option<Command> {
        match text {
            "off" => return Some(Command::Set(0)),
            "on" => return Some(Command::Set(0xffff)),
            "ask" => return Some(Command::Tell(Tell::All)),
            _ => {}
        }
        let sign = text.chars().last()?;
        let number = text.strip_suffix(['+', '-'])?;
        let digits = number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit());
        let relay = number.parse::<u8>().ok().filter(|_| digits)?;
        let relay = relay.checked_sub(1).filter(|r| *r < self.size)?;
        Some(match sign {
            '+' => Command::Close(relay),
            _ => Command::Open(relay),
        })
    }

    /// What the board says to the command that was taken last, where `closed` are closed after
    /// it.
    #[must_use]
    pub fn answer(&self, command: Command, closed: u32) -> Vec<u8> {
        let told = match (self.board, command) {
            (_, Command::Tell(Tell::Version)) => "KIBITZER 1\r".to_owned(),
            (Board::Numato, Command::Tell(tell)) => match tell {
                Tell::One(relay) if closed >> relay & 1 != 0 => "on\n\r".to_owned(),
                Tell::One(_) => "off\n\r".to_owned(),
                _ => format!("{closed:0w$x}\n\r", w = usize::from(self.size / 4)),
            },
            (Board::Lcus, Command::Tell(_)) => (0..self.size)
                .map(|n| {
                    let state = if closed >> n & 1 != 0 { "ON" } else { "OFF" };
                    format!("CH{}:{state} \r\n", n + 1)
                })
                .collect(),
            (Board::Denkovi, Command::Tell(_)) => {
                return (closed as u16).reverse_bits().to_be_bytes().to_vec();
            }
            (_, Command::Tell(Tell::All)) => format!("{closed:08b}\r"),
            (_, Command::Tell(Tell::One(relay))) => format!("{}\r", closed >> relay & 1),
            (_, Command::Tell(Tell::Number)) => format!("{closed:03}\r"),
            _ => String::new(),
        };
        let echo = String::from_utf8_lossy(&self.last);
        match self.board {
            Board::Numato => format!("{echo}\n\r{told}>").into_bytes(),
            Board::Denkovi => format!("{echo}//").into_bytes(),
            _ => told.into_bytes(),
        }
    }
}

/// What Kibitzer's firmware understands besides.
fn arduino(text: &str) -> Option<Command> {
    match text {
        "VER" => Some(Command::Tell(Tell::Version)),
        "KA" => Some(Command::Nothing),
        _ => {
            let digits = text.strip_prefix("DM").filter(|t| t.len() == 4)?;
            let millis = digits.parse().ok().filter(|_| all_digits(digits))?;
            Some(Command::DeadMan(Duration::from_millis(millis)))
        }
    }
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn adr2200(text: &str) -> Option<Command> {
    let relay = |t: &str| t.parse::<u8>().ok().filter(|r| t.len() == 1 && *r < 8);
    if text == "RPK" {
        Some(Command::Tell(Tell::All))
    } else if text == "PK" {
        Some(Command::Tell(Tell::Number))
    } else if let Some(one) = text.strip_prefix("RPK") {
        relay(one).map(|r| Command::Tell(Tell::One(r)))
    } else if let Some(bits) = text.strip_prefix("SPK") {
        let mask = u8::from_str_radix(bits, 2).ok();
        mask.filter(|_| bits.len() == 8 && all_digits(bits))
            .map(|m| Command::Set(m.into()))
    } else if let Some(number) = text.strip_prefix("MK") {
        let mask = number.parse::<u8>().ok();
        mask.filter(|_| number.len() == 3 && all_digits(number))
            .map(|m| Command::Set(m.into()))
    } else if let Some(one) = text.strip_prefix("SK") {
        relay(one).map(Command::Close)
    } else if let Some(one) = text.strip_prefix("RK") {
        relay(one).map(Command::Open)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(board: Board, size: u8, bytes: &[u8]) -> Vec<Command> {
        let mut commands = Commands::new(board, size);
        bytes.iter().filter_map(|b| commands.take(*b)).collect()
    }

    #[test]
    fn commands_of_the_manuals() {
        let adr = |bytes: &[u8]| all(Board::Adr2200, 8, bytes);
        assert_eq!(
            adr(b"MK001\rMK000\rSK3\rRK3\rSPK10000001\rRPK\rRPK7\rPK\r"),
            [
                Command::Set(1),
                Command::Set(0),
                Command::Close(3),
                Command::Open(3),
                Command::Set(0x81),
                Command::Tell(Tell::All),
                Command::Tell(Tell::One(7)),
                Command::Tell(Tell::Number),
            ]
        );
        for nothing in [
            &b"MK1\r"[..],
            b"MK256\r",
            b"MK-01\r",
            b"MK+01\r",
            b"SK8\r",
            b"SK\r",
            b"RK12\r",
            b"SPK1\r",
            b"SPK00000002\r",
            b"SPK+0000001\r",
            b"\r",
            b"MK00\xff\r",
            b"MK001",
            b"xMK001\r",
            b"mk001\r",
            b"VER\r",
        ] {
            assert_eq!(adr(nothing), [], "{nothing:?}");
        }
        assert_eq!(
            adr(b"MK000MK000MK000MK000MK000MK001\rMK002\r"),
            [Command::Set(2)]
        );
        let long = Duration::from_millis(500);
        assert_eq!(
            all(Board::Arduino, 8, b"VER\rDM0500\rKA\rDM500\rSK1\r"),
            [
                Command::Tell(Tell::Version),
                Command::DeadMan(long),
                Command::Nothing,
                Command::Close(1)
            ]
        );
        assert_eq!(
            all(
                Board::Lcus,
                2,
                b"\xff\xa0\x01\x01\xa2\x00\xa0\x02\x01\xa4\xa0\x02\x00\xa2"
            ),
            [
                Command::Tell(Tell::All),
                Command::Close(0),
                Command::Open(1)
            ]
        );
        assert_eq!(
            all(
                Board::Numato,
                16,
                b"relay on 0\rrelay off A\rrelay read 9\rrelay writeall 8001\rrelay readall\r\
                  relay on G\rrelay writeall ff\rreset\r"
            ),
            [
                Command::Close(0),
                Command::Open(10),
                Command::Tell(Tell::One(9)),
                Command::Set(0x8001),
                Command::Tell(Tell::All)
            ]
        );
        assert_eq!(
            all(Board::Denkovi, 16, b"01+//16-//ask//off//17+//1+//"),
            [
                Command::Close(0),
                Command::Open(15),
                Command::Tell(Tell::All),
                Command::Set(0)
            ]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn after_any_bytes_the_next_line_is_understood(
            noise in proptest::collection::vec(any::<u8>(), 0..200),
            mask in any::<u8>(),
        ) {
            let mut commands = Commands::new(Board::Adr2200, 8);
            for byte in noise {
                let _ = commands.take(byte);
                prop_assert!(commands.line.len() <= LONGEST);
            }
            let _ = commands.take(b'\r');
            let told: Vec<Command> = crate::act::serial::adr2200::set_all(mask)
                .into_iter()
                .filter_map(|b| commands.take(b))
                .collect();
            prop_assert_eq!(told, [Command::Set(mask.into())]);
        }

        #[test]
        fn any_bytes_are_taken_without_panic(noise in proptest::collection::vec(any::<u8>(), 0..200)) {
            for kind in crate::types::RELAY_BOARDS {
                let size = *kind.sizes.last().expect("some");
                let mut commands = Commands::new(kind.board, size);
                for byte in &noise {
                    if let Some(command) = commands.take(*byte) {
                        let _ = commands.answer(command, 1);
                    }
                    prop_assert!(commands.line.len() <= LONGEST);
                }
            }
        }
    }
}
