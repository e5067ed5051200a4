//! The reconciler: from readings to verdicts, with patience.
//!
//! One frame that shows exactly what the rules predict for our own move is proof enough.
//! Anything else must be seen unchanged for [`Patience::settle`] before it is believed, so a
//! half-drawn board, an animation or one misread frame never becomes a position. What is less
//! likely must be seen for longer: a move that was waited for is soon believed, moves taken back
//! and positions that no moves lead to are not.

use std::time::Duration;

use super::patience::{COVER_PATIENCE, Patience};
use super::stillness::Stillness;
use super::support::{Sight, Support};
use crate::types::{
    ActionId, Agent, BoardText, Cause, Cell, Handling, Reading, Status, Story, Time,
};

/// One read frame.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// All cells.
    pub reading: &'a Reading,
    /// When its light was captured.
    pub captured_at: Time,
    /// Whether the system says that another window lies over part of the frame.
    pub obscured: bool,
    /// Whether the system would say so: it knows what lies over a window, not what stands in
    /// front of a camera.
    pub covers_known: bool,
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
    /// What was waited for has happened: the other side has moved, or the game has ended.
    Replied {
        /// The action that was under way and has taken effect before it.
        action: Option<ActionId>,
        /// When the first frame was captured that showed it.
        since: Time,
    },
    /// The board has been covered for so long that the game must have ended under it, as the agent
    /// says.
    EndedUnseen,
    /// The move under way was reported lost and is to be made again; the position is certain and
    /// as before it.
    RetryDue,
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

/// What those cells say that can be read while others cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Nothing is in doubt.
    None,
    /// They are as believed: something lies over the others.
    Covered,
    /// They are not as believed, or nothing is believed: the board may be another one, or lie
    /// elsewhere.
    Strange,
}

const NONE: Duration = Duration::ZERO;

#[derive(Clone, Copy, Debug)]
pub(super) struct UnderWay {
    pub(super) action: ActionId,
    performed_at: Time,
    /// How often it was made again.
    retries: u8,
    /// It was reported lost and has not been made again yet.
    lost: bool,
}

/// Compares belief and sight, frame by frame.
#[derive(Debug)]
pub struct Reconciler {
    pub(super) patience: Patience,
    stillness: Stillness,
    pub(super) support: Support,
    pub(super) under_way: Option<UnderWay>,
    /// Frames in a row of a board that cannot be read as a whole.
    partials: u32,
    /// When the present trouble (unreadable or contradictory board) began and whether it was reported.
    pub(super) trouble: Option<Trouble>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Trouble {
    pub(super) since: Time,
    pub(super) reported: bool,
    doubt: Doubt,
}

impl Reconciler {
    /// A reconciler that has seen nothing.
    #[must_use]
    pub fn new(patience: Patience) -> Self {
        Self {
            patience,
            stillness: Stillness::default(),
            support: Support::default(),
            under_way: None,
            partials: 0,
            trouble: None,
        }
    }

    /// The patience it was made with.
    #[must_use]
    pub const fn patience(&self) -> Patience {
        self.patience
    }

    /// A move was made, or made again: frames captured after `performed_at` are evidence of it.
    pub fn sent(&mut self, action: ActionId, performed_at: Time) {
        self.under_way = Some(UnderWay {
            action,
            performed_at,
            retries: self.retries(),
            lost: false,
        });
        self.stillness.reset();
        self.support.reset();
    }

    /// Which retry of the move under way the next action is; 0 when it is a new move.
    #[must_use]
    pub fn retries(&self) -> u8 {
        self.under_way.map_or(0, |u| u.retries + u8::from(u.lost))
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
        self.support.reset();
    }

    /// The board could not be seen at all: stillness begins anew when it can.
    pub fn interrupted(&mut self) {
        self.stillness.reset();
        self.support.reset();
    }

    /// For how long the present labels have been seen.
    #[must_use]
    pub fn still_at(&self, now: Time) -> Duration {
        self.stillness.lasted(now)
    }

    /// What this frame means for the agent's belief. Only [`Verdict::Started`],
    /// [`Verdict::Confirmed`] and [`Verdict::Replied`] have changed the belief already.
    pub fn absorb(&mut self, agent: &mut dyn Agent, seen: Seen<'_>) -> Verdict {
        let still = self.stillness.update(seen.reading, seen.captured_at);
        // Only light captured after the action is evidence of it.
        if self
            .under_way
            .is_some_and(|u| seen.captured_at <= u.performed_at)
        {
            return Verdict::Waiting;
        }
        if agent.status() == Status::Unknown {
            return self.first(agent, seen, still);
        }
        let story = agent.interpret(seen.reading);
        let sight = match &story {
            Story::Done | Story::Moved { .. } | Story::Other { .. } | Story::Ended { .. } => {
                Sight::Board
            }
            Story::Same => Sight::Old,
            Story::Passing | Story::Partial { .. } => Sight::Nothing,
        };
        self.partials = match story {
            Story::Partial { .. } => self.partials + 1,
            _ => 0,
        };
        self.support.see(sight, seen.reading, seen.captured_at);
        match story {
            Story::Same => self.same(agent, seen),
            Story::Moved { .. } => self.moved(agent, seen, story),
            Story::Passing => self.passing(agent, seen, still),
            Story::Ended { .. } => self.ended(agent, seen, &story),
            // One wrongly read cell may look like a move that changes no more.
            Story::Done if agent.moves_little() && !self.support.has(seen.reading, NONE, 3) => {
                Verdict::Waiting
            }
            story @ Story::Done => {
                self.trouble = None;
                agent.accept(seen.reading, &story);
                self.move_on(agent);
                match self.under_way.take() {
                    Some(u) => Verdict::Confirmed(u.action),
                    // The agent expected a move that was never performed: a fault of the caller,
                    // but the board is what the rules say.
                    None => Verdict::Settled,
                }
            }
            Story::Partial { agrees } => self.partial(agent, seen, still, agrees),
            Story::Other { cause, cells } => {
                self.trouble(seen.captured_at).doubt = Doubt::Strange;
                let patience = self.patience.for_cause(cause, &cells, seen);
                let seen_for_long = match agent.moves_little() {
                    true => self.support.has_steadily(seen.reading, patience, 3),
                    false => still >= patience && self.stillness.frames() >= 3,
                };
                if !seen_for_long {
                    return Verdict::Waiting;
                }
                let doubtful = [Cause::BoardChanged, Cause::Impossible, Cause::Undone];
                if seen.obscured && doubtful.contains(&cause) {
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
        self.move_on(agent);
    }

    /// How long the present trouble has lasted, and what it is about.
    #[must_use]
    pub fn trouble_at(&self, now: Time) -> (Duration, Doubt) {
        self.trouble.map_or((Duration::ZERO, Doubt::None), |t| {
            (now.since(t.since), t.doubt)
        })
    }

    fn first(&mut self, agent: &mut dyn Agent, seen: Seen<'_>, still: Duration) -> Verdict {
        if seen.reading.unknown() > 0 {
            return self.partial(agent, seen, still, false);
        }
        self.trouble = None;
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
        // A piece that blinks may have been put and be hidden just now.
        if self.in_doubt(agent) {
            return Verdict::Waiting;
        }
        let was = self.trouble.take();
        if let Some(u) = &mut self.under_way {
            if u.lost {
                return Verdict::RetryDue;
            }
            // Twice, so that the first look after the board was hidden is not the proof.
            if seen.captured_at.since(u.performed_at) < self.patience.confirm
                || self.stillness.frames() < 2
            {
                return Verdict::Waiting;
            }
            let action = u.action;
            let again = u.retries < self.patience.retries;
            u.lost = true;
            if !again {
                self.under_way = None;
            }
            return Verdict::Contradicted(Contradiction {
                cause: Cause::ClickLost,
                handling: if again {
                    Handling::Retry
                } else {
                    Handling::LookAgain
                },
                expected: expected(agent),
                cells: Vec::new(),
                action: Some(action),
            });
        }
        if was.is_some_and(|t| t.reported) {
            Verdict::Recovered
        } else {
            Verdict::Settled
        }
    }

    fn partial(
        &mut self,
        agent: &dyn Agent,
        seen: Seen<'_>,
        still: Duration,
        agrees: bool,
    ) -> Verdict {
        let nothing_believed = agent.status() == Status::Unknown;
        let trouble = self.trouble(seen.captured_at);
        trouble.doubt = if agrees && !nothing_believed {
            Doubt::Covered
        } else {
            Doubt::Strange
        };
        let since = trouble.since;
        // What was never known to be whole is not covered: it has not been learnt yet.
        let bad_frame = agent.moves_little() && self.partials < 3;
        if nothing_believed && !seen.obscured
            || bad_frame
            || seen.captured_at.since(since) < self.patience.settle
        {
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
        let lasted = seen.captured_at.since(since);
        if agrees && lasted >= COVER_PATIENCE && agent.ended_unseen().is_some() {
            return Verdict::EndedUnseen;
        }
        // What lies over a board lies still; what changes is an animation.
        if still >= self.patience.settle || seen.obscured {
            self.report_once(agent, Cause::Covered, Handling::Pause, cells)
        } else if lasted >= self.patience.settle * 4 {
            self.report_once(agent, Cause::Animation, Handling::Wait, cells)
        } else {
            Verdict::Waiting
        }
    }

    pub(super) fn trouble(&mut self, at: Time) -> &mut Trouble {
        self.trouble.get_or_insert(Trouble {
            since: at,
            reported: false,
            doubt: Doubt::None,
        })
    }

    pub(super) fn report_once(
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

pub(super) fn expected(agent: &dyn Agent) -> BoardText {
    agent
        .expected()
        .or_else(|| agent.believed())
        .unwrap_or_default()
}
