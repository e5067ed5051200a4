//! Hands that are waited for: an actuator whose strokes are made at once, on the loop's own thread.
//!
//! Takes actions with their permits, gives [`Done`] when asked. The first click of a run is proved:
//! the pointer must arrive where the board was found, over the window that shows it, before
//! anything is pressed. Must never press after a refusal.

use std::sync::Arc;

use crate::act::{ActError, Actuator, Done, Hands};
use crate::types::{Action, Armed, Clock, KeyTiming, Point, Stroke, Time};

/// Makes every action while it is asked for it.
pub struct Blocking {
    hands: Box<dyn Actuator>,
    clock: Arc<dyn Clock>,
    mapping_proved: bool,
    done: Option<Result<Done, ActError>>,
}

impl Blocking {
    /// Hands over an actuator; they tell the time by `clock`.
    #[must_use]
    pub fn new(hands: Box<dyn Actuator>, clock: Arc<dyn Clock>) -> Self {
        Self {
            hands,
            clock,
            mapping_proved: false,
            done: None,
        }
    }

    fn perform(&mut self, action: &Action, permit: &Armed) -> Result<(), ActError> {
        let hands = self.hands.as_mut();
        if let (Some(window), Some(origin)) = (action.window, action.origin) {
            hands.expect_at(window, origin);
        }
        if let Some(Stroke::Click(at)) = action.strokes.first()
            && !self.mapping_proved
        {
            if let Err(error) = prove(hands, *at, action.window, permit) {
                withdraw(hands, action, permit, &error);
                return Err(error);
            }
            self.mapping_proved = true;
            tracing::debug!(
                x = at.x,
                y = at.y,
                "the mapping from frame to screen is proved"
            );
        }
        let mut pressed = false;
        for stroke in &action.strokes {
            match hands.perform(stroke, action.window, permit) {
                Ok(()) => pressed |= !matches!(stroke, Stroke::Park(_)),
                Err(error @ ActError::Gone(_)) => return Err(error),
                // It is made, at least in part: what came of it is to be seen, and a pointer that
                // a person holds is no reason to make it again.
                Err(error) if pressed => {
                    tracing::warn!(%error, %stroke, "the rest of an action");
                    return Ok(());
                }
                Err(error) => {
                    withdraw(hands, action, permit, &error);
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

impl Hands for Blocking {
    fn start(&mut self, action: Action, permit: Armed, _now: Time) -> Result<(), ActError> {
        let down = self.clock.now();
        let made = self.perform(&action, &permit);
        let up = self.clock.now();
        self.done = Some(made.map(|()| Done { action, down, up }));
        Ok(())
    }

    fn poll(&mut self, _now: Time) -> Option<Result<Done, ActError>> {
        self.done.take()
    }

    fn due(&self) -> Option<Time> {
        None
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        self.hands.release_all()
    }

    fn timing(&self) -> KeyTiming {
        self.hands.timing()
    }
}

/// After a refusal the pointer is over the board, or over somebody's window: it goes where the
/// action would have left it, unless a person has it.
fn withdraw(hands: &mut dyn Actuator, action: &Action, permit: &Armed, error: &ActError) {
    let held = matches!(
        error,
        ActError::PointerElsewhere { .. } | ActError::Expired | ActError::Gone(_)
    );
    let park = action.strokes.iter().find(|s| matches!(s, Stroke::Park(_)));
    if let Some(park) = park.filter(|_| !held) {
        // Nothing more can be done about a pointer that will not go.
        let _ = hands.perform(park, action.window, permit);
    }
}

fn prove(
    hands: &mut dyn Actuator,
    at: Point,
    window: Option<u32>,
    permit: &Armed,
) -> Result<(), ActError> {
    let hover = hands.hover(at, permit)?;
    if hover.at.distance(at) > 1.5 {
        return Err(ActError::PointerElsewhere {
            wanted: at,
            found: hover.at,
        });
    }
    match (window, hover.over) {
        (Some(wanted), Some(found)) if wanted != found => Err(ActError::NotTarget {
            wanted,
            found,
            x: at.x,
            y: at.y,
        }),
        _ => Ok(()),
    }
}
