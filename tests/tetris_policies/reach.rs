//! Which placements can be reached near the top, by hand and by walking through the rules.

use std::collections::BTreeSet;

use kibitzer::games::tetris::policies::features::Ground;
use kibitzer::games::tetris::policies::pile::Pile;
use kibitzer::games::tetris::policies::{MoveModel, Placement, reach, shape};
use kibitzer::games::tetris::rules::{Board, JUNK, Kind, Pose, System};
use proptest::prelude::*;

use super::board;

fn reached(board: &Board, kind: Kind, model: MoveModel) -> BTreeSet<Placement> {
    let ground = Ground::new(&Pile::<u32, 20>::of(board));
    let mut found = BTreeSet::new();
    let shapes = &shape::standard()[kind.index()];
    reach::for_each(&ground, shapes, model, |turn, _, left| {
        found.insert(Placement {
            kind,
            turn: turn as u8,
            left: left as u16 - 1,
        });
    });
    found
}

/// The same by the rules' own board: poses, one key after the other.
fn walked(board: &Board, kind: Kind, model: MoveModel) -> BTreeSet<Placement> {
    let system = System::standard();
    if model == MoveModel::Ideal {
        return Placement::all(kind, board.cols()).collect();
    }
    let spawn = system.spawn(kind, board.cols(), board.rows());
    let free = |pose: Pose| board.is_free(&system, pose);
    let mut out = BTreeSet::new();
    if !free(spawn) {
        return out;
    }
    let slide = |from: Pose| {
        let mut row = vec![from];
        for dx in [-1, 1] {
            let mut pose = from.moved(dx, 0);
            while free(pose) {
                row.push(pose);
                pose = pose.moved(dx, 0);
            }
        }
        row
    };
    // Dropped from here it must land where a drop from above the board lands.
    let mut land = |pose: Pose| {
        let mut low = pose;
        while free(low.moved(0, -1)) {
            low = low.moved(0, -1);
        }
        let placement = Placement::of(pose).expect("between the walls");
        if placement.landing(board) == Some(low) {
            out.insert(placement);
        }
    };
    let tops = if model == MoveModel::AfterOneStep {
        vec![spawn]
    } else {
        slide(spawn)
    };
    let mut below = Vec::new();
    for top in tops {
        let falls = free(top.moved(0, -1));
        if !falls || model != MoveModel::AfterOneStep {
            land(top);
        }
        if falls && (top == spawn || model == MoveModel::AnyOrder) {
            below.push(top.moved(0, -1));
        }
    }
    if model == MoveModel::AnyOrder {
        let mut seen: BTreeSet<Pose> = below.iter().copied().collect();
        while let Some(pose) = below.pop() {
            for next in [system.turned(pose), pose.moved(-1, 0), pose.moved(1, 0)] {
                if free(next) && seen.insert(next) {
                    below.push(next);
                }
            }
        }
        seen.into_iter().for_each(land);
    } else if let Some(&start) = below.first() {
        let mut pose = start;
        for _ in 0..system.turns_of(kind) {
            slide(pose).into_iter().for_each(&mut land);
            pose = system.turned(pose);
            if !free(pose) {
                break;
            }
        }
    }
    out
}

#[test]
fn a_tower_right_of_the_middle_by_hand() {
    // Column 8 is five high: in the second row from the top nothing passes it.
    let tower = board("........../.......#../.......#../.......#../.......#../.......#..");
    let lefts = |model, turn| -> Vec<u16> {
        let placements = reached(&tower, Kind::T, model);
        placements
            .iter()
            .filter(|p| p.turn == turn)
            .map(|p| p.left)
            .collect()
    };
    assert_eq!(lefts(MoveModel::AfterOneStep, 0), [0, 1, 2, 3, 4]);
    // In the top row the arms pass above the tower, the stem does not.
    assert_eq!(lefts(MoveModel::AlsoAtSpawn, 0), [0, 1, 2, 3, 4, 5]);
    assert_eq!(lefts(MoveModel::AfterOneStep, 1), [0, 1, 2, 3, 4, 5]);
    assert_eq!(lefts(MoveModel::Ideal, 1).len(), 9);
}

#[test]
fn a_piece_that_cannot_fall_stays() {
    let full = board("........../#####.####/#####.####/#####.####/#####.####/#####.####");
    let only = Placement {
        kind: Kind::I,
        turn: 0,
        left: 3,
    };
    let found = reached(&full, Kind::I, MoveModel::AfterOneStep);
    assert_eq!(found, BTreeSet::from([only]));
    assert_eq!(reached(&full, Kind::I, MoveModel::AlsoAtSpawn).len(), 7);
    // The S would overlap where it appears.
    assert!(reached(&full, Kind::S, MoveModel::AnyOrder).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reach_is_what_the_keys_do(
        (cols, rows) in (4_u16..=14, 4_u16..=12),
        heights in proptest::collection::vec(0_u16..=12, 14),
        gaps in any::<u64>(),
    ) {
        let mut made = Board::empty(cols, rows);
        for (x, height) in heights.iter().enumerate().take(usize::from(cols)) {
            for y in 0..*height.min(&rows) {
                // Overhangs too.
                if gaps >> ((x as u16 * 5 + y * 11) % 64) & 3 != 0 {
                    made.set(x as i16, y as i16, JUNK);
                }
            }
        }
        made.clear_full();
        for kind in Kind::ALL {
            for model in MoveModel::ALL {
                prop_assert_eq!(
                    reached(&made, kind, model),
                    walked(&made, kind, model),
                    "{} {:?} on {}", kind, model, made.text()
                );
            }
        }
    }
}
