//! What the title, the status line and the message at the end say.

use std::fmt::Write as _;

use super::contest::Contest;
use super::manner::Manner;
use super::session::{Finish, Seat, Session};
use crate::games::duel::Side;

/// Everything that the words depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    turn: Option<Side>,
    finish: Option<Finish>,
    thinking: bool,
    starts: Seat,
    level: u8,
    hint: bool,
}

impl Situation {
    /// That of a session.
    pub fn of<B: Contest>(session: &Session<B>, hint: bool) -> Self {
        Self {
            turn: session.turn(),
            finish: session.finish(),
            thinking: session.is_thinking(),
            starts: session.seat(Side::First),
            level: session.level().number(),
            hint,
        }
    }
}

/// The words, kept until the situation is another one.
#[derive(Clone, Debug, Default)]
pub struct Words {
    of: Option<Situation>,
    /// What the window is called.
    pub title: String,
    /// The line below the board.
    pub status: String,
    /// How the game ended; empty while it goes on.
    pub message: String,
}

impl Words {
    /// Brings them up to date.
    pub fn update<B: Contest>(
        &mut self,
        game: &str,
        session: &Session<B>,
        manner: &Manner,
        hint: bool,
    ) {
        let now = Situation::of(session, hint);
        if self.of == Some(now) {
            return;
        }
        self.of = Some(now);
        let colour = |side: Side| manner.name(session, side);
        let alone = session.policy().is_none();
        let winner = |side: Side| match session.seat(side) {
            _ if alone => format!("{} wins", colour(side)),
            Seat::You => "you win".to_owned(),
            Seat::Opponent => "you lose".to_owned(),
        };
        self.message.clear();
        let says = match (now.finish, now.turn) {
            (Some(Finish::Row(side)), _) => winner(side),
            (Some(Finish::Resigned(side)), _) => {
                format!("{} gave up: {}", colour(side.other()), winner(side))
            }
            (Some(Finish::Draw), _) => "a draw".to_owned(),
            (None, Some(side)) if alone => format!("{} to move", colour(side)),
            (None, Some(side)) if now.thinking => format!("{} is thinking", colour(side)),
            (None, Some(side)) => format!("your turn, {}", colour(side)),
            (None, None) => String::new(),
        };
        if now.finish.is_some() {
            self.message = says.to_uppercase();
            self.message.push('!');
        }
        self.title.clear();
        self.status.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.title, "Kibitzer {game}: {says}");
        let mut chars = says.chars();
        self.status
            .extend(chars.next().map(|c| c.to_ascii_uppercase()));
        self.status.push_str(chars.as_str());
        if !alone {
            let _ = write!(self.status, "   level {}", now.level);
        }
        if now.hint {
            self.status.push_str("   hints");
        }
    }
}
