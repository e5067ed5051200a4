//! `kibitzer bench uinput`: makes the kernel's virtual keyboard and mouse, uses them, and reads
//! back what the kernel says that they did. The devices are grabbed meanwhile: no program gets the
//! keys.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use evdev::{Device, EventSummary, InputEvent};
use serde_json::json;

use crate::act::uinput::{KEYBOARD, KernelHands, POINTER};
use crate::act::worker::Worker;
use crate::act::{Actuator as _, Hands as _};
use crate::cli::out::say;
use crate::decide::{Facts, Gate, Limits};
use crate::types::{
    Action, Armed, Clock, KernelHands as Spec, Point, Pointing, Stop, Stroke, SystemClock, Time,
};

/// How long events may take to come back.
const PATIENCE: Duration = Duration::from_secs(5);

/// The screen that places are told on.
const SCREEN: (u32, u32) = (1000, 500);

/// Options of `kibitzer bench uinput`.
#[derive(Debug, clap::Args)]
pub struct Options {}

/// Runs `kibitzer bench uinput`.
///
/// # Errors
/// When the kernel gives no devices, they cannot be read back, or what is read is not what was
/// done.
pub fn run(_options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let open = |hold| {
        let spec = Spec {
            hold,
            pointing: Some(Pointing {
                screen: Some(SCREEN),
                ..Pointing::default()
            }),
            ..Spec::default()
        };
        KernelHands::open(spec, Arc::clone(&clock), Stop::new())
    };
    let mut hands = open(Duration::from_millis(20))?;
    let mut keyboard = device(KEYBOARD)?;
    let mut pointer = device(POINTER)?;
    let mut key = |name: &str, expected: &[(u16, i32)]| {
        let stroke = Stroke::Key(name.to_owned());
        hands.perform(&stroke, None, &permit(clock.now())?)?;
        expect(&mut keyboard, name, expected)
    };
    // Codes of the kernel's input-event-codes.h.
    key("a", &[(30, 1), (30, 0)])?;
    key("Left", &[(105, 1), (105, 0)])?;
    key("space", &[(57, 1), (57, 0)])?;
    let chord = [(29, 1), (42, 1), (49, 1), (49, 0), (42, 0), (29, 0)];
    key("ctrl+N", &chord)?;
    let click = Stroke::Click(Point::new(249.5, 249.5));
    hands.perform(&click, None, &permit(clock.now())?)?;
    let (mut at, mut buttons) = ([0; 2], Vec::new());
    read(&mut pointer, |event| {
        match event.destructure() {
            EventSummary::AbsoluteAxis(_, axis, value) => at[usize::from(axis.0 & 1)] = value,
            EventSummary::Key(_, code, value) => buttons.push((code.0, value)),
            _ => {}
        }
        buttons.len() == 2
    })?;
    ensure!(
        buttons == [(0x110, 1), (0x110, 0)] && at == [16_384, 32_768],
        "a click came back as {buttons:?} at {at:?}"
    );
    drop((hands, keyboard, pointer));

    // Whoever lets go ends a hold.
    let mut worker = Worker::spawn(
        Box::new(open(Duration::from_secs(600))?),
        Arc::clone(&clock),
    )?;
    let mut keyboard = device(KEYBOARD)?;
    let now = clock.now();
    let action = Action {
        id: 1,
        cause_seq: 0,
        cause_at: now,
        expires_at: now + PATIENCE,
        strokes: vec![Stroke::Key("x".to_owned())],
        window: None,
        origin: None,
    };
    worker.start(action, permit(now)?, now)?;
    expect(&mut keyboard, "a key that is held", &[(45, 1)])?;
    worker.release_all()?;
    expect(&mut keyboard, "its release", &[(45, 0)])?;
    say(&match json {
        true => json!({ "uinput": "ok" }).to_string(),
        false => "uinput: keys, chords, a click and letting go came back as they were made".into(),
    });
    Ok(ExitCode::SUCCESS)
}

fn permit(now: Time) -> anyhow::Result<Armed> {
    let limits = Limits {
        min_interval: Duration::ZERO,
        max_age: Duration::ZERO,
        expiry: PATIENCE,
    };
    let facts = Facts {
        now,
        captured_at: now,
        certain: true,
        still: true,
        reachable: true,
    };
    let granted = Gate::new(true, limits).ask(&facts);
    granted.map_err(|why| anyhow::anyhow!("the gate refused: {why:?}"))
}

/// One of the devices as programs see it.
fn device(name: &str) -> anyhow::Result<Device> {
    let until = Instant::now() + PATIENCE;
    loop {
        let mut found = evdev::enumerate().map(|(_, device)| device);
        if let Some(mut device) = found.find(|d| d.name() == Some(name)) {
            device.set_nonblocking(true)?;
            device.grab().context("grabbing the device")?;
            return Ok(device);
        }
        if Instant::now() > until {
            bail!(
                "{name} is not among /dev/input/event*: reading them needs root, or the group input"
            );
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Hands over events until `enough`.
fn read(device: &mut Device, mut enough: impl FnMut(InputEvent) -> bool) -> anyhow::Result<()> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match device.fetch_events() {
            Ok(events) => {
                for event in events {
                    if enough(event) {
                        return Ok(());
                    }
                }
            }
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(e) => return Err(e).context("reading the device back"),
        }
    }
    bail!("not all that was done came back")
}

fn expect(device: &mut Device, what: &str, expected: &[(u16, i32)]) -> anyhow::Result<()> {
    let mut heard = Vec::new();
    read(device, |event| {
        if let EventSummary::Key(_, code, value) = event.destructure() {
            heard.push((code.0, value));
        }
        heard.len() == expected.len()
    })
    .with_context(|| format!("{what}: {heard:?}"))?;
    ensure!(
        heard == expected,
        "{what} came back as {heard:?}, not {expected:?}"
    );
    Ok(())
}
