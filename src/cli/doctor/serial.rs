//! Serial ports: which there are, by which stable names, and whether this user may use them.

use std::path::Path;

use super::Needs;
use super::finding::Finding;
use crate::act::serial::{owner, ports};

/// Looks.
pub(super) fn look(needs: Needs<'_>, tell: &mut dyn FnMut(Finding)) {
    let ports = ports::list();
    if ports.is_empty() {
        tell(Finding::ok("serial", "ports", "no serial adapter is there"));
    }
    for port in &ports {
        let needed = needs
            .port
            .is_some_and(|wanted| is_same(Path::new(wanted), &port.device));
        let name = port.device.display().to_string();
        let usb = port.usb.map(|(v, p)| format!("USB {v:04x}:{p:04x}"));
        let words: Vec<String> = usb.into_iter().chain(port.product.clone()).collect();
        let words = match words.is_empty() {
            true => "built in".to_owned(),
            false => words.join(" "),
        };
        tell(match access(&port.device) {
            Ok(()) => {
                let by_id = port.by_id.as_ref();
                let stable = by_id.map_or_else(String::new, |p| format!(", as {}", p.display()));
                Finding::ok("serial", &name, format!("{words}{stable}"))
            }
            Err(error) => {
                let group = group(&port.device);
                let fix = format!(
                    "run `sudo usermod -aG {group} $USER` and log in again, or install the udev \
                     rule in hardware/README.md"
                );
                let text = format!("{words}: this user may not use it: {error}");
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

/// The group that a device belongs to, for a fix.
pub(super) fn group(path: &Path) -> String {
    owner(path).unwrap_or_else(|| "of the device".to_owned())
}
