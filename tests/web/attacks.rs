//! What a page of another site, a person on the network, or garbage can try. Each is refused, and the
//! daemon lives on.

use super::client::{Daemon, GAME};

#[test]
fn other_names_for_this_machine_are_refused() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let port = daemon
        .address
        .rsplit(':')
        .next()
        .expect("a port")
        .to_owned();
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("192.168.0.1:{port}"),
        "localhost:1".to_owned(),
        String::new(),
    ] {
        for path in ["/", "/api/sessions", "/metrics", "/healthz"] {
            let answer = daemon.with("GET", path, &[("Host", &host)], "");
            assert_eq!(answer.status, 421, "{host} {path}");
        }
    }
    for host in [
        format!("localhost:{port}"),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
    ] {
        assert_eq!(
            daemon.with("GET", "/", &[("Host", &host)], "").status,
            200,
            "{host}"
        );
    }
}

#[test]
fn pages_of_other_sites_are_refused() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}", daemon.address);
    let post = |headers: &[(&str, &str)]| daemon.with("POST", "/api/stop", headers, "").status;
    assert_eq!(
        post(&[("Origin", &own), ("Sec-Fetch-Site", "same-origin")]),
        200
    );
    assert_eq!(post(&[]), 200, "a script of the user's own");
    for origin in ["http://evil.example", "null", "http://localhost", "file://"] {
        assert_eq!(post(&[("Origin", origin)]), 403, "{origin}");
    }
    assert_eq!(
        post(&[
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Mode", "navigate")
        ]),
        403
    );
    assert_eq!(post(&[("Sec-Fetch-Site", "same-site")]), 403);
    let form = "POST /api/sessions HTTP/1.1\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 15\r\n";
    let form = format!(
        "{form}Host: {}\r\n\r\n{{\"profile\":\"x\"}}",
        daemon.address
    );
    assert_eq!(
        daemon.raw(form.as_bytes()).status,
        415,
        "what a form can send is no JSON"
    );
}

#[test]
fn only_what_is_installed_can_be_asked_for() {
    let daemon = Daemon::start("127.0.0.1:0", &[("game", GAME)], 0);
    std::fs::write(daemon.home.path().join("secret.toml"), "secret = 1").expect("written");
    for profile in [
        "../secret",
        "/etc/passwd",
        "secret.toml",
        "..\\secret",
        "a/../secret.toml",
    ] {
        let body = serde_json::json!({"profile": profile}).to_string();
        let answer = daemon.post("/api/sessions", &body);
        assert_eq!(answer.status, 422, "{profile}");
        assert!(!answer.text().contains("secret = 1"), "{}", answer.text());
    }
    for policy in ["jsonl:touch /tmp/x", "line: sh", "perfect:book=/etc/passwd"] {
        let body = serde_json::json!({"profile": "game", "policy": policy}).to_string();
        let answer = daemon.post("/api/sessions", &body);
        assert_eq!(answer.status, 422, "{policy}: {}", answer.text());
    }
    for path in [
        "/../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/../../../etc/passwd",
        "//etc/passwd",
        "/style.css/../../secret.toml",
        "/api/journal/pictures/..%2f1",
    ] {
        let answer = daemon.get(path);
        assert!(
            [400, 404].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text().contains("root:"), "{path}");
    }
}

#[test]
fn garbage_is_answered_and_nothing_breaks() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let large = format!("{{\"profile\":\"{}\"}}", "x".repeat(100_000));
    assert_eq!(daemon.post("/api/sessions", &large).status, 413);
    for body in [
        "{",
        "[]",
        "{\"profile\":1}",
        "{\"profile\":\"x\",\"more\":1}",
        "\u{0}",
        "{\"profile\":\"x\",\"games\":-1}",
    ] {
        let status = daemon.post("/api/sessions", body).status;
        assert!([400, 422].contains(&status), "{body}: {status}");
    }
    for path in [
        "/api/sessions/x",
        "/api/sessions/-1",
        "/api/sessions/99999999999999999999",
        "/api/journal/runs?limit=x",
    ] {
        assert_eq!(daemon.get(path).status, 400, "{path}");
    }
    for raw in [&b"GET\r\n\r\n"[..], b"\xff\xfe\xfd\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 18446744073709551615\r\n\r\n"] {
        daemon.raw(raw);
    }
    assert_eq!(daemon.get("/healthz").text(), "ok\n");
    assert!(daemon.interrupt(), "a clean end");
}

#[test]
fn from_other_machines_a_token_is_needed() {
    let daemon = Daemon::start("0.0.0.0:0", &[], 0);
    let token = daemon.token.clone().expect("shown at the first start");
    for path in [
        "/api/sessions",
        "/metrics",
        "/api/profiles",
        "/api/sessions/1/frames.mjpg",
    ] {
        assert_eq!(daemon.get(path).status, 401, "{path}");
    }
    assert_eq!(daemon.post("/api/stop", "").status, 401);
    assert_eq!(daemon.get("/").status, 200, "the page that asks for it");
    let bearer = format!("Bearer {token}");
    assert_eq!(
        daemon
            .with("GET", "/api/sessions", &[("Authorization", &bearer)], "")
            .status,
        200
    );
    let given = daemon.post(
        "/api/token",
        &serde_json::json!({"token": token}).to_string(),
    );
    assert_eq!(given.status, 204);
    let cookie = given
        .head
        .lines()
        .find_map(|l| l.strip_prefix("set-cookie: "))
        .expect("a cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().expect("its value").to_owned();
    assert_eq!(
        daemon
            .with("GET", "/api/sessions", &[("Cookie", &cookie)], "")
            .status,
        200
    );
    let guess = |n: u32| {
        daemon
            .post("/api/token", &format!("{{\"token\":\"{n:064}\"}}"))
            .status
    };
    let answers: Vec<u16> = (0..12).map(guess).collect();
    assert!(
        answers.contains(&401) && answers.last() == Some(&429),
        "{answers:?}"
    );
}

#[test]
fn every_answer_says_what_a_browser_may_do_with_it() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    for path in ["/", "/app.js", "/api/sessions", "/nothing", "/healthz"] {
        let head = daemon.get(path).head.to_lowercase();
        for wanted in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(wanted), "{path}: {head}");
        }
    }
}
