//! The configuration: shown, and changed where a request may change it.
//!
//! Must never let a request name a file or start a program: such keys are shown and not changed.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::records::tools;
use super::sessions::blocking;
use super::{Body, Failure};
use crate::assemble;
use crate::config::{self, Change, KeyView};
use crate::web::routes::App;

/// Keys that name files.
const FILES: [&str; 2] = ["journal.path", "log.file"];
/// Keys that may name other programs.
const PROGRAMS: [&str; 2] = ["policy.name", "policy.fallback"];

/// All keys, and the file that changes go to.
#[derive(Debug, Serialize)]
pub struct Shown {
    file: Option<String>,
    keys: Vec<Entry>,
}

/// One key.
#[derive(Debug, Serialize)]
pub struct Entry {
    #[serde(flatten)]
    key: KeyView,
    /// Whether it can be changed here.
    fixed: bool,
}

/// Keys with their new values; `null` is the usual one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    changes: BTreeMap<String, Option<String>>,
}

/// `GET /api/settings`: as the next session will have them.
///
/// # Errors
/// When the file has become wrong since the start.
pub async fn show(State(app): State<App>) -> Result<Json<Shown>, Failure> {
    let tools = tools(&app)?;
    let shown = blocking(move || {
        let settings = tools.settings().map_err(wrong)?;
        let entry = |key: KeyView| Entry {
            fixed: FILES.contains(&key.path),
            key,
        };
        Ok::<_, Failure>(Shown {
            file: settings.own_file().map(|f| f.display().to_string()),
            keys: settings.keys().into_iter().map(entry).collect(),
        })
    });
    Ok(Json(shown.await??))
}

/// `PUT /api/settings`: all changes or, where one is wrong, none.
///
/// # Errors
/// Everything that is wrong with them.
pub async fn put(
    State(app): State<App>,
    Body(asked): Body<Changes>,
) -> Result<Json<Shown>, Failure> {
    for (key, value) in &asked.changes {
        if FILES.contains(&key.as_str()) {
            return Err(wrong(format!(
                "{key} names a file: change it in the file itself"
            )));
        }
        let reaches = value.as_deref().is_some_and(assemble::reaches_out);
        if PROGRAMS.contains(&key.as_str()) && reaches {
            let text = format!("{key}: another program must be named in the file itself");
            return Err(wrong(text));
        }
    }
    let tools = tools(&app)?;
    let changes: Vec<Change> = asked.changes.into_iter().collect();
    let done = blocking(move || {
        let settings = tools.settings().map_err(wrong)?;
        let none = "there is no folder for settings: set HOME or XDG_CONFIG_HOME";
        let file = settings.own_file().ok_or_else(|| wrong(none))?;
        config::change(&file, &changes).map_err(wrong)
    });
    done.await??;
    show(State(app)).await
}

fn wrong(error: impl std::fmt::Display) -> Failure {
    Failure(StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}"))
}
