//! Two boards in one picture.

use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use super::look::{self, THEMES};
use super::position::position;
use super::{Drawn, draw};
use crate::types::{GridSize, Picture, Point};

/// A smaller board beside the board.
pub(super) fn beside(rng: &mut ChaCha8Rng, drawn: &mut Drawn) -> Option<()> {
    let theme = THEMES.choose(rng)?;
    let look = look::look(rng, theme);
    let size = GridSize::new(7, 6);
    let cells = position(rng, size, true);
    let pitch = (drawn.pitch.0 * 0.45).max(18.0);
    let small = draw(rng, 7, "small", size, look, &cells, pitch, Point::default())?;
    let (w, h) = (drawn.picture.width(), drawn.picture.height());
    let wide = w + small.picture.width() + 20;
    let mut out = Picture::filled(wide, h.max(small.picture.height()), [96, 100, 104]);
    let mut put = |from: &Picture, x0: u32, y0: u32| {
        for y in 0..from.height() {
            for x in 0..from.width() {
                out.set(i64::from(x0 + x), i64::from(y0 + y), from.rgb(x, y));
            }
        }
    };
    put(&drawn.picture, 0, 0);
    put(&small.picture, w + 20, 0);
    drawn.picture = out;
    Some(())
}
