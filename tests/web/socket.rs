//! The Tetris of a page over a WebSocket, spoken by hand: who may connect, how many, and what is
//! done about nonsense.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::client::Daemon;

/// Longer than anything takes that works.
const PATIENCE: Duration = Duration::from_secs(60);

/// One side of a WebSocket.
struct Socket(TcpStream);

/// Asks for a connection; the head of the answer.
fn knock(daemon: &Daemon, query: &str, origin: Option<&str>) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(&daemon.address).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    let mut request = format!(
        "GET /api/play/tetris{query} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        daemon.address
    );
    if let Some(origin) = origin {
        request += &format!("Origin: {origin}\r\nSec-Fetch-Mode: websocket\r\n");
    }
    stream
        .write_all(format!("{request}\r\n").as_bytes())
        .expect("sent");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("an answer");
        head.push(byte[0]);
    }
    (stream, String::from_utf8(head).expect("text"))
}

impl Socket {
    fn open(daemon: &Daemon, query: &str) -> Self {
        let (stream, head) = knock(daemon, query, None);
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        Self(stream)
    }

    /// Sends a text; the mask is all zeros.
    fn say(&mut self, text: &str) {
        let mut frame = vec![0x81];
        match text.len() {
            n @ 0..126 => frame.push(0x80 | n as u8),
            n => {
                frame.push(0x80 | 127);
                frame.extend((n as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        // It may have been closed already.
        let _ = self.0.write_all(&frame);
    }

    /// The next frame: its kind and what is in it; `None` when there are no more.
    fn hear(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).ok()?;
        let length = match head[1] {
            126 => {
                let mut n = [0; 2];
                self.0.read_exact(&mut n).ok()?;
                u64::from(u16::from_be_bytes(n))
            }
            127 => {
                let mut n = [0; 8];
                self.0.read_exact(&mut n).ok()?;
                u64::from_be_bytes(n)
            }
            n => n.into(),
        };
        let mut body = vec![0; usize::try_from(length).expect("it fits")];
        self.0.read_exact(&mut body).ok()?;
        Some((head[0] & 15, body))
    }

    /// The next picture; `None` when there are no more.
    fn picture(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.hear()? {
                (2, body) => return Some(body),
                // Whether we are still there.
                (9, _) => {}
                other => panic!("no picture: {other:?}"),
            }
        }
    }

    /// The reason of its end.
    fn end(&mut self) -> String {
        loop {
            match self.hear() {
                Some((8, body)) => return String::from_utf8_lossy(&body[2..]).into_owned(),
                Some(_) => {}
                None => return "it is cut off".to_owned(),
            }
        }
    }
}

#[test]
fn pages_of_other_sites_get_no_socket() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}", daemon.address);
    assert!(knock(&daemon, "", Some(&own)).1.starts_with("HTTP/1.1 101"));
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "https://127.0.0.1.evil.example",
    ] {
        let (_, head) = knock(&daemon, "", Some(origin));
        assert!(head.starts_with("HTTP/1.1 403"), "{origin}: {head}");
    }
    for (query, status) in [
        ("?width=10", 422),
        ("?height=9999", 422),
        ("?level=0", 422),
        ("?level=x", 400),
        ("?more=1", 400),
    ] {
        let (_, head) = knock(&daemon, query, None);
        assert!(
            head.starts_with(&format!("HTTP/1.1 {status}")),
            "{query}: {head}"
        );
    }
}

#[test]
fn places_are_few_and_free_again_after_the_end() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let free = || {
        daemon.get("/api/play").json()["tetris"]["free"]
            .as_u64()
            .expect("a number")
    };
    let most = free();
    assert!(most >= 2);
    let mut open: Vec<Socket> = (0..most).map(|_| Socket::open(&daemon, "")).collect();
    assert_eq!(free(), 0);
    let (_, head) = knock(&daemon, "", None);
    assert!(head.starts_with("HTTP/1.1 503"), "{head}");
    // One is closed in order, the others are just gone.
    open[0]
        .0
        .write_all(&[0x88, 0x80, 0, 0, 0, 0])
        .expect("sent");
    drop(open);
    let began = Instant::now();
    while free() < most {
        assert!(began.elapsed() < PATIENCE, "places stay taken");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nonsense_ends_a_socket_with_a_reason_and_the_others_go_on() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let mut other = Socket::open(&daemon, "?width=160&height=120");
    for (text, why) in [
        ("{", "no message"),
        ("{\"steal\":1}", "no message"),
        ("{\"size\":[1,1]}", "1x1 is not drawn"),
    ] {
        let mut socket = Socket::open(&daemon, "");
        socket.say(text);
        let reason = socket.end();
        assert!(reason.contains(why), "{text}: {reason}");
    }
    let mut large = Socket::open(&daemon, "");
    large.say(&format!("{{\"load\":\"{}\"}}", "x".repeat(300_000)));
    large.end();
    let mut flood = Socket::open(&daemon, "");
    for _ in 0..20_000 {
        flood.say("{\"key\":\"Left\"}");
    }
    drop(flood);
    let first = other.picture().expect("it goes on");
    assert_eq!(first[..8], [1, 0, 0, 0, 160, 0, 120, 0]);
    other.say("{\"key\":\"c\"}");
    assert_eq!(other.picture().expect("it goes on")[..4], [2, 0, 0, 0]);
}
