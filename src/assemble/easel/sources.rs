//! What there is to look at: windows and monitors of the screen, cameras.

use crate::assemble::SourceSpec;
#[cfg(target_os = "linux")]
use crate::capture::camera::{device, name};
use crate::capture::query::WindowQuery;
use crate::capture::x11::{Display, monitors, windows};
use crate::types::{CameraName, CameraSpec};

/// A window.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Window {
    /// Its id.
    pub id: u32,
    /// Its title.
    pub title: String,
    /// Its class.
    pub class: String,
    /// Width and height in px.
    pub size: [u32; 2],
    /// Whether it is on the screen; minimised ones are not.
    pub visible: bool,
}

/// A monitor.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Monitor {
    /// As it is named in profiles.
    pub name: String,
    /// Width and height in px.
    pub size: [u32; 2],
}

/// A camera that works.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Camera {
    /// As it is named in profiles.
    pub name: String,
    /// As its maker calls it.
    pub card: String,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Sources {
    /// Windows, those on the screen first.
    pub windows: Vec<Window>,
    /// Monitors, the first one first.
    pub screens: Vec<Monitor>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Why there are no windows, if that is so.
    pub trouble: Option<String>,
}

/// Looks for them. What cannot be looked at has a reason in `trouble`.
#[must_use]
pub fn sources() -> Sources {
    let mut found = Sources {
        cameras: cameras(),
        ..Sources::default()
    };
    let listed = Display::open(None).and_then(|display| {
        let monitors = monitors::list(&display)?;
        Ok((windows::list(&display)?, monitors))
    });
    match listed {
        Ok((windows, monitors)) => {
            let window = |w: crate::capture::query::WindowInfo| {
                let [_, class] = w.class;
                Window {
                    id: w.id,
                    title: w.title,
                    class,
                    size: [w.rect.width, w.rect.height],
                    visible: w.viewable,
                }
            };
            found.windows = windows.into_iter().map(window).collect();
            let monitor = |m: monitors::Monitor| Monitor {
                name: m.name,
                size: [m.rect.width, m.rect.height],
            };
            found.screens = monitors.into_iter().map(monitor).collect();
        }
        Err(error) => found.trouble = Some(error.to_string()),
    }
    found
}

#[cfg(target_os = "linux")]
fn cameras() -> Vec<Camera> {
    let all = name::list();
    let working = all.iter().filter(|c| device::survey(c).is_ok());
    working
        .map(|c| Camera {
            name: c.stable(),
            card: c.card.clone(),
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
const fn cameras() -> Vec<Camera> {
    Vec::new()
}

impl Sources {
    /// The window with this id as it is looked at now, and as a profile names it: by title and
    /// class, which outlive the program.
    #[must_use]
    pub fn window(&self, id: u32) -> Option<(SourceSpec, SourceSpec)> {
        let window = self.windows.iter().find(|w| w.id == id)?;
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (title, class) = (some(&window.title), some(&window.class));
        let named = match (&title, &class) {
            (None, None) => WindowQuery::with_id(id),
            _ => WindowQuery {
                title,
                class,
                ..WindowQuery::default()
            },
        };
        let now = WindowQuery::with_id(id);
        Some((SourceSpec::Window(now), SourceSpec::Window(named)))
    }

    /// The camera of this name, if it is one of these: a name is no way to a file or an address.
    #[must_use]
    pub fn camera(&self, name: &str) -> Option<SourceSpec> {
        let camera = self.cameras.iter().find(|c| c.name == name)?;
        let which = CameraName::Local(camera.name.clone());
        Some(SourceSpec::Camera(CameraSpec::new(which)))
    }
}
