//! The built-in Tetris over a WebSocket: keys one way, pictures the other.

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, interval, timeout};

use super::{within, wrong};
use crate::web::api::Failure;
use crate::web::play::tetris::{Begin, LARGEST, Running, SMALLEST, Told};
use crate::web::routes::App;

/// The longest message from a page: a saved game.
const LONGEST: usize = 256 * 1024;
/// How often a page is asked whether it is still there; browsers answer that by themselves.
const ASKED: Duration = Duration::from_secs(15);
/// A page that is not heard of for so long is gone, whatever its connection says.
const SILENT: Duration = Duration::from_secs(60);

/// How the target begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Of the picture, in px.
    width: Option<u32>,
    height: Option<u32>,
    level: Option<u32>,
    seed: Option<u64>,
}

/// `GET /api/play/tetris`: a target of one's own, until the connection ends.
///
/// # Errors
/// For numbers out of range, when it is no WebSocket, and when all places are taken.
pub async fn connect(
    State(app): State<App>,
    asked: Result<Query<Asked>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Failure> {
    let Query(asked) = asked.map_err(|e| Failure(e.status(), e.body_text()))?;
    let width = within("width", asked.width, 640, SMALLEST.0..=LARGEST.0)?;
    let height = within("height", asked.height, 480, SMALLEST.1..=LARGEST.1)?;
    let level = within("level", asked.level, 1, 1..=10)?;
    let upgrade = upgrade.map_err(|e| Failure(StatusCode::BAD_REQUEST, e.body_text()))?;
    let place = app.play.places.clone().try_acquire_owned().map_err(|_| {
        let text = "all places are taken: close another page with a Tetris first";
        Failure(StatusCode::SERVICE_UNAVAILABLE, text.to_owned())
    })?;
    let begin = Begin {
        size: (width, height),
        // Within 1 to 10, as was seen above.
        level: level as u8,
        seed: asked.seed,
    };
    let running = Running::start(&begin).map_err(wrong)?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(|socket| serve(socket, running, place)))
}

/// Passes on what both sides say until one of them ends.
async fn serve(mut socket: WebSocket, mut running: Running, place: OwnedSemaphorePermit) {
    let mut asking = interval(ASKED);
    let mut heard = Instant::now();
    let why = loop {
        let send = tokio::select! {
            said = socket.recv() => {
                heard = Instant::now();
                let done = match said {
                    Some(Ok(Message::Text(text))) => running.say(text.as_str()),
                    Some(Ok(Message::Binary(_))) => Err("messages are text".to_owned()),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                };
                match done {
                    Ok(()) => continue,
                    Err(why) => break why,
                }
            }
            told = running.told() => match told {
                Some(Told::Picture(bytes)) => Message::Binary(bytes.into()),
                Some(Told::Saved(text)) => Message::Text(json!({"saved": text}).to_string().into()),
                Some(Told::Notice(text)) => Message::Text(json!({"error": text}).to_string().into()),
                None => break "the game has ended".to_owned(),
            },
            _ = asking.tick() => match heard.elapsed() > SILENT {
                true => break "nothing was heard of the page".to_owned(),
                false => Message::Ping(Vec::new().into()),
            },
        };
        // Whoever takes nothing any more is gone, too.
        match timeout(SILENT, socket.send(send)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
    };
    // A reason may have 123 bytes.
    let reason: String = why.chars().take(60).collect();
    let close = CloseFrame {
        code: close_code::POLICY,
        reason: reason.into(),
    };
    let _ = timeout(ASKED, socket.send(Message::Close(Some(close)))).await;
    drop(place);
}
