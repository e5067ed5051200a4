//! Cameras: which there are, by the names to use, and whether this user may use them.

use super::finding::Finding;
use super::serial::{access, group};
use crate::capture::camera::name;

/// Looks. A card's further devices give no pictures.
pub(super) fn look(tell: &mut dyn FnMut(Finding)) {
    let mut cameras: Vec<_> = name::list().into_iter().filter(|c| c.index == 0).collect();
    cameras.sort_by(|a, b| a.device.cmp(&b.device));
    if cameras.is_empty() {
        tell(Finding::ok("cameras", "cameras", "there is none"));
    }
    for camera in cameras {
        let name = camera.device.display().to_string();
        tell(match access(&camera.device) {
            Ok(()) => {
                let text = format!("{}: camera = \"{}\"", camera.card, camera.stable());
                Finding::ok("cameras", &name, text)
            }
            Err(error) => {
                let text = format!("{}: this user may not use it: {error}", camera.card);
                let group = group(&camera.device);
                let fix = format!("run `sudo usermod -aG {group} $USER` and log in again");
                Finding::warn("cameras", &name, text, &fix)
            }
        });
    }
}
