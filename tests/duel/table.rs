//! A table in virtual time: a loop that looks at the program and hands that click it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::act::{ActError, Actuator, Hover};
use kibitzer::capture::CaptureError;
use kibitzer::decide::{Gate, Limits};
use kibitzer::games::duel::sides::Who;
use kibitzer::games::{connect4, gomoku};
use kibitzer::pipeline::blocking::Blocking;
use kibitzer::pipeline::eyes::Eyes;
use kibitzer::pipeline::run::{Feeder, Rig, run};
use kibitzer::pipeline::turn::{Task, TurnMind};
use kibitzer::reconcile::{Patience, Reconciler};
use kibitzer::types::*;
use rand::Rng as _;

use super::program::{Manner, Program};
use super::screen::{CELL, Deed, Faults, MARGIN, Shared, calibration, picture};
use super::watch::{Played, Watch};

/// What is played, how, and what goes wrong.
pub struct Scene {
    pub manner: Manner,
    pub faults: Faults,
    pub who: Who,
    /// How a move is made in Connect-4.
    pub controls: connect4::agent::Controls,
    pub games: u32,
    pub deeds: Vec<(u64, Deed)>,
    /// Whether frames come from a camera: nobody knows what lies over the board.
    pub camera: bool,
    /// In virtual time.
    pub longest: Duration,
    /// Whether the keys of the program are known.
    pub new_game: bool,
    /// How soon after the last change the belief must be true.
    pub moment: Duration,
}

impl Scene {
    pub fn of(game: &'static str) -> Self {
        Self {
            manner: Manner::of(game),
            faults: Faults::default(),
            who: Who::default(),
            controls: Default::default(),
            games: 1,
            deeds: Vec::new(),
            camera: false,
            longest: Duration::from_secs(400),
            new_game: true,
            moment: Duration::from_millis(700),
        }
    }
}

struct Eye {
    shared: Arc<Mutex<Shared>>,
    due: Time,
    period: Duration,
    seq: u64,
    camera: bool,
    last: Option<Arc<Picture>>,
    ends: Time,
}

/// As by default: 30 frames a second, and more when something is going on.
const CALM: Duration = Duration::from_millis(33);
const EAGER: Duration = Duration::from_millis(5);

impl Feeder for Eye {
    fn wait(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        let mut shared = self.shared.lock().expect("not poisoned");
        let clock = Arc::clone(&shared.clock);
        if self.due > deadline {
            clock.sleep_until(deadline);
            return Ok(Feed::Quiet);
        }
        clock.sleep_until(self.due);
        let now = clock.now();
        if now >= self.ends {
            return Ok(Feed::Ended("the time is over".into()));
        }
        self.due = now + self.period;
        self.seq += 1;
        shared.go_on(now);
        let rows = shared.seen(now);
        let faults = shared.faults.stale;
        let fresh = Arc::new(picture(&rows, shared.program.size()));
        let stale = self.last.clone().filter(|_| shared.rng.random_bool(faults));
        let picture = stale.unwrap_or_else(|| Arc::clone(&fresh));
        self.last = Some(fresh);
        let (width, height) = (picture.width(), picture.height());
        let rect = |x, y| Rect {
            x,
            y,
            width,
            height,
        };
        let (x, y) = shared.origin;
        Ok(Feed::Frame(Frame {
            seq: self.seq,
            captured_at: now,
            source: Arc::from("test"),
            picture,
            changed: true,
            windows: None,
            placement: Some(Placement {
                on_screen: rect(x, y),
                visible: rect(0, 0),
                window: (!self.camera).then_some(7),
                obscured: shared.program.is_obscured(now),
                pointer: None,
            }),
        }))
    }

    fn dropped(&self) -> u64 {
        0
    }

    fn set_eager(&mut self, eager: bool) {
        self.period = if eager { EAGER } else { CALM };
    }
}

struct Hand {
    shared: Arc<Mutex<Shared>>,
    size: GridSize,
}

impl Hand {
    fn arrivals(shared: &mut Shared) -> u8 {
        if shared.faults.swallowed > 0 {
            shared.faults.swallowed -= 1;
            return 0;
        }
        let chance: f64 = shared.rng.random();
        let Faults { lost, doubled, .. } = shared.faults;
        match chance {
            c if c < lost => 0,
            c if c < lost + doubled => 2,
            _ => 1,
        }
    }
}

impl Actuator for Hand {
    fn perform(&mut self, s: &Stroke, _: Option<u32>, _: &Armed) -> Result<(), ActError> {
        let mut shared = self.shared.lock().expect("not poisoned");
        let now = shared.clock.now();
        let arrivals = Self::arrivals(&mut shared);
        match s {
            Stroke::Click(p) => {
                let cell = |v: f64, origin: i32| {
                    (v - f64::from(origin) - f64::from(MARGIN)) / f64::from(CELL)
                };
                let (x, y) = (cell(p.x, shared.origin.0), cell(p.y, shared.origin.1));
                let inside = x >= 0.0 && y >= 0.0;
                assert!(
                    inside && x < self.size.cols.into() && y < self.size.rows.into(),
                    "{s}"
                );
                for i in 0..arrivals {
                    // A second arrival is no deed of ours.
                    let before = shared.program.out_of_turn.len();
                    shared.program.click(Cell::new(x as u16, y as u16), now);
                    if i > 0 {
                        shared.program.out_of_turn.truncate(before);
                    }
                }
            }
            Stroke::Key(name) if arrivals > 0 => shared.program.key(name, now),
            Stroke::Key(_) | Stroke::Park(_) | Stroke::Focus => {}
        }
        Ok(())
    }

    fn hover(&mut self, at: Point, _: &Armed) -> Result<Hover, ActError> {
        Ok(Hover { at, over: None })
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        Ok(())
    }
}

struct Deaf;

impl EventSink for Deaf {
    fn record(&mut self, _: Time, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
}

fn agent(scene: &Scene) -> Box<dyn Agent> {
    match scene.manner.game {
        "connect4" => {
            let policy = connect4::policies::by_name("minimax:depth=4").expect("a policy");
            let options = connect4::agent::AgentOptions {
                controls: scene.controls.clone(),
                who: scene.who,
                ..Default::default()
            };
            connect4::agent::agent(policy, options)
        }
        _ => {
            let policy = gomoku::policies::by_name("evaluator").expect("a policy");
            let options = gomoku::agent::AgentOptions {
                who: scene.who,
                ..Default::default()
            };
            gomoku::agent::agent(policy, options)
        }
    }
}

impl Scene {
    pub fn play(self) -> Played {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let size = self.manner.size;
        let ms = Duration::from_millis;
        let begins_said = self.who.begins.is_some();
        let mut agent = agent(&self);
        let shown = calibration(size);
        agent.looks(&shown.classes);
        let wanted = Wanted {
            kind: BoardKind::Cells,
            min: size,
            max: size,
            classes: (1, 3),
            size: Some(size),
        };
        let mind = TurnMind::new(
            Eyes::new(wanted).using(shown),
            agent,
            Reconciler::new(Patience {
                settle: ms(150),
                confirm: ms(600),
                retries: 2,
            }),
            Gate::new(
                !self.who.looks_on,
                Limits {
                    min_interval: ms(50),
                    max_age: ms(500),
                    expiry: ms(500),
                },
            ),
            Task {
                games: Some(self.games),
                new_game: self.new_game.then(|| vec![Control::Key("n".into())]),
                script: Script::default(),
                budget: Budget {
                    time: None,
                    nodes: Some(3000),
                    seed: 1,
                    stop: Stop::new(),
                    witness: Witness::default(),
                },
                give_up: Duration::from_secs(60),
                evidence: false,
            },
            Arc::clone(&clock),
        );
        let program = Program::new(self.manner);
        let shared = Shared::new(program, Arc::clone(&clock), self.faults, self.deeds);
        let shared = Arc::new(Mutex::new(shared));
        let eye = Eye {
            shared: Arc::clone(&shared),
            due: Time::ZERO,
            period: CALM,
            seq: 0,
            camera: self.camera,
            last: None,
            ends: Time::ZERO + self.longest,
        };
        let hand = Hand {
            shared: Arc::clone(&shared),
            size,
        };
        let mut watch = Watch {
            shared: Arc::clone(&shared),
            moment: self.moment,
            events: Vec::new(),
            wrong: Vec::new(),
            checked: 0,
        };
        let rig = Rig {
            feeder: Box::new(eye),
            hands: Some(Box::new(Blocking::new(Box::new(hand), Arc::clone(&clock)))),
            mind: Box::new(mind),
            journal: Box::new(Deaf),
            clock,
            stop: Stop::new(),
            arming: Arming::new(),
            observer: &mut watch,
        };
        let started = Event::RunStarted {
            command: "test".into(),
            profile: "test".into(),
            source: "test".into(),
            game: "test".into(),
            policy: "test".into(),
            config: "{}".into(),
        };
        let report = run(rig, started).expect("a run that ends");
        Played {
            report,
            events: watch.events,
            wrong: watch.wrong,
            checked: watch.checked,
            begins_said,
            shared,
        }
    }
}
