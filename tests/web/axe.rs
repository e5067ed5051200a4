//! The pages as axe-core judges them: nothing against WCAG at the levels A and AA, in the light and in
//! the dark. Needs axe-core, which `make prove-pages` puts beside what is built; a picture of each page
//! is left in the folder KIBITZER_SHOTS.

use std::path::Path;

use super::browser::Browser;
use super::client::{Daemon, GAME};
use crate::support;

const RUN: &str = "return axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}) \
    .then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).join(' | ')))";

#[test]
#[ignore = "needs axe-core: make prove-pages"]
fn no_page_violates_wcag_a_or_aa() {
    let path = std::env::var_os("KIBITZER_AXE").expect("KIBITZER_AXE names axe.min.js");
    let axe = std::fs::read_to_string(path).expect("axe.min.js");
    let desktop = support::desktop("Clearlooks").expect("Xvfb, openbox and sgt-puzzles");
    let _game = desktop.flood("12x12c6m5#3").expect("started");
    let daemon = Daemon::with_display(&[("four", GAME)], 1, desktop.display());
    daemon.until(1, "a board", |s| s["decision"].is_object());
    let own = format!("http://{}/", daemon.address);
    for width in [360, 1280] {
        for dark in [false, true] {
            let browser = Browser::open(width, 900, "en");
            browser.prefer_dark(dark);
            browser.go(&own);
            browser.until(
                "the picture",
                "return document.getElementById('picture').naturalWidth",
            );
            let judge = |page: &str| {
                let found = browser.eval(&format!("{axe}; {RUN}"));
                assert_eq!(
                    found,
                    serde_json::json!([]),
                    "{page}, {width} px, dark: {dark}"
                );
                if let Some(folder) = std::env::var_os("KIBITZER_SHOTS") {
                    let light = if dark { "dark" } else { "light" };
                    let path = Path::new(&folder).join(format!("{page}-{width}-{light}.png"));
                    std::fs::write(path, browser.picture()).expect("written");
                }
            };
            judge("live");
            browser.click("#show-mismatches");
            browser.until(
                "rows",
                "return document.querySelector('#rows').children.length",
            );
            judge("mismatches");
            browser.click("#show-machine");
            browser.until("findings", "return document.querySelector('.finding.ok')");
            browser.until("settings", "return document.querySelector('.key')");
            judge("machine");
            browser.click("#show-calibrate");
            browser.until(
                "windows",
                "return document.querySelector('.sources button')",
            );
            browser.click(".sources button");
            browser.until("a board", "return document.querySelector('#looks td')");
            judge("calibrate");
        }
    }
}
