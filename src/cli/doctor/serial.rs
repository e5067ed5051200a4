//! Serial ports: which there are, by which stable names, and whether this user may use them.

use std::path::{Path, PathBuf};

use super::Needs;
use super::finding::Finding;

/// Looks.
pub(super) fn look(needs: Needs<'_>, tell: &mut dyn FnMut(Finding)) {
    let ports = ports();
    if ports.is_empty() {
        tell(Finding::ok("serial", "ports", "no serial adapter is there"));
    }
    for port in &ports {
        let needed = needs
            .port
            .is_some_and(|wanted| is_same(Path::new(wanted), &port.path));
        let name = port.path.display().to_string();
        tell(match access(&port.path) {
            Ok(()) => {
                let by_id = port.by_id.as_ref();
                let stable = by_id.map_or_else(String::new, |p| format!(", as {}", p.display()));
                Finding::ok("serial", &name, format!("{}{stable}", port.words))
            }
            Err(error) => {
                let group = group(&port.path);
                let fix = format!(
                    "run `sudo usermod -aG {group} $USER` and log in again, or install the udev \
                     rule in hardware/README.md"
                );
                let text = format!("{}: this user may not use it: {error}", port.words);
                Finding::missing(needed, "serial", &name, text, &fix)
            }
        });
    }
    if let Some(wanted) = needs.port {
        tell(if Path::new(wanted).exists() {
            Finding::ok("serial", "the profile's port", format!("{wanted} is there"))
        } else {
            Finding::fail(
                "serial",
                "the profile's port",
                format!("{wanted} is not there"),
                "plug the board in, or name one of the ports above in hands.port of the profile",
            )
        });
    }
}

struct Port {
    path: PathBuf,
    by_id: Option<PathBuf>,
    words: String,
}

/// The ports that devices are on; those that are part of every machine only if a chip answers.
fn ports() -> Vec<Port> {
    let ids: Vec<(PathBuf, PathBuf)> = std::fs::read_dir("/dev/serial/by-id")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|e| Some((e.path(), e.path().canonicalize().ok()?)))
        .collect();
    let listed = serialport::available_ports().unwrap_or_default();
    listed
        .into_iter()
        .map(|port| {
            let path = PathBuf::from(&port.port_name);
            let by_id = ids.iter().find(|(_, to)| is_same(to, &path));
            let words = match &port.port_type {
                serialport::SerialPortType::UsbPort(usb) => {
                    let words = [&usb.manufacturer, &usb.product].map(|w| w.clone());
                    let words: Vec<String> = words.into_iter().flatten().collect();
                    format!("USB {:04x}:{:04x} {}", usb.vid, usb.pid, words.join(" "))
                        .trim()
                        .to_owned()
                }
                serialport::SerialPortType::PciPort => "built in".to_owned(),
                serialport::SerialPortType::BluetoothPort => "Bluetooth".to_owned(),
                serialport::SerialPortType::Unknown => "of a kind that is not told".to_owned(),
            };
            Port {
                by_id: by_id.map(|(id, _)| id.clone()),
                path,
                words,
            }
        })
        .collect()
}

fn is_same(a: &Path, b: &Path) -> bool {
    let real = |p: &Path| p.canonicalize().unwrap_or_else(|_| p.to_owned());
    real(a) == real(b)
}

/// Whether this user may read and write a device; it is not opened, which may start a board anew.
pub(super) fn access(path: &Path) -> std::io::Result<()> {
    use rustix::fs::Access;
    Ok(rustix::fs::access(
        path,
        Access::READ_OK | Access::WRITE_OK,
    )?)
}

/// The name of the group that a device belongs to.
pub(super) fn group(path: &Path) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let gid = std::fs::metadata(path).map(|m| m.gid());
    let groups = std::fs::read_to_string("/etc/group").unwrap_or_default();
    let named = gid.ok().and_then(|gid| {
        groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(gid)).then(|| name.to_owned())
        })
    });
    named.unwrap_or_else(|| "of the device".to_owned())
}
