//! The pages: plain HTML, CSS and modules, inside the program. Nothing comes from elsewhere.

use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

macro_rules! files {
    ($($path:literal, $kind:literal;)*) => {
        &[$((concat!("/", $path), $kind, include_bytes!($path))),*]
    };
}

/// Path, type and content of each file.
const FILES: &[(&str, &str, &[u8])] = files! {
    "index.html", "text/html; charset=utf-8";
    "style.css", "text/css; charset=utf-8";
    "app.js", "text/javascript; charset=utf-8";
    "live.js", "text/javascript; charset=utf-8";
    "board.js", "text/javascript; charset=utf-8";
    "mismatches.js", "text/javascript; charset=utf-8";
    "calibrate.css", "text/css; charset=utf-8";
    "calibrate.js", "text/javascript; charset=utf-8";
    "calibrate-words.js", "text/javascript; charset=utf-8";
    "easel.js", "text/javascript; charset=utf-8";
    "machine.css", "text/css; charset=utf-8";
    "machine.js", "text/javascript; charset=utf-8";
    "profiles.js", "text/javascript; charset=utf-8";
    "profiles-words.js", "text/javascript; charset=utf-8";
    "records-words.js", "text/javascript; charset=utf-8";
    "words.js", "text/javascript; charset=utf-8";
    "icon.svg", "image/svg+xml";
    "games/index.html", "text/html; charset=utf-8";
    "games/gomoku.html", "text/html; charset=utf-8";
    "games/connect4.html", "text/html; charset=utf-8";
    "games/flood.html", "text/html; charset=utf-8";
    "games/tetris.html", "text/html; charset=utf-8";
    "games/games.css", "text/css; charset=utf-8";
    "games/words.js", "text/javascript; charset=utf-8";
    "games/page.js", "text/javascript; charset=utf-8";
    "games/grid.js", "text/javascript; charset=utf-8";
    "games/index.js", "text/javascript; charset=utf-8";
    "games/gomoku.js", "text/javascript; charset=utf-8";
    "games/connect4.js", "text/javascript; charset=utf-8";
    "games/flood.js", "text/javascript; charset=utf-8";
    "games/tetris.js", "text/javascript; charset=utf-8";
};

/// A file of the pages by its path; everything else is not there.
pub async fn page(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = match uri.path() {
        "/" => "/index.html",
        "/games" | "/games/" => "/games/index.html",
        path => path,
    };
    match FILES.iter().find(|(name, ..)| *name == path) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}
