//! Clicks that do not arrive: something unseen lies over the board, another program holds the
//! pointer, the game does not react.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::mouse::X11Mouse;
use kibitzer::act::{ActError, Actuator as _};
use kibitzer::decide::{Facts, Gate, Limits};
use kibitzer::types::{Clock as _, Point, Rect, Stroke, SystemClock};

use crate::support::together;

use super::table::{Table, until};

#[test]
fn an_unseen_window_over_the_board_is_noticed_before_the_button_goes_down() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "400"]);
    run.after_moves(3);
    let cover = table.invisible_cover(Rect {
        x: 0,
        y: 0,
        width: 1280,
        height: 800,
    });
    run.tells("not-target", 1);
    let acts = run.acts();
    until("three more tries", || run.acts() >= acts + 3);
    assert_eq!(table.strays(), Vec::<String>::new(), "nothing was pressed");
    drop(cover);
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert!(
        run.causes().iter().all(|c| c == "not-target"),
        "{:?}",
        run.causes()
    );
    assert_eq!(run.count("not-target"), 1, "one trouble, told once");
}

#[test]
fn a_window_that_has_moved_since_the_look_is_not_clicked() {
    let _together = together();
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let clock = Arc::new(SystemClock::start());
    let display = Some(table.desktop.display());
    let mut hands = X11Mouse::open(display, clock.clone()).expect("hands");
    let minute = Duration::from_secs(60);
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: minute,
        expiry: minute,
    };
    let now = clock.now();
    let facts = Facts {
        now,
        captured_at: now,
        certain: true,
        still: true,
        reachable: true,
    };
    let permit = Gate::new(true, limits).ask(&facts).expect("all is well");
    let at = table.desktop.client(table.window).expect("there");
    let before = table.desktop.settled(table.window).expect("drawn");
    // A cell of another colour than the corner, in the middle of the board.
    let cell = (5..9)
        .map(|i| (i, 7))
        .find(|&(c, r)| table.cell(c, r) != table.cell(0, 0));
    let (col, row) = cell.expect("four cells in a row of one colour are rare");
    let x = f64::from(at.x + 16 + 32 * col + 16);
    let y = f64::from(at.y + 41 + 32 * row + 16);
    let click = Stroke::Click(Point::new(x, y));
    hands.expect_at(table.window, (at.x - 7, at.y + 3));
    let refused = hands.perform(&click, Some(table.window), &permit);
    assert!(
        matches!(refused, Err(ActError::Moved { dx: 7, dy: -3 })),
        "{refused:?}"
    );
    let after = table.desktop.settled(table.window).expect("drawn");
    assert!(before == after, "nothing was pressed");
    hands.expect_at(table.window, (at.x, at.y));
    let done = hands.perform(&click, Some(table.window), &permit);
    assert!(done.is_ok(), "{done:?}");
    until("the effect", || {
        table.desktop.settled(table.window).expect("drawn") != before
    });
    assert_eq!(table.strays(), Vec::<String>::new());
}

#[test]
fn an_unseen_window_that_stays_ends_the_run() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let _cover = table.invisible_cover(Rect {
        x: 0,
        y: 0,
        width: 1280,
        height: 800,
    });
    let mut run = table.play(&["--give-up", "2"]);
    run.aborts("lies under the pointer");
    assert_eq!(run.causes(), ["not-target"]);
    assert_eq!(table.strays(), Vec::<String>::new(), "nothing was pressed");
}

#[test]
fn a_click_that_another_program_took_is_made_again() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "300"]);
    run.after_moves(3);
    table.grab();
    run.tells("click-lost", 1);
    table.ungrab();
    table.strays();
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert!(
        run.causes().iter().all(|c| c == "click-lost"),
        "{:?}",
        run.causes()
    );
    let retried = run.story().iter().any(|e| {
        matches!(
            e.what,
            kibitzer::journal::read::What::Acted {
                retry: 1..,
                seen_at: Some(_),
                ..
            }
        )
    });
    assert!(retried, "the retry was confirmed");
}

#[test]
fn a_game_that_reacts_late_is_waited_for() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "300"]);
    run.after_moves(3);
    table.freeze(true);
    run.tells("click-lost", 1);
    table.freeze(false);
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert!(
        run.causes().iter().all(|c| c == "click-lost"),
        "{:?}",
        run.causes()
    );
}

#[test]
fn a_game_that_does_not_react_ends_the_run() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&[]);
    run.after_moves(3);
    table.freeze(true);
    let ended = run.aborts("3 moves in a row had no effect");
    table.freeze(false);
    assert!(
        ended.stderr.contains("do clicks reach the game?"),
        "{}",
        ended.stderr
    );
    assert_eq!(run.count("click-lost"), 9, "three moves, two retries each");
    table.only_the_board_was_clicked(&run);
}
