//! What a camera needs before a board is looked for: its exposure is let settle and then locked, and
//! the flicker of the light is measured.

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;

use crate::calibrate::steady::Steadiness;
use crate::capture::FrameSource as _;
use crate::capture::camera::controls::Now;
use crate::capture::camera::{CameraSource, stable_name};
#[cfg(target_os = "linux")]
use crate::capture::camera::{device, name};
use crate::types::{
    CameraControl, CameraName, CameraSpec, Clock, ControlValue, Feed, SystemClock, Time,
};

/// How long a camera may take to find its exposure; some go on looking for ever.
const PATIENCE: Duration = Duration::from_secs(8);

/// How long the locked camera is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// Less flicker than this share of the brightness does no harm to reading.
const HARMLESS: f64 = 0.03;

/// A locked camera whose picture is so much darker or brighter has not taken its settings.
const SAME: f64 = 0.15;

/// What came of it.
pub struct Steadied {
    /// The camera with its controls locked.
    pub spec: CameraSpec,
    /// For a person, a line each.
    pub words: Vec<String>,
    /// Share of the brightness by which it goes up and down.
    pub flicker: Option<f64>,
}

/// Lets a camera settle, locks what it has chosen, and measures the light. Controls that the
/// profile sets already are left as they are.
///
/// # Errors
/// When it gives no pictures; the text says why.
pub fn steady(spec: &CameraSpec, wait: Duration) -> anyhow::Result<Steadied> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let mut words = Vec::new();
    let mut steadiness = Steadiness::default();
    let free = watch(spec, &clock, wait, &mut steadiness, &|s, since| {
        s.is_settled() || since > PATIENCE
    })?;
    if !steadiness.is_settled() {
        words.push(format!(
            "the exposure does not come to rest within {} s: the camera goes on adjusting",
            PATIENCE.as_secs()
        ));
    }
    let mut locked = spec.clone();
    for now in chosen(spec) {
        let set = { spec.controls.iter() }.any(|(control, _)| *control == now.control);
        if !set && now.control != CameraControl::Mains && now.control.has_auto() {
            locked
                .controls
                .push((now.control, ControlValue::Fixed(now.value)));
        }
    }
    locked
        .controls
        .sort_by_key(|(control, _)| CameraControl::ALL.iter().position(|c| c == control));
    let before = free;
    steadiness.forget();
    let after = watch(&locked, &clock, wait, &mut steadiness, &|_, since| {
        since > LOOK
    })?;
    for (control, value) in &locked.controls {
        if let Some(why) = after.refused.iter().find(|(c, _)| c == control) {
            words.push(format!("{control} = {value} was refused: {}", why.1));
        }
    }
    // What the camera does not take would be refused at every start.
    let refused: Vec<CameraControl> = after.refused.iter().map(|(c, _)| *c).collect();
    { &mut locked.controls }
        .retain(|(c, _)| !refused.contains(c) || spec.controls.iter().any(|(own, _)| own == c));
    let fixed: Vec<String> = { locked.controls.iter() }
        .map(|(control, value)| format!("{control} {value}"))
        .collect();
    words.push(match fixed.is_empty() {
        true => "the camera has no exposure, gain, white balance or focus to lock".to_owned(),
        false => format!("locked: {}", fixed.join(", ")),
    });
    let change = (after.brightness - before.brightness).abs() / before.brightness.max(1.0);
    if change > SAME {
        words.push(format!(
            "locked it is {:.0} % {} than before: it chooses otherwise than it tells; set \
             exposure and gain by hand below [source.controls]",
            change * 100.0,
            if after.brightness > before.brightness {
                "brighter"
            } else {
                "darker"
            }
        ));
    }
    locked.calibrated_with = stable_name(&locked.which);
    let flicker = steadiness.flicker();
    words.extend(flicker.map(|depth| advice(depth, &locked)));
    Ok(Steadied {
        spec: locked,
        words,
        flicker,
    })
}

/// What to do about flicker.
fn advice(depth: f64, spec: &CameraSpec) -> String {
    let percent = depth * 100.0;
    if depth < HARMLESS {
        return format!("flicker {percent:.1} %: harmless");
    }
    let value = |control| {
        { spec.controls.iter() }
            .find(|(c, _)| *c == control)
            .map(|(_, v)| *v)
    };
    let mains = match value(CameraControl::Mains) {
        Some(ControlValue::Fixed(hertz @ (50 | 60))) => format!("mains is {hertz} Hz already"),
        _ => "set mains = 50 (in America 60) below [source.controls]".to_owned(),
    };
    let exposure = match value(CameraControl::Exposure) {
        Some(ControlValue::Fixed(now)) => {
            let screens = (now as f64 / 166.7).round().max(1.0);
            format!(
                "exposure is {:.1} ms: take a multiple of the screen's refresh, as exposure = \
                 {:.0} for 60 Hz (and of 10 ms where lamps flicker at 100 Hz)",
                now as f64 / 10.0,
                screens * 166.7
            )
        }
        _ => "an exposure that is a multiple of the screen's refresh (16.7 ms at 60 Hz) helps, \
              where the camera has one"
            .to_owned(),
    };
    format!(
        "flicker {percent:.1} %: {mains}; {exposure}; a brighter room and a longer exposure help"
    )
}

/// What a camera looks like while it is watched.
struct Watched {
    brightness: f64,
    refused: Vec<(CameraControl, String)>,
}

/// Watches a camera until `enough`, which is told for how long it has given pictures.
fn watch(
    spec: &CameraSpec,
    clock: &Arc<dyn Clock>,
    wait: Duration,
    steadiness: &mut Steadiness,
    enough: &dyn Fn(&Steadiness, Duration) -> bool,
) -> anyhow::Result<Watched> {
    let mut source = CameraSource::open(spec, Arc::clone(clock), clock.now() + wait)?;
    let mut began: Option<Time> = None;
    let mut heard = clock.now();
    loop {
        match source.next(clock.now() + Duration::from_millis(100))? {
            Feed::Frame(frame) => {
                heard = clock.now();
                steadiness.see(frame.captured_at, &frame.picture);
                let began = *began.get_or_insert(heard);
                if enough(steadiness, heard.since(began)) {
                    break;
                }
            }
            Feed::Hidden(hidden) if clock.now().since(heard) > PATIENCE => {
                let why = source.fault().map(|f| format!(": {f}"));
                bail!("{} is {hidden}{}", source.id(), why.unwrap_or_default());
            }
            Feed::Ended(why) => bail!("{why}"),
            _ if clock.now().since(heard) > PATIENCE => bail!("{} gives no pictures", source.id()),
            _ => {}
        }
    }
    let told = source.told().unwrap_or_default();
    let refused = told.controls.into_iter();
    Ok(Watched {
        brightness: steadiness.brightness().unwrap_or(0.0),
        refused: refused
            .filter_map(|k| Some((k.control, k.refused?)))
            .collect(),
    })
}

/// What the camera has chosen itself. A camera keeps it after it is closed.
#[cfg(target_os = "linux")]
fn chosen(spec: &CameraSpec) -> Vec<Now> {
    let CameraName::Local(wanted) = &spec.which else {
        return Vec::new();
    };
    let all = name::list();
    let listed = device::choose(&all, wanted);
    let survey = listed.and_then(device::survey);
    survey.map(|s| s.controls).unwrap_or_default()
}

/// Elsewhere cameras cannot be asked.
#[cfg(not(target_os = "linux"))]
fn chosen(_: &CameraSpec) -> Vec<Now> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_what_to_set() {
        let mut spec = CameraSpec::new(CameraName::Local("x".into()));
        assert_eq!(advice(0.012, &spec), "flicker 1.2 %: harmless");
        let text = advice(0.2, &spec);
        assert!(
            text.contains("mains = 50") && text.contains("16.7 ms"),
            "{text}"
        );
        spec.controls = vec![
            (CameraControl::Mains, ControlValue::Fixed(60)),
            (CameraControl::Exposure, ControlValue::Fixed(312)),
        ];
        let text = advice(0.2, &spec);
        assert!(
            text.contains("60 Hz already") && text.contains("exposure = 333"),
            "{text}"
        );
    }
}
