//! Which cameras this machine has, and which one is meant by a name.
//!
//! Takes the kernel's lists (`/sys/class/video4linux`, `/dev/v4l`); gives their stable names, or
//! what is wrong with a name. Must never choose between several that fit: boards would be read off
//! another screen.

use std::path::{Path, PathBuf};

/// A camera as the kernel lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Its device, `/dev/video0`: another one after the next start or plugging in.
    pub device: PathBuf,
    /// What the driver calls it.
    pub card: String,
    /// Its serial number, if it has one.
    pub serial: Option<String>,
    /// Names that stay the same, with their folder: `by-id/...` for this very camera, `by-path/...`
    /// for whatever is plugged in at this place.
    pub links: Vec<String>,
    /// Which of the card's devices this is, from 0: webcams have a second one without pictures.
    pub index: u32,
}

impl Listed {
    /// The name to write into a profile: the most stable one there is.
    #[must_use]
    pub fn stable(&self) -> String {
        let by = |folder: &str| self.links.iter().find(|l| l.starts_with(folder)).cloned();
        by("by-id/")
            .or_else(|| by("by-path/"))
            .unwrap_or_else(|| self.device.display().to_string())
    }

    /// One line for a person.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "{} ({}, {})",
            self.stable(),
            self.card,
            self.device.display()
        )
    }

    fn is_named(&self, wanted: &str, how: How) -> bool {
        let wanted_path = Path::new(wanted);
        let contains = |text: &str| text.to_lowercase().contains(&wanted.to_lowercase());
        match how {
            How::Exactly => {
                let link = |l: &String| {
                    l == wanted
                        || l.split_once('/').is_some_and(|(_, name)| name == wanted)
                        || wanted_path == Path::new("/dev/v4l").join(l)
                };
                self.device == wanted_path
                    || self.device.file_name().is_some_and(|name| name == wanted)
                    || self.serial.as_deref() == Some(wanted)
                    || self.links.iter().any(link)
            }
            How::Whole => self.card.eq_ignore_ascii_case(wanted),
            How::Part => contains(&self.card) || self.links.iter().any(|l| contains(l)),
        }
    }
}

/// How closely a name fits, the closest first.
#[derive(Clone, Copy)]
enum How {
    Exactly,
    Whole,
    Part,
}

/// All cameras that the kernel lists, by number.
#[must_use]
pub fn list() -> Vec<Listed> {
    list_in(Path::new("/dev"), Path::new("/sys/class/video4linux"))
}

/// The same, for other roots of `/dev` and the list.
fn list_in(dev: &Path, class: &Path) -> Vec<Listed> {
    let mut links: Vec<(PathBuf, String)> = Vec::new();
    for folder in ["by-id", "by-path"] {
        let entries = std::fs::read_dir(dev.join("v4l").join(folder));
        for entry in entries.into_iter().flatten().flatten() {
            let Ok(device) = entry.path().canonicalize() else {
                continue;
            };
            let name = entry.file_name().to_string_lossy().into_owned();
            links.push((device, format!("{folder}/{name}")));
        }
    }
    links.sort();
    let text = |path: PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(text.trim().to_owned()).filter(|t| !t.is_empty())
    };
    let mut all: Vec<(u32, Listed)> = Vec::new();
    for entry in std::fs::read_dir(class).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix("video").and_then(|n| n.parse().ok());
        let Some(number) = number else {
            continue;
        };
        let device = dev.join(&name);
        let real = device.canonicalize().unwrap_or_else(|_| device.clone());
        let mine = links.iter().filter(|(to, _)| *to == real);
        // The serial number stands at the USB device, above the interface.
        let place = entry.path().join("device").canonicalize().ok();
        let above = place.iter().flat_map(|p| p.ancestors()).take(3);
        let listed = Listed {
            card: text(entry.path().join("name")).unwrap_or_else(|| name.clone()),
            serial: { above }.find_map(|folder| text(folder.join("serial"))),
            links: mine.map(|(_, name)| name.clone()).collect(),
            index: { text(entry.path().join("index")) }
                .and_then(|t| t.parse().ok())
                .unwrap_or(0),
            device,
        };
        all.push((number, listed));
    }
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, listed)| listed).collect()
}

/// The camera that is meant by a name. `gives_pictures` tells devices that give none apart; it is
/// asked only where a name fits several.
///
/// # Errors
/// When none or several fit; the text lists what there is.
pub fn choose<'a>(
    all: &'a [Listed],
    wanted: &str,
    gives_pictures: &dyn Fn(&Listed) -> bool,
) -> Result<&'a Listed, String> {
    for how in [How::Exactly, How::Whole, How::Part] {
        let fit: Vec<&Listed> = all.iter().filter(|c| c.is_named(wanted, how)).collect();
        let several = match fit[..] {
            [] => continue,
            [one] => return Ok(one),
            _ => fit,
        };
        let with: Vec<&Listed> = several
            .iter()
            .copied()
            .filter(|c| gives_pictures(c))
            .collect();
        match with[..] {
            [one] => return Ok(one),
            // None can be asked now, as when all are busy: the first of a card has the pictures.
            [] if several.iter().filter(|c| c.index == 0).count() == 1 => {
                return Ok(several[0]);
            }
            _ => {
                let which = if with.is_empty() { &several } else { &with };
                return Err(format!(
                    "several cameras are called \"{wanted}\": {}; write the first of these names \
                     or another one that only one of them has",
                    lines(which.iter().copied())
                ));
            }
        }
    }
    Err(match all {
        [] => format!(
            "there is no camera \"{wanted}\", nor any other: plug one in, or see whether its \
             driver is loaded (ls /dev/video*)"
        ),
        _ => format!(
            "there is no camera \"{wanted}\"; there are: {}",
            lines(all.iter())
        ),
    })
}

fn lines<'a>(cameras: impl Iterator<Item = &'a Listed>) -> String {
    cameras.map(Listed::line).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn camera(number: u32, card: &str, links: &[&str]) -> Listed {
        Listed {
            device: format!("/dev/video{number}").into(),
            card: card.to_owned(),
            links: links.iter().map(|l| (*l).to_owned()).collect(),
            ..Listed::default()
        }
    }

    fn two() -> Vec<Listed> {
        let c920 = "by-id/usb-046d_HD_Pro_Webcam_C920_A1B2-video-index0";
        let mut all = vec![
            camera(
                0,
                "HD Pro Webcam C920",
                &[c920, "by-path/pci-0000:00:14.0-usb-0:1:1.0-video-index0"],
            ),
            camera(
                1,
                "HD Pro Webcam C920",
                &["by-id/usb-046d_HD_Pro_Webcam_C920_A1B2-video-index1"],
            ),
            camera(
                2,
                "Integrated Camera",
                &["by-path/pci-0000:00:14.0-usb-0:8:1.0-video-index0"],
            ),
        ];
        all[1].index = 1;
        all[0].serial = Some("A1B2".to_owned());
        all
    }

    fn chosen(all: &[Listed], wanted: &str) -> Result<String, String> {
        let with = |c: &Listed| c.index == 0;
        choose(all, wanted, &with).map(|c| c.device.display().to_string())
    }

    #[test]
    fn by_any_of_its_names() {
        for wanted in [
            "by-id/usb-046d_HD_Pro_Webcam_C920_A1B2-video-index0",
            "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_A1B2-video-index0",
            "usb-046d_HD_Pro_Webcam_C920_A1B2-video-index0",
            "by-path/pci-0000:00:14.0-usb-0:1:1.0-video-index0",
            "/dev/video0",
            "video0",
            "A1B2",
            "c920",
            "hd pro webcam c920",
        ] {
            assert_eq!(
                chosen(&two(), wanted).as_deref(),
                Ok("/dev/video0"),
                "{wanted}"
            );
        }
        assert_eq!(chosen(&two(), "integrated").as_deref(), Ok("/dev/video2"));
    }

    #[test]
    fn none_or_several_are_listed() {
        let none = chosen(&two(), "Kinect").expect_err("none");
        assert!(
            none.contains("no camera \"Kinect\"")
                && none.contains("Integrated Camera, /dev/video2"),
            "{none}"
        );
        let mut all = two();
        all.push(camera(
            4,
            "HD Pro Webcam C920",
            &["by-id/usb-046d_HD_Pro_Webcam_C920_FFFF-video-index0"],
        ));
        let several = chosen(&all, "C920").expect_err("several");
        assert!(several.contains("several cameras"), "{several}");
        assert!(
            several.contains("A1B2-video-index0") && several.contains("FFFF"),
            "{several}"
        );
        assert!(!several.contains("index1"), "{several}");
        assert!(
            chosen(&[], "x")
                .expect_err("none")
                .contains("nor any other")
        );
        // All are busy: the card's first device is meant.
        let busy = choose(&two(), "C920", &|_| false).map(|c| c.index);
        assert_eq!(busy, Ok(0));
    }

    #[test]
    fn the_kernels_lists_are_read() {
        let root = tempfile::tempdir().expect("a folder");
        let (dev, class) = (root.path().join("dev"), root.path().join("class"));
        let usb = root.path().join("devices/usb1/1-1");
        for (number, card) in [(10, "Second"), (2, "First")] {
            let interface = usb.join(format!("1-1:1.{number}"));
            let node = interface.join(format!("video4linux/video{number}"));
            fs::create_dir_all(&node).expect("made");
            fs::write(node.join("name"), format!("{card}\n")).expect("written");
            fs::write(node.join("index"), "0\n").expect("written");
            symlink(&interface, node.join("device")).expect("linked");
            fs::create_dir_all(&class).expect("made");
            symlink(&node, class.join(format!("video{number}"))).expect("linked");
            fs::create_dir_all(dev.join("v4l/by-id")).expect("made");
            fs::write(dev.join(format!("video{number}")), "").expect("written");
        }
        fs::write(usb.join("serial"), "S3\n").expect("written");
        symlink("../../video2", dev.join("v4l/by-id/usb-first")).expect("linked");
        symlink("../../video9", dev.join("v4l/by-id/usb-away")).expect("linked");
        let all = list_in(&dev, &class);
        let told: Vec<(&str, String)> = all.iter().map(|c| (&*c.card, c.stable())).collect();
        let second = dev.join("video10").display().to_string();
        assert_eq!(
            told,
            [("First", "by-id/usb-first".to_owned()), ("Second", second)]
        );
        assert!(all.iter().all(|c| c.serial.as_deref() == Some("S3")));
        assert!(list_in(&dev, &root.path().join("nothing")).is_empty());
    }
}
