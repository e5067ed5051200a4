//! Cameras: which there are, by name, and whether this user may use them.

use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::serial::{access, group};

/// Looks.
pub(super) fn look(tell: &mut dyn FnMut(Finding)) {
    let cameras = cameras(Path::new("/sys/class/video4linux"));
    if cameras.is_empty() {
        tell(Finding::ok("cameras", "cameras", "there is none"));
    }
    for camera in cameras {
        let name = camera.device.display().to_string();
        tell(match access(&camera.device) {
            Ok(()) => Finding::ok("cameras", &name, camera.name),
            Err(error) => {
                let text = format!("{}: this user may not use it: {error}", camera.name);
                let group = group(&camera.device);
                let fix = format!("run `sudo usermod -aG {group} $USER` and log in again");
                Finding::warn("cameras", &name, text, &fix)
            }
        });
    }
}

/// A camera as the kernel names it.
#[derive(Debug, PartialEq, Eq)]
struct Camera {
    device: PathBuf,
    name: String,
}

/// The cameras of a system. A device has several nodes; the first is the one that gives pictures.
fn cameras(class: &Path) -> Vec<Camera> {
    let entries = std::fs::read_dir(class).into_iter().flatten().flatten();
    let mut found: Vec<(u32, Camera)> = entries
        .filter_map(|entry| {
            let node = entry.file_name().into_string().ok()?;
            let number = node.strip_prefix("video")?.parse().ok()?;
            let read = |name: &str| std::fs::read_to_string(entry.path().join(name));
            // Where it is not told, every node is a camera of its own.
            let index = read("index").unwrap_or_default();
            let first = matches!(index.trim(), "" | "0");
            let name = read("name").map_or_else(|_| "without a name".into(), |n| n.trim().into());
            let device = Path::new("/dev").join(node);
            first.then_some((number, Camera { device, name }))
        })
        .collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, camera)| camera).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_node_of_each_device_is_a_camera() {
        let class = tempfile::tempdir().expect("a folder");
        for (node, name, index) in [
            ("video10", "Second\n", "0\n"),
            ("video0", "First: Webcam\n", "0\n"),
            ("video1", "First: Webcam\n", "1\n"),
            ("radio0", "none", "0"),
        ] {
            let folder = class.path().join(node);
            std::fs::create_dir(&folder).expect("made");
            std::fs::write(folder.join("name"), name).expect("written");
            std::fs::write(folder.join("index"), index).expect("written");
        }
        let found: Vec<(String, String)> = cameras(class.path())
            .into_iter()
            .map(|c| (c.device.display().to_string(), c.name))
            .collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            found,
            [
                pair("/dev/video0", "First: Webcam"),
                pair("/dev/video10", "Second")
            ]
        );
        assert!(cameras(Path::new("/no/such")).is_empty());
    }
}
