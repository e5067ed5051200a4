//! What runs here: this program, the libraries and the system.

use super::finding::Finding;

/// Looks.
pub(super) fn look(tell: &mut dyn FnMut(Finding)) {
    let built = if cfg!(feature = "portable-capture") {
        "with portable capture"
    } else {
        "for X11"
    };
    let own = format!("{} {built}", env!("CARGO_PKG_VERSION"));
    tell(Finding::ok("versions", "kibitzer", own));
    tell(match opencv::core::get_version_string() {
        Ok(version) => Finding::ok("versions", "OpenCV", version),
        Err(error) => Finding::fail(
            "versions",
            "OpenCV",
            format!("it does not answer: {error}"),
            "install libopencv-dev of this system and build Kibitzer anew",
        ),
    });
    let kernel = |name: &str| {
        let text = std::fs::read_to_string(format!("/proc/sys/kernel/{name}"));
        text.map(|t| t.trim().to_owned()).ok()
    };
    if let (Some(kind), Some(release)) = (kernel("ostype"), kernel("osrelease")) {
        tell(Finding::ok(
            "versions",
            "system",
            format!("{kind} {release}"),
        ));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    tell(if cores < 2 {
        Finding::warn(
            "versions",
            "processor",
            "one core: capture and thinking take turns",
            "give the machine two cores for games that do not wait",
        )
    } else {
        Finding::ok("versions", "processor", format!("{cores} cores"))
    });
}
