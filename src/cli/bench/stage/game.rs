//! How sgt-flood (Simon Tatham's Puzzles) is told what to show.

use crate::types::GridSize;

/// A Flood-It position as that program takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloodSpec {
    /// Columns and rows.
    pub size: GridSize,
    /// Colours, 3 to 10.
    pub colours: u8,
    /// Moves allowed.
    pub limit: u32,
    /// Colour numbers, row-major.
    pub board: Vec<u8>,
}

impl FloodSpec {
    /// `WxH:digits,limit`; only boards of six colours can be given in this form.
    #[must_use]
    pub fn game_id(&self) -> Option<String> {
        self.board
            .iter()
            .all(|&c| c < 6)
            .then(|| format!("{}:{}", self.size, self.description()))
    }

    fn description(&self) -> String {
        let digits = self.board.iter().map(|&c| char::from(b'0' + c.min(9)));
        format!("{},{}", digits.collect::<String>(), self.limit)
    }
}

/// The position as a saved game, in which any number of colours can be given.
#[must_use]
pub fn save_file(spec: &FloodSpec) -> String {
    let line = |key: &str, value: &str| format!("{key:<8}:{}:{value}\n", value.len());
    let parameters = format!("{}c{}m5", spec.size, spec.colours);
    [
        line("SAVEFILE", "Simon Tatham's Portable Puzzle Collection"),
        line("VERSION", "1"),
        line("GAME", "Flood"),
        line("PARAMS", &parameters),
        line("CPARAMS", &parameters),
        line("DESC", &spec.description()),
        line("NSTATES", "1"),
        line("STATEPOS", "1"),
    ]
    .concat()
}
