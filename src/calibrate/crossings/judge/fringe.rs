//! Lines beyond the last one seen: stones that lie side by side on them hide them wholly, but
//! then they are stones where the next line must be.

use super::within;
use crate::calibrate::crossings::grow::Side;
use crate::calibrate::crossings::net::{Net, Way};
use crate::calibrate::crossings::probe::Probe;
use crate::calibrate::crossings::stones::{Kinds, kinds};
use crate::calibrate::crossings::survey::{Cover, Survey, distance};

/// Stones that a line beyond must bear at least.
const LEAST_STONES: usize = 2;

/// Most lines of a family.
const MOST_LINES: i32 = 25;

/// A net with what is to be seen on it.
pub(super) struct Seen {
    pub(super) net: Net,
    pub(super) survey: Survey,
    pub(super) kinds: Kinds,
}

impl Seen {
    /// Looks at a net.
    pub(super) fn new(probe: &Probe<'_>, net: &Net) -> Self {
        let mut survey = Survey::new(probe, net);
        survey.lean(probe, net);
        let kinds = kinds(&survey, probe.noise);
        Self {
            net: *net,
            survey,
            kinds,
        }
    }

    /// The same with all lines that stones hide.
    pub(super) fn extended(self, probe: &Probe<'_>) -> Self {
        let mut seen = self;
        // A side at a time, and again: a line that was found makes those of the other family
        // longer.
        'again: loop {
            for side in Side::ALL {
                if let Some(more) = seen.beyond(probe, side) {
                    tracing::debug!(?side, lines = ?more.net.extent.lines(), "stones hide a line");
                    seen = more;
                    continue 'again;
                }
            }
            return seen;
        }
    }

    fn beyond(&self, probe: &Probe<'_>, side: Side) -> Option<Self> {
        if self.kinds.round < LEAST_STONES {
            return None;
        }
        let mut net = self.net;
        side.moved(&mut net.extent, 1);
        let (w, h) = net.extent.lines();
        let wide = match side.way() {
            Way::Down => w,
            Way::Across => h,
        };
        if wide > MOST_LINES || within(probe, &net)?.extent != net.extent {
            return None;
        }
        if self.coloured(probe, &net, side) < LEAST_STONES {
            return None;
        }
        let more = Self::new(probe, &net);
        let (mut stones, mut doubtful, mut clear, mut bare) = (0, 0, 0, 0);
        for i in 0..more.survey.spots.len() {
            if !more.is_on(side, i) {
                continue;
            }
            let spot = &more.survey.spots[i];
            match (more.kinds.labels[i], spot.cover()) {
                (Some(k), _) if k > 0 => {
                    let round = spot.round().is_some_and(|r| more.kinds.is_usual(&r));
                    if round && more.is_apart(probe, i, side) {
                        stones += 1;
                    } else {
                        // Others over it may hide that it is round.
                        doubtful += 1;
                    }
                }
                (_, Cover::Clear) => clear += 1,
                _ => bare += 1,
            }
        }
        tracing::trace!(?side, stones, doubtful, clear, bare, "beyond");
        let is_line = stones >= LEAST_STONES.max(doubtful) && bare * 4 <= stones + clear;
        is_line.then_some(more)
    }

    /// Whether something else than the stone on a crossing shows where it and its neighbours along
    /// the side leave room: a frame around the board goes on there.
    fn is_apart(&self, probe: &Probe<'_>, i: usize, side: Side) -> bool {
        let e = &self.net.extent;
        let (x, y) = (i % self.survey.cols, i / self.survey.cols);
        let (dx, dy) = self.kinds.shift;
        let at = (
            f64::from(e.x0) + x as f64 + dx,
            f64::from(e.y0) + y as f64 + dy,
        );
        let wide = self.kinds.radius;
        let across = (wide * wide - 0.25).max(0.0).sqrt() + 0.25;
        let own = self.survey.spots[i].core;
        let least = 0.4 * distance(own, self.survey.ground[i]);
        let free = [
            (-0.5, -across),
            (-0.5, across),
            (0.5, -across),
            (0.5, across),
        ]
        .into_iter()
        .filter(|&(a, b)| {
            let (px, py) = match side.way() {
                Way::Down => (at.0 + b, at.1 + a),
                Way::Across => (at.0 + a, at.1 + b),
            };
            let seen = probe.planes.at(self.net.px(px, py));
            seen.is_none_or(|rgb| distance(rgb.map(f32::from), own) > least)
        });
        free.count() == 4
    }

    /// How many crossings of the outermost line of a larger net have the colour of a stone.
    fn coloured(&self, probe: &Probe<'_>, net: &Net, side: Side) -> usize {
        let (line, toward) = side.line(&net.extent);
        let (lo, hi) = side.along(&net.extent);
        let e = &self.net.extent;
        let coloured = |k: &i32| {
            let (at, inner) = match side.way() {
                Way::Down => ((line, *k), (line - toward, *k)),
                Way::Across => ((*k, line), (*k, line - toward)),
            };
            let i = (inner.1 - e.y0) as usize * self.survey.cols + (inner.0 - e.x0) as usize;
            let at = (f64::from(at.0), f64::from(at.1));
            self.kinds.is_like(&self.survey, i, probe, net, at)
        };
        (lo..=hi).filter(coloured).count()
    }

    /// Whether a crossing lies on the outermost line of a side.
    fn is_on(&self, side: Side, i: usize) -> bool {
        let (x, y) = (i % self.survey.cols, i / self.survey.cols);
        match side {
            Side::Left => x == 0,
            Side::Right => x + 1 == self.survey.cols,
            Side::Top => y == 0,
            Side::Bottom => y + 1 == self.survey.rows,
        }
    }
}
