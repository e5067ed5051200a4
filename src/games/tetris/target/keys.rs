//! The keys of the target: one table for pressing and for the help.
//!
//! Takes names of keys as everywhere (`Left`, `space`, `shift+k`), gives commands. Must never
//! know what a command does.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// One turn.
    Rotate,
    /// Drop the piece.
    Drop,
    /// Leave the start screen; a new game when one is over.
    Start,
    /// A new game, whatever the old one is like.
    NewGame,
    /// Let time stand still or go on.
    Pause,
    /// The help.
    Help,
    /// Close what lies over the board.
    Close,
    /// All filled cells in one colour.
    Monochrome,
    /// The next set of colours.
    Palette,
    /// Where the piece will land.
    Shadow,
    /// Where the chosen AI would put it.
    Hint,
    /// The next piece.
    Next,
    /// Let the AI play.
    Auto,
    /// Choose another AI.
    NextAi,
    /// A row of junk from below.
    Junk,
    /// More speed.
    Faster,
    /// Less speed.
    Slower,
    /// A column more.
    Wider,
    /// A column less.
    Narrower,
    /// A row more.
    Higher,
    /// A row less.
    Lower,
    /// S and Z in turn.
    SzOnly,
    /// Calibration.
    Calibrate,
    /// Markers and swatches.
    Sheet,
    /// The recognition grid.
    Grid,
    /// The debug console.
    Console,
    /// Write the game to its file.
    Save,
    /// Read the game from its file.
    Load,
    /// A digit: a piece, a level.
    Digit(u8),
}

/// One line of the help: what it asks for, its keys, how they are shown, what it does.
pub struct Entry {
    /// The command.
    pub command: Command,
    /// Names of keys, all in lower case.
    pub keys: &'static [&'static str],
    /// For a person.
    pub shown: &'static str,
    /// For a person.
    pub what: &'static str,
}

const fn entry(
    command: Command,
    keys: &'static [&'static str],
    shown: &'static str,
    what: &'static str,
) -> Entry {
    Entry {
        command,
        keys,
        shown,
        what,
    }
}

/// All keys but the digits.
pub const TABLE: [Entry; 29] = {
    use Command as C;
    [
        entry(C::Left, &["left"], "Left", "one column to the left"),
        entry(C::Right, &["right"], "Right", "one column to the right"),
        entry(C::Rotate, &["up"], "Up", "turn counter-clockwise"),
        entry(C::Drop, &["space", "down"], "Space, Down", "drop"),
        entry(
            C::Start,
            &["return", "kp_enter"],
            "Return",
            "start, start again",
        ),
        entry(C::NewGame, &["f2"], "F2", "new game"),
        entry(C::Pause, &["p"], "P", "pause"),
        entry(C::Help, &["f1", "?"], "F1, ?", "this help"),
        entry(
            C::Close,
            &["escape"],
            "Escape",
            "close help, grid, console, calibration",
        ),
        entry(C::Monochrome, &["shift+k"], "Shift+K", "monochrome"),
        entry(
            C::Palette,
            &["shift+p"],
            "Shift+P",
            "colours: standard, colour-blind",
        ),
        entry(C::Shadow, &["s"], "S", "shadow: where the piece will land"),
        entry(
            C::Hint,
            &["shift+h"],
            "Shift+H",
            "hint: where the AI would put it",
        ),
        entry(C::Next, &["n"], "N", "next piece"),
        entry(C::Auto, &["a"], "A", "the AI plays"),
        entry(C::NextAi, &["shift+a"], "Shift+A", "another AI"),
        entry(C::Junk, &["shift+j"], "Shift+J", "junk row from below"),
        entry(C::Faster, &["+"], "+", "faster"),
        entry(C::Slower, &["-"], "-", "slower"),
        entry(
            C::Wider,
            &["ctrl+right"],
            "Ctrl+Right",
            "one column more (new game)",
        ),
        entry(
            C::Narrower,
            &["ctrl+left"],
            "Ctrl+Left",
            "one column less (new game)",
        ),
        entry(
            C::Higher,
            &["ctrl+up"],
            "Ctrl+Up",
            "one row more (new game)",
        ),
        entry(
            C::Lower,
            &["ctrl+down"],
            "Ctrl+Down",
            "one row less (new game)",
        ),
        entry(C::SzOnly, &["z"], "Z", "only S and Z, in turn"),
        entry(
            C::Calibrate,
            &["c"],
            "C",
            "calibration: 1-7 show a piece, 0 none",
        ),
        entry(C::Sheet, &["m"], "M", "markers and colour swatches"),
        entry(C::Grid, &["v"], "V", "video and its recognition grid"),
        entry(C::Console, &["d"], "D", "debug console"),
        entry(C::Save, &["shift+w"], "Shift+W", "save"),
    ]
};

/// Loading stands apart: it needs a file that saving has written.
pub const LOAD: Entry = entry(Command::Load, &["shift+l"], "Shift+L", "load");

/// All lines of the help.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().chain(std::iter::once(&LOAD))
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pressed<'a> {
    /// Shift is held.
    pub shift: bool,
    /// Ctrl is held.
    pub ctrl: bool,
    /// The key's name.
    pub key: &'a str,
}

/// Takes a name apart. A capital letter is the small one with Shift.
#[must_use]
pub fn parse(name: &str) -> Pressed<'_> {
    let (mut shift, mut ctrl) = (false, false);
    let mut key = name.trim();
    while let Some((modifier, rest)) = key.split_once('+') {
        if rest.is_empty() {
            break;
        }
        match modifier {
            m if m.eq_ignore_ascii_case("shift") => shift = true,
            m if m.eq_ignore_ascii_case("ctrl") || m.eq_ignore_ascii_case("control") => ctrl = true,
            _ => break,
        }
        key = rest;
    }
    let capital = key.len() == 1 && key.bytes().all(|b| b.is_ascii_uppercase());
    Pressed {
        shift: shift || capital,
        ctrl,
        key,
    }
}

/// The command of a key; `None` when it has none.
#[must_use]
pub fn command(name: &str) -> Option<Command> {
    let pressed = parse(name);
    let key = pressed.key;
    let is = |names: &[&str]| names.iter().any(|n| n.eq_ignore_ascii_case(key));
    // Characters that need Shift on some keyboards and not on others.
    if is(&["+", "plus", "kp_add"]) || (pressed.shift && is(&["=", "equal"])) {
        return Some(Command::Faster);
    }
    if is(&["-", "minus", "kp_subtract"]) {
        return Some(Command::Slower);
    }
    if is(&["?", "question"]) || (pressed.shift && is(&["/", "slash"])) {
        return Some(Command::Help);
    }
    if let [digit @ b'0'..=b'9'] = key.as_bytes()
        && !pressed.shift
        && !pressed.ctrl
    {
        return Some(Command::Digit(digit - b'0'));
    }
    if is(&["enter"]) {
        return Some(Command::Start);
    }
    if is(&["esc"]) {
        return Some(Command::Close);
    }
    if key == " " {
        return Some(Command::Drop);
    }
    let found = entries().find(|e| {
        e.keys.iter().any(|wanted| {
            let wanted = parse(wanted);
            wanted.key.eq_ignore_ascii_case(key)
                && wanted.shift == pressed.shift
                && wanted.ctrl == pressed.ctrl
        })
    });
    found.map(|e| e.command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_table_is_found() {
        for entry in entries() {
            for key in entry.keys {
                assert_eq!(command(key), Some(entry.command), "{key}");
            }
        }
    }

    #[test]
    fn names_come_in_many_forms() {
        let table = [
            ("Left", Command::Left),
            ("KP_Enter", Command::Start),
            ("K", Command::Monochrome),
            ("shift+K", Command::Monochrome),
            ("plus", Command::Faster),
            ("shift++", Command::Faster),
            ("shift+plus", Command::Faster),
            ("shift+equal", Command::Faster),
            ("KP_Add", Command::Faster),
            ("shift+question", Command::Help),
            ("control+Up", Command::Higher),
            ("7", Command::Digit(7)),
        ];
        for (name, wanted) in table {
            assert_eq!(command(name), Some(wanted), "{name}");
        }
        for name in [
            "",
            "k",
            "shift+7",
            "ctrl+shift+Up",
            "nosuch",
            "+x",
            "shift+",
            "é",
        ] {
            assert_eq!(command(name), None, "{name}");
        }
    }
}
