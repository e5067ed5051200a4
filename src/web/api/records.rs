//! What is left of a run: its recording, run again, and one archive that explains it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

use super::sessions::blocking;
use super::{Body, Failure};
use crate::web::routes::App;
use crate::web::tools::{Recorded, Tools};

/// From where a replay is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    /// They count from 1; nothing is told by default.
    from_mismatch: Option<u32>,
}

/// The commands, if this one has them.
///
/// # Errors
/// Where it has none.
pub(in crate::web) fn tools(app: &App) -> Result<Arc<dyn Tools>, Failure> {
    let none = "this needs `kibitzer serve`";
    let tools = app.tools.clone();
    tools.ok_or_else(|| Failure(StatusCode::NOT_FOUND, none.to_owned()))
}

/// `GET /api/recordings`
///
/// # Errors
/// Where the command that serves has none.
pub async fn list(State(app): State<App>) -> Result<Json<Vec<Recorded>>, Failure> {
    let tools = tools(&app)?;
    Ok(Json(blocking(move || tools.recordings()).await?))
}

/// `POST /api/recordings/{id}/replay`
///
/// # Errors
/// When there is no such recording, or it cannot be run again.
pub async fn replay(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(asked): Body<From>,
) -> Result<Json<Value>, Failure> {
    let tools = tools(&app)?;
    let done = blocking(move || {
        if !tools.recordings().iter().any(|r| r.id == id) {
            let text = format!("there is no recording \"{id}\"");
            return Err(Failure(StatusCode::NOT_FOUND, text));
        }
        let done = tools.replay(&id, asked.from_mismatch);
        done.map_err(|e| Failure(StatusCode::UNPROCESSABLE_ENTITY, format!("{e:#}")))
    });
    Ok(Json(done.await??))
}

/// `GET /api/journal/runs/{run}/report.tar.gz`
///
/// # Errors
/// When there is no such run, or nothing can be written.
pub async fn report(State(app): State<App>, Path(run): Path<i64>) -> Result<Response, Failure> {
    let tools = tools(&app)?;
    let made = blocking(move || {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("report.tar.gz");
        tools.report(run, &path)?;
        Ok::<_, anyhow::Error>(std::fs::read(&path)?)
    });
    let none = |e: anyhow::Error| Failure(StatusCode::NOT_FOUND, format!("{e:#}"));
    let bytes = made.await?.map_err(none)?;
    let name = format!("attachment; filename=\"kibitzer-report-{run}.tar.gz\"");
    let headers = [
        (header::CONTENT_TYPE, "application/gzip".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, bytes).into_response())
}
