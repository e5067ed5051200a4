//! What a tick gave, as messages: written while a run is recorded, and compared in a replay.

use serde_json::{Value, json};

use super::lines::Topic;
use crate::types::{Action, Event, Picture, Point, Stroke};

/// One thing that a tick asked for.
#[derive(Clone, Debug)]
pub enum EffectLine {
    /// To be written down.
    Note(Event),
    /// To be done by the hands.
    Act(Action),
    /// Frames as fast as they come, or no longer.
    Eager(bool),
    /// The end of the run.
    End {
        /// Why.
        why: String,
        /// Whether all that was asked for was done.
        complete: bool,
    },
}

impl EffectLine {
    /// Its topic and its message. Equal effects give equal messages.
    #[must_use]
    pub fn message(&self) -> (Topic, Value) {
        match self {
            Self::Note(event) => note(event),
            Self::Act(action) => (Topic::Effect, json!({"act": act(action)})),
            Self::Eager(eager) => (Topic::Effect, json!({"eager": eager})),
            Self::End { why, complete } => (
                Topic::Effect,
                json!({"end": {"why": why, "complete": complete}}),
            ),
        }
    }
}

fn point(p: &Point) -> Value {
    json!([p.x, p.y])
}

fn act(action: &Action) -> Value {
    let stroke = |s: &Stroke| match s {
        Stroke::Click(p) => json!({"click": point(p)}),
        Stroke::Key(name) => json!({"key": name}),
        Stroke::Park(p) => json!({"park": point(p)}),
        Stroke::Focus => json!("focus"),
    };
    let strokes: Vec<Value> = action.strokes.iter().map(stroke).collect();
    json!({
        "action": action.id, "frame_seq": action.cause_seq, "captured_at": action.cause_at.0,
        "expires_at": action.expires_at.0, "strokes": strokes, "window": action.window,
        "origin": action.origin,
    })
}

/// A number that stands for the pixels of an evidence picture.
#[must_use]
pub fn evidence_mark(picture: &Picture) -> u64 {
    // FNV-1a over whole pixels: told apart are pictures of one run, not forgeries.
    picture
        .pixels()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &pixel| {
            (hash ^ u64::from(pixel)).wrapping_mul(0x100_0000_01b3)
        })
}

fn note(event: &Event) -> (Topic, Value) {
    match event {
        Event::Decided {
            frame_seq,
            captured_at,
            board,
            action,
            score,
            nodes,
            took,
            note,
        } => (
            Topic::Decision,
            json!({
                "frame_seq": frame_seq, "captured_at": captured_at.0, "board": board,
                "action": action, "score": score, "nodes": nodes,
                "took_us": took.as_micros() as u64, "note": note,
            }),
        ),
        Event::Acted {
            action,
            frame_seq,
            captured_at,
            strokes,
            retry,
        } => (
            Topic::Action,
            json!({
                "action": action, "frame_seq": frame_seq, "captured_at": captured_at.0,
                "strokes": strokes, "retry": retry,
            }),
        ),
        Event::Mismatch {
            frame_seq,
            captured_at,
            expected,
            seen,
            cells,
            cause,
            handling,
            evidence,
            text,
        } => (
            Topic::Mismatch,
            json!({
                "frame_seq": frame_seq, "captured_at": captured_at.0, "expected": expected,
                "seen": seen, "cells": cells, "cause": cause, "handling": handling,
                "evidence": evidence.as_ref().map(|p| json!({
                    "width": p.width(), "height": p.height(), "mark": evidence_mark(p),
                })),
                "text": text,
            }),
        ),
        Event::Finished(result) => (Topic::Result, json!(result)),
        Event::Calibrated {
            frame_seq,
            size,
            corners,
            quality,
            classes,
            took,
        } => (
            Topic::Event,
            json!({"calibrated": {
                "frame_seq": frame_seq, "cols": size.cols, "rows": size.rows,
                "corners": corners.iter().map(point).collect::<Vec<_>>(), "quality": quality,
                "classes": classes, "took_us": took.as_micros() as u64,
            }}),
        ),
        Event::Confirmed {
            action,
            frame_seq,
            captured_at,
        } => (
            Topic::Event,
            json!({"confirmed": {
                "action": action, "frame_seq": frame_seq, "captured_at": captured_at.0,
            }}),
        ),
        Event::Observed {
            frame_seq,
            captured_at,
            since,
            what,
            board,
            text,
        } => (
            Topic::Event,
            json!({"observed": {
                "frame_seq": frame_seq, "captured_at": captured_at.0, "since": since.0,
                "what": what, "board": board, "text": text,
            }}),
        ),
        Event::RunStarted {
            command,
            profile,
            source,
            game,
            policy,
            ..
        } => (
            Topic::Event,
            json!({"run-started": {
                "command": command, "profile": profile, "source": source, "game": game,
                "policy": policy,
            }}),
        ),
        Event::RunEnded { why, frames } => (
            Topic::Event,
            json!({"run-ended": {"why": why, "handled": frames.0, "dropped": frames.1}}),
        ),
    }
}
