//! A folder that explains a run: text for people, lines for programs, pictures, configuration.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::error::JournalError;
use super::read::{Entry, Evidence, Latencies, Reads, RunRow, What, Which};

/// What was written where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The folder.
    pub folder: PathBuf,
    /// Pictures in it.
    pub pictures: usize,
    /// Events in it.
    pub events: usize,
}

fn file(path: PathBuf, bytes: &[u8]) -> Result<(), JournalError> {
    std::fs::write(&path, bytes).map_err(|source| JournalError::Export { path, source })
}

/// Writes `run.txt`, `run.json`, `events.jsonl`, `config.json` and `pictures/*.png` into `folder`,
/// which is made if needed.
///
/// # Errors
/// When there is no such run, the journal cannot be read or a file cannot be written.
pub fn export(reads: Reads<'_>, which: Which, folder: &Path) -> Result<Exported, JournalError> {
    let run = reads.run(which)?;
    let entries = reads.timeline(run.run)?;
    let latencies = reads.latencies(run.run)?;
    let pictures = folder.join("pictures");
    std::fs::create_dir_all(&pictures).map_err(|source| JournalError::Export {
        path: pictures.clone(),
        source,
    })?;
    let mut written = 0;
    for entry in &entries {
        if let What::Mismatch {
            evidence: Evidence::Picture(id),
            ..
        } = entry.what
            && let Some(png) = reads.picture(id)?
        {
            file(pictures.join(picture_name(entry)), &png)?;
            written += 1;
        }
    }
    let mut lines = String::new();
    for entry in &entries {
        lines.push_str(&json(entry));
        lines.push('\n');
    }
    file(folder.join("events.jsonl"), lines.as_bytes())?;
    file(
        folder.join("run.json"),
        format!("{}\n", json(&run)).as_bytes(),
    )?;
    let config = reads.config(run.run)?;
    file(folder.join("config.json"), format!("{config}\n").as_bytes())?;
    let text = story(&run, &entries, &latencies, true);
    file(folder.join("run.txt"), text.as_bytes())?;
    Ok(Exported {
        folder: folder.to_owned(),
        pictures: written,
        events: entries.len(),
    })
}

/// JSON of plain data, which cannot fail; a failure would be visible in the line.
pub fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|e| format!("\"{e}\""))
}

fn picture_name(entry: &Entry) -> String {
    let cause = match &entry.what {
        What::Mismatch { cause, .. } => cause.as_str(),
        _ => "picture",
    };
    // Causes are names of ours, but the file may have been edited.
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let cause: String = cause.chars().filter(|c| safe(*c)).collect();
    format!("{:06}-{cause}.png", entry.ord)
}

/// `12.345 s`
fn seconds(us: u64) -> String {
    format!("{:.3} s", us as f64 / 1e6)
}

/// Everything of a run for a person, in the order in which it happened.
#[must_use]
pub fn story(run: &RunRow, entries: &[Entry], latencies: &Latencies, pictures: bool) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = head(&mut out, run, latencies);
    for entry in entries {
        let _ = line(&mut out, entry, pictures);
    }
    let end = run.ended_at.map_or_else(String::new, seconds);
    let _ = writeln!(out, "{end:>12}  end: {}", run.why);
    out
}

fn head(out: &mut String, run: &RunRow, l: &Latencies) -> std::fmt::Result {
    let started = match &run.started {
        Some(text) => format!("started {text} UTC"),
        None => "started at an unknown time".into(),
    };
    writeln!(out, "run {}, {started}, kibitzer {}", run.run, run.program)?;
    writeln!(
        out,
        "{} {} with {}, profile {}, source {}",
        run.command, run.game, run.policy, run.profile, run.source
    )?;
    writeln!(
        out,
        "games: {} won, {} lost, {} drawn, {} aborted; moves {}; mismatches {}",
        run.won, run.lost, run.drawn, run.aborted, run.moves, run.mismatches
    )?;
    if let (Some(frames), Some(dropped)) = (run.frames, run.dropped) {
        writeln!(out, "frames: {frames} handled, {dropped} dropped")?;
    }
    writeln!(out, "frame to action: {}", l.screen_to_click)?;
    writeln!(out, "action to seen:  {}", l.click_to_seen)?;
    writeln!(out, "thinking:        {}", l.thinking)?;
    writeln!(out, "move to move:    {}", l.period)?;
    if l.answer.count > 0 {
        writeln!(out, "their move to our action: {}", l.answer)?;
    }
    writeln!(out)
}

/// Rows of a board, indented.
fn board(out: &mut String, title: &str, rows: &str) -> std::fmt::Result {
    if rows.is_empty() {
        return writeln!(out, "              {title}: no board");
    }
    writeln!(out, "              {title}:")?;
    for row in rows.split('/') {
        writeln!(out, "                {row}")?;
    }
    Ok(())
}

/// What was expected beside what was seen; rows that differ are marked.
fn both(out: &mut String, expected: &str, seen: &str) -> std::fmt::Result {
    if expected.is_empty() || seen.is_empty() {
        board(out, "expected", expected)?;
        return board(out, "seen", seen);
    }
    let (left, right): (Vec<_>, Vec<_>) =
        (expected.split('/').collect(), seen.split('/').collect());
    let width = left
        .iter()
        .map(|r| r.chars().count())
        .max()
        .unwrap_or(0)
        .max("expected".len());
    writeln!(out, "                {:<width$}  seen", "expected")?;
    for i in 0..left.len().max(right.len()) {
        let (l, r) = (left.get(i).unwrap_or(&""), right.get(i).unwrap_or(&""));
        let mark = if l == r { "" } else { "  <" };
        writeln!(out, "                {l:<width$}  {r}{mark}")?;
    }
    Ok(())
}

fn line(out: &mut String, entry: &Entry, pictures: bool) -> std::fmt::Result {
    write!(out, "{:>12}  ", seconds(entry.at))?;
    match &entry.what {
        What::Calibrated {
            frame_seq,
            cols,
            rows,
            quality,
            classes,
            took_us,
            ..
        } => writeln!(
            out,
            "frame {frame_seq}: board {cols}x{rows} found, quality {quality:.2}, classes {}, took {}",
            classes,
            ms(*took_us)
        ),
        What::Decided {
            frame_seq,
            board: rows,
            action,
            score,
            nodes,
            took_us,
            note,
            ..
        } => {
            let score = score.map_or_else(|| "none".into(), |s| format!("{s:.3}"));
            writeln!(
                out,
                "frame {frame_seq}: move {action}, score {score}, {nodes} nodes in {}{}{note}",
                ms(*took_us),
                if note.is_empty() { "" } else { ": " }
            )?;
            board(out, "position", rows)
        }
        What::Acted {
            action,
            retry,
            captured_at,
            strokes,
            seen_at,
            ..
        } => {
            write!(out, "action {action}")?;
            if *retry > 0 {
                write!(out, " (retry {retry})")?;
            }
            let late = ms(entry.at.saturating_sub(*captured_at));
            write!(out, ": {strokes}, {late} after its frame")?;
            match seen_at {
                Some(at) => writeln!(out, ", seen {} later", ms(at.saturating_sub(entry.at))),
                None => writeln!(out, ", never seen to work"),
            }
        }
        What::Confirmed {
            action, frame_seq, ..
        } => writeln!(out, "frame {frame_seq}: action {action} has worked"),
        What::Observed {
            frame_seq,
            since,
            board: rows,
            text,
            ..
        } => {
            let late = ms(entry.at.saturating_sub(*since));
            writeln!(out, "frame {frame_seq}: {text}, {late} after it began")?;
            board(out, "position", rows)
        }
        What::Mismatch {
            frame_seq,
            expected,
            seen,
            cells,
            cause,
            handling,
            text,
            evidence,
            ..
        } => {
            writeln!(
                out,
                "frame {frame_seq}: MISMATCH {cause}, handled by {handling}: {text}"
            )?;
            if !cells.is_empty() {
                let cells: Vec<String> = cells.iter().map(|[c, r]| format!("{c},{r}")).collect();
                writeln!(out, "              cells (column,row): {}", cells.join(" "))?;
            }
            both(out, expected, seen)?;
            match evidence {
                Evidence::None => Ok(()),
                Evidence::Picture(_) if pictures => {
                    writeln!(
                        out,
                        "              picture: pictures/{}",
                        picture_name(entry)
                    )
                }
                Evidence::Picture(_) => {
                    writeln!(
                        out,
                        "              picture: kept (`kibitzer journal export` writes it)"
                    )
                }
                Evidence::Pending => {
                    writeln!(
                        out,
                        "              picture: not finished when the process ended"
                    )
                }
                Evidence::Dropped => {
                    writeln!(
                        out,
                        "              picture: deleted to keep the journal small"
                    )
                }
            }
        }
        What::Finished {
            game,
            result,
            moves,
            seconds,
            why,
            ..
        } => writeln!(
            out,
            "{game} {result} after {moves} moves in {seconds:.3} s: {why}"
        ),
    }
}

/// `1.23 ms`
fn ms(us: u64) -> String {
    format!("{:.2} ms", us as f64 / 1000.0)
}
