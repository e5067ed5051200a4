//! The script of a shipped profile on a real program, without anything that knows its game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kibitzer::act::Actuator as _;
use kibitzer::act::mouse::X11Mouse;
use kibitzer::capture::FrameSource as _;
use kibitzer::capture::pace::Pace;
use kibitzer::capture::query::WindowQuery;
use kibitzer::capture::window::WindowSource;
use kibitzer::config::Folders;
use kibitzer::config::profile::{self, Profile, Source};
use kibitzer::decide::{Gate, Limits};
use kibitzer::pipeline::script::{Due, Part, Runner, Scene};
use kibitzer::types::{BoardSight, Clock, Feed, HandsSpec, SystemClock};

use crate::support::Desktop;

/// What `kibitzer play` does with a script, and nothing else.
pub struct Walker {
    source: WindowSource,
    hands: X11Mouse,
    gate: Gate,
    runner: Runner,
    clock: Arc<dyn Clock>,
    /// The steps that were made.
    pub made: Vec<String>,
}

impl Walker {
    pub fn new(desktop: &Desktop, profile: &str) -> Self {
        let file = format!("{}/calibration/{profile}.toml", env!("CARGO_MANIFEST_DIR"));
        let folders = Folders::new(&[]);
        let profile = profile::load(&file, &folders).expect("good");
        Self::with(desktop, profile)
    }

    pub fn with(desktop: &Desktop, profile: Profile) -> Self {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let Source::Window { title, class, .. } = profile.source else {
            panic!("a window");
        };
        let mut query: WindowQuery = match title {
            Some(title) => title.parse().expect("a title"),
            None => WindowQuery::default(),
        };
        query.class = class.or(query.class);
        let display = Some(desktop.display());
        let pace = Pace::new(Duration::from_millis(20));
        let mut source =
            WindowSource::open(display, &query, Arc::clone(&clock), pace).expect("the window");
        source.tell_others();
        let mut hands = X11Mouse::open(display, Arc::clone(&clock)).expect("hands");
        if let Some(HandsSpec::Screen(screen)) = profile.hands {
            hands.set_screen_hands(screen);
        }
        let limits = Limits {
            min_interval: Duration::from_millis(20),
            max_age: Duration::from_secs(1),
            expiry: Duration::from_secs(1),
        };
        Self {
            source,
            hands,
            gate: Gate::new(true, limits),
            runner: Runner::new(profile.script),
            clock,
            made: Vec::new(),
        }
    }

    /// Makes the steps of a part.
    pub fn walk(&mut self, part: Part) {
        self.runner.begin(part, self.clock.now());
        self.until(part, None);
    }

    /// Waits for a dialog and answers it; `board` is how the board is seen meanwhile.
    pub fn answer(&mut self, dialog: usize, board: Option<BoardSight>) {
        self.until(Part::Dialog(dialog), board);
    }

    fn until(&mut self, part: Part, board: Option<BoardSight>) {
        let end = Instant::now() + Duration::from_secs(30);
        while Instant::now() < end {
            let deadline = self.clock.now() + Duration::from_millis(100);
            let Feed::Frame(frame) = self.source.next(deadline).expect("a frame") else {
                continue;
            };
            let scene = Scene {
                frame: &frame,
                calibration: None,
                board,
            };
            match self.runner.look(&scene, self.clock.now()) {
                Due::Nothing | Due::Wait => {}
                Due::Step(planned) => {
                    let now = self.clock.now();
                    let Ok(permit) = self.gate.ask_for_step(now, frame.captured_at, true) else {
                        continue;
                    };
                    if let (Some(window), Some(origin)) = (planned.window, planned.origin) {
                        self.hands.expect_at(window, origin);
                    }
                    let done = (planned.strokes.iter())
                        .try_for_each(|s| self.hands.perform(s, planned.window, &permit));
                    let now = self.clock.now();
                    self.gate.ended(now);
                    match done {
                        Ok(()) => {
                            self.made.push(planned.words);
                            self.runner.performed(now);
                        }
                        Err(error) => self.runner.refused(&error.to_string()),
                    }
                }
                Due::Done(done) if done == part => return,
                due => panic!("{due:?} after {:?}", self.made),
            }
        }
        panic!("{part:?} was not done in time; made were {:?}", self.made);
    }
}
