//! Sessions: begun, shown, armed, removed.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::{Body, Failure};
use crate::assemble;
use crate::web::daemon::Asked;
use crate::web::routes::App;
use crate::web::session::{SessionId, State as Shown};

/// `GET /api/sessions`
pub async fn list(State(app): State<App>) -> Json<Vec<Shown>> {
    Json(app.daemon.states())
}

/// `POST /api/sessions`
///
/// # Errors
/// See [`Daemon::add`](crate::web::daemon::Daemon::add).
pub async fn add(
    State(app): State<App>,
    Body(asked): Body<Asked>,
) -> Result<(StatusCode, Json<Shown>), Failure> {
    refuse_far_reaching(&asked)?;
    let session = blocking(move || app.daemon.add(&asked)).await??;
    Ok((StatusCode::CREATED, Json(session.state(0))))
}

/// A request may name what is installed; it may read no other file and start no program of its own.
fn refuse_far_reaching(asked: &Asked) -> Result<(), Failure> {
    let text = if asked.profile.contains(['/', '\\']) || asked.profile.ends_with(".toml") {
        "name a profile, not a file: GET /api/profiles lists them"
    } else if asked
        .policy
        .as_ref()
        .is_some_and(|p| assemble::reaches_out(p))
    {
        "a policy that is another program must be named in the configuration, not in a request"
    } else if asked.games == Some(0) {
        "games: at least 1"
    } else {
        return Ok(());
    };
    Err(Failure(StatusCode::UNPROCESSABLE_ENTITY, text.to_owned()))
}

/// `GET /api/sessions/{id}`
///
/// # Errors
/// When there is none.
pub async fn show(
    State(app): State<App>,
    Path(id): Path<SessionId>,
) -> Result<Json<Shown>, Failure> {
    Ok(Json(app.daemon.session(id)?.state(0)))
}

/// `DELETE /api/sessions/{id}`
///
/// # Errors
/// When there is none.
pub async fn remove(
    State(app): State<App>,
    Path(id): Path<SessionId>,
) -> Result<StatusCode, Failure> {
    blocking(move || app.daemon.remove(id)).await??;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/sessions/{id}/arm`
///
/// # Errors
/// When there is none, or another armed session has the same hands.
pub async fn arm(State(app): State<App>, Path(id): Path<SessionId>) -> Result<StatusCode, Failure> {
    app.daemon.arm(id, true)?;
    Ok(StatusCode::ACCEPTED)
}

/// `POST /api/sessions/{id}/disarm`
///
/// # Errors
/// When there is none.
pub async fn disarm(
    State(app): State<App>,
    Path(id): Path<SessionId>,
) -> Result<StatusCode, Failure> {
    app.daemon.arm(id, false)?;
    Ok(StatusCode::ACCEPTED)
}

/// Does what may wait for a disk or a thread where it holds up no other request.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| {
        Failure(
            StatusCode::INTERNAL_SERVER_ERROR,
            "a fault in the program".into(),
        )
    })
}
