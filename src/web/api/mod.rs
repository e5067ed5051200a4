//! The answers of the interface, one file per noun. Everything is JSON; what goes wrong is an
//! object with `error`, a sentence for a person.

pub mod calibrations;
pub mod choices;
pub mod journal;
pub mod machine;
pub mod play;
pub mod records;
pub mod sessions;
pub mod settings;
pub mod token;
pub mod triplex;

use axum::Json;
use axum::extract::{FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::daemon::Refused;
use super::routes::App;

/// The OpenAPI document; a test compares it with the table of routes.
pub const DOCUMENT: &str = include_str!("openapi.json");

/// An answer that is an error.
#[derive(Debug)]
pub struct Failure(pub StatusCode, pub String);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, Json(json!({"error": self.1}))).into_response()
    }
}

/// A body as JSON; what is wrong with it is an error as all others are.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(error) => Err(Failure(error.status(), error.body_text())),
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        let status = match refused {
            Refused::Unknown(_) | Refused::Closed(_) => StatusCode::NOT_FOUND,
            Refused::Wrong(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refused::Conflict(_) => StatusCode::CONFLICT,
        };
        Self(status, refused.to_string())
    }
}

/// `GET /healthz`
pub async fn health() -> &'static str {
    "ok\n"
}

/// `GET /api/openapi.json`
pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT)
}

/// `POST /api/stop`: the emergency stop.
pub async fn stop(State(app): State<App>) -> Json<serde_json::Value> {
    app.daemon.emergency_stop("stopped from the dashboard");
    Json(json!({"stopped": true}))
}
