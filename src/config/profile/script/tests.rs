use std::time::Duration;

use proptest::prelude::*;

use super::super::Profile;
use crate::types::*;

const HEAD: &str = "version = 1\n[source]\nwindow = \"Four\"\n[game]\nname = \"flood\"\n";

fn read(script: &str) -> Result<Script, String> {
    let text = format!("{HEAD}{script}");
    Profile::parse("p", "/nowhere/p.toml", &text)
        .map(|p| p.script)
        .map_err(|e| e.to_string())
}

fn step(act: Act) -> Step {
    Step {
        act,
        window: None,
        within: Duration::from_secs(5),
    }
}

#[test]
fn a_whole_script() {
    let script = read(
        r##"
[start]
always = true
steps = [
  { key = "ctrl+n" },
  { click = "50%, 60.5%", within_ms = 900 },
  { click = "6.5,-1" },
  { click = "#3584e4", tolerance = 10, least_percent = 1.5 },
  { wait_ms = 300 },
  { still_ms = 200 },
  { see = "#FF0000" },
  { focus = true },
]

[again]
steps = [{ key = "alt+n", window = "=Gomoku Game", class = "GNUstep" }]

[[dialog]]
name = "the end"
window = "= "
board = "covered"
steps = [{ key = "Return", window = "= " }]

[[dialog]]
board = "absent"
after_ms = 2000
steps = [{ click = "0%,100%" }]
"##,
    )
    .expect("good");
    let start = &script.start;
    assert!(start.always);
    let colour = |rgb, tolerance, least| Look::Colour {
        rgb,
        tolerance,
        least,
    };
    let blue = colour([0x35, 0x84, 0xe4], 10, 0.015);
    let acts: Vec<Act> = start.steps.iter().map(|s| s.act.clone()).collect();
    assert_eq!(
        acts,
        [
            Act::Key("ctrl+n".into()),
            Act::Click(Place::Part(Point::new(0.5, 0.605))),
            Act::Click(Place::Board(Point::new(6.5, -1.0))),
            Act::Click(Place::Seen(blue)),
            Act::Wait(Duration::from_millis(300)),
            Act::Still(Duration::from_millis(200)),
            Act::Await(colour([255, 0, 0], 24, 0.000_5)),
            Act::Focus,
        ]
    );
    assert_eq!(start.steps[0], step(Act::Key("ctrl+n".into())));
    assert_eq!(start.steps[1].within, Duration::from_millis(900));
    let window = script.again[0].window.as_ref().expect("named");
    assert_eq!(
        (window.title.as_deref(), window.exact),
        (Some("Gomoku Game"), true)
    );
    assert_eq!(window.class.as_deref(), Some("GNUstep"));
    let [end, lost] = &script.dialogs[..] else {
        panic!("two dialogs: {:?}", script.dialogs);
    };
    assert_eq!(
        (end.name.as_str(), end.board),
        ("the end", Some(BoardSight::Covered))
    );
    assert_eq!(
        end.window.as_ref().and_then(|w| w.title.as_deref()),
        Some(" ")
    );
    assert_eq!(end.after, Duration::from_millis(500));
    assert_eq!(
        (lost.name.as_str(), lost.board),
        ("2", Some(BoardSight::Absent))
    );
    assert_eq!(lost.after, Duration::from_secs(2));
    assert!(script.needs_windows());
    let listed = script.listed();
    assert_eq!(listed.len(), 11);
    assert_eq!(listed[0], "start (always) 1: key ctrl+n");
    assert!(listed[9].contains("the end") && listed[9].ends_with("1: key Return in \"= \""));
}

#[test]
fn every_mistake_is_told_with_its_line_and_the_fix() {
    let wrong = [
        ("[start]\nalways = true\n", "p.toml:7: [start] has no steps"),
        (
            "[again]\nsteps = [{ kee = \"n\" }]\n",
            "p.toml:7: unknown key again.steps[0].kee; did you mean again.steps[].key?",
        ),
        (
            "[again]\nsteps = [\n{ key = \"n\" },\n{ within_ms = 5 },\n]\n",
            "p.toml:9: again.steps[1] does nothing: a step does one thing, one of key, click, see, focus, wait_ms, still_ms",
        ),
        (
            "[again]\nsteps = [{ key = \"n\", click = \"1,1\" }]\n",
            "again.steps[0] does key and click",
        ),
        (
            "[again]\nsteps = [{}]\n",
            "p.toml:7: again.steps[0] is empty",
        ),
        (
            "[again]\nsteps = [{ click = \"120%,5%\" }]\n",
            "again.steps[0].click = \"120%,5%\": not allowed; allowed is a part of the window like \"50%,60%\"",
        ),
        (
            "[again]\nsteps = [{ click = \"#12345\" }]\n",
            "(a colour has six digits)",
        ),
        (
            "[again]\nsteps = [{ see = \"50%,5%\" }]\n",
            "(a place is not to be seen)",
        ),
        (
            "[again]\nsteps = [{ click = \"start.png\" }]\n",
            "p.toml:7: again.steps[0].click = \"start.png\": /nowhere/start.png cannot be read",
        ),
        (
            "[again]\nsteps = [{ key = \"n\" }, { click = \"1,1\", window = \"Menu\" }]\n",
            "again.steps[1].click: in another window a place is a part of it",
        ),
        (
            "[again]\nsteps = [{ wait_ms = 5, window = \"Menu\" }]\n",
            "again.steps[0].wait_ms is about the window that is watched",
        ),
        (
            "[again]\nsteps = [{ click = \"1,1\", tolerance = 5 }]\n",
            "again.steps[0].tolerance is for colours",
        ),
        (
            "[again]\nsteps = [{ focus = false }]\n",
            "again.steps[0].focus = false does nothing",
        ),
        (
            "[again]\nsteps = [{ key = \"a b\" }]\n",
            "again.steps[0].key = \"a b\": not allowed",
        ),
        (
            "new_game = \"n\"\n[again]\nsteps = [{ key = \"n\" }]\n",
            "p.toml:6: game.new_game and [again] both start the next game",
        ),
        (
            "[[dialog]]\nsteps = [{ key = \"n\" }]\n",
            "p.toml:7: dialog[0] says not when",
        ),
        (
            "[[dialog]]\nboard = \"absent\"\n",
            "p.toml:7: dialog[0] has no steps",
        ),
        (
            "[[dialog]]\nboard = \"gone\"\nsteps = [{ key = \"n\" }]\n",
            "dialog[0].board = \"gone\": not allowed; allowed is one of \"absent\", \"covered\", \"over\"",
        ),
    ];
    for (script, expected) in wrong {
        let error = read(script).expect_err(script);
        assert!(error.contains(expected), "{script}\n{error}");
    }
}

#[test]
fn windows_need_a_source_that_is_one() {
    let text = "version = 1\n[source]\nscreen = \"1\"\n[game]\nname = \"flood\"\n[[dialog]]\n\
                window = \"Scores\"\nsteps = [{ key = \"Return\" }]\n";
    let error = Profile::parse("p", "p", text)
        .expect_err("no window")
        .to_string();
    assert!(error.contains("p:7: dialog[0] names a window"), "{error}");
}

#[test]
fn pictures_are_loaded_from_beside_the_profile() {
    let folder = std::env::temp_dir().join(format!("kibitzer-script-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut good = image::RgbImage::new(30, 20);
    for (x, _, p) in good.enumerate_pixels_mut() {
        p.0 = if x < 9 { [200; 3] } else { [10, 20, 30] };
    }
    good.save(folder.join("good.png")).expect("written");
    image::RgbImage::new(30, 20)
        .save(folder.join("flat.png"))
        .expect("written");
    std::fs::write(folder.join("bad.png"), "no picture").expect("written");
    let file = folder.join("p.toml").display().to_string();
    let parse = |name: &str| {
        let text = format!("{HEAD}[again]\nsteps = [{{ click = \"{name}\" }}]\n");
        Profile::parse("p", &file, &text).map_err(|e| e.to_string())
    };
    let profile = parse("good.png").expect("good");
    let Act::Click(Place::Seen(Look::Picture { picture, .. })) = &profile.script.again[0].act
    else {
        panic!("{:?}", profile.script);
    };
    assert_eq!((picture.width(), picture.rgb(20, 5)), (30, [10, 20, 30]));
    assert_eq!(profile.script.again[0].to_string(), "click good.png");
    // Written elsewhere it still finds its picture.
    let text = profile.to_toml().expect("text");
    let back = Profile::parse("p", "/elsewhere/p.toml", &text).expect("good");
    assert_eq!(back, profile);
    let flat = parse("flat.png").expect_err("nothing in it");
    assert!(flat.contains("it is all of one colour"), "{flat}");
    let bad = parse("bad.png").expect_err("no picture");
    assert!(bad.contains("is no picture that can be read"), "{bad}");
    std::fs::remove_dir_all(&folder).expect("tidied");
}

fn window() -> impl Strategy<Value = Option<WindowName>> {
    let title = "[A-Za-zß ]{1,6}[a-z]";
    let name = (title, any::<bool>(), proptest::option::of("[A-Za-z]{1,5}"));
    proptest::option::of(name.prop_map(|(title, exact, class)| WindowName {
        title: Some(title),
        exact,
        class,
    }))
}

fn look() -> impl Strategy<Value = Look> {
    (any::<[u8; 3]>(), any::<u8>(), 0u32..10_000).prop_map(|(rgb, tolerance, least)| Look::Colour {
        rgb,
        tolerance,
        least: f64::from(least) / 100.0 / 100.0,
    })
}

fn any_step() -> impl Strategy<Value = Step> {
    let share = || (0u32..=1000).prop_map(|v| f64::from(v) / 10.0 / 100.0);
    let cell = || (-400i32..400).prop_map(|v| f64::from(v) / 8.0);
    let time = || (0u64..60_000).prop_map(Duration::from_millis);
    let act = prop_oneof![
        "[a-z]{1,5}".prop_map(Act::Key),
        (share(), share()).prop_map(|(x, y)| Act::Click(Place::Part(Point::new(x, y)))),
        (cell(), cell()).prop_map(|(x, y)| Act::Click(Place::Board(Point::new(x, y)))),
        look().prop_map(|l| Act::Click(Place::Seen(l))),
        look().prop_map(Act::Await),
        time().prop_map(Act::Wait),
        time().prop_map(Act::Still),
        Just(Act::Focus),
    ];
    (act, window(), 1u64..600_000).prop_map(|(act, window, within)| {
        let elsewhere = matches!(act, Act::Key(_) | Act::Focus | Act::Click(Place::Part(_)));
        Step {
            window: window.filter(|_| elsewhere),
            act,
            within: Duration::from_millis(within),
        }
    })
}

fn script() -> impl Strategy<Value = Script> {
    let steps = |least| proptest::collection::vec(any_step(), least..4);
    let board = prop_oneof![
        Just(BoardSight::Absent),
        Just(BoardSight::Covered),
        Just(BoardSight::Over),
    ];
    let dialog = (
        "[a-z \"]{0,6}[a-z]",
        window(),
        proptest::option::of(look()),
        board,
        0u64..60_000,
        steps(1),
    );
    let dialog = dialog.prop_map(|(name, window, see, board, after, steps)| Dialog {
        name,
        window,
        see,
        board: Some(board),
        after: Duration::from_millis(after),
        steps,
    });
    let dialogs = proptest::collection::vec(dialog, 0..3);
    let see = proptest::option::of(look());
    let start = (any::<bool>(), see, steps(0));
    (start, steps(0), dialogs).prop_map(|((always, see, start), again, dialogs)| Script {
        start: Start {
            always: always && !start.is_empty(),
            see: see.filter(|_| !start.is_empty()),
            steps: start,
        },
        again,
        dialogs,
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(script in script()) {
        let mut profile = Profile::parse("p", "/nowhere/p.toml", HEAD).expect("good");
        profile.script = script;
        let text = profile.to_toml().expect("text");
        let back = Profile::parse("p", "/nowhere/p.toml", &text);
        let back = back.unwrap_or_else(|e| panic!("{e}\n{text}"));
        prop_assert_eq!(back, profile, "{}", text);
    }
}
