//! A window that shows a target and passes it keys and the pointer.
//!
//! Takes a target and a size, returns when the window is closed. It draws at the rate of the
//! display and puts a picture on the screen only when it differs from the one before.

use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, KeyEvent, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, OwnedDisplayHandle};
use winit::keyboard::{Key, ModifiersState, NamedKey};
use winit::platform::x11::WindowAttributesExtX11;
use winit::window::{Window, WindowId};

use crate::capture::x11::Display;
use crate::types::{Clock, Picture, Point, Pointer, SystemClock, Target};

/// Where the display does not tell its rate.
const USUAL_RATE: u32 = 60_000;

/// Shows a target until its window is closed.
///
/// # Errors
/// When there is no display, or it fails.
pub fn show(target: Box<dyn Target>, size: (u32, u32)) -> anyhow::Result<()> {
    // Asked before, because the window library does not tell why it has no connection.
    let told = "no window can be opened (without a screen: xvfb-run kibitzer target ...)";
    drop(Display::open(None).context(told)?);
    let events = EventLoop::new().context(told)?;
    let context = Context::new(events.owned_display_handle())
        .map_err(|e| anyhow!("nothing can be drawn on this display: {e}"))?;
    let mut app = App {
        target,
        size,
        context,
        open: None,
        clock: SystemClock::start(),
        modifiers: ModifiersState::default(),
        pointer: Point::default(),
        period: period(None),
        due: Instant::now(),
        picture: Picture::default(),
        failed: None,
    };
    events.run_app(&mut app)?;
    app.failed.map_or(Ok(()), Err)
}

fn period(millihertz: Option<u32>) -> Duration {
    let rate = millihertz.filter(|r| *r > 0).unwrap_or(USUAL_RATE);
    Duration::from_secs_f64(1000.0 / f64::from(rate.clamp(20_000, 240_000)))
}

type Screen = Surface<OwnedDisplayHandle, Rc<Window>>;

/// The window, once it is open.
struct Open {
    window: Rc<Window>,
    surface: Screen,
    size: PhysicalSize<u32>,
    /// What is on the screen; empty when it must be drawn in any case.
    shown: Picture,
    /// What it is called.
    title: String,
}

struct App {
    target: Box<dyn Target>,
    size: (u32, u32),
    context: Context<OwnedDisplayHandle>,
    open: Option<Open>,
    clock: SystemClock,
    modifiers: ModifiersState,
    pointer: Point,
    period: Duration,
    due: Instant,
    picture: Picture,
    failed: Option<anyhow::Error>,
}

impl App {
    fn open(&mut self, events: &ActiveEventLoop) -> anyhow::Result<Open> {
        let (width, height) = self.size;
        let title = self.target.title().to_owned();
        let attributes = Window::default_attributes()
            .with_title(title.clone())
            .with_name("kibitzer", "kibitzer")
            .with_min_inner_size(PhysicalSize::new(160, 120))
            .with_inner_size(PhysicalSize::new(width, height));
        let window = Rc::new(
            events
                .create_window(attributes)
                .context("the window cannot be opened")?,
        );
        let rate = window.current_monitor();
        self.period = period(rate.and_then(|m| m.refresh_rate_millihertz()));
        let surface = Surface::new(&self.context, Rc::clone(&window))
            .map_err(|e| anyhow!("nothing can be drawn in the window: {e}"))?;
        let size = window.inner_size();
        Ok(Open {
            window,
            surface,
            size,
            shown: Picture::default(),
            title,
        })
    }

    /// Draws, or ends with the reason why it could not.
    fn show(&mut self, events: &ActiveEventLoop) {
        if let Err(error) = self.draw() {
            self.failed.get_or_insert(error);
            events.exit();
        }
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        self.target.render(self.clock.now(), &mut self.picture);
        if open.title != self.target.title() {
            self.target.title().clone_into(&mut open.title);
            open.window.set_title(&open.title);
        }
        if open.shown == self.picture {
            return Ok(());
        }
        let PhysicalSize { width, height } = open.size;
        let (Some(w), Some(h)) = (NonZeroU32::new(width), NonZeroU32::new(height)) else {
            return Ok(());
        };
        let wrong = |e: softbuffer::SoftBufferError| anyhow!("the window cannot be drawn: {e}");
        open.surface.resize(w, h).map_err(wrong)?;
        let mut buffer = open.surface.buffer_mut().map_err(wrong)?;
        copy(&self.picture, &mut buffer, width, height);
        open.window.pre_present_notify();
        buffer.present().map_err(wrong)?;
        open.shown.clone_from(&self.picture);
        Ok(())
    }

    fn key(&mut self, event: &KeyEvent) {
        if event.state != ElementState::Pressed {
            return;
        }
        let Some(name) = name(&event.logical_key, self.modifiers) else {
            return;
        };
        if event.repeat && !self.target.repeats(&name) {
            return;
        }
        self.target.key(&name, self.clock.now());
    }
}

/// The picture in the top left corner, black around it.
fn copy(picture: &Picture, to: &mut [u32], width: u32, height: u32) {
    let both = picture.width().min(width) as usize;
    for y in 0..height {
        let row = &mut to[y as usize * width as usize..][..width as usize];
        if y < picture.height() {
            row[..both].copy_from_slice(&picture.row(y)[..both]);
            row[both..].fill(0);
        } else {
            row.fill(0);
        }
    }
}

/// A key's name as targets take it; `None` for modifiers and keys without a use.
fn name(key: &Key, held: ModifiersState) -> Option<String> {
    let mut name = String::new();
    if held.control_key() {
        name.push_str("ctrl+");
    }
    match key {
        Key::Character(text) => {
            let mut chars = text.chars();
            let (Some(c), None) = (chars.next(), chars.next()) else {
                return None;
            };
            // Shift is part of a sign, but not of a letter: `?`, but `shift+k`.
            if c.is_alphabetic() && (held.shift_key() || c.is_uppercase()) {
                name.push_str("shift+");
            }
            name.extend(c.to_lowercase());
        }
        Key::Named(named) => {
            if held.shift_key() {
                name.push_str("shift+");
            }
            name.push_str(named_key(*named)?);
        }
        _ => return None,
    }
    Some(name)
}

const fn named_key(key: NamedKey) -> Option<&'static str> {
    Some(match key {
        NamedKey::ArrowLeft => "Left",
        NamedKey::ArrowRight => "Right",
        NamedKey::ArrowUp => "Up",
        NamedKey::ArrowDown => "Down",
        NamedKey::Space => "space",
        NamedKey::Enter => "Return",
        NamedKey::Escape => "Escape",
        NamedKey::Tab => "Tab",
        NamedKey::Backspace => "BackSpace",
        NamedKey::F1 => "F1",
        NamedKey::F2 => "F2",
        NamedKey::F3 => "F3",
        NamedKey::F4 => "F4",
        _ => return None,
    })
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        match self.open(events) {
            Ok(open) => {
                self.target.resize(open.size.width, open.size.height);
                self.open = Some(open);
            }
            Err(error) => {
                self.failed = Some(error);
                events.exit();
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let now = self.clock.now();
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => events.exit(),
            WindowEvent::Resized(size) => {
                self.target.resize(size.width, size.height);
                if let Some(open) = &mut self.open {
                    open.size = size;
                    open.shown = Picture::default();
                    open.window.request_redraw();
                }
            }
            WindowEvent::RedrawRequested => {
                if let Some(open) = &mut self.open {
                    // The server may have lost what was there.
                    open.shown = Picture::default();
                }
                self.show(events);
            }
            WindowEvent::ModifiersChanged(held) => self.modifiers = held.state(),
            WindowEvent::KeyboardInput { event, .. } => self.key(&event),
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = Point::new(position.x, position.y);
                self.target.pointer(Pointer::Move, self.pointer, now);
            }
            WindowEvent::CursorLeft { .. } => {
                self.target.pointer(Pointer::Leave, self.pointer, now);
            }
            WindowEvent::MouseInput {
                state,
                button: MouseButton::Left,
                ..
            } => {
                let what = match state {
                    ElementState::Pressed => Pointer::Press,
                    ElementState::Released => Pointer::Release,
                };
                self.target.pointer(what, self.pointer, now);
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let now = Instant::now();
        if now >= self.due {
            self.show(events);
            // What was missed is not made up for.
            self.due = (self.due + self.period).max(now);
        }
        events.set_control_flow(ControlFlow::WaitUntil(self.due));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_names_that_targets_know() {
        let (none, shift) = (ModifiersState::empty(), ModifiersState::SHIFT);
        let ctrl = ModifiersState::CONTROL;
        let sign = |text: &str| Key::Character(text.into());
        let table = [
            (sign("c"), none, "c"),
            (sign("K"), shift, "shift+k"),
            (sign("?"), shift, "?"),
            (sign("+"), shift, "+"),
            (sign("7"), none, "7"),
            (Key::Named(NamedKey::ArrowUp), ctrl, "ctrl+Up"),
            (Key::Named(NamedKey::ArrowUp), shift, "shift+Up"),
            (Key::Named(NamedKey::Space), none, "space"),
        ];
        for (key, held, wanted) in table {
            assert_eq!(name(&key, held).as_deref(), Some(wanted));
        }
        assert_eq!(name(&Key::Named(NamedKey::Shift), shift), None);
    }

    #[test]
    fn a_picture_of_another_size_is_cut_or_bordered() {
        let picture = Picture::filled(3, 2, [1, 2, 3]);
        let mut to = vec![9; 4 * 3];
        copy(&picture, &mut to, 4, 3);
        let c = 0x01_02_03;
        assert_eq!(to, [c, c, c, 0, c, c, c, 0, 0, 0, 0, 0]);
        let mut to = vec![9; 2];
        copy(&picture, &mut to, 2, 1);
        assert_eq!(to, [c, c]);
    }

    #[test]
    fn the_rate_is_a_possible_one() {
        assert_eq!(period(None), period(Some(60_000)));
        assert_eq!(period(Some(0)), period(Some(60_000)));
        assert_eq!(period(Some(u32::MAX)), period(Some(240_000)));
    }
}
