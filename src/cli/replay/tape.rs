//! A recording with everything that is needed to run it again.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};

use crate::assemble;
use crate::cli::recipe::Recipe;
use crate::journal::recording::{Header, Reader};
use crate::pipeline::replay::{Comparing, Onlooker, Replayed, replay};
use crate::types::{ManualClock, Stop, Witness};

/// A recording that can be run.
pub struct Tape {
    path: PathBuf,
    reader: Reader,
    /// Where the profile and what was in an archive are put.
    folder: tempfile::TempDir,
}

/// What running it gave.
pub struct Ran {
    /// What stands before its first tick.
    pub header: Header,
    /// Whether the file was ended as it should be.
    pub complete: bool,
    /// The replay.
    pub replayed: Replayed,
}

impl Tape {
    /// Opens a recording, or a report with one in it.
    ///
    /// # Errors
    /// When it is neither.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("a temporary folder")?;
        let inside = unpacked(path, folder.path())?;
        Ok(Self {
            reader: Reader::open(inside.as_deref().unwrap_or(path))?,
            path: path.to_owned(),
            folder,
        })
    }

    /// Runs it, with this profile in place of the recorded one if there is one.
    ///
    /// # Errors
    /// When it cannot be assembled again, or is damaged.
    pub fn run(
        mut self,
        profile: Option<&str>,
        onlooker: &mut dyn Onlooker,
    ) -> anyhow::Result<Ran> {
        let place = || self.path.display().to_string();
        let header = self.reader.header().clone();
        let recipe: Recipe = serde_json::from_value(header.recipe.clone())
            .with_context(|| format!("{}: how it was made is not understood", place()))?;
        let folder = self.folder.path();
        let settings = recipe.settings(folder).with_context(place)?;
        let order = recipe.order(&settings, self.reader.beside(), folder, profile);
        let mut order = order.with_context(place)?;
        let witness = Witness::telling();
        order.witness = witness.clone();
        let player = assemble::player(&order, &settings, recipe.timing()).with_context(place)?;
        // Nothing reads it: what the clock said is told by the witness.
        let clock = Arc::new(ManualClock::default()) as _;
        let stop = Stop::new();
        let mut mind = assemble::mind(order, player, &settings, &clock, &stop)?;
        let comparing = Comparing {
            retold: header.retold,
        };
        let replayed = replay(
            &mut self.reader,
            mind.as_mut(),
            &witness,
            comparing,
            onlooker,
        )?;
        Ok(Ran {
            header,
            complete: self.reader.is_complete(),
            replayed,
        })
    }
}

/// The largest recording that is taken out of an archive, in bytes.
const LARGEST: u64 = 8 << 30;

/// Takes the recording out of a report; `None` if the file is none.
fn unpacked(path: &Path, folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    let place = || path.display().to_string();
    let mut file = File::open(path).with_context(place)?;
    let mut magic = [0; 2];
    // Whatever is shorter is told by who reads it as a recording.
    if file.read_exact(&mut magic).is_err() || magic != [0x1f, 0x8b] {
        return Ok(None);
    }
    file.rewind().with_context(place)?;
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
    for entry in archive.entries().with_context(place)? {
        let entry = entry.with_context(place)?;
        let named = entry.path().with_context(place)?;
        if named.extension().is_some_and(|e| e == "mcap") {
            let to = folder.join("recording.mcap");
            let mut out = File::create(&to).context("a temporary file")?;
            std::io::copy(&mut entry.take(LARGEST), &mut out).with_context(place)?;
            return Ok(Some(to));
        }
    }
    bail!(
        "{}: there is no recording in this report; `kibitzer play --record` makes one",
        path.display()
    )
}
