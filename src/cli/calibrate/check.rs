//! `kibitzer calibrate PROFILE --check`: reads the board again and tells what is uncertain.

use std::process::ExitCode;

use serde_json::json;

use crate::cli::out::say;
use crate::games::flood;
use crate::types::{Calibration, Label, Reading};

/// Cells that are less certain than this are told.
const CERTAIN: f32 = 0.5;

/// One doubtful cell.
struct Doubt {
    col: u16,
    row: u16,
    /// The letter that it is read as; `?` for none.
    letter: char,
    confidence: f32,
}

/// Prints what was read, and the cells that are uncertain; success if none is.
pub fn report(calibration: &Calibration, reading: &Reading, as_json: bool) -> ExitCode {
    let board = flood::vision::text(calibration, reading);
    let letter = |label: Label| match label {
        Label::Class(k) => {
            let class = calibration.classes.get(usize::from(k));
            class.map_or('?', |c| c.letter)
        }
        Label::Unknown => '?',
    };
    let mut doubts: Vec<Doubt> = { calibration.size.cells().zip(&reading.cells) }
        .filter(|(_, seen)| seen.label == Label::Unknown || seen.confidence < CERTAIN)
        .map(|(cell, seen)| Doubt {
            col: cell.col,
            row: cell.row,
            letter: letter(seen.label),
            confidence: seen.confidence,
        })
        .collect();
    doubts.sort_by(|a, b| a.confidence.total_cmp(&b.confidence));
    if as_json {
        let uncertain: Vec<_> = { doubts.iter() }
            .map(|d| {
                json!({
                    "col": d.col, "row": d.row, "letter": d.letter.to_string(),
                    "confidence": d.confidence,
                })
            })
            .collect();
        say(&format!(
            "{}",
            json!({
                "cols": calibration.size.cols, "rows": calibration.size.rows,
                "quality": calibration.quality, "confidence": reading.confidence(),
                "board": board.rows().collect::<Vec<_>>(), "uncertain": uncertain,
            })
        ));
    } else {
        say(&format!("{board}"));
        say(&format!(
            "{} cells, fit {:.2}, least confidence {:.2}",
            calibration.size,
            calibration.quality,
            reading.confidence()
        ));
        for d in &doubts {
            let what = match d.letter {
                '?' => "cannot be told".to_owned(),
                letter => format!("perhaps {letter}"),
            };
            say(&format!(
                "uncertain: column {}, row {}: {what}, confidence {:.2}",
                d.col, d.row, d.confidence
            ));
        }
        if doubts.is_empty() {
            say("nothing is uncertain");
        }
    }
    if doubts.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
