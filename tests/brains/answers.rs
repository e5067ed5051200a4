//! Which question an answer is to.

use std::time::Instant;

use kibitzer::brains::jsonl::Jsonl;
use kibitzer::brains::process::{Launch, Process, Trouble};
use kibitzer::types::Stop;
use serde_json::Map;

use super::bots::AMPLE;

/// A brain that hears so many lines, then says these: what the host takes for the answer to its
/// last question.
fn answer_to_the_last(questions: usize, says: &[&str]) -> Result<String, Trouble> {
    let hears = "read x; ".repeat(questions);
    let says: Vec<String> = says.iter().map(|l| format!("echo '{l}'; ")).collect();
    let script = format!("{hears}{}read x", says.concat()).replace('"', "\\\"");
    let launch = Launch::parse("test", &format!("sh -c \"{script}\"")).expect("a command");
    let mut process = Process::start(&launch).expect("a shell");
    let mut jsonl = Jsonl::new("connect4");
    let until = Instant::now() + AMPLE;
    let mut last = 0;
    for _ in 0..questions {
        last = jsonl.ask(&mut process, Map::new(), until)?;
    }
    let answer = jsonl.answer(&mut process, last, until, &Stop::new())?;
    Ok(answer.action)
}

#[test]
fn answers_without_numbers_are_in_the_order_of_the_questions() {
    let one = answer_to_the_last(1, &[r#"{"move":"1"}"#]);
    assert_eq!(one.as_deref(), Ok("1"));
    // The first two are late, about positions that are no more.
    let late = [
        r#"{"move":"1"}"#,
        r#"{"type":"thinking","note":"no answer"}"#,
        r#"{"error":"I do not know"}"#,
        r#"{"move":"3"}"#,
    ];
    assert_eq!(answer_to_the_last(3, &late).as_deref(), Ok("3"));
}

#[test]
fn numbers_say_which_question_is_meant() {
    let mixed = [
        r#"{"id":2,"move":"2"}"#,
        r#"{"id":1,"move":"1"}"#,
        r#"{"id":7,"move":"7"}"#,
        r#"{"id":null,"move":"0"}"#,
        r#"{"move":"3"}"#,
    ];
    assert_eq!(answer_to_the_last(3, &mixed).as_deref(), Ok("3"));
    let error = [r#"{"id":1,"error":"old"}"#, r#"{"id":2,"error":"new"}"#];
    let told = answer_to_the_last(2, &error).expect_err("an error");
    assert_eq!(told.to_string(), "it says: new");
}
