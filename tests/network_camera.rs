//! Cameras in the network, against a real server on loopback that speaks as phones do.

use std::io::{Cursor, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::capture::FrameSource as _;
use kibitzer::capture::camera::CameraSource;
use kibitzer::types::{
    CameraName, CameraSpec, CameraTrouble, Clock, Feed, Hidden, SystemClock, Time, Turn,
};

const SENDS: u8 = 0;
/// The connection stays, nothing comes.
const STALLS: u8 = 1;
/// There is no such page.
const DENIES: u8 = 2;

/// A server of MJPEG.
struct Phone {
    manner: Arc<AtomicU8>,
    sent: Arc<AtomicU32>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    port: u16,
}

impl Phone {
    fn start(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
        let phone = Self {
            manner: Arc::default(),
            sent: Arc::default(),
            open: Arc::default(),
            port: listener.local_addr().expect("bound").port(),
        };
        let (manner, sent, open) = (phone.manner.clone(), phone.sent.clone(), phone.open.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                open.lock()
                    .expect("sound")
                    .push(stream.try_clone().expect("a copy"));
                let (manner, sent) = (manner.clone(), sent.clone());
                std::thread::spawn(move || serve(stream, &manner, &sent));
            }
        });
        phone
    }

    fn url(&self) -> String {
        format!("http://me:secret@127.0.0.1:{}/video", self.port)
    }

    fn behave(&self, manner: u8) {
        self.manner.store(manner, Ordering::SeqCst);
    }

    /// Hangs up on everybody.
    fn hang_up(&self) {
        for stream in self.open.lock().expect("sound").drain(..) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

/// The number of a picture as its shade, on the left half; the right one is red.
fn jpeg(number: u32) -> Vec<u8> {
    let shade = (number * 16 % 240) as u8;
    let picture = image::RgbImage::from_fn(64, 48, |x, _| {
        image::Rgb(if x < 32 { [shade; 3] } else { [220, 20, 20] })
    });
    let mut out = Cursor::new(Vec::new());
    picture
        .write_to(&mut out, image::ImageFormat::Jpeg)
        .expect("encoded");
    out.into_inner()
}

fn serve(mut stream: TcpStream, manner: &AtomicU8, sent: &AtomicU32) {
    let mut asked = [0; 1024];
    let _ = stream.read(&mut asked);
    if manner.load(Ordering::SeqCst) == DENIES {
        let _ = stream.write_all(b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    let head = "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n";
    if stream.write_all(head.as_bytes()).is_err() {
        return;
    }
    loop {
        if manner.load(Ordering::SeqCst) == SENDS {
            let body = jpeg(sent.fetch_add(1, Ordering::SeqCst));
            let part = format!(
                "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let all = [part.as_bytes(), &body, b"\r\n"].concat();
            if stream.write_all(&all).is_err() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(40));
    }
}

fn source(url: &str, clock: &Arc<SystemClock>, turn: Turn) -> CameraSource {
    let spec = CameraSpec {
        turn,
        ..CameraSpec::new(CameraName::from_text(url))
    };
    CameraSource::open(&spec, clock.clone(), Time::ZERO).expect("an address")
}

/// Asks until it hears something, or for long enough to be sure that it never comes.
fn hear(source: &mut CameraSource, clock: &SystemClock, wanted: &dyn Fn(&Feed) -> bool) -> bool {
    let until = clock.now() + Duration::from_secs(40);
    while clock.now() < until {
        let feed = source
            .next(clock.now() + Duration::from_millis(50))
            .expect("no end");
        if wanted(&feed) {
            return true;
        }
    }
    false
}

fn is_frame(feed: &Feed) -> bool {
    matches!(feed, Feed::Frame(_))
}

fn is(trouble: CameraTrouble) -> impl Fn(&Feed) -> bool {
    move |feed| matches!(feed, Feed::Hidden(Hidden::Camera(t)) if *t == trouble)
}

#[test]
fn pictures_come_upright_and_without_the_password() {
    let phone = Phone::start(0);
    let clock = Arc::new(SystemClock::start());
    let mirror = Turn {
        quarters: 1,
        mirror: true,
    };
    let mut source = source(&phone.url(), &clock, mirror);
    assert!(!source.id().contains("secret"), "{}", source.id());
    let red = |feed: &Feed| match feed {
        // Turned clockwise the right half is below; mirrored it stays there.
        Feed::Frame(f) => {
            let [r, g, b] = f.picture.rgb(24, 50);
            (f.picture.width(), f.picture.height()) == (48, 64) && r > 180 && g < 60 && b < 60
        }
        _ => false,
    };
    assert!(hear(&mut source, &clock, &red));
    let counts = source.counts();
    assert!(counts.taken > 0 && counts.opened == 1, "{counts:?}");
}

#[test]
fn a_lost_connection_is_told_and_made_again() {
    let phone = Phone::start(0);
    let clock = Arc::new(SystemClock::start());
    let mut source = source(&phone.url(), &clock, Turn::default());
    assert!(hear(&mut source, &clock, &is_frame));
    phone.behave(DENIES);
    phone.hang_up();
    assert!(hear(&mut source, &clock, &is(CameraTrouble::Gone)));
    let fault = source.fault().expect("a fault").to_string();
    assert!(
        fault.contains("127.0.0.1") && !fault.contains("secret"),
        "{fault}"
    );
    phone.behave(SENDS);
    assert!(hear(&mut source, &clock, &is_frame));
    assert!(source.counts().opened >= 2);
}

#[test]
fn a_stream_that_stalls_is_told_while_it_does() {
    let phone = Phone::start(0);
    let clock = Arc::new(SystemClock::start());
    let mut source = source(&phone.url(), &clock, Turn::default());
    assert!(hear(&mut source, &clock, &is_frame));
    phone.behave(STALLS);
    assert!(hear(&mut source, &clock, &is(CameraTrouble::Hanging)));
    phone.behave(SENDS);
    assert!(hear(&mut source, &clock, &is_frame));
}

#[test]
fn a_camera_that_is_switched_on_later() {
    let clock = Arc::new(SystemClock::start());
    // A port that is free until the phone takes it.
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let late = free.local_addr().expect("bound").port();
    drop(free);
    let url = format!("http://127.0.0.1:{late}/video");
    let mut source = source(&url, &clock, Turn::default());
    assert!(hear(&mut source, &clock, &is(CameraTrouble::Gone)));
    let _phone = Phone::start(late);
    assert!(hear(&mut source, &clock, &is_frame));
}

#[test]
fn addresses_that_are_none() {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let spec = CameraSpec::new(CameraName::from_text("ftp://10.0.0.5/video"));
    let error = CameraSource::open(&spec, clock, Time::ZERO)
        .err()
        .expect("refused");
    assert!(error.to_string().contains("http:// or rtsp://"), "{error}");
}
