//! Who solved which level first: what is believed, what is refused, and what a browser shows.

use fantoccini::key::Key;
use kibitzer::games::triplex::chain::Claim;
use serde_json::{Value, json};

use super::browser::Browser;
use super::client::{Answer, Daemon};
use super::triplex::{By, link, reaches, solve};
use crate::support;

const PAGE: &str = "/games/triplex.html";
const SOLVED: &str = "/api/triplex/solved";

fn ticket(daemon: &Daemon) -> String {
    let given = daemon.post("/api/triplex/tickets", "");
    assert_eq!(given.status, 201, "{}", given.text());
    given.json()["ticket"]
        .as_str()
        .expect("a ticket")
        .to_owned()
}

/// An honest claim, as the page makes it.
fn claim(level: u16, name: &str, seconds: u32, ticket: &str) -> Value {
    let link = link(level.into());
    let solution = link.canonical();
    let claim = Claim {
        level,
        name,
        seconds,
        ticket,
        solution: &solution,
        checksum: "",
    };
    let checksum = link.key.proof(level.into(), &claim.text());
    json!({"level": level, "name": name, "seconds": seconds, "solution": solution, "ticket": ticket, "checksum": checksum})
}

fn tell(daemon: &Daemon, claim: &Value) -> Answer {
    daemon.post(SOLVED, &claim.to_string())
}

#[test]
fn levels_are_given_to_who_has_their_code() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let all = daemon.get("/api/triplex/levels").json();
    let all = all.as_array().expect("levels");
    assert_eq!((all.len(), &all[723]["level"]), (724, &json!(724)));
    let sealed = link(60).key.seal(60, &link(60).text());
    assert_eq!(all[59]["sealed"], json!(sealed));
    let get = |path: &str| daemon.get(&format!("/api/triplex/levels/{path}"));
    let first = get("1").json();
    let read =
        support::program::kibitzer(&["solve", "triplex"], first["text"].as_str().expect("text"));
    assert_eq!(read.code, 0, "{} {}", read.out, read.err);
    let code = link(60).key.code(60);
    let level = get(&format!("60?code={code}")).json();
    let size = link(60).level.field().size();
    assert_eq!(level["size"], json!([size.cols, size.rows]));
    assert_eq!(level["figures"], json!(link(60).level.figures()));
    let other = link(59).key.code(59);
    for (path, status) in [
        ("60".to_owned(), 403),
        (format!("60?code={other}"), 403),
        (format!("59?code={code}"), 403),
        ("725".to_owned(), 404),
        ("0".to_owned(), 404),
        ("one".to_owned(), 400),
    ] {
        let answer = get(&path);
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
        assert!(!answer.text().contains("triplex1"), "{path}");
    }
}

#[test]
fn solves_are_counted_once_and_kept_in_the_state_folder() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    assert_eq!(daemon.get(SOLVED).json(), json!({"levels": []}));
    for (name, seconds) in [("Ada", 40), ("Bo", 10), ("Цай", 20)] {
        let told = tell(&daemon, &claim(100, name, seconds, &ticket(&daemon)));
        assert_eq!(
            (told.status, told.text()),
            (200, r#"{"counted":true}"#.to_owned())
        );
    }
    let again = tell(&daemon, &claim(100, "Ada", 1, &ticket(&daemon)));
    assert_eq!(
        again.json(),
        json!({"counted": false}),
        "the first time counts"
    );
    let known = daemon.get(SOLVED).json();
    let level = &known["levels"][0];
    assert_eq!(
        (
            &level["level"],
            &level["first"],
            &level["solved"],
            &level["fastest"]
        ),
        (&json!(100), &json!("Ada"), &json!(3), &json!(10))
    );
    assert_eq!(level["median"], 20.0);
    assert!(
        daemon
            .home
            .path()
            .join("state/kibitzer/triplex.db")
            .is_file()
    );
}

#[test]
fn forged_and_repeated_claims_are_refused() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let honest = claim(7, "Ada", 5, &ticket(&daemon));
    assert_eq!(tell(&daemon, &honest).status, 200);
    assert_eq!(tell(&daemon, &honest).status, 409, "a ticket is good once");
    let with = |field: &str, value: Value| {
        let mut forged = claim(7, "Eve", 5, &ticket(&daemon));
        forged[field] = value;
        tell(&daemon, &forged)
    };
    let other = link(8).canonical();
    let own = link(7).canonical();
    for (field, value, status) in [
        ("seconds", json!(1), 422),
        ("name", json!("Mallory"), 422),
        ("checksum", json!("0".repeat(64)), 422),
        ("level", json!(8), 422),
        ("level", json!(0), 422),
        ("level", json!(60000), 422),
        ("solution", json!(other), 422),
        ("solution", json!(own.to_uppercase()), 422),
        ("solution", json!("a".repeat(60_000)), 422),
        ("solution", json!(""), 422),
        ("ticket", json!("00"), 409),
        ("name", json!(""), 422),
        ("name", json!("x".repeat(25)), 422),
        ("name", json!("a\u{202e}b"), 422),
        ("seconds", json!(u32::MAX), 422),
        ("seconds", json!(-1), 422),
        ("solution", json!("a".repeat(70_000)), 413),
        ("more", json!(1), 422),
    ] {
        let answer = with(field, value.clone());
        assert_eq!(answer.status, status, "{field}: {}", answer.text());
    }
    let known = daemon.get(SOLVED).json();
    assert_eq!(known["levels"].as_array().map(Vec::len), Some(1), "{known}");
    assert_eq!(known["levels"][0]["solved"], 1, "nobody but Ada");
    let answers: Vec<u16> = (0..300)
        .map(|_| daemon.post("/api/triplex/tickets", "").status)
        .collect();
    assert_eq!(answers.last(), Some(&429), "too many at once");
    assert_eq!(daemon.get("/healthz").status, 200);
}

#[test]
fn the_page_may_run_what_is_in_it_and_nothing_else() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let page = daemon.get(PAGE);
    assert_eq!(page.status, 200);
    let policies: Vec<&str> = page
        .head
        .lines()
        .filter_map(|l| l.strip_prefix("content-security-policy: "))
        .collect();
    let [policy] = policies[..] else {
        panic!("one policy: {policies:?}");
    };
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert!(
        !policy.contains("unsafe") && !policy.contains('*'),
        "{policy}"
    );
    let others = daemon.get("/").head;
    assert!(
        others.contains("script-src 'self'") && !others.contains("sha256-"),
        "{others}"
    );
}

/// A name that is a script is shown as it was typed, and runs nowhere.
#[test]
fn a_solve_in_the_browser_is_shown_with_its_name_escaped() {
    const NAME: &str = "<script>evil=1</script>";
    let _alone = support::cores();
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1000, 800, "en");
    browser.go(&own);
    browser.until(
        "its words: before they are there everything moves",
        "return document.getElementById('stop').textContent",
    );
    browser.click("nav a[href='/games/']");
    browser.click("main a[href='/games/triplex.html']");
    reaches(&browser, 1);
    browser.click("#show-solvers");
    browser.until(
        "nobody yet",
        "return !document.getElementById('solvers-none').hidden",
    );
    browser.click("#name");
    let mut keys: Vec<char> = NAME.chars().collect();
    keys.push(char::from(Key::Enter));
    browser.keys(&keys);
    browser.click("#solvers form[method] button");
    solve(&browser, 1, By::Mouse);
    reaches(&browser, 2);
    browser.click("#show-solvers");
    browser.until(
        "the first solver",
        "return document.querySelectorAll('#solvers-table td').length === 6",
    );
    let shown = browser.text("#solvers-table tbody");
    assert!(shown.contains(NAME), "{shown}");
    let evil =
        browser.eval("return [typeof evil, document.querySelectorAll('#solvers script').length]");
    assert_eq!(evil, json!(["undefined", 0]));
    let known = daemon.get(SOLVED).json();
    assert_eq!(known["levels"][0]["first"], NAME);
    browser.is_content(&own);
}
