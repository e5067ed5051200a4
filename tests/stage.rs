//! The stage of the other tests does what it says, or they would prove nothing.

use std::path::Path;
use std::process::Command;

use kibitzer::types::{GridSize, Rect};

use crate::support::{bare_screen, desktop, position};

/// The colours in the middle of the cells of a board in its natural size.
fn cells(desktop: &kibitzer::cli::bench::stage::Desktop, window: u32, size: GridSize) -> Vec<u32> {
    let picture = desktop.settled(window).expect("drawn");
    size.cells()
        .map(|c| {
            picture.at(
                16 + 32 * u32::from(c.col) + 8,
                41 + 32 * u32::from(c.row) + 8,
            )
        })
        .collect()
}

#[test]
fn sgt_flood_shows_the_position_it_is_given() {
    let Some(desktop) = desktop("Clearlooks") else {
        return;
    };
    let spec = position("abca/bcab/cabc/dddd", 6, 20);
    let (_game, window) = desktop.flood_at(&spec).expect("started");
    let colour = [0xff_0000, 0xff_ff00, 0x00_ff00, 0x33_4cff];
    let seen = cells(&desktop, window, spec.size);
    let wanted: Vec<u32> = spec.board.iter().map(|&c| colour[usize::from(c)]).collect();
    assert_eq!(seen, wanted);
}

#[test]
fn eight_colours_come_from_a_saved_game() {
    let Some(desktop) = desktop("Onyx") else {
        return;
    };
    let spec = position("abcd/efgh/abcd/efgh", 8, 20);
    let (_game, window) = desktop.flood_at(&spec).expect("started");
    let seen = cells(&desktop, window, spec.size);
    let distinct: std::collections::BTreeSet<u32> = seen.iter().copied().collect();
    assert_eq!(distinct.len(), 8, "{seen:06x?}");
    assert_eq!(seen[..8], seen[8..]);
}

#[test]
fn clicks_and_keys_reach_the_game() {
    let Some(desktop) = desktop("Clearlooks") else {
        return;
    };
    let spec = position("abca/bcab/cabc/dddd", 6, 20);
    let (_game, window) = desktop.flood_at(&spec).expect("started");
    let at = desktop.client(window).expect("there");
    let before = cells(&desktop, window, spec.size);
    desktop
        .click(at.x + 16 + 32 + 16, at.y + 41 + 16)
        .expect("clicked");
    let changed = |want: bool| {
        desktop
            .wait("the move", |d| {
                let now = cells(d, window, spec.size);
                Ok(((now != before) == want).then_some(now))
            })
            .expect("it shows")
    };
    assert_eq!(changed(true)[0], before[1], "the corner took the colour");
    desktop.key('u').expect("pressed");
    changed(false);
}

#[test]
fn windows_move_resize_hide_and_close() {
    let Some(desktop) = desktop("Clearlooks") else {
        return;
    };
    let (_game, window) = desktop.flood("6x6c4m5#1").expect("started");
    desktop.place(window, 300, 200).expect("moved");
    let moved = desktop.wait("the move", |d| {
        let c = d.client(window)?;
        Ok((c.x >= 300 && c.x < 310 && c.y >= 200 && c.y < 240).then_some(c))
    });
    let before = moved.expect("it moved");
    desktop.resize(window, 400, 450).expect("resized");
    desktop
        .wait("the new size", |d| {
            let c = d.client(window)?;
            Ok((c.width > before.width && c.height > before.height).then_some(()))
        })
        .expect("it grew");
    desktop.minimise(window).expect("asked");
    desktop
        .wait("minimised", |d| Ok((!d.is_viewable(window)?).then_some(())))
        .expect("it hid");
    desktop.raise(window).expect("asked");
    desktop
        .wait("raised", |d| Ok(d.is_viewable(window)?.then_some(())))
        .expect("it came back");
    desktop.close(window).expect("asked");
    desktop
        .wait("closed", |d| {
            Ok((!d.windows()?.contains(&window)).then_some(()))
        })
        .expect("it closed");
}

#[test]
fn a_cover_lies_on_top_until_it_is_taken_away() {
    let Some(desktop) = bare_screen() else {
        return;
    };
    desktop.background(0x20_40_60).expect("coloured");
    let area = Rect {
        x: 50,
        y: 60,
        width: 70,
        height: 80,
    };
    let cover = desktop.cover(area, 0xaa_bb_cc).expect("covered");
    assert_eq!(desktop.screen().expect("seen").at(51, 61), 0xaa_bb_cc);
    desktop.uncover(cover).expect("uncovered");
    assert_eq!(desktop.screen().expect("seen").at(51, 61), 0x20_40_60);
}

#[test]
fn nothing_outlives_its_desktop() {
    let Some(desktop) = desktop("Clearlooks") else {
        return;
    };
    let (game, _) = desktop.flood("6x6c4m5#2").expect("started");
    let display = desktop.display().to_owned();
    let socket = format!("/tmp/.X11-unix/X{}", display.trim_start_matches(':'));
    assert!(Path::new(&socket).exists());
    drop(game);
    drop(desktop);
    assert!(!Path::new(&socket).exists(), "the server tidied up");
    let gone = Command::new("xdpyinfo")
        .args(["-display", &display])
        .output();
    assert!(gone.is_err() || gone.is_ok_and(|o| !o.status.success()));
}
