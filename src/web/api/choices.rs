//! What can be chosen: profiles and policies.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;

use super::Failure;
use super::sessions::blocking;
use crate::assemble::{self, PolicyEntry};
use crate::config::profile;
use crate::web::routes::App;

/// A profile that can be named.
#[derive(Debug, Serialize)]
pub struct ProfileEntry {
    name: String,
    /// The game; empty where the profile is wrong.
    game: String,
    /// What is wrong with it.
    error: Option<String>,
}

/// `GET /api/profiles`
///
/// # Errors
/// Never but for a fault in the program.
pub async fn profiles(State(app): State<App>) -> Result<Json<Vec<ProfileEntry>>, Failure> {
    let folders = app.daemon.settings().folders.clone();
    let list = blocking(move || {
        let load = |known: profile::Known| match profile::load(&known.name, &folders) {
            Ok(profile) => ProfileEntry {
                name: known.name,
                game: profile.game,
                error: None,
            },
            Err(error) => ProfileEntry {
                name: known.name,
                game: String::new(),
                error: Some(error.to_string()),
            },
        };
        profile::known(&folders).into_iter().map(load).collect()
    });
    Ok(Json(list.await?))
}

/// `GET /api/policies/{game}`
///
/// # Errors
/// For a game that does not exist.
pub async fn policies(Path(game): Path<String>) -> Result<Json<Vec<PolicyEntry>>, Failure> {
    let list: Vec<PolicyEntry> = assemble::policies(&game).collect();
    match list.is_empty() {
        true => {
            let text = format!(
                "there is no game \"{game}\"; there are: {}",
                assemble::GAMES.join(", ")
            );
            Err(Failure(StatusCode::NOT_FOUND, text))
        }
        false => Ok(Json(list)),
    }
}
