//! The reference rig in virtual time, through the program itself: belief against truth with the
//! faults of real devices, and the same seed twice.

use std::process::Command;

use serde_json::Value;

/// The rows of `kibitzer bench rig`.
fn rig(args: &[&str]) -> Vec<Value> {
    let _cores = crate::support::cores();
    let out = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["bench", "rig", "--json"])
        .args(args)
        .env_remove("DISPLAY")
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{args:?}: {errors}");
    let text = String::from_utf8(out.stdout).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect()
}

/// Level 10, lost and doubled presses, spoiled frames, and knocks far more often than must hold.
#[test]
fn belief_and_truth_hardly_part_with_all_faults() {
    let rows = rig(&[
        "--games", "2", "--pieces", "60", "--mode", "belief", "--knocks", "12",
    ]);
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!(row["result"], "won", "{row}");
        assert_eq!(row["pieces"], 60, "{row}");
        let longest = row["longest"].as_f64().expect("a number");
        assert!(longest < 2.0, "{row}");
        let mismatches = row["mismatches"].as_u64().expect("a number");
        assert!(mismatches > 0, "faults are noticed: {row}");
    }
}

#[test]
fn the_same_seed_gives_the_same_journal_twice_and_another_seed_another_one() {
    let journal = |seed: &str| {
        let rows = rig(&[
            "--games", "1", "--pieces", "15", "--mode", "belief", "--seed", seed, "--knocks", "6",
        ]);
        rows[0]["journal"]
            .as_str()
            .expect("a fingerprint")
            .to_owned()
    };
    let first = journal("5");
    assert_eq!(first, journal("5"));
    assert_ne!(first, journal("6"));
}

#[test]
fn seeds_go_on_from_the_largest() {
    let last = i64::MAX as u64;
    let args = ["--games", "2", "--pieces", "1", "--mode", "belief"];
    let rows = rig(&[&args[..], &["--seed", &last.to_string()]].concat());
    let seeds: Vec<_> = rows.iter().map(|r| r["seed"].as_u64()).collect();
    assert_eq!(seeds, [Some(last), Some(0)]);
}

/// The reference's way, kept for comparison: it never looks at the pile.
#[test]
fn dead_reckoning_loses_soon() {
    let rows = rig(&[
        "--games",
        "2",
        "--pieces",
        "150",
        "--mode",
        "dead-reckoning",
    ]);
    for row in rows {
        assert_ne!(row["result"], "won", "{row}");
        assert!(row["pieces"].as_u64().expect("a number") < 150, "{row}");
    }
}
