//! A running game, a camera that reads its cells, and hands that lose keys: all in virtual time.
//!
//! The camera shows the past, row by row later (rolling shutter), spoils frames and is knocked.
//! The hands are slow, and keys reach the game late, twice or never.

use std::collections::VecDeque;
use std::time::Duration;

use kibitzer::games::tetris::agent::{AgentOptions, agent};
use kibitzer::games::tetris::policies::{Placement, by_name};
use kibitzer::games::tetris::rules::{Board, Game, Key, Kind, Setup};
use kibitzer::types::{
    BoardText, Budget, CellReading, Finding, GridSize, Label, LiveAgent, Reading, Status, Time,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use super::tally::{Faults, Tally};

/// A frame on its way: when it is handed over, when it was captured, what was read, and what was
/// true then (the board as drawn, the pile).
type Taken = (u64, u64, Reading, Vec<u8>, Vec<u8>);

enum Hands {
    Free,
    Busy { key: String, down: u64 },
}

pub struct Rig {
    pub game: Game,
    pub agent: Box<dyn LiveAgent>,
    pub options: AgentOptions,
    pub faults: Faults,
    pub findings: Vec<(u64, Finding)>,
    pub decisions: Vec<(u64, String)>,
    pub tally: Tally,
    /// Frames from..to (ms) of which a part is covered.
    pub cover: Option<(u64, u64)>,
    /// What shall happen to the keys from now on: 0 lost, 2 doubled.
    pub next_keys: VecDeque<u8>,
    pub ms: u64,
    /// No key is pressed.
    pub muted: bool,
    /// The game's clock is so far ahead, in ms: put forward, a piece falls faster than it should.
    pub ahead: u64,
    rng: ChaCha8Rng,
    hands: Hands,
    line: Vec<(u64, Key)>,
    history: VecDeque<(u64, Vec<u8>)>,
    frame_at: u64,
    pending: VecDeque<Taken>,
    knocked_at: Option<u64>,
    next_knock: u64,
    aim: Option<String>,
    landed: u64,
    wrong_since: [Option<u64>; 3],
    budget: Budget,
    pub trace: bool,
}

fn time(ms: u64) -> Time {
    Time::from_millis(ms)
}

pub fn setup(level: u8, seed: u64) -> Setup {
    Setup {
        level,
        seed,
        ..Setup::default()
    }
}

impl Rig {
    pub fn new(game: Game, policy: &str, options: AgentOptions, faults: Faults, seed: u64) -> Self {
        let policy = by_name(policy).expect("a policy");
        let next_knock = if faults.knock_every == 0 {
            u64::MAX
        } else {
            faults.knock_every
        };
        Self {
            agent: agent(policy, options.clone()),
            game,
            options,
            faults,
            findings: Vec::new(),
            decisions: Vec::new(),
            tally: Tally::default(),
            cover: None,
            next_keys: VecDeque::new(),
            ms: 0,
            muted: false,
            ahead: 0,
            rng: ChaCha8Rng::seed_from_u64(seed),
            hands: Hands::Free,
            line: Vec::new(),
            history: VecDeque::new(),
            frame_at: 20,
            pending: VecDeque::new(),
            knocked_at: None,
            next_knock,
            aim: None,
            landed: 0,
            wrong_since: [None; 3],
            budget: Budget::default(),
            trace: std::env::var_os("RIG_TRACE").is_some(),
        }
    }

    /// The board as it is drawn, from the bottom, and the pile alone.
    fn drawn(&self) -> (Vec<u8>, Vec<u8>) {
        let pile = self.game.board().cells().to_vec();
        let mut all = self.game.board().clone();
        if let Some(pose) = self.game.piece() {
            all.lock(self.game.system(), pose);
        }
        (all.cells().to_vec(), pile)
    }

    /// Goes on until this time or the end of the game.
    pub fn run(&mut self, until_ms: u64) {
        while self.ms < until_ms && !self.tally.over {
            self.tick();
        }
    }

    /// Goes on until so many pieces have landed, or the game is over.
    pub fn run_pieces(&mut self, pieces: u64) {
        while self.game.pieces() < pieces && !self.game.is_over() {
            self.tick();
        }
        self.tally.pieces = self.game.pieces();
        self.tally.lines = self.game.lines();
        self.tally.over = self.game.is_over();
        self.tally.ms = self.ms;
    }

    pub fn tick(&mut self) {
        self.ms += 1;
        let now = self.ms;
        while let Some(i) = self.line.iter().position(|(at, _)| *at <= now) {
            let (_, key) = self.line.remove(i);
            let happened = self.game.press(key, time(now + self.ahead));
            if happened.landed > 0 {
                self.note_landing(true);
            }
        }
        let happened = self.game.advance(time(now + self.ahead));
        if happened.landed > 0 {
            self.note_landing(false);
        }
        let (drawn, pile) = self.drawn();
        if self.history.back().is_none_or(|(_, d)| *d != drawn) {
            self.history.push_back((now, drawn.clone()));
            while self.history.len() > 60 {
                self.history.pop_front();
            }
        }
        if now >= self.frame_at {
            self.capture(now, drawn, pile);
        }
        if let Hands::Busy { key, down } = &self.hands
            && now >= down + self.options.timing.hold.as_millis() as u64
        {
            let (key, down) = (key.clone(), *down);
            self.hands = Hands::Free;
            self.agent.sent(&key, time(down), time(now));
            self.act(now);
        }
        if self.pending.front().is_some_and(|p| p.0 <= now) {
            let (_, at, reading, drawn, pile) = self.pending.pop_front().expect("a frame");
            self.look(at, &reading, &drawn, &pile);
            self.act(now);
        }
    }

    fn note_landing(&mut self, dropped: bool) {
        let Some(landing) = self.game.landing() else {
            return;
        };
        self.tally.highest = self.tally.highest.max(self.game.board().height());
        let there = Placement::of(landing.pose).map(|p| p.to_string());
        if self.aim.take() != there {
            self.tally.astray += 1;
            self.tally.dropped_astray += u64::from(dropped);
            if self.trace {
                println!("{:>7} astray (dropped {dropped}) {there:?}", self.ms);
            }
        }
        self.landed += 1;
    }

    fn shown(&self, at: u64) -> &[u8] {
        let shown = self.history.iter().rev().find(|(t, _)| *t <= at);
        &shown.unwrap_or(&self.history[0]).1
    }

    fn capture(&mut self, now: u64, drawn: Vec<u8>, pile: Vec<u8>) {
        // 30 frames/s, a little unsteady.
        self.frame_at = now + 33 + u64::from(self.rng.random_range(0..10) == 0);
        let (cols, rows) = (
            usize::from(self.game.board().cols()),
            usize::from(self.game.board().rows()),
        );
        let mut cells = vec![
            CellReading {
                label: Label::Unknown,
                confidence: 0.0
            };
            cols * rows
        ];
        for y in 0..rows {
            let from_top = (rows - 1 - y) as u64;
            let at = now.saturating_sub(self.faults.lag + self.faults.rolling)
                + self.faults.rolling * from_top / rows as u64;
            let shown = self.shown(at);
            for x in 0..cols {
                let value = shown[y * cols + x];
                let class = if self.faults.monochrome && value != 0 {
                    8
                } else {
                    value
                };
                cells[(rows - 1 - y) * cols + x] = CellReading {
                    label: Label::Class(class),
                    confidence: 0.9,
                };
            }
        }
        let mut reading = Reading {
            size: GridSize::new(cols as u16, rows as u16),
            cells,
            beside: next_box(self.game.next()),
        };
        self.spoil(now, &mut reading);
        let due = now + self.faults.handling;
        self.pending.push_back((due, now, reading, drawn, pile));
    }

    fn spoil(&mut self, now: u64, reading: &mut Reading) {
        let (cols, n) = (usize::from(reading.size.cols), reading.cells.len());
        let dark = CellReading {
            label: Label::Unknown,
            confidence: 0.0,
        };
        if let Some((from, to)) = self.cover
            && (from..to).contains(&now)
        {
            for (i, cell) in reading.cells.iter_mut().enumerate() {
                if i / cols < 18 {
                    *cell = dark;
                }
            }
        }
        if now >= self.next_knock {
            self.knocked_at = Some(now);
            self.next_knock = now + self.faults.knock_every;
        }
        if let Some(at) = self.knocked_at {
            if now < at + self.faults.knock_for {
                // Between two cells: much is unknown, the rest is of the neighbour.
                let old = reading.cells.clone();
                for i in 0..n {
                    let other = old[(i + 2 * cols + 1) % n];
                    reading.cells[i] = if other.label == old[i].label {
                        other
                    } else {
                        dark
                    };
                    if other.label != old[i].label && self.rng.random_bool(0.5) {
                        reading.cells[i] = other;
                    }
                }
                return;
            }
            self.knocked_at = None;
        }
        if !self.rng.random_bool(self.faults.spoil) {
            return;
        }
        let share = self.rng.random_range(0.05..0.6);
        match self.rng.random_range(0..4) {
            0 => {
                for cell in &mut reading.cells {
                    if self.rng.random_bool(share) {
                        *cell = dark;
                    }
                }
            }
            1 => {
                for cell in &mut reading.cells {
                    if self.rng.random_bool(share) {
                        cell.label = Label::Class(self.rng.random_range(0..9));
                        cell.confidence = self.rng.random_range(0.1..1.0);
                    }
                }
            }
            2 => {
                let from = self.rng.random_range(0..n / 2);
                let class = self.rng.random_range(0..9);
                for cell in &mut reading.cells[from..from + n / 3] {
                    cell.label = Label::Class(class);
                }
            }
            _ => reading.cells.rotate_right(1),
        }
        if self.rng.random_bool(0.5) {
            reading.beside.clear();
        }
    }

    fn look(&mut self, at: u64, reading: &Reading, drawn: &[u8], pile: &[u8]) {
        let mut out = Vec::new();
        self.agent.see(reading, time(at), &mut out);
        let believed = self.agent.believed();
        self.tally.frames += 1;
        let (all, just_pile) = match &believed {
            None => (false, false),
            Some(text) => self.compare(text, drawn, pile),
        };
        let spans = [!just_pile, !all, believed.is_some() && !just_pile];
        self.tally.wrong_frames += u64::from(!just_pile);
        for (i, wrong) in spans.into_iter().enumerate() {
            if !wrong {
                self.wrong_since[i] = None;
                continue;
            }
            let since = *self.wrong_since[i].get_or_insert(at);
            let worst = match i {
                0 => &mut self.tally.worst_pile,
                1 => &mut self.tally.worst_board,
                _ => &mut self.tally.worst_wrong,
            };
            *worst = (*worst).max(at - since);
        }
        if self.trace {
            println!(
                "{at:>7} pile {just_pile} board {all} conf {}",
                self.agent.confidence()
            );
            if !all {
                let board = |cells: &[u8]| {
                    let rows: Vec<String> = (cells.chunks(10).rev())
                        .map(|r| r.iter().map(|&v| if v == 0 { '.' } else { '#' }).collect())
                        .collect();
                    rows
                };
                let seen = self.agent.text(reading).0;
                let seen: Vec<&str> = seen.split('/').collect();
                let told = believed.as_ref().map_or(String::new(), |b| b.0.clone());
                let told: Vec<&str> = told.split('/').collect();
                for (i, row) in board(drawn).iter().enumerate() {
                    println!("   {row} {} {}", seen[i], told.get(i).unwrap_or(&""));
                }
            }
            for f in &out {
                println!("        {} {}: {}", f.cause, f.handling, f.text);
            }
        }
        self.findings.extend(out.into_iter().map(|f| (at, f)));
    }

    /// Whether the whole board agrees, and whether all of the pile does (the piece aside).
    fn compare(&self, text: &BoardText, drawn: &[u8], pile: &[u8]) -> (bool, bool) {
        let believed = Board::from_text(&text.0).expect("a board");
        let (mut all, mut missing, mut extra) = (true, 0, 0);
        for ((&b, &d), &p) in believed.cells().iter().zip(drawn).zip(pile) {
            all &= (b != 0) == (d != 0);
            // A believed board holds all of the pile, and a piece besides.
            missing += u32::from(p != 0 && b == 0);
            extra += u32::from(p == 0 && b != 0);
        }
        (all, missing == 0 && extra <= 4)
    }

    fn act(&mut self, now: u64) {
        if let Some(decision) = self.agent.decide(&self.budget, time(now)) {
            if self.trace {
                println!("{now:>7} decided {} ({})", decision.action, decision.note);
            }
            self.aim = Some(decision.action.clone());
            self.decisions.push((now, decision.action));
        }
        if self.muted
            || !matches!(self.hands, Hands::Free)
            || self.agent.status() != Status::ToMove
            || self.agent.confidence() < 0.5
        {
            return;
        }
        let Some(name) = self.agent.next_key(time(now)) else {
            return;
        };
        if self.trace {
            println!("{now:>7} key {name}");
        }
        self.tally.keys += 1;
        let down = now + self.options.timing.lead.as_millis() as u64;
        let keys = &self.options.keys;
        let key = match keys.press(&name).expect("a key") {
            kibitzer::games::tetris::agent::Press::Left => Key::Left,
            kibitzer::games::tetris::agent::Press::Right => Key::Right,
            kibitzer::games::tetris::agent::Press::Rotate => Key::Rotate,
            _ => Key::Drop,
        };
        let acts = self.next_keys.pop_front().unwrap_or_else(|| {
            let r: f64 = self.rng.random();
            if r < self.faults.lose {
                0
            } else if r < self.faults.lose + self.faults.double {
                2
            } else {
                1
            }
        });
        if key != Key::Drop {
            self.tally.lost += u64::from(acts == 0);
            self.tally.doubled += u64::from(acts == 2);
        }
        let at = down + self.rng.random_range(0..=self.faults.key_delay);
        if self.trace && acts != 1 {
            println!("{now:>7} {name} acts {acts} times");
        }
        if acts > 0 {
            self.line.push((at, key));
        }
        if acts > 1 {
            self.line.push((at + self.rng.random_range(30..46), key));
        }
        self.hands = Hands::Busy { key: name, down };
    }

    /// The names of all causes found, in order.
    pub fn causes(&self) -> Vec<String> {
        self.findings
            .iter()
            .map(|(_, f)| f.cause.to_string())
            .collect()
    }
}

fn next_box(kind: Kind) -> Vec<CellReading> {
    let system = kibitzer::games::tetris::rules::System::standard();
    let pose = system.spawn(kind, 4, 2);
    let mut cells = vec![
        CellReading {
            label: Label::Class(0),
            confidence: 0.9
        };
        8
    ];
    for (x, y) in system.cells(pose) {
        cells[((1 - y) * 4 + x) as usize].label = Label::Class(kind.number());
    }
    cells
}

/// The agent's options for a level by relays.
pub fn options() -> AgentOptions {
    let mut options = AgentOptions::default();
    options.timing.latency = Duration::from_millis(60);
    options
}

pub fn rig(level: u8, seed: u64, policy: &str, faults: Faults) -> Rig {
    let game = Game::new(setup(level, seed), Time::ZERO);
    Rig::new(game, policy, options(), faults, seed)
}
