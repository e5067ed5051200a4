//! An engine on a pair of streams: its lines are heard by a thread of their own, so that END, or
//! the manager's being gone, ends it also while it thinks.
//!
//! Lines are answered in their order. A script that is piped in as a whole, END and all, gets its
//! answers; a manager that says END while it waits for a move gets none.

use std::io::{Read, Write};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::engine::{Engine, Flow};
use super::words::Command;
use crate::brains::process::{Line, Lines};
use crate::types::Stop;

/// A move that is being thought about when the end comes is finished within this, or cut short.
const GRACE: Duration = Duration::from_millis(500);
/// An END this much later than a line was not piped in together with it.
const TOGETHER: Duration = Duration::from_millis(100);

/// Serves until END, the end of the input, or an output that nobody reads any more. `stop` must be
/// the switch that the engine was made with.
///
/// # Errors
/// When the system gives no thread.
pub fn serve(
    mut engine: Engine,
    mut input: impl Read + Send + 'static,
    mut output: impl Write,
    stop: &Stop,
) -> std::io::Result<()> {
    let (tell, told) = channel();
    let stop = stop.clone();
    let end = Arc::new(OnceLock::new());
    let ended = Arc::clone(&end);
    std::thread::Builder::new()
        .name("manager".into())
        .spawn(move || {
            let (mut lines, mut bytes) = (Lines::default(), [0; 4096]);
            let mut give = |line: Line| {
                let is_end = matches!(&line, Line::Whole(l) if Command::parse(l) == Command::End);
                if is_end {
                    let _ = ended.set(Instant::now());
                }
                tell.send((line, Instant::now())).is_ok() && !is_end
            };
            loop {
                match input.read(&mut bytes) {
                    Ok(n) if n > 0 => {
                        if !lines.take(&bytes[..n], &mut give) {
                            break;
                        }
                    }
                    Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                    _ => {
                        lines.end(&mut give);
                        break;
                    }
                }
            }
            drop(tell);
            std::thread::sleep(GRACE);
            stop.pull("the manager has gone");
        })?;
    while let Ok((line, heard)) = told.recv() {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong => "(a line too long)".to_owned(),
        };
        let mut lost = false;
        let flow = engine.hear(&line, heard, &mut |answer| {
            let unwanted = end.get().is_some_and(|&end| end > heard + TOGETHER);
            if !unwanted {
                lost |= writeln!(output, "{answer}")
                    .and_then(|()| output.flush())
                    .is_err();
            }
        });
        if flow == Flow::End || lost {
            break;
        }
    }
    Ok(())
}
