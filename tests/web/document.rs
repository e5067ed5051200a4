//! The OpenAPI document is what the server does, path by path and method by method.

use std::collections::BTreeSet;

use kibitzer::web::{api, routes};
use serde_json::Value;

use super::client::Daemon;

#[test]
fn every_path_is_documented_and_every_document_is_true() {
    let document: Value = serde_json::from_str(api::DOCUMENT).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let written: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
    let served: BTreeSet<&str> = routes::table().iter().map(|(path, _)| *path).collect();
    assert_eq!(written, served);
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    assert_eq!(daemon.get("/api/openapi.json").json(), document);
    for (path, methods) in paths {
        let methods = methods.as_object().expect("methods");
        // No session, run, picture or game has this name.
        let path = path
            .replace("{id}", "9999")
            .replace("{run}", "9999")
            .replace("{game}", "none")
            .replace("{name}", "none")
            .replace("{level}", "9999");
        for method in ["get", "post", "put", "patch", "delete"] {
            // What streams for ever is looked at no longer than to its head.
            let streams =
                &methods.get(method).unwrap_or(&Value::Null)["responses"]["200"]["content"];
            if streams.get("text/event-stream").is_some() {
                let all = daemon.stream(&path, |all| all.windows(2).any(|w| w == b"\n\n"));
                assert!(all.starts_with(b"HTTP/1.1 200"), "{method} {path}");
                continue;
            }
            // The emergency stop stops nothing here.
            let answer = daemon.with(&method.to_uppercase(), &path, &[], "");
            let documented = methods.get(method);
            assert_eq!(
                answer.status != 405,
                documented.is_some(),
                "{method} {path}"
            );
            let Some(documented) = documented else {
                continue;
            };
            // A request without its body is wrong in a way that every JSON interface has.
            if documented.get("requestBody").is_some() {
                assert_eq!(answer.status, 415, "{method} {path}");
                continue;
            }
            let known = documented["responses"].as_object().expect("responses");
            let status = answer.status.to_string();
            assert!(
                known.contains_key(&status),
                "{method} {path}: {status} {}",
                answer.text()
            );
        }
    }
}
