//! A person plays along: makes moves, takes them back, starts new games, moves the mouse.

use std::time::Duration;

use super::table::{Table, until};

#[test]
fn a_persons_move_is_taken_as_it_is() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    // Idle between two moves for 600 ms.
    let mut run = table.play(&["--pace", "100"]);
    for i in 1..=2 {
        run.goes_on();
        table.make_a_move(14);
        run.tells("user-moved", i);
    }
    // The rest of the game need not be slow, but the pace is that of the run.
    run.goes_on();
    run.signal("INT");
    run.aborts("SIGINT");
    let mut causes = run.causes();
    // A person's pointer is over the board for the time of a click.
    causes.retain(|c| c != "pointer-over-board");
    assert_eq!(causes, ["user-moved", "user-moved"]);
}

#[test]
fn a_persons_move_while_ours_is_under_way() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "200", "--set", "play.retries=2"]);
    run.after_moves(2);
    // The game is slow: our click and the person's are taken one after the other, and what is
    // seen then is the effect of both.
    table.freeze(true);
    let acts = run.acts();
    until("our click", || run.acts() > acts);
    // The click itself follows its record at once.
    until("our pointer parked", || table.pointer().1 > 500);
    table.make_a_move(14);
    table.freeze(false);
    run.tells("user-moved", 1);
    run.wins();
    table.only_the_board_was_clicked(&run);
    let mut causes = run.causes();
    // A person's pointer is over the board for the time of a click.
    causes.retain(|c| c != "pointer-over-board");
    assert_eq!(causes, ["user-moved"]);
}

#[test]
fn a_persons_new_game_is_played_and_won() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "400"]);
    run.after_moves(4);
    table.desktop.raise(table.window).expect("asked");
    table.desktop.key('n').expect("pressed");
    run.tells("board-changed", 1);
    run.wins();
    table.only_the_board_was_clicked(&run);
    let causes = run.causes();
    assert_eq!(
        causes.iter().filter(|c| *c == "board-changed").count(),
        1,
        "{causes:?}"
    );
}

#[test]
fn a_move_taken_back_is_made_again() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let mut run = table.play(&["--pace", "300"]);
    run.after_moves(4);
    table.desktop.raise(table.window).expect("asked");
    table.desktop.key('u').expect("pressed");
    run.tells("board-changed", 1);
    run.wins();
    table.only_the_board_was_clicked(&run);
    // Taken back twice at a stroke, or while ours is under way, is a changed board as well.
    assert!(
        run.causes().iter().all(|c| c == "board-changed"),
        "{:?}",
        run.causes()
    );
}

#[test]
fn a_pointer_over_the_board_is_parked() {
    let Some(table) = Table::set("14x14c6m0#42") else {
        return;
    };
    let board = table.board();
    let on_board = |(x, y): (i32, i32)| {
        (board.x..board.x + board.width as i32).contains(&x)
            && (board.y..board.y + board.height as i32).contains(&y)
    };
    table.point(board.x + 100, board.y + 100);
    let mut run = table.play(&["--pace", "200"]);
    run.tells("pointer-over-board", 1);
    until("the pointer off the board", || !on_board(table.pointer()));
    run.after_moves(3);
    // Parking again at once would be fighting.
    std::thread::sleep(Duration::from_millis(500));
    table.point(board.x + 200, board.y + 200);
    run.tells("pointer-over-board", 2);
    until("the pointer off the board", || !on_board(table.pointer()));
    run.wins();
    table.only_the_board_was_clicked(&run);
    assert!(
        run.causes().iter().all(|c| c == "pointer-over-board"),
        "{:?}",
        run.causes()
    );
}
