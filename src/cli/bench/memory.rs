//! The most memory this process has held, for one row of a table after another.

/// Starts counting anew, where the system can (Linux); elsewhere the peak is that of the process.
pub fn forget_peak() {
    // Writing `5` there resets the peak; where it cannot be written, the figures are too high.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most since then, in MB; 0 where it is not told.
#[must_use]
pub fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0 / 1e6
}
