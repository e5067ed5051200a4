//! The dashboard in a real browser.

use super::browser::Browser;
use super::client::{Daemon, GAME};

const LANGUAGES: [&str; 5] = ["en", "ru", "fr", "de", "zh"];

#[test]
fn the_dashboard_speaks_five_languages_and_fits_a_phone() {
    let daemon = Daemon::start("127.0.0.1:0", &[("four", GAME)], 1);
    let own = format!("http://{}/", daemon.address);
    let mut headings = std::collections::HashSet::new();
    for language in LANGUAGES {
        let browser = Browser::open(360, 800, language);
        browser.go(&own);
        browser.until(
            "the session's picture",
            "return document.getElementById('picture').naturalWidth",
        );
        assert_eq!(
            browser.eval("return document.documentElement.lang"),
            language
        );
        let empty = browser.eval(
            "return [...document.querySelectorAll('[data-word]')].filter(e => !e.textContent).length",
        );
        assert_eq!(empty, 0, "{language}: words are missing");
        let beyond = browser.eval(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assert_eq!(beyond, 0, "{language}: wider than a phone");
        headings.insert(browser.text("#stop"));
        browser.is_content(&own);
    }
    assert_eq!(headings.len(), LANGUAGES.len(), "{headings:?}");
}

/// Armed by a click, it plays; the space bar ends that, wherever the focus is.
#[test]
fn a_session_is_armed_by_a_click_and_stopped_by_the_space_bar() {
    let daemon = Daemon::start("127.0.0.1:0", &[("four", GAME)], 1);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "en");
    browser.go(&own);
    browser.until(
        "a board",
        "return document.querySelectorAll('#believed svg, #believed *').length",
    );
    browser.click("#arm");
    daemon.until(1, "it is armed", |s| s["armed"] == true);
    browser.keys(&[' ']);
    let state = daemon.until(1, "it is stopped", |s| s["armed"] == false);
    assert!(state["words"].as_str().is_some_and(|w| !w.is_empty()));
    browser.is_content(&own);
}
