//! Delays of rigs: known ones in virtual time are found again, and a real window is measured.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kibitzer::act::simulated::keyboard::KeyLine;
use kibitzer::act::simulated::{Faults, SimulatedKeyboard};
use kibitzer::capture::{CaptureError, FrameSource};
use kibitzer::pipeline::flash::Flash;
use kibitzer::pipeline::probe::{Delays, Plan, Probe, ProbeError, quantile};
use kibitzer::types::{
    Clock, Feed, Frame, KeyTiming, ManualClock, Picture, SourceId, Stop, Target, Time,
};

use crate::relays::permit;
use crate::tetris_target::Shown;

const MS: fn(u64) -> Duration = Duration::from_millis;

/// A camera in virtual time: a frame at every period, delivered so much later.
struct Camera {
    target: Arc<Mutex<Flash>>,
    keys: KeyLine,
    clock: Arc<ManualClock>,
    period: Duration,
    seq: u64,
    /// Whether the light never rests.
    restless: bool,
}

impl FrameSource for Camera {
    fn id(&self) -> SourceId {
        "camera".into()
    }

    fn next(&mut self, deadline: Time) -> Result<Feed, CaptureError> {
        let due = Time::ZERO + self.period * u32::try_from(self.seq + 1).expect("few");
        if due > deadline {
            self.clock.set(deadline.max(self.clock.now()));
            return Ok(Feed::Quiet);
        }
        self.clock.set(due.max(self.clock.now()));
        self.seq += 1;
        self.keys.deliver(due);
        let mut picture = Picture::default();
        self.target.lock().expect("sound").render(due, &mut picture);
        if self.restless && self.seq.is_multiple_of(2) {
            picture.pixels_mut()[..640].fill(0x00ff_ffff);
        }
        Ok(Feed::Frame(Frame {
            seq: self.seq,
            captured_at: due,
            source: self.id(),
            picture: Arc::new(picture),
            changed: true,
            placement: None,
            windows: None,
        }))
    }
}

fn plan(samples: u32, reactions: u32) -> Plan {
    Plan {
        keys: vec!["space".into()],
        samples,
        reactions,
        window: None,
        seed: 5,
    }
}

fn measure(
    faults: Faults,
    restless: bool,
    plan: &Plan,
) -> Result<(Delays, Vec<Duration>), ProbeError> {
    let clock = Arc::new(ManualClock::default());
    let answered = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&answered);
    let seed = (plan.reactions > 0).then_some(3);
    let flash = Flash::new(
        (64, 48),
        seed,
        Box::new(move |took| log.lock().expect("sound").push(took)),
    );
    let flash = Arc::new(Mutex::new(flash));
    let timing = KeyTiming {
        lead: MS(30),
        hold: MS(30),
        gap: MS(0),
        latency: MS(100),
    };
    let target = Arc::clone(&flash) as Arc<Mutex<dyn Target>>;
    let mut hands = SimulatedKeyboard::new(target, timing, faults);
    let mut camera = Camera {
        target: flash,
        keys: hands.line(),
        clock: Arc::clone(&clock),
        period: MS(20),
        seq: 0,
        restless,
    };
    let mut permit = |_| Ok(permit());
    let delays = Probe::new(&mut camera, &mut hands, &mut permit, clock, Stop::new())
        .measure(plan, &mut |_, _| {})?;
    let answered = answered.lock().expect("sound").clone();
    Ok((delays, answered))
}

#[test]
fn a_known_delay_is_found_again() {
    let faults = Faults {
        latency_ms: 45,
        ..Faults::default()
    };
    let (delays, _) = measure(faults, false, &plan(100, 0)).expect("measured");
    assert_eq!((delays.key_to_photon.len(), delays.missed), (100, 0));
    assert_eq!(delays.frame, MS(20));
    // 45 ms, and then until the next frame: evenly up to 20 ms more.
    let at = |share| quantile(&delays.key_to_photon, share).expect("some");
    assert!(at(0.0) >= MS(45) && at(1.0) <= MS(66), "{delays:?}");
    assert!((MS(50)..=MS(60)).contains(&at(0.5)), "{delays:?}");
    assert!(at(0.99) >= MS(60), "{delays:?}");
}

#[test]
fn keys_without_an_effect_are_counted_and_a_restless_picture_is_refused() {
    let faults = Faults {
        lost: 0.3,
        latency_ms: 20,
        seed: 2,
        ..Faults::default()
    };
    let (delays, _) = measure(faults, false, &plan(50, 0)).expect("measured");
    assert_eq!(delays.key_to_photon.len() as u32 + delays.missed, 50);
    assert!((5..30).contains(&delays.missed), "{delays:?}");
    let error = measure(Faults::default(), true, &plan(5, 0)).expect_err("restless");
    assert!(matches!(error, ProbeError::Restless), "{error}");
}

#[test]
fn a_flash_is_answered_and_both_ends_agree_about_it() {
    let (delays, answered) = measure(Faults::default(), false, &plan(3, 10)).expect("measured");
    assert_eq!(delays.photon_to_key.len(), 10);
    // From the frame's light to the key: the lead.
    let at = |share| quantile(&delays.photon_to_key, share).expect("some");
    assert!(at(0.0) >= MS(30) && at(1.0) <= MS(36), "{delays:?}");
    // The target saw the wait for a frame too.
    assert!(answered.len() >= 10, "{answered:?}");
    assert!(answered.iter().all(|took| *took <= MS(60)), "{answered:?}");
}

#[test]
fn a_real_window_is_measured_and_the_profile_learns_it() {
    let _together = crate::support::together();
    let _cores = crate::support::cores();
    let Some(shown) = Shown::start(&["flash"]) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let profile = folder.path().join("flash.toml");
    let text = "# my rig\nversion = 1\n[source]\nwindow = \"Kibitzer flash\"\n[game]\nname = \
                \"tetris\"\n[hands]\nkind = \"keyboard\" # for now\n";
    std::fs::write(&profile, text).expect("written");
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .arg("probe")
        .arg(&profile)
        .args(["--samples", "12", "--json", "--write"])
        .env("DISPLAY", shown.desktop.display())
        .env("HOME", folder.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).expect("one object");
    assert_eq!(told["samples"], 12, "{told}");
    let p99 = told["key_to_photon_ms"]["p99"].as_f64().expect("a number");
    assert!(p99 > 0.0, "{told}");
    let text = std::fs::read_to_string(&profile).expect("readable");
    let expected = format!("latency_ms = {}", p99.ceil());
    assert!(
        text.starts_with("# my rig\n") && text.contains("# for now") && text.contains(&expected),
        "{text}\n{told}"
    );
}
