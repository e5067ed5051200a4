//! A window that shows what is done to it: one colour until it is clicked, another one then, and a
//! third one when a key was pressed in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// What the window has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Nothing yet.
    Nothing,
    /// A click.
    Clicked,
    /// A key after it.
    Typed,
}

impl Shown {
    /// The colour that says so: none that a screen has by chance.
    pub(super) const fn colour(self) -> [u8; 3] {
        match self {
            Self::Nothing => [0x21, 0x5f, 0xc3],
            Self::Clicked => [0x23, 0xc1, 0x61],
            Self::Typed => [0xc5, 0x81, 0x1f],
        }
    }

    fn pixel(self) -> u32 {
        let [r, g, b] = self.colour();
        u32::from_be_bytes([0, r, g, b])
    }
}

/// Its size in px.
const SIZE: (u16, u16) = (240, 120);
/// How soon it is noticed that it is to close.
const GLANCE: Duration = Duration::from_millis(5);

/// The open window.
pub(super) struct TestWindow {
    id: Window,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl TestWindow {
    /// Opens it on `$DISPLAY`.
    ///
    /// # Errors
    /// When there is no such display, in words.
    pub(super) fn open() -> Result<Self, String> {
        fn told(error: impl std::fmt::Display) -> String {
            error.to_string()
        }
        let (conn, number) = x11rb::connect(None).map_err(told)?;
        let root = conn.setup().roots.get(number).ok_or("no such screen")?.root;
        let id = conn.generate_id().map_err(told)?;
        let aux = CreateWindowAux::new()
            .background_pixel(Shown::Nothing.pixel())
            .event_mask(EventMask::BUTTON_PRESS | EventMask::KEY_PRESS);
        let depth = COPY_DEPTH_FROM_PARENT;
        let class = WindowClass::INPUT_OUTPUT;
        let (w, h) = SIZE;
        conn.create_window(depth, id, root, 80, 80, w, h, 0, class, 0, &aux)
            .map_err(told)?;
        let title = b"Kibitzer doctor";
        conn.change_property8(
            PropMode::REPLACE,
            id,
            AtomEnum::WM_NAME,
            AtomEnum::STRING,
            title,
        )
        .map_err(told)?;
        conn.map_window(id).map_err(told)?;
        conn.flush().map_err(told)?;
        let closing = Arc::new(AtomicBool::new(false));
        let shut = Arc::clone(&closing);
        let thread = std::thread::Builder::new()
            .name("test window".to_owned())
            .spawn(move || {
                // A server that has gone away has taken the window with it.
                let _ = show(&conn, id, &shut);
            })
            .map_err(told)?;
        Ok(Self {
            id,
            closing,
            thread: Some(thread),
        })
    }

    /// Its id.
    pub(super) const fn id(&self) -> Window {
        self.id
    }
}

impl Drop for TestWindow {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn show(
    conn: &RustConnection,
    id: Window,
    closing: &AtomicBool,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut shown = Shown::Nothing;
    while !closing.load(Ordering::SeqCst) {
        let Some(event) = conn.poll_for_event()? else {
            std::thread::sleep(GLANCE);
            continue;
        };
        let next = match event {
            Event::ButtonPress(_) if shown == Shown::Nothing => Shown::Clicked,
            Event::KeyPress(_) if shown == Shown::Clicked => Shown::Typed,
            _ => continue,
        };
        shown = next;
        let aux = ChangeWindowAttributesAux::new().background_pixel(shown.pixel());
        conn.change_window_attributes(id, &aux)?;
        conn.clear_area(false, id, 0, 0, 0, 0)?;
        conn.flush()?;
    }
    conn.destroy_window(id)?;
    conn.flush()?;
    Ok(())
}
