//! Serial lines: what devices answer, and what simulated ones understand.

use kibitzer::act::serial::{ch9329, understood};
use kibitzer::act::simulated::commands::Commands;
use kibitzer::types::Board;

const BOARDS: [Board; 5] = [
    Board::Adr2200,
    Board::Lcus,
    Board::Numato,
    Board::Denkovi,
    Board::Arduino,
];

/// Bytes that a device of each kind may send.
pub fn answers(data: &[u8]) {
    for board in BOARDS {
        for &size in board.kind().sizes {
            let _ = understood(board, size, data);
        }
    }
    let _ = ch9329::outcomes(data);
}

/// Bytes that a host may send to a board of each kind.
pub fn commands(data: &[u8]) {
    for board in BOARDS {
        for &size in board.kind().sizes {
            let mut commands = Commands::new(board, size);
            for &byte in data {
                if let Some(command) = commands.take(byte) {
                    let _ = commands.answer(command, 0);
                }
            }
        }
    }
}
