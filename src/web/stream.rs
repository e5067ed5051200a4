//! What goes on by itself to whoever looks: events of a session, and its pictures.

use std::convert::Infallible;
use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use image::codecs::jpeg::JpegEncoder;
use serde::Deserialize;
use tokio_stream::{Stream, StreamExt as _};

use super::api::Failure;
use super::api::records::tools;
use super::lines::Level;
use super::routes::App;
use super::session::{Session, SessionId};
use crate::types::Picture;

/// Pictures a second of a stream at most: a person who looks on needs no more.
const RATE: Duration = Duration::from_millis(66);
/// The quality of pictures, of 100: letters stay readable, a picture of 640 x 480 is about 60 KB.
const QUALITY: u8 = 80;
/// What separates the pictures of a stream.
const BOUNDARY: &str = "kibitzer-frame";

/// What is asked of a stream.
#[derive(Debug, Default, Deserialize)]
pub struct Wish {
    /// The last thing that is known already.
    #[serde(default)]
    since: u64,
}

/// `GET /api/sessions/{id}/events`: the state whenever it has changed, as server-sent events, each
/// with what was told since the one before.
///
/// # Errors
/// When there is no such session.
pub async fn events(
    State(app): State<App>,
    Path(id): Path<SessionId>,
    Query(wish): Query<Wish>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let session = app.daemon.session(id)?;
    let mut changes = session.live().changes();
    let mut known = wish.since;
    // The first one at once.
    changes.mark_changed();
    let states = tokio_stream::wrappers::WatchStream::from_changes(changes);
    let shown = Arc::clone(&session);
    let states = states.take_while(move |_| !shown.is_removed());
    let states = states.map(move |_| {
        let state = session.state(known);
        known = state.log.last().map_or(known, |t| t.n);
        // Plain data: it cannot fail.
        Ok(Event::default()
            .event("state")
            .json_data(&state)
            .unwrap_or_default())
    });
    Ok(Sse::new(states).keep_alive(KeepAlive::default()))
}

/// Which lines of the log are wanted.
#[derive(Debug, Deserialize)]
pub struct LogWish {
    /// The last one that is known already.
    #[serde(default)]
    since: u64,
    /// The least important level.
    #[serde(default = "usual_level")]
    level: Level,
}

const fn usual_level() -> Level {
    Level::Info
}

/// `GET /api/logs/events`: lines of the log as they come, as server-sent events.
///
/// # Errors
/// Where the command that serves keeps none.
pub async fn logs(
    State(app): State<App>,
    Query(wish): Query<LogWish>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let lines = tools(&app)?.lines();
    let mut changes = lines.changes();
    // The first ones at once.
    changes.mark_changed();
    let mut known = wish.since;
    let told = tokio_stream::wrappers::WatchStream::from_changes(changes).map(move |_| {
        let newest = lines.newest();
        let new = lines.since(known, wish.level);
        known = new.last().map_or(newest, |l| newest.max(l.n));
        // Plain data: it cannot fail.
        Ok(Event::default()
            .event("lines")
            .json_data(&new)
            .unwrap_or_default())
    });
    Ok(Sse::new(told).keep_alive(KeepAlive::default()))
}

/// `GET /api/sessions/{id}/frame.jpg`: the last picture.
///
/// # Errors
/// When there is no such session, or no picture yet.
pub async fn still(State(app): State<App>, Path(id): Path<SessionId>) -> Result<Response, Failure> {
    let session = app.daemon.session(id)?;
    let none = || Failure(StatusCode::NOT_FOUND, "there is no picture yet".into());
    let picture = picture_of(&session).ok_or_else(none)?;
    let jpeg = encode(picture).await?;
    Ok(([(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response())
}

/// `GET /api/sessions/{id}/frames.mjpg`: pictures as they come.
///
/// # Errors
/// When there is no such session.
pub async fn moving(
    State(app): State<App>,
    Path(id): Path<SessionId>,
) -> Result<Response, Failure> {
    let session = app.daemon.session(id)?;
    let mut pictures = session.live().pictures();
    pictures.mark_changed();
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, Infallible>>(1);
    tokio::spawn(async move {
        loop {
            // Whoever has gone away is noticed also while there is nothing to send.
            let another = tokio::select! {
                changed = pictures.changed() => changed.is_ok(),
                () = sender.closed() => false,
            };
            if !another || session.is_removed() {
                return;
            }
            let Some(picture) = picture_of(&session) else {
                continue;
            };
            let Ok(jpeg) = encode(picture).await else {
                return;
            };
            let head = format!(
                "--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n",
                jpeg.len()
            );
            let part: Vec<u8> = [head.as_bytes(), &jpeg, b"\r\n"].concat();
            // Nobody takes it any more, or not yet: the newest one is sent then.
            if sender.send(Ok(part.into())).await.is_err() {
                return;
            }
            tokio::time::sleep(RATE).await;
        }
    });
    let body = Body::from_stream(tokio_stream::wrappers::ReceiverStream::new(receiver));
    let kind = format!("multipart/x-mixed-replace; boundary={BOUNDARY}");
    Ok(([(header::CONTENT_TYPE, kind)], body).into_response())
}

fn picture_of(session: &Session) -> Option<Arc<Picture>> {
    session.live().lock().picture.clone()
}

async fn encode(picture: Arc<Picture>) -> Result<Vec<u8>, Failure> {
    let work = move || {
        let mut out = Cursor::new(Vec::new());
        let encoded =
            JpegEncoder::new_with_quality(&mut out, QUALITY).encode_image(&picture.to_rgb());
        encoded.map(|()| out.into_inner())
    };
    let fault = |text: String| Failure(StatusCode::INTERNAL_SERVER_ERROR, text);
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|e| fault(e.to_string()))?
        .map_err(|e| fault(e.to_string()))
}
