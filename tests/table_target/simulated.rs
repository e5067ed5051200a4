//! A profile whose source is a built-in target: `kibitzer play` needs no screen then.

use std::path::Path;
use std::process::{Command, Output};

/// Runs `kibitzer play` on a profile with this text.
fn play(folder: &Path, text: &str, words: &[&str]) -> Output {
    let file = folder.join("simulated.toml");
    std::fs::write(&file, text).expect("written");
    Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .arg("play")
        .arg(&file)
        .args(words)
        .arg("--journal")
        .arg(folder.join("journal.db"))
        .env_remove("DISPLAY")
        .output()
        .expect("it runs")
}

fn told(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

const FLOOD: &str = "\
version = 1

[game]
name = \"flood\"
new_game = \"n\"

[source.simulated]
fast = true

[source.simulated.target]
size = \"8x7\"
colours = 4
seed = 11
";

#[test]
fn a_simulated_source_is_played_as_a_screenshot_and_through_a_webcam() {
    let camera = "
[source.simulated.camera]
seed = 3
moire = 0.04

[source.simulated.hands]
lost = 0.1
latency_ms = 20
seed = 7
";
    let folder = tempfile::tempdir().expect("a folder");
    for text in [FLOOD.to_owned(), format!("{FLOOD}{camera}")] {
        let out = play(folder.path(), &text, &["--games", "2", "--json"]);
        let all = told(&out);
        assert!(out.status.success(), "{all}");
        let won = all.matches("\"result\":\"won\"").count();
        assert_eq!(won, 2, "{all}");
    }
}

#[test]
fn what_is_wrong_in_a_simulated_source_is_told_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = [
        (
            "[source.simulated.camera]\nmoire = 2.0\n",
            "source.simulated: camera.moire = 2",
        ),
        (
            "[source.simulated.camera]\nlens = 2.0\n",
            "unknown field `lens`",
        ),
    ];
    for (more, wanted) in all {
        let out = play(folder.path(), &format!("{FLOOD}\n{more}"), &[]);
        let all = told(&out);
        assert_eq!(out.status.code(), Some(1), "{all}");
        assert!(all.contains(wanted), "{all}");
    }
    let colours = FLOOD.replace("colours = 4", "colours = 40");
    let out = play(folder.path(), &colours, &[]);
    let all = told(&out);
    assert_eq!(out.status.code(), Some(1), "{all}");
    assert!(
        all.contains("source.simulated.target: colours = 40: from 3 to 8"),
        "{all}"
    );
}
