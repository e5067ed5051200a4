//! The import rules and the size of files, read from the sources themselves.

use std::fs;
use std::path::{Path, PathBuf};

/// The longest file a newcomer reads in one sitting.
const MAX_LINES: usize = 500;

const STAGES: [&str; 7] = [
    "capture",
    "calibrate",
    "classify",
    "reconcile",
    "decide",
    "act",
    "journal",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

/// The top-level modules of this crate that a source text names by `crate::`, without comments.
fn imports(text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .map(|l| l.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n");
    let word = |s: &str| -> String {
        s.chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect()
    };
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let inner = group.split('}').next().unwrap_or("");
            found.extend(inner.split(',').map(|part| word(part.trim())));
        } else {
            found.push(word(rest));
        }
    }
    found.retain(|w| !w.is_empty());
    found
}

/// Which top-level modules a module may import.
fn allowed(module: &str, inside: &Path) -> Vec<&'static str> {
    let mut list = vec!["types"];
    match module {
        "types" => {}
        "games" => list.push("games"),
        "config" => {}
        "brains" => list.push("games"),
        "pipeline" => list.extend(STAGES),
        "assemble" => {
            list.extend(STAGES);
            list.extend(["games", "brains", "pipeline", "config"]);
        }
        "cli" => {
            list.extend(STAGES);
            list.extend(["games", "brains", "pipeline", "config", "assemble", "web"]);
        }
        "web" => list.extend(["act", "journal", "games", "config", "pipeline", "assemble"]),
        stage if STAGES.contains(&stage) => {}
        other => panic!("{}: a module without a rule: {other}", inside.display()),
    }
    list
}

#[test]
fn modules_import_only_what_the_architecture_allows() {
    let src = root().join("src");
    let mut wrong = Vec::new();
    for file in rust_files(&src) {
        let inside = file.strip_prefix(&src).expect("below src");
        let first = inside.components().next().expect("not empty");
        let module = first
            .as_os_str()
            .to_string_lossy()
            .trim_end_matches(".rs")
            .to_owned();
        if module == "lib" || module == "main" {
            continue;
        }
        let text = fs::read_to_string(&file).expect("UTF-8");
        let may = allowed(&module, inside);
        for used in imports(&text) {
            if used != module && !may.contains(&used.as_str()) {
                wrong.push(format!("{} imports crate::{used}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_game_imports_no_other_game_and_its_rules_only_types() {
    let games = root().join("src/games");
    let names: Vec<String> = fs::read_dir(&games)
        .expect("games")
        .filter_map(|e| e.expect("entry").file_name().into_string().ok())
        .filter(|n| !n.ends_with(".rs"))
        // What several games share has its module file beside its folder.
        .filter(|n| !games.join(format!("{n}.rs")).exists())
        .collect();
    let shared = rust_files(&games).into_iter().filter(|file| {
        let inside = file.strip_prefix(&games).expect("below games");
        let first = inside.components().next().expect("not empty").as_os_str();
        file.ends_with("games/mod.rs") || !names.iter().any(|n| first == n.as_str())
    });
    for file in shared {
        let text = fs::read_to_string(&file).expect("UTF-8");
        for game in &names {
            let path = format!("games::{game}");
            assert!(!text.contains(&path), "{} uses {path}", file.display());
        }
    }
    for game in &names {
        for file in rust_files(&games.join(game)) {
            let text = fs::read_to_string(&file).expect("UTF-8");
            for other in names.iter().filter(|n| *n != game) {
                let path = format!("games::{other}");
                assert!(!text.contains(&path), "{} uses {path}", file.display());
            }
            if file.components().any(|c| c.as_os_str() == "rules") {
                for used in imports(&text) {
                    let own = text.contains(&format!("games::{game}::rules"));
                    assert!(
                        used == "types" || (used == "games" && own),
                        "{}: rules import crate::{used}",
                        file.display()
                    );
                }
            }
        }
    }
}

#[test]
fn only_the_gate_grants_permission_to_act() {
    for file in rust_files(&root().join("src")) {
        let text = fs::read_to_string(&file).expect("UTF-8");
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let grants = code.contains("Armed::grant(");
        assert!(
            !grants || file.ends_with("decide/gate.rs"),
            "{} grants permission to act",
            file.display()
        );
    }
}

#[test]
fn no_file_is_longer_than_a_newcomer_reads() {
    for dir in ["src", "tests"] {
        for file in rust_files(&root().join(dir)) {
            let lines = fs::read_to_string(&file).expect("UTF-8").lines().count();
            assert!(lines <= MAX_LINES, "{}: {lines} lines", file.display());
        }
    }
}

#[test]
fn the_import_reader_sees_what_it_must() {
    let text = "use crate::types::Cell;\nuse crate::{act, games::flood};\n// crate::nothing\nfn f() { crate::cli::main(); }";
    assert_eq!(imports(text), ["types", "act", "games", "cli"]);
}
