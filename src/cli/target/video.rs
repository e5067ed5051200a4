//! What a target's video mode looks at: a window, the screen, a camera, or files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use crate::assemble::{self, SourceSpec};
use crate::capture::frozen::Patience;
use crate::capture::pace::Pace;
use crate::capture::slot;
use crate::games::tetris::target::Video;
use crate::types::{CameraName, CameraSpec, Clock, Feed, Picture, Stop, SystemClock};

/// How long a window that is named may take to appear.
const WAIT: Duration = Duration::from_secs(2);

/// `window:TITLE`, `screen:AREA`, `camera:NAME`, or the path of a picture, a folder of pictures or a video.
///
/// # Errors
/// When the title or the area is none.
pub fn parse(text: &str) -> anyhow::Result<SourceSpec> {
    Ok(match text.split_once(':') {
        Some(("window", title)) => SourceSpec::Window(title.parse()?),
        Some(("screen", "all")) => SourceSpec::Screen("".parse()?),
        Some(("camera", name)) => SourceSpec::Camera(CameraSpec::new(CameraName::from_text(name))),
        Some(("screen", area)) => SourceSpec::Screen(area.parse()?),
        _ => SourceSpec::Files(PathBuf::from(text)),
    })
}

/// Opens it; its newest picture is there whenever it is asked for.
///
/// # Errors
/// When it cannot be opened; the text says what there is instead.
pub fn open(text: &str) -> anyhow::Result<Video> {
    let spec = parse(text).with_context(|| format!("--video {text}"))?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let (source, _) = assemble::source(&spec, &clock, &Pace::default(), WAIT, false)
        .with_context(|| format!("--video {text}"))?;
    let slot = slot::spawn(source, Arc::clone(&clock), Stop::new(), Patience::STILL)?;
    let mut newest: Option<Arc<Picture>> = None;
    Ok(Box::new(move |_, out| {
        // The target's clock is another one; "now" only means: do not wait.
        if let Ok(Feed::Frame(frame)) = slot.wait(clock.now()) {
            newest = Some(frame.picture);
        }
        match &newest {
            Some(picture) => {
                out.clone_from(picture);
                true
            }
            None => false,
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_named_by_words() {
        assert!(matches!(parse("window:Tetris"), Ok(SourceSpec::Window(_))));
        assert!(matches!(parse("screen:all"), Ok(SourceSpec::Screen(_))));
        assert!(matches!(
            parse("screen:0,0,64x48"),
            Ok(SourceSpec::Screen(_))
        ));
        assert!(matches!(parse("a.mp4"), Ok(SourceSpec::Files(_))));
    }

    #[test]
    fn what_is_not_there_is_told() {
        let error = open("/nowhere/at-all.png").err().expect("nothing there");
        assert!(format!("{error:#}").contains("--video /nowhere/at-all.png"));
    }
}
