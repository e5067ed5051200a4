//! Which window is meant: by title, class or id, as written in profiles and on the command line.
//!
//! Takes the windows there are and gives the one, or an error that lists them. Must never
//! guess between two.

use std::str::FromStr;

use super::CaptureError;
use crate::types::Rect;

/// A window as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowInfo {
    /// Its id.
    pub id: u32,
    /// Its title, as the program set it; may be empty.
    pub title: String,
    /// Instance and class of `WM_CLASS`, elsewhere the program's name; may be empty.
    pub class: [String; 2],
    /// Its client area in screen coordinates.
    pub rect: Rect,
    /// Whether it is mapped; minimised windows are not.
    pub viewable: bool,
}

impl std::fmt::Display for WindowInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "id:{:#x} \"{}\" (class {}, {}x{}{})",
            self.id,
            self.title,
            self.class[1],
            self.rect.width,
            self.rect.height,
            if self.viewable { "" } else { ", minimised" }
        )
    }
}

/// What is known of a window; all given parts must hold.
///
/// As text: `Flood` (part of a title), `=Flood` (the whole title), `class:XTerm`, `id:0x2a0000c`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowQuery {
    /// Part of the title, in any case; a whole title is preferred.
    pub title: Option<String>,
    /// Whether the title must be the whole one, letter by letter.
    pub exact: bool,
    /// Instance or class of `WM_CLASS`, in any case.
    pub class: Option<String>,
    /// The X id.
    pub id: Option<u32>,
}

impl WindowQuery {
    /// Windows with this in their title.
    #[must_use]
    pub fn titled(title: &str) -> Self {
        Self {
            title: Some(title.to_owned()),
            ..Self::default()
        }
    }

    /// The window with this id.
    #[must_use]
    pub fn with_id(id: u32) -> Self {
        Self {
            id: Some(id),
            ..Self::default()
        }
    }

    /// The one window that is meant.
    ///
    /// Among several matches whole titles win over parts, letter case decides next, and windows
    /// on the screen win over minimised ones.
    ///
    /// # Errors
    /// [`CaptureError::Open`] that lists the candidates, or all windows if none matches.
    pub fn choose<'w>(&self, windows: &'w [WindowInfo]) -> Result<&'w WindowInfo, CaptureError> {
        let ranked: Vec<_> = windows
            .iter()
            .filter_map(|w| Some((self.rank(w)?, w)))
            .collect();
        let best = ranked.iter().map(|(rank, _)| *rank).max();
        let mut matches = ranked
            .iter()
            .filter(|(rank, _)| Some(*rank) == best)
            .map(|(_, w)| *w);
        let listed = |windows: &mut dyn Iterator<Item = &WindowInfo>| {
            windows.map(|w| format!("\n  {w}")).collect::<String>()
        };
        match (matches.next(), matches.next()) {
            (Some(one), None) => Ok(one),
            (Some(a), Some(b)) => Err(CaptureError::Open(format!(
                "several windows match \"{self}\"; name one by its whole title (=Title) or by \
                 its id:{}",
                listed(&mut [a, b].into_iter().chain(matches))
            ))),
            (None, _) if windows.is_empty() => Err(CaptureError::Open(format!(
                "no window matches \"{self}\": there is no window on this display"
            ))),
            (None, _) => Err(CaptureError::Open(format!(
                "no window matches \"{self}\"; there are:{}",
                listed(&mut windows.iter())
            ))),
        }
    }

    /// How well a window fits; `None` if it does not.
    fn rank(&self, w: &WindowInfo) -> Option<(u8, bool)> {
        if self.id.is_some_and(|id| id != w.id) {
            return None;
        }
        if let Some(class) = &self.class {
            let class = class.to_lowercase();
            if !w.class.iter().any(|c| c.to_lowercase() == class) {
                return None;
            }
        }
        let closeness = match &self.title {
            None => 0,
            Some(title) if w.title == *title => 3,
            Some(_) if self.exact => return None,
            Some(title) => {
                let (title, has) = (title.to_lowercase(), w.title.to_lowercase());
                if has == title {
                    2
                } else if has.contains(&title) {
                    1
                } else {
                    return None;
                }
            }
        };
        Some((closeness, w.viewable))
    }
}

impl std::fmt::Display for WindowQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut between = "";
        if let Some(id) = self.id {
            write!(f, "id:{id:#x}")?;
            between = " ";
        }
        if let Some(class) = &self.class {
            write!(f, "{between}class:{class}")?;
            between = " ";
        }
        if let Some(title) = &self.title {
            write!(f, "{between}{}{title}", if self.exact { "=" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for WindowQuery {
    type Err = CaptureError;

    fn from_str(text: &str) -> Result<Self, CaptureError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(CaptureError::Open(
                "which window? write part of its title, =Whole title, class:Name or id:0x123"
                    .into(),
            ));
        }
        if let Some(id) = text.strip_prefix("id:") {
            let id = id.trim();
            let number = match id.strip_prefix("0x") {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => id.parse(),
            };
            return number.map(Self::with_id).map_err(|e| {
                CaptureError::Open(format!(
                    "\"{id}\" is not the id of a window ({e}): write id:0x2a0000c or id:123"
                ))
            });
        }
        if let Some(class) = text.strip_prefix("class:") {
            return Ok(Self {
                class: Some(class.trim().to_owned()),
                ..Self::default()
            });
        }
        Ok(match text.strip_prefix('=') {
            Some(title) => Self {
                exact: true,
                ..Self::titled(title)
            },
            None => Self::titled(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(id: u32, title: &str, class: &str, viewable: bool) -> WindowInfo {
        WindowInfo {
            id,
            title: title.into(),
            class: [class.to_lowercase(), class.into()],
            rect: Rect::default(),
            viewable,
        }
    }

    fn found(query: &str, windows: &[WindowInfo]) -> Result<u32, String> {
        let query: WindowQuery = query.parse().map_err(|e: CaptureError| e.to_string())?;
        query
            .choose(windows)
            .map(|w| w.id)
            .map_err(|e| e.to_string())
    }

    #[test]
    fn titles_classes_and_ids() {
        let windows = [
            window(1, "Flood", "Sgt-flood", true),
            window(2, "flood of mails - Browser", "Browser", true),
            window(3, "Notes", "Editor", true),
            window(4, "Notes", "Editor", false),
        ];
        assert_eq!(found("Flood", &windows), Ok(1));
        assert_eq!(
            found("flood", &windows),
            Ok(1),
            "whole title in another case"
        );
        assert_eq!(found("MAILS", &windows), Ok(2));
        assert_eq!(found("class:sgt-FLOOD", &windows), Ok(1));
        assert_eq!(found("id:0x2", &windows), Ok(2));
        assert_eq!(found("id:3", &windows), Ok(3));
        assert_eq!(found("Notes", &windows), Ok(3), "minimised ones come last");
        assert_eq!(found("id:4", &windows), Ok(4));
        let none = found("=flood", &windows).expect_err("exact is exact");
        assert!(none.contains("\"flood of mails - Browser\""), "{none}");
        let several = found("o", &windows).expect_err("all titles have an o");
        assert!(
            several.contains("id:0x1 \"Flood\"") && several.contains("id:0x3"),
            "{several}"
        );
        assert!(found("id:zero", &windows).is_err());
        assert!(found(" ", &windows).is_err());
        assert!(
            found("x", &[])
                .expect_err("none")
                .contains("no window on this display")
        );
    }

    #[test]
    fn text_round_trip() {
        for text in ["Flood", "=Flood", "class:XTerm", "id:0x2a0000c"] {
            let query: WindowQuery = text.parse().expect("valid");
            assert_eq!(query.to_string(), text);
        }
    }
}
