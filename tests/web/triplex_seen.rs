//! TripleX by its picture alone: what the page shows in a real browser is seen, solved and played
//! from screenshots. The page itself is asked only afterwards, for the truth.

use std::time::{Duration, Instant};

use kibitzer::games::triplex::plan::{self, Step};
use kibitzer::games::triplex::policies::Exact;
use kibitzer::games::triplex::vision::{self, Scene};
use kibitzer::types::{Budget, Picture, Point, Rect};

use super::browser::Browser;
use super::triplex::{link, page};
use crate::support;

const PATIENCE: Duration = Duration::from_secs(20);

fn picture(browser: &Browser) -> Picture {
    let image = image::load_from_memory(&browser.picture()).expect("a picture");
    Picture::from_rgb(&image.to_rgb8())
}

/// What is seen once it is whole and two pictures agree: figures glide to their places.
fn still(browser: &Browser) -> (Scene, Rect) {
    let begun = Instant::now();
    let mut before = None;
    loop {
        let picture = picture(browser);
        let scene = vision::see(&picture).filter(Scene::is_whole);
        if let Some(scene) = scene.clone().filter(|_| scene == before) {
            let (width, height) = (picture.width(), picture.height());
            let visible = Rect {
                x: 0,
                y: 0,
                width,
                height,
            };
            return (scene, visible);
        }
        let size = (picture.width(), picture.height());
        assert!(
            begun.elapsed() < PATIENCE,
            "{size:?}, nothing whole: {scene:?}"
        );
        before = scene;
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// Presses at one place of the picture and lets go at another.
fn drag(browser: &Browser, scene: &Scene, places: &[Point]) {
    // The browser wants CSS pixels.
    let scale = browser.eval("return window.devicePixelRatio");
    let scale = scale.as_f64().expect("a number");
    let px = |p: &Point| {
        let px = scene.px_from_cell.map(*p);
        ((px.x / scale).round(), (px.y / scale).round())
    };
    browser.drag(&places.iter().map(px).collect::<Vec<_>>());
}

fn next(scene: &Scene, visible: Rect) -> Option<Step> {
    let solution = plan::solution(scene, &mut Exact::new(), &Budget::default());
    plan::next(scene, &solution.expect("a solution"), visible).expect("room")
}

/// Does the next step; false when there is none.
fn step(browser: &Browser) -> bool {
    let (scene, visible) = still(browser);
    match next(&scene, visible) {
        Some(Step::Turn { at }) => drag(browser, &scene, &[at]),
        Some(Step::Drag { from, to, .. }) => drag(browser, &scene, &[from, to]),
        None => return false,
    }
    true
}

fn level(browser: &Browser) -> u64 {
    let title = browser.eval("return document.title");
    let number = title.as_str().and_then(|t| t.rsplit(' ').next());
    number.and_then(|n| n.parse().ok()).expect("a number")
}

/// Steps until the page itself goes on to the next level; says how many.
fn play(browser: &Browser) -> u32 {
    let (before, begun) = (level(browser), Instant::now());
    let mut steps = 0;
    while level(browser) == before {
        assert!(begun.elapsed() < PATIENCE, "level {before}: {steps} steps");
        steps += u32::from(step(browser));
    }
    steps
}

#[test]
fn the_page_is_seen_in_both_themes_and_zoomed() {
    let _alone = support::cores();
    let folder = tempfile::tempdir().expect("a folder");
    let browser = Browser::open(900, 800, "en");
    browser.go(&page(folder.path()));
    let mut pitches = Vec::new();
    for (dark, zoom) in [(false, "1"), (true, "1"), (true, "0.8")] {
        browser.prefer_dark(dark);
        browser.eval(&format!("document.body.style.zoom = '{zoom}'; return 0"));
        let (scene, _) = still(&browser);
        let what = format!("dark {dark}, zoom {zoom}");
        assert_eq!(scene.board().0, "..../....", "{what}");
        let mut loose = scene.loose();
        loose.sort();
        assert_eq!(loose, [".x/xx", "oo", "xxx"], "{what}");
        pitches.push(scene.px_from_cell.0[0].round() as i64);
    }
    // The command says the same of a screenshot, in the words that scripts know.
    let file = folder.path().join("page.png");
    std::fs::write(&file, browser.picture()).expect("written");
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(["look", "--game", "triplex", "--json"])
        .arg(&file)
        .output()
        .expect("started");
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
    assert_eq!(
        (&told["found"], &told["state"]),
        (&true.into(), &"ok".into()),
        "{told}"
    );
    assert_eq!(
        (&told["cols"], &told["rows"]),
        (&4.into(), &2.into()),
        "{told}"
    );
    assert_eq!(
        (&told["quality"], &told["confidence"]),
        (&1.0.into(), &1.0.into()),
        "{told}"
    );
    assert_eq!(told["board"], serde_json::json!(["....", "...."]), "{told}");
    assert_eq!(
        told["next"]["drag"].as_array().map(Vec::len),
        Some(2),
        "{told}"
    );
    pitches.sort_unstable();
    pitches.dedup();
    assert!(pitches.len() > 1, "only these pitches: {pitches:?}");
}

#[test]
fn levels_are_played_and_a_figure_dropped_wrong_is_put_right() {
    let _alone = support::cores();
    let folder = tempfile::tempdir().expect("a folder");
    let browser = Browser::open(1000, 800, "en");
    browser.go(&page(folder.path()));
    let figures = |number: usize| link(number).level.figures() as u32;
    // Each figure once; one that turns is turned three times at most.
    let most = |number: usize| figures(number) + 3;
    let steps = play(&browser);
    assert!((figures(1)..=most(1)).contains(&steps), "{steps} steps");
    // Somebody lays the first figure that will fit where it does not belong.
    let (scene, visible) = still(&browser);
    let solution = plan::solution(&scene, &mut Exact::new(), &Budget::default()).expect("solved");
    let wrong = scene.pieces.iter().find_map(|piece| {
        let fits = |at: &kibitzer::types::Cell| {
            let right = |p: &kibitzer::games::triplex::rules::Placement| {
                p.figure == piece.figure && p.at == *at
            };
            at.col + piece.figure.width() <= scene.size.cols
                && at.row + piece.figure.height() <= scene.size.rows
                && !solution.placements().iter().any(right)
        };
        let at = scene.size.cells().find(fits)?;
        Some((*piece, at))
    });
    let (piece, at) = wrong.expect("a wrong place");
    let square = piece.figure.cells().next().expect("a square");
    let from = piece.centre_of(square);
    let to = Point::new(
        f64::from(at.col + square.col) + 0.5,
        f64::from(at.row + square.row) + 0.5,
    );
    drag(&browser, &scene, &[from, to]);
    let (scene, _) = still(&browser);
    assert!(scene.board().0.contains(['a', 'A']), "{}", scene.board());
    assert!(next(&scene, visible).is_some());
    let steps = play(&browser);
    assert!(
        (figures(2)..=most(2) + 1).contains(&steps),
        "{steps} steps for a level with one figure laid wrong"
    );
    assert_eq!(level(&browser), 3);
    assert!(browser.complaints().is_empty());
}
