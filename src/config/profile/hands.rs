//! `[hands]`: what presses the keys and how it is wired.

use std::fmt::Write as _;
use std::time::Duration;

use toml_edit::{Item, Value};

use super::super::document::{Found, position};
use super::super::key::Plain;
use super::super::problem::Problem;
use super::write::{Writer, millis};
use crate::types::{Board, Focus, HandsSpec, RelayHands, ScreenHands};

/// Keys that mean something for relays only, and for the keyboard only.
const RELAYS: [&str; 5] = ["port", "baud", "handshake", "boot_ms", "lead_ms"];
const KEYBOARD: [&str; 2] = ["focus", "focus_clicks"];

/// Relays of the largest board.
const MOST: i64 = 7;

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

    fn millis(&self, name: &str) -> Option<Duration> {
        let whole = self.value(name).and_then(Plain::as_whole)?;
        u64::try_from(whole).ok().map(Duration::from_millis)
    }

    fn hands(&mut self) -> Option<HandsSpec> {
        let entries = &self.found.entries;
        let first = entries.iter().find(|e| e.path.starts_with("hands."));
        let wired = self.found.raw.iter().find(|(p, ..)| p == "hands.relays");
        let line = first.map(|e| e.line).or(wired.map(|(.., line)| *line))?;
        match self.value("kind").and_then(Plain::as_text) {
            None => {
                let text = "hands.kind is missing: write kind = \"keyboard\" or kind = \
                            \"adr2200\" below [hands]";
                self.problem(line, text.into());
                None
            }
            Some("keyboard") => {
                self.refuse(&RELAYS, "a relay board");
                if let Some(line) = wired.map(|(.., line)| *line) {
                    let text = "[hands.relays] is for a relay board, and hands.kind is another";
                    self.problem(line, text.into());
                }
                Some(HandsSpec::Screen(self.keyboard()))
            }
            Some(_) => {
                self.refuse(&KEYBOARD, "the keyboard");
                self.relays(line).map(HandsSpec::Relays)
            }
        }
    }

    /// Keys that would be without effect are mistakes.
    fn refuse(&mut self, names: &[&str], whose: &str) {
        for name in names {
            if let Some(line) = self.found.get(&format!("hands.{name}")).map(|e| e.line) {
                let text = format!("hands.{name} is for {whose}, and hands.kind is another");
                self.problem(line, text);
            }
        }
    }

    fn keyboard(&self) -> ScreenHands {
        let usual = ScreenHands::default();
        ScreenHands {
            hold: self.millis("hold_ms").unwrap_or(usual.hold),
            gap: self.millis("gap_ms").unwrap_or(usual.gap),
            latency: self.millis("latency_ms").unwrap_or(usual.latency),
            focus: match self.value("focus").and_then(Plain::as_text) {
                Some("check") => Focus::Check,
                Some("click") => Focus::Click,
                _ => Focus::Take,
            },
            focus_clicks: self.value("focus_clicks") == Some(&Plain::Bool(true)),
        }
    }

    fn relays(&mut self, line: usize) -> Option<RelayHands> {
        let port = self.value("port").and_then(Plain::as_text);
        let port = port.map(str::to_owned);
        if port.is_none() {
            let text = "hands.port is missing: write port = \"/dev/serial/by-id/...\" below \
                        [hands] (`ls /dev/serial/by-id` lists them)";
            self.problem(line, text.into());
        }
        let relays = self.wiring();
        if relays.is_empty() && self.problems.is_empty() {
            let text = "[hands.relays] is missing: write it and below it the relay of each key, \
                        like Left = 0";
            self.problem(line, text.into());
        }
        let usual = RelayHands::adr2200(&port?, relays);
        let baud = self.value("baud").and_then(Plain::as_whole);
        Some(RelayHands {
            board: Board::Adr2200,
            baud: baud
                .and_then(|b| u32::try_from(b).ok())
                .unwrap_or(usual.baud),
            lead: self.millis("lead_ms").unwrap_or(usual.lead),
            hold: self.millis("hold_ms").unwrap_or(usual.hold),
            gap: self.millis("gap_ms").unwrap_or(usual.gap),
            latency: self.millis("latency_ms").unwrap_or(usual.latency),
            handshake: !matches!(self.value("handshake"), Some(Plain::Bool(false))),
            boot: self.millis("boot_ms").unwrap_or(usual.boot),
            ..usual
        })
    }

    /// `[hands.relays]`: any key's name with the number of its relay.
    fn wiring(&mut self) -> Vec<(String, u8)> {
        let raw = self.found.raw.iter().find(|(p, ..)| p == "hands.relays");
        let Some((_, item, line)) = raw.cloned() else {
            return Vec::new();
        };
        let Some(table) = item.as_table_like() else {
            let text = "hands.relays is not a section: write [hands.relays] and its keys below";
            self.problem(line, text.into());
            return Vec::new();
        };
        let mut wired: Vec<(String, u8)> = Vec::new();
        for (name, item) in table.iter() {
            let span = table.get_key_value(name).and_then(|(k, _)| k.span());
            let line = span.map_or(line, |s| position(self.text, s.start).0);
            let relay = item.as_integer().filter(|r| (0..=MOST).contains(r));
            let blank = name.trim().is_empty() || name.chars().any(char::is_control);
            match relay.and_then(|r| u8::try_from(r).ok()) {
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
                        "hands.relays.{name} = {shown}: not allowed; allowed is a relay from 0 \
                         to {MOST}"
                    );
                    self.problem(line, text);
                }
            }
        }
        wired
    }
}

fn shown(item: &Item) -> String {
    let text = item.to_string();
    text.trim().replace(char::is_control, " ")
}

/// A section that reads back as these hands.
pub(super) fn write(w: &mut Writer, spec: &HandsSpec) {
    let ms = |d: Duration| millis(Some(d)).unwrap_or(0);
    match spec {
        HandsSpec::Screen(hands) => {
            w.put("hands.kind", "keyboard");
            let focus = match hands.focus {
                Focus::Check => "check",
                Focus::Take => "take",
                Focus::Click => "click",
            };
            w.put("hands.focus", focus);
            if hands.focus_clicks {
                w.put("hands.focus_clicks", true);
            }
            w.put("hands.hold_ms", ms(hands.hold));
            w.put("hands.gap_ms", ms(hands.gap));
            w.put("hands.latency_ms", ms(hands.latency));
        }
        HandsSpec::Relays(hands) => {
            let kind = match hands.board {
                Board::Adr2200 => "adr2200",
            };
            w.put("hands.kind", kind);
            w.put("hands.port", hands.port.as_str());
            w.put("hands.baud", i64::from(hands.baud));
            w.put("hands.handshake", hands.handshake);
            w.put("hands.boot_ms", ms(hands.boot));
            w.put("hands.lead_ms", ms(hands.lead));
            w.put("hands.hold_ms", ms(hands.hold));
            w.put("hands.gap_ms", ms(hands.gap));
            w.put("hands.latency_ms", ms(hands.latency));
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
