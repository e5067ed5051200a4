//! This machine: what is plugged in, and whether it works.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::Failure;
use super::records::tools;
use super::sessions::blocking;
use crate::act::serial::ports;
use crate::assemble::easel;
use crate::web::routes::App;

/// `GET /api/doctor`: what works here and what mends what does not.
///
/// # Errors
/// Where the command that serves has no doctor.
pub async fn doctor(State(app): State<App>) -> Result<Json<Vec<Value>>, Failure> {
    let tools = tools(&app)?;
    Ok(Json(blocking(move || tools.findings()).await?))
}

/// `GET /api/devices`: monitors, cameras and serial ports.
///
/// # Errors
/// Never but for a fault in the program.
pub async fn devices() -> Result<Json<Value>, Failure> {
    let found = blocking(|| {
        let sources = easel::sources();
        let ports: Vec<Value> = { ports::list().into_iter() }
            .map(|p| {
                json!({
                    "name": p.name(), "product": p.product, "likely": p.likely(),
                    "problem": p.problem(),
                })
            })
            .collect();
        json!({
            "screens": sources.screens, "cameras": sources.cameras, "ports": ports,
            "trouble": sources.trouble,
        })
    });
    Ok(Json(found.await?))
}
