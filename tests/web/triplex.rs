//! TripleX as a person without a network plays it: the page in a file, in a real browser.

use std::path::Path;
use std::time::Duration;

use fantoccini::key::Key;
use kibitzer::games::triplex::chain::{Chain, Link};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::{self, program};

/// What lies on the table, as the page shows it: places in CSS pixels of the window.
const TABLE: &str = "const t = document.getElementById('target').getBoundingClientRect();
    const all = [...document.querySelectorAll('.figure')];
    return {x: t.x, y: t.y, width: t.width, height: t.height, figures: all.map((e) => {
        const r = e.getBoundingClientRect();
        return {x: r.x, y: r.y, turns: e.classList.contains('turns'), cells: e.figure.cells};
    })}";

/// The page, as the command writes it.
pub fn page(folder: &Path) -> String {
    let path = folder.join("triplex.html");
    let name = path.to_str().expect("UTF-8");
    let ran = program::kibitzer(&["levels", "triplex", "--page", name], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("724 levels"), "{}", ran.out);
    format!("file://{name}")
}

pub fn link(number: usize) -> &'static Link {
    &Chain::shipped().links()[number - 1]
}

/// By what figures are moved.
#[derive(Clone, Copy)]
pub enum By {
    Mouse,
    Finger,
    Keys,
}

/// The table when nothing moves on it any more.
fn table(browser: &Browser) -> Value {
    let mut before = browser.eval(TABLE);
    loop {
        std::thread::sleep(Duration::from_millis(60));
        let now = browser.eval(TABLE);
        if now == before {
            return now;
        }
        before = now;
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The squares of a figure, as the page has them and as the rules have them.
fn squares(cells: &Value) -> Vec<(u16, u16)> {
    serde_json::from_value(cells.clone()).expect("pairs")
}

/// Lays every figure where the solution has it; the one that turns is turned first.
pub fn solve(browser: &Browser, level: usize, by: By) {
    let link = link(level);
    let cols = f64::from(link.level.field().size().cols);
    let mut left: Vec<_> = link.solution.placements().to_vec();
    let mut order: Vec<usize> = (0..left.len()).collect();
    let turns = |i: usize| table(browser)["figures"][i]["turns"] == json!(true);
    // The one that turns takes what the others leave.
    order.sort_by_cached_key(|&i| turns(i));
    for i in order {
        let place = loop {
            let cells = squares(&table(browser)["figures"][i]["cells"]);
            let same = |p: &kibitzer::games::triplex::rules::Placement| {
                let of = p.figure.cells().map(|c| (c.col, c.row));
                of.collect::<Vec<_>>() == cells
            };
            if let Some(found) = left.iter().position(same) {
                break left.remove(found);
            }
            turn(browser, i, by);
            assert_ne!(
                squares(&table(browser)["figures"][i]["cells"]),
                cells,
                "figure {i} is turned"
            );
        };
        lay(browser, i, (place.at.col, place.at.row), cols, by);
    }
}

/// The middle of the first square of a figure that lies at a place.
fn grip(figure: &Value, at: (f64, f64), unit: f64) -> (f64, f64) {
    let first = squares(&figure["cells"])[0];
    (
        at.0 + (f64::from(first.0) + 0.5) * unit,
        at.1 + (f64::from(first.1) + 0.5) * unit,
    )
}

fn turn(browser: &Browser, i: usize, by: By) {
    let now = table(browser);
    let figure = &now["figures"][i];
    let cols = link_cols(browser);
    let unit = number(&now["width"]) / cols;
    let at = grip(figure, (number(&figure["x"]), number(&figure["y"])), unit);
    match by {
        By::Mouse => browser.click_at(at),
        By::Finger => browser.touch(&[at]),
        By::Keys => {
            focus(browser, i);
            browser.keys(&['r']);
        }
    }
}

fn link_cols(browser: &Browser) -> f64 {
    let body = "return document.getElementById('target').viewBox.baseVal.width / 100";
    number(&browser.eval(body))
}

fn focus(browser: &Browser, i: usize) {
    browser.eval(&format!(
        "document.querySelectorAll('.figure')[{i}].focus()"
    ));
}

/// Moves a figure to a square of the rectangle.
pub fn lay(browser: &Browser, i: usize, to: (u16, u16), cols: f64, by: By) {
    let now = table(browser);
    let figure = &now["figures"][i];
    let unit = number(&now["width"]) / cols;
    let from = grip(figure, (number(&figure["x"]), number(&figure["y"])), unit);
    let corner = (
        number(&now["x"]) + f64::from(to.0) * unit,
        number(&now["y"]) + f64::from(to.1) * unit,
    );
    let there = grip(figure, corner, unit);
    let between = ((from.0 + there.0) / 2.0, (from.1 + there.1) / 2.0);
    match by {
        By::Mouse => browser.drag(&[from, between, there]),
        // A finger hides what lies under it: the figure is shown above it.
        By::Finger => browser.touch(&[from, between, (there.0, there.1 + 0.6 * unit)]),
        By::Keys => {
            focus(browser, i);
            let enter = char::from(Key::Enter);
            browser.keys(&[enter]);
            let held = &table(browser)["figures"][i];
            let steps = |have: &Value, want: f64| ((want - number(have)) / unit).round() as i32;
            let (right, down) = (steps(&held["x"], corner.0), steps(&held["y"], corner.1));
            let arrows = |n: i32, forth: Key, back: Key| {
                let key = if n > 0 { forth } else { back };
                vec![char::from(key); n.unsigned_abs() as usize]
            };
            let mut keys = arrows(right, Key::Right, Key::Left);
            keys.extend(arrows(down, Key::Down, Key::Up));
            keys.push(enter);
            browser.keys(&keys);
        }
    }
}

/// Waits until a level is shown.
pub fn reaches(browser: &Browser, level: usize) {
    browser.until(
        &format!("level {level}"),
        &format!("return document.title === 'TripleX – {level}'"),
    );
}

#[test]
fn solved_levels_lead_on_by_mouse_finger_and_keys_and_are_kept_and_carried() {
    let _alone = support::cores();
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let browser = Browser::open(1280, 900, "en");
    browser.go(&page);
    reaches(&browser, 1);
    for (level, by) in [(1, By::Mouse), (2, By::Finger), (3, By::Keys)] {
        solve(&browser, level, by);
        reaches(&browser, level + 1);
    }
    // A figure of the next one is laid; then the page is loaded anew.
    let cols = link_cols(&browser);
    lay(&browser, 0, (0, 0), cols, By::Mouse);
    let before = table(&browser);
    browser.go(&page);
    reaches(&browser, 4);
    assert_eq!(table(&browser), before, "it lies where it lay");
    browser.click("#show-levels");
    let list = browser.text("#levels-list");
    assert_eq!(list.matches("solved").count(), 3, "{list}");
    browser.click("#levels form button");
    browser.click("#show-code");
    let code = browser.text("#code-now");
    assert_eq!(code, link(4).key.code(4));
    browser.is_content(&page);
    drop(browser);

    let elsewhere = Browser::open(360, 740, "de");
    elsewhere.go(&page);
    reaches(&elsewhere, 1);
    elsewhere.click("#show-code");
    let enter = |text: &str| {
        elsewhere.click("#code-field");
        let mut keys: Vec<char> = text.chars().collect();
        keys.push(char::from(Key::Enter));
        elsewhere.keys(&keys);
    };
    enter("0005-0000-0000-0000");
    elsewhere.until(
        "it is refused",
        "return document.getElementById('code-wrong').textContent.includes('kein Level')",
    );
    elsewhere.eval("document.getElementById('code-field').value = ''");
    enter(&code.to_lowercase());
    reaches(&elsewhere, 4);
    elsewhere.is_content(&page);
}

#[test]
fn a_figure_goes_back_where_it_does_not_fit() {
    let _alone = support::cores();
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let browser = Browser::open(800, 800, "en");
    browser.go(&page);
    reaches(&browser, 1);
    let cols = link_cols(&browser);
    let empty = table(&browser);
    lay(&browser, 0, (0, 0), cols, By::Mouse);
    let one = table(&browser);
    assert_ne!(one, empty);
    // The second one upon it: back beside the rectangle.
    lay(&browser, 1, (0, 0), cols, By::Mouse);
    assert_eq!(table(&browser), one);
    // The first one out again.
    let figure = &one["figures"][0];
    let unit = number(&one["width"]) / cols;
    let from = grip(figure, (number(&figure["x"]), number(&figure["y"])), unit);
    browser.drag(&[from, (30.0, 300.0)]);
    assert_eq!(table(&browser), empty);
    browser.is_content(&page);
}

/// How each language says 1, 2 and 5 of something, and how long ago 1 and 5 minutes were.
const PLURALS: [(&str, [&str; 3], [&str; 2]); 5] = [
    (
        "en",
        ["1 second", "2 seconds", "5 seconds"],
        ["1 minute ago", "5 minutes ago"],
    ),
    (
        "ru",
        ["1 секунду", "2 секунды", "5 секунд"],
        ["1 минуту назад", "5 минут назад"],
    ),
    (
        "fr",
        ["1 seconde", "2 secondes", "5 secondes"],
        ["il y a 1 minute", "il y a 5 minutes"],
    ),
    (
        "de",
        ["1 Sekunde", "2 Sekunden", "5 Sekunden"],
        ["vor 1 Minute", "vor 5 Minuten"],
    ),
    ("zh", ["1 秒", "2 秒", "5 秒"], ["1分钟前", "5分钟前"]),
];

#[test]
fn five_languages_are_spoken_with_their_plurals_and_fit_a_phone() {
    let _alone = support::cores();
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let browser = Browser::open(360, 740, "en");
    browser.go(&page);
    reaches(&browser, 1);
    let keys: Value = (1..=3)
        .map(|n| (n.to_string(), link(n).key.to_string().into()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    // What this window saves when it is left keeps what another has solved.
    browser.eval(&format!(
        "const ago = (m) => Date.now() - m * 60000 - 5000; localStorage.setItem('triplex', JSON.stringify(
            {{keys: {keys}, solved: {{1: [1, ago(1)], 2: [2, ago(5)], 3: [5, ago(5)]}}}}))"
    ));
    browser.go(&page);
    let mut said = std::collections::HashSet::new();
    for (code, seconds, past) in PLURALS {
        browser.eval(&format!(
            "const s = document.getElementById('language'); s.value = '{code}'; s.dispatchEvent(new Event('change'))"
        ));
        browser.eval("document.getElementById('show-levels').click()");
        let list = browser.text("#levels-list");
        let lines: Vec<&str> = list
            .lines()
            .filter(|l| l.chars().any(|c| !c.is_ascii_digit()))
            .collect();
        for (i, wanted) in seconds.iter().enumerate() {
            let has = |l: &&str| l.contains(wanted) && l.contains(past[i.min(1)]);
            assert!(lines.iter().any(has), "{code}: {wanted}: {list}");
        }
        for dialog in ["levels", "code", "help", "solvers"] {
            browser.eval(&format!(
                "for (const d of document.querySelectorAll('dialog')) d.close(); document.getElementById('{dialog}').showModal()"
            ));
            let beyond = browser.eval(
                "const d = document.querySelector('dialog[open]').getBoundingClientRect();
                 const e = document.documentElement; return d.right > e.clientWidth || e.scrollWidth > e.clientWidth",
            );
            assert_eq!(beyond, false, "{code}: {dialog} is wider than a phone");
        }
        browser.eval("for (const d of document.querySelectorAll('dialog')) d.close()");
        assert_eq!(browser.eval("return document.documentElement.lang"), code);
        let missing = browser.eval(
            "return [...document.querySelectorAll('[data-word]')].filter(e => !e.textContent).length
                + [...document.querySelectorAll('.figure, #target')].filter(e => !e.getAttribute('aria-label')).length",
        );
        assert_eq!(missing, 0, "{code}: words are missing");
        said.insert(browser.text("#says"));
    }
    assert_eq!(said.len(), PLURALS.len(), "{said:?}");
    browser.go(&page);
    assert_eq!(
        browser.eval("return document.documentElement.lang"),
        "zh",
        "the choice is kept"
    );
    browser.is_content(&page);
}

#[test]
fn whatever_is_stored_the_page_opens() {
    let _alone = support::cores();
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let browser = Browser::open(800, 800, "fr");
    browser.go(&page);
    reaches(&browser, 1);
    for stored in [
        "no JSON",
        "null",
        "[1]",
        r#"{"number":700,"keys":{"700":"0123456789abcdef"}}"#,
        r#"{"number":1,"keys":{"1":"ffffffffffffffff"},"solved":{"1":"x","9999":[1,1]}}"#,
        r#"{"number":1,"desk":{"number":1,"seconds":-1,"figures":7},"language":"xx","unsent":{}}"#,
        r#"{"number":1,"desk":{"number":1,"seconds":3,"figures":[[0,0,0],[0,0,0],[9,99,99]]}}"#,
    ] {
        // Nothing is saved when the page is left, or it would put this right.
        browser.eval(&format!(
            "localStorage.setItem('triplex', {}); Storage.prototype.setItem = () => {{}}",
            json!(stored)
        ));
        browser.go(&page);
        reaches(&browser, 1);
        browser.until(
            stored,
            "return document.querySelectorAll('.figure').length === 3",
        );
    }
    browser.is_content(&page);
}
