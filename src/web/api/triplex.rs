//! TripleX as it is served: the page, and who has solved its levels.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::sessions::blocking;
use super::{Body, Failure};
use crate::games::triplex::chain::{Chain, Claim, Closed};
use crate::games::triplex::page::Page;
use crate::games::triplex::rules::one_line;
use crate::web::routes::App;
use crate::web::solvers::{LevelStatistics, Solve, SolversError};

/// Letters of a name, at most.
const NAME: usize = 24;
/// The longest time that is believed: a year.
const SECONDS: u32 = 366 * 86_400;

/// What somebody says to have solved.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solved {
    level: u16,
    name: String,
    seconds: u32,
    solution: String,
    ticket: String,
    checksum: String,
}

/// What is known of all levels.
#[derive(Debug, Serialize)]
pub struct Known {
    levels: Vec<LevelStatistics>,
}

impl From<SolversError> for Failure {
    fn from(error: SolversError) -> Self {
        let status = match error {
            SolversError::Full => StatusCode::INSUFFICIENT_STORAGE,
            SolversError::Store { .. } | SolversError::Foreign(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Self(status, error.to_string())
    }
}

/// `GET /games/triplex.html`: it may run what is inside it and ask this server, and nothing else.
pub async fn page() -> impl IntoResponse {
    let page = Page::shipped();
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        page.script, page.style
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, page.html.as_str())
}

/// What opens a level.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    code: Option<String>,
}

/// A level as everybody may have it.
#[derive(Debug, Serialize)]
pub struct Sealed {
    level: u16,
    /// Its text as only who has solved the one before can read it.
    sealed: String,
}

/// A level to be played.
#[derive(Debug, Serialize)]
pub struct Open {
    level: u16,
    /// Columns and rows of the rectangle.
    size: [u16; 2],
    /// Figures to be laid.
    figures: usize,
    /// The level as `kibitzer solve triplex` reads it.
    text: String,
}

/// `GET /api/triplex/levels`
///
/// # Errors
/// When too many requests came of late.
pub async fn levels(State(app): State<App>) -> Result<Json<Vec<Sealed>>, Failure> {
    admitted(&app)?;
    let numbered = (1..).zip(Chain::shipped().sealed());
    let sealed = numbered.map(|(level, sealed)| Sealed { level, sealed });
    Ok(Json(sealed.collect()))
}

/// `GET /api/triplex/levels/{level}`: the first, or with its code.
///
/// # Errors
/// When there is no such level, the code is wrong, or too many were tried of late.
pub async fn level(
    State(app): State<App>,
    Path(level): Path<u16>,
    Query(opening): Query<Opening>,
) -> Result<Json<Open>, Failure> {
    admitted(&app)?;
    let opened = Chain::shipped().open(level, opening.code.as_deref());
    let link = opened.map_err(|closed| {
        let status = match closed {
            Closed::None(..) => StatusCode::NOT_FOUND,
            Closed::Code(_) => StatusCode::FORBIDDEN,
        };
        Failure(status, closed.to_string())
    })?;
    let size = link.level.field().size();
    Ok(Json(Open {
        level,
        size: [size.cols, size.rows],
        figures: link.level.figures(),
        text: one_line(&link.level),
    }))
}

/// `GET /api/triplex/solved`
///
/// # Errors
/// When the file of solvers cannot be read.
pub async fn known(State(app): State<App>) -> Result<Json<Known>, Failure> {
    admitted(&app)?;
    let levels = blocking(move || app.solvers.statistics()).await??;
    Ok(Json(Known { levels }))
}

/// `POST /api/triplex/tickets`
///
/// # Errors
/// When too many were asked for of late.
pub async fn ticket(State(app): State<App>) -> Result<(StatusCode, Json<Value>), Failure> {
    admitted(&app)?;
    let ticket = app.solvers.ticket(Instant::now()).ok_or_else(|| {
        let text = "the system gives no random numbers";
        Failure(StatusCode::SERVICE_UNAVAILABLE, text.to_owned())
    })?;
    Ok((StatusCode::CREATED, Json(json!({"ticket": ticket}))))
}

/// `POST /api/triplex/solved`
///
/// # Errors
/// When it is not true, was told before, or cannot be kept.
pub async fn solved(
    State(app): State<App>,
    Body(told): Body<Solved>,
) -> Result<Json<Value>, Failure> {
    admitted(&app)?;
    let unfit = |text: String| Failure(StatusCode::UNPROCESSABLE_ENTITY, text);
    if !is_name(&told.name) {
        return Err(unfit(format!(
            "name: 1 to {NAME} visible letters, with no space at either end"
        )));
    }
    if told.seconds > SECONDS {
        return Err(unfit(format!("seconds: at most {SECONDS}")));
    }
    // Before it is looked into: a claim that is refused has had its one time.
    if !app.solvers.takes(&told.ticket, Instant::now()) {
        let text = "ticket: not one of this server's, too old, or used before";
        return Err(Failure(StatusCode::CONFLICT, text.to_owned()));
    }
    blocking(move || {
        let claim = Claim {
            level: told.level,
            name: &told.name,
            seconds: told.seconds,
            ticket: &told.ticket,
            solution: &told.solution,
            checksum: &told.checksum,
        };
        Chain::shipped()
            .judge(&claim)
            .map_err(|forged| unfit(forged.to_string()))?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let counted = app.solvers.keep(&Solve {
            level: told.level,
            name: &told.name,
            seconds: told.seconds,
            at: since.map_or(0, |d| d.as_millis() as i64),
        })?;
        Ok(Json(json!({"counted": counted})))
    })
    .await?
}

fn admitted(app: &App) -> Result<(), Failure> {
    if app.solvers.admits(Instant::now()) {
        return Ok(());
    }
    let text = "too many requests: wait a minute";
    Err(Failure(StatusCode::TOO_MANY_REQUESTS, text.to_owned()))
}

/// Whether a person can be called so on a page: short, visible, and unable to turn the text around it.
fn is_name(name: &str) -> bool {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let count = name.chars().count();
    (1..=NAME).contains(&count) && name.trim() == name && !name.contains(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_hide_nothing() {
        for name in [
            "Ada",
            "Ада",
            "小明",
            "<script>alert(1)</script>"[..24].trim(),
            "O'Neil & Co",
        ] {
            assert!(is_name(name), "{name}");
        }
        let long = "x".repeat(NAME + 1);
        for name in [
            "",
            " ",
            " a",
            "a ",
            "a\nb",
            "a\u{202e}b",
            "\u{200b}",
            "\u{0}",
            &long,
        ] {
            assert!(!is_name(name), "{name:?}");
        }
    }
}
