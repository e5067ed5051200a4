//! `kibitzer bench duel-real`: two-player programs that nobody here wrote, on a screen of their own,
//! each from a cold start: the program as its user finds it, then `kibitzer play` with its profile.
//!
//! An onlooker beside it knows where the program draws its cells and how it tells the end of a
//! game: results, clicks and the time of a reply are judged by that, not by what was believed.

mod measure;
mod watch;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use self::measure::{Measured, Must};
use self::watch::Watch;
use super::stage::{BoardProgram, BovoTheme, Desktop};
use super::table::Table;
use crate::config::profile::{self, Profile};
use crate::types::{Act, Step};

/// Longest that a game may take on average before a run is broken off.
const PER_GAME: Duration = Duration::from_secs(300);
/// From one look of the onlooker to the next.
const LOOK: Duration = Duration::from_millis(5);

/// Options of `kibitzer bench duel-real`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The program (bovo-scribble is bovo in that look); all where none is named
    #[arg(long, value_name = "NAME")]
    program: Option<String>,
    /// Games with each program
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The policy
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// Keep the journals and a picture of the end of each run in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Fail unless results, clicks and replies are as they must be
    #[arg(long)]
    prove: bool,
}

/// A program as it is to be played.
struct Case {
    name: String,
    program: BoardProgram,
    /// Who begins is settled by the steps of the profile: the program does.
    second: bool,
    must: Must,
}

fn cases() -> Vec<Case> {
    let xvier = BoardProgram::Xvier {
        level: 9,
        size: (7, 6),
    };
    let case = |program: BoardProgram, must| Case {
        name: program.to_string(),
        program,
        second: false,
        must,
    };
    let mut all = vec![
        case(xvier, Must::WinAll),
        Case {
            name: "xvier-second".to_owned(),
            second: true,
            ..case(xvier, Must::LoseNone)
        },
        case(BoardProgram::FourInARow { level: 3 }, Must::LoseNone),
        case(BoardProgram::Kfourinline, Must::LoseNone),
        case(BoardProgram::ExplosiveC4, Must::LoseNone),
    ];
    let bovo = |theme| case(BoardProgram::Bovo { theme, level: 7 }, Must::Win(0.9));
    all.extend(BovoTheme::ALL.map(bovo));
    all.push(case(BoardProgram::GomokuApp { level: 5 }, Must::LoseNone));
    all
}

/// Runs `kibitzer bench duel-real`.
///
/// # Errors
/// When a screen or a program cannot be started, or no program has that name.
pub fn run(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let all = cases();
    let named = |case: &&Case| {
        let wanted = options.program.as_deref();
        wanted.is_none_or(|n| n == case.name || n == case.program.name())
    };
    let chosen: Vec<&Case> = all.iter().filter(named).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
        bail!("there is no such program; there are: {}", names.join(", "));
    }
    let mut table = Table::new(json, measure::COLUMNS);
    let mut missed = Vec::new();
    for case in chosen {
        if let Some(file) = case.program.missing() {
            bail!("{} cannot be started: there is no {file}", case.program);
        }
        let measured = play(case, options)?;
        missed.extend(measured.missed(&case.name, options.games, case.must));
        table.row(measured.row(&case.name));
    }
    table.finish();
    if options.prove && !missed.is_empty() {
        eprintln!("missed: {}", missed.join("; "));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// One run of several games from a cold start.
fn play(case: &Case, options: &Options) -> anyhow::Result<Measured> {
    let desktop = Desktop::start(1280, 800, Some("Clearlooks"))?;
    let (_program, window) = desktop.board_game(case.program)?;
    let journal = desktop.folder().join("journal.db");
    let profile = match case.second {
        true => second(case.program.name(), desktop.folder())?,
        false => case.program.name().to_owned(),
    };
    let out = desktop.folder().join("out");
    let said = desktop.folder().join("err");
    let file = |path: &Path| {
        std::fs::File::create(path).with_context(|| format!("{}: cannot be made", path.display()))
    };
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["play", &profile, "--json", "--games"])
        .arg(options.games.to_string())
        .arg("--journal")
        .arg(&journal)
        .env("DISPLAY", desktop.display())
        .stdin(Stdio::null())
        .stdout(file(&out)?)
        .stderr(file(&said)?);
    if let Some(policy) = &options.policy {
        command.args(["--policy", policy]);
    }
    let began = Instant::now();
    let mut child = command.spawn().context("starting kibitzer play")?;
    let mut watch = Watch::new(&desktop, case.program, window);
    let broken_off = loop {
        watch.look()?;
        if child.try_wait()?.is_some() {
            break false;
        }
        if began.elapsed() > PER_GAME * options.games {
            child.kill()?;
            child.wait()?;
            break true;
        }
        std::thread::sleep(LOOK);
    };
    // The last word of a program may come after its game was seen to be over.
    let end = Instant::now() + Duration::from_secs(2);
    while watch.told.len() < options.games as usize && Instant::now() < end {
        watch.look()?;
        std::thread::sleep(LOOK);
    }
    let results = std::fs::read_to_string(&out)?;
    let results: Vec<Value> = results
        .lines()
        .filter_map(|l| serde_json::from_str(l).ok())
        .collect();
    let why = match broken_off {
        true => "it took too long".to_owned(),
        false => std::fs::read_to_string(&said)?.trim().to_owned(),
    };
    if let Some(folder) = &options.keep {
        std::fs::create_dir_all(folder)?;
        let name = |what: &str| folder.join(format!("{}{what}", case.name));
        std::fs::copy(&journal, name(".db")).context("the journal cannot be copied")?;
        desktop.screen()?.to_rgb().save(name(".png"))?;
    }
    let board = case.program.board_px();
    let client = desktop.client(window)?;
    let board = crate::types::Rect {
        x: client.x + board.x,
        y: client.y + board.y,
        ..board
    };
    Measured::of(&journal, &results, &watch, board, began.elapsed(), why)
}

/// The profile of a program with one more step in which the computer is told to begin.
fn second(name: &str, folder: &Path) -> anyhow::Result<String> {
    let text = profile::SHIPPED.iter().find(|(n, _)| *n == name);
    let (_, text) = text.with_context(|| format!("no profile {name} is shipped"))?;
    let mut profile = Profile::parse(name, name, text)?;
    let begin = Step {
        act: Act::Key("s".to_owned()),
        window: None,
        within: Duration::from_secs(5),
    };
    profile.script.start.always = true;
    profile.script.start.steps.push(begin.clone());
    profile.script.again.push(begin);
    let file = folder.join(format!("{name}.toml"));
    std::fs::write(&file, profile.to_toml()?)
        .with_context(|| format!("{}: cannot be written", file.display()))?;
    Ok(file.display().to_string())
}

/// A number or nothing.
fn number(value: Option<f64>) -> Value {
    value.map_or(Value::Null, |v| json!(v))
}
