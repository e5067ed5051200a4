//! Clocks: whether time goes on evenly, and how finely this machine waits.

use std::time::{Duration, Instant, SystemTime};

use super::finding::Finding;

/// The two clocks at the beginning.
pub(super) struct Watch {
    steady: Instant,
    wall: SystemTime,
}

/// More than this between both clocks in the seconds of an examination is a jump.
const JUMP: Duration = Duration::from_millis(200);
/// Waking up later than this on most tries costs frames.
const LATE: Duration = Duration::from_millis(5);
/// Before this version was written no clock can be right: the first of January 2025.
const PAST: Duration = Duration::from_secs(1_735_689_600);

impl Watch {
    /// Both are read now.
    pub(super) fn start() -> Self {
        Self {
            steady: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// Looks, when everything else has been looked at.
    pub(super) fn look(self, tell: &mut dyn FnMut(Finding)) {
        tell(resolution());
        let (steady, wall) = (self.steady.elapsed(), self.wall.elapsed());
        let apart = wall.map(|w| w.abs_diff(steady));
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        tell(match apart {
            _ if since.is_ok_and(|s| s < PAST) => Finding::warn(
                "clock",
                "wall clock",
                "it is set to a time before this version was made",
                "set it: `timedatectl set-ntp true`; the journal tells times by it",
            ),
            Ok(apart) if apart <= JUMP => Finding::ok("clock", "wall clock", "it goes on evenly"),
            _ => Finding::warn(
                "clock",
                "wall clock",
                "it jumped while this ran; decisions go by the steady clock and are not hurt",
                "let one service alone set it (`timedatectl` tells which)",
            ),
        });
    }
}

fn resolution() -> Finding {
    let mut before = Instant::now();
    let mut finest = Duration::MAX;
    for _ in 0..10_000 {
        let now = Instant::now();
        if let Some(step) = now.checked_duration_since(before).filter(|s| !s.is_zero()) {
            finest = finest.min(step);
        }
        before = now;
    }
    let nap = Duration::from_millis(2);
    let mut late: Vec<Duration> = (0..21)
        .map(|_| {
            let begun = Instant::now();
            std::thread::sleep(nap);
            begun.elapsed().saturating_sub(nap)
        })
        .collect();
    late.sort();
    let usual = late[late.len() / 2];
    let text = format!(
        "steps of {} ns; a wait of 2 ms is late by {:.2} ms, at most {:.1} ms",
        finest.as_nanos(),
        usual.as_secs_f64() * 1e3,
        late[late.len() - 1].as_secs_f64() * 1e3
    );
    if usual > LATE {
        let fix = "the machine is very busy or saves power: end other programs, or set the \
                   governor `performance`";
        return Finding::warn("clock", "timer", text, fix);
    }
    Finding::ok("clock", "timer", text)
}
