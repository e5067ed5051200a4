//! What another process costs, as the system counts it.

use std::path::Path;

use anyhow::Context as _;

/// What a process has taken so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// Processor time of all its threads, user and system.
    pub cpu_seconds: f64,
    /// Resident memory at this moment.
    pub memory_mib: f64,
}

/// Processor time (user and system) and resident memory of a process, from /proc.
pub(super) fn cost(pid: u32) -> anyhow::Result<Cost> {
    let folder = Path::new("/proc").join(pid.to_string());
    let stat = std::fs::read_to_string(folder.join("stat")).context("reading /proc")?;
    // The name in brackets may hold spaces: fields are counted from its end.
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let field = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok());
    let (user, system) = (field(11), field(12));
    let ticks = user
        .zip(system)
        .map(|(u, s)| u + s)
        .context("/proc: no processor times")?;
    let status = std::fs::read_to_string(folder.join("status"))?;
    let resident = status
        .lines()
        .find_map(|l| l.strip_prefix("VmRSS:"))
        .and_then(|v| v.trim().trim_end_matches("kB").trim().parse::<f64>().ok())
        .context("/proc: no resident memory")?;
    // USER_HZ is 100 on every Linux this runs on.
    Ok(Cost {
        cpu_seconds: ticks / 100.0,
        memory_mib: resident / 1024.0,
    })
}
