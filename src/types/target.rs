//! A game that can be watched and played without a screen: the built-in calibration targets.

use super::geometry::Point;
use super::picture::Picture;
use super::time::Time;

/// A target draws itself and takes clicks and keys, in pixels of its own picture.
pub trait Target: Send {
    /// Draws the state at `now` into `out`, which keeps its allocation.
    fn render(&mut self, now: Time, out: &mut Picture);
    /// A left click.
    fn click(&mut self, px: Point, now: Time);
    /// A key by its name, pressed and released.
    fn key(&mut self, name: &str, now: Time);
    /// The true position, to check a belief against.
    fn truth(&self) -> super::board::BoardText;
}
