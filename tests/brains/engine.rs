//! Conversations with our own brains, as text: what the manager says, after `>` what it hears
//! (`...` for any end of it, `MOVE` for any cell where the position does not force one).

use std::time::Instant;

use kibitzer::brains::serve::{Engine as _, serve};
use kibitzer::brains::{connect4_line, piskvork};
use kibitzer::games::gomoku::policies::by_name;
use kibitzer::types::Stop;

/// Lines of both sides, the manager's as they are, the brain's after `>`.
fn piskvork_says(conversation: &str, suggests: bool) {
    let policy = by_name("evaluator").expect("evaluator");
    let mut engine = piskvork::Engine::new(policy, 0, suggests, Stop::new());
    let mut said: Vec<String> = Vec::new();
    for (number, line) in conversation.lines().map(str::trim).enumerate() {
        if line.is_empty() {
            continue;
        }
        if let Some(answer) = line.strip_prefix("> ") {
            assert!(
                !said.is_empty(),
                "line {number}: silence instead of {answer}"
            );
            let heard = said.remove(0);
            let fits = match (answer, answer.strip_suffix("...")) {
                ("MOVE", _) => piskvork::words::at(&heard).is_some(),
                (_, Some(start)) => heard.starts_with(start),
                (_, None) => heard == answer,
            };
            assert!(fits, "line {number}: `{heard}` instead of `{answer}`");
            continue;
        }
        assert!(
            said.is_empty(),
            "before line {number}: {said:?} is too much"
        );
        assert_eq!(
            piskvork::Engine::is_farewell(line),
            line.eq_ignore_ascii_case("end")
        );
        engine.answer(line, Instant::now(), &mut |answer| {
            said.push(answer.to_owned());
        });
    }
    assert!(said.is_empty(), "at the end: {said:?}");
}

#[test]
fn a_game_of_piskvork() {
    piskvork_says(
        "INFO timeout_turn 300
         INFO timeout_match 0
         INFO time_left 2147483647
         INFO max_memory 0
         INFO game_type 1
         INFO rule 0
         INFO folder /tmp/my files
         INFO evaluate 3,3
         INFO weather fine
         INFO
         START 15
         > OK
         TURN 7,7
         > MOVE
         TURN 7,8
         > MOVE
         ABOUT
         > name=\"Kibitzer\", version=\"...
         TAKEBACK 7,8
         > OK
         TURN 7,8
         > MOVE
         RESTART
         > OK
         BEGIN
         > MOVE
         RECTSTART 20,10
         > OK
         turn 19,9
         > MOVE
         END",
        false,
    );
}

#[test]
fn times_of_any_size_are_times() {
    piskvork_says(
        "INFO timeout_turn 2147483648
         INFO timeout_match 99999999999999999999
         INFO time_left -9223372036854775808
         INFO max_memory -99999999999999999999
         START 15
         > OK
         BEGIN
         > MOVE
         TURN 0,0
         > MOVE
         INFO time_left -99999999999999999999
         TURN 1,0
         > MOVE
         INFO time_left 99999999999999999999
         INFO timeout_turn 99999999999999999999
         TURN 0,1
         > MOVE",
        false,
    );
}

#[test]
fn positions_of_piskvork() {
    piskvork_says(
        "START 15
         > OK
         BOARD
         7,7,2
         0,0,1
         8,7,2
         0,14,1
         9,7,2
         14,0,1
         10,7,2
         DONE
         > 11,7
         TURN 6,7
         > ERROR the game is over...
         BOARD
         3,0,1
         4,0,1
         0,1,2
         0,2,2
         5,0,1
         6,0,1
         0,4,2
         0,5,2
         DONE
         > 7,0
         BOARD
         DONE
         > 7,7
         TURN 0,0
         > MOVE",
        false,
    );
}

#[test]
fn what_is_wrong_is_answered() {
    piskvork_says(
        "BEGIN
         > ERROR no game was started
         TURN 1,1
         > ERROR no game was started
         RESTART
         > ERROR no game was started
         START
         > ERROR START takes...
         START 4
         > ERROR unsupported size...
         START 26
         > ERROR unsupported size...
         START -1
         > ERROR unsupported size...
         START 99999999999999999999
         > ERROR START takes...
         RECTSTART 15
         > ERROR RECTSTART takes...
         START 10
         > OK
         TURN 10,0
         > ERROR 10,0 lies outside...
         TURN -1,0
         > ERROR -1,0 lies outside...
         TURN here
         > ERROR TURN takes x,y
         TAKEBACK 3,3
         > ERROR there is no stone...
         DONE
         > ERROR DONE without BOARD
         3,4,1
         > UNKNOWN command
         HELLO
         > UNKNOWN command
         YXBLOCK
         > UNKNOWN command
         TURN 4,4
         > MOVE
         BEGIN
         > ERROR BEGIN on a board with stones
         TURN 4,4
         > ERROR 4,4 is not empty
         BOARD
         1,1
         > ERROR a position is lines...
         BOARD
         1,1,1
         1,1,2
         DONE
         > ERROR 1,1 is told twice
         BOARD
         1,1,7
         DONE
         > ERROR 1,1,7: owners...
         BOARD
         0,0,1
         TURN 3,3
         > ERROR a position is lines...
         START 15
         > OK
         INFO rule 4
         BEGIN
         > ERROR the rules of renju...",
        false,
    );
}

#[test]
fn rules_hold_from_when_they_are_told() {
    // Six in a row: nothing under the rule of exactly five, so the game goes on.
    let six = "BOARD
         0,0,2
         0,14,1
         1,0,2
         2,14,1
         2,0,2
         4,14,1
         3,0,2
         6,14,1
         5,0,2
         8,14,1
         4,0,2
         DONE";
    piskvork_says(
        &format!("START 15\n> OK\n{six}\n> ERROR the game is over..."),
        false,
    );
    for told in ["INFO rule 1\nSTART 15\n> OK", "START 15\n> OK\nINFO rule 1"] {
        piskvork_says(&format!("{told}\n{six}\n> 6,0"), false);
    }
    let blocked = "START 5\n> OK\nBOARD\n4,4,3\n3,4,3\nDONE\n> MOVE";
    piskvork_says(blocked, false);
}

#[test]
fn suggestions_are_played_when_the_manager_says_so() {
    piskvork_says(
        "START 15
         > OK
         TURN 7,7
         > SUGGEST...
         PLAY 8,8
         > 8,8
         TURN 7,8
         > SUGGEST...
         PLAY 7,6
         > 7,6
         PLAY 7,6
         > ERROR 7,6 is not empty
         PLAY
         > ERROR PLAY takes x,y",
        true,
    );
}

#[test]
fn openings_are_proposed_and_answered() {
    piskvork_says(
        "START 15
         > OK
         SWAP2BOARD
         DONE
         > 4,3 3,9 10,2
         SWAP2BOARD
         7,7
         8,7
         7,8
         DONE
         > MOVE
         SWAP2BOARD
         7,7
         8,7
         DONE
         > ERROR an opening has...
         SWAP2BOARD
         7,7,1
         > ERROR an opening is lines...
         SWAP2BOARD
         7,7
         8,7
         7,8
         0,0
         7,9
         DONE
         > MOVE",
        false,
    );
}

#[test]
fn a_script_is_answered_as_a_whole_whatever_ends_its_lines() {
    for ends in ["\n", "\r\n", "\r"] {
        let script = ["START 15", "BEGIN", "TURN 7,8", "END", "BEGIN"].join(ends);
        let policy = by_name("evaluator").expect("evaluator");
        let stop = Stop::new();
        let engine = piskvork::Engine::new(policy, 0, false, stop.clone());
        let mut out = Vec::new();
        let input = std::io::Cursor::new(script.into_bytes());
        serve(engine, input, &mut out, &stop).expect("a thread");
        let out = String::from_utf8(out).expect("text");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 3, "{out}");
        assert_eq!(lines[..2], ["OK", "7,7"]);
    }
}

#[test]
fn connect4_lines() {
    let policy = kibitzer::games::connect4::policies::by_name("perfect").expect("perfect");
    let mut engine = connect4_line::Engine::new(policy, 0, Stop::new());
    for (line, answer) in [
        ("time 30000", None),
        ("colour red", None),
        ("4455667", Some("error the game is over")),
        ("7x6x4:-", Some("error")),
        // All full but one.
        ("2x2x2:11", Some("2 ")),
        ("4a", Some("error move 2, `a`")),
        ("48", Some("error move 2, `8`")),
    ] {
        let said = engine.hear(line);
        match answer {
            Some(start) => {
                let said = said.expect(line);
                assert!(said.starts_with(start), "{line}: {said}");
            }
            None => assert_eq!(said, None, "{line}"),
        }
    }
    // Three in a row, open at both ends: 22 less four discs, one less for each disc later.
    for line in ["445566", "7x6x4:445566"] {
        let said = engine.hear(line).expect("an answer");
        let (best, scores) = said.split_at(2);
        assert!(best == "3 " || best == "7 ", "{said}");
        assert_eq!(scores, "18 17 17 18 17 17 17 18");
    }
    let rows = engine.hear("......./......./......./......./......./X......");
    assert!(rows.expect("an error").starts_with("error"));
}
