//! `kibitzer doctor`: does everything that a run needs work here, and what mends what does not.
//!
//! Looks at one topic after the other; each gives findings, and none stops the others. Touches
//! nothing outside a window of its own, and that only with `--test-click`.

mod cameras;
mod clock;
mod config;
mod display;
mod finding;
mod hands;
mod serial;
mod store;
mod versions;
mod window;

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::logging;
use super::out::say;
use super::request::SettingsOptions;
use crate::config::profile::{Profile, Source};
use crate::types::{HandsSpec, hands::AUTO};
pub use finding::{Finding, Level};

const EXAMPLES: &str = "\
Examples:
  kibitzer doctor
  kibitzer doctor xvier                   also what this profile needs
  kibitzer doctor --test-click            clicks into a window of its own and looks
  kibitzer doctor --json | jq 'select(.level == \"fail\")'

Exit status: 0 nothing has failed (there may be warnings), 1 something has, 2 wrong usage.";

/// Options of `kibitzer doctor`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// A profile: what it needs is looked at too
    #[arg(value_name = "PROFILE")]
    profile: Option<String>,
    /// Open a window, click into it, press a key, and see whether it shows that
    #[arg(long)]
    test_click: bool,
    /// One JSON object per finding
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsOptions,
}

/// What a run is going to need, as far as it is known.
#[derive(Clone, Copy, Debug)]
struct Needs<'a> {
    /// The screen, to look at or to click.
    screen: bool,
    /// This serial port.
    port: Option<&'a str>,
}

impl<'a> Needs<'a> {
    /// Of a profile; without one a screen is what most are going to play on.
    fn of(profile: Option<&'a Profile>) -> Self {
        let Some(profile) = profile else {
            return Self {
                screen: true,
                port: None,
            };
        };
        let port = match &profile.hands {
            Some(HandsSpec::Relays(relays)) => Some(&relays.line.port),
            Some(HandsSpec::Usb(chip)) => Some(&chip.line.port),
            Some(HandsSpec::Screen(_) | HandsSpec::Kernel(_)) | None => None,
        };
        // What is looked for among all ports is no port yet.
        let port = port.map(String::as_str).filter(|port| *port != AUTO);
        Self {
            screen: !matches!(profile.source, Source::File(_) | Source::Simulated(_)),
            port,
        }
    }
}

/// Runs `kibitzer doctor`: success only if nothing has failed.
///
/// # Errors
/// Never: what is wrong is a finding.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    logging::warnings();
    let mut failed = false;
    examine(options, &mut |finding| {
        failed |= finding.level == Level::Fail;
        if options.json {
            say(&json!(finding).to_string());
        } else {
            finding.lines().iter().for_each(|line| say(line));
        }
    });
    if !options.json {
        say(if failed {
            "something has failed: see the lines that begin with FAIL"
        } else {
            "nothing has failed"
        });
    }
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// All findings without a test click, for a report.
#[must_use]
pub fn findings(settings: &SettingsOptions) -> Vec<Finding> {
    let options = Options {
        profile: None,
        test_click: false,
        json: false,
        settings: settings.clone(),
    };
    let mut all = Vec::new();
    examine(&options, &mut |finding| all.push(finding));
    all
}

/// Looks at everything; each finding is told as soon as it is there.
fn examine(options: &Options, tell: &mut dyn FnMut(Finding)) {
    let watch = clock::Watch::start();
    versions::look(tell);
    let (settings, profile) = config::look(&options.settings, options.profile.as_deref(), tell);
    let needs = Needs::of(profile.as_ref());
    let sees = display::look(needs, tell);
    if sees {
        hands::look(options.test_click, tell);
    } else if options.test_click {
        let text = "there is no screen to click on";
        tell(Finding::fail(
            "hands",
            "test click",
            text,
            "mend the display first",
        ));
    }
    serial::look(needs, tell);
    cameras::look(tell);
    if let Some(settings) = &settings {
        store::look(settings, tell);
    }
    watch.look(tell);
}
