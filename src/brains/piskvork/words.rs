//! The words of the protocol, read from either side. Nothing that can be sent is an error here:
//! what is not understood is a word of its own.

/// A cell `x,y` from 0 at the top left, as it was written; whether it lies on the board is for
/// whoever knows the board.
pub type At = (i64, i64);

/// What a manager says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A new game on a square board.
    Start(Option<i64>),
    /// A new game on a rectangle, columns and rows.
    RectStart(Option<At>),
    /// The brain has the first move.
    Begin,
    /// The opponent's move.
    Turn(Option<At>),
    /// A position follows, to be answered with a move.
    Board,
    /// An opening follows, to be answered by the swap-two rule.
    Swap2Board,
    /// The end of what follows.
    Done,
    /// The same again from an empty board.
    Restart,
    /// A stone goes.
    Takeback(Option<At>),
    /// The move that the brain suggested, or another one, is to be made.
    Play(Option<At>),
    /// Who is it?
    About,
    /// A setting; never answered.
    Info(String, String),
    /// Go.
    End,
    /// A cell by itself, with its owner or without, as in positions.
    Stone(At, Option<i64>),
    /// Anything else.
    Unknown,
}

/// What a brain says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Moves, usually one.
    Moves(Vec<At>),
    /// It has done what it was told.
    Ok,
    /// It would play this.
    Suggest(At),
    /// It takes the other side.
    Swap,
    /// It cannot.
    Error(String),
    /// It does not know the word.
    Unknown(String),
    /// For people, or for those who repair it, or about itself.
    Talk(String),
    /// Anything else.
    Strange(String),
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    match line.find(char::is_whitespace) {
        Some(at) => (&line[..at], line[at..].trim()),
        None => (line, ""),
    }
}

/// Whole numbers joined by commas.
fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split(',').map(|n| n.trim().parse().ok()).collect()
}

/// `x,y`
#[must_use]
pub fn at(text: &str) -> Option<At> {
    match numbers(text)?[..] {
        [x, y] => Some((x, y)),
        _ => None,
    }
}

impl Command {
    /// Reads a line of the manager.
    #[must_use]
    pub fn parse(line: &str) -> Self {
        let (word, rest) = split(line);
        match word.to_ascii_uppercase().as_str() {
            "START" => Self::Start(rest.parse().ok()),
            "RECTSTART" => Self::RectStart(at(rest)),
            "BEGIN" => Self::Begin,
            "TURN" => Self::Turn(at(rest)),
            "BOARD" => Self::Board,
            "SWAP2BOARD" => Self::Swap2Board,
            "DONE" => Self::Done,
            "RESTART" => Self::Restart,
            "TAKEBACK" => Self::Takeback(at(rest)),
            "PLAY" => Self::Play(at(rest)),
            "ABOUT" => Self::About,
            "INFO" => {
                let (key, value) = split(rest);
                Self::Info(key.to_ascii_lowercase(), value.to_owned())
            }
            "END" => Self::End,
            _ => match numbers(line).as_deref() {
                Some(&[x, y]) => Self::Stone((x, y), None),
                Some(&[x, y, owner]) => Self::Stone((x, y), Some(owner)),
                _ => Self::Unknown,
            },
        }
    }
}

impl Reply {
    /// Reads a line of a brain.
    #[must_use]
    pub fn parse(line: &str) -> Self {
        let (word, rest) = split(line);
        let text = || rest.to_owned();
        match word.to_ascii_uppercase().as_str() {
            "OK" => Self::Ok,
            "SWAP" => Self::Swap,
            "ERROR" => Self::Error(text()),
            "UNKNOWN" => Self::Unknown(text()),
            "MESSAGE" | "DEBUG" => Self::Talk(text()),
            "SUGGEST" => match at(rest) {
                Some(at) => Self::Suggest(at),
                None => Self::Strange(line.trim().to_owned()),
            },
            _ if line.trim_start().starts_with("name=") => Self::Talk(line.trim().to_owned()),
            _ => {
                // A cell may be written with a blank after its comma.
                let moves = at(line).map(|at| vec![at]).or_else(|| {
                    let cells: Option<Vec<At>> = line.split_whitespace().map(at).collect();
                    cells.filter(|cells| !cells.is_empty())
                });
                moves.map_or_else(|| Self::Strange(line.trim().to_owned()), Self::Moves)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let parsed = [
            ("START 20", Command::Start(Some(20))),
            ("start", Command::Start(None)),
            ("RECTSTART 15,20", Command::RectStart(Some((15, 20)))),
            ("TURN 3,4\r", Command::Turn(Some((3, 4)))),
            ("TURN 3", Command::Turn(None)),
            (
                "TURN -1, 99999999999",
                Command::Turn(Some((-1, 99_999_999_999))),
            ),
            ("3,4,1", Command::Stone((3, 4), Some(1))),
            ("3,4", Command::Stone((3, 4), None)),
            ("3,4,1,2", Command::Unknown),
            ("INFO timeout_turn 5000", info("timeout_turn", "5000")),
            ("INFO folder C:\\my files", info("folder", "C:\\my files")),
            ("info", info("", "")),
            ("end", Command::End),
            ("HELLO", Command::Unknown),
            ("", Command::Unknown),
        ];
        for (line, command) in parsed {
            assert_eq!(Command::parse(line), command, "{line}");
        }
    }

    fn info(key: &str, value: &str) -> Command {
        Command::Info(key.to_owned(), value.to_owned())
    }

    #[test]
    fn replies() {
        let strange = |text: &str| Reply::Strange(text.to_owned());
        let parsed = [
            ("7,7", Reply::Moves(vec![(7, 7)])),
            ("7, 7", Reply::Moves(vec![(7, 7)])),
            ("7,7 8,8 9,6", Reply::Moves(vec![(7, 7), (8, 8), (9, 6)])),
            ("OK - everything is good", Reply::Ok),
            ("SUGGEST 1,2", Reply::Suggest((1, 2))),
            ("SUGGEST me", strange("SUGGEST me")),
            ("SWAP", Reply::Swap),
            ("ERROR no memory", Reply::Error("no memory".to_owned())),
            ("UNKNOWN command", Reply::Unknown("command".to_owned())),
            ("DEBUG depth 3", Reply::Talk("depth 3".to_owned())),
            (
                "name=\"x\", version=\"1\"",
                Reply::Talk("name=\"x\", version=\"1\"".to_owned()),
            ),
            ("7;7", strange("7;7")),
        ];
        for (line, reply) in parsed {
            assert_eq!(Reply::parse(line), reply, "{line}");
        }
    }
}
