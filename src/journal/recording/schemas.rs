//! JSON schemas of the topics, so that Foxglove knows what it opens.

use super::lines::Topic;

/// The schema's name and its text.
pub(super) const fn of(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::Frame => ("foxglove.CompressedImage", IMAGE),
        Topic::Log => ("foxglove.Log", LOG),
        Topic::Input => ("kibitzer.Input", INPUT),
        Topic::Reading => ("kibitzer.Reading", READING),
        Topic::Belief => ("kibitzer.Belief", BELIEF),
        Topic::Decision => ("kibitzer.Decision", DECISION),
        Topic::Action => ("kibitzer.Action", ACTION),
        Topic::Mismatch => ("kibitzer.Mismatch", MISMATCH),
        Topic::Result => ("kibitzer.Result", RESULT),
        Topic::Event => ("kibitzer.Event", EVENT),
        Topic::Effect => ("kibitzer.Effect", EFFECT),
    }
}

const IMAGE: &str = r#"{"title":"foxglove.CompressedImage","description":"A compressed image","type":"object","properties":{"timestamp":{"type":"object","title":"time","properties":{"sec":{"type":"integer","minimum":0},"nsec":{"type":"integer","minimum":0,"maximum":999999999}},"description":"When its light was captured"},"frame_id":{"type":"string"},"data":{"type":"string","contentEncoding":"base64","description":"Compressed image data"},"format":{"type":"string","description":"Image format"},"picture":{"type":"integer","description":"Counts the pictures of the recording from 1"}}}"#;

const LOG: &str = r#"{"title":"foxglove.Log","description":"A log message","type":"object","properties":{"timestamp":{"type":"object","title":"time","properties":{"sec":{"type":"integer","minimum":0},"nsec":{"type":"integer","minimum":0,"maximum":999999999}}},"level":{"title":"foxglove.LogLevel","oneOf":[{"title":"UNKNOWN","const":0},{"title":"DEBUG","const":1},{"title":"INFO","const":2},{"title":"WARNING","const":3},{"title":"ERROR","const":4},{"title":"FATAL","const":5}]},"message":{"type":"string"},"name":{"type":"string"},"file":{"type":"string"},"line":{"type":"integer","minimum":0}}}"#;

const INPUT: &str = r#"{"title":"kibitzer.Input","description":"What one tick of the loop was given","type":"object","properties":{"tick":{"type":"integer","description":"Counts from 1"},"now":{"type":"integer","description":"Microseconds of the run"},"outcomes":{"type":"integer","description":"Messages of outcome that follow"},"what":{"description":"A frame's facts, or what happened instead"},"testimony":{"type":"object","description":"Readings of the clock, budgets spent, answers that cannot be asked for again"}}}"#;

const READING: &str = r#"{"title":"kibitzer.Reading","description":"The board as it was read, where it changed","type":"object","properties":{"tick":{"type":"integer"},"board":{"type":"string","description":"Rows from the top, joined by /; ? could not be read"},"unknown":{"type":"integer"},"confidence":{"type":"number","description":"The lowest of all cells, 0 to 1"}}}"#;

const BELIEF: &str = r#"{"title":"kibitzer.Belief","description":"The believed board, where it changed","type":"object","properties":{"tick":{"type":"integer"},"board":{"type":["string","null"]}}}"#;

const DECISION: &str = r#"{"title":"kibitzer.Decision","description":"A policy's choice","type":"object","properties":{"tick":{"type":"integer"},"frame_seq":{"type":"integer"},"captured_at":{"type":"integer"},"board":{"type":"string"},"action":{"type":"string"},"score":{"type":["number","null"]},"nodes":{"type":"integer"},"took_us":{"type":"integer"},"note":{"type":"string"}}}"#;

const ACTION: &str = r#"{"title":"kibitzer.Action","description":"Strokes that were asked for","type":"object","properties":{"tick":{"type":"integer"},"action":{"type":"integer"},"frame_seq":{"type":"integer"},"captured_at":{"type":"integer"},"strokes":{"type":"string"},"retry":{"type":"integer"}}}"#;

const MISMATCH: &str = r#"{"title":"kibitzer.Mismatch","description":"What was seen is not what was expected","type":"object","properties":{"tick":{"type":"integer"},"frame_seq":{"type":"integer"},"captured_at":{"type":"integer"},"expected":{"type":"string"},"seen":{"type":"string"},"cells":{"type":"array"},"cause":{"type":"string"},"handling":{"type":"string"},"evidence":{"type":["object","null"]},"text":{"type":"string"}}}"#;

const RESULT: &str = r#"{"title":"kibitzer.Result","description":"A game has ended","type":"object","properties":{"tick":{"type":"integer"},"game":{"type":"string"},"result":{"type":"string"},"moves":{"type":"integer"},"seconds":{"type":"number"},"mismatches":{"type":"integer"},"why":{"type":"string"}}}"#;

const EVENT: &str = r#"{"title":"kibitzer.Event","description":"What else the journal keeps: calibrated, confirmed, observed, run-started, run-ended","type":"object","properties":{"tick":{"type":"integer"}}}"#;

const EFFECT: &str = r#"{"title":"kibitzer.Effect","description":"What hands and shell were asked for: act, eager, end","type":"object","properties":{"tick":{"type":"integer"}}}"#;
