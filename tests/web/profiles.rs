//! Profiles that are deleted: over the socket and in the browser.

use super::browser::Browser;
use super::client::{Daemon, GAME};

fn delete(daemon: &Daemon, name: &str) -> u16 {
    let path = format!("/api/profiles/{name}");
    let answer = daemon.with("DELETE", &path, &[], "");
    if answer.status != 204 {
        let told = answer.json()["error"].as_str().map(str::len);
        assert!(told > Some(10), "{name}: {}", answer.text());
    }
    answer.status
}

#[test]
fn only_what_was_saved_here_and_plays_nowhere_is_deleted() {
    let daemon = Daemon::start("127.0.0.1:0", &[("four", GAME), ("bovo", GAME)], 1);
    let file = |name: &str| {
        let folder = daemon.home.path().join("data/kibitzer/calibration");
        folder.join(format!("{name}.toml"))
    };
    let own = |name: &str| {
        let all = daemon.get("/api/profiles").json();
        let all = all.as_array().expect("profiles").clone();
        let found = all.into_iter().find(|p| p["name"] == name);
        found.map(|p| p["own"] == true)
    };
    assert_eq!((own("four"), own("xvier")), (Some(true), Some(false)));
    for (name, status) in [
        ("four", 409),
        ("xvier", 403),
        ("nobody", 404),
        ("..%2f..%2f..%2fconfig%2fx", 404),
        ("four.toml", 404),
    ] {
        assert_eq!(delete(&daemon, name), status, "{name}");
    }
    assert!(file("four").exists());
    // A game that has ended plays by nothing any more.
    assert_eq!(daemon.post("/api/stop", "").status, 200);
    daemon.until(1, "it has ended", |s| s["phase"] == "ended");
    assert_eq!(delete(&daemon, "four"), 204);
    assert!(!file("four").exists());
    assert_eq!((own("four"), delete(&daemon, "four")), (None, 404));
    // One that lay over a shipped one.
    assert_eq!(delete(&daemon, "bovo"), 204);
    assert_eq!((own("bovo"), delete(&daemon, "bovo")), (Some(false), 403));
}

#[test]
fn a_person_is_asked_before_a_profile_is_deleted() {
    let daemon = Daemon::start("127.0.0.1:0", &[("a-four", GAME)], 0);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "de");
    browser.go(&own);
    let there =
        "return [...document.querySelectorAll('#profile option')].some(o => o.value === 'a-four')";
    browser.until("profiles", there);
    let choose = |name: &str| {
        browser.eval(&format!(
            "const s = document.getElementById('profile'); s.value = '{name}'; s.dispatchEvent(new Event('change'))"
        ));
    };
    let hidden = "return document.getElementById('forget').hidden";
    choose("xvier");
    assert_eq!(browser.eval(hidden), true, "a shipped one");
    choose("a-four");
    assert_eq!(browser.eval(hidden), false);
    let open = "return document.getElementById('forgetting').open";
    browser.click("#forget");
    browser.until("it is asked", open);
    assert!(browser.text("#forget-words").contains("a-four"));
    browser.click("#forget-no");
    assert_eq!(
        (browser.eval(open), browser.eval(there)),
        (false.into(), true.into())
    );
    browser.click("#forget");
    browser.click("#forget-yes");
    browser.until("it is gone", &there.replace("return ", "return !"));
    assert_eq!(
        browser.eval(hidden),
        true,
        "nothing of ours is left to delete"
    );
    let folder = daemon.home.path().join("data/kibitzer/calibration");
    assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 0);
    browser.is_content(&own);
}
