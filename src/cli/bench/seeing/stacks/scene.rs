//! What single pictures of Tetris show: a pile, a piece, where it would land, what comes next.
//!
//! Takes a generator of random numbers, gives positions as a person's game has them. Knows
//! nothing of pixels but a few ways to mix them, which all painters share.

use rand::Rng;

use crate::games::tetris::rules::{Board, Kind, Pose, System};
use crate::types::picture::{channels, packed};
use crate::types::{GridSize, Picture};

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// A cell by column and row from the top left; rows above the board are negative.
pub type Spot = (i32, i32);

/// A position.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Columns and rows.
    pub size: GridSize,
    /// The pile, row by row from the top: 0 empty, 1 to 7 a kind, 8 something else.
    pub pile: Vec<u8>,
    /// What falls.
    pub kind: Kind,
    /// Where it is.
    pub piece: [Spot; 4],
    /// Where it would land.
    pub ghost: [Spot; 4],
    /// What comes next.
    pub next: Vec<Kind>,
}

impl Scene {
    /// A game under way on a board of this size; `fill` is how high the pile is at most, 0 to 1.
    pub fn any(rng: &mut impl Rng, size: GridSize, fill: f64) -> Self {
        let system = System::standard();
        let mut board = Board::empty(size.cols, size.rows);
        let most = (f64::from(size.rows) * fill) as u16;
        let goal = rng.random_range(1..=most.max(2));
        for _ in 0..200 {
            if board.height() >= goal {
                break;
            }
            let kind = any_kind(rng);
            let Some(pose) = placed(rng, &board, &system, kind) else {
                break;
            };
            let before = board.clone();
            board.lock(&system, pose);
            board.clear_full();
            if board.height() > most.max(3) {
                board = before;
                break;
            }
        }
        if rng.random_bool(0.1) {
            for _ in 0..rng.random_range(1..4) {
                board.push_row(rng.random_range(0..size.cols), 8);
            }
        }
        let kind = any_kind(rng);
        let pose = flying(rng, &board, &system, kind);
        let land = board.dropped(&system, pose);
        let spot = |(x, y): (i16, i16)| (i32::from(x), i32::from(size.rows) - 1 - i32::from(y));
        let cols = usize::from(size.cols);
        Self {
            size,
            pile: board
                .cells()
                .chunks(cols)
                .rev()
                .flatten()
                .copied()
                .collect(),
            kind,
            piece: system.cells(pose).map(spot),
            ghost: system.cells(land).map(spot),
            next: (0..5).map(|_| any_kind(rng)).collect(),
        }
    }

    /// The value of a cell with the piece in place; 0 outside.
    #[must_use]
    pub fn value(&self, (x, y): Spot) -> u8 {
        if self.piece.contains(&(x, y)) {
            self.kind.number()
        } else {
            self.fixed((x, y))
        }
    }

    /// The value of a cell of the pile; 0 outside.
    #[must_use]
    pub fn fixed(&self, (x, y): Spot) -> u8 {
        let inside = x >= 0 && y >= 0 && x < i32::from(self.size.cols);
        let i = (y * i32::from(self.size.cols) + x) as usize;
        if inside {
            self.pile.get(i).copied().unwrap_or(0)
        } else {
            0
        }
    }

    /// All cells of the board.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let (w, h) = (i32::from(self.size.cols), i32::from(self.size.rows));
        (0..h).flat_map(move |y| (0..w).map(move |x| (x, y)))
    }

    /// Whether a cell is one of the board.
    #[must_use]
    pub fn contains(&self, (x, y): Spot) -> bool {
        x >= 0 && y >= 0 && x < i32::from(self.size.cols) && y < i32::from(self.size.rows)
    }

    /// Cells in which only the landing place is drawn.
    #[must_use]
    pub fn ghosts(&self) -> Vec<Spot> {
        let seen = |s: &&Spot| self.contains(**s) && self.value(**s) == 0;
        self.ghost.iter().filter(seen).copied().collect()
    }

    /// As it is some steps of the piece later: aside, then down.
    #[must_use]
    pub fn moved(&self, dx: i32, dy: i32) -> Self {
        let mut out = self.clone();
        let there = self.piece.map(|(x, y)| (x + dx, y + dy));
        let free = |&(x, y): &Spot| {
            x >= 0
                && x < i32::from(self.size.cols)
                && y < i32::from(self.size.rows)
                && self.fixed((x, y)) == 0
        };
        if there.iter().all(free) {
            out.piece = there;
        }
        out
    }
}

fn any_kind(rng: &mut impl Rng) -> Kind {
    Kind::ALL[rng.random_range(0..7)]
}

/// A fair placing: the lowest of some.
fn placed(rng: &mut impl Rng, board: &Board, system: &System, kind: Kind) -> Option<Pose> {
    let top = system.spawn(kind, board.cols(), board.rows());
    let mut best: Option<(i16, Pose)> = None;
    for _ in 0..rng.random_range(3..14) {
        let mut pose = top;
        for _ in 0..rng.random_range(0..4) {
            pose = board.turned(system, pose).unwrap_or(pose);
        }
        let aside = if rng.random_bool(0.5) { 1 } else { -1 };
        for _ in 0..rng.random_range(0..board.cols()) {
            let next = pose.moved(aside, 0);
            if !board.is_free(system, next) {
                break;
            }
            pose = next;
        }
        if !board.is_free(system, pose) {
            continue;
        }
        let low = board.dropped(system, pose);
        let height: i16 = system.cells(low).iter().map(|c| c.1).sum();
        if best.is_none_or(|b| height < b.0) {
            best = Some((height, low));
        }
    }
    best.map(|b| b.1)
}

/// Somewhere on its way down; now and then partly above the board.
fn flying(rng: &mut impl Rng, board: &Board, system: &System, kind: Kind) -> Pose {
    let mut pose = system.spawn(kind, board.cols(), board.rows());
    let high = rng.random_range(0..3);
    if rng.random_bool(0.12) {
        return pose.moved(0, high);
    }
    if rng.random_bool(0.5) {
        pose = board.turned(system, pose).unwrap_or(pose);
    }
    let room = (board.rows() - board.height()).max(1) as i16;
    for _ in 0..rng.random_range(0..room) {
        let next = pose.moved(rng.random_range(-1..=1), -1);
        if board.is_free(system, next) {
            pose = next;
        }
    }
    pose
}

/// Mixes a colour into a box of whole pixels.
pub fn tint(out: &mut Picture, [x0, y0, x1, y1]: [f64; 4], rgb: Rgb, part: f64) {
    let (w, h) = (f64::from(out.width()), f64::from(out.height()));
    let cut = |v: f64, most: f64| v.round().clamp(0.0, most) as u32;
    let (x0, x1, y0, y1) = (cut(x0, w), cut(x1, w), cut(y0, h), cut(y1, h));
    let width = out.width() as usize;
    for y in y0..y1 {
        for p in &mut out.pixels_mut()[y as usize * width..][x0 as usize..x1 as usize] {
            let old = channels(*p);
            *p = packed([0, 1, 2].map(|i| mixed(old[i], rgb[i], part)));
        }
    }
}

/// Between two values.
#[must_use]
pub fn mixed(a: u8, b: u8, part: f64) -> u8 {
    (f64::from(a) + (f64::from(b) - f64::from(a)) * part)
        .round()
        .clamp(0.0, 255.0) as u8
}

/// A colour made darker (below 1) or lighter (above 1, towards white).
#[must_use]
pub fn shaded(rgb: Rgb, by: f64) -> Rgb {
    if by <= 1.0 {
        rgb.map(|v| mixed(0, v, by))
    } else {
        rgb.map(|v| mixed(v, 255, by - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn positions_are_possible_and_repeat() {
        for seed in 0..40 {
            let size = GridSize::new(10, 20);
            let scene = Scene::any(&mut ChaCha8Rng::seed_from_u64(seed), size, 0.7);
            let again = Scene::any(&mut ChaCha8Rng::seed_from_u64(seed), size, 0.7);
            assert_eq!((&scene.pile, scene.piece), (&again.pile, again.piece));
            assert!(scene.piece.iter().all(|&s| scene.fixed(s) == 0), "{seed}");
            assert!(scene.ghost.iter().all(|&s| scene.fixed(s) == 0), "{seed}");
        }
    }
}
