//! Logs of long work: what is done is written at once, so that a run that ends early, however it
//! ends, loses nothing, and the next one goes on from there.
//!
//! A log is a first line that says what it is of, then a line for each thing done. Must never
//! write to a file that is not such a log, whoever named it.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::files;

/// A log that is open at its end.
#[derive(Debug)]
pub struct Worklog {
    path: PathBuf,
    file: File,
}

/// More bytes are no log of this program.
const LARGEST: u64 = 1 << 28;

impl Worklog {
    /// Takes a log up, or begins one, and gives its lines after the first. Half a line that a
    /// killed run has left at the end is cut off. `option` is what names the log on the command line.
    ///
    /// # Errors
    /// When the file is something else, or cannot be read or written.
    pub fn take_up(path: &Path, head: &str, option: &str) -> anyhow::Result<(Self, Vec<String>)> {
        let name = path.display();
        let first = format!("{head}\n");
        let old = files::read(path, first.as_bytes(), LARGEST)?.unwrap_or_default();
        if !old.starts_with(first.as_bytes()) && !first.as_bytes().starts_with(&old) {
            bail!(
                "{name} is of something else: it does not begin with `{head}`; name another {option} \
                 or remove it"
            );
        }
        let written = || format!("{name} cannot be written");
        let whole = old.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let mut file = File::options()
            .append(true)
            .create(true)
            .open(path)
            .with_context(written)?;
        if whole < old.len() {
            file.set_len(whole as u64).with_context(written)?;
        }
        if whole == 0 {
            file.write_all(first.as_bytes()).with_context(written)?;
        }
        let text = String::from_utf8_lossy(&old[..whole]);
        let lines = text.lines().skip(1).map(str::to_owned).collect();
        let path = path.to_owned();
        Ok((Self { path, file }, lines))
    }

    /// What is wrong with the `i`-th of the lines that [`Self::take_up`] gave, from 0.
    pub fn wrong(&self, i: usize, what: &str) -> anyhow::Error {
        let name = self.path.display();
        anyhow::anyhow!("{name}, line {}: {what}; remove the line", i + 2)
    }

    /// Adds whole lines.
    ///
    /// # Errors
    /// When they cannot be written, with the file's name.
    pub fn add(&mut self, lines: &str) -> anyhow::Result<()> {
        let added = self.file.write_all(lines.as_bytes());
        added.with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "kibitzer test 1";

    fn lines(path: &Path) -> Vec<String> {
        Worklog::take_up(path, HEAD, "--log").expect("a log").1
    }

    #[test]
    fn a_log_goes_on_where_it_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.log");
        for text in [None, Some(""), Some("kibit"), Some("kibitzer test 1")] {
            if let Some(text) = text {
                std::fs::write(&path, text).expect("written");
            }
            assert!(lines(&path).is_empty(), "{text:?}");
            let made = std::fs::read_to_string(&path).expect("there");
            assert_eq!(made, "kibitzer test 1\n", "{text:?}");
        }
        let (mut log, _) = Worklog::take_up(&path, HEAD, "--log").expect("a log");
        log.add("one\ntwo\n").expect("written");
        assert_eq!(lines(&path), ["one", "two"]);
        let told = log.wrong(1, "bad").to_string();
        assert!(told.contains("a.log, line 3: bad"), "{told}");
        // Killed while it wrote.
        log.add("thr").expect("written");
        assert_eq!(lines(&path), ["one", "two"]);
        let (mut log, _) = Worklog::take_up(&path, HEAD, "--log").expect("a log");
        log.add("three\n").expect("written");
        assert_eq!(lines(&path), ["one", "two", "three"]);
    }

    #[test]
    fn what_is_no_log_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("thesis.txt");
        for text in [
            "Years of work",
            "kibitzer test 10\n",
            "kibitzer test 2\none\n",
            "\n",
        ] {
            std::fs::write(&path, text).expect("written");
            let error = Worklog::take_up(&path, HEAD, "--log").expect_err(text);
            let told = error.to_string();
            assert!(
                told.contains("thesis.txt is of something else") && told.contains("another --log"),
                "{told}"
            );
            assert_eq!(std::fs::read_to_string(&path).expect("there"), text);
        }
        std::fs::write(&path, b"kibitzer test 1\n\xff\xfe\n").expect("written");
        // For whoever reads it to refuse.
        assert_eq!(lines(&path), ["\u{fffd}\u{fffd}"]);
    }
}
