//! `[hands]`: what presses the keys and how it is wired.

use std::fmt::Write as _;
use std::time::Duration;

use toml_edit::{Item, Value};

use super::super::document::{Found, position};
use super::super::key::Plain;
use super::super::problem::Problem;
use super::write::{Writer, list, millis};
use crate::types::{
    Board, CH9329, Focus, HandsSpec, KEYBOARD, KernelHands, LineSpec, Point, Pointing, RelayHands,
    ScreenHands, UINPUT, UsbHands,
};

#[cfg(test)]
pub(super) mod tests;

/// What a key of the section is for: keys without effect are mistakes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Keyboard,
    Relays,
    /// Relays and chips.
    Serial,
    /// Chips and the kernel.
    Pointer,
    Chip,
}

/// Keys that are not for all kinds.
const ONLY: [(&str, Whose, &str); 13] = [
    ("focus", Whose::Keyboard, "the keyboard"),
    ("focus_clicks", Whose::Keyboard, "the keyboard"),
    ("size", Whose::Relays, "a relay board"),
    ("port", Whose::Serial, "a device on a serial line"),
    ("baud", Whose::Serial, "a device on a serial line"),
    ("handshake", Whose::Serial, "a device on a serial line"),
    ("boot_ms", Whose::Serial, "a device on a serial line"),
    ("dtr", Whose::Serial, "a device on a serial line"),
    ("spacing_ms", Whose::Serial, "a device on a serial line"),
    ("lead_ms", Whose::Serial, "a device on a serial line"),
    ("screen", Whose::Pointer, "ch9329 and uinput"),
    ("corners", Whose::Pointer, "ch9329 and uinput"),
    ("relative", Whose::Chip, "ch9329"),
];

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    found: &'a Found,
    problems: Vec<Problem>,
}

/// The hands, if a profile has any, and what is wrong with them.
pub(super) fn read(file: &str, text: &str, found: &Found) -> (Option<HandsSpec>, Vec<Problem>) {
    let mut reader = Reader {
        file,
        text,
        found,
        problems: Vec::new(),
    };
    let spec = reader.hands();
    (spec, reader.problems)
}

impl Reader<'_> {
    fn problem(&mut self, line: usize, text: String) {
        let place = format!("{}:{line}", self.file);
        self.problems.push(Problem::new(place, text));
    }

    fn value(&self, name: &str) -> Option<&Plain> {
        self.found.get(&format!("hands.{name}")).map(|e| &e.value)
    }

    fn line_of(&self, name: &str) -> Option<usize> {
        self.found.get(&format!("hands.{name}")).map(|e| e.line)
    }

    fn millis(&self, name: &str, usual: Duration) -> Duration {
        let whole = self.value(name).and_then(Plain::as_whole);
        let millis = whole.and_then(|w| u64::try_from(w).ok());
        millis.map_or(usual, Duration::from_millis)
    }

    fn hands(&mut self) -> Option<HandsSpec> {
        let entries = &self.found.entries;
        let first = entries.iter().find(|e| e.path.starts_with("hands."));
        let wired = self.found.raw.iter().find(|(p, ..)| p == "hands.relays");
        let line = first.map(|e| e.line).or(wired.map(|(.., line)| *line))?;
        let Some(kind) = self.value("kind").and_then(Plain::as_text) else {
            let text = "hands.kind is missing: write kind = \"keyboard\", \"adr2200\" or another \
                        kind below [hands] (hardware/README.md has them all)";
            self.problem(line, text.into());
            return None;
        };
        let kind = kind.to_owned();
        let mine: &[Whose] = match kind.as_str() {
            KEYBOARD => &[Whose::Keyboard],
            CH9329 => &[Whose::Serial, Whose::Pointer, Whose::Chip],
            UINPUT => &[Whose::Pointer],
            _ => &[Whose::Relays, Whose::Serial],
        };
        for (name, whose, what) in ONLY {
            if let Some(line) = self.line_of(name).filter(|_| !mine.contains(&whose)) {
                let text = format!("hands.{name} is for {what}, and hands.kind is another");
                self.problem(line, text);
            }
        }
        if let Some(line) = wired.map(|(.., line)| *line)
            && !mine.contains(&Whose::Relays)
        {
            let text = "[hands.relays] is for a relay board, and hands.kind is another";
            self.problem(line, text.into());
        }
        match kind.as_str() {
            KEYBOARD => Some(HandsSpec::Screen(self.keyboard())),
            CH9329 => self.usb(line).map(HandsSpec::Usb),
            UINPUT => Some(HandsSpec::Kernel(self.kernel())),
            // The list of kinds was checked before.
            word => self
                .relays(line, Board::named(word)?)
                .map(HandsSpec::Relays),
        }
    }

    fn keyboard(&self) -> ScreenHands {
        let usual = ScreenHands::default();
        ScreenHands {
            hold: self.millis("hold_ms", usual.hold),
            gap: self.millis("gap_ms", usual.gap),
            latency: self.millis("latency_ms", usual.latency),
            focus: match self.value("focus").and_then(Plain::as_text) {
                Some("check") => Focus::Check,
                Some("click") => Focus::Click,
                _ => Focus::Take,
            },
            focus_clicks: self.value("focus_clicks") == Some(&Plain::Bool(true)),
        }
    }

    fn kernel(&mut self) -> KernelHands {
        let usual = KernelHands::default();
        KernelHands {
            hold: self.millis("hold_ms", usual.hold),
            gap: self.millis("gap_ms", usual.gap),
            latency: self.millis("latency_ms", usual.latency),
            pointing: self.pointing(),
        }
    }

    fn usb(&mut self, line: usize) -> Option<UsbHands> {
        let port = self.port(line);
        let pointing = self.pointing();
        let usual = UsbHands::new(&port?);
        Some(UsbHands {
            lead: self.millis("lead_ms", usual.lead),
            hold: self.millis("hold_ms", usual.hold),
            gap: self.millis("gap_ms", usual.gap),
            latency: self.millis("latency_ms", usual.latency),
            line: self.serial(usual.line),
            pointing,
        })
    }

    /// How a pointer finds its places, if it is to have any.
    fn pointing(&mut self) -> Option<Pointing> {
        let list = |name: &str| match self.value(name) {
            Some(Plain::List(list)) => Some(list.clone()),
            _ => None,
        };
        let whole = |v: &Plain| v.as_whole().and_then(|w| u32::try_from(w).ok());
        let screen = list("screen").and_then(|l| Some((whole(l.first()?)?, whole(l.get(1)?)?)));
        let corners = list("corners").map(|l| {
            let number = |i: usize| l.get(i).and_then(Plain::as_number).unwrap_or(0.0);
            let at = |i: usize| Point::new(number(2 * i), number(2 * i + 1));
            [at(0), at(1), at(2), at(3)]
        });
        if corners.is_some_and(|c| !is_convex(&c)) {
            let line = self.line_of("corners").unwrap_or(1);
            let text = "hands.corners is no screen: write x, y of the upper left, upper right, \
                        lower right and lower left corner, in this order";
            self.problem(line, text.into());
        }
        let relative = self.value("relative") == Some(&Plain::Bool(true));
        if relative && screen.is_none() {
            let line = self.line_of("relative").unwrap_or(1);
            let text = "hands.relative needs the size of the screen: write screen = [1920, 1080] \
                        or what it is below [hands]";
            self.problem(line, text.into());
        }
        let some = screen.is_some() || corners.is_some();
        some.then_some(Pointing {
            screen,
            corners,
            relative,
        })
    }

    fn port(&mut self, line: usize) -> Option<String> {
        let port = self.value("port").and_then(Plain::as_text);
        let port = port.map(str::to_owned);
        if port.is_none() {
            let text = "hands.port is missing: write port = \"/dev/serial/by-id/...\" below \
                        [hands] (`kibitzer ports` lists them)";
            self.problem(line, text.into());
        }
        port
    }

    fn serial(&self, usual: LineSpec) -> LineSpec {
        let baud = self.value("baud").and_then(Plain::as_whole);
        let flag = |name: &str| match self.value(name) {
            Some(Plain::Bool(flag)) => Some(*flag),
            _ => None,
        };
        LineSpec {
            baud: baud
                .and_then(|b| u32::try_from(b).ok())
                .unwrap_or(usual.baud),
            handshake: flag("handshake").unwrap_or(usual.handshake),
            boot: self.millis("boot_ms", usual.boot),
            dtr: flag("dtr"),
            spacing: self.millis("spacing_ms", usual.spacing),
            port: usual.port,
        }
    }

    fn relays(&mut self, line: usize, board: Board) -> Option<RelayHands> {
        let port = self.port(line);
        let size = self.size(line, board);
        let relays = self.wiring(board, size);
        if relays.is_empty() && self.problems.is_empty() {
            let text = "[hands.relays] is missing: write it and below it the relay of each key, \
                        like Left = 1";
            self.problem(line, text.into());
        }
        let usual = RelayHands::new(board, size?, &port?, relays);
        Some(RelayHands {
            lead: self.millis("lead_ms", usual.lead),
            hold: self.millis("hold_ms", usual.hold),
            gap: self.millis("gap_ms", usual.gap),
            latency: self.millis("latency_ms", usual.latency),
            line: self.serial(usual.line),
            ..usual
        })
    }

    /// How many relays the board has: what the profile says, if there is a choice.
    fn size(&mut self, line: usize, board: Board) -> Option<u8> {
        let kind = board.kind();
        let said = self.value("size").and_then(Plain::as_whole);
        let fits = |n: i64| u8::try_from(n).ok().filter(|n| kind.sizes.contains(n));
        let sizes: Vec<String> = kind.sizes.iter().map(u8::to_string).collect();
        match (said, kind.sizes) {
            (Some(said), _) => {
                let size = fits(said);
                if size.is_none() {
                    let line = self.line_of("size").unwrap_or(line);
                    let text = format!(
                        "hands.size = {said}: not allowed; the {} has {} relays",
                        kind.name,
                        sizes.join(" or ")
                    );
                    self.problem(line, text);
                }
                size
            }
            (None, [only]) => Some(*only),
            (None, _) => {
                let text = format!(
                    "hands.size is missing: write how many relays the board has ({}) below [hands]",
                    sizes.join(", ")
                );
                self.problem(line, text);
                None
            }
        }
    }

    /// `[hands.relays]`: any key's name with the number of its relay.
    fn wiring(&mut self, board: Board, size: Option<u8>) -> Vec<(String, u8)> {
        let raw = self.found.raw.iter().find(|(p, ..)| p == "hands.relays");
        let Some((_, item, line)) = raw.cloned() else {
            return Vec::new();
        };
        let Some(table) = item.as_table_like() else {
            let text = "hands.relays is not a section: write [hands.relays] and its keys below";
            self.problem(line, text.into());
            return Vec::new();
        };
        let kind = board.kind();
        let largest = kind.sizes.iter().copied().max().unwrap_or(1);
        let last = kind.first + size.unwrap_or(largest) - 1;
        let mut wired: Vec<(String, u8)> = Vec::new();
        for (name, item) in table.iter() {
            let span = table.get_key_value(name).and_then(|(k, _)| k.span());
            let line = span.map_or(line, |s| position(self.text, s.start).0);
            let relay = item.as_integer().and_then(|r| u8::try_from(r).ok());
            let blank = name.trim().is_empty() || name.chars().any(char::is_control);
            match relay.filter(|r| (kind.first..=last).contains(r)) {
                _ if blank => {
                    let text = "hands.relays: a key without a name";
                    self.problem(line, text.into());
                }
                Some(_) if wired.iter().any(|(k, _)| k.eq_ignore_ascii_case(name)) => {
                    let text = format!("hands.relays.{name}: the key is there twice");
                    self.problem(line, text);
                }
                Some(relay) => wired.push((name.to_owned(), relay)),
                None => {
                    let shown: String = shown(item).chars().take(60).collect();
                    let text = format!(
                        "hands.relays.{name} = {shown}: not allowed; allowed is a relay from {} \
                         to {last}",
                        kind.first
                    );
                    self.problem(line, text);
                }
            }
        }
        wired
    }
}

/// Whether four corners in this order go once around something that is not bent inwards.
fn is_convex(corners: &[Point; 4]) -> bool {
    (0..4).all(|i| {
        let (a, b, c) = (corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]);
        (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 1.0
    })
}

fn shown(item: &Item) -> String {
    let text = item.to_string();
    text.trim().replace(char::is_control, " ")
}

/// A section that reads back as these hands.
pub(super) fn write(w: &mut Writer, spec: &HandsSpec) {
    match spec {
        HandsSpec::Screen(hands) => {
            w.put("hands.kind", KEYBOARD);
            let focus = match hands.focus {
                Focus::Check => "check",
                Focus::Take => "take",
                Focus::Click => "click",
            };
            w.put("hands.focus", focus);
            if hands.focus_clicks {
                w.put("hands.focus_clicks", true);
            }
            times(w, hands.hold, hands.gap, hands.latency);
        }
        HandsSpec::Kernel(hands) => {
            w.put("hands.kind", UINPUT);
            times(w, hands.hold, hands.gap, hands.latency);
            pointing(w, hands.pointing.as_ref());
        }
        HandsSpec::Usb(hands) => {
            w.put("hands.kind", CH9329);
            serial(w, &hands.line, hands.lead);
            times(w, hands.hold, hands.gap, hands.latency);
            pointing(w, hands.pointing.as_ref());
        }
        HandsSpec::Relays(hands) => {
            w.put("hands.kind", hands.board.kind().word);
            w.put("hands.size", i64::from(hands.size));
            serial(w, &hands.line, hands.lead);
            times(w, hands.hold, hands.gap, hands.latency);
            w.out
                .push_str("\n# The relay across each key.\n[hands.relays]\n");
            for (key, relay) in &hands.relays {
                // A quoted key may be anything.
                let key = Value::from(key.as_str());
                let _ = writeln!(w.out, "{} = {relay}", key.to_string().trim());
            }
        }
    }
}

fn ms(d: Duration) -> i64 {
    millis(Some(d)).unwrap_or(0)
}

fn times(w: &mut Writer, hold: Duration, gap: Duration, latency: Duration) {
    w.put("hands.hold_ms", ms(hold));
    w.put("hands.gap_ms", ms(gap));
    w.put("hands.latency_ms", ms(latency));
}

fn serial(w: &mut Writer, line: &LineSpec, lead: Duration) {
    w.put("hands.port", line.port.as_str());
    w.put("hands.baud", i64::from(line.baud));
    w.put("hands.handshake", line.handshake);
    w.put("hands.boot_ms", ms(line.boot));
    w.maybe("hands.dtr", line.dtr);
    w.put("hands.spacing_ms", ms(line.spacing));
    w.put("hands.lead_ms", ms(lead));
}

fn pointing(w: &mut Writer, pointing: Option<&Pointing>) {
    let Some(pointing) = pointing else {
        return;
    };
    if let Some((width, height)) = pointing.screen {
        let size = list([i64::from(width), i64::from(height)]);
        w.put("hands.screen", size);
    }
    if let Some(corners) = pointing.corners {
        let corners = list(corners.iter().flat_map(|p| [p.x, p.y]));
        w.put("hands.corners", corners);
    }
    if pointing.relative {
        w.put("hands.relative", true);
    }
}
