//! Configuration and profiles from the outside: what a person reads when something is wrong.

use std::ffi::OsString;
use std::path::Path;

use kibitzer::config::profile::{Source, load};
use kibitzer::config::{ConfigError, Folders, Profile, Settings, Sources};
use proptest::prelude::*;

fn home() -> Vec<(OsString, OsString)> {
    vec![("HOME".into(), "/home/me".into())]
}

fn settings(file: &Path) -> Result<Settings, ConfigError> {
    Settings::load(&Sources {
        file: Some(file.to_owned()),
        env: home(),
        overrides: Vec::new(),
    })
}

/// What is said about a configuration file of this text, with its folder as DIR.
fn about(text: impl AsRef<[u8]>) -> String {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("c.toml");
    std::fs::write(&file, text).expect("written");
    let error = settings(&file).expect_err("it is wrong");
    error
        .to_string()
        .replace(&folder.path().display().to_string(), "DIR")
}

#[test]
fn wrong_files_are_described_by_line_key_value_and_what_is_allowed() {
    let cases: &[(&str, &str)] = &[
        (
            "[play]\nretires = 3\n",
            "DIR/c.toml:2: unknown key play.retires; did you mean play.retries?",
        ),
        (
            "[plya]\nretries = 3\n",
            "DIR/c.toml:1: unknown section [plya]; did you mean [play]?",
        ),
        (
            "retries = 3\n",
            "DIR/c.toml:1: unknown key retries; did you mean play.retries?",
        ),
        (
            "[play]\nretries = 99\n",
            "DIR/c.toml:2: play.retries = 99: not allowed; allowed is a whole number from 0 to 10",
        ),
        (
            "[play]\nretries = \"two\"\n",
            "DIR/c.toml:2: play.retries = \"two\": not allowed; allowed is a whole number from 0 to \
             10",
        ),
        (
            "\n\n[play]\npace = \"slow\"\n",
            "DIR/c.toml:4: play.pace = \"slow\": not allowed; allowed is a number from 0.1 to \
             100000 or \"fast\"",
        ),
        (
            "[play]\nseed = -1\n",
            "DIR/c.toml:2: play.seed = -1: not allowed; allowed is a whole number from 0",
        ),
        (
            "[capture]\nfps = nan\n",
            "DIR/c.toml:2: capture.fps = nan: not allowed; allowed is a number from 0.1 to 1000",
        ),
        (
            "[log]\nlevel = \"info,kibitzer=loud\"\n",
            "DIR/c.toml:2: log.level = \"info,kibitzer=loud\": not allowed (error parsing level \
             filter: expected one of \"off\", \"error\", \"warn\", \"info\", \"debug\", \"trace\", \
             or a number 0-5); allowed is error, warn, info, debug or trace, or filters like \
             \"info,kibitzer::act=debug\"",
        ),
        (
            "[emergency]\nchord = \"x\"\n",
            "DIR/c.toml:2: emergency.chord = \"x\": not allowed (one of ctrl, alt and super is \
             needed, or typing would stop a run); allowed is keys like \"ctrl+alt+x\"",
        ),
        (
            "[journal]\npath = \"\"\n",
            "DIR/c.toml:2: journal.path = \"\": not allowed (it is empty); allowed is a path",
        ),
        (
            "[journal]\nevidence = \"yes\"\n",
            "DIR/c.toml:2: journal.evidence = \"yes\": not allowed; allowed is true or false",
        ),
        (
            "[play\nretries = 3\n",
            "DIR/c.toml:1:6: not TOML: unclosed table, expected `]`",
        ),
        (
            "[play]\nretries = 3\nretries = 4\n",
            "DIR/c.toml:3:1: not TOML: duplicate key",
        ),
        (
            "[play]\nretries 3\n",
            "DIR/c.toml:2:9: not TOML: key with no value, expected `=`",
        ),
        (
            "play = 3\n",
            "DIR/c.toml:1: play is not a section: write [play] and its keys below",
        ),
        (
            "[play.retries]\nx = 1\n",
            "DIR/c.toml:1: play.retries is a section: not allowed; allowed is a whole number from \
             0 to 10",
        ),
        (
            "[play]\nretries = 99\nretires = 1\n[capture]\nfps = \"fast\"\n",
            "DIR/c.toml:2: play.retries = 99: not allowed; allowed is a whole number from 0 to 10\n\
             DIR/c.toml:3: unknown key play.retires; did you mean play.retries?\n\
             DIR/c.toml:5: capture.fps = \"fast\": not allowed; allowed is a number from 0.1 to \
             1000",
        ),
    ];
    for (text, said) in cases {
        assert_eq!(about(text), *said, "{text}");
    }
    assert_eq!(
        about(b"[play]\n# caf\xe9\n"),
        "DIR/c.toml:2: is not UTF-8 text; save it as UTF-8"
    );
}

#[test]
fn files_that_cannot_be_read_are_named_with_the_reason() {
    let folder = tempfile::tempdir().expect("folder");
    let say = |path: &Path| {
        let error = settings(path).expect_err("not readable").to_string();
        error.replace(&folder.path().display().to_string(), "DIR")
    };
    let missing = folder.path().join("none.toml");
    assert_eq!(say(&missing), "DIR/none.toml: there is no such file");
    assert_eq!(say(folder.path()), "DIR: is a folder, not a file");
    if cfg!(target_os = "linux") {
        assert_eq!(
            say(Path::new("/dev/zero")),
            "/dev/zero: is longer than 1 MiB"
        );
        assert_eq!(
            say(Path::new("/proc/self/mem")),
            "/proc/self/mem: cannot be read: Input/output error (os error 5)"
        );
    }
}

#[test]
fn wrong_variables_and_options_are_named() {
    let load = |env: &[(&str, &str)], set: &[(&str, &str)]| {
        let mut all = home();
        all.extend(env.iter().map(|(k, v)| (k.into(), v.into())));
        let set = set.iter().map(|(k, v)| ((*k).into(), (*v).into()));
        Settings::load(&Sources {
            file: None,
            env: all,
            overrides: set.collect(),
        })
    };
    let say =
        |env: &[(&str, &str)], set: &[(&str, &str)]| load(env, set).expect_err("wrong").to_string();
    assert_eq!(
        say(&[("KIBITZER_PLAY__RETIRES", "3")], &[]),
        "KIBITZER_PLAY__RETIRES: unknown key play.retires; did you mean KIBITZER_PLAY__RETRIES?"
    );
    assert_eq!(
        say(&[("KIBITZER_CAPTURE__FPS", "many")], &[]),
        "KIBITZER_CAPTURE__FPS: capture.fps = many: not allowed; allowed is a number from 0.1 to \
         1000"
    );
    assert_eq!(
        say(&[], &[("play.rtries", "3")]),
        "--set play.rtries: unknown key play.rtries; did you mean play.retries?"
    );
    assert_eq!(
        say(&[], &[("emergency.corner", "maybe")]),
        "--set emergency.corner: emergency.corner = maybe: not allowed; allowed is true or false"
    );
    // Variables of other programs and of tests are no keys.
    load(&[("KIBITZER_SHARED", "/x"), ("OTHER__KEY", "1")], &[]).expect("ignored");
    // Without a home there is no usual place, and that is said for the key.
    let error = Settings::load(&Sources::default()).expect_err("no home");
    assert_eq!(
        error.to_string(),
        "journal.path: neither XDG_STATE_HOME nor HOME is set to an absolute path, so there is no \
         usual place: set this key"
    );
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStringExt;
    let mut env = home();
    env.push((
        "KIBITZER_POLICY__NAME".into(),
        OsString::from_vec(vec![0xff, 0xfe]),
    ));
    let error = Settings::load(&Sources {
        env,
        ..Sources::default()
    });
    assert_eq!(
        error.expect_err("not text").to_string(),
        "KIBITZER_POLICY__NAME: is not UTF-8 text"
    );
}

/// What is said about a profile of this text.
fn about_profile(text: &str) -> String {
    Profile::parse("p", "p.toml", text)
        .expect_err("it is wrong")
        .to_string()
}

#[test]
fn wrong_profiles_are_described_by_line_and_key() {
    let good = "version = 1\nsource.window = \"Flood\"\ngame.name = \"flood\"\n";
    Profile::parse("p", "p.toml", good).expect("good");
    let after = |text: &str| about_profile(&format!("{good}{text}"));
    assert_eq!(
        about_profile(""),
        "p.toml: version is missing: write `version = 1` as the first line"
    );
    assert_eq!(
        about_profile("version = 2\nnew_key = 1\n"),
        "p.toml:1: version = 2: this Kibitzer reads profiles up to version 1; use the newer \
         Kibitzer"
    );
    assert_eq!(
        about_profile("version = 0\n"),
        "p.toml:1: version = 0: not allowed; allowed is a whole number from 1"
    );
    assert_eq!(
        about_profile("version = 1\n"),
        "p.toml: [source] is missing: write [source] and below it one of window, class, id, \
         screen, region, file, camera, url and simulated\n\
         p.toml: game.name is missing: write [game] and below it name = \"flood\""
    );
    assert_eq!(
        after("source.file = \"a.png\"\n"),
        "p.toml:2: [source] names more than one source: keep one of window (with class and id), \
         screen, region, file, camera, url and simulated"
    );
    assert_eq!(
        after("board.colz = 3\n"),
        "p.toml:4: unknown key board.colz; did you mean board.cols?"
    );
    assert_eq!(
        after("board.cols = 3\n"),
        "p.toml:4: board.cols and board.rows belong together: give both or neither"
    );
    assert_eq!(
        after("board.kind = \"hexagons\"\n"),
        "p.toml:4: board.kind = \"hexagons\": not allowed; allowed is one of \"cells\", \"holes\", \
         \"crossings\", \"squares\", \"stack\""
    );
    assert_eq!(
        after("game.new_game = \"click here\"\n"),
        "p.toml:4: game.new_game = \"click here\": not allowed (`click here` is not a click); \
         allowed is keys and clicks separated by \";\", like \"n\" or \"click 6.5,-1; Return\""
    );
    assert_eq!(
        after("[[classes]]\nletter = \"a\"\nrgb = [1, 2]\n"),
        "p.toml:6: classes[0].rgb = [1, 2]: not allowed (it has 2); allowed is a list of 3 whole \
         numbers from 0 to 255"
    );
    assert_eq!(
        after("[[classes]]\nletter = \"a\"\nrgb = [1, 2, 3]\n[[classes]]\nletter = \"a\"\n"),
        "p.toml:8: classes[1].letter: a is there twice\n\
         p.toml:8: classes[1].rgb is missing"
    );
    assert_eq!(
        after("[controls]\nclick = \"swatch\"\n"),
        "p.toml:5: controls.click = \"swatch\" needs the buttons: write [[controls.swatches]] with \
         letter and at for each class"
    );
    assert_eq!(
        after("[[controls.swatches]]\nletter = \"a\"\nat = [1, 15.5]\n"),
        "p.toml:5: controls.swatches are used with controls.click = \"swatch\" only"
    );
    assert_eq!(
        after("[calibration]\nkind = \"cells\"\n"),
        "p.toml:4: [calibration]: missing field `size`"
    );
    assert_eq!(
        after("[contrls]\nclick = \"cell\"\n"),
        "p.toml:4: unknown section [contrls]; did you mean [controls]?"
    );
}

#[test]
fn profiles_are_found_by_name_or_path_and_a_missing_one_lists_the_known() {
    let folder = tempfile::tempdir().expect("folder");
    let data = folder.path().join("kibitzer/calibration");
    std::fs::create_dir_all(&data).expect("made");
    let text = "version = 1\n[source]\nfile = \"shots/a.png\"\n[game]\nname = \"flood\"\n";
    std::fs::write(data.join("my-flood.toml"), text).expect("written");
    let env = vec![("XDG_DATA_HOME".into(), folder.path().into())];
    let folders = Folders::new(&env);
    let mine = load("my-flood", &folders).expect("found by its name");
    assert_eq!(mine.source, Source::File(data.join("shots/a.png")));
    let path = data.join("my-flood.toml").display().to_string();
    assert_eq!(load(&path, &folders).expect("found by its path"), mine);
    load("sgt-flood", &folders).expect("shipped");
    let error = load("sgt-floot", &folders)
        .expect_err("missing")
        .to_string();
    let places = format!("calibration and {}", data.display());
    assert_eq!(
        error,
        format!(
            "profile sgt-floot: there is none in {places} and none of that name is shipped; did \
             you mean sgt-flood? known are bovo, explosive-c4, four-in-a-row, \
             gomoku-app, kfourinline, my-flood, quadrapassel, sgt-flood, \
             target-connect4, target-gomoku, vitetris, webcam-connect4, webcam-gomoku, webcam-tetris, xvier; a \
             path needs a / or .toml"
        )
    );
    let error = load("./none.toml", &folders).expect_err("missing");
    assert_eq!(error.to_string(), "./none.toml: there is no such file");
}

/// Text that looks like a configuration more often than chance would have it.
fn toml() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        Just("play".to_owned()),
        Just("retries".to_owned()),
        Just("source".to_owned()),
        Just("window".to_owned()),
        Just("classes".to_owned()),
        Just("calibration".to_owned()),
        Just("game".to_owned()),
        Just("version".to_owned()),
        Just("simulated".to_owned()),
        "[a-z_.\"]{0,6}",
    ];
    let value = prop_oneof![
        Just("1".to_owned()),
        Just("[1, 2, 3]".to_owned()),
        Just("{ a = 1, letter = \"x\" }".to_owned()),
        Just("[{ letter = \"x\" }, 3]".to_owned()),
        Just("2024-01-01".to_owned()),
        Just("-nan".to_owned()),
        Just("\"\"\"\n".to_owned()),
        Just("9223372036854775808".to_owned()),
        "\\PC{0,8}",
        any::<i64>().prop_map(|v| v.to_string()),
        any::<f64>().prop_map(|v| v.to_string()),
    ];
    let line = prop_oneof![
        4 => (name.clone(), value).prop_map(|(k, v)| format!("{k} = {v}\n")),
        2 => name.clone().prop_map(|k| format!("[{k}]\n")),
        1 => name.prop_map(|k| format!("[[{k}]]\n")),
        1 => "\\PC{0,12}\n",
    ];
    proptest::collection::vec(line, 0..8).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let file = tempfile::NamedTempFile::new().expect("file");
        std::fs::write(file.path(), &bytes).expect("written");
        let name = file.path().display().to_string();
        if let Err(error) = settings(file.path()) {
            prop_assert!(error.to_string().starts_with(&name), "{error}");
        }
        let text = String::from_utf8_lossy(&bytes);
        let error = Profile::parse("p", "p.toml", &text).expect_err("no version");
        prop_assert!(error.to_string().starts_with("p.toml"), "{error}");
    }

    #[test]
    fn no_text_panics_and_every_problem_names_the_file(text in toml(), head in any::<bool>()) {
        let text = if head { format!("version = 1\n{text}") } else { text };
        if let Err(error) = Profile::parse("p", "some/p.toml", &text) {
            prop_assert!(!error.0.is_empty());
            for problem in &error.0 {
                prop_assert!(problem.place.starts_with("some/p.toml"), "{problem}");
                prop_assert!(!problem.text.contains('\n'), "{problem}");
            }
        }
        let file = tempfile::NamedTempFile::new().expect("file");
        std::fs::write(file.path(), &text).expect("written");
        if let Err(error) = settings(file.path()) {
            let name = file.path().display().to_string();
            prop_assert!(!error.0.is_empty());
            for problem in &error.0 {
                prop_assert!(problem.place.starts_with(&name), "{problem}");
            }
        }
    }
}
