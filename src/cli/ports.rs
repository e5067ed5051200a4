//! `kibitzer ports`: the serial ports of this machine, and with `--probe` what is behind them.

use std::process::ExitCode;

use serde_json::json;

use super::out::say;
use crate::act::serial::ports::{self, PortInfo};
use crate::types::{CH9329, RELAY_BOARDS};

/// Options of `kibitzer ports`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Ask every port what is behind it: writes a few bytes to each
    #[arg(long)]
    probe: bool,
    /// Only this port, which may be any terminal
    #[arg(long, value_name = "PORT")]
    port: Option<std::path::PathBuf>,
    /// Ask for this kind of device only
    #[arg(long, value_name = "KIND", requires = "probe", value_parser = kinds())]
    kind: Option<String>,
    /// One JSON object per port
    #[arg(long)]
    json: bool,
}

fn words() -> impl Iterator<Item = &'static str> {
    RELAY_BOARDS.iter().map(|k| k.word).chain([CH9329])
}

fn kinds() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(words())
}

/// Runs `kibitzer ports`.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let found = match &options.port {
        None => ports::list(),
        Some(port) => {
            let known = |p: &PortInfo| p.device == *port || p.by_id.as_ref() == Some(port);
            vec![ports::list().into_iter().find(known).unwrap_or(PortInfo {
                device: port.clone(),
                by_id: None,
                usb: None,
                product: None,
            })]
        }
    };
    if found.is_empty() && !options.json {
        say(
            "no serial port is there: plug the board in, and look at `dmesg` if it does not appear",
        );
    }
    let mut good = true;
    for port in found {
        good &= tell(&port, options);
    }
    Ok(match good {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// One port; whether what was asked for could be done.
fn tell(port: &PortInfo, options: &Options) -> bool {
    let likely = port.likely();
    let asked: Vec<&str> = match &options.kind {
        Some(kind) => vec![kind.as_str()],
        None => likely.clone(),
    };
    let mut problem = port.problem();
    let mut is = None;
    if options.probe && problem.is_none() {
        match ports::identify(port.name(), &asked) {
            Ok(found) => is = found,
            Err(error) => problem = Some(error.to_string()),
        }
    }
    let usb = port.usb.map(|(v, p)| format!("{v:04x}:{p:04x}"));
    if options.json {
        let object = json!({
            "device": port.device,
            "by_id": port.by_id,
            "usb": usb,
            "product": port.product,
            "likely": likely,
            "is": is.map(|(kind, _)| kind),
            "relays": is.map(|(_, relays)| relays).filter(|r| *r > 0),
            "problem": problem,
        });
        say(&object.to_string());
    } else {
        say(&port.name().display().to_string());
        let mut line = vec![format!("  {}", port.device.display())];
        line.extend(usb);
        line.extend(port.product.clone());
        say(&line.join("  "));
        match (is, &problem) {
            (Some((kind, 0)), _) => say(&format!("  it is: kind = \"{kind}\"")),
            (Some((kind, relays)), _) => {
                say(&format!("  it is: kind = \"{kind}\" with {relays} relays"));
            }
            (None, Some(problem)) => say(&format!("  {problem}")),
            (None, None) if options.probe => say("  nothing that is known answers"),
            (None, None) => say(&format!("  may be: {}", likely.join(", "))),
        }
    }
    problem.is_none() || !options.probe
}
