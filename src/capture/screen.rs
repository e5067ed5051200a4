//! An X screen, one of its monitors or a region of it as a source of frames.
//!
//! Takes an [`Area`] and gives what a person sees there, without the pointer. A part of a region
//! outside the screen is black and not in `Placement::visible`.

use std::str::FromStr;
use std::sync::Arc;

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask};

use super::pace::Pace;
use super::x11::grab::Grabber;
use super::x11::shots::Shots;
use super::x11::{Display, is_mismatch, lost, monitors, pixel, root_rect, unexpected};
use super::{CaptureError, FrameSource};
use crate::types::{Clock, Feed, Frame, Hidden, Placement, Rect, SourceId, Time};

/// Which part of the screen.
///
/// As text: empty (all of it), `HDMI-1` or `1` (a monitor by name or number from 1), `X,Y,WxH`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Area {
    /// All monitors together.
    #[default]
    Whole,
    /// A monitor by its RandR name, or by its number from 1 with the primary one first.
    Monitor(String),
    /// A rectangle in root coordinates.
    Region(Rect),
}

impl FromStr for Area {
    type Err = CaptureError;

    fn from_str(text: &str) -> Result<Self, CaptureError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::Whole);
        }
        if !text.contains(',') {
            return Ok(Self::Monitor(text.to_owned()));
        }
        let numbers = || -> Option<Rect> {
            let mut parts = text.splitn(3, ',').map(str::trim);
            let (x, y, size) = (parts.next()?, parts.next()?, parts.next()?);
            let (width, height) = size.split_once('x')?;
            let rect = Rect {
                x: x.parse().ok()?,
                y: y.parse().ok()?,
                width: width.trim().parse().ok()?,
                height: height.trim().parse().ok()?,
            };
            // Coordinates and sizes have 16 bits in the protocol.
            let fits = |v: i64| (-32_768..32_768).contains(&v);
            let possible = rect.width > 0
                && rect.height > 0
                && fits(rect.x.into())
                && fits(rect.y.into())
                && rect.width < 32_768
                && rect.height < 32_768;
            possible.then_some(rect)
        };
        numbers().map(Self::Region).ok_or_else(|| {
            CaptureError::Open(format!(
                "\"{text}\" is no region of a screen: write X,Y,WIDTHxHEIGHT, for example \
                 100,80,640x480"
            ))
        })
    }
}

impl std::fmt::Display for Area {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Monitor(name) => f.write_str(name),
            Self::Region(r) => write!(f, "{},{},{}x{}", r.x, r.y, r.width, r.height),
        }
    }
}

/// Captures a part of the screen.
pub struct ScreenSource {
    display: Display,
    area: Area,
    rect: Rect,
    id: SourceId,
    shots: Shots,
    pace: Pace,
    clock: Arc<dyn Clock>,
    last: Option<Time>,
    seq: u64,
}

impl ScreenSource {
    /// Opens an area of the display of this name, or of `$DISPLAY`.
    ///
    /// # Errors
    /// [`CaptureError::Open`]; for an unknown monitor it lists the monitors there are.
    pub fn open(
        display: Option<&str>,
        area: Area,
        clock: Arc<dyn Clock>,
        pace: Pace,
    ) -> Result<Self, CaptureError> {
        let display = Display::open(display)?;
        let aux = ChangeWindowAttributesAux::new().event_mask(EventMask::STRUCTURE_NOTIFY);
        display
            .conn
            .change_window_attributes(display.root, &aux)
            .map_err(lost)?
            .check()
            .map_err(unexpected)?;
        let rect = place(&display, &area)?;
        let id = match area.to_string() {
            all if all.is_empty() => "screen".into(),
            part => format!("screen:{part}").into(),
        };
        Ok(Self {
            shots: Shots::new(Grabber::new(&display)),
            display,
            area,
            rect,
            id,
            pace,
            clock,
            last: None,
            seq: 0,
        })
    }

    /// Reads through the socket instead of shared memory: for comparison.
    pub fn use_socket(&mut self) {
        self.shots = Shots::new(Grabber::plain());
    }

    fn capture(&mut self) -> Result<Feed, CaptureError> {
        // Two tries: a monitor may vanish between the events and the copy.
        for _ in 0..2 {
            let mut resized = false;
            while let Some(event) = self.display.conn.poll_for_event().map_err(lost)? {
                resized |= matches!(event, Event::ConfigureNotify(_));
            }
            if resized {
                self.display.screen = root_rect(&self.display)?;
                self.rect = match place(&self.display, &self.area) {
                    Ok(rect) => rect,
                    Err(e @ CaptureError::Lost(_)) => return Err(e),
                    Err(e) => return Ok(Feed::Ended(e.to_string())),
                };
            }
            let rect = self.rect;
            let Some(part) = rect.intersection(&self.display.screen) else {
                return Ok(Feed::Hidden(Hidden::OffScreen));
            };
            let inner = Rect {
                x: part.x - rect.x,
                y: part.y - rect.y,
                ..part
            };
            let captured_at = self.clock.now();
            let image = self
                .shots
                .ask(&self.display, self.display.root, part)
                .map_err(lost)?;
            let pointer = self
                .display
                .conn
                .query_pointer(self.display.root)
                .map_err(lost)?;
            let shot = match self.shots.take(image, (rect.width, rect.height), inner) {
                Ok(shot) => shot,
                Err(e) if is_mismatch(&e) => continue,
                Err(e) => return Err(unexpected(e)),
            };
            let pointer = pointer.reply().map_err(unexpected)?;
            let (dx, dy) = (rect.x as i16, rect.y as i16);
            let (picture, changed) = self.shots.deliver(shot);
            self.seq += 1;
            return Ok(Feed::Frame(Frame {
                seq: self.seq,
                captured_at,
                source: Arc::clone(&self.id),
                picture,
                changed,
                placement: Some(Placement {
                    on_screen: rect,
                    visible: inner,
                    window: None,
                    obscured: false,
                    pointer: pointer.same_screen.then(|| {
                        pixel(
                            pointer.root_x.saturating_sub(dx),
                            pointer.root_y.saturating_sub(dy),
                        )
                    }),
                }),
                windows: None,
            }));
        }
        Ok(Feed::Quiet)
    }
}

fn place(display: &Display, area: &Area) -> Result<Rect, CaptureError> {
    let name = match area {
        Area::Whole => return Ok(display.screen),
        Area::Region(rect) => return Ok(*rect),
        Area::Monitor(name) => name,
    };
    let all = monitors::list(display)?;
    let numbered = name.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    all.iter()
        .find(|m| m.name.eq_ignore_ascii_case(name))
        .or_else(|| all.get(numbered?))
        .map(|m| m.rect)
        .ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|m| m.name.as_str()).collect();
            CaptureError::Open(format!(
                "there is no monitor \"{name}\"; there are: {}",
                known.join(", ")
            ))
        })
}

impl FrameSource for ScreenSource {
    fn id(&self) -> SourceId {
        Arc::clone(&self.id)
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        if !self.pace.wait(&*self.clock, self.last, deadline) {
            return Ok(Feed::Quiet);
        }
        self.last = Some(self.clock.now());
        self.capture()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_as_text() {
        for text in ["", "HDMI-1", "2", "-5,10,300x200"] {
            let area: Area = text.parse().expect("valid");
            assert_eq!(area.to_string(), text);
        }
        for text in [
            "1,2,3",
            "1,2,0x5",
            "a,b,3x4",
            "1,2,3x4x5",
            "40000,0,5x5",
            "0,0,99999x1",
        ] {
            let error = text.parse::<Area>().expect_err(text).to_string();
            assert!(error.contains("WIDTHxHEIGHT"), "{error}");
        }
    }
}
