//! TripleX over JSON lines, both ways: positions out, packings back, checked by the rules.

use kibitzer::brains::external;
use kibitzer::brains::jsonl::{Engine, Thinker, of_triplex};
use kibitzer::games::triplex::policies::{TriplexPolicy, by_name};
use kibitzer::games::triplex::rules::{Entry, Tiling, parse_line};
use kibitzer::types::Stop;
use serde_json::{Value, json};

use super::bots::{AMPLE, SHORT, bot, budget};
use crate::support::program;

/// Levels with pieces on the field, with a figure that turns, with figures of all sizes.
const LEVELS: [&str; 5] = [
    "triplex1 3x2 2*xx x/x",
    "triplex1 ..#a/.... xx/x. xx o",
    "triplex1 4x3 2*xx x./xx xxx oo",
    "triplex1 5x4 x x/x xx/xx xxx/x.. x/x/x/x oo./.oo/.o.",
    "triplex1 b../.ab/... o/o/o x 2*x",
];

fn level(line: &str) -> Entry {
    parse_line(line, 1).unwrap_or_else(|e| panic!("{line}: {e}"))
}

/// What a policy gives of a level: whether the rules agree, and whether it was all there is.
fn solved(
    policy: &mut dyn TriplexPolicy,
    entry: &Entry,
    limit: std::time::Duration,
) -> (usize, bool) {
    let mut all: Vec<Tiling> = Vec::new();
    let outcome = policy.solve(&entry.level, &budget(limit), &mut |tiling| {
        all.push(tiling);
        all.len() < 100
    });
    assert_eq!(outcome.solutions, all.len() as u64);
    for tiling in &all {
        assert_eq!(tiling.check(&entry.level), Ok(()));
    }
    (all.len(), outcome.complete)
}

#[test]
fn a_brain_packs_levels() {
    for args in ["", "anonymous"] {
        let text = bot("jsonl", "packer.py", args);
        let mut brain = external::triplex(&text, by_name("exact").expect("exact")).expect("starts");
        assert_eq!(brain.name(), text);
        for line in LEVELS {
            // One, and it does not say whether there are more.
            assert_eq!(
                solved(brain.as_mut(), &level(line), AMPLE),
                (1, false),
                "{line}"
            );
        }
    }
}

#[test]
fn what_a_brain_does_wrong_is_done_by_the_fallback() {
    let entry = level(LEVELS[0]);
    for fault in ["lie", "crash", "refuse", "hang"] {
        let text = bot("jsonl", "packer.py", fault);
        let mut brain = external::triplex(&text, by_name("exact").expect("exact")).expect("starts");
        let limit = if fault == "hang" { SHORT } else { AMPLE };
        // The fallback finds both packings, and that there are no others.
        assert_eq!(solved(brain.as_mut(), &entry, limit), (2, true), "{fault}");
    }
}

#[test]
fn our_own_brain_packs_what_it_is_told() {
    let stop = Stop::new();
    let mut engine = Engine::new(Thinker::Triplex(by_name("exact").expect("exact")), stop);
    let mut hear = |position: &Value| -> Value {
        let answer = engine.hear(&position.to_string()).expect("an answer");
        serde_json::from_str(&answer).expect("an object")
    };
    for line in LEVELS {
        let entry = level(line);
        let position = of_triplex(&entry.level, &budget(AMPLE), 60_000);
        let answer = hear(&Value::Object(position));
        let packed = answer["move"].as_str().expect("a packing");
        let tiling = Tiling::from_text(entry.level.field(), packed).expect(packed);
        assert_eq!(tiling.check(&entry.level), Ok(()));
    }
    let position = |board: Value, figures: Value| json!({"type": "position", "game": "triplex", "board": board, "figures": figures});
    for (board, figures, says) in [
        (json!(["..", ".."]), json!(["xx"]), "add or remove figures"),
        (
            json!(["..", ".."]),
            json!(["x/x", "xx"]),
            "there is no packing",
        ),
        (json!(["..", ".."]), json!([7]), "`figures` must be a list"),
        (json!(["..", ".."]), json!(["xx = ab"]), "is no figure"),
        (json!(["..", ".."]), json!(["3*xx"]), "is no figure"),
        (
            json!(["..", "."]),
            json!(["xx"]),
            "make all rows equally long",
        ),
        (json!([]), json!([]), "`board` is no field"),
        (json!("3x2"), json!([]), "must be a list of rows"),
    ] {
        let answer = hear(&position(board, figures));
        let error = answer["error"].as_str().expect("an error");
        assert!(error.contains(says), "{error}");
    }
}

/// Through both programs: our engine as a process, and the packer, are solvers of levels.
#[test]
fn levels_are_solved_from_outside() {
    let input = LEVELS.join("\n");
    let ours = format!(
        "jsonl:'{}' brain jsonl triplex",
        env!("CARGO_BIN_EXE_kibitzer")
    );
    for policy in [ours, bot("jsonl", "packer.py", "")] {
        let args = [
            "solve",
            "triplex",
            "--policy",
            &policy,
            "--time-ms",
            "120000",
        ];
        let ran = program::kibitzer(&args, &input);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let answers = ran.objects();
        assert_eq!(answers.len(), LEVELS.len());
        for answer in answers {
            assert_eq!(answer["solutions"], 1, "{answer}");
            assert_eq!(
                (&answer["complete"], &answer["unique"]),
                (&json!(false), &Value::Null)
            );
        }
    }
    let lies = bot("jsonl", "packer.py", "lie");
    let args = [
        "solve",
        "triplex",
        "--policy",
        &lies,
        "--fallback",
        "reading",
    ];
    let ran = program::kibitzer(&args, LEVELS[0]);
    assert_eq!(ran.objects()[0]["solutions"], 2, "by the fallback");
    assert!(
        ran.err.contains("is left free") && ran.err.contains("reading makes this move"),
        "{}",
        ran.err
    );
    let ran = program::kibitzer(&["solve", "triplex", "--list"], "");
    assert!(ran.out.contains("jsonl:COMMAND"), "{}", ran.out);
    let ran = program::kibitzer(&["solve", "triplex", "--policy", "piskvork:x"], "");
    assert!(
        ran.err.contains("triplex is not played in it"),
        "{}",
        ran.err
    );
}
