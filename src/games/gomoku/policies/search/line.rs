//! What a stone on an empty cell would make of one line through it, from the cells around it.
//!
//! A line is the `reach` cells to either side of the cell, two bits each; tables over all lines
//! are made once per rule. Everything follows from what is five: a four is what can become five,
//! an open three what can become an open four, and so on down to what can never become anything.

use std::sync::LazyLock;

use crate::games::gomoku::rules::Rule;

/// Patterns in the order of their strength; they fit in four bits.
pub(super) const DEAD: u8 = 0;
/// Can become `BLOCKED_TWO`.
pub(super) const BLOCKED_ONE: u8 = 3;
/// Can become an open two, in few ways and in many.
pub(super) const ONE: [u8; 2] = [4, 5];
/// Can become a blocked three.
pub(super) const BLOCKED_TWO: u8 = 6;
/// Can become an open three, in one, two and more ways.
pub(super) const TWO: [u8; 3] = [7, 8, 9];
/// Can become a four.
pub(super) const BLOCKED_THREE: u8 = 10;
/// Can become an open four, in one way and in several.
pub(super) const THREE: [u8; 2] = [11, 12];
/// Can become five on one cell.
pub(super) const FOUR: u8 = 13;
/// Can become five on two cells or more.
pub(super) const OPEN_FOUR: u8 = 14;
/// Wins.
pub(super) const FIVE: u8 = 15;

/// The two bits of a cell: empty, X, O, or neither's (border, blocked).
pub(super) const EMPTY: u8 = 0;
/// See [`EMPTY`].
pub(super) const WALL: u8 = 3;

/// Patterns of all lines under one rule.
#[derive(Debug)]
pub(super) struct Lines {
    /// Cells to either side that matter: a sixth stone matters only where exactly five win.
    pub(super) reach: usize,
    /// By line: the pattern for X in the low four bits, for O in the high four.
    patterns: Vec<u8>,
}

static FIVE_OR_MORE: LazyLock<Lines> = LazyLock::new(|| Lines::new(Rule::FiveOrMore));
static EXACT: LazyLock<Lines> = LazyLock::new(|| Lines::new(Rule::Exact));

impl Lines {
    /// The tables of a rule.
    pub(super) fn of(rule: Rule) -> &'static Self {
        match rule {
            Rule::FiveOrMore => &FIVE_OR_MORE,
            Rule::Exact => &EXACT,
        }
    }

    /// Both patterns of a line.
    #[inline]
    pub(super) fn get(&self, line: u32) -> u8 {
        self.patterns[line as usize]
    }

    /// Where the two bits of the cell at this offset (never 0) stand in a line.
    #[inline]
    pub(super) const fn shift(reach: usize, offset: isize) -> u32 {
        let place = if offset < 0 {
            offset + reach as isize
        } else {
            offset + reach as isize - 1
        };
        2 * place as u32
    }

    fn new(rule: Rule) -> Self {
        let reach = match rule {
            Rule::FiveOrMore => 4,
            Rule::Exact => 5,
        };
        let one = one_colour(rule, reach);
        // Half lines of `reach` cells, from two bits to three values.
        let half: Vec<[usize; 2]> = (0..1usize << (2 * reach))
            .map(|bits| {
                let cells = (0..reach).map(|i| bits >> (2 * i) & 3);
                let code = |own: usize| {
                    cells.clone().rev().fold(0, |sum, c| {
                        sum * 3
                            + match c {
                                0 => 0,
                                c if c == own => 1,
                                _ => 2,
                            }
                    })
                };
                [code(1), code(2)]
            })
            .collect();
        let high = 3usize.pow(reach as u32);
        let mask = (1 << (2 * reach)) - 1;
        let patterns = (0..1usize << (4 * reach))
            .map(|line| {
                let (low, up) = (half[line & mask], half[line >> (2 * reach)]);
                one[low[0] + high * up[0]] | one[low[1] + high * up[1]] << 4
            })
            .collect();
        Self { reach, patterns }
    }
}

/// Patterns for one colour by lines in base three: empty, own, not to be had.
fn one_colour(rule: Rule, reach: usize) -> Vec<u8> {
    let cells = 2 * reach;
    let count = 3usize.pow(cells as u32);
    let power: Vec<usize> = (0..cells).map(|i| 3usize.pow(i as u32)).collect();
    let digit = |line: usize, i: usize| line / power[i] % 3;
    let mut class = vec![DEAD; count];
    for (line, class) in class.iter_mut().enumerate() {
        if is_five(rule, |k| digit(line, k), reach) {
            *class = FIVE;
        }
    }
    // Adding a stone makes the number larger: going down, all that a line can become is known.
    for line in (0..count).rev() {
        if class[line] == FIVE {
            continue;
        }
        let mut ways = [0u8; 16];
        for i in (0..cells).filter(|&i| digit(line, i) == 0) {
            ways[usize::from(class[line + power[i]])] += 1;
        }
        let of = |list: &[u8]| list.iter().map(|&c| ways[usize::from(c)]).sum::<u8>();
        class[line] = match () {
            () if of(&[FIVE]) > 1 => OPEN_FOUR,
            () if of(&[FIVE]) == 1 => FOUR,
            () if of(&[OPEN_FOUR]) > 1 => THREE[1],
            () if of(&[OPEN_FOUR]) == 1 => THREE[0],
            () if of(&[FOUR]) > 0 => BLOCKED_THREE,
            () if of(&THREE) > 2 => TWO[2],
            () if of(&THREE) > 0 => TWO[usize::from(of(&THREE) - 1)],
            () if of(&[BLOCKED_THREE]) > 0 => BLOCKED_TWO,
            () if of(&TWO) > 3 => ONE[1],
            () if of(&TWO) > 0 => ONE[0],
            () if of(&[BLOCKED_TWO]) > 0 => BLOCKED_ONE,
            () => DEAD,
        };
    }
    class
}

/// Whether the stone in the middle and its own neighbours are five.
fn is_five(rule: Rule, at: impl Fn(usize) -> usize, reach: usize) -> bool {
    let left = (0..reach).rev().take_while(|&i| at(i) == 1).count();
    let right = (reach..2 * reach).take_while(|&i| at(i) == 1).count();
    rule.wins((left + right + 1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern for X of a line written around its middle `+`.
    fn pattern(rule: Rule, text: &str) -> u8 {
        let lines = Lines::of(rule);
        let reach = lines.reach as isize;
        let middle = text.find('+').expect("a middle") as isize;
        let line = (-reach..=reach).filter(|&k| k != 0).fold(0, |line, k| {
            let c = usize::try_from(middle + k)
                .ok()
                .and_then(|i| text.chars().nth(i));
            let bits = match c {
                Some('.') => 0,
                Some('X') => 1,
                Some('O') => 2,
                _ => 3,
            };
            line | bits << Lines::shift(lines.reach, k)
        });
        let both = lines.get(line);
        // The other colour sees the same with colours changed.
        let swapped = (0..32).step_by(2).fold(0, |l, i| {
            l | match line >> i & 3 {
                1 => 2 << i,
                2 => 1 << i,
                other => other << i,
            }
        });
        assert_eq!(lines.get(swapped) >> 4, both & 15, "{text}");
        both & 15
    }

    #[test]
    fn lines_that_everybody_knows() {
        for (text, free, exact) in [
            ("XX+XX", FIVE, FIVE),
            ("XXX+XX", FIVE, DEAD),
            (".XXX+.", OPEN_FOUR, OPEN_FOUR),
            ("OXXX+.", FOUR, FOUR),
            ("OXXX+O", DEAD, DEAD),
            ("X.X+X.X", OPEN_FOUR, OPEN_FOUR),
            (".XXX+.X", OPEN_FOUR, FOUR),
            ("..XX+..", THREE[1], THREE[1]),
            ("O.XX+..", THREE[0], THREE[0]),
            ("O.XX+.O", BLOCKED_THREE, BLOCKED_THREE),
            (".X.X+.", THREE[0], THREE[0]),
            ("OXX+..", BLOCKED_THREE, BLOCKED_THREE),
            ("...X+...", TWO[2], TWO[2]),
            ("O..+X..O", TWO[1], TWO[1]),
            ("OX+...", BLOCKED_TWO, BLOCKED_TWO),
            ("....+....", ONE[1], ONE[1]),
            ("O+....", BLOCKED_ONE, BLOCKED_ONE),
            ("O+...O", DEAD, DEAD),
        ] {
            assert_eq!(pattern(Rule::FiveOrMore, text), free, "{text}");
            assert_eq!(pattern(Rule::Exact, text), exact, "{text}, exactly five");
        }
    }
}
