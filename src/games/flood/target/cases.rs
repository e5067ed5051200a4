//! Pictures of boards with known truth, in every style: the same seed gives the same picture.
//!
//! Takes a seed, gives a [`Case`]. Every board of a case can be decided from its picture: enough
//! lines of the lattice separate different colours, and the ground differs from every colour.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::rules::Board;
use super::palette::{Palette, Rgb, apart};
use super::style::{Backdrop, Buttons, Dots, Edges, Line, Style, Surroundings};
use super::{FloodTarget, Setup, greedy};
use crate::types::{BoardText, Cell, GridSize, Picture, Point, Target, Time};

/// A picture and what it shows.
#[derive(Clone, Debug)]
pub struct Case {
    /// The condition it is reported under.
    pub condition: String,
    /// Everything needed to make it again, for a person.
    pub name: String,
    /// The picture.
    pub picture: Picture,
    /// The board in it; `None` if there is none.
    pub truth: Option<Truth>,
}

/// The board in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// Columns and rows.
    pub size: GridSize,
    /// Its cells; equal letters are equal colours.
    pub board: BoardText,
    /// Outer corners in px: top left, top right, bottom right, bottom left; `None` where
    /// nobody measured them.
    pub corners: Option<[Point; 4]>,
}

/// The conditions of [`screenshot`].
pub const CONDITIONS: [&str; 8] = [
    "plain", "bordered", "gridded", "gapped", "rounded", "scaled", "dotted", "small",
];

/// How far a game has gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// A random board.
    Start,
    /// Some greedy moves on, at least this share of the lattice's inner lines still shows.
    Played(f64),
}

impl Progress {
    /// Start, middle or late, by chance.
    pub fn any(rng: &mut impl Rng) -> Self {
        match rng.random_range(0..4) {
            0 => Self::Played(0.75),
            1 => Self::Played(0.5),
            _ => Self::Start,
        }
    }

    /// For the names of cases.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Played(share) if share > 0.6 => "middle",
            Self::Played(_) => "late",
        }
    }
}

/// The share of the lattice's inner lines, of the poorer direction, along which at least one
/// pair of neighbours differs.
#[must_use]
pub fn lines_shown(size: GridSize, board: &[u8]) -> f64 {
    let (w, h) = (usize::from(size.cols), usize::from(size.rows));
    if w < 2 || h < 2 || board.len() != w * h {
        return 0.0;
    }
    let upright = (1..w).filter(|&x| (0..h).any(|y| board[y * w + x - 1] != board[y * w + x]));
    let level = (1..h).filter(|&y| (0..w).any(|x| board[(y - 1) * w + x] != board[y * w + x]));
    (upright.count() as f64 / (w - 1) as f64).min(level.count() as f64 / (h - 1) as f64)
}

/// A board that uses at least three colours and shows enough of its lattice.
#[must_use]
pub fn position(rng: &mut impl Rng, size: GridSize, colours: u8, progress: Progress) -> Vec<u8> {
    let need = match progress {
        Progress::Start => 1.0,
        // A small board has no lines to spare.
        Progress::Played(_) if size.cols.min(size.rows) < 8 => 0.8,
        Progress::Played(share) => share,
    };
    let good = |b: &[u8]| {
        let count = |c: u8| b.iter().filter(|&&v| v == c).count();
        let counts: Vec<usize> = (0..colours).map(count).filter(|&n| n > 0).collect();
        let others = b.len() - counts.iter().max().unwrap_or(&0);
        counts.len() >= 3.min(usize::from(colours))
            && others >= 6.max(b.len() / 12)
            && lines_shown(size, b) >= need
    };
    let cells: Vec<u8> = loop {
        let b: Vec<u8> = (0..size.len())
            .map(|_| rng.random_range(0..colours))
            .collect();
        // A random board fails only when it is tiny.
        if good(&b) || (lines_shown(size, &b) > 0.99 && size.len() > 400) {
            break b;
        }
    };
    let Ok(mut board) = Board::new(size, cells.clone(), Cell::new(0, 0)) else {
        return cells;
    };
    while progress != Progress::Start
        && let Some(colour) = greedy(&board)
    {
        let next = board.after(colour);
        if !good(next.cells()) {
            break;
        }
        board = next;
    }
    board.cells().to_vec()
}

/// A screenshot of the target, its style by seed; seeds go through [`CONDITIONS`] in turn.
#[must_use]
pub fn screenshot(seed: u64) -> Case {
    let condition = CONDITIONS[(seed % CONDITIONS.len() as u64) as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = any_size(&mut rng, 40);
    let palette = *Palette::ALL.choose(&mut rng).unwrap_or(&Palette::Sgt);
    let most = palette.colours().len() as u8;
    let colours = rng.random_range(3..=most.min(if size.len() < 36 { 6 } else { 12 }));
    let longest = f64::from(size.cols.max(size.rows));
    let largest = (960.0 / longest).floor().clamp(10.0, 56.0);
    let pitch = match condition {
        "small" => f64::from(rng.random_range(7..=11)),
        _ => rng.random_range(9.0..=largest).floor(),
    };
    let mut style = look(&mut rng, condition, size, palette, pitch);
    style.palette.truncate(usize::from(colours));
    if condition == "dotted" && colours > 3 && rng.random_bool(0.4) {
        // Two classes of one colour, told apart by the dot alone.
        style.palette[usize::from(colours) - 1] = style.palette[0];
        style.dots = Dots::OnColour(colours - 1);
    }
    frame(&mut rng, &mut style, size);
    let progress = Progress::any(&mut rng);
    let board = position(&mut rng, size, colours, progress);
    let name = format!(
        "screenshot {seed} {condition} {size} {colours} colours {palette:?} pitch {:.1} {}",
        style.pitch.0,
        progress.name()
    );
    render(condition, name, size, board, style)
}

/// Draws a given board in a given style.
#[must_use]
pub fn render(condition: &str, name: String, size: GridSize, board: Vec<u8>, style: Style) -> Case {
    let setup = Setup {
        size,
        colours: style.palette.len() as u8,
        board: Some(board),
        limit: Some(99),
        ..Setup::default()
    };
    let mut case = Case {
        condition: condition.to_owned(),
        name,
        picture: Picture::default(),
        truth: None,
    };
    // What is no board is drawn as a picture without one.
    if let Ok(mut target) = FloodTarget::new(setup, style) {
        target.render(Time::ZERO, &mut case.picture);
        case.truth = Some(Truth {
            size,
            board: target.truth(),
            corners: Some(target.px_from_cell().corners(size)),
        });
    }
    case
}

/// Square in two of three cases.
pub fn any_size(rng: &mut impl Rng, most: u16) -> GridSize {
    let side = |rng: &mut dyn rand::RngCore| {
        let small = rng.random_bool(0.6);
        rng.random_range(4..=if small { most.min(20) } else { most })
    };
    let cols = side(rng);
    let rows = if rng.random_bool(0.66) {
        cols
    } else {
        side(rng)
    };
    GridSize::new(cols, rows)
}

/// The board's own look under a condition.
pub fn look(
    rng: &mut impl Rng,
    condition: &str,
    size: GridSize,
    palette: Palette,
    pitch: f64,
) -> Style {
    let colours = palette.colours();
    let dark = rng.random_bool(0.4);
    let ground = contrast(rng, colours, dark);
    let ink = if luma(ground) > 110 {
        [16, 16, 16]
    } else {
        [238; 3]
    };
    let line = if rng.random_bool(0.6) || luma(ground) < 60 {
        [0, 0, 0]
    } else {
        ground
    };
    let mut style = Style {
        pitch: (pitch, pitch),
        ground,
        border: None,
        palette: colours.to_vec(),
        surroundings: Surroundings {
            face: ground,
            ink,
            seed: rng.random(),
            ..Surroundings::default()
        },
        ..Style::plain(size, pitch)
    };
    match condition {
        "bordered" => {
            style.border = Some(Line {
                width: f64::from(rng.random_range(1..=2 + (pitch / 16.0) as u32)),
                rgb: line,
            });
        }
        "gridded" => {
            style.grid = Some(Line {
                width: f64::from(rng.random_range(1..=1 + (pitch / 14.0) as u32)),
                rgb: line,
            });
        }
        "gapped" => style.gap = f64::from(rng.random_range(1..=(pitch / 5.0).max(1.0) as u32)),
        "rounded" => {
            style.gap = f64::from(rng.random_range(1..=(pitch / 6.0).max(1.0) as u32));
            style.radius = pitch * rng.random_range(0.1..0.35);
        }
        "scaled" => {
            let p = pitch + rng.random_range(0.05..0.95);
            let stretch = if rng.random_bool(0.3) {
                rng.random_range(0.75..1.3)
            } else {
                1.0
            };
            style.pitch = (p, (p * stretch).max(8.0));
            style.edges = if rng.random_bool(0.5) {
                Edges::Blended
            } else {
                Edges::Snapped
            };
            if rng.random_bool(0.3) {
                style.gap = 1.5;
            }
        }
        "dotted" => {
            style.border = Some(Line {
                width: 2.0,
                rgb: [0, 0, 0],
            });
            style.dots = Dots::OnColour(rng.random_range(0..3));
        }
        _ => {}
    }
    style
}

fn luma([r, g, b]: Rgb) -> u32 {
    (u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b)) / 10
}

/// A ground that none of the colours can be taken for.
fn contrast(rng: &mut impl Rng, colours: &[Rgb], dark: bool) -> Rgb {
    let mut best = [0xd5; 3];
    let mut far = 0;
    for _ in 0..24 {
        let v: u8 = if dark {
            rng.random_range(0..60)
        } else {
            rng.random_range(190..=255)
        };
        let tint: u8 = rng.random_range(0..14);
        let c = [v, v.saturating_sub(tint / 2), v.saturating_sub(tint)];
        let near = colours.iter().map(|&p| apart(p, c)).min().unwrap_or(255);
        if near >= 48 {
            return c;
        }
        if near > far {
            (best, far) = (c, near);
        }
    }
    // Palettes of greys leave room only between their own.
    for v in (0..=255u8).step_by(5) {
        let c = [v, v, v];
        let near = colours.iter().map(|&p| apart(p, c)).min().unwrap_or(255);
        if near > far {
            (best, far) = (c, near);
        }
    }
    best
}

/// Places the board in a picture: alone, in a window on a desktop, or on a phone-like page.
pub fn frame(rng: &mut impl Rng, style: &mut Style, size: GridSize) {
    let w = style.pitch.0 * f64::from(size.cols);
    let h = style.pitch.1 * f64::from(size.rows);
    let fraction = |rng: &mut dyn rand::RngCore, on: bool| {
        if on { rng.random_range(0.0..1.0) } else { 0.0 }
    };
    let free = style.pitch.0.fract() != 0.0;
    let layout = rng.random_range(0..3);
    let seed = style.surroundings.seed;
    match layout {
        0 => {
            let margin = f64::from(rng.random_range(4..40));
            style.origin = Point::new(
                margin + fraction(rng, free),
                margin + fraction(rng, free) + 8.0,
            );
            style.picture = (
                (w + 2.0 * margin).ceil() as u32 + 2,
                (h + 2.0 * margin).ceil() as u32 + 30,
            );
            style.status = Some(Point::new(
                style.origin.x,
                style.origin.y + h + margin * 0.5,
            ));
            style.surroundings.backdrop = Backdrop::Plain(style.ground);
        }
        1 => desktop(rng, style, (w, h), free, seed),
        _ => page(rng, style, (w, h), free),
    }
}

fn desktop(rng: &mut impl Rng, style: &mut Style, (w, h): (f64, f64), free: bool, seed: u64) {
    let (title, menu) = (
        f64::from(rng.random_range(18..30)),
        f64::from(rng.random_range(0..24)),
    );
    let pad = f64::from(rng.random_range(6..24));
    let side = if rng.random_bool(0.5) { 160.0 } else { 0.0 };
    let width = (w + 2.0 * pad + side).ceil();
    let height = (h + title + menu + 2.0 * pad + 24.0).ceil();
    let picture = (
        ((width + 120.0) as u32).max(rng.random_range(640..=1280)),
        ((height + 60.0) as u32).max(rng.random_range(480..=800)),
    );
    let x0 = f64::from(rng.random_range(16..=picture.0 - width as u32 - 16));
    let y0 = f64::from(rng.random_range(16..=picture.1 - height as u32 - 16));
    let shift = if free {
        rng.random_range(0.0..1.0)
    } else {
        0.0
    };
    style.picture = picture;
    style.origin = Point::new(x0 + pad + shift, y0 + title + menu + pad + shift);
    style.status = Some(Point::new(x0 + pad, y0 + height - 16.0));
    let s = &mut style.surroundings;
    let (a, b) = (super::scenery::vivid(rng), super::scenery::vivid(rng));
    let dim = |c: Rgb| c.map(|v| v / 2 + 20);
    s.backdrop = match rng.random_range(0..3) {
        0 => Backdrop::Plain(dim(a)),
        1 => Backdrop::Gradient(dim(a), dim(b), rng.random_range(0.0..6.3)),
        _ => Backdrop::Wallpaper(dim(a), dim(b), rng.random_range(40.0..300.0)),
    };
    s.window = Some([x0, y0, x0 + width, y0 + height]);
    (s.title_bar, s.menu_bar, s.seed) = (title, menu, seed);
    s.icons = rng.random_range(0..16);
    s.text_lines = rng.random_range(0..20);
    if side > 0.0 {
        style.buttons = Some(Buttons {
            origin: Point::new(x0 + w + 2.0 * pad + 4.0, y0 + title + menu + pad),
            pitch: 45.0,
            side: 38.0,
            columns: 3,
            round: rng.random_bool(0.4),
        });
    }
}

fn page(rng: &mut impl Rng, style: &mut Style, (w, h): (f64, f64), free: bool) {
    let margin = f64::from(rng.random_range(12..60));
    let top = f64::from(rng.random_range(40..120));
    let shift = if free {
        rng.random_range(0.0..1.0)
    } else {
        0.0
    };
    let width = (w + 2.0 * margin).max(300.0);
    let left = ((width - w) / 2.0).floor();
    style.origin = Point::new(left + shift, top + shift);
    let columns = style.palette.len().min((width / 45.0) as usize) as u8;
    let rows = style.palette.len().div_ceil(usize::from(columns.max(1))) as f64;
    style.buttons = Some(Buttons {
        origin: Point::new(10.0, top + h + 30.0),
        pitch: 45.0,
        side: f64::from(rng.random_range(28..=42)),
        columns,
        round: rng.random_bool(0.5),
    });
    style.picture = (width as u32 + 2, (top + h + 45.0 * rows + 60.0) as u32);
    style.status = Some(Point::new(20.0, 18.0));
    let fade = style.ground.map(|v| if v > 128 { v - 18 } else { v + 18 });
    style.surroundings.backdrop = Backdrop::Gradient(style.ground, fade, 1.57);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_case() {
        for seed in 0..4 {
            let (a, b) = (screenshot(seed), screenshot(seed));
            assert_eq!((a.picture, a.truth), (b.picture, b.truth));
        }
    }

    #[test]
    fn boards_lie_inside_their_pictures_and_show_their_lines() {
        for seed in 0..64 {
            let case = screenshot(seed);
            let truth = case.truth.expect("every screenshot has a board");
            for p in truth.corners.expect("known") {
                let inside = p.x >= 0.0
                    && p.y >= 0.0
                    && p.x <= f64::from(case.picture.width())
                    && p.y <= f64::from(case.picture.height());
                assert!(inside, "{}: {p:?}", case.name);
            }
            let cells: Vec<u8> = truth.board.rows().flat_map(str::bytes).collect();
            assert!(lines_shown(truth.size, &cells) >= 0.5, "{}", case.name);
        }
    }
}
