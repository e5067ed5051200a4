//! The reconciler: from readings to verdicts, with patience.
//!
//! One frame that shows exactly what the rules predict for our own move is proof enough.
//! Anything else must be seen unchanged for [`Patience::settle`] before it is believed, so a
//! half-drawn board, an animation or one misread frame never becomes a position.

use std::time::Duration;

use super::stillness::Stillness;
use crate::types::{ActionId, Agent, BoardText, Cause, Cell, Handling, Reading, Status, Story, Time};

/// How long to wait and how often to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// An unexpected board is believed after it was still for this long.
    pub settle: Duration,
    /// A move whose effect is not seen after this long is lost.
    pub confirm: Duration,
    /// How often a lost move is made again before it is given up.
    pub retries: u8,
}

/// One read frame.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// All cells.
    pub reading: &'a Reading,
    /// When its light was captured.
    pub captured_at: Time,
    /// Whether the system says that another window lies over part of the frame.
    pub obscured: bool,
}

/// What follows from a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Nothing yet.
    Waiting,
    /// The position is as believed, certain, and no move is under way.
    Settled,
    /// The first certain position of a game was taken.
    Started,
    /// The move under way has taken effect.
    Confirmed(ActionId),
    /// Trouble that was reported has passed: the board is as it was believed.
    Recovered,
    /// What is seen contradicts what was expected.
    Contradicted(Contradiction),
}

/// A contradiction, explained, and what is to be done about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// The explanation.
    pub cause: Cause,
    /// What is to be done; [`Handling::Accept`] asks for [`Reconciler::accept`].
    pub handling: Handling,
    /// What was expected.
    pub expected: BoardText,
    /// The cells that differ.
    pub cells: Vec<Cell>,
    /// The action concerned, if one was under way.
    pub action: Option<ActionId>,
}

#[derive(Clone, Copy, Debug)]
struct UnderWay {
    action: ActionId,
    performed_at: Time,
    retries: u8,
}

/// Compares belief and sight, frame by frame.
#[derive(Debug)]
pub struct Reconciler {
    patience: Patience,
    stillness: Stillness,
    under_way: Option<UnderWay>,
    /// When the present trouble (unreadable or contradictory board) began and whether it was reported.
    trouble: Option<Trouble>,
}

#[derive(Clone, Copy, Debug)]
struct Trouble {
    since: Time,
    reported: bool,
}

impl Reconciler {
    /// A reconciler that has seen nothing.
    #[must_use]
    pub fn new(patience: Patience) -> Self {
        Self { patience, stillness: Stillness::default(), under_way: None, trouble: None }
    }

    /// The patience it was made with.
    #[must_use]
    pub const fn patience(&self) -> Patience {
        self.patience
    }

    /// A move was made: frames captured after `performed_at` are evidence of it.
    pub fn sent(&mut self, action: ActionId, performed_at: Time) {
        let retries = self.under_way.map_or(0, |u| u.retries);
        self.under_way = Some(UnderWay { action, performed_at, retries });
        self.stillness.reset();
    }

    /// How often the move under way has been made again.
    #[must_use]
    pub fn retries(&self) -> u8 {
        self.under_way.map_or(0, |u| u.retries)
    }

    /// The move under way, if any.
    #[must_use]
    pub fn under_way(&self) -> Option<ActionId> {
        self.under_way.map(|u| u.action)
    }

    /// Forgets the move under way; the agent must be told too.
    pub fn withdraw(&mut self) {
        self.under_way = None;
    }

    /// Starts anew, as after the board was lost or a new game was asked for.
    pub fn reset(&mut self) {
        self.under_way = None;
        self.trouble = None;
        self.stillness.reset();
    }

    /// The board could not be seen at all: stillness begins anew when it can.
    pub fn interrupted(&mut self) {
        self.stillness.reset();
    }

    /// What this frame means for the agent's belief. Only [`Verdict::Started`] and
    /// [`Verdict::Confirmed`] have changed the belief already.
    pub fn absorb(&mut self, agent: &mut dyn Agent, seen: Seen<'_>) -> Verdict {
        let still = self.stillness.update(seen.reading, seen.captured_at);
        // Only light captured after the action is evidence of it.
        if self.under_way.is_some_and(|u| seen.captured_at <= u.performed_at) {
            return Verdict::Waiting;
        }
        if agent.status() == Status::Unknown {
            return self.first(agent, seen, still);
        }
        match agent.interpret(seen.reading) {
            Story::Same => self.same(agent, seen),
            story @ Story::Done => {
                self.trouble = None;
                agent.accept(seen.reading, &story);
                match self.under_way.take() {
                    Some(u) => Verdict::Confirmed(u.action),
                    // The agent expected a move that was never performed: a fault of the caller,
                    // but the board is what the rules say.
                    None => Verdict::Settled,
                }
            }
            Story::Partial { .. } => self.partial(agent, seen, still),
            Story::Other { cause, cells } => {
                self.trouble(seen.captured_at);
                if still < self.patience.settle || self.stillness.frames() < 3 {
                    return Verdict::Waiting;
                }
                if seen.obscured && cause == Cause::BoardChanged {
                    // Whatever lies over the board may look like one.
                    return self.report_once(agent, Cause::Covered, Handling::Pause, cells);
                }
                self.trouble(seen.captured_at).reported = true;
                Verdict::Contradicted(Contradiction {
                    cause,
                    handling: Handling::Accept,
                    expected: expected(agent),
                    cells,
                    action: self.under_way(),
                })
            }
        }
    }

    /// Takes what is seen as the position, after a contradiction that asked for it.
    pub fn accept(&mut self, agent: &mut dyn Agent, reading: &Reading) {
        let story = agent.interpret(reading);
        agent.accept(reading, &story);
        self.under_way = None;
        self.trouble = None;
    }

    /// How long the present trouble has lasted.
    #[must_use]
    pub fn troubled_for(&self, now: Time) -> Duration {
        self.trouble.map_or(Duration::ZERO, |t| now.since(t.since))
    }

    fn first(&mut self, agent: &mut dyn Agent, seen: Seen<'_>, still: Duration) -> Verdict {
        if seen.reading.unknown() > 0 {
            return self.partial(agent, seen, still);
        }
        if still < self.patience.settle
            || self.stillness.frames() < 3
            || !agent.may_be_start(seen.reading)
        {
            return Verdict::Waiting;
        }
        self.accept(agent, seen.reading);
        Verdict::Started
    }

    fn same(&mut self, agent: &mut dyn Agent, seen: Seen<'_>) -> Verdict {
        let was = self.trouble.take();
        if let Some(u) = self.under_way {
            if seen.captured_at.since(u.performed_at) < self.patience.confirm {
                return Verdict::Waiting;
            }
            let again = u.retries < self.patience.retries;
            if again {
                self.under_way = Some(UnderWay {
                    retries: u.retries + 1,
                    performed_at: seen.captured_at,
                    ..u
                });
            } else {
                self.under_way = None;
            }
            return Verdict::Contradicted(Contradiction {
                cause: Cause::ClickLost,
                handling: if again { Handling::Retry } else { Handling::LookAgain },
                expected: expected(agent),
                cells: Vec::new(),
                action: Some(u.action),
            });
        }
        if was.is_some_and(|t| t.reported) { Verdict::Recovered } else { Verdict::Settled }
    }

    fn partial(&mut self, agent: &dyn Agent, seen: Seen<'_>, still: Duration) -> Verdict {
        let since = self.trouble(seen.captured_at).since;
        if seen.captured_at.since(since) < self.patience.settle {
            return Verdict::Waiting;
        }
        let cells = seen
            .reading
            .size
            .cells()
            .zip(&seen.reading.cells)
            .filter(|(_, r)| r.label == crate::types::Label::Unknown)
            .map(|(c, _)| c)
            .collect();
        // What lies over a board lies still; what changes is an animation.
        if still >= self.patience.settle || seen.obscured {
            self.report_once(agent, Cause::Covered, Handling::Pause, cells)
        } else if seen.captured_at.since(since) >= self.patience.settle * 4 {
            self.report_once(agent, Cause::Animation, Handling::Wait, cells)
        } else {
            Verdict::Waiting
        }
    }

    fn trouble(&mut self, at: Time) -> &mut Trouble {
        self.trouble.get_or_insert(Trouble { since: at, reported: false })
    }

    fn report_once(
        &mut self,
        agent: &dyn Agent,
        cause: Cause,
        handling: Handling,
        cells: Vec<Cell>,
    ) -> Verdict {
        match &mut self.trouble {
            Some(t) if !t.reported => {
                t.reported = true;
                Verdict::Contradicted(Contradiction {
                    cause,
                    handling,
                    expected: expected(agent),
                    cells,
                    action: self.under_way.map(|u| u.action),
                })
            }
            _ => Verdict::Waiting,
        }
    }
}

fn expected(agent: &dyn Agent) -> BoardText {
    agent.expected().or_else(|| agent.believed()).unwrap_or_default()
}
