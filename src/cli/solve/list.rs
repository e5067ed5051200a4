//! `kibitzer solve GAME --list`: who can be asked, and what can be set.

use std::process::ExitCode;

use serde::Serialize;

use crate::brains::external::{self, Form};
use crate::cli::out::say;
use crate::games::spec::{Listed, Setting};
use crate::games::{connect4, flood, gomoku, tetris, triplex};

/// A policy as an object.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: String,
    about: &'a str,
    options: &'a [Setting],
    /// Whether it is another program.
    external: bool,
}

fn policies(game: &str) -> &'static [Listed] {
    match game {
        "flood" => flood::policies::LIST,
        "tetris" => tetris::policies::LIST,
        "connect4" => connect4::policies::LIST,
        "gomoku" => gomoku::policies::LIST,
        "triplex" => triplex::policies::LIST,
        _ => &[],
    }
}

/// Lists the policies of a game and the forms of those from outside.
///
/// # Errors
/// Never, but for what cannot be written as JSON.
pub(super) fn run(game: &str, as_json: bool) -> anyhow::Result<ExitCode> {
    let ours = policies(game).iter().map(|l| Entry {
        name: l.name.to_owned(),
        about: l.about,
        options: l.options,
        external: false,
    });
    let others = external::forms(game).map(|form: &Form| Entry {
        name: format!("{}:COMMAND", form.name),
        about: form.about,
        options: &[],
        external: true,
    });
    for entry in ours.chain(others) {
        if as_json {
            say(&serde_json::to_string(&entry)?);
            continue;
        }
        say(&format!("{:<22} {}", entry.name, entry.about));
        for option in entry.options {
            let set = format!("  {}={}", option.key, option.default);
            say(&format!("{set:<22}   {}", option.about));
        }
    }
    if !as_json {
        say("\nOptions are written NAME:key=value,key=value; shown is what holds without them.");
    }
    Ok(ExitCode::SUCCESS)
}
