//! A game that can be watched and played without a screen: the built-in calibration targets.

use super::geometry::Point;
use super::picture::Picture;
use super::time::Time;

/// What a pointer does with its left button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// The button goes down.
    Press,
    /// It moves, with the button down or not.
    Move,
    /// The button goes up.
    Release,
    /// It leaves the picture; its place is then of no meaning.
    Leave,
}

/// A target draws itself and takes clicks and keys, in pixels of its own picture.
pub trait Target: Send {
    /// Draws the state at `now` into `out`, which keeps its allocation.
    fn render(&mut self, now: Time, out: &mut Picture);
    /// A left click.
    fn click(&mut self, px: Point, now: Time);
    /// A key by its name, at its press edge: `n`, `Left`, `space`, with modifiers `shift+k`,
    /// `ctrl+Up`.
    fn key(&mut self, name: &str, now: Time);
    /// The true position, to check a belief against.
    fn truth(&self) -> super::board::BoardText;

    /// The pointer, for targets in which something is drawn with it. By default a press clicks.
    fn pointer(&mut self, what: Pointer, px: Point, now: Time) {
        if what == Pointer::Press {
            self.click(px, now);
        }
    }

    /// The window has this size in px from now on. Targets that draw in one size only ignore it.
    fn resize(&mut self, _width: u32, _height: u32) {}

    /// What its window is called.
    fn title(&self) -> &str {
        "Kibitzer target"
    }

    /// Whether a key that is held down and repeated by the keyboard acts again.
    fn repeats(&self, _name: &str) -> bool {
        false
    }
}

impl<T: Target + ?Sized> Target for Box<T> {
    fn render(&mut self, now: Time, out: &mut Picture) {
        (**self).render(now, out);
    }

    fn click(&mut self, px: Point, now: Time) {
        (**self).click(px, now);
    }

    fn key(&mut self, name: &str, now: Time) {
        (**self).key(name, now);
    }

    fn truth(&self) -> super::board::BoardText {
        (**self).truth()
    }

    fn pointer(&mut self, what: Pointer, px: Point, now: Time) {
        (**self).pointer(what, px, now);
    }

    fn resize(&mut self, width: u32, height: u32) {
        (**self).resize(width, height);
    }

    fn title(&self) -> &str {
        (**self).title()
    }

    fn repeats(&self, name: &str) -> bool {
        (**self).repeats(name)
    }
}
