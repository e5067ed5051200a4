//! `kibitzer levels triplex`, `solve triplex` and `bench triplex` as other programs see them.

use kibitzer::games::triplex::rules::{one_line, parse_file};
use serde_json::Value;

use crate::support::program;

fn kibitzer(args: &[&str], input: &str) -> (String, i32) {
    let ran = program::kibitzer(args, input);
    let told = ran.code == 0 || !ran.out.is_empty();
    (if told { ran.out } else { ran.err }, ran.code)
}

fn objects(text: &str) -> Vec<Value> {
    text.lines()
        .map(|l| serde_json::from_str(l).expect(l))
        .collect()
}

#[test]
fn the_levels_of_6x6_are_solved_as_they_are_listed() {
    let (levels, code) = kibitzer(&["levels", "triplex", "6x6"], "");
    let entries = parse_file(&levels).expect("levels");
    assert_eq!((entries.len(), code), (46, 0));
    assert!(entries.iter().all(|e| e.solution.is_some()));
    let (answers, code) = kibitzer(&["solve", "triplex"], &levels);
    let answers = objects(&answers);
    assert_eq!((answers.len(), code), (46, 0));
    let mut before = 0;
    for (line, answer) in levels.lines().zip(&answers) {
        assert_eq!(
            (&answer["unique"], &answer["solutions"]),
            (&Value::Bool(true), &1.into())
        );
        let iterations = answer["iterations"].as_u64().expect("a number");
        assert!(
            line.ends_with(&format!("; {iterations} iterations")),
            "{line} {answer}"
        );
        assert!(before <= iterations, "easiest first");
        before = iterations;
        let rows = answer["solution"].as_array().expect("rows");
        let rows: Vec<&str> = rows.iter().map(|r| r.as_str().expect("a row")).collect();
        assert!(
            line.contains(&format!("= {} ;", rows.join("/"))),
            "{line} {answer}"
        );
        let first = answer["move"].as_str().expect("a move");
        assert!(first.ends_with("@0,0"), "{first}");
    }
}

#[test]
fn json_and_text_say_the_same_and_seeds_turn_figures() {
    let run = |more: &[&str]| kibitzer(&[&["levels", "triplex", "5x4"], more].concat(), "").0;
    let lines = run(&["--rotatable"]);
    let json = objects(&run(&["--rotatable", "--json"]));
    assert_eq!((lines.lines().count(), json.len()), (48, 48));
    let mut turning = 0;
    for (i, (line, object)) in lines.lines().zip(&json).enumerate() {
        assert_eq!(object["number"], i + 1);
        assert!(line.starts_with(object["level"].as_str().expect("a level")));
        let entry = &parse_file(line).expect("a level")[0];
        assert_eq!(one_line(&entry.level), object["level"]);
        if let Some(shown) = entry.level.turnable() {
            turning += 1;
            assert_eq!(object["rotatable"]["shown"], shown.to_string());
            let lies = object["rotatable"]["figure"].as_str().expect("a figure");
            assert!(
                shown
                    .orientations()
                    .contains(&lies.parse().expect("a figure"))
            );
        } else {
            assert_eq!(object["rotatable"], Value::Null);
        }
    }
    assert_eq!(turning, 34);
    let seeded = |seed: &str| run(&["--rotatable", "--seed", seed]);
    assert_eq!(lines, seeded("0"));
    assert_ne!(lines, seeded("1"));
}

#[test]
fn a_level_file_holds_all_rectangles_easiest_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("levels.txt");
    let name = path.to_str().expect("UTF-8");
    let args = ["levels", "triplex", "--up-to-area", "20", "--out", name];
    let (said, code) = kibitzer(&args, "");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("75 levels"), "{said}");
    let text = std::fs::read_to_string(&path).expect("written");
    assert_eq!(parse_file(&text).expect("levels").len(), 75);
    let (answers, code) = kibitzer(&["solve", "triplex"], &text);
    let iterations: Vec<u64> = objects(&answers)
        .iter()
        .map(|a| a["iterations"].as_u64().expect("a number"))
        .collect();
    assert_eq!(
        (iterations.len(), code),
        (75, 0),
        "the head of the file is passed over"
    );
    assert!(iterations.is_sorted());
    let (told, code) = kibitzer(&["levels", "triplex", "4x4", "--out", "/nowhere/l.txt"], "");
    assert!(
        code == 1 && told.contains("/nowhere/l.txt cannot be written"),
        "{told}"
    );
}

#[test]
fn all_solutions_limits_and_bad_lines() {
    let line = "triplex1 3x2 2*xx x/x";
    let (all, _) = kibitzer(&["solve", "triplex", "--all"], line);
    let all = &objects(&all)[0];
    assert_eq!(all["all"].as_array().expect("both").len(), 2);
    assert_eq!(
        (&all["unique"], &all["complete"]),
        (&Value::Bool(false), &Value::Bool(true))
    );
    let (one, _) = kibitzer(&["solve", "triplex", "--all", "--limit", "1"], line);
    let one = &objects(&one)[0];
    assert_eq!(
        (&one["solutions"], &one["complete"]),
        (&1.into(), &Value::Bool(false))
    );
    assert_eq!(one["unique"], Value::Null);
    let turning =
        "triplex1 2x2 oo xx\ntriplex1 a../a.. 4*x\ntriplex1 3x2 xxx x.x\n\ntriplex1 2x3 xxx xxx";
    let (answers, code) = kibitzer(&["solve", "triplex"], turning);
    let answers = objects(&answers);
    assert_eq!((answers.len(), code), (4, 1));
    assert_eq!(answers[0]["unique"], true);
    assert_eq!(answers[1]["solution"][0], "abc");
    let told = answers[2]["error"].as_str().expect("an error");
    assert!(told.starts_with("line 3: figure `x.x`:"), "{told}");
    assert_eq!(answers[2]["line"], 3);
    let none = &answers[3];
    assert_eq!(
        (&none["move"], &none["solution"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&none["solutions"], &none["unique"]),
        (&0.into(), &Value::Bool(false))
    );
}

#[test]
fn what_cannot_be_done_is_told() {
    let (told, code) = kibitzer(&["levels", "triplex", "8x7", "--memory", "3"], "");
    assert!(code == 1 && told.contains("raise --memory"), "{told}");
    let (told, code) = kibitzer(&["levels", "triplex", "7"], "");
    assert!(code == 2 && told.contains("for instance 6x6"), "{told}");
    let (told, code) = kibitzer(&["solve", "triplex", "--policy", "exakt"], "");
    assert!(code == 1 && told.contains("there are: exact"), "{told}");
}

#[test]
fn a_small_bench() {
    let (table, code) = kibitzer(&["bench", "triplex", "--area", "16"], "");
    assert_eq!(code, 0, "{table}");
    for row in ["4x4 ", "Shape23", "reading"] {
        assert!(table.contains(row), "{row}: {table}");
    }
}

/// The shipped levels are what the command of their card writes; about 2 s of work.
#[test]
fn the_shipped_levels_can_be_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("levels.txt");
    let name = path.to_str().expect("UTF-8");
    let args = ["levels", "triplex", "--up-to-area", "36", "--rotatable"];
    let (said, code) = kibitzer(&[&args[..], &["--out", name]].concat(), "");
    assert_eq!(code, 0, "{said}");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/models/triplex.levels");
    let shipped = std::fs::read_to_string(shipped).expect("it is shipped");
    let made = std::fs::read_to_string(&path).expect("written");
    assert!(made == shipped, "the card's command writes other levels");
}
