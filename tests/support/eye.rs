//! Looks at windows and says whether what it sees is what they show.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::capture::pace::Pace;
use kibitzer::capture::query::WindowQuery;
use kibitzer::capture::window::WindowSource;
use kibitzer::capture::{CaptureError, FrameSource};
use kibitzer::types::{Clock, Feed, Frame, Hidden, Picture, Rect, SystemClock};

use super::x11_window::{Xvfb, pattern, wait_for};

/// A source of frames with its clock.
pub struct Eye {
    clock: Arc<SystemClock>,
    source: Box<dyn FrameSource>,
}

impl Eye {
    pub fn on(source: impl FrameSource + 'static, clock: &Arc<SystemClock>) -> Self {
        Self {
            clock: Arc::clone(clock),
            source: Box::new(source),
        }
    }

    pub fn window(x: &Xvfb, query: &str) -> Result<Self, CaptureError> {
        let clock = Arc::new(SystemClock::start());
        let query: WindowQuery = query.parse()?;
        let pace = Pace::new(Duration::ZERO);
        let source = WindowSource::open(Some(&x.display), &query, clock.clone(), pace)?;
        assert!(source.is_shared(), "a local server shares memory");
        Ok(Self::on(source, &clock))
    }

    pub fn look(&mut self) -> Result<Feed, CaptureError> {
        self.source.next(self.clock.now() + Duration::from_secs(5))
    }

    pub fn frame(&mut self) -> Frame {
        match self.look() {
            Ok(Feed::Frame(frame)) => frame,
            other => panic!("no frame but {other:?}"),
        }
    }

    /// Looks until a frame is as wanted.
    pub fn frame_where(&mut self, what: &str, good: impl Fn(&Frame) -> bool) -> Frame {
        let mut found = None;
        wait_for(what, || {
            if let Ok(Feed::Frame(f)) = self.look() {
                found = good(&f).then_some(f);
            }
            found.is_some()
        });
        found.expect("waited for")
    }

    pub fn hidden_as(&mut self, how: Hidden) {
        wait_for(
            &how.to_string(),
            || matches!(self.look(), Ok(Feed::Hidden(h)) if h == how),
        );
    }

    pub fn end(&mut self) -> String {
        let mut why = None;
        wait_for("the end", || {
            if let Ok(Feed::Ended(text)) = self.look() {
                why = Some(text);
            }
            why.is_some()
        });
        why.expect("waited for")
    }
}

pub fn failure<T>(result: Result<T, CaptureError>) -> String {
    match result {
        Ok(_) => panic!("this must fail"),
        Err(e) => e.to_string(),
    }
}

/// The part of the pattern that lies in `visible`, black elsewhere.
pub fn expected(width: u32, height: u32, visible: Rect) -> Picture {
    let mut p = Picture::filled(width, height, [0; 3]);
    for y in 0..visible.height {
        for x in 0..visible.width {
            let (x, y) = (x + visible.x as u32, y + visible.y as u32);
            p.pixels_mut()[(y * width + x) as usize] = pattern(x, y) & 0xff_ffff;
        }
    }
    p
}

pub fn assert_pattern(frame: &Frame) {
    let visible = frame.placement.expect("on a screen").visible;
    let p = &frame.picture;
    let wanted = expected(p.width(), p.height(), visible);
    let wrong = p
        .pixels()
        .iter()
        .zip(wanted.pixels())
        .filter(|(a, b)| a != b)
        .count();
    let first = p
        .pixels()
        .iter()
        .zip(wanted.pixels())
        .position(|(a, b)| a != b)
        .unwrap_or(0);
    let (x, y) = (first as u32 % p.width(), first as u32 / p.width());
    assert!(
        wrong == 0,
        "{wrong} pixels are not the window's own, the first at {x},{y}; {:?}",
        frame.placement
    );
}

pub fn rect(x: i32, y: i32, width: u32, height: u32) -> Rect {
    Rect {
        x,
        y,
        width,
        height,
    }
}
