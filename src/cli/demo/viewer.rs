//! Who looks on in a demo: prints, and keeps the first and the last frame that could be read.

use std::path::Path;
use std::sync::Arc;

use crate::cli::terminal::Terminal;
use crate::cli::{annotate, picture};
use crate::pipeline::mind::Mind;
use crate::pipeline::run::Observer;
use crate::types::{Calibration, Event, Frame, Picture, Reading, Time};

/// A frame with what was found and read in it.
pub(super) struct Sight {
    picture: Arc<Picture>,
    calibration: Calibration,
    reading: Reading,
}

impl Sight {
    pub(super) fn save(&self, path: &Path) -> anyhow::Result<()> {
        let mut drawn = Picture::clone(&self.picture);
        annotate::draw(&mut drawn, &self.calibration, &self.reading);
        picture::save_png(&drawn, path)
    }
}

/// Prints, and keeps the first and the last frame that could be read.
pub(super) struct Viewer {
    terminal: Terminal,
    first: Option<Sight>,
    last: Option<Sight>,
}

impl Viewer {
    /// A viewer that prints to this terminal.
    pub(super) const fn new(terminal: Terminal) -> Self {
        Self {
            terminal,
            first: None,
            last: None,
        }
    }

    /// The first frame that could be read.
    pub(super) const fn first(&self) -> Option<&Sight> {
        self.first.as_ref()
    }

    /// The last one.
    pub(super) const fn last(&self) -> Option<&Sight> {
        self.last.as_ref()
    }
}

impl Observer for Viewer {
    fn event(&mut self, at: Time, event: &Event, mind: &dyn Mind) {
        self.terminal.event(at, event, mind);
    }

    fn frame(&mut self, frame: &Frame, mind: &dyn Mind) {
        self.terminal.frame(frame, mind);
        if let Some(calibration) = mind.calibration() {
            let sight = || Sight {
                picture: Arc::clone(&frame.picture),
                calibration: calibration.clone(),
                reading: mind.reading().clone(),
            };
            self.first.get_or_insert_with(sight);
            self.last = Some(sight());
        }
    }
}
