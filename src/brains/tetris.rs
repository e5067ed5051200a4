//! A brain that plays Tetris, with a policy of ours behind it.
//!
//! Tetris does not wait: a brain is asked once for a piece and then looked at again and again, for
//! as long as the caller can spare each time, until it has answered or its time is over.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::brain::{Brain, Protocol};
use super::jsonl::{Jsonl, of_tetris, tetris_move};
use super::process::{Launch, Process, Trouble};
use super::share::Share;
use super::takeover::Reports;
use crate::games::tetris::policies::features::Ground;
use crate::games::tetris::policies::pile::Large;
use crate::games::tetris::policies::{Choice, Placement, Policy, Position, reach, shape};
use crate::games::tetris::rules::{Board, Kind};
use crate::types::{Budget, Stop};

/// What a brain suggests.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Where.
    pub placement: Placement,
    /// In its own words.
    pub own: Option<Value>,
    /// Its value, if it says.
    pub score: Option<f64>,
    /// Positions visited; 0 if it does not say.
    pub nodes: u64,
    /// For a person.
    pub note: String,
}

/// A protocol in which Tetris is played.
pub trait TetrisProtocol: Protocol {
    /// Whether it can say this position at all.
    ///
    /// # Errors
    /// Why not.
    fn plays(&self, position: &Position<'_>) -> Result<(), String>;

    /// Tells a position and asks for a placement.
    ///
    /// # Errors
    /// When the process cannot be told.
    fn ask(
        &mut self,
        process: &mut Process,
        position: &Position<'_>,
        reachable: &[Placement],
        budget: &Budget,
        time_ms: u64,
        until: Instant,
    ) -> Result<(), Trouble>;

    /// Waits for the answer: placements that the piece fits in, the best first; those that our
    /// rules do not know are left out.
    ///
    /// # Errors
    /// When there is none until then, or one that is no placement at all.
    fn answer(
        &mut self,
        process: &mut Process,
        position: &Position<'_>,
        until: Instant,
        stop: &Stop,
    ) -> Result<Vec<Suggestion>, Trouble>;

    /// The piece that was asked about is going to be put here, by the brain's `own` words or by
    /// somebody else's choice.
    fn put(&mut self, placement: Placement, own: Option<&Value>);
}

/// A position that a brain was asked about.
#[derive(Clone, Debug)]
struct Question {
    board: Board,
    kind: Kind,
    next: Option<Kind>,
    share: Share,
    asked: bool,
}

impl Question {
    fn is_about(&self, position: &Position<'_>) -> bool {
        (self.kind, self.next) == (position.kind, position.next) && self.board == *position.board
    }
}

/// A policy in another process.
pub struct TetrisBrain<P: TetrisProtocol> {
    brain: Brain<P>,
    fallback: Box<dyn Policy>,
    reports: Reports,
    question: Option<Question>,
    /// The longest that one look may take; `None`: all of the time.
    patience: Option<Duration>,
}

impl<P: TetrisProtocol> TetrisBrain<P> {
    /// Starts it. With a `patience` [`Policy::choose`] returns `None` after this long while the
    /// brain still thinks, and is to be asked again.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(
        launch: Launch,
        protocol: P,
        fallback: Box<dyn Policy>,
        patience: Option<Duration>,
    ) -> Result<Self, Trouble> {
        Ok(Self {
            brain: Brain::new(launch, protocol)?,
            reports: Reports::new(fallback.name()),
            fallback,
            question: None,
            patience,
        })
    }

    fn fall_back(
        &mut self,
        position: &Position<'_>,
        budget: &Budget,
        share: &Share,
    ) -> Option<Choice> {
        let choice = self.fallback.choose(position, &share.rest(budget))?;
        self.brain.protocol.put(choice.placement, None);
        Some(choice)
    }
}

impl<P: TetrisProtocol> Policy for TetrisBrain<P> {
    fn name(&self) -> &str {
        self.brain.name()
    }

    fn choose(&mut self, position: &Position, budget: &Budget) -> Option<Choice> {
        let reachable = reachable(position);
        if reachable.is_empty() {
            return None;
        }
        let mut question = match self.question.take() {
            Some(question) if question.is_about(position) => question,
            _ => Question {
                board: position.board.clone(),
                kind: position.kind,
                next: position.next,
                share: Share::with_fallback(budget),
                asked: false,
            },
        };
        let share = question.share.clone();
        let until = match self.patience {
            Some(patience) => share.for_now(patience),
            None => share.until,
        };
        let asked = &mut question.asked;
        let answer = self.brain.asked(until, &share.stop, |protocol, process| {
            protocol.plays(position).map_err(Trouble::Unfit)?;
            if !*asked {
                // Telling is not cut short by a look's patience.
                let time = share.told_ms();
                protocol.ask(process, position, &reachable, budget, time, share.until)?;
                *asked = true;
            }
            let suggestions = match protocol.answer(process, position, until, &share.stop) {
                Err(Trouble::Late) if Instant::now() < share.until => {
                    return Err(Trouble::Thinking);
                }
                other => other?,
            };
            let count = suggestions.len();
            let can = |s: &Suggestion| reachable.contains(&s.placement);
            suggestions.into_iter().find(can).ok_or_else(|| {
                Trouble::Unfit(format!(
                    "none of its {count} moves that are drops can be reached"
                ))
            })
        });
        match answer {
            Ok(suggestion) => {
                self.reports.answered();
                let own = suggestion.own.as_ref();
                self.brain.protocol.put(suggestion.placement, own);
                Some(Choice {
                    placement: suggestion.placement,
                    value: suggestion.score.unwrap_or(0.0),
                    nodes: suggestion.nodes,
                    features: Vec::new(),
                    next_placement: None,
                    alternatives: Vec::new(),
                })
            }
            Err(failure) if failure.trouble == Trouble::Thinking => {
                self.question = Some(question);
                None
            }
            Err(failure) => {
                self.reports.takes_over(&failure);
                self.fall_back(position, budget, &share)
            }
        }
    }
}

/// The placements that can be reached.
fn reachable(position: &Position<'_>) -> Vec<Placement> {
    if let Some(allowed) = position.allowed {
        let ours = |p: &&Placement| p.kind == position.kind && p.landing(position.board).is_some();
        return allowed.iter().filter(ours).copied().collect();
    }
    let ground = Ground::new(&Large::of(position.board));
    let shapes = &shape::standard()[position.kind.index()];
    let mut all = Vec::new();
    reach::for_each(&ground, shapes, position.model, |turn, _, left| {
        all.push(Placement {
            kind: position.kind,
            // Four at most, and columns as many as the board has.
            turn: turn as u8,
            left: left as u16 - 1,
        });
    });
    all
}

/// A conversation by JSON lines, with the number of its question.
#[derive(Debug)]
pub struct TetrisJsonl {
    jsonl: Jsonl,
    id: u64,
    legal: Vec<Placement>,
}

impl Default for TetrisJsonl {
    fn default() -> Self {
        Self {
            jsonl: Jsonl::new("tetris"),
            id: 0,
            legal: Vec::new(),
        }
    }
}

impl Protocol for TetrisJsonl {
    fn begin(&mut self, process: &mut Process, until: Instant) -> Result<(), Trouble> {
        self.jsonl.begin(process, until)
    }

    fn greeted(
        &mut self,
        process: &mut Process,
        until: Instant,
        stop: &Stop,
    ) -> Result<(), Trouble> {
        self.jsonl.greeted(process, until, stop)
    }

    fn farewell(&self) -> &'static [&'static str] {
        self.jsonl.farewell()
    }
}

impl TetrisProtocol for TetrisJsonl {
    fn plays(&self, _: &Position<'_>) -> Result<(), String> {
        Ok(())
    }

    fn ask(
        &mut self,
        process: &mut Process,
        position: &Position<'_>,
        reachable: &[Placement],
        budget: &Budget,
        time_ms: u64,
        until: Instant,
    ) -> Result<(), Trouble> {
        let object = of_tetris(position, reachable, budget, time_ms);
        self.legal = reachable.to_vec();
        self.id = self.jsonl.ask(process, object, until)?;
        Ok(())
    }

    fn answer(
        &mut self,
        process: &mut Process,
        _: &Position<'_>,
        until: Instant,
        stop: &Stop,
    ) -> Result<Vec<Suggestion>, Trouble> {
        let answer = self.jsonl.answer(process, self.id, until, stop)?;
        let is_it = |p: &&Placement| tetris_move(p) == answer.action;
        match self.legal.iter().find(is_it) {
            Some(&placement) => Ok(vec![Suggestion {
                placement,
                own: None,
                score: answer.score,
                nodes: answer.nodes,
                note: answer.note,
            }]),
            None => Err(Trouble::Illegal {
                action: answer.action.chars().take(40).collect(),
                why: "it is none of the legal ones".to_owned(),
            }),
        }
    }

    fn put(&mut self, _: Placement, _: Option<&Value>) {}
}
