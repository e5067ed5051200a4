//! Of several ways to group the cells of a board by colour the one that all cells and the lines
//! between them agree on best.
//!
//! Takes groups with their light, gives groups whose cells have the colours that the whole board
//! makes likeliest, without colours that only light made, and with the light that then remains.

use super::accord::{Accord, NEEDED};
use super::borders::{Border, contradicted};
use super::cell::{CellLook, Eye, distance};
use super::gain;
use super::groups::{Groups, flattened, means};
use super::veil::{self, Light};
use crate::types::GridSize;

/// All that was sampled of a board's cells.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub size: GridSize,
    pub looks: &'a [CellLook],
    pub plain: &'a [bool],
    pub eye: Eye,
    pub borders: &'a [Border],
}

/// Of several ways to group the cells the one that all cells and lines agree on best; `None` where
/// lines contradict so many of them that these are no cells of a board.
pub(super) fn agreed(ways: &[Groups], cells: Cells) -> Option<Groups> {
    let against = |g: &Groups| {
        let (against, all) = contradicted(cells.borders, &g.labels);
        against as f32 / all.max(1) as f32
    };
    let least = ways.iter().map(against).fold(f32::INFINITY, f32::min);
    if least > MOST_AGAINST {
        return None;
    }
    // Ways with more colours than any game has are noise.
    let fewest = ways.iter().map(|g| g.colours.len()).min()?;
    let mut first: Vec<(f32, &Groups)> = { ways.iter() }
        .filter(|g| g.colours.len() <= fewest.max(MOST))
        .map(|g| (g.first(cells), g))
        .collect();
    first.sort_by(|a, b| a.0.total_cmp(&b.0));
    first.dedup_by(|a, b| a.1.labels == b.1.labels);
    let tried = first.iter().take(TRIED).map(|(_, g)| g.agreed(cells));
    Some(tried.min_by(|a, b| a.1.total_cmp(&b.1))?.0)
}

/// Part of the lines that may contradict the colours beside them, at first.
const MOST_AGAINST: f32 = 0.2;

/// How many ways to group are thought through.
const TRIED: usize = 3;

impl Groups {
    /// What the groups' colours leave unexplained before anything is made of them.
    fn first(&self, cells: Cells) -> f32 {
        let Cells {
            size,
            looks,
            plain,
            eye,
            borders,
        } = cells;
        let accord = Accord::new(size, looks, borders, eye, &self.light.gain);
        let all = vec![true; self.colours.len()];
        accord
            .reached(&accord.offers(&self.colours), &all, plain)
            .cost
    }

    /// Grouped as all cells and the lines between them agree on best, and what that leaves
    /// unexplained: the lower, the better.
    fn agreed(&self, cells: Cells) -> (Self, f32) {
        let Cells {
            size,
            looks,
            plain,
            eye,
            borders,
        } = cells;
        let accord = Accord::new(size, looks, borders, eye, &self.light.gain);
        let mut offers = accord.offers(&self.colours);
        let mut used = vec![true; self.colours.len()];
        let mut best = accord.reached(&offers, &used, plain);
        for _ in 0..AGREED {
            // Colours that are not needed go, those of the fewest cells first.
            let counts = counted(&best.labels, used.len());
            let mut order: Vec<usize> = (0..used.len()).filter(|&k| used[k]).collect();
            order.sort_by_key(|&k| counts[k]);
            for k in order {
                if counts[k] > 0 && Accord::needed(&offers, &used, &best.labels, k) > NEEDED {
                    continue;
                }
                used[k] = false;
                if counts[k] > 0 {
                    let without = accord.reached(&offers, &used, plain);
                    if without.cost < best.cost {
                        best = without;
                    } else {
                        used[k] = true;
                    }
                }
            }
            let fresh = accord.offers(&accord.recoloured(&offers, &best.labels));
            let next = accord.reached(&fresh, &used, plain);
            if next.cost > best.cost - 0.5 {
                break;
            }
            (offers, best) = (fresh, next);
        }
        let cost = best.cost;
        let counts = counted(&best.labels, used.len());
        let kept: Vec<usize> = (0..used.len()).filter(|&k| counts[k] > 0).collect();
        for label in &mut best.labels {
            *label = label.and_then(|k| kept.iter().position(|&o| o == k));
        }
        let mut now = Self {
            light: self.light.clone(),
            colours: kept.iter().map(|&k| offers.colours()[k]).collect(),
            labels: best.labels,
            spread: 0.0,
        };
        for _ in 0..SETTLED {
            let veil = veil::over(size, looks, &now.labels, &now.colours, &now.light.gain);
            let lifted: Vec<CellLook> = { looks.iter().enumerate() }
                .map(|(i, l)| CellLook {
                    rim: veil.lifted(i, l.rim),
                    ..*l
                })
                .collect();
            let gain = gain::from_classes(size, &lifted, &now.labels, &now.colours);
            now.light = Light { gain, veil };
            let flat = flattened(size, looks, &now.light);
            now.colours = means(&now.labels, &flat, now.colours.len());
        }
        veil::exact(&mut now.light, size, looks, &now.labels, &now.colours);
        let flat = flattened(size, looks, &now.light);
        let (mut sum, mut n) = (0.0, 0.0f32);
        for (label, &c) in now.labels.iter().zip(&flat) {
            if let Some(k) = label {
                sum += distance(now.colours[*k], c).powi(2);
                n += 1.0;
            }
        }
        now.spread = (sum / n.max(1.0)).sqrt();
        (now, cost)
    }
}

/// Colours that no game has more of, with a few that light makes of them.
const MOST: usize = 18;

/// Rounds in which colours and cells agree.
const AGREED: usize = 4;

/// Rounds in which light is found for cells of known colours.
const SETTLED: usize = 3;

/// How many cells each colour has.
fn counted(labels: &[Option<usize>], colours: usize) -> Vec<usize> {
    let mut counts = vec![0; colours];
    for k in labels.iter().flatten() {
        counts[*k] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::borders::borders;
    use super::super::cell::look;
    use super::super::groups::grouped;
    use super::super::planes::Planes;
    use super::*;
    use crate::types::{Picture, Point, PxFromCell};

    const CELL: u32 = 20;

    /// A board of these letters on a screen that mirrors a lamp: where it is brightest in cells,
    /// its radius in cells and the light it adds there (1 is white).
    fn filmed(board: &[&str], (at, radius, strength): ((f64, f64), f64, f64)) -> Picture {
        let (cols, rows) = (board[0].len() as u32, board.len() as u32);
        let mut picture = Picture::filled(cols * CELL, rows * CELL, [0; 3]);
        for (y, x) in (0..rows * CELL).flat_map(|y| (0..cols * CELL).map(move |x| (y, x))) {
            let letter = board[(y / CELL) as usize].as_bytes()[(x / CELL) as usize];
            let rgb: [f64; 3] = match letter {
                b'r' => [190.0, 30.0, 30.0],
                b'g' => [40.0, 150.0, 60.0],
                b'b' => [50.0, 80.0, 190.0],
                b'd' => [40.0, 35.0, 60.0],
                _ => [200.0, 180.0, 50.0],
            };
            let d2 = (f64::from(x) / f64::from(CELL) - at.0).powi(2)
                + (f64::from(y) / f64::from(CELL) - at.1).powi(2);
            let lamp = strength * (-d2 / (2.0 * radius * radius)).exp();
            // A pattern of one step stands for noise.
            let grain = f64::from((x * 7 + y * 13) % 5) - 2.0;
            let seen = rgb.map(|v| {
                let light = (v / 255.0).powf(2.2) + lamp;
                (255.0 * light.powf(1.0 / 2.2) + grain).clamp(0.0, 255.0) as u8
            });
            picture.set(i64::from(x), i64::from(y), seen);
        }
        picture
    }

    /// The colours of the board in it, in order of first appearance; `?` where there is none.
    fn read(picture: &Picture) -> Vec<String> {
        let size = GridSize::new(
            (picture.width() / CELL) as u16,
            (picture.height() / CELL) as u16,
        );
        let planes = Planes::new(picture);
        let place = PxFromCell::upright(Point::new(0.0, 0.0), f64::from(CELL), f64::from(CELL));
        let looks: Vec<CellLook> = { size.cells() }
            .map(|c| look(&planes, &place, c.col.into(), c.row.into()).expect("inside"))
            .collect();
        let eye = Eye { noise: 2.0 };
        let borders = borders(&planes, &place, size, &looks, eye);
        let groups = grouped(size, &looks, eye, &borders).expect("plain cells");
        let mut order = Vec::new();
        let letters: Vec<char> = { groups.labels.iter() }
            .map(|label| match label {
                None => '?',
                Some(k) => {
                    let at = order.iter().position(|o| o == k).unwrap_or_else(|| {
                        order.push(*k);
                        order.len() - 1
                    });
                    char::from(b'a' + at as u8)
                }
            })
            .collect();
        { letters.chunks(usize::from(size.cols)) }
            .map(|row| row.iter().collect())
            .collect()
    }

    const BOARD: [&str; 7] = [
        "rgbydrg", "rrbyygd", "gdbrrbb", "ydbbrgg", "yyrgdbr", "brrgdyy", "bdgyybr",
    ];
    const READ: [&str; 7] = [
        "abcdeab", "aacddbe", "becaacc", "deccabb", "ddabeca", "caabedd", "cebddca",
    ];

    #[test]
    fn colours_under_a_mirrored_lamp_are_those_beside_it() {
        assert_eq!(read(&filmed(&BOARD, ((0.0, 0.0), 1.0, 0.0))), READ);
        for lamp in [((3.5, 3.5), 1.5, 0.2), ((5.0, 2.0), 3.0, 0.35)] {
            assert_eq!(read(&filmed(&BOARD, lamp)), READ, "{lamp:?}");
        }
        // Where the light changes within cells they have rather none than another colour.
        let found = read(&filmed(&BOARD, ((2.0, 4.5), 1.0, 0.3)));
        let cells = || { found.iter().zip(READ) }.flat_map(|(f, r)| f.chars().zip(r.chars()));
        assert!(cells().all(|(f, r)| f == r || f == '?'), "{found:?}");
        assert!(cells().filter(|(f, _)| *f == '?').count() < 5, "{found:?}");
    }

    #[test]
    fn a_colour_of_one_cell_stays_one() {
        let mut board = BOARD;
        board[3] = "ydbwrgg";
        let found = read(&filmed(
            &board
                .map(|r| r.replace('y', "r"))
                .each_ref()
                .map(|r| r.as_str()),
            ((1.0, 5.0), 1.5, 0.2),
        ));
        let others = found
            .iter()
            .flat_map(|r| r.chars())
            .filter(|&c| c == found[3].as_bytes()[3].into());
        assert_eq!(others.count(), 1, "{found:?}");
    }
}
