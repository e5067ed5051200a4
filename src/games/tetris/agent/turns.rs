//! Orientations of a program's pieces told by those of the standard, which policies speak.
//!
//! Takes poses of any system, gives placements. Two orientations that fill the same cells are one.

use super::super::policies::Placement;
use super::super::rules::{Board, Kind, Pose, System};

/// For each kind and orientation of a system, the same orientation of the standard.
#[derive(Clone, Debug)]
pub struct Turns {
    standard: [Vec<Option<u8>>; 7],
}

/// The cells in the order of the board, from the first.
fn shape(system: &System, kind: Kind, turn: u8) -> [(i16, i16); 4] {
    let origin = Pose {
        kind,
        turn,
        x: 0,
        y: 0,
    };
    let mut cells = system.cells(origin);
    cells.sort_unstable_by_key(|&(x, y)| (y, x));
    let (x0, y0) = cells[0];
    cells.map(|(x, y)| (x - x0, y - y0))
}

impl Turns {
    /// The table of a system.
    #[must_use]
    pub fn new(system: &System) -> Self {
        let standard = System::standard();
        let table = Kind::ALL.map(|kind| {
            (0..system.turns_of(kind))
                .map(|turn| {
                    let wanted = shape(system, kind, turn);
                    (0..standard.turns_of(kind)).find(|&t| shape(&standard, kind, t) == wanted)
                })
                .collect()
        });
        Self { standard: table }
    }

    /// The placement of a piece that lands like this when it is dropped from above; `None` when
    /// it does not (it was moved below something), or the standard has no such orientation.
    #[must_use]
    pub fn placement(&self, system: &System, landing: Pose, pile: &Board) -> Option<Placement> {
        let turn = (*self.standard[landing.kind.index()].get(usize::from(landing.turn))?)?;
        let cells = system.cells(landing);
        let left = cells.iter().map(|&(x, _)| x).min()?;
        let placement = Placement {
            kind: landing.kind,
            turn,
            left: u16::try_from(left).ok()?,
        };
        let above = placement.cells(pile)?;
        let lowest = |cells: &[(i16, i16); 4]| cells.iter().map(|&(_, y)| y).min();
        (lowest(&above) == lowest(&cells)).then_some(placement)
    }
}
