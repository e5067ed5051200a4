//! What was found against what is there.
//!
//! Takes a [`Case`] and the findings in its picture, gives a [`Verdict`]; adds verdicts up by
//! condition. Boards are equal only if columns, rows and every cell match, up to a one-to-one
//! renaming of the classes; a cell that is `?` in the truth cannot be seen and matches anything,
//! and one that is `SOMETHING` matches any class but the first.

use std::collections::BTreeMap;

use crate::games::flood::target::cases::{Case, Truth};
use crate::types::{Calibration, Label, Reading};

/// In the truth: filled, in whatever colour.
const SOMETHING: char = '#';

/// One board that a finder says it sees, and what was read from it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Where and how sure.
    pub calibration: Calibration,
    /// The cells.
    pub reading: Reading,
}

/// What the findings of one picture are worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// There is a board.
    pub board: bool,
    /// The best finding is above the threshold.
    pub accepted: bool,
    /// The best finding is the board with every cell right.
    pub right: bool,
    /// The best finding is above the threshold and its size or one of its labels is wrong, or
    /// there is no board.
    pub wrong: bool,
    /// Further findings above the threshold, which cannot all be the board.
    pub extra: usize,
    /// Cells of the true board, and how many of them the best accepted finding has right.
    pub cells: (usize, usize),
    /// Cells read as Unknown.
    pub unknown: usize,
    /// Quality of the best finding.
    pub quality: Option<f32>,
    /// Largest distance of a corner in px, where the board is right and its corners are known.
    pub corner: Option<f64>,
}

/// Judges the findings in one picture; the first finding is the finder's best.
#[must_use]
pub fn judge(truth: Option<&Truth>, findings: &[Finding]) -> Verdict {
    let accepted = |f: &&Finding| f.calibration.quality >= Calibration::MIN_QUALITY;
    // What the program takes: the first that is good enough.
    let best = findings.iter().find(accepted).or(findings.first());
    let mut v = Verdict {
        board: truth.is_some(),
        accepted: best.is_some_and(|f| accepted(&f)),
        extra: findings.iter().filter(accepted).count().saturating_sub(1),
        quality: best.map(|f| f.calibration.quality),
        ..Verdict::default()
    };
    let Some(truth) = truth else {
        v.wrong = v.accepted;
        return v;
    };
    v.cells.0 = truth.size.len();
    let Some(best) = best else { return v };
    let fit = matching(truth, best);
    v.right = fit.right == v.cells.0;
    v.wrong = v.accepted && (!fit.same_size || fit.false_labels > 0);
    if v.accepted {
        v.cells.1 = fit.right;
        v.unknown = best.reading.unknown();
    }
    if v.right {
        v.corner = truth.corners.map(|corners| {
            let found = best.calibration.px_from_cell.corners(truth.size);
            let far = corners.iter().zip(found).map(|(a, b)| a.distance(b));
            far.fold(0.0, f64::max)
        });
    }
    v
}

/// Judges the findings in a picture with any number of boards: against the one that the best
/// finding comes nearest to.
#[must_use]
pub fn judge_any<'a>(truths: impl Iterator<Item = &'a Truth>, findings: &[Finding]) -> Verdict {
    truths
        .map(|truth| judge(Some(truth), findings))
        .max_by_key(|v| (v.right, v.cells.1))
        .unwrap_or_else(|| judge(None, findings))
}

struct Fit {
    same_size: bool,
    right: usize,
    false_labels: usize,
}

/// Gives each class the letter it agrees with most, each letter to one class only.
fn matching(truth: &Truth, found: &Finding) -> Fit {
    let letters: Vec<char> = truth.board.rows().flat_map(str::chars).collect();
    let same_size = found.calibration.size == truth.size
        && found.reading.size == truth.size
        && found.reading.cells.len() == letters.len();
    if !same_size {
        return Fit {
            same_size,
            right: 0,
            false_labels: 0,
        };
    }
    let mut together: BTreeMap<(u8, char), usize> = BTreeMap::new();
    let (mut labelled, mut hidden) = (0, 0);
    for (cell, &letter) in found.reading.cells.iter().zip(&letters) {
        match (letter, cell.label) {
            ('?', _) => hidden += 1,
            (_, Label::Unknown) => {}
            (SOMETHING, Label::Class(1..)) => {
                *together.entry((1, SOMETHING)).or_default() += 1;
                labelled += 1;
            }
            (_, Label::Class(class)) => {
                *together.entry((class, letter)).or_default() += 1;
                labelled += 1;
            }
        }
    }
    let mut pairs: Vec<_> = together.into_iter().collect();
    pairs.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let (mut classes, mut used, mut right) = (Vec::new(), Vec::new(), 0);
    for ((class, letter), n) in pairs {
        if !classes.contains(&class) && !used.contains(&letter) {
            classes.push(class);
            used.push(letter);
            right += n;
        }
    }
    Fit {
        same_size,
        right: right + hidden,
        false_labels: labelled - right,
    }
}

/// Verdicts of one condition.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Pictures.
    pub cases: usize,
    /// Pictures with a board.
    pub boards: usize,
    /// Of those, with a finding above the threshold.
    pub found: usize,
    /// Of those, with every cell right.
    pub right: usize,
    /// Pictures with a wrong finding above the threshold.
    pub wrong: usize,
    /// Pictures without a board in which one was found.
    pub false_finds: usize,
    /// Findings beside the best one.
    pub extra: usize,
    /// Cells there, read right, and read as Unknown.
    pub cells: (usize, usize, usize),
    /// Lowest quality of a right finding.
    pub lowest_right: Option<f32>,
    /// Highest quality of a wrong finding, accepted or not.
    pub highest_wrong: Option<f32>,
    corners: Vec<f64>,
    millis: Vec<f64>,
}

impl Tally {
    /// Adds one picture; `millis` is the processor time that finding took.
    pub fn add(&mut self, v: &Verdict, millis: f64) {
        self.cases += 1;
        self.boards += usize::from(v.board);
        self.found += usize::from(v.board && v.accepted);
        // A right board that is refused counts for nothing.
        self.right += usize::from(v.right && v.accepted);
        self.wrong += usize::from(v.wrong);
        self.false_finds += usize::from(!v.board && v.accepted);
        self.extra += v.extra;
        self.cells.0 += v.cells.0;
        self.cells.1 += v.cells.1;
        self.cells.2 += v.unknown;
        if let Some(q) = v.quality {
            if v.right {
                self.lowest_right = Some(self.lowest_right.map_or(q, |o| o.min(q)));
            } else {
                self.highest_wrong = Some(self.highest_wrong.map_or(q, |o| o.max(q)));
            }
        }
        self.corners.extend(v.corner);
        self.millis.push(millis);
    }

    /// Per cent of the cells of all boards that were read right.
    #[must_use]
    pub fn cells_right(&self) -> f64 {
        100.0 * self.cells.1 as f64 / self.cells.0.max(1) as f64
    }

    /// Median and largest corner error in px.
    #[must_use]
    pub fn corner_error(&self) -> Option<(f64, f64)> {
        spread(&self.corners)
    }

    /// Median and largest processor time of finding, in milliseconds.
    #[must_use]
    pub fn find_millis(&self) -> Option<(f64, f64)> {
        spread(&self.millis)
    }
}

fn spread(values: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some((*sorted.get(sorted.len() / 2)?, *sorted.last()?))
}

/// For a person: the name, and the two boards where they differ.
#[must_use]
pub fn report(case: &Case, findings: &[Finding]) -> String {
    let mut text = format!("{}\n", case.name);
    if let Some(t) = &case.truth {
        text += &format!("true {} corners {:?}\n{}\n", t.size, t.corners, t.board);
    }
    for f in findings {
        let c = &f.calibration;
        let shown = f.reading.cells.iter().map(|cell| match cell.label {
            Label::Class(i) => c
                .classes
                .get(usize::from(i))
                .map_or('!', |look| look.letter),
            Label::Unknown => '?',
        });
        let board = crate::types::BoardText::from_cells(usize::from(c.size.cols), shown);
        text += &format!(
            "seen {} quality {:.3} residual {:.2} corners {:?}\n{board}\n",
            c.size,
            c.quality,
            c.residual,
            c.px_from_cell.corners(c.size)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{
        BoardKind, BoardText, CellReading, ClassLook, GainField, GridSize, Point, PxFromCell,
    };

    fn truth(rows: &str) -> Truth {
        let width = rows.find('/').unwrap_or(rows.len()) as u16;
        let size = GridSize::new(width, rows.split('/').count() as u16);
        Truth {
            size,
            board: BoardText(rows.into()),
            corners: Some(PxFromCell::upright(Point::new(5.0, 5.0), 10.0, 10.0).corners(size)),
        }
    }

    fn finding(rows: &str, quality: f32) -> Finding {
        let size = truth(rows).size;
        let cells = rows.chars().filter(|&c| c != '/').map(|c| CellReading {
            label: if c == '?' {
                Label::Unknown
            } else {
                Label::Class(c as u8 - b'0')
            },
            confidence: 1.0,
        });
        Finding {
            reading: Reading {
                size,
                cells: cells.collect(),
                beside: Vec::new(),
            },
            calibration: Calibration {
                kind: BoardKind::Cells,
                size,
                image: (100, 100),
                px_from_cell: PxFromCell::upright(Point::new(5.0, 8.0), 10.0, 10.0),
                classes: Vec::<ClassLook>::new(),
                beside: Vec::new(),
                border: None,
                well: None,
                plate: None,
                stones: None,
                gain: GainField::default(),
                veil: crate::types::Veil::default(),
                quality,
                residual: 0.0,
            },
        }
    }

    #[test]
    fn classes_may_have_other_names_but_not_merge() {
        let t = truth("aab/bca");
        let v = judge(Some(&t), &[finding("220/012", 0.9)]);
        assert!(v.right && v.accepted && !v.wrong, "{v:?}");
        assert!(v.corner.is_some_and(|c| (c - 3.0).abs() < 1e-9));
        let merged = judge(Some(&t), &[finding("220/002", 0.9)]);
        assert!(!merged.right && merged.wrong, "{merged:?}");
        assert_eq!(merged.cells, (6, 5));
    }

    #[test]
    fn doubt_is_not_wrong_but_not_right_either() {
        let v = judge(Some(&truth("aab/bca")), &[finding("22?/012", 0.9)]);
        assert!(!v.right && !v.wrong && v.unknown == 1, "{v:?}");
    }

    #[test]
    fn another_size_is_wrong_only_above_the_threshold() {
        let t = truth("aab/bca");
        assert!(judge(Some(&t), &[finding("22/01", 0.9)]).wrong);
        let refused = judge(Some(&t), &[finding("22/01", 0.2)]);
        assert!(!refused.wrong && !refused.accepted);
        assert_eq!(refused.cells, (6, 0));
    }

    #[test]
    fn something_is_any_class_but_the_first() {
        let t = truth("..#/##.");
        let right = judge(Some(&t), &[finding("002/310", 0.9)]);
        assert!(right.right && !right.wrong, "{right:?}");
        let wrong = judge(Some(&t), &[finding("002/010", 0.9)]);
        assert!(wrong.wrong && wrong.cells == (6, 5), "{wrong:?}");
    }

    #[test]
    fn of_several_boards_any_may_be_the_one_that_is_found() {
        let boards = [truth("ab/ba"), truth("aab/bca")];
        let v = judge_any(boards.iter(), &[finding("220/012", 0.9)]);
        assert!(v.right && !v.wrong, "{v:?}");
        assert!(judge_any([].iter(), &[finding("220/012", 0.9)]).wrong);
    }

    #[test]
    fn a_find_where_nothing_is_is_false() {
        let mut tally = Tally::default();
        tally.add(&judge(None, &[finding("22/01", 0.9)]), 1.0);
        tally.add(&judge(None, &[finding("22/01", 0.3)]), 2.0);
        tally.add(&judge(None, &[]), 3.0);
        assert_eq!((tally.false_finds, tally.wrong, tally.cases), (1, 1, 3));
        assert_eq!(tally.find_millis(), Some((2.0, 3.0)));
    }
}
