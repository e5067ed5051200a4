//! Something to measure delays on: a picture that changes with every key, and by itself when asked.
//!
//! Takes keys, draws one of two pictures, and tells how long a key took to answer a change that
//! came by itself. It is a built-in target, for [`probe`](super::probe).

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::types::{BoardText, Picture, Point, Target, Time};

/// After a key it changes by itself no sooner than this, and no later than twice this.
const REST: Duration = Duration::from_millis(900);

/// Dark and light, not so far apart that a camera's exposure follows them.
const COLOURS: [[u8; 3]; 2] = [[60, 60, 66], [188, 188, 180]];

/// The picture.
pub struct Flash {
    lit: bool,
    /// Width and height in px.
    size: (u32, u32),
    /// Draws the moments at which it changes by itself.
    rng: Option<ChaCha8Rng>,
    /// When it does so next.
    next: Option<Time>,
    /// When it did so last, until a key answers.
    flashed: Option<Time>,
    told: Box<dyn FnMut(Duration) + Send>,
}

impl Flash {
    /// A picture that changes with keys; with a seed also by itself. `told` hears how long each
    /// answer took.
    #[must_use]
    pub fn new(size: (u32, u32), seed: Option<u64>, told: Box<dyn FnMut(Duration) + Send>) -> Self {
        Self {
            lit: false,
            size,
            rng: seed.map(ChaCha8Rng::seed_from_u64),
            next: None,
            flashed: None,
            told,
        }
    }
}

impl Target for Flash {
    fn render(&mut self, now: Time, out: &mut Picture) {
        if let Some(rng) = &mut self.rng {
            match self.next {
                None if self.flashed.is_none() => {
                    self.next = Some(now + REST + REST.mul_f64(rng.random::<f64>()));
                }
                Some(at) if at <= now => {
                    self.lit = !self.lit;
                    (self.next, self.flashed) = (None, Some(now));
                }
                _ => {}
            }
        }
        let [r, g, b] = COLOURS[usize::from(self.lit)].map(u32::from);
        // The middle alone: the surroundings keep a camera's exposure where it is.
        let (w, h) = self.size;
        out.reshape(w, h);
        let middle = |v: u32, side: u32| (side / 4..side - side / 4).contains(&v);
        for y in 0..h {
            for x in 0..w {
                let grey = 0x007c_7c7c;
                let inside = middle(x, w) && middle(y, h);
                let value = if inside { r << 16 | g << 8 | b } else { grey };
                out.pixels_mut()[(y * w + x) as usize] = value;
            }
        }
    }

    fn click(&mut self, _: Point, now: Time) {
        self.key("click", now);
    }

    fn key(&mut self, _name: &str, now: Time) {
        self.lit = !self.lit;
        self.next = None;
        if let Some(at) = self.flashed.take() {
            (self.told)(now.since(at));
        }
    }

    fn truth(&self) -> BoardText {
        BoardText::default()
    }

    fn resize(&mut self, width: u32, height: u32) {
        self.size = (width.max(1), height.max(1));
    }

    fn title(&self) -> &str {
        "Kibitzer flash"
    }
}
