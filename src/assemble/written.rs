//! The profile that a calibrated board is written down as.

use serde_json::json;

use super::{Order, SourceSpec};
use crate::capture::screen::Area;
use crate::config::profile::{Class, Click, Duel, Profile, Source, Tetris, Timing};
use crate::types::{Calibration, ClassLook};

/// A profile for what was ordered.
#[must_use]
pub fn profile(order: &Order, name: &str, calibration: &Calibration) -> Profile {
    let source = match &order.source {
        SourceSpec::Window(query) => Source::Window {
            title: query.title.as_ref().map(|t| {
                if query.exact {
                    format!("={t}")
                } else {
                    t.clone()
                }
            }),
            class: query.class.clone(),
            id: query.id,
        },
        SourceSpec::Screen(Area::Region(rect)) => Source::Region(*rect),
        SourceSpec::Screen(area) => {
            let area = area.to_string();
            Source::Screen(if area.is_empty() {
                "all".to_owned()
            } else {
                area
            })
        }
        SourceSpec::Files(path) => Source::File(path.clone()),
        SourceSpec::Camera(spec) => Source::Camera(spec.clone()),
        SourceSpec::Simulated => Source::Simulated(json!({})),
    };
    Profile {
        name: name.to_owned(),
        source,
        game: order.game.clone(),
        limit: None,
        new_game: order.new_game.clone().unwrap_or_default(),
        script: order.script.clone(),
        start: None,
        size: Some(calibration.size),
        kind: Some(calibration.kind),
        classes: classes(calibration),
        calibration: Some(calibration.clone()),
        click: Click::Cell,
        timing: Timing::default(),
        fallback: None,
        hands: None,
        tetris: Tetris::default(),
        duel: Duel::default(),
    }
}

/// A profile that was there before, with another calibration.
#[must_use]
pub fn renewed(base: Profile, order: &Order, name: &str, calibration: &Calibration) -> Profile {
    // A camera's controls may have been locked meanwhile.
    let source = match &order.source {
        SourceSpec::Camera(spec) => Source::Camera(spec.clone()),
        _ => base.source,
    };
    Profile {
        source,
        name: name.to_owned(),
        size: Some(calibration.size),
        kind: Some(calibration.kind),
        classes: classes(calibration),
        calibration: Some(calibration.clone()),
        ..base
    }
}

/// How the classes look, one for each letter.
fn classes(calibration: &Calibration) -> Vec<Class> {
    let class = |c: &ClassLook| Class {
        letter: c.letter,
        rgb: c.rgb.map(|v| v.round().clamp(0.0, 255.0) as u8),
    };
    calibration.classes.iter().map(class).collect()
}
