//! Who is let through: the address asked for, the page that asks, the token, and how often.
//!
//! A page of another site that a person has open can send requests to this machine, and can make a
//! name of its own mean this machine's address. So a request must name this server as its host, a
//! page that asks must come from here, and whoever comes from another machine needs the token.

use std::collections::HashSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::routes::App;
use super::token::TokenHash;

/// The cookie that holds the token for a browser.
pub const COOKIE: &str = "kibitzer-token";
/// Wrong tokens that are looked at within [`WINDOW`]; after them all are refused unseen.
const TRIES: usize = 10;
/// The time in which tries are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// What everything comes from but this server may load nothing: no other site's script, style,
/// picture or frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
    data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// The rules of one server.
#[derive(Debug)]
pub struct Guard {
    /// Names by which it may be asked for, beside addresses.
    names: HashSet<String>,
    port: u16,
    /// Whether only this machine reaches it.
    loopback: bool,
    token: Option<TokenHash>,
    /// When wrong tokens came.
    wrong: Mutex<Vec<Instant>>,
}

impl Guard {
    /// The rules of a server at this address; `names` are its host names, `token` is needed unless
    /// only this machine reaches it.
    #[must_use]
    pub fn new(at: SocketAddr, names: &[String], token: Option<TokenHash>) -> Self {
        let mut names: HashSet<String> = names.iter().map(|n| n.to_ascii_lowercase()).collect();
        names.insert("localhost".to_owned());
        Self {
            names,
            port: at.port(),
            loopback: at.ip().is_loopback(),
            token,
            wrong: Mutex::default(),
        }
    }

    /// Whether a request may name this host: an address, which no foreign name can stand for, or a
    /// name that was given.
    #[must_use]
    pub fn is_host(&self, host: &str) -> bool {
        let (name, port) = split(host);
        if port.is_some_and(|p| p.parse() != Ok(self.port)) {
            return false;
        }
        let name = name.to_ascii_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        match address.parse::<IpAddr>() {
            Ok(ip) => ip.is_loopback() || !self.loopback,
            Err(_) => self.names.contains(&name),
        }
    }

    /// Whether what a browser says of the page that asks is in order; programs say nothing.
    fn is_own_page(headers: &HeaderMap, host: &str, method: &Method) -> bool {
        let text = |name: &str| headers.get(name).map(|v| v.to_str().unwrap_or("?"));
        let reads = *method == Method::GET || *method == Method::HEAD;
        let origin = text("origin").is_none_or(|origin| {
            let rest = origin.split_once("://").map(|(_, rest)| rest);
            rest == Some(host)
        });
        let site = match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => true,
            // A link from elsewhere may open a page, and nothing else.
            Some(_) => reads && text("sec-fetch-mode") == Some("navigate"),
        };
        origin && site
    }

    /// Whether a token is the right one. Wrong ones are counted.
    ///
    /// # Errors
    /// When too many wrong ones came of late.
    pub fn check(&self, token: &str, now: Instant) -> Result<bool, StatusCode> {
        let Some(hash) = &self.token else {
            return Ok(true);
        };
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        wrong.retain(|at| now.duration_since(*at) < WINDOW);
        if wrong.len() >= TRIES {
            return Err(StatusCode::TOO_MANY_REQUESTS);
        }
        let right = hash.is(token);
        if !right {
            wrong.push(now);
        }
        Ok(right)
    }

    /// Whether a token is needed at all.
    #[must_use]
    pub const fn needs_token(&self) -> bool {
        self.token.is_some()
    }

    fn judge(&self, request: &Request) -> Result<(), (StatusCode, &'static str)> {
        let headers = request.headers();
        // HTTP/2 has the host in the address itself.
        let host = headers.get(header::HOST).and_then(|v| v.to_str().ok());
        let host = host.or_else(|| request.uri().authority().map(|a| a.as_str()));
        let Some(host) = host.filter(|h| self.is_host(h)) else {
            let text = "this server has another name: say it with --name";
            return Err((StatusCode::MISDIRECTED_REQUEST, text));
        };
        if !Self::is_own_page(headers, host, request.method()) {
            return Err((
                StatusCode::FORBIDDEN,
                "the page that asks is not one of ours",
            ));
        }
        if self.token.is_none() || is_open(request.uri().path()) {
            return Ok(());
        }
        match token_of(headers).map(|t| self.check(t, Instant::now())) {
            Some(Ok(true)) => Ok(()),
            Some(Err(status)) => Err((status, "too many wrong tokens: wait a minute")),
            _ => Err((StatusCode::UNAUTHORIZED, "a token is needed")),
        }
    }
}

/// What is shown to everybody: the pages, which hold nothing until they have a token, and whether
/// the daemon lives.
fn is_open(path: &str) -> bool {
    !path.starts_with("/api/") && path != "/metrics" || path == "/api/token"
}

/// A host's name, and its port where one is given.
fn split(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        // The colons of an address without a port are within brackets.
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// The token that a request brings.
fn token_of(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION);
    let bearer = bearer.and_then(|v| v.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut cookies = cookies
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(';'));
    bearer.or_else(|| cookies.find_map(|c| c.trim().strip_prefix(COOKIE)?.strip_prefix('=')))
}

/// Lets a request through or not, and says on every answer what a browser may do with it.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = match app.guard.judge(&request) {
        Ok(()) => next.run(request).await,
        Err((status, text)) => {
            (status, axum::Json(serde_json::json!({"error": text}))).into_response()
        }
    };
    let headers = response.headers_mut();
    // A page that is one file names what it holds by its hash.
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(POLICY));
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let cached = if api { "no-store" } else { "no-cache" };
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static(cached));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(at: &str, names: &[&str]) -> Guard {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        Guard::new(at.parse().expect("an address"), &names, None)
    }

    #[test]
    fn a_host_is_this_server_or_refused() {
        let local = guard("127.0.0.1:8747", &[]);
        for host in [
            "127.0.0.1:8747",
            "localhost:8747",
            "LOCALHOST:8747",
            "[::1]:8747",
            "127.0.0.1",
        ] {
            assert!(local.is_host(host), "{host}");
        }
        let foreign = [
            "evil.example:8747",
            "localhost.evil.example",
            "127.0.0.1:80",
            "192.168.1.5:8747",
            "",
            ":8747",
            "[::1",
            "localhost:8747:8747",
        ];
        for host in foreign {
            assert!(!local.is_host(host), "{host}");
        }
        let open = guard("0.0.0.0:8747", &["Rig.Local"]);
        assert!(open.is_host("192.168.1.5:8747") && open.is_host("rig.local:8747"));
        assert!(!open.is_host("evil.example:8747"));
    }

    fn asks(method: Method, headers: &[(&'static str, &str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().expect("a value"));
        }
        Guard::is_own_page(&map, "localhost:8747", &method)
    }

    #[test]
    fn pages_of_other_sites_may_only_link_here() {
        let (get, post) = (Method::GET, Method::POST);
        assert!(asks(post.clone(), &[]), "a program says nothing");
        assert!(asks(post.clone(), &[("origin", "http://localhost:8747")]));
        assert!(asks(get.clone(), &[("sec-fetch-site", "none")]));
        let link = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ];
        assert!(asks(get.clone(), &link));
        assert!(!asks(post.clone(), &link), "a form of another site");
        assert!(!asks(
            get.clone(),
            &[
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", "no-cors")
            ]
        ));
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:1",
            "https://localhost:8747.evil.example",
        ] {
            assert!(!asks(post.clone(), &[("origin", origin)]), "{origin}");
            assert!(!asks(get.clone(), &[("origin", origin)]), "{origin}");
        }
    }

    #[test]
    fn tokens_are_found_and_guessing_ends_soon() {
        let mut headers = HeaderMap::new();
        assert_eq!(token_of(&headers), None);
        headers.insert(
            header::COOKIE,
            "a=b; kibitzer-token=abc; c=d".parse().expect("a value"),
        );
        assert_eq!(token_of(&headers), Some("abc"));
        headers.insert(
            header::AUTHORIZATION,
            "Bearer xyz".parse().expect("a value"),
        );
        assert_eq!(token_of(&headers), Some("xyz"));
        let guard = Guard::new(
            "0.0.0.0:1".parse().expect("an address"),
            &[],
            Some(TokenHash::of("t")),
        );
        let now = Instant::now();
        assert_eq!(guard.check("t", now), Ok(true));
        for _ in 0..TRIES {
            assert_eq!(guard.check("x", now), Ok(false));
        }
        assert_eq!(guard.check("t", now), Err(StatusCode::TOO_MANY_REQUESTS));
        assert_eq!(guard.check("t", now + WINDOW), Ok(true));
    }
}
