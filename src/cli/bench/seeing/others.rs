//! Windows of programs that show no Flood-It board, under a private X server.
//!
//! Many are other puzzles by the author of sgt-flood: the same window, menu, grey and lines.
//! Left out are those that do show a lattice of filled cells in a few colours (flip, samegame,
//! unruly, cube, light up) and programs that are not installed.

use std::path::Path;

use anyhow::Context;

use super::super::stage::Desktop;
use crate::games::flood::target::cases::Case;

/// Program and arguments.
const PROGRAMS: [(&str, &[&str]); 36] = [
    ("/usr/games/sgt-blackbox", &[]),
    ("/usr/games/sgt-bridges", &[]),
    ("/usr/games/sgt-dominosa", &[]),
    ("/usr/games/sgt-fifteen", &[]),
    ("/usr/games/sgt-filling", &[]),
    ("/usr/games/sgt-galaxies", &[]),
    ("/usr/games/sgt-guess", &[]),
    ("/usr/games/sgt-inertia", &[]),
    ("/usr/games/sgt-keen", &[]),
    ("/usr/games/sgt-loopy", &[]),
    ("/usr/games/sgt-magnets", &[]),
    ("/usr/games/sgt-map", &[]),
    ("/usr/games/sgt-mines", &["9x9n10"]),
    ("/usr/games/sgt-mosaic", &[]),
    ("/usr/games/sgt-net", &[]),
    ("/usr/games/sgt-netslide", &[]),
    ("/usr/games/sgt-palisade", &[]),
    ("/usr/games/sgt-pattern", &[]),
    ("/usr/games/sgt-pearl", &[]),
    ("/usr/games/sgt-pegs", &[]),
    ("/usr/games/sgt-range", &[]),
    ("/usr/games/sgt-rect", &[]),
    ("/usr/games/sgt-signpost", &[]),
    ("/usr/games/sgt-singles", &[]),
    ("/usr/games/sgt-sixteen", &[]),
    ("/usr/games/sgt-slant", &[]),
    ("/usr/games/sgt-solo", &[]),
    ("/usr/games/sgt-tents", &[]),
    ("/usr/games/sgt-towers", &[]),
    ("/usr/games/sgt-tracks", &[]),
    ("/usr/games/sgt-twiddle", &[]),
    ("/usr/games/sgt-undead", &[]),
    ("/usr/games/sgt-unequal", &[]),
    ("/usr/games/sgt-untangle", &[]),
    ("/usr/bin/xfd", &["-fn", "fixed"]),
    ("/usr/bin/xfontsel", &[]),
];

/// Starts each program once and hands out the window and the whole screen.
///
/// # Errors
/// When the X server cannot be started.
pub fn each(take: &mut dyn FnMut(&Case) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let desktop = Desktop::start(1280, 800, Some("Clearlooks"))?;
    desktop.background(0x30_50_70)?;
    for (program, args) in PROGRAMS {
        if !Path::new(program).exists() {
            continue;
        }
        let before = desktop.windows()?;
        let child = desktop.run(program, args)?;
        let window = desktop
            .wait("a window", |d| {
                let now = d.windows()?;
                Ok(now.into_iter().find(|w| !before.contains(w)))
            })
            .with_context(|| program.to_owned())?;
        let picture = desktop.settled(window)?;
        let screen = desktop.screen()?;
        for (what, picture) in [("window", picture), ("screen", screen)] {
            take(&Case {
                condition: "other programs".to_owned(),
                name: format!("{program} {what}"),
                picture,
                truth: None,
            })?;
        }
        drop(child);
        desktop.wait("the window's end", |d| {
            Ok((!d.windows()?.contains(&window)).then_some(()))
        })?;
    }
    Ok(())
}
