//! Configuration and profiles: whether they can be used.

use super::finding::Finding;
use crate::cli::request::SettingsOptions;
use crate::config::profile::{self, Profile};
use crate::config::{Folders, Settings};

/// Looks; what can be used is returned.
pub(super) fn look(
    options: &SettingsOptions,
    wanted: Option<&str>,
    tell: &mut dyn FnMut(Finding),
) -> (Option<Settings>, Option<Profile>) {
    let settings = match options.load(&[]) {
        Ok(settings) => {
            let text = match &settings.file {
                Some(file) => format!("{} is usable", file.display()),
                None => "there is no file; the defaults are used".to_owned(),
            };
            tell(Finding::ok("config", "configuration", text));
            Some(settings)
        }
        Err(error) => {
            tell(Finding::fail(
                "config",
                "configuration",
                format!("{error:#}"),
                "change what is named, or take the key away: it has a default",
            ));
            None
        }
    };
    let folders = match &settings {
        Some(settings) => settings.folders.clone(),
        None => Folders::of_process(),
    };
    let mut loaded = None;
    if let Some(name) = wanted {
        match profile::load(name, &folders) {
            Ok(profile) => {
                let text = format!("{} can be used", profile.game);
                tell(Finding::ok("config", &format!("profile {name}"), text));
                loaded = Some(profile);
            }
            Err(error) => tell(Finding::fail(
                "config",
                &format!("profile {name}"),
                error.to_string(),
                "change what is named; `kibitzer calibrate` writes a profile anew",
            )),
        }
    }
    let known = profile::known(&folders);
    let mut good = 0;
    for known in known.iter().filter(|k| Some(k.name.as_str()) != wanted) {
        match profile::load(&known.name, &folders) {
            Ok(_) => good += 1,
            Err(error) => tell(Finding::warn(
                "config",
                &format!("profile {}", known.name),
                error.to_string(),
                "change what is named, or remove the file if nobody plays with it",
            )),
        }
    }
    tell(Finding::ok(
        "config",
        "profiles",
        format!("{good} others can be used"),
    ));
    (settings, loaded)
}
