//! Takes out of a text what says who somebody is: home folders, user and host names, addresses,
//! and everything that looks like a secret.
//!
//! Must never let a value pass because it is written in another way than expected where that can
//! be told; too much may go.

use serde_json::Value;

/// Who is not to be named.
#[derive(Clone, Debug, Default)]
pub struct Scrub {
    homes: Vec<String>,
    /// Words and what stands for them.
    names: Vec<(String, &'static str)>,
}

/// Names that are no person's, and words of their own.
const NOBODY: [&str; 6] = ["root", "user", "nobody", "admin", "localhost", "host"];
/// What is before a secret.
const SECRETS: [&str; 11] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "private_key",
    "authorization",
    "cookie",
];
const GONE: &str = "removed";

impl Scrub {
    /// For these home folders, user and host names; what is empty or nobody's is left out.
    #[must_use]
    pub fn new(homes: &[String], users: &[String], hosts: &[String]) -> Self {
        let mut homes: Vec<String> = homes
            .iter()
            .map(|h| h.trim_end_matches('/').to_owned())
            .filter(|h| h.len() > 1)
            .collect();
        // A folder inside another one goes first.
        homes.sort_by_key(|h| std::cmp::Reverse(h.len()));
        let named = |list: &[String], word: &'static str| -> Vec<(String, &'static str)> {
            list.iter()
                .filter(|n| n.chars().count() > 1 && !NOBODY.contains(&n.as_str()))
                .map(|n| (n.clone(), word))
                .collect()
        };
        Self {
            homes,
            names: [named(users, "user"), named(hosts, "host")].concat(),
        }
    }

    /// For whoever runs this process, on this machine.
    #[must_use]
    pub fn of_process() -> Self {
        let env = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        let homes: Vec<String> = ["HOME", "USERPROFILE"]
            .into_iter()
            .filter_map(env)
            .collect();
        let mut users: Vec<String> = ["USER", "LOGNAME", "USERNAME", "SUDO_USER"]
            .into_iter()
            .filter_map(env)
            .collect();
        users.extend(homes.iter().filter_map(|h| {
            let name = std::path::Path::new(h).file_name()?;
            name.to_str().map(str::to_owned)
        }));
        let mut hosts: Vec<String> = env("HOSTNAME").into_iter().collect();
        if let Ok(name) = std::fs::read_to_string("/proc/sys/kernel/hostname") {
            hosts.push(name.trim().to_owned());
        }
        Self::new(&homes, &users, &hosts)
    }

    /// A text without them.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for home in &self.homes {
            text = paths(&text, home);
        }
        for folder in ["/home/", "/Users/", "\\Users\\"] {
            text = homes_of_others(&text, folder);
        }
        for (name, word) in &self.names {
            text = words(&text, name, word);
        }
        addresses(&secrets(&text))
    }

    /// A JSON value without them.
    #[must_use]
    pub fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(all) => all.into_iter().map(|v| self.value(v)).collect(),
            Value::Object(all) => {
                let entries = all.into_iter().map(|(key, value)| {
                    let kept = match &value {
                        Value::String(_) if is_secret(&key) => Value::String(GONE.to_owned()),
                        _ => self.value(value),
                    };
                    (self.text(&key), kept)
                });
                Value::Object(entries.collect())
            }
            other => other,
        }
    }
}

fn is_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    SECRETS.iter().any(|s| key.contains(s))
}

const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Replaces what `is` finds: it gives the length of what begins at a place, and what is put there.
fn replaced(text: &str, mut is: impl FnMut(usize) -> Option<(usize, String)>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if let Some((length, by)) = is(at).filter(|(length, _)| *length > 0) {
            out.push_str(&by);
            at += length;
            continue;
        }
        // `at` is always where a character begins.
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        out.push(c);
        at += c.len_utf8();
    }
    out
}

fn paths(text: &str, home: &str) -> String {
    replaced(text, |at| {
        let rest = text[at..].strip_prefix(home)?;
        // `/home/ann` is no part of `/home/anna`.
        let ends = rest.chars().next().is_none_or(|c| !is_name(c));
        ends.then(|| (home.len(), "~".to_owned()))
    })
}

fn homes_of_others(text: &str, folder: &str) -> String {
    replaced(text, |at| {
        let rest = text[at..].strip_prefix(folder)?;
        let end = rest
            .find(|c: char| matches!(c, '/' | '\\' | '"' | '\'' | ':') || c.is_whitespace())
            .unwrap_or(rest.len());
        (end > 0).then(|| (folder.len() + end, format!("{folder}user")))
    })
}

fn words(text: &str, name: &str, by: &str) -> String {
    let inner = |c: char| c.is_alphanumeric() || c == '_';
    replaced(text, |at| {
        let here = text.get(at..at + name.len())?;
        if !here.eq_ignore_ascii_case(name) {
            return None;
        }
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let alone = !before.is_some_and(inner) && !after.is_some_and(inner);
        alone.then(|| (name.len(), by.to_owned()))
    })
}

/// `token = "abc"`, `"token": "abc"`, `Authorization: Bearer abc`.
fn secrets(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    replaced(text, |at| {
        let key = SECRETS.iter().find(|s| lower[at..].starts_with(**s))?;
        let mut rest = &text[at + key.len()..];
        // The rest of the key's name, a quote, what lies between.
        rest = rest.trim_start_matches(is_name);
        rest = rest.trim_start_matches(['"', '\'', '\\']);
        rest = rest.trim_start_matches([' ', '\t']);
        let rest = rest
            .strip_prefix([':', '='])?
            .trim_start_matches([' ', '\t']);
        let start = text.len() - rest.len();
        let bare = rest.trim_start_matches(['"', '\'', '\\']);
        let quoted = bare.len() < rest.len();
        let end = bare
            .find(|c: char| match c {
                '\n' | '\r' => true,
                '"' | '\'' => quoted,
                // A scheme stands before the secret.
                ' ' | ',' | ';' | '}' => !quoted && *key != "authorization" && *key != "cookie",
                _ => false,
            })
            .unwrap_or(bare.len());
        if end == 0 || is_plain_value(&bare[..end]) {
            return None;
        }
        let opening = &text[at..start + (rest.len() - bare.len())];
        Some((opening.len() + end, format!("{opening}{GONE}")))
    })
}

/// Numbers and truth values are no secrets, and JSON must stay JSON.
fn is_plain_value(text: &str) -> bool {
    matches!(text, "true" | "false" | "null" | GONE) || text.parse::<f64>().is_ok()
}

/// `name@place.org` and `scheme://name:word@place`.
fn addresses(text: &str) -> String {
    let text = replaced(text, |at| {
        let rest = text[at..].strip_prefix("://")?;
        let end = rest.find(|c: char| c == '/' || c == '"' || c.is_whitespace());
        let host = &rest[..end.unwrap_or(rest.len())];
        let name = host.rfind('@')?;
        Some((3 + name, format!("://{GONE}")))
    });
    let within = |c: char| is_name(c) || c == '+' || c == '%';
    replaced(&text.clone(), |at| {
        if text[..at].chars().next_back().is_some_and(within) {
            return None;
        }
        let name = text[at..].find(|c: char| !within(c))?;
        let rest = text[at + name..].strip_prefix('@')?;
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        let place = rest[..end].trim_end_matches('.');
        let is = name > 0 && place.contains('.') && !text[at..at + name].eq(GONE);
        is.then(|| (name + 1 + place.len(), format!("({GONE})")))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn scrub() -> Scrub {
        let own = |s: &str| vec![s.to_owned()];
        Scrub::new(&own("/home/ann"), &own("ann"), &own("annas-pc"))
    }

    #[test]
    fn names_and_homes_go() {
        let all = [
            ("/home/ann/x.toml", "~/x.toml"),
            ("in /home/ann", "in ~"),
            ("/home/anna/x", "/home/user/x"),
            (
                "/home/bob/x and /Users/eve/y",
                "/home/user/x and /Users/user/y",
            ),
            ("C:\\Users\\eve\\y", "C:\\Users\\user\\y"),
            ("Ann on annas-pc: planned", "user on host: planned"),
            ("ann@annas-pc:~$", "user@host:~$"),
            (
                "mail ann@web.org, eve.x@mail.example.org!",
                "mail user@web.org, (removed)!",
            ),
            ("rtsp://ann:pw1@cam.local/1", "rtsp://removed@cam.local/1"),
            ("the plan of the board", "the plan of the board"),
        ];
        for (text, wanted) in all {
            let clean = scrub().text(text);
            // An address may go as a whole or by its name.
            let same = clean == wanted || clean == wanted.replace("user@web.org", "(removed)");
            assert!(same, "{text}: {clean}");
        }
    }

    #[test]
    fn secrets_go_and_numbers_stay() {
        let all = [
            ("token=abc123 next", "token=removed next"),
            ("API_KEY: \"x y z\", more", "API_KEY: \"removed\", more"),
            (
                "{\"password\":\"p\\\"w\",\"n\":1}",
                "{\"password\":\"removed\"w\",\"n\":1}",
            ),
            (
                "Authorization: Bearer abc def\nnext",
                "Authorization: removed\nnext",
            ),
            ("web.token_file = '/x/y'", "web.token_file = 'removed'"),
            ("tokens: 17", "tokens: 17"),
            ("a secret is nothing", "a secret is nothing"),
            ("password=", "password="),
        ];
        for (text, wanted) in all {
            assert_eq!(scrub().text(text), wanted, "{text}");
        }
    }

    #[test]
    fn json_stays_json() {
        let value = json!({
            "path": "/home/ann/k", "list": ["ann", 1.5, null], "my_token": "abc", "tokens": 3,
            "secret": {"password": "x"},
        });
        let wanted = json!({
            "path": "~/k", "list": ["user", 1.5, null], "my_token": "removed", "tokens": 3,
            "secret": {"password": "removed"},
        });
        assert_eq!(scrub().value(value), wanted);
    }

    #[test]
    fn nobody_is_no_name() {
        let own = |s: &str| vec![s.to_owned()];
        let scrub = Scrub::new(&own("/root"), &own("root"), &own("localhost"));
        assert_eq!(
            scrub.text("the root window, /root/x"),
            "the root window, ~/x"
        );
        assert_eq!(Scrub::new(&own("/"), &own(""), &[]).text("/a/b"), "/a/b");
    }

    proptest! {
        #[test]
        fn any_text_is_taken_and_nothing_private_is_left(
            a in ".{0,40}",
            b in "[ -~]{0,40}",
        ) {
            let text = format!("{a} /home/ann/{b} ann token=\"hunter2hunter\" {a}");
            let clean = scrub().text(&text);
            prop_assert!(!clean.contains("/home/ann/"), "{}", clean);
            prop_assert!(!clean.contains("hunter2hunter"), "{}", clean);
            let _ = scrub().text(&a);
        }
    }
}
