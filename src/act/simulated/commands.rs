//! What an ADR2200 understands, from the board's side: bytes in, commands out.
//!
//! Takes any bytes; must never keep more of them than a command has.

/// The longest command: `SPKxxxxxxxx`.
const LONGEST: usize = 11;

/// A command that the board carries out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `MKddd`, `SPKbbbbbbbb`: exactly these relays are closed.
    Set(u8),
    /// `SKn`: this one too.
    Close(u8),
    /// `RKn`: this one no longer.
    Open(u8),
    /// `RPK`: tell all, as bits.
    TellBits,
    /// `RPKn`: tell one.
    TellOne(u8),
    /// `PK`: tell all, as a decimal number.
    TellNumber,
}

/// Collects bytes until a carriage return.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    line: Vec<u8>,
    /// The line is too long to be anything.
    lost: bool,
}

impl Commands {
    /// Takes one byte; gives the command that it completes, if the line is one.
    pub fn take(&mut self, byte: u8) -> Option<Command> {
        if byte != b'\r' {
            self.lost |= self.line.len() >= LONGEST;
            if !self.lost {
                self.line.push(byte);
            }
            return None;
        }
        let command = if self.lost { None } else { parse(&self.line) };
        self.line.clear();
        self.lost = false;
        command
    }
}

fn parse(line: &[u8]) -> Option<Command> {
    let text = std::str::from_utf8(line).ok()?.trim();
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    let relay = |t: &str| t.parse::<u8>().ok().filter(|r| t.len() == 1 && *r < 8);
    if text == "RPK" {
        Some(Command::TellBits)
    } else if text == "PK" {
        Some(Command::TellNumber)
    } else if let Some(one) = text.strip_prefix("RPK") {
        relay(one).map(Command::TellOne)
    } else if let Some(bits) = text.strip_prefix("SPK") {
        let mask = u8::from_str_radix(bits, 2).ok();
        mask.filter(|_| bits.len() == 8 && digits(bits))
            .map(Command::Set)
    } else if let Some(number) = text.strip_prefix("MK") {
        let mask = number.parse().ok();
        mask.filter(|_| number.len() == 3 && digits(number))
            .map(Command::Set)
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

    fn all(bytes: &[u8]) -> Vec<Command> {
        let mut commands = Commands::default();
        bytes.iter().filter_map(|b| commands.take(*b)).collect()
    }

    #[test]
    fn commands_of_the_manual() {
        assert_eq!(
            all(b"MK001\rMK000\rSK3\rRK3\rSPK10000001\rRPK\rRPK7\rPK\r"),
            [
                Command::Set(1),
                Command::Set(0),
                Command::Close(3),
                Command::Open(3),
                Command::Set(0x81),
                Command::TellBits,
                Command::TellOne(7),
                Command::TellNumber,
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
        ] {
            assert_eq!(all(nothing), [], "{nothing:?}");
        }
        assert_eq!(all(b"MK000MK000MK001\rMK002\r"), [Command::Set(2)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn after_any_bytes_the_next_line_is_understood(
            noise in proptest::collection::vec(any::<u8>(), 0..200),
            mask in any::<u8>(),
        ) {
            let mut commands = Commands::default();
            for byte in noise {
                let _ = commands.take(byte);
                prop_assert!(commands.line.len() <= LONGEST);
            }
            let _ = commands.take(b'\r');
            let told: Vec<Command> = crate::act::serial::adr2200::set_all(mask)
                .into_iter()
                .filter_map(|b| commands.take(b))
                .collect();
            prop_assert_eq!(told, [Command::Set(mask)]);
        }
    }
}
