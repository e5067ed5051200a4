//! The registry of policies: who plays each game, with options.

use serde::Serialize;

use crate::brains::external::{self, Form};
use crate::games::spec::{Listed, Setting};
use crate::games::{connect4, flood, gomoku, tetris, triplex};

/// A policy as its JSON object.
#[derive(Debug, Serialize)]
pub struct PolicyEntry {
    /// Its name, or the form of names that start another program.
    pub name: String,
    /// What it does.
    pub about: &'static str,
    /// What can be set.
    pub options: &'static [Setting],
    /// Whether it is another program.
    pub external: bool,
}

fn ours(game: &str) -> &'static [Listed] {
    match game {
        "flood" => flood::policies::LIST,
        "tetris" => tetris::policies::LIST,
        "connect4" => connect4::policies::LIST,
        "gomoku" => gomoku::policies::LIST,
        "triplex" => triplex::policies::LIST,
        _ => &[],
    }
}

/// Whether a text names a policy that is another program, or has it read a file: whoever may only
/// choose among what is installed may not ask for it.
#[must_use]
pub fn reaches_out(text: &str) -> bool {
    external::is_external(text) || text.contains(['/', '\\'])
}

/// All policies of a game, ours first; none for a game that does not exist.
pub fn policies(game: &str) -> impl Iterator<Item = PolicyEntry> + use<> {
    let ours = ours(game).iter().map(|l| PolicyEntry {
        name: l.name.to_owned(),
        about: l.about,
        options: l.options,
        external: false,
    });
    let others: Vec<PolicyEntry> = external::forms(game)
        .map(|form: &Form| PolicyEntry {
            name: format!("{}:COMMAND", form.name),
            about: form.about,
            options: &[],
            external: true,
        })
        .collect();
    ours.chain(others)
}
