//! A profile whose source is a built-in target: `kibitzer play` needs no screen then. And what a
//! camera calibrates itself by.

use std::path::Path;
use std::process::{Command, Output};

use kibitzer::assemble::{CameraSettings, Stage, targets};
use kibitzer::calibrate::markers;
use kibitzer::calibrate::planes::Planes;
use kibitzer::config::profile::{Profile, Source};
use kibitzer::games::facing::{Face, FacingTarget};
use kibitzer::games::{connect4, gomoku};
use kibitzer::types::{Cell, GridSize, Picture, Sheet, Target, Time};
use serde_json::json;

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

/// The markers of a picture give the transform of its board to a tenth of a cell everywhere.
fn markers_agree<F: Face>(target: FacingTarget<F>, size: GridSize, picture: (u32, u32)) {
    let mut target = target.with_sheet(true);
    let mut screen = Picture::default();
    target.render(Time::ZERO, &mut screen);
    let truth = target.plan().px_from_cell();
    let mut webcam = CameraSettings::default().webcam(picture);
    let mut filmed = Picture::default();
    webcam.view(&screen, Time::ZERO, 1, &mut filmed);
    let camera = webcam.model().clone();
    let sheet = Sheet::of(size);
    let on = |p| (p, camera.camera_from_screen(p));
    for (picture, through_camera) in [(&screen, false), (&filmed, true)] {
        let seen = markers::find(&Planes::new(picture));
        let (found, _) = markers::transform(&seen, &sheet).expect("all markers are seen");
        let mut worst = 0.0f64;
        for cell in size.cells() {
            let (plain, bent) = on(truth.map(cell.centre()));
            let wanted = if through_camera { bent } else { plain };
            let next = found.map(Cell::new(cell.col + 1, cell.row).centre());
            let seen = found.map(cell.centre());
            worst = worst.max(seen.distance(wanted) / seen.distance(next));
        }
        assert!(worst < 0.1, "{size} camera {through_camera}: {worst}");
    }
}

#[test]
fn a_camera_can_be_calibrated_by_the_markers_of_every_target() {
    let setup = connect4::target::Setup::default();
    let picture = (700, 560);
    let style = connect4::target::Style::by_name("rings").expect("a look");
    let target = connect4::target::target(&setup, style, picture).expect("a game");
    markers_agree(target, setup.size, picture);
    let setup = gomoku::target::Setup::default();
    let target = gomoku::target::target(&setup, gomoku::target::Style::default(), picture);
    markers_agree(target.expect("a game"), setup.size, picture);
}

#[test]
fn the_profiles_of_the_built_in_targets_are_good() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration");
    for game in ["connect4", "gomoku"] {
        for kind in ["target", "webcam"] {
            let name = format!("{kind}-{game}");
            let path = folder.join(format!("{name}.toml"));
            let text = std::fs::read_to_string(&path).expect("there");
            let profile = Profile::parse(&name, &name, &text).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(profile.game, game);
            match profile.source {
                Source::Simulated(settings) => {
                    let stage = Stage::parse(&settings).expect("a stage");
                    assert!(stage.camera.is_some() && stage.fast);
                    targets::target(game, &stage.target.into()).expect("a target");
                }
                Source::Window { title, .. } => {
                    let title = title.expect("by its title");
                    let target = targets::target(game, &json!({})).expect("a target");
                    assert!(target.target.title().contains(&title), "{title}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Without a webcam: the first stones are learnt with a dot or a ring on the last one.
#[test]
fn five_in_a_row_is_played_as_a_screenshot_with_a_mark_on_the_last_stone() {
    let folder = tempfile::tempdir().expect("a folder");
    for style in ["wood", "dark"] {
        let text = format!(
            "version = 1\n[game]\nname = \"gomoku\"\nnew_game = \"n\"\n\
             [source.simulated]\nfast = true\n[source.simulated.target]\nsize = \"11x11\"\n\
             style = \"{style}\"\npolicy = \"evaluator\"\nlevel = 2\n"
        );
        let out = play(folder.path(), &text, &["--json", "--policy", "evaluator"]);
        let all = told(&out);
        assert!(out.status.success(), "{style}: {all}");
        assert!(!all.contains("aborted"), "{style}: {all}");
    }
}
