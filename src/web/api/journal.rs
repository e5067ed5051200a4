//! The journal: runs, everything in one, mismatches with their pictures, restarts.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::Failure;
use super::sessions::blocking;
use crate::journal::JournalError;
use crate::journal::read::{Entry, Filter, MismatchRow, Reader, RunRow, Which};
use crate::journal::restarts::RestartRow;
use crate::web::routes::App;

/// So many rows are given when nobody says.
const USUAL: u32 = 100;
/// The most rows of one answer.
const MOST: u32 = 2000;

/// How much is asked for.
#[derive(Debug, Default, Deserialize)]
pub struct Page {
    run: Option<i64>,
    cause: Option<String>,
    limit: Option<u32>,
}

impl Page {
    fn limit(&self) -> u32 {
        self.limit.unwrap_or(USUAL).clamp(1, MOST)
    }
}

/// A run with the last things that happened in it.
#[derive(Debug, Serialize)]
pub struct Whole {
    run: RunRow,
    entries: Vec<Entry>,
}

async fn read<T: Send + 'static>(
    app: App,
    what: impl FnOnce(&Reader) -> Result<T, JournalError> + Send + 'static,
) -> Result<T, Failure> {
    let path = app.daemon.settings().journal.path.clone();
    let done = blocking(move || Reader::open(&path).and_then(|reader| what(&reader))).await?;
    done.map_err(|error| {
        let status = match error {
            JournalError::NoSuchRun { .. } | JournalError::Missing { .. } => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Failure(status, error.to_string())
    })
}

/// A journal that does not exist yet has no rows.
fn none_yet<T: Default>(rows: Result<T, Failure>) -> Result<T, Failure> {
    match rows {
        Err(Failure(StatusCode::NOT_FOUND, _)) => Ok(T::default()),
        rows => rows,
    }
}

/// `GET /api/journal/runs`
///
/// # Errors
/// When the journal cannot be read.
pub async fn runs(
    State(app): State<App>,
    Query(page): Query<Page>,
) -> Result<Json<Vec<RunRow>>, Failure> {
    let limit = page.limit();
    let rows = read(app, move |r| r.reads().runs(Some(limit)));
    Ok(Json(none_yet(rows.await)?))
}

/// `GET /api/journal/runs/{run}`: a number or `latest`.
///
/// # Errors
/// When there is no such run.
pub async fn run(
    State(app): State<App>,
    Path(run): Path<String>,
    Query(page): Query<Page>,
) -> Result<Json<Whole>, Failure> {
    let which: Which = run
        .parse()
        .map_err(|e| Failure(StatusCode::BAD_REQUEST, e))?;
    let limit = page.limit();
    let whole = read(app, move |reader| {
        let run = reader.reads().run(which)?;
        let entries = reader.reads().last_of(run.run, Some(limit))?;
        Ok(Whole { run, entries })
    });
    Ok(Json(whole.await?))
}

/// `GET /api/journal/mismatches`
///
/// # Errors
/// When the journal cannot be read.
pub async fn mismatches(
    State(app): State<App>,
    Query(page): Query<Page>,
) -> Result<Json<Vec<MismatchRow>>, Failure> {
    let filter = Filter {
        run: page.run,
        limit: Some(page.limit()),
        cause: page.cause,
    };
    let rows = read(app, move |r| r.reads().mismatches(&filter));
    Ok(Json(none_yet(rows.await)?))
}

/// `GET /api/journal/restarts`
///
/// # Errors
/// When the journal cannot be read.
pub async fn restarts(
    State(app): State<App>,
    Query(page): Query<Page>,
) -> Result<Json<Vec<RestartRow>>, Failure> {
    let limit = page.limit();
    let rows = read(app, move |r| r.reads().restarts(Some(limit)));
    Ok(Json(none_yet(rows.await)?))
}

/// `GET /api/journal/pictures/{id}`
///
/// # Errors
/// When there is none.
pub async fn picture(State(app): State<App>, Path(id): Path<i64>) -> Result<Response, Failure> {
    let png = read(app, move |r| r.reads().picture(id)).await?;
    let png =
        png.ok_or_else(|| Failure(StatusCode::NOT_FOUND, format!("there is no picture {id}")))?;
    // A picture under a number never changes.
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, "private, max-age=86400, immutable"),
    ];
    Ok((headers, png).into_response())
}
