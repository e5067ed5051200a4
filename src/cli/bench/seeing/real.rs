//! Windows of sgt-flood, a program by other people, under a private X server.
//!
//! The truth is the board that the program was told to show.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, anyhow};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::stage::{Desktop, FloodSpec};
use crate::games::flood::rules::letter;
use crate::games::flood::target::cases::{Case, Progress, Truth, position};
use crate::types::{BoardText, GridSize, Point, PxFromCell, Rect};

const SCREEN: (u16, u16) = (1280, 800);
const THEMES: [&str; 2] = ["Clearlooks", "Onyx"];

/// Shows `count` boards from seed `from` and hands out a capture of each.
///
/// # Errors
/// When Xvfb, openbox or sgt-flood cannot be started.
pub fn each(
    from: u64,
    count: u64,
    take: &mut dyn FnMut(&Case) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut desktops = BTreeMap::new();
    for seed in from..from + count {
        let theme = THEMES[(seed % 2) as usize];
        if !desktops.contains_key(theme) {
            let (w, h) = SCREEN;
            desktops.insert(theme, Desktop::start(w, h, Some(theme))?);
        }
        let case = capture(&desktops[theme], seed, theme)
            .with_context(|| format!("real {seed} under {theme}"))?;
        take(&case)?;
    }
    Ok(())
}

fn capture(desktop: &Desktop, seed: u64, theme: &str) -> anyhow::Result<Case> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x7ea1);
    let size = GridSize::new(rng.random_range(5..=30), rng.random_range(5..=20));
    let colours = rng.random_range(3..=10);
    desktop.background(rng.random_range(0..0x100_0000))?;
    // More than six colours can also be had from the program's own generator, which then shows
    // the seventh as the first with a dot.
    let generated = colours > 6 && rng.random_bool(0.5);
    let (board, progress);
    let (child, window) = if generated {
        let words = format!("{size}c{colours}m5#{seed}");
        board = ask(&words)?;
        progress = "its own".to_owned();
        desktop.flood(&words)?
    } else {
        let how = Progress::any(&mut rng);
        board = position(&mut rng, size, colours, how);
        progress = how.name().to_owned();
        desktop.flood_at(&FloodSpec {
            size,
            colours,
            limit: 50,
            board: board.clone(),
        })?
    };
    let natural = desktop.client(window)?;
    let mut resized = false;
    if rng.random_bool(0.4) {
        let factor: f64 = rng.random_range(0.55..1.6);
        let fit = |v: u32, most: f64| (f64::from(v) * factor).min(most) as u32;
        let (w, h) = (fit(natural.width, 1240.0), fit(natural.height, 740.0));
        desktop.resize(window, w, h)?;
        // A program that does not like the size keeps its own.
        std::thread::sleep(std::time::Duration::from_millis(60));
        desktop.settled(window)?;
        let now = desktop.client(window)?;
        resized = (now.width, now.height) != (natural.width, natural.height);
    }
    let client = desktop.client(window)?;
    desktop.place(
        window,
        rng.random_range(0..=(i32::from(SCREEN.0) - client.width as i32 - 8).max(0)),
        rng.random_range(0..=(i32::from(SCREEN.1) - client.height as i32 - 34).max(0)),
    )?;
    let whole = rng.random_bool(0.5);
    let window_only = desktop.settled(window)?;
    let client = desktop.client(window)?;
    let picture = if whole {
        desktop.screen()?
    } else {
        window_only
    };
    drop(child);
    desktop.wait("the window's end", |d| {
        Ok((!d.windows()?.contains(&window)).then_some(()))
    })?;
    let corners = (!resized).then(|| corners(size, if whole { Some(client) } else { None }));
    Ok(Case {
        condition: condition(whole, resized).to_owned(),
        name: format!(
            "real {seed} {theme} {size} {colours} colours {progress} {}",
            condition(whole, resized)
        ),
        picture,
        truth: Some(Truth {
            size,
            board: BoardText::from_cells(usize::from(size.cols), board.iter().map(|&c| letter(c))),
            corners,
        }),
    })
}

const fn condition(whole: bool, resized: bool) -> &'static str {
    match (whole, resized) {
        (true, true) => "screen resized",
        (true, false) => "screen",
        (false, true) => "window resized",
        (false, false) => "window",
    }
}

/// In its own size the program draws cells of 32 px; the middle of the first border lies at
/// (16, 41) of the window.
fn corners(size: GridSize, client: Option<Rect>) -> [Point; 4] {
    let (x, y) = client.map_or((0, 0), |c| (c.x, c.y));
    let origin = Point::new(f64::from(x) + 16.0, f64::from(y) + 41.0);
    PxFromCell::upright(origin, 32.0, 32.0).corners(size)
}

/// The board that the program will show for its own words.
fn ask(words: &str) -> anyhow::Result<Vec<u8>> {
    let out = Command::new("/usr/games/sgt-flood")
        .args(["--generate", "1", words])
        .output()
        .context("/usr/games/sgt-flood cannot be run: is sgt-puzzles installed?")?;
    let text = String::from_utf8_lossy(&out.stdout);
    let digits = text
        .split_once(':')
        .and_then(|(_, rest)| rest.split_once(','))
        .map(|(digits, _)| digits)
        .ok_or_else(|| anyhow!("sgt-flood --generate 1 {words} says {text:?}"))?;
    Ok(digits.bytes().map(|b| b.wrapping_sub(b'0')).collect())
}
