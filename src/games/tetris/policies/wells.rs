//! Wells: empty cells between two filled ones, each counted with what is empty below it.
//!
//! Takes columns as integers, gives sums. The cells above the top of a column and those buried
//! under it are counted in different ways.

use super::bits::Bits;

/// Wells of a column of this height between two others; those under its top are known to be
/// worth `known.1` where they are the cells `known.0`.
#[inline(always)]
pub(super) fn wells<C: Bits>(left: C, column: C, right: C, height: u32, known: (C, u16)) -> u32 {
    let cells = left & right & !column;
    let open = open_wells(cells.down(height));
    let buried = cells & C::low(height);
    if buried == known.0 {
        open.wrapping_add(u32::from(known.1))
    } else {
        open.wrapping_add(buried_wells(buried, column))
    }
}

/// The wells among the cells of a column above its height, counted from there.
#[inline(always)]
fn open_wells<C: Bits>(cells: C) -> u32 {
    let low = cells.word() & 255;
    if C::of_word(low) == cells {
        u32::from(RANKS[low as usize])
    } else {
        cells.ranks()
    }
}

/// [`Bits::ranks`] of the wells that are not deeper than eight.
static RANKS: [u8; 256] = {
    let mut ranks = [0; 256];
    let mut cells = 0;
    while cells < 256 {
        let mut row = 0;
        while row < 8 {
            if cells >> row & 1 == 1 {
                ranks[cells] += row as u8 + 1;
            }
            row += 1;
        }
        cells += 1;
    }
    ranks
};

/// The wells among these cells, which have filled ones above them.
#[inline(always)]
pub(super) fn buried_wells<C: Bits>(mut cells: C, column: C) -> u32 {
    let mut sum = 0_u32;
    while !cells.is_empty() {
        let row = cells.bottom();
        let floor = (column & C::low(row)).top();
        sum = sum.wrapping_add(row.wrapping_add(1).wrapping_sub(floor));
        cells = cells & !C::low(row.wrapping_add(1));
    }
    sum
}
