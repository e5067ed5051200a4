//! What goes wrong in a rig, and what came of it.

/// What goes wrong.
#[derive(Clone, Debug)]
pub struct Faults {
    /// Share of presses that are lost.
    pub lose: f64,
    /// Share that act twice.
    pub double: f64,
    /// Share of frames that are badly spoilt.
    pub spoil: f64,
    /// From one knock of the camera to the next, in ms; 0 is never.
    pub knock_every: u64,
    /// How long the board is not where it is looked for after a knock, in ms.
    pub knock_for: u64,
    /// From a key going down to its reaching the game, at most, in ms.
    pub key_delay: u64,
    /// Display and exposure: what a frame shows is so old, in ms.
    pub lag: u64,
    /// From the top row to the bottom row of a frame, in ms.
    pub rolling: u64,
    /// Until a frame is read and handed over, in ms.
    pub handling: u64,
    /// Colours tell no kinds.
    pub monochrome: bool,
}

impl Default for Faults {
    fn default() -> Self {
        Self {
            lose: 0.0,
            double: 0.0,
            spoil: 0.0,
            knock_every: 0,
            knock_for: 400,
            key_delay: 8,
            lag: 12,
            rolling: 20,
            handling: 15,
            monochrome: false,
        }
    }
}

impl Faults {
    /// The hard conditions: 2 % lost, 1 % doubled, 3 % of the frames spoilt, a knock in 5 minutes.
    pub fn hard() -> Self {
        Self {
            lose: 0.02,
            double: 0.01,
            spoil: 0.03,
            knock_every: 300_000,
            ..Self::default()
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pieces that landed.
    pub pieces: u64,
    pub lines: u64,
    pub ms: u64,
    pub over: bool,
    /// Longest time in which the believed pile (or board, piece included) was wrong or none, ms.
    pub worst_pile: u64,
    pub worst_board: u64,
    /// The longest in which a wrong pile was believed.
    pub worst_wrong: u64,
    /// Pieces that landed elsewhere than decided, and those of them that were dropped there.
    pub astray: u64,
    pub dropped_astray: u64,
    pub frames: u64,
    pub wrong_frames: u64,
    pub keys: u64,
    /// Keys but drops that were lost, and doubled.
    pub lost: u64,
    pub doubled: u64,
    pub highest: u16,
}
