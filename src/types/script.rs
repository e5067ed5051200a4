//! Scripts: what is done to a program to start a game, to start the next one, and when a dialog
//! comes; as a profile says it, already validated.
//!
//! A step names a place in one of four ways (a cell, a part of a window, a small picture, an area
//! of a colour); where that place is, is found when the step is due.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::geometry::{Point, Rect};
use super::picture::{Picture, channels};

/// Everything that a profile knows to do beside moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// For the first game of a run.
    pub start: Start,
    /// For the next game after one has ended; empty: there is nothing for it.
    pub again: Vec<Step>,
    /// When something else wants an answer.
    pub dialogs: Vec<Dialog>,
}

impl Script {
    /// Whether it asks for the other windows of the display.
    #[must_use]
    pub fn needs_windows(&self) -> bool {
        let of_steps = |steps: &[Step]| steps.iter().any(|s| s.window.is_some());
        of_steps(&self.start.steps)
            || of_steps(&self.again)
            || (self.dialogs.iter()).any(|d| d.window.is_some() || of_steps(&d.steps))
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.steps.is_empty() && self.again.is_empty() && self.dialogs.is_empty()
    }

    /// Everything that is looked for, in order.
    pub fn looks_mut(&mut self, each: &mut dyn FnMut(&mut Look)) {
        let of_steps = |steps: &mut [Step], each: &mut dyn FnMut(&mut Look)| {
            for step in steps {
                match &mut step.act {
                    Act::Await(look) | Act::Click(Place::Seen(look)) => each(look),
                    Act::Click(_) | Act::Key(_) | Act::Focus | Act::Wait(_) | Act::Still(_) => {}
                }
            }
        };
        self.start.see.iter_mut().for_each(&mut *each);
        of_steps(&mut self.start.steps, each);
        of_steps(&mut self.again, each);
        for dialog in &mut self.dialogs {
            dialog.see.iter_mut().for_each(&mut *each);
            of_steps(&mut dialog.steps, each);
        }
    }

    /// Every step as a line for a person.
    #[must_use]
    pub fn listed(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut list = |name: &str, steps: &[Step]| {
            let numbered = steps.iter().zip(1..);
            lines.extend(numbered.map(|(step, n)| format!("{name} {n}: {step}")));
        };
        let when = match (&self.start.see, self.start.always) {
            (_, true) => " (always)".to_owned(),
            (Some(look), false) => format!(" (at once when {look} is seen)"),
            (None, false) => String::new(),
        };
        list(&format!("start{when}"), &self.start.steps);
        list("again", &self.again);
        for dialog in &self.dialogs {
            list(&dialog.to_string(), &dialog.steps);
        }
        lines
    }
}

/// What starts the first game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Also when a game seems to run already: the program shows a demo.
    pub always: bool,
    /// Also when this is to be seen: a page that looks like a game.
    pub see: Option<Look>,
    /// In order.
    pub steps: Vec<Step>,
}

/// Something that may come at any time, and the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialog {
    /// For messages.
    pub name: String,
    /// Another window that is there.
    pub window: Option<WindowName>,
    /// What is to be seen in the window that is watched.
    pub see: Option<Look>,
    /// How the board is.
    pub board: Option<BoardSight>,
    /// For so long all of this must have been so.
    pub after: Duration,
    /// The answer, in order.
    pub steps: Vec<Step>,
}

/// How the board is while a dialog is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSight {
    /// None is found.
    Absent,
    /// One was found, and something lies over it or it cannot be read.
    Covered,
    /// Its game is over.
    Over,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is done.
    pub act: Act,
    /// In which window; `None` is the one that is watched.
    pub window: Option<WindowName>,
    /// When it could not be done for so long, it has failed.
    pub within: Duration,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Presses a key with its modifiers: `ctrl+n`.
    Key(String),
    /// Clicks a place.
    Click(Place),
    /// Gives the window the focus.
    Focus,
    /// Waits for so long.
    Wait(Duration),
    /// Waits until something is to be seen in the window that is watched.
    Await(Look),
    /// Waits until the picture has not changed for so long.
    Still(Duration),
}

/// A place to be clicked.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// In cell space of the board that was found; it may lie outside the board.
    Board(Point),
    /// A part of the window's width and height, each 0 to 1.
    Part(Point),
    /// The middle of what is to be seen in the window that is watched.
    Seen(Look),
}

/// Something to be seen in the window that is watched.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// A small picture, at its own size or between half and twice of it.
    Picture {
        /// Its file, as the profile names it.
        name: String,
        /// Its pixels.
        picture: Arc<Picture>,
    },
    /// The largest area of a colour.
    Colour {
        /// Red, green, blue.
        rgb: [u8; 3],
        /// How much each of them may differ.
        tolerance: u8,
        /// The least share of the window, 0 to 1.
        least: f64,
    },
}

/// Which window is meant: every part given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowName {
    /// A part of the title in any case, or with `exact` the whole title.
    pub title: Option<String>,
    /// Whether `title` is the whole one.
    pub exact: bool,
    /// Class or instance, in any case.
    pub class: Option<String>,
}

/// A window beside the one that is watched.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OtherWindow {
    /// Its id.
    pub id: u32,
    /// Its title.
    pub title: String,
    /// Instance and class.
    pub class: [String; 2],
    /// Its content, in screen coordinates.
    pub rect: Rect,
}

impl WindowName {
    /// Whether it means this window.
    #[must_use]
    pub fn fits(&self, window: &OtherWindow) -> bool {
        let title = self.title.as_ref().is_none_or(|wanted| {
            if self.exact {
                return *wanted == window.title;
            }
            window.title.to_lowercase().contains(&wanted.to_lowercase())
        });
        let class = self.class.as_ref().is_none_or(|wanted| {
            let wanted = wanted.to_lowercase();
            window.class.iter().any(|c| c.to_lowercase() == wanted)
        });
        title && class
    }
}

impl Look {
    /// Whether a picture can be looked for at all: it has a size, and something in it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn usable(picture: &Picture) -> Result<(), String> {
        let (w, h) = (picture.width(), picture.height());
        if w < 6 || h < 6 || w > 1000 || h > 1000 {
            return Err(format!(
                "it is {w}x{h} px; from 6x6 to 1000x1000 are allowed"
            ));
        }
        let mut range = [(u8::MAX, u8::MIN); 3];
        for &pixel in picture.pixels() {
            for (range, value) in range.iter_mut().zip(channels(pixel)) {
                *range = (range.0.min(value), range.1.max(value));
            }
        }
        if range.iter().all(|(least, most)| most - least < 24) {
            return Err("it is all of one colour: cut it out with its edge or letters".to_owned());
        }
        Ok(())
    }
}

impl fmt::Display for WindowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = if self.exact { "=" } else { "" };
        match (&self.title, &self.class) {
            (Some(title), Some(class)) => write!(f, "\"{exact}{title}\" (class {class})"),
            (Some(title), None) => write!(f, "\"{exact}{title}\""),
            (None, Some(class)) => write!(f, "class {class}"),
            (None, None) => f.write_str("any window"),
        }
    }
}

impl fmt::Display for Dialog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dialog {} (when", self.name)?;
        if let Some(window) = &self.window {
            write!(f, " window {window} is there")?;
        }
        if let Some(look) = &self.see {
            write!(f, " {look} is seen")?;
        }
        match self.board {
            Some(BoardSight::Absent) => f.write_str(" no board is found")?,
            Some(BoardSight::Covered) => f.write_str(" the board is covered")?,
            Some(BoardSight::Over) => f.write_str(" the game is over")?,
            None => {}
        }
        write!(f, " for {} ms)", self.after.as_millis())
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Its folder says nothing about what it shows.
            Self::Picture { name, .. } => f.write_str(name.rsplit('/').next().unwrap_or_default()),
            Self::Colour { rgb: [r, g, b], .. } => write!(f, "#{r:02x}{g:02x}{b:02x}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(p) => write!(f, "{},{}", p.x, p.y),
            Self::Part(p) => write!(f, "{}%,{}%", percent(p.x), percent(p.y)),
            Self::Seen(look) => look.fmt(f),
        }
    }
}

/// Hundredths to a few digits, so that what was written comes back.
fn percent(part: f64) -> f64 {
    (part * 1e8).round() / 1e6
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.act {
            Act::Key(name) => write!(f, "key {name}")?,
            Act::Click(place) => write!(f, "click {place}")?,
            Act::Focus => f.write_str("focus")?,
            Act::Wait(time) => write!(f, "wait {} ms", time.as_millis())?,
            Act::Await(look) => write!(f, "wait for {look}")?,
            Act::Still(time) => write!(f, "wait until still for {} ms", time.as_millis())?,
        }
        match &self.window {
            Some(window) => write!(f, " in {window}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(title: &str, class: &str) -> OtherWindow {
        OtherWindow {
            id: 1,
            title: title.into(),
            class: [class.to_lowercase(), class.into()],
            rect: Rect::default(),
        }
    }

    #[test]
    fn windows_by_title_and_class() {
        let name = |title: Option<&str>, exact, class: Option<&str>| WindowName {
            title: title.map(str::to_owned),
            exact,
            class: class.map(str::to_owned),
        };
        let scores = window("New High Score", "Quadrapassel");
        assert!(name(Some("high score"), false, None).fits(&scores));
        assert!(!name(Some("high score"), true, None).fits(&scores));
        assert!(name(None, false, Some("QUADRAPASSEL")).fits(&scores));
        assert!(!name(Some("high score"), false, Some("xterm")).fits(&scores));
        let popup = window(" ", "GNUstep");
        assert!(name(Some(" "), true, Some("GNUstep")).fits(&popup));
        assert!(!name(Some(" "), true, None).fits(&scores));
    }

    #[test]
    fn steps_as_words() {
        let step = |act| Step {
            act,
            window: None,
            within: Duration::from_secs(5),
        };
        let part = Place::Part(Point::new(0.5, 0.123_4));
        assert_eq!(step(Act::Click(part)).to_string(), "click 50%,12.34%");
        let at = Place::Board(Point::new(6.5, -1.0));
        assert_eq!(step(Act::Click(at)).to_string(), "click 6.5,-1");
        let popup = WindowName {
            title: Some(" ".into()),
            exact: true,
            class: None,
        };
        let key = Step {
            window: Some(popup),
            ..step(Act::Key("Return".into()))
        };
        assert_eq!(key.to_string(), "key Return in \"= \"");
    }
}
