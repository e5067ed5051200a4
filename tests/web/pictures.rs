//! The pictures of the README, from a real browser on a daemon that plays. They go into the folder
//! KIBITZER_PICTURES (`make pictures`).

use std::path::PathBuf;

use serde_json::json;

use super::browser::Browser;
use super::client::{Daemon, GAME};
use super::triplex::link;
use crate::support;

/// So many bytes at most: a page of text with pictures is read on phones, too.
const MOST: usize = 150_000;
/// The level of TripleX that is shown.
const LEVEL: usize = 60;
/// Actions before a picture is taken: the charts have something to show.
const ACTIONS: &str = "return document.querySelectorAll('#log .acted').length > 25";

/// Keeps what the browser shows, at a size in CSS pixels with so many of its own for each, across.
fn keep(browser: &Browser, name: &str, size: (u32, u32), fine: u32) {
    let folder = std::env::var_os("KIBITZER_PICTURES").expect("KIBITZER_PICTURES names a folder");
    // A page that has grown or shrunk lays itself out anew before it is shown.
    browser.until(
        "the size",
        &format!(
            "return innerWidth === {} && document.fonts.status === 'loaded'",
            size.0
        ),
    );
    let webp = browser.webp(72);
    assert!(webp.len() <= MOST, "{name}: {} bytes", webp.len());
    let seen = image::load_from_memory(&webp).expect("a picture").to_rgb8();
    assert_eq!(seen.dimensions(), (size.0 * fine, size.1 * fine), "{name}");
    let colours: std::collections::HashSet<_> = seen.pixels().collect();
    assert!(colours.len() > 50, "{name}: nothing is on it");
    std::fs::write(PathBuf::from(folder).join(format!("{name}.webp")), webp).expect("written");
}

#[test]
#[ignore = "writes the pictures of the README: make pictures"]
fn pictures_of_the_pages() {
    let desktop = support::desktop("Clearlooks").expect("Xvfb, openbox and sgt-puzzles");
    let _game = desktop.flood("14x14c6m5#3").expect("started");
    let daemon = Daemon::with_display(&[("four", GAME)], 0, desktop.display());
    let own = format!("http://{}/", daemon.address);
    for (id, profile) in [(1, "webcam-tetris"), (2, "four"), (3, "sgt-flood")] {
        let begun = daemon.post("/api/sessions", &json!({"profile": profile}).to_string());
        assert_eq!(begun.status, 201, "{}", begun.text());
        daemon.until(id, "a board", |s| s["board"].is_object());
    }
    for id in [1, 2] {
        assert_eq!(
            daemon.post(&format!("/api/sessions/{id}/arm"), "").status,
            202
        );
    }

    let browser = Browser::open(1280, 960, "en");
    browser.is_screen(1280, 960, 1);
    browser.go(&own);
    browser.until("it plays", ACTIONS);
    keep(&browser, "dashboard", (1280, 960), 1);

    daemon.until(1, "mismatches", |s| {
        let all = s["mismatches"].as_object();
        all.is_some_and(|all| {
            all.values()
                .filter_map(serde_json::Value::as_u64)
                .sum::<u64>()
                > 2
        })
    });
    browser.is_screen(1280, 760, 1);
    browser.click("#show-mismatches");
    browser.until(
        "pictures",
        "const all = [...document.querySelectorAll('#rows img')].slice(0, 2); \
         return all.length === 2 && all.every((i) => i.naturalWidth)",
    );
    keep(&browser, "mismatches", (1280, 760), 1);

    browser.is_screen(1280, 860, 1);
    browser.click("#show-calibrate");
    browser.until(
        "windows",
        "return document.querySelector('.sources button')",
    );
    browser.click(".sources button");
    browser.until("a board", "return document.querySelector('#looks td')");
    browser.eval("document.getElementById('easel').scrollIntoView()");
    keep(&browser, "calibrate", (1280, 860), 1);

    // Both of them play still: on a phone, in the dark.
    browser.prefer_dark(true);
    browser.is_screen(390, 844, 2);
    browser.go(&own);
    browser.until("it plays", ACTIONS);
    browser.eval("document.getElementById('session').scrollIntoView()");
    keep(&browser, "phone", (390, 844), 2);
    browser.prefer_dark(false);
    browser.is_screen(1280, 860, 1);

    browser.go(&format!("{own}games/connect4.html"));
    browser.click("#values");
    for _ in 0..4 {
        browser.until("scores", "return document.querySelector('#scores .best')");
        let best = browser.eval(
            "const all = [...document.querySelectorAll('#scores span')]; \
             return String(all.findIndex((e) => e.classList.contains('best')) + 1)",
        );
        let column = best.as_str().expect("a column");
        let discs = "document.querySelectorAll('#board .disc').length";
        let before = browser.eval(&format!("return {discs}"));
        browser.click(&format!(
            "#board [role=row]:first-child button:nth-child({column})"
        ));
        browser.until("an answer", &format!("return {discs} >= {before} + 2"));
    }
    browser.until("scores", "return document.querySelector('#scores .best')");
    keep(&browser, "connect4", (1280, 860), 1);

    browser.is_screen(900, 640, 1);
    browser.go(&format!("{own}games/triplex.html"));
    let key = link(LEVEL).key.to_string();
    let stored = json!({"number": LEVEL, "keys": {LEVEL.to_string(): key}}).to_string();
    // The page saves when it is left, and would put its own in place of this.
    browser.eval(&format!(
        "localStorage.setItem('triplex', {}); Storage.prototype.setItem = () => {{}}",
        json!(stored)
    ));
    browser.go(&format!("{own}games/triplex.html"));
    browser.until(
        "figures",
        "return document.querySelectorAll('.figure').length > 3",
    );
    keep(&browser, "triplex", (900, 640), 1);
}
