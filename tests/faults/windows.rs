//! The window is moved, resized, covered, minimised, pushed over the edge, closed.

use std::time::Duration;

use kibitzer::types::Rect;

use super::table::{Table, until};

/// About six moves a second: slow enough for a person to come between.
const PACE: [&str; 2] = ["--pace", "400"];

#[test]
fn a_moved_window_is_followed() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&PACE);
    run.after_moves(2);
    for (i, (x, y)) in [(20, 30), (500, 200), (333, 111)].into_iter().enumerate() {
        table.move_to(x, y);
        run.tells("window-moved", i + 1);
        run.goes_on();
        // Longer than two moves that are one trouble.
        std::thread::sleep(Duration::from_millis(510));
    }
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert!(
        run.causes().iter().all(|c| c == "window-moved"),
        "{:?}",
        run.causes()
    );
}

#[test]
fn a_window_that_moves_all_the_time_is_played_on() {
    let Some(table) = Table::set("14x14c6m0#43") else {
        return;
    };
    // As fast as it can, so that moves of the window fall between look and click.
    let mut run = table.play(&["--games", "3"]);
    run.after_moves(1);
    for step in 0..40 {
        // Less than a cell: a click that is overtaken by a move in the last instant, which no
        // program can exclude, still hits the window.
        let (x, y) = (300 + step * 17 % 25, 80 + step * 11 % 25);
        table.desktop.place(table.window, x, y).expect("moved");
        // It waits for 100 ms after it has seen a move, then plays every 10 to 20 ms: the next
        // move comes at any moment of that.
        std::thread::sleep(Duration::from_millis(100 + (step as u64 * 37) % 83));
    }
    run.tells("window-moved", 1);
    let ended = run.end();
    assert_eq!(ended.status, 0, "{} {:?}", ended.stderr, run.causes());
    assert_eq!(ended.games.len(), 3);
    assert_eq!(table.strays(), Vec::<String>::new());
    let overtaken = ["wrong-move", "user-moved", "click-lost"];
    let overtaken: usize = overtaken.iter().map(|c| run.count(c)).sum();
    assert!(overtaken <= 4, "{:?}", run.causes());
}

#[test]
fn a_resized_window_is_found_again_and_the_game_goes_on() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&PACE);
    run.after_moves(3);
    let before = table.desktop.client(table.window).expect("there");
    for (width, height, n) in [
        (600, 620, 1),
        (400, 430, 2),
        (before.width, before.height, 3),
    ] {
        table
            .desktop
            .resize(table.window, width, height)
            .expect("resized");
        until("the new size", || {
            let now = table.desktop.client(table.window).expect("there");
            (now.width, now.height) == (width, height)
        });
        table.desktop.settled(table.window).expect("drawn");
        table.note_place();
        run.tells("window-resized", n);
        run.goes_on();
    }
    run.wins();
    table.only_the_board_was_clicked(&run);
    let mut causes = run.causes();
    // A pointer parked beside a small board may lie on a larger one; on a busy machine an action
    // may lapse before it is made. Neither is about the belief.
    causes.retain(|c| c != "pointer-over-board" && c != "expired");
    assert!(
        causes.iter().all(|c| c == "window-resized"),
        "the belief was kept: {causes:?}"
    );
}

#[test]
fn a_window_that_is_dragged_larger_is_one_trouble() {
    let Some(table) = Table::set("14x14c6m0#44") else {
        return;
    };
    let mut run = table.play(&PACE);
    run.after_moves(2);
    for step in 0..25 {
        table
            .desktop
            .resize(table.window, 480 + 8 * step, 540 + 6 * step)
            .expect("resized");
        std::thread::sleep(Duration::from_millis(12));
    }
    table.desktop.settled(table.window).expect("drawn");
    table.note_place();
    run.wins();
    table.only_the_board_was_clicked(&run);
    let mut causes = run.causes();
    causes.retain(|c| c != "pointer-over-board");
    assert_eq!(causes, ["window-resized"]);
}

#[test]
fn behind_another_window_nothing_is_clicked() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&PACE);
    let board = table.board();
    // All of it, a corner of it, and a stripe in one of its colours.
    let whole = Rect {
        x: board.x - 30,
        y: board.y - 60,
        width: 540,
        height: 560,
    };
    let corner = Rect {
        x: board.x + 200,
        y: board.y + 200,
        width: 600,
        height: 300,
    };
    let stripe = Rect {
        x: board.x - 40,
        y: board.y + 64,
        width: 560,
        height: 96,
    };
    for (i, (area, rgb)) in [(whole, 0x20_2020), (corner, 0xe8_e8e8), (stripe, 0xff_8000)]
        .into_iter()
        .enumerate()
    {
        run.after_moves(2 + 3 * i);
        let cover = table.cover(area, rgb);
        run.tells("covered", i + 1);
        run.rests_for(Duration::from_millis(1300));
        assert_eq!(
            table.strays(),
            Vec::<String>::new(),
            "the cover was not clicked"
        );
        drop(cover);
        run.goes_on();
    }
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert!(
        run.causes().iter().all(|c| c == "covered"),
        "{:?}",
        run.causes()
    );
}

#[test]
fn behind_a_managed_window_nothing_is_clicked() {
    let Some(table) = Table::set("14x14c6m0#45") else {
        return;
    };
    let mut run = table.play(&PACE);
    run.after_moves(3);
    let area = Rect {
        x: 280,
        y: 150,
        width: 500,
        height: 400,
    };
    let program = table.program("Notes", area, 0xff_ffff);
    run.tells("covered", 1);
    run.rests_for(Duration::from_millis(1500));
    drop(program);
    run.goes_on();
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert_eq!(run.causes(), ["covered"]);
}

#[test]
fn a_minimised_window_is_waited_for() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&PACE);
    for i in 1..=2 {
        run.after_moves(3 * i);
        table.desktop.minimise(table.window).expect("asked");
        run.tells("minimised", i);
        run.rests_for(Duration::from_millis(600));
        table.desktop.raise(table.window).expect("asked");
        run.goes_on();
    }
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert_eq!(run.causes(), ["minimised", "minimised"]);
}

#[test]
fn off_the_screen_nothing_is_clicked() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&PACE);
    // Beyond the right edge, the left, the lower, and quite outside.
    for (i, (x, y)) in [(1000, 80), (-200, 80), (300, 500), (1279, 799)]
        .into_iter()
        .enumerate()
    {
        run.after_moves(2 + 2 * i);
        table.desktop.place(table.window, x, y).expect("moved");
        run.tells("off-screen", i + 1);
        run.rests_for(Duration::from_millis(500));
        table.move_to(300, 80);
        run.goes_on();
    }
    run.wins();
    table.only_the_board_was_clicked(&run);
    let all = run.causes();
    assert!(
        all.iter().all(|c| c == "off-screen" || c == "window-moved"),
        "{all:?}"
    );
}

/// What can be seen of a board at the start may not be all of it.
#[test]
fn a_part_of_a_board_is_not_played() {
    let Some(table) = Table::set("14x14c6m0#46") else {
        return;
    };
    table.desktop.place(table.window, 1000, 80).expect("moved");
    until("the edge", || {
        let at = table.desktop.client(table.window).expect("there");
        at.x + at.width as i32 > 1280
    });
    let mut run = table.play(&PACE);
    run.tells("off-screen", 1);
    run.rests_for(Duration::from_millis(500));
    let right = Rect {
        x: 520,
        y: 60,
        width: 400,
        height: 700,
    };
    let cover = table.cover(right, 0x20_2020);
    table.desktop.place(table.window, 300, 80).expect("moved");
    run.tells("covered", 1);
    run.rests_for(Duration::from_millis(500));
    drop(cover);
    table.note_place();
    run.wins();
    table.only_the_board_was_clicked(&run);
}

#[test]
fn a_closed_window_ends_the_run() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&PACE);
    run.after_moves(3);
    table.desktop.close(table.window).expect("asked");
    run.aborts("window closed: Flood");
    assert_eq!(run.causes(), ["source-gone"]);
    assert_eq!(table.strays(), Vec::<String>::new());
}
