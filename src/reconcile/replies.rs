//! The reconciler's part for games in which others move, too: moves that were waited for, pieces on
//! their way, ends that show although something lies over them.

use std::time::Duration;

use super::patience::PASSING_PATIENCE;
use super::reconciler::{Contradiction, Reconciler, Seen, Verdict, expected};
use crate::types::{Agent, Cause, Handling, Reading, Story};

impl Reconciler {
    /// Whether something is being looked at that frames as fast as they come would settle.
    #[must_use]
    pub fn is_unsettled(&self, agent: &dyn Agent) -> bool {
        agent.moves_little() && self.support.is_begun()
    }

    /// The belief has changed: of what was seen meanwhile only what goes on from it counts.
    pub(super) fn move_on(&mut self, agent: &dyn Agent) {
        let goes_on = |seen: &Reading| matches!(agent.interpret(seen), Story::Moved { .. });
        self.support
            .retain(|seen| agent.moves_little() && goes_on(seen));
    }

    /// Whether somebody may have moved already whose piece cannot be seen just now: pieces blink.
    #[must_use]
    pub fn in_doubt(&self, agent: &dyn Agent) -> bool {
        agent.moves_little() && self.support.is_gathering()
    }

    pub(super) fn moved(&mut self, agent: &mut dyn Agent, seen: Seen<'_>, story: Story) -> Verdict {
        let Story::Moved {
            cause,
            moves,
            ref cells,
        } = story
        else {
            return Verdict::Waiting;
        };
        let patience = self.patience.for_moves(seen, moves, cause.is_none());
        if !self.support.has(seen.reading, patience, 3) {
            return Verdict::Waiting;
        }
        let Some(cause) = cause else {
            return self.take(agent, seen, &story);
        };
        self.trouble(seen.captured_at).reported = true;
        Verdict::Contradicted(Contradiction {
            cause,
            handling: Handling::Accept,
            expected: expected(agent),
            cells: cells.clone(),
            action: self.under_way(),
        })
    }

    /// Believes what was waited for.
    pub(super) fn take(&mut self, agent: &mut dyn Agent, seen: Seen<'_>, story: &Story) -> Verdict {
        let since = self.support.first_seen(seen.reading);
        let since = since.unwrap_or(seen.captured_at);
        agent.accept(seen.reading, story);
        self.trouble = None;
        self.move_on(agent);
        Verdict::Replied {
            action: self.under_way.take().map(|u| u.action),
            since,
        }
    }

    pub(super) fn ended(
        &mut self,
        agent: &mut dyn Agent,
        seen: Seen<'_>,
        story: &Story,
    ) -> Verdict {
        let patience = self.patience.settle * 4;
        if !self.support.has_steadily(seen.reading, patience, 3) {
            return Verdict::Waiting;
        }
        self.take(agent, seen, story)
    }

    /// Something is on its way; it is told when it does not arrive.
    pub(super) fn passing(
        &mut self,
        agent: &dyn Agent,
        seen: Seen<'_>,
        still: Duration,
    ) -> Verdict {
        let since = self.trouble(seen.captured_at).since;
        let cause = if still >= PASSING_PATIENCE {
            Cause::Misread
        } else if seen.captured_at.since(since) >= PASSING_PATIENCE * 4 {
            Cause::Animation
        } else {
            return Verdict::Waiting;
        };
        self.report_once(agent, cause, Handling::Wait, Vec::new())
    }
}
