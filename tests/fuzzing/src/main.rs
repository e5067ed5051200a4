//! Every parser of the project under libFuzzer: whatever comes in is a value or an error that says
//! something, in reasonable time, and never a panic.
//!
//! One program for all, so that one is built: the environment's `KIBITZER_FUZZ` names the target,
//! `--targets` lists them, `--seeds CORPUS` writes beginnings that only the program can make. See
//! run.sh.

#![no_main]

mod files;
mod lines;
mod serial;
mod texts;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

/// Looks at one input.
pub type Look = fn(&[u8]);

/// All parsers by name.
const TARGETS: &[(&str, Look)] = &[
    ("config", texts::config),
    ("profile", texts::profile),
    ("position", texts::position),
    ("name", texts::name),
    ("piskvork", lines::piskvork),
    ("tbp", lines::tbp),
    ("jsonl", lines::jsonl),
    ("connect4-line", lines::connect4),
    ("serial", serial::answers),
    ("board", serial::commands),
    ("saved-game", files::saved),
    ("levels", files::levels),
    ("model", files::model),
    ("book", files::book),
    ("recording", files::recording),
    ("picture", files::picture),
    ("camera", files::camera),
];

/// An error that helps nobody is a fault too.
pub fn says(error: &impl ToString) {
    let text = error.to_string();
    assert!(text.len() > 5, "\"{text}\" helps nobody");
}

fn chosen() -> Look {
    static CHOSEN: OnceLock<Look> = OnceLock::new();
    *CHOSEN.get_or_init(|| {
        let name = std::env::var("KIBITZER_FUZZ").unwrap_or_default();
        match TARGETS.iter().find(|t| t.0 == name) {
            Some(&(_, look)) => look,
            None => {
                let names: Vec<&str> = TARGETS.iter().map(|t| t.0).collect();
                eprintln!("KIBITZER_FUZZ=TARGET names one of: {}", names.join(" "));
                std::process::exit(2);
            }
        }
    })
}

fuzz_target!(
    init: {
        if std::env::args().any(|a| a == "--targets") {
            for (name, _) in TARGETS {
                println!("{name}");
            }
            std::process::exit(0);
        }
        if let Some(folder) = std::env::args().skip_while(|a| a != "--seeds").nth(1) {
            for (target, bytes) in files::seeds() {
                let path = std::path::Path::new(&folder).join(target).join("seed");
                std::fs::write(path, bytes).expect("a folder of targets");
            }
            std::process::exit(0);
        }
    },
    |data: &[u8]| {
        chosen()(data);
    }
);
