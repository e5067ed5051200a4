//! What following up proves: bounds of a score without search.
//!
//! A player who always plays on top of the other's disc gets, in every column with an even number
//! of empty cells, all even cells (counting rows from 1 on boards of an even number of rows). The
//! second player can do so whenever the first is to move: the columns with an odd number of empty
//! cells are then even in number, and their lowest cells (`loose`, on even rows) can be exchanged
//! in pairs: one takes one, the other another. Whoever follows never has to move first, so what
//! the other cannot reach by then he never reaches. Nothing here is a guess.

use crate::games::connect4::rules::bits::{Shape, Word};

#[inline(always)]
fn low<W: Word>(bits: W) -> W {
    bits & (!bits + W::ONE)
}

/// These cells and all above them in their columns.
#[inline(always)]
fn upwards<S: Shape>(shape: S, from: S::Word) -> S::Word {
    let mut all = from;
    for _ in 1..shape.rows() {
        all = all | all << 1 & shape.cells();
    }
    all
}

/// An upper bound of the score of the player to move, if following up proves one. `completing` are
/// the empty cells with which the opponent makes a row. Only for boards of an even number of rows.
#[inline(always)]
pub fn upper<S: Shape>(
    shape: S,
    first_to_move: bool,
    own: S::Word,
    mask: S::Word,
    completing: S::Word,
) -> Option<i32> {
    if first_to_move {
        of_first(shape, own, mask, completing)
    } else {
        of_second(shape, own, mask, completing)
    }
}

/// The second player follows up. If the first cannot make a row with all odd cells and with what
/// he gets of the loose ones, he does not win. If besides the second has a row waiting on an even
/// cell, the first must in the end play below it, with all cells filled but those from there up.
#[inline(always)]
fn of_first<S: Shape>(shape: S, own: S::Word, mask: S::Word, completing: S::Word) -> Option<i32> {
    let zero = S::Word::ZERO;
    let empty = shape.cells() & !mask;
    let playable = (mask + shape.bottom()) & shape.cells();
    let odd = shape.odd_rows();
    let even = shape.cells() & !odd;
    let threats = completing & even & !playable;
    let (mut open, mut unfilled) = (empty, 0);
    if threats != zero {
        let out = upwards(shape, threats);
        open = open & !out;
        unfilled = (out | threats >> 1).count() as i32;
    }
    let loose = playable & even;
    let reach = own | open & odd | loose;
    if shape.has_row(reach) && !pairs_hold(shape, reach, loose) {
        return None;
    }
    if threats != zero {
        // The winner's last disc is then the last but `unfilled - 2` of all.
        return Some(-(unfilled / 2));
    }
    let sure = (own ^ mask) | empty & even & !playable;
    Some(-i32::from(shape.has_row(sure)))
}

/// Whether the follower has an exchange of two or four loose cells that leaves no row.
#[inline(always)]
fn pairs_hold<S: Shape>(shape: S, reach: S::Word, loose: S::Word) -> bool {
    let zero = S::Word::ZERO;
    if loose == zero {
        return false;
    }
    let holds = |without: S::Word| !shape.has_row(reach & !without);
    let a = low(loose);
    let b = low(loose ^ a);
    let rest = loose ^ a ^ b;
    if rest == zero {
        return holds(a) && holds(b);
    }
    let c = low(rest);
    let d = rest ^ c;
    if d & (d - S::Word::ONE) != zero {
        return false;
    }
    let exchange = |a, b, c, d| holds(a | c) && holds(a | d) && holds(b | c) && holds(b | d);
    exchange(a, b, c, d) || exchange(a, c, b, d) || exchange(a, d, b, c)
}

/// The first player follows up and has a row waiting on an odd cell of a column with an odd number
/// of empty cells: there he gets the odd cells, elsewhere the even ones, and the second must in
/// the end play below it, unless he makes a row before.
#[inline(always)]
fn of_second<S: Shape>(shape: S, own: S::Word, mask: S::Word, completing: S::Word) -> Option<i32> {
    let zero = S::Word::ZERO;
    let odd = shape.odd_rows();
    let playable = (mask + shape.bottom()) & shape.cells();
    let mut threats = completing & odd & !playable;
    if threats == zero {
        return None;
    }
    let empty = shape.cells() & !mask;
    let even = shape.cells() & !odd;
    let even_threats = completing & even & !playable;
    let mut best: Option<i32> = None;
    while threats != zero {
        let threat = low(threats);
        threats = threats ^ threat;
        let column = shape.column(threat.lowest() / shape.stride());
        if playable & column & odd != zero {
            continue;
        }
        let below = threat - S::Word::ONE;
        let elsewhere = even_threats & !column;
        let mut open = empty & !column;
        let mut unfilled = (column & !below | threat >> 1).count() as i32;
        if elsewhere != zero {
            let out = upwards(shape, elsewhere);
            open = open & !out;
            unfilled += (out | elsewhere >> 1).count() as i32;
        }
        let loose = playable & even & !column;
        let reach = own | open & odd | loose | empty & even & column & below;
        if !shape.has_row(reach) {
            let bound = -(unfilled / 2);
            best = Some(best.map_or(bound, |b| b.min(bound)));
        }
    }
    best
}
