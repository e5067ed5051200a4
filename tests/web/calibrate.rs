//! Calibrating as a script does it over the socket, and as a person does it in a browser: by
//! dragging corners, on the real sgt-flood.

use serde_json::{Value, json};

use super::browser::Browser;
use super::client::{Answer, Daemon, GAME};
use crate::support;

const LANGUAGES: [&str; 5] = ["en", "ru", "fr", "de", "zh"];

fn put(daemon: &Daemon, path: &str, body: &Value) -> Answer {
    daemon.with("PUT", path, &[], &body.to_string())
}

fn post(daemon: &Daemon, path: &str, body: &Value) -> Answer {
    daemon.post(path, &body.to_string())
}

/// The built-in Connect-4 through a simulated webcam, in a session that goes on.
fn filmed() -> Daemon {
    let daemon = Daemon::start("127.0.0.1:0", &[("four", GAME)], 1);
    daemon.until(1, "a board", |s| s["decision"].is_object());
    daemon
}

#[test]
fn a_board_is_found_shown_named_and_saved_by_requests() {
    let _alone = support::cores();
    let daemon = filmed();
    let opened = post(
        &daemon,
        "/api/calibrations",
        &json!({"source": {"session": 1}}),
    );
    assert_eq!(opened.status, 201, "{}", opened.text());
    let state = opened.json();
    let path = format!("/api/calibrations/{}", state["id"]);
    assert_eq!(
        (&state["profile"], &state["game"]),
        (&"four".into(), &"connect4".into())
    );
    let held = put(&daemon, &format!("{path}/held"), &json!({"held": true}));
    assert_eq!(held.json()["held"], true, "{}", held.text());
    let png = daemon.get(&format!("{path}/frame.png"));
    let picture = image::load_from_memory(&png.body).expect("a picture");
    assert_eq!(state["size"], json!([picture.width(), picture.height()]));

    let found = post(
        &daemon,
        &format!("{path}/find"),
        &json!({"game": "connect4"}),
    )
    .json();
    let best = &found[0];
    assert_eq!(
        (&best["cols"], &best["rows"]),
        (&7.into(), &6.into()),
        "{best:#}"
    );
    assert_eq!(best["good"], true);
    let all = post(&daemon, &format!("{path}/find"), &json!({})).json();
    assert!(
        all.as_array()
            .is_some_and(|l| l.iter().any(|b| b["game"] == "connect4"))
    );

    // Shown a third of a cell beside, it does not fit; where it was found, it does.
    let corners = |by: f64| -> Value {
        let moved = |p: &Value| {
            let of = |k: usize| p[k].as_f64().expect("px");
            json!([of(0) + by, of(1) + by / 2.0])
        };
        best["corners"]
            .as_array()
            .expect("four")
            .iter()
            .map(moved)
            .collect()
    };
    let show = |by: f64, lessons: Value| {
        let said = json!({"game": "connect4", "cols": 7, "rows": 6, "corners": corners(by),
            "lessons": lessons});
        put(&daemon, &format!("{path}/shown"), &said)
    };
    let cell =
        best["corners"][1][0].as_f64().expect("px") - best["corners"][0][0].as_f64().expect("px");
    let beside = show(cell / 7.0 / 2.5, json!([]));
    assert!(
        beside.status == 422 || beside.json()["good"] == false,
        "{}",
        beside.text()
    );
    let there = show(0.0, json!([]));
    assert_eq!(there.json()["good"], true, "{}", there.text());
    let seen = there.json()["seen"].clone();
    let (col, row) = (0..42u64)
        .map(|i| (i % 7, i / 7))
        .find(|(c, r)| seen[*r as usize].as_str().expect("a row").as_bytes()[*c as usize] == b'.')
        .expect("an empty hole");
    let named = show(0.0, json!([{"col": col, "row": row, "name": "empty"}]));
    assert_eq!(named.json()["good"], true, "{}", named.text());
    for wrong in [
        json!([{"col": 7, "row": 0, "name": "red"}]),
        json!([{"col": 0, "row": 0, "name": "two words"}]),
        json!([{"col": 0, "row": 0, "name": "../x"}]),
    ] {
        assert_eq!(show(0.0, wrong.clone()).status, 422, "{wrong}");
    }

    assert_eq!(show(0.0, json!([])).status, 200);
    let save = |name: &str, force: bool| {
        post(
            &daemon,
            &format!("{path}/save"),
            &json!({"name": name, "force": force}),
        )
    };
    for name in ["../four", "a/b", ".x", "", "Four", "x.toml"] {
        assert_eq!(save(name, true).status, 422, "{name}");
    }
    assert_eq!(save("four", false).status, 409, "it is there already");
    assert_eq!(
        save("sgt-flood", false).status,
        409,
        "it comes with the program"
    );
    let saved = save("shown", false);
    assert_eq!(saved.status, 201, "{}", saved.text());
    let file = daemon
        .home
        .path()
        .join("data/kibitzer/calibration/shown.toml");
    let text = std::fs::read_to_string(file).expect("written");
    assert!(
        text.contains("[calibration]") && text.contains("[source.simulated"),
        "{text}"
    );
    let begun = daemon.post("/api/sessions", "{\"profile\":\"shown\"}");
    assert_eq!(begun.status, 201, "{}", begun.text());

    // Somebody else's picture is not clicked, and nothing is without a word.
    let click = |body: Value| post(&daemon, &format!("{path}/click"), &body).status;
    assert_eq!(click(json!({"col": 0, "row": 0})), 409);
    assert_eq!(click(json!({"col": 0, "row": 0, "armed": true})), 409);
    assert_eq!(daemon.with("DELETE", &path, &[], "").status, 204);
    assert_eq!(daemon.get(&path).status, 404);
    assert!(daemon.interrupt(), "a clean end");
}

#[test]
fn only_what_is_listed_can_be_looked_at_and_not_much_of_it() {
    let _alone = support::cores();
    let daemon = filmed();
    let sources = daemon.get("/api/sources").json();
    assert!(
        sources["trouble"].is_string(),
        "no screen here: {sources:#}"
    );
    for source in [
        json!({"window": 1}),
        json!({"screen": "all"}),
        json!({"screen": "0,0,10x10"}),
        json!({"camera": "http://127.0.0.1:1/video"}),
        json!({"camera": "/dev/null"}),
        json!({"camera": "../../dev/null"}),
        json!({"profile": "/etc/passwd"}),
        json!({"profile": "../four"}),
        json!({"profile": "four.toml"}),
        json!({"session": 99}),
        json!({"file": "/etc/passwd"}),
        json!({"window": 1, "session": 1}),
        json!("window"),
        json!({}),
    ] {
        let answer = post(&daemon, "/api/calibrations", &json!({"source": source}));
        let told = [400, 422].contains(&answer.status);
        assert!(told, "{source}: {} {}", answer.status, answer.text());
    }
    let open = || {
        post(
            &daemon,
            "/api/calibrations",
            &json!({"source": {"session": 1}}),
        )
    };
    for _ in 0..4 {
        assert_eq!(open().status, 201);
    }
    assert_eq!(open().status, 409, "each holds a source");
    let path = "/api/calibrations/1";
    for shown in [
        json!({"game": "chess", "cols": 7, "rows": 6, "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}),
        json!({"game": "flood", "cols": 7, "rows": 6}),
        json!({"game": "flood", "cols": 1, "rows": 6, "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}),
        json!({"game": "flood", "cols": 401, "rows": 6, "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}),
        json!({"game": "flood", "cols": 7, "rows": 6, "corners": [[9, 0], [0, 0], [9, 9], [0, 9]]}),
        json!({"game": "flood", "cols": 7, "rows": 6, "corners": [[0, 0], [1e300, 0], [1e300, 1e300], [0, 9]]}),
        json!({"game": "flood", "cols": 7, "rows": 6, "corners": [[0, 0], [9000, 0], [9000, 9000], [0, 9000]]}),
        json!({"game": "flood", "kind": "hexagons", "cols": 7, "rows": 6, "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}),
    ] {
        let answer = put(&daemon, &format!("{path}/shown"), &shown);
        assert_eq!(answer.status, 422, "{shown}: {}", answer.text());
    }
    let save = post(&daemon, &format!("{path}/save"), &json!({"name": "none"}));
    assert_eq!(save.status, 422, "nothing was shown: {}", save.text());
    assert!(daemon.interrupt(), "a clean end");
}

/// What a page shows in an element, as a number.
fn number(browser: &Browser, body: &str) -> f64 {
    browser.eval(body).as_f64().unwrap_or(f64::NAN)
}

/// Where a point of the picture is in the window; all of the picture is brought into view.
fn at(browser: &Browser, x: f64, y: f64) -> (f64, f64) {
    let body = format!(
        "const i = document.getElementById('easel-picture'); i.scrollIntoView({{block: 'center'}}); const b = i.getBoundingClientRect(); \
         const s = i.clientWidth / i.naturalWidth; return [b.left + {x} * s, b.top + {y} * s]"
    );
    let place = browser.eval(&body);
    let of = |k: usize| place[k].as_f64().expect("a place");
    (of(0), of(1))
}

/// Drags a corner to a point of the picture.
fn drag(browser: &Browser, corner: usize, x: f64, y: f64) {
    let to = at(browser, x, y);
    let from = browser.middle(&format!("#corner-{corner}"));
    browser.drag(&[from, ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), to]);
}

const FITS: &str = "return !document.getElementById('save').disabled";
const FITS_NOT: &str = "return document.getElementById('save').disabled \
    && document.getElementById('easel-words').classList.contains('bad')";

/// A newcomer's way from nothing to a game that is won, on a program that no profile names.
#[test]
fn a_newcomer_shows_sgt_flood_and_sees_it_won() {
    let Some(desktop) = support::desktop("Clearlooks") else {
        return;
    };
    let _alone = support::cores();
    let (_game, _window) = desktop.flood("12x12c6m5#3").expect("started");
    let daemon = Daemon::on_display(desktop.display());
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "en");
    browser.go(&own);
    browser.until(
        "it is ready",
        "return document.querySelector('#profile option')",
    );
    browser.click("#show-calibrate");
    browser.until(
        "the windows",
        "return document.querySelector('.sources button')",
    );
    assert!(browser.text("#sources").contains("Flood"));
    browser.click(".sources button");
    browser.until("it is found", FITS);
    assert!(browser.text("#candidates").contains("12 × 12"));

    // Its first cell begins at 16,41 and each has 32 px. Wrong, then right by hand.
    drag(&browser, 2, 360.0, 380.0);
    browser.until("it fits no more", FITS_NOT);
    browser.click("#undo");
    browser.until("undone", FITS);
    browser.click("#redo");
    browser.until("done again", FITS_NOT);
    drag(&browser, 2, 400.0, 425.0);
    browser.until("right by hand", FITS);
    let off = "const t = document.getElementById('easel-words').textContent.match(/by ([0-9.]+) px/); \
               return t ? Number(t[1]) : -1";
    let off = number(&browser, off);
    assert!(
        (0.0..1.5).contains(&off),
        "the corner is there to a pixel: {off}"
    );
    // Three columns less fit nothing.
    browser.eval("const e = document.getElementById('say-cols'); e.value = 9; e.dispatchEvent(new Event('change'))");
    browser.until("another size", FITS_NOT);
    browser.click("#find");
    browser.until("found again", FITS);

    // A cell is clicked in the picture and named: all cells like it have the name.
    browser.click_at(at(&browser, 16.0 + 32.0 * 0.5, 41.0 + 32.0 * 0.5));
    browser.until(
        "the cell",
        "return document.activeElement.id === 'cell-name'",
    );
    browser.keys(&"zinnober\u{e007}".chars().collect::<Vec<_>>());
    browser.until(
        "named",
        "return [...document.querySelectorAll('#looks input')].some(i => i.dataset.letter === 'z' && i.value === 'zinnober')",
    );

    // One click to try: not before somebody says that the mouse may move.
    assert_eq!(
        browser.eval("return document.getElementById('try-click').disabled"),
        true
    );
    browser.click_at(at(&browser, 16.0 + 32.0 * 1.5, 41.0 + 32.0 * 0.5));
    browser.click("#try-armed");
    browser.click("#try-click");
    browser.until(
        "it has landed",
        "return /has changed|have changed/.test(document.getElementById('try-words').textContent)",
    );
    browser.until("read anew", FITS);

    browser.eval("document.getElementById('save-name').value = ''");
    browser.click("#save-name");
    browser.keys(&"window-garden".chars().collect::<Vec<_>>());
    browser.click("#save-begin");
    browser.until("the session", "return !document.getElementById('live').hidden && !document.getElementById('session').hidden");
    let kept = daemon
        .home
        .path()
        .join("data/kibitzer/calibration/window-garden.toml");
    let kept = std::fs::read_to_string(kept).expect("saved");
    assert!(
        kept.contains("window = \"Flood\"") && kept.contains("letter = \"z\""),
        "{kept}"
    );
    daemon.until(1, "it is seen", |s| s["decision"].is_object());
    browser.click("#arm");
    browser.until(
        "it is won",
        "return /won [1-9]/.test(document.getElementById('facts').textContent)",
    );
    browser.keys(&[' ']);
    daemon.until(1, "stopped", |s| s["armed"] == false);
    browser.is_content(&own);
    assert!(daemon.interrupt(), "a clean end");
}

/// By keyboard alone, in every language, from a phone's width to the largest screens.
#[test]
fn corners_are_moved_by_keys_and_every_language_has_its_words() {
    let _alone = support::cores();
    let daemon = filmed();
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(360, 800, "en");
    browser.go(&own);
    browser.until(
        "it is ready",
        "return document.querySelector('#profile option')",
    );
    browser.click("#show-calibrate");
    browser.until(
        "the session",
        "return document.querySelector('.sources button:enabled')",
    );
    browser.eval("document.querySelector('.sources button:enabled').focus()");
    browser.keys(&['\u{e007}']);
    browser.until("it is found", FITS);
    browser.click("#hold");
    let corner = |i: u32| {
        let label = browser.eval(&format!(
            "return document.getElementById('corner-{i}').getAttribute('aria-label')"
        ));
        let numbers: Vec<f64> = { label.as_str().expect("a name").split(", ") }
            .filter_map(|n| n.parse().ok())
            .collect();
        (numbers[0], numbers[1])
    };
    let before = [corner(0), corner(1), corner(2), corner(3)];
    browser.eval("document.getElementById('corner-0').focus()");
    // Right, right, down; then with Shift the right edge by one to the right.
    browser.keys(&['\u{e014}', '\u{e014}', '\u{e015}']);
    browser.chord('\u{e008}', '\u{e014}');
    let after = [corner(0), corner(1), corner(2), corner(3)];
    let moved: Vec<(i64, i64)> = { before.iter().zip(after) }
        .map(|(a, b)| {
            (
                ((b.0 - a.0) * 10.0).round() as i64,
                ((b.1 - a.1) * 10.0).round() as i64,
            )
        })
        .collect();
    assert_eq!(moved, [(2, 1), (1, 0), (1, 0), (0, 0)], "tenths of a pixel");
    assert_eq!(
        browser.eval("return document.getElementById('loupe').hidden"),
        false
    );
    for language in LANGUAGES {
        browser.eval(&format!(
            "const e = document.getElementById('language'); e.value = '{language}'; e.dispatchEvent(new Event('change'))"
        ));
        let bare = browser.eval(
            "return [...document.querySelectorAll('#calibrate *')].flatMap(e => \
             [...(e.children.length ? [] : [e.textContent]), e.getAttribute('aria-label') ?? '']) \
             .filter(t => /undefined|\\{\\d\\}|^[a-z]+[A-Z][a-z]+|^(game|kind)-/.test(t)).join('|')",
        );
        assert_eq!(bare, "", "{language}: words are missing");
        let beyond = browser.eval(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assert_eq!(beyond, 0, "{language}: wider than a phone");
    }
    for (width, height) in [(1280, 800), (3840, 2160)] {
        browser.resize(width, height);
        let beyond = browser.eval(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assert_eq!(beyond, 0, "{width} px");
    }
    browser.is_content(&own);
}
