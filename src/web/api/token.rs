//! The token of a browser: given once, kept in a cookie that no script can read.

use std::time::Instant;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::{Body, Failure};
use crate::web::guard::COOKIE;
use crate::web::routes::App;

/// A token, as it was shown at the first start.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    token: String,
}

/// `POST /api/token`
///
/// # Errors
/// For a wrong token, and after too many wrong ones.
pub async fn enter(State(app): State<App>, Body(given): Body<Given>) -> Result<Response, Failure> {
    if !app.guard.needs_token() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let right = app.guard.check(&given.token, Instant::now());
    match right {
        Ok(true) => {
            // The token was compared with its hash: it has no letters that a header may not have.
            let cookie = format!(
                "{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict",
                given.token
            );
            Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
        }
        Ok(false) => Err(Failure(
            StatusCode::UNAUTHORIZED,
            "this is not the token".into(),
        )),
        Err(status) => Err(Failure(
            status,
            "too many wrong tokens: wait a minute".into(),
        )),
    }
}
