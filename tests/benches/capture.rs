//! What capturing and clicking cost: `cargo bench --profile dev --bench capture` (starts an
//! Xvfb of its own; the dev profile is the program's only one).
//!
//! The pixels are of a real X server. A plain GetImage through the socket stands beside shared
//! memory, and looking at the whole stack of windows beside waiting for its changes.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use divan::Bencher;
use kibitzer::act::Actuator as _;
use kibitzer::act::mouse::X11Mouse;
use kibitzer::capture::FrameSource;
use kibitzer::capture::pace::Pace;
use kibitzer::capture::query::WindowQuery;
use kibitzer::capture::screen::{Area, ScreenSource};
use kibitzer::capture::window::WindowSource;
use kibitzer::capture::x11::Display;
use kibitzer::capture::x11::stacking;
use kibitzer::decide::{Facts, Gate, Limits};
use kibitzer::types::{Clock as _, Feed, Point, Rect, Stroke, SystemClock};
use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::*;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

struct Bench {
    server: std::sync::Mutex<Option<Child>>,
    display: String,
    conn: RustConnection,
    window: Window,
}

/// As large as the window of Flood-It.
const SIZE: (u16, u16) = (480, 500);

static BENCH: OnceLock<Bench> = OnceLock::new();

fn bench() -> &'static Bench {
    BENCH.get_or_init(|| {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-noreset",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
            ])
            .arg("1280x800x24")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        let out = server.stdout.take().expect("piped");
        BufReader::new(out)
            .read_line(&mut number)
            .expect("a display");
        let display = format!(":{}", number.trim());
        let (conn, screen) = x11rb::connect(Some(&display)).expect("our own server");
        let root = conn.setup().roots[screen].root;
        let open = |title: &str, x: i16| {
            let id = conn.generate_id().expect("an id");
            let aux = CreateWindowAux::new().background_pixel(0x33_4cff);
            let class = WindowClass::INPUT_OUTPUT;
            let (w, h) = SIZE;
            conn.create_window(
                COPY_DEPTH_FROM_PARENT,
                id,
                root,
                x,
                50,
                w,
                h,
                0,
                class,
                0,
                &aux,
            )
            .expect("sent");
            let (name, text) = (AtomEnum::WM_NAME, AtomEnum::STRING);
            conn.change_property8(PropMode::REPLACE, id, name, text, title.as_bytes())
                .expect("sent");
            conn.map_window(id).expect("sent");
            id
        };
        let window = open("Bench", 100);
        // A desktop's worth of windows above it, to the right.
        for i in 0..20 {
            open("Other", 700 + i);
        }
        conn.sync().expect("alive");
        Bench {
            server: std::sync::Mutex::new(Some(server)),
            display,
            conn,
            window,
        }
    })
}

/// Draws in the window, so that the next picture differs.
fn draw(colour: u32) {
    let b = bench();
    let gc = b.conn.generate_id().expect("an id");
    b.conn
        .create_gc(gc, b.window, &CreateGCAux::new().foreground(colour))
        .expect("sent");
    let dot = Rectangle {
        x: 5,
        y: 5,
        width: 9,
        height: 9,
    };
    b.conn
        .poly_fill_rectangle(b.window, gc, &[dot])
        .expect("sent");
    b.conn.free_gc(gc).expect("sent");
    b.conn.sync().expect("alive");
}

fn window(clock: &Arc<SystemClock>) -> WindowSource {
    let pace = Pace::new(Duration::ZERO);
    let query = WindowQuery::titled("Bench");
    WindowSource::open(Some(&bench().display), &query, clock.clone(), pace).expect("found")
}

fn screen(clock: &Arc<SystemClock>) -> ScreenSource {
    let pace = Pace::new(Duration::ZERO);
    ScreenSource::open(Some(&bench().display), Area::Whole, clock.clone(), pace).expect("found")
}

fn run(bencher: Bencher<'_, '_>, clock: &SystemClock, source: &mut dyn FrameSource, drawn: bool) {
    // The first frame counts as changed.
    let _ = source.next(clock.now() + Duration::from_secs(1));
    let mut look = move || match source.next(clock.now() + Duration::from_secs(1)) {
        Ok(Feed::Frame(frame)) => assert_eq!(frame.changed, drawn),
        other => panic!("{other:?}"),
    };
    let mut colour = 0;
    bencher
        .with_inputs(|| {
            colour += 1;
            if drawn {
                draw(colour);
            }
        })
        .bench_local_values(|()| look());
}

#[divan::bench(args = [false, true])]
fn window_shared(bencher: Bencher<'_, '_>, drawn: bool) {
    let clock = Arc::new(SystemClock::start());
    run(bencher, &clock, &mut window(&clock), drawn);
}

#[divan::bench(args = [false, true])]
fn window_plain(bencher: Bencher<'_, '_>, drawn: bool) {
    let clock = Arc::new(SystemClock::start());
    let mut source = window(&clock);
    source.use_socket();
    run(bencher, &clock, &mut source, drawn);
}

#[divan::bench(args = [false, true])]
fn screen_shared(bencher: Bencher<'_, '_>, drawn: bool) {
    let clock = Arc::new(SystemClock::start());
    run(bencher, &clock, &mut screen(&clock), drawn);
}

#[divan::bench(args = [false, true])]
fn screen_plain(bencher: Bencher<'_, '_>, drawn: bool) {
    let clock = Arc::new(SystemClock::start());
    let mut source = screen(&clock);
    source.use_socket();
    run(bencher, &clock, &mut source, drawn);
}

/// What finding out about covering windows would cost in every frame.
#[divan::bench]
fn whole_stack(bencher: Bencher<'_, '_>) {
    let b = bench();
    let display = Display::open(Some(&b.display)).expect("our own server");
    let rect = Rect {
        x: 100,
        y: 50,
        width: SIZE.0.into(),
        height: SIZE.1.into(),
    };
    bencher.bench_local(|| {
        let standing = stacking::find(&display, b.window, rect).expect("alive");
        assert!(standing.is_some_and(|s| !s.obscured));
    });
}

/// Move, read back, check the window, press, release.
#[divan::bench]
fn click(bencher: Bencher<'_, '_>) {
    let b = bench();
    let clock = Arc::new(SystemClock::start());
    let mut mouse = X11Mouse::open(Some(&b.display), clock.clone()).expect("hands");
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: Duration::from_secs(60),
        expiry: Duration::from_secs(600),
    };
    let now = clock.now();
    let facts = Facts {
        now,
        captured_at: now,
        certain: true,
        still: true,
        reachable: true,
    };
    let permit = Gate::new(true, limits).ask(&facts).expect("granted");
    let mut x = 200.0;
    bencher.bench_local(|| {
        x = if x > 400.0 { 200.0 } else { x + 1.0 };
        mouse
            .perform(
                &Stroke::Click(Point::new(x, 200.0)),
                Some(b.window),
                &permit,
            )
            .expect("made");
    });
}

fn main() {
    divan::main();
    if let Some(mut server) = BENCH
        .get()
        .and_then(|b| b.server.lock().ok().and_then(|mut s| s.take()))
    {
        let _ = server.kill();
        let _ = server.wait();
    }
}
