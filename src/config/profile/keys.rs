//! Every key of a profile.

use super::super::key::{Key, Kind, some_text};
use super::steps;
use crate::types::Control;

const fn key(path: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key {
        path,
        kind,
        default: None,
        doc,
    }
}

const CELLS: f64 = 1000.0;

fn letter(text: &str) -> Result<(), String> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c.is_ascii_graphic() && c != '?' && c != '/' => Ok(()),
        _ => Err(String::new()),
    }
}

fn new_game(text: &str) -> Result<(), String> {
    steps::parse(text).map(|_| ())
}

fn key_name(text: &str) -> Result<(), String> {
    match steps::parse(text).as_deref() {
        Ok([Control::Key(_)]) => Ok(()),
        _ => Err(String::new()),
    }
}

fn window_id(text: &str) -> Result<(), String> {
    parse_id(text).map(|_| ()).ok_or_else(String::new)
}

/// `0x2a0000c` or `44040204`.
pub(super) fn parse_id(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

const LETTER: Kind = Kind::Text(letter, "one letter, not ? or /");
const NAME: Kind = Kind::Text(key_name, "the name of a key like \"Left\" or \"space\"");
const MS: Kind = Kind::Whole(0, 60_000);

/// Sections that are not described here: a saved calibration is plain data of the calibrator, a
/// built-in target has its own settings, and below `hands.relays` every name is a key's.
pub(super) const RAW: &[&str] = &["calibration", "source.simulated", "hands.relays"];

/// All of them, in the order in which they are written.
pub(super) const KEYS: &[Key] = &[
    key("version", Kind::Whole(1, i64::MAX), "Format of this file"),
    key(
        "source.window",
        Kind::Text(
            some_text,
            "a part of a window's title, or \"=the whole title\"",
        ),
        "The window, by a part of its title; \"=Title\" is the whole title",
    ),
    key(
        "source.class",
        Kind::Text(some_text, "a window's class"),
        "The window, by its class",
    ),
    key(
        "source.id",
        Kind::Text(window_id, "a window's id like \"0x2a0000c\""),
        "The window, by its id",
    ),
    key(
        "source.screen",
        Kind::Text(
            some_text,
            "\"all\", or a monitor's number or name in quotes",
        ),
        "A monitor by number (\"1\") or name, or \"all\"",
    ),
    key(
        "source.region",
        Kind::Wholes(4, -32_768, 32_767),
        "A part of the screen: left, top, width, height in pixels",
    ),
    key(
        "source.file",
        Kind::Text(some_text, "a path"),
        "A picture, a folder of pictures or a video",
    ),
    key(
        "game.name",
        Kind::Text(some_text, "the name of a game"),
        "The game",
    ),
    key(
        "game.limit",
        Kind::Whole(1, 1_000_000),
        "Moves allowed, where the program has its own number",
    ),
    key(
        "game.new_game",
        Kind::Text(
            new_game,
            "keys and clicks separated by \";\", like \"n\" or \"click 6.5,-1; Return\"",
        ),
        "Starts a new game: keys by name, or clicks in cells from the board's top left corner",
    ),
    key(
        "game.start",
        Kind::Wholes(2, 0, 65_535),
        "The cell a game starts from: column and row from 0",
    ),
    key(
        "policy.fallback",
        Kind::Text(some_text, "the name of a policy"),
        "Who makes the move when a policy that is another program does not",
    ),
    key(
        "tetris.system",
        Kind::Text(some_text, "the name of a rotation system"),
        "How pieces appear and turn in this program: standard, or the program's name",
    ),
    key(
        "tetris.next",
        Kind::Numbers(4, -CELLS, CELLS),
        "The box with the next piece: left, top, columns, rows, in cells from the board's top left corner",
    ),
    key(
        "tetris.next_pitch",
        Kind::Number(0.1, 10.0),
        "Side of a cell in that box, in cells of the board",
    ),
    key(
        "tetris.left",
        NAME,
        "The key that moves a piece to the left",
    ),
    key(
        "tetris.right",
        NAME,
        "The key that moves a piece to the right",
    ),
    key("tetris.rotate", NAME, "The key that turns a piece"),
    key("tetris.drop", NAME, "The key that drops a piece at once"),
    key(
        "tetris.fall_ms",
        Kind::Whole(1, 60_000),
        "Time from one fall step to the next at the start, where it is known",
    ),
    key(
        "tetris.clear_ms",
        MS,
        "How long complete rows take to vanish",
    ),
    key(
        "tetris.mode",
        Kind::OneOf(&["belief", "dead-reckoning"]),
        "How it is played: by looking at all of the board, or as the reference did it, for comparison",
    ),
    key("board.cols", Kind::Whole(1, 1000), "Columns"),
    key("board.rows", Kind::Whole(1, 1000), "Rows"),
    key(
        "board.kind",
        Kind::OneOf(&["cells", "holes", "crossings", "squares", "stack"]),
        "What the cells are",
    ),
    key("classes[].letter", LETTER, "Its letter on boards as text"),
    key(
        "classes[].rgb",
        Kind::Wholes(3, 0, 255),
        "Its colour: red, green, blue",
    ),
    key(
        "controls.click",
        Kind::OneOf(&["cell", "swatch"]),
        "A move is made by clicking a cell, or the button (swatch) of a class",
    ),
    key(
        "controls.swatches[].letter",
        LETTER,
        "The letter of the class",
    ),
    key(
        "controls.swatches[].at",
        Kind::Numbers(2, -CELLS, CELLS),
        "Centre of the button, in cells from the board's top left corner",
    ),
    key(
        "timing.settle_ms",
        MS,
        "How long the board must be unchanged before it is believed",
    ),
    key(
        "timing.hold_ms",
        MS,
        "How long a button or key is held down",
    ),
    key("timing.gap_ms", MS, "Least time between two strokes"),
    key(
        "timing.confirm_timeout_ms",
        Kind::Whole(50, 60_000),
        "An action whose effect is not seen within this has had none",
    ),
    key(
        "hands.kind",
        Kind::OneOf(&["keyboard", "adr2200"]),
        "What presses the keys: the keyboard of this machine, or relays on a serial line",
    ),
    key(
        "hands.port",
        Kind::Text(some_text, "a serial port like \"/dev/serial/by-id/...\""),
        "The serial port; its name in /dev/serial/by-id stays the same when plugged in again",
    ),
    key(
        "hands.baud",
        Kind::Whole(300, 921_600),
        "Bits per second on the serial line (9600)",
    ),
    key(
        "hands.handshake",
        Kind::Bool,
        "Whether the board must answer when it is asked for its relays (true)",
    ),
    key(
        "hands.boot_ms",
        MS,
        "How long the board needs after its port was opened (0)",
    ),
    key(
        "hands.focus",
        Kind::OneOf(&["check", "take", "click"]),
        "A window without the focus: keys are refused, or it is given the focus, or clicked (take)",
    ),
    key(
        "hands.lead_ms",
        MS,
        "From deciding on a key to telling the board to press it (30)",
    ),
    key(
        "hands.hold_ms",
        Kind::Whole(1, 60_000),
        "How long a key is held (relays 30, keyboard 20)",
    ),
    key(
        "hands.gap_ms",
        MS,
        "From letting a key go to the next (relays 0, keyboard 10)",
    ),
    key(
        "hands.latency_ms",
        MS,
        "From a key going down to its effect on the screen, at most (relays 100, keyboard 50)",
    ),
];
