//! What a player reaches by always playing on top of the other's disc.

use crate::games::connect4::rules::bits::{Shape, Word};

/// Cells above these, and these.
#[inline(always)]
pub fn upwards<S: Shape>(shape: S, from: S::Word) -> S::Word {
    let mut all = from;
    for _ in 1..shape.rows() {
        all = all | all << 1 & shape.cells();
    }
    all
}

/// Upper bound for the player to move by follow-up, if there is one.
#[inline(always)]
pub fn upper<S: Shape>(
    shape: S,
    first_to_move: bool,
    own: S::Word,
    mask: S::Word,
    opp_win: S::Word,
) -> Option<i32> {
    if first_to_move {
        upper_first(shape, own, mask, opp_win)
    } else {
        upper_second(shape, own, mask, opp_win)
    }
}

#[inline(always)]
fn upper_first<S: Shape>(shape: S, own: S::Word, mask: S::Word, opp_win: S::Word) -> Option<i32> {
    let zero = S::Word::ZERO;
    let empty = shape.cells() & !mask;
    let playable = mask + shape.bottom() & shape.cells();
    let odd = shape.odd_rows();
    let even = shape.cells() & !odd;
    let threats = opp_win & even & !playable;
    let mut open = empty;
    let mut left = 0;
    if threats != zero {
        let out = upwards(shape, threats);
        open = open & !out;
        left = (out | threats >> 1).count() as i32;
    }
    let loose = playable & even;
    let reach = own | open & odd | loose;
    if shape.has_row(reach) {
        if loose == zero {
            return None;
        }
        let a = loose & (!loose + S::Word::ONE);
        let b = loose ^ a;
        if b & (b - S::Word::ONE) != zero || shape.has_row(reach & !a) || shape.has_row(reach & !b)
        {
            return None;
        }
    }
    if threats != zero {
        return Some(-(left / 2));
    }
    let sure = (own ^ mask) | empty & even & !playable;
    Some(-i32::from(shape.has_row(sure)))
}

#[inline(always)]
fn upper_second<S: Shape>(shape: S, own: S::Word, mask: S::Word, opp_win: S::Word) -> Option<i32> {
    let zero = S::Word::ZERO;
    let odd = shape.odd_rows();
    let playable = mask + shape.bottom() & shape.cells();
    let mut threats = opp_win & odd & !playable;
    if threats == zero {
        return None;
    }
    let empty = shape.cells() & !mask;
    let even = shape.cells() & !odd;
    let even_threats = opp_win & even & !playable;
    let mut best = None;
    while threats != zero {
        let threat = threats & (!threats + S::Word::ONE);
        threats = threats ^ threat;
        let column = shape.column(threat.lowest() / shape.stride());
        if playable & column & odd != zero {
            continue;
        }
        let elsewhere = even_threats & !column;
        let mut open = empty & !column;
        let mut left = (column & !(threat - S::Word::ONE) | threat >> 1).count() as i32;
        if elsewhere != zero {
            let out = upwards(shape, elsewhere);
            open = open & !out;
            left += (out | elsewhere >> 1).count() as i32;
        }
        let reach = own
            | open & odd
            | playable & even & !column
            | empty & even & column & (threat - S::Word::ONE);
        if !shape.has_row(reach) {
            let bound = -(left / 2);
            best = Some(best.map_or(bound, |b: i32| b.min(bound)));
        }
    }
    best
}
