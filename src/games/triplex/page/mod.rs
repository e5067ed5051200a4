//! The page: the whole game with all its levels in one file, for a browser with or without a
//! network.
//!
//! Takes the chain of levels, gives HTML with one script and one style inside, and the hashes by
//! which a server can allow exactly these. Must never hold a level that is not sealed.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::chain::Chain;

const SHELL: &str = include_str!("shell.html");
const STYLE: &str = include_str!("style.css");
/// The parts of the script, in the order in which they build on one another.
const PARTS: &[&str] = &[
    include_str!("words.js"),
    include_str!("seal.js"),
    include_str!("figures.js"),
    include_str!("layout.js"),
    include_str!("save.js"),
    include_str!("table.js"),
    include_str!("solvers.js"),
    include_str!("app.js"),
];

/// The page.
#[derive(Clone, Debug)]
pub struct Page {
    /// All of it.
    pub html: String,
    /// The script, as a content security policy names it.
    pub script: String,
    /// The style, likewise.
    pub style: String,
}

impl Page {
    /// The page with the levels that are part of the program; made when first asked for.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static PAGE: LazyLock<Page> = LazyLock::new(|| page(Chain::shipped()));
        &PAGE
    }
}

/// The page of a chain of levels.
#[must_use]
pub fn page(chain: &Chain) -> Page {
    // Base64 needs no escaping.
    let levels: String = chain
        .sealed()
        .iter()
        .map(|level| format!("'{level}',\n"))
        .collect();
    let script = format!(
        "'use strict';\n{{\nconst LEVELS = [\n{levels}];\n{}}}\n",
        PARTS.concat()
    );
    // What stands between the tags, to the byte, is what a browser hashes.
    let html = SHELL
        .replace("/* style */", STYLE)
        .replace("/* script */", &script);
    Page {
        html,
        script: named(&script),
        style: named(STYLE),
    }
}

fn named(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_one_file_that_asks_for_no_other() {
        let page = page(Chain::shipped());
        assert_eq!(page.html.matches("<script").count(), 1);
        assert_eq!(page.html.matches("</script").count(), 1);
        assert_eq!(page.html.matches("<style").count(), 1);
        for other in [
            "src=",
            "@import",
            "http://",
            "https://",
            "url(",
            "/* script",
        ] {
            let plain = page.html.replace("http://www.w3.org/2000/svg", "");
            assert!(!plain.contains(other), "{other}");
        }
        let between = |open: &str, close: &str| {
            let rest = page.html.split_once(open).expect(open).1;
            rest.split_once(close).expect(close).0.to_owned()
        };
        assert_eq!(named(&between("<script>", "</script>")), page.script);
        assert_eq!(named(&between("<style>", "</style>")), page.style);
    }

    #[test]
    fn only_sealed_levels_are_in_it() {
        let chain = Chain::shipped();
        let page = page(chain);
        for link in chain.links() {
            assert!(!page.html.contains(&link.text()), "{}", link.text());
            assert!(!page.html.contains(&link.canonical()));
        }
    }
}
