//! Calibrating: sources, pictures, boards found and shown, a click to try, a profile.

use std::io::Cursor;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use image::ImageEncoder as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::sessions::blocking;
use super::{Body, Failure};
use crate::assemble::easel::{self, Board, Said, Search, Sources};
use crate::config::profile::{self, NotSaved};
use crate::types::{BoardKind, Calibration as Found, Cell, GridSize, Point};
use crate::web::calibrations::{Calibration, CalibrationId, Wish};
use crate::web::routes::App;

fn wrong(error: impl std::fmt::Display) -> Failure {
    Failure(StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}"))
}

fn conflict(error: impl std::fmt::Display) -> Failure {
    Failure(StatusCode::CONFLICT, format!("{error:#}"))
}

/// What is to be opened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    source: Wish,
}

/// How boards are looked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    game: Option<String>,
    cols: Option<u16>,
    rows: Option<u16>,
    kind: Option<String>,
}

/// A board as it is shown.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Showing {
    game: String,
    cols: u16,
    rows: u16,
    kind: Option<String>,
    corners: Option<[[f64; 2]; 4]>,
    centres: Option<[[f64; 2]; 4]>,
    #[serde(default)]
    lessons: Vec<Lesson>,
}

/// A cell with a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    col: u16,
    row: u16,
    name: String,
}

/// Whether the picture is to stay.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holding {
    held: bool,
}

/// A click to try.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trying {
    col: u16,
    row: u16,
    /// Whoever asks knows that the mouse will be moved.
    #[serde(default)]
    armed: bool,
}

/// A profile to be written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saving {
    name: String,
    #[serde(default)]
    force: bool,
}

/// A calibration as its JSON object.
#[derive(Debug, Serialize)]
pub struct Shown {
    id: CalibrationId,
    source: String,
    /// The profile that it began with.
    profile: Option<String>,
    /// The game of that profile.
    game: Option<String>,
    /// Counts pictures that differ.
    frame: u64,
    size: Option<[u32; 2]>,
    held: bool,
    clickable: bool,
    /// Why there is no picture.
    trouble: Option<String>,
    /// The board that was shown last.
    board: Option<Value>,
}

fn state(c: &Calibration) -> Shown {
    let shot = c.easel.shot();
    let size = |s: &easel::Shot| [s.picture.width(), s.picture.height()];
    Shown {
        id: c.id,
        source: c.source.clone(),
        profile: c.easel.base().map(|b| b.name.clone()),
        game: c.easel.base().map(|b| b.game.clone()),
        frame: shot.as_ref().map_or(0, |s| s.n),
        size: shot.as_ref().ok().map(size),
        held: c.easel.is_held(),
        clickable: c.easel.is_clickable(),
        trouble: shot.err(),
        board: c.easel.shown().map(|b| board(&b)),
    }
}

/// A board as its JSON object: with what a session tells of one, and what tells whether it is right.
fn board(b: &Board) -> Value {
    let c = &b.calibration;
    let corners = c.px_from_cell.corners(c.size).map(|p| [p.x, p.y]);
    let looks = b.looks();
    let looks: Vec<Value> = { looks.iter() }
        .map(|l| {
            json!({
                "letter": l.letter, "rgb": l.rgb, "colour": l.colour, "cells": l.cells,
                "least": l.least, "example": l.example,
                "nearest": l.nearest.map(|(letter, _)| letter),
                "apart": l.nearest.map(|(_, apart)| apart),
            })
        })
        .collect();
    let residuals: Vec<[f64; 4]> = { b.residuals.iter() }
        .map(|r| {
            let at = c.px_from_cell.map(r.cell);
            [at.x, at.y, r.off.x, r.off.y]
        })
        .collect();
    json!({
        "game": b.game, "kind": c.kind.name(), "cols": c.size.cols, "rows": c.size.rows,
        "corners": corners, "px_from_cell": c.px_from_cell.0,
        "quality": c.quality, "good": c.quality >= Found::MIN_QUALITY,
        "residual_px": b.residual(), "residuals": residuals,
        "seen": b.text.rows().collect::<Vec<_>>(),
        "confidence": b.reading.cells.iter().map(|c| c.confidence).collect::<Vec<_>>(),
        "classes": c.classes.iter().map(|k| (k.letter, k.hex())).collect::<Vec<_>>(),
        "looks": looks,
    })
}

fn kind(name: Option<&str>) -> Result<Option<BoardKind>, Failure> {
    let of = |name: &str| {
        let known = || BoardKind::ALL.map(BoardKind::name).join(", ");
        let none = || {
            wrong(format!(
                "there is no kind \"{name}\"; there are: {}",
                known()
            ))
        };
        BoardKind::from_name(name).ok_or_else(none)
    };
    name.map(of).transpose()
}

/// `GET /api/sources`
///
/// # Errors
/// Never but for a fault in the program.
pub async fn sources() -> Result<Json<Sources>, Failure> {
    Ok(Json(blocking(easel::sources).await?))
}

/// `GET /api/calibrations`
///
/// # Errors
/// Never but for a fault in the program.
pub async fn list(State(app): State<App>) -> Result<Json<Vec<Shown>>, Failure> {
    let all = blocking(move || app.calibrations.list().iter().map(|c| state(c)).collect());
    Ok(Json(all.await?))
}

/// `POST /api/calibrations`
///
/// # Errors
/// When the source is not there, shows nothing, or too many are open.
pub async fn open(
    State(app): State<App>,
    Body(asked): Body<Opening>,
) -> Result<(StatusCode, Json<Shown>), Failure> {
    let opened = blocking(move || app.calibrations.open(&app.daemon, &asked.source)).await??;
    Ok((StatusCode::CREATED, Json(state(&opened))))
}

/// Does something with a calibration where it holds up no other request.
async fn with<T: Send + 'static>(
    app: &App,
    id: CalibrationId,
    work: impl FnOnce(&Calibration) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let found: Arc<Calibration> = app.calibrations.get(id)?;
    blocking(move || work(&found)).await?
}

/// `GET /api/calibrations/{id}`
///
/// # Errors
/// When there is none.
pub async fn show(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
) -> Result<Json<Shown>, Failure> {
    Ok(Json(with(&app, id, |c| Ok(state(c))).await?))
}

/// `DELETE /api/calibrations/{id}`
///
/// # Errors
/// When there is none.
pub async fn close(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
) -> Result<StatusCode, Failure> {
    app.calibrations.close(id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/calibrations/{id}/frame.png`: every pixel as it is.
///
/// # Errors
/// When there is no picture.
pub async fn frame(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
) -> Result<Response, Failure> {
    let png = with(&app, id, |c| {
        let shot = c.easel.shot().map_err(conflict)?;
        let rgb = shot.picture.to_rgb();
        let mut out = Cursor::new(Vec::new());
        let (fast, filter) = (CompressionType::Fast, FilterType::Adaptive);
        PngEncoder::new_with_quality(&mut out, fast, filter)
            .write_image(
                &rgb,
                rgb.width(),
                rgb.height(),
                image::ExtendedColorType::Rgb8,
            )
            .map_err(|e| Failure(StatusCode::INTERNAL_SERVER_ERROR, e.to_string()))?;
        Ok(out.into_inner())
    });
    Ok(([(header::CONTENT_TYPE, "image/png")], png.await?).into_response())
}

/// `PUT /api/calibrations/{id}/held`
///
/// # Errors
/// When there is no picture to keep.
pub async fn hold(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
    Body(asked): Body<Holding>,
) -> Result<Json<Shown>, Failure> {
    let held = with(&app, id, move |c| {
        c.easel.hold(asked.held).map_err(conflict)?;
        Ok(state(c))
    });
    Ok(Json(held.await?))
}

/// `POST /api/calibrations/{id}/find`
///
/// # Errors
/// For a game or kind that does not exist, and while there is no picture.
pub async fn find(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
    Body(asked): Body<Finding>,
) -> Result<Json<Vec<Value>>, Failure> {
    let size = match (asked.cols, asked.rows) {
        (Some(cols), Some(rows)) => Some(GridSize::new(cols, rows)),
        (None, None) => None,
        _ => return Err(wrong("a size has columns and rows")),
    };
    let search = Search {
        game: asked.game,
        size,
        kind: kind(asked.kind.as_deref())?,
    };
    let found = with(&app, id, move |c| c.easel.find(&search).map_err(wrong));
    Ok(Json(found.await?.iter().map(board).collect()))
}

/// `PUT /api/calibrations/{id}/shown`
///
/// # Errors
/// When the places go round no board in the picture, or its cells cannot be told apart as named.
pub async fn shown(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
    Body(asked): Body<Showing>,
) -> Result<Json<Value>, Failure> {
    let (places, middles) = match (asked.corners, asked.centres) {
        (Some(places), None) => (places, false),
        (None, Some(places)) => (places, true),
        _ => return Err(wrong("give either corners or centres")),
    };
    let said = Said {
        game: asked.game,
        size: GridSize::new(asked.cols, asked.rows),
        kind: kind(asked.kind.as_deref())?,
        places: places.map(|[x, y]| Point::new(x, y)),
        middles,
        lessons: { asked.lessons.into_iter() }
            .map(|l| (l.col, l.row, l.name))
            .collect(),
    };
    let shown = with(&app, id, move |c| c.easel.show(&said).map_err(wrong));
    Ok(Json(board(&shown.await?)))
}

/// `POST /api/calibrations/{id}/click`: one click, for a person who has said that the mouse may
/// move.
///
/// # Errors
/// Without that word, while an armed session has the mouse, and when anything is not as it was.
pub async fn click(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
    Body(asked): Body<Trying>,
) -> Result<Json<Value>, Failure> {
    if !asked.armed {
        return Err(conflict("a click moves the mouse: say \"armed\": true"));
    }
    let all = app.clone();
    let landed = with(&app, id, move |c| {
        let mouse = all.daemon.mouse()?;
        let cell = Cell::new(asked.col, asked.row);
        let (settings, clock) = (all.daemon.settings(), all.calibrations.clock());
        let landed = c.easel.click(cell, &settings, clock, &mouse.stop);
        landed.map_err(conflict)
    });
    let landed = landed.await?;
    Ok(Json(json!({
        "px": [landed.px.x, landed.px.y], "screen": [landed.screen.x, landed.screen.y],
        "changed": landed.changed.iter().map(|c| [c.col, c.row]).collect::<Vec<_>>(),
    })))
}

/// `POST /api/calibrations/{id}/save`: the board that was shown last, as a profile of the user's.
///
/// # Errors
/// When no board was shown or it does not fit, for a name that is none, and when there is a
/// profile of that name.
pub async fn save(
    State(app): State<App>,
    Path(id): Path<CalibrationId>,
    Body(asked): Body<Saving>,
) -> Result<(StatusCode, Json<Value>), Failure> {
    let folders = app.daemon.settings().folders.clone();
    let saved = with(&app, id, move |c| {
        let profile = c.easel.profile(&asked.name).map_err(wrong)?;
        let saved = profile::save(&profile, &folders, asked.force);
        let path = saved.map_err(|e| match e {
            NotSaved::Exists(_) | NotSaved::Shadowed(_) => conflict(e),
            NotSaved::Name(_) | NotSaved::Folder(_) => wrong(e),
        })?;
        Ok(json!({"profile": profile.name, "path": path}))
    });
    Ok((StatusCode::CREATED, Json(saved.await?)))
}
