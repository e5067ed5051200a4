//! Every key of a profile.

use std::sync::LazyLock;

use super::super::key::{Key, Kind, some_text};
use super::duel::STANDS_NAMES;
use super::{camera, script, steps};
use crate::types::{Beginner, Control, HANDS, SideName};

pub(super) const fn key(path: &'static str, kind: Kind, doc: &'static str) -> Key {
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

/// The names of keys in a list, apart by blanks.
pub(super) fn key_names(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn several_keys(text: &str) -> Result<(), String> {
    let names = key_names(text);
    match names.is_empty() {
        true => Err("there is none".into()),
        false => names.iter().try_for_each(|name| key_name(name)),
    }
}

fn side(text: &str) -> Result<(), String> {
    text.parse::<SideName>().map(|_| ())
}

fn beginner(text: &str) -> Result<(), String> {
    text.parse::<Beginner>().map(|_| ())
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

/// The keys of one list of steps.
macro_rules! step_keys {
    ($list:literal) => {
        [
            key(
                concat!($list, "[].key"),
                Kind::Text(key_name, "a key with its modifiers, like \"n\" or \"ctrl+n\""),
                "Press a key",
            ),
            key(
                concat!($list, "[].click"),
                PLACE,
                "Click a place",
            ),
            key(
                concat!($list, "[].see"),
                LOOK,
                "Wait until this is to be seen",
            ),
            key(
                concat!($list, "[].focus"),
                Kind::Bool,
                "Give the window the focus",
            ),
            key(concat!($list, "[].wait_ms"), MS, "Wait for so long"),
            key(
                concat!($list, "[].still_ms"),
                MS,
                "Wait until nothing has changed for so long",
            ),
            key(
                concat!($list, "[].window"),
                WINDOW,
                "Another window than the one that is watched, by a part of its title or \"=the whole title\"",
            ),
            key(
                concat!($list, "[].class"),
                CLASS,
                "Another window than the one that is watched, by its class",
            ),
            key(
                concat!($list, "[].tolerance"),
                TOLERANCE,
                COLOUR_TOLERANCE,
            ),
            key(
                concat!($list, "[].least_percent"),
                LEAST,
                COLOUR_LEAST,
            ),
            key(
                concat!($list, "[].within_ms"),
                WITHIN,
                "A step that cannot be made for so long has failed (5000)",
            ),
        ]
    };
}

const PLACE: Kind = Kind::Text(
    script::is_place,
    "a part of the window like \"50%,60%\", a cell from the board's top left corner like \
     \"6.5,-1\", a picture like \"start.png\", or a colour like \"#3584e4\"",
);
const LOOK: Kind = Kind::Text(
    script::is_look,
    "a picture like \"start.png\" or a colour like \"#3584e4\"",
);
const WINDOW: Kind = Kind::Text(
    some_text,
    "a part of a window's title, or \"=the whole title\"",
);
const CLASS: Kind = Kind::Text(some_text, "a window's class");
const TOLERANCE: Kind = Kind::Whole(0, 255);
const LEAST: Kind = Kind::Number(0.0, 100.0);
const COLOUR_TOLERANCE: &str = "How much each of a colour's red, green and blue may differ (24)";
const COLOUR_LEAST: &str = "Least size of the area of a colour, in percent of the window (0.05)";
const WITHIN: Kind = Kind::Whole(1, 600_000);

const START: [Key; 11] = step_keys!("start.steps");
const AGAIN: [Key; 11] = step_keys!("again.steps");
const ANSWER: [Key; 11] = step_keys!("dialog[].steps");

/// When a script's parts are due.
const SCRIPT: &[Key] = &[
    key(
        "start.always",
        Kind::Bool,
        "Do these steps also when a game seems to run: the program shows a demo",
    ),
    key(
        "start.see",
        LOOK,
        "Do these steps also when this is to be seen: a page that looks like a game",
    ),
    key("start.tolerance", TOLERANCE, COLOUR_TOLERANCE),
    key("start.least_percent", LEAST, COLOUR_LEAST),
    key(
        "dialog[].name",
        Kind::Text(some_text, "a name"),
        "Its name in messages",
    ),
    key(
        "dialog[].window",
        WINDOW,
        "When another window is there, by a part of its title or \"=the whole title\"",
    ),
    key(
        "dialog[].class",
        CLASS,
        "When another window is there, by its class",
    ),
    key(
        "dialog[].see",
        LOOK,
        "When this is to be seen in the window that is watched",
    ),
    key("dialog[].tolerance", TOLERANCE, COLOUR_TOLERANCE),
    key("dialog[].least_percent", LEAST, COLOUR_LEAST),
    key(
        "dialog[].board",
        Kind::OneOf(&["absent", "covered", "over"]),
        "When no board is found, it is covered or cannot be read, or its game is over",
    ),
    key(
        "dialog[].after_ms",
        MS,
        "For so long all of this must have been so (500)",
    ),
];

/// All of them, in the order in which they are written.
pub(super) static ALL: LazyLock<Vec<Key>> =
    LazyLock::new(|| [KEYS, camera::KEYS, SCRIPT, &START, &AGAIN, &ANSWER].concat());

/// Those that are no list of steps.
const KEYS: &[Key] = &[
    key("version", Kind::Whole(1, i64::MAX), "Format of this file"),
    key(
        "source.window",
        WINDOW,
        "The window, by a part of its title; \"=Title\" is the whole title",
    ),
    key("source.class", CLASS, "The window, by its class"),
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
        "game.side",
        Kind::Text(
            side,
            "\"first\" or \"second\" (to move), a colour like \"red\", or the letter of a class",
        ),
        "Which side is ours, where it does not show in play: always first or second, or by its pieces",
    ),
    key(
        "game.begins",
        Kind::Text(
            beginner,
            "\"we\", \"they\", a colour like \"black\", or the letter of a class",
        ),
        "Who begins every game, where that is always the same",
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
    key(
        "connect4.row",
        Kind::Whole(2, 35),
        "How many discs in a row win (4)",
    ),
    key(
        "connect4.keys",
        Kind::Text(
            several_keys,
            "names of keys apart by blanks, like \"a b c d e f g\"",
        ),
        "A move is made by a key for each column, from the left",
    ),
    key(
        "connect4.left",
        NAME,
        "A move is made with a cursor: the key that moves it a column to the left",
    ),
    key(
        "connect4.right",
        NAME,
        "The key that moves it a column to the right",
    ),
    key("connect4.drop", NAME, "The key that drops the disc"),
    key(
        "connect4.cursor",
        Kind::OneOf(STANDS_NAMES),
        "Where the cursor stands before a move: anywhere (it is moved to an edge first), over the disc that fell last, or over the middle column",
    ),
    key(
        "gomoku.rule",
        Kind::OneOf(&["five-or-more", "exact"]),
        "How many stones in a row win: five or more, or exactly five",
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
        Kind::OneOf(&["cell", "swatch", "top"]),
        "A move is made by clicking a cell, the button (swatch) of a class, or the top of a column",
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
        Kind::OneOf(HANDS),
        "What presses the keys: the keyboard of this machine, relays or a CH9329 on a serial line, or the kernel (hardware/README.md)",
    ),
    key(
        "hands.size",
        Kind::Whole(1, 32),
        "How many relays the board has",
    ),
    key(
        "hands.port",
        Kind::Text(some_text, "a serial port like \"/dev/serial/by-id/...\""),
        "The serial port; its name in /dev/serial/by-id stays the same when plugged in again; \"auto\" is the only one that answers",
    ),
    key(
        "hands.baud",
        Kind::Whole(300, 921_600),
        "Bits per second on the serial line (9600)",
    ),
    key(
        "hands.handshake",
        Kind::Bool,
        "Whether the device must answer before it counts as there (true; lcus false)",
    ),
    key(
        "hands.boot_ms",
        MS,
        "How long the board needs after its port was opened (arduino 1500, others 0)",
    ),
    key(
        "hands.dtr",
        Kind::Bool,
        "The level of the serial line's DTR (left to the system, which raises it)",
    ),
    key(
        "hands.spacing_ms",
        Kind::Whole(0, 100),
        "The shortest time between two commands on the serial line (0)",
    ),
    key(
        "hands.screen",
        Kind::Wholes(2, 1, 65_536),
        "Width and height of the screen in pixels, for a pointer; without corners the picture is the screen",
    ),
    key(
        "hands.relative",
        Kind::Bool,
        "Move the pointer by steps, for computers that take no absolute mouse; its acceleration must be off (false)",
    ),
    key(
        "hands.corners",
        Kind::Numbers(8, -100_000.0, 100_000.0),
        "Where the corners of the screen lie in the picture, for a pointer: x, y of the upper left, upper right, lower right, lower left",
    ),
    key(
        "hands.focus",
        Kind::OneOf(&["check", "take", "click"]),
        "A window without the focus: keys are refused, or it is given the focus, or clicked (take)",
    ),
    key(
        "hands.focus_clicks",
        Kind::Bool,
        "Whether a window without the focus is given it before a click too: its first click does nothing else (false)",
    ),
    key(
        "hands.lead_ms",
        MS,
        "From deciding on a key to telling the device to press it (relays 30, ch9329 0)",
    ),
    key(
        "hands.hold_ms",
        Kind::Whole(1, 60_000),
        "How long a key is held (relays 30, others 20)",
    ),
    key(
        "hands.gap_ms",
        MS,
        "From letting a key go to the next (relays 0, others 10)",
    ),
    key(
        "hands.latency_ms",
        MS,
        "From a key going down to its effect on the screen, at most (relays and ch9329 100, others 50); `kibitzer probe` measures it",
    ),
];
