//! `kibitzer cameras`: the cameras there are, what they offer, and how well one of them works.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use serde_json::{Value, json};

use super::{picture, request::SettingsOptions};
use crate::capture::FrameSource as _;
use crate::capture::camera::controls::{Kept, Now};
use crate::capture::camera::format::{Offer, Sizes, name as letters, rate};
use crate::capture::camera::name::{self, Listed};
use crate::capture::camera::{CameraSource, device};
use crate::cli::out::say;
use crate::types::{
    CameraControl, CameraName, CameraSpec, Clock, ControlValue, Feed, Hidden, Picture, SystemClock,
    Time, Turn,
};

const EXAMPLES: &str = "\
Examples:
  kibitzer cameras
  kibitzer cameras C920
  kibitzer cameras C920 --size 1280x720 --rate 30 --control mains=50 --control exposure=200
  kibitzer cameras http://10.0.0.5:8080/video --save seen.png

The names in front are those for [source] camera = \"...\" in a profile, and for --camera.";

/// Options of `kibitzer cameras`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// A camera to try out: one of the names, a part of it, or an address
    camera: Option<String>,
    /// For how long it is tried out
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 3.0,
        requires = "camera"
    )]
    seconds: f64,
    /// Width and height that are wanted
    #[arg(long, value_name = "WxH", requires = "camera", value_parser = size)]
    size: Option<(u32, u32)>,
    /// Pictures a second that are wanted
    #[arg(long, value_name = "N", requires = "camera")]
    rate: Option<f64>,
    /// How it shall pack its pixels, as YUYV or MJPG
    #[arg(long, value_name = "FORMAT", requires = "camera")]
    format: Option<String>,
    /// Set one of its controls, as exposure=200 or focus=auto; may be given several times
    #[arg(long, value_name = "CONTROL=VALUE", requires = "camera", value_parser = control)]
    control: Vec<(CameraControl, ControlValue)>,
    /// Turn its picture by so many degrees clockwise: 0, 90, 180 or 270
    #[arg(long, value_name = "DEGREES", requires = "camera", value_parser = quarters, default_value = "0")]
    rotate: u8,
    /// Mirror its picture, after it was turned
    #[arg(long, requires = "camera")]
    mirror: bool,
    /// Write the last picture
    #[arg(long, value_name = "OUT.png", requires = "camera")]
    save: Option<PathBuf>,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsOptions,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    super::target::pair(text, [1, 1], [16_384, 16_384])
}

fn quarters(text: &str) -> Result<u8, String> {
    let all = ["0", "90", "180", "270"];
    let found = (0..).zip(all).find(|(_, t)| *t == text);
    found
        .map(|(n, _)| n)
        .ok_or_else(|| "0, 90, 180 and 270 are allowed".to_owned())
}

/// `exposure=200`, `focus=auto`.
fn control(text: &str) -> Result<(CameraControl, ControlValue), String> {
    let (name, value) = text.split_once('=').ok_or("write it as exposure=200")?;
    let control = CameraControl::from_name(name.trim()).ok_or_else(|| {
        let all: Vec<&str> = CameraControl::ALL.iter().map(|c| c.name()).collect();
        format!("there are {}", all.join(", "))
    })?;
    let value = match value.trim() {
        "auto" => ControlValue::Auto,
        number => ControlValue::Fixed(number.parse().map_err(|_| "a whole number, or auto")?),
    };
    Ok((control, value))
}

/// Runs `kibitzer cameras`: success if there is a camera, or the one that is named works.
///
/// # Errors
/// When no camera or several fit a name, or the picture cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let settings = options.settings.load(&[])?;
    let _log = super::logging::start(&settings);
    let Some(named) = &options.camera else {
        return Ok(list(options.json));
    };
    if !(0.1..=86_400.0).contains(&options.seconds) {
        bail!(
            "--seconds {}: from 0.1 to 86400 are allowed",
            options.seconds
        );
    }
    let spec = CameraSpec {
        size: options.size,
        rate: options.rate,
        format: options.format.clone(),
        turn: Turn {
            quarters: options.rotate,
            mirror: options.mirror,
        },
        controls: options.control.clone(),
        ..CameraSpec::new(CameraName::from_text(named))
    };
    try_out(&spec, options)
}

fn list(as_json: bool) -> ExitCode {
    let all = name::list();
    let mut works = false;
    for listed in &all {
        let survey = device::survey(listed);
        works |= survey.is_ok();
        if as_json {
            let mut object = json!({
                "name": listed.stable(), "card": listed.card, "device": listed.device,
                "serial": listed.serial, "names": listed.links,
            });
            match survey {
                Ok(s) => {
                    object["formats"] = s.offers.iter().map(offer_json).collect();
                    object["controls"] = s.controls.iter().map(now_json).collect();
                }
                Err(fault) => {
                    object["trouble"] = fault.trouble.name().into();
                    object["why"] = fault.text.into();
                }
            }
            say(&object.to_string());
            continue;
        }
        // The second device of a webcam is none.
        match survey {
            Ok(survey) => {
                say(&line(listed));
                for text in formats(&survey.offers) {
                    say(&format!("    {text}"));
                }
                let controls: Vec<String> = survey.controls.iter().map(now_text).collect();
                if !controls.is_empty() {
                    say(&format!("    {}", controls.join(", ")));
                }
            }
            Err(_) if listed.index > 0 => {}
            Err(fault) => say(&format!("{}\n    {}: {fault}", line(listed), fault.trouble)),
        }
    }
    if all.is_empty() && !as_json {
        say("no cameras: plug one in, or see whether its driver is loaded (ls /dev/video*)");
    }
    if works {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn line(listed: &Listed) -> String {
    let serial = listed.serial.as_deref();
    let serial = serial.map_or_else(String::new, |s| format!(", serial {s}"));
    format!("{}{serial}", listed.line())
}

/// Each format with its sizes and the highest rate of each.
fn formats(offers: &[Offer]) -> Vec<String> {
    let mut lines: Vec<([u8; 4], Vec<String>)> = Vec::new();
    for offer in offers {
        let most = offer.intervals.iter().map(|i| rate(*i)).fold(0.0, f64::max);
        let size = match offer.sizes {
            Sizes::One(w, h) => format!("{w}x{h}"),
            Sizes::Range { least, most, .. } => {
                format!("{}x{} to {}x{}", least.0, least.1, most.0, most.1)
            }
        };
        let text = if most > 0.0 {
            format!("{size} {most:.0}/s")
        } else {
            size
        };
        match lines.iter_mut().find(|(l, _)| *l == offer.letters) {
            Some((_, sizes)) => sizes.push(text),
            None => lines.push((offer.letters, vec![text])),
        }
    }
    { lines.into_iter() }
        .map(|(l, sizes)| format!("{:4} {}", letters(l), sizes.join(", ")))
        .collect()
}

fn offer_json(offer: &Offer) -> Value {
    let rates: Vec<f64> = offer.intervals.iter().map(|i| rate(*i)).collect();
    let (least, most) = match offer.sizes {
        Sizes::One(w, h) => ([w, h], [w, h]),
        Sizes::Range { least, most, .. } => ([least.0, least.1], [most.0, most.1]),
    };
    json!({"format": letters(offer.letters), "least": least, "most": most, "rates": rates})
}

fn now_json(now: &Now) -> Value {
    json!({"control": now.control.name(), "value": now.value, "auto": now.auto})
}

fn now_text(now: &Now) -> String {
    let auto = if now.auto == Some(true) {
        " (auto)"
    } else {
        ""
    };
    format!("{} {}{auto}", now.control, now.value)
}

fn kept_json(kept: &Kept) -> Value {
    json!({
        "control": kept.control.name(), "asked": kept.asked.to_string(),
        "value": kept.now.map(|n| n.value), "refused": kept.refused,
    })
}

/// What the source says, in one word.
fn state(feed: &Feed) -> Option<&'static str> {
    match feed {
        Feed::Frame(_) => Some("live"),
        Feed::Hidden(Hidden::Camera(trouble)) => Some(trouble.name()),
        Feed::Hidden(_) => Some("frozen"),
        Feed::Quiet | Feed::Ended(_) => None,
    }
}

fn try_out(spec: &CameraSpec, options: &Options) -> anyhow::Result<ExitCode> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let mut source = CameraSource::open(spec, Arc::clone(&clock), Time::ZERO)?;
    let end = Time::ZERO + Duration::from_secs_f64(options.seconds);
    let mut before = None;
    let mut last: Option<Arc<Picture>> = None;
    let (mut frames, mut delay) = (0u32, Duration::ZERO);
    while clock.now() < end {
        let feed = source.next(end.min(clock.now() + Duration::from_millis(100)))?;
        let now = state(&feed);
        if now.is_some() && now != before {
            before = now;
            told_state(&source, now.unwrap_or_default(), clock.now(), options.json);
        }
        if let Feed::Frame(frame) = feed {
            frames += 1;
            delay += clock.now().since(frame.captured_at);
            last = Some(frame.picture);
        }
    }
    let counts = source.counts();
    let told = source.told().unwrap_or_default();
    let size = last.as_ref().map(|p| [p.width(), p.height()]);
    let delay = delay.as_secs_f64() * 1000.0 / f64::from(frames.max(1));
    if options.json {
        let kept: Vec<Value> = told.controls.iter().map(kept_json).collect();
        say(&json!({
            "camera": told.camera, "format": told.format, "promised": told.rate,
            "rate": (counts.rate * 100.0).round() / 100.0, "size": size, "taken": counts.taken,
            "missed": counts.missed, "damaged": counts.damaged, "opened": counts.opened,
            "delay_ms": (delay * 10.0).round() / 10.0, "controls": kept, "state": before,
        })
        .to_string());
    } else {
        let [w, h] = size.unwrap_or_default();
        say(&format!(
            "{}: {}\n{} pictures of {w}x{h}, {:.1} a second, {} missed, {} damaged; {delay:.1} ms \
             old when handed over",
            told.camera, told.format, counts.taken, counts.rate, counts.missed, counts.damaged
        ));
        for kept in &told.controls {
            say(&format!("  {kept}"));
        }
    }
    if let (Some(path), Some(last)) = (&options.save, &last) {
        picture::save_png(last, path)?;
    }
    Ok(if last.is_some() && before == Some("live") {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn told_state(source: &CameraSource, state: &str, at: Time, as_json: bool) {
    let seconds = (at.0 / 1000) as f64 / 1000.0;
    let fault = source.fault().filter(|_| state != "live");
    if as_json {
        let why = fault.map(|f| f.text);
        say(&json!({"at": seconds, "state": state, "why": why}).to_string());
        return;
    }
    let why = fault.map_or_else(String::new, |f| format!(": {f}\n          {}", f.trouble));
    say(&format!("{seconds:8.3}  {state}{why}"));
}

/// How long a camera may take until it gives a picture, and how long it is then let be: exposure
/// and white balance find their values in the first moments.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(700));

/// One picture of a camera.
///
/// # Errors
/// When it gives none; the text says why.
pub fn still(spec: &CameraSpec) -> anyhow::Result<Picture> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let mut source = CameraSource::open(spec, Arc::clone(&clock), Time::ZERO)?;
    let mut until = clock.now() + PATIENCE.0;
    let mut last = None;
    let mut why = "it gave no picture".to_owned();
    while clock.now() < until {
        match source.next(until.min(clock.now() + Duration::from_millis(100)))? {
            Feed::Frame(frame) => {
                if last.is_none() {
                    until = clock.now() + PATIENCE.1;
                }
                last = Some(frame.picture);
            }
            Feed::Hidden(hidden) => {
                let detail = source.fault().map(|f| format!("{f}; "));
                why = format!("{}it is {hidden}", detail.unwrap_or_default());
            }
            Feed::Quiet | Feed::Ended(_) => {}
        }
    }
    let picture = last.ok_or_else(|| anyhow!("{}: {why}", source.id()))?;
    Ok(Picture::clone(&picture))
}
