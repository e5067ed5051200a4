//! What can be chosen: profiles and policies.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;

use super::Failure;
use super::sessions::blocking;
use crate::assemble::{self, PolicyEntry};
use crate::config::profile::{self, NotRemoved};
use crate::web::routes::App;

/// A profile that can be named.
#[derive(Debug, Serialize)]
pub struct ProfileEntry {
    name: String,
    /// The game; empty where the profile is wrong.
    game: String,
    /// What is wrong with it.
    error: Option<String>,
    /// Whether it was saved here and can be deleted.
    own: bool,
}

/// `GET /api/profiles`
///
/// # Errors
/// Never but for a fault in the program.
pub async fn profiles(State(app): State<App>) -> Result<Json<Vec<ProfileEntry>>, Failure> {
    let folders = app.daemon.settings().folders.clone();
    let list = blocking(move || {
        let load = |known: profile::Known| {
            let own = profile::is_own(&known, &folders);
            match profile::load(&known.name, &folders) {
                Ok(profile) => ProfileEntry {
                    name: known.name,
                    game: profile.game,
                    error: None,
                    own,
                },
                Err(error) => ProfileEntry {
                    name: known.name,
                    game: String::new(),
                    error: Some(error.to_string()),
                    own,
                },
            }
        };
        profile::known(&folders).into_iter().map(load).collect()
    });
    Ok(Json(list.await?))
}

/// `DELETE /api/profiles/{name}`
///
/// # Errors
/// When there is none, it is not the user's own, or a session plays by it.
pub async fn forget(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<StatusCode, Failure> {
    blocking(move || {
        if let Some(session) = app.daemon.session_of(&name) {
            let id = session.id();
            let text = format!("session {id} plays by profile \"{name}\": remove it first");
            return Err(Failure(StatusCode::CONFLICT, text));
        }
        profile::remove(&name, &app.daemon.settings().folders).map_err(|error| {
            let status = match error {
                NotRemoved::None(_) => StatusCode::NOT_FOUND,
                NotRemoved::Shipped(_) | NotRemoved::Elsewhere(_) => StatusCode::FORBIDDEN,
                NotRemoved::File(..) => StatusCode::INTERNAL_SERVER_ERROR,
            };
            Failure(status, error.to_string())
        })?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await?
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
