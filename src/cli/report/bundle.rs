//! Files into one archive: bounded in size, and without owners.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use flate2::Compression;
use flate2::write::GzEncoder;

/// An archive that is being written.
pub struct Bundle {
    tar: tar::Builder<GzEncoder<File>>,
    /// The folder that everything is in.
    root: String,
    bytes: u64,
    entries: u32,
}

impl Bundle {
    /// A new archive; what is there is replaced.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, root: &str) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        Ok(Self {
            tar: tar::Builder::new(GzEncoder::new(file, Compression::default())),
            root: root.to_owned(),
            bytes: 0,
            entries: 0,
        })
    }

    fn head(&mut self, size: u64) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        // The same contents give the same archive, whenever and by whom it is made.
        header.set_mtime(1);
        self.bytes += size;
        self.entries += 1;
        header
    }

    /// A file with this text.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn text(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        self.add(name, text.as_bytes())
    }

    /// A file with these bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let mut header = self.head(bytes.len() as u64);
        let path = format!("{}/{name}", self.root);
        self.tar
            .append_data(&mut header, path, bytes)
            .with_context(|| name.to_owned())
    }

    /// A file with the contents of another one.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn file(&mut self, name: &str, from: &Path) -> anyhow::Result<()> {
        let file = File::open(from).with_context(|| from.display().to_string())?;
        let size = file.metadata()?.len();
        let mut header = self.head(size);
        let path = format!("{}/{name}", self.root);
        let bounded = std::io::Read::take(file, size);
        self.tar
            .append_data(&mut header, path, bounded)
            .with_context(|| name.to_owned())
    }

    /// Ends it: files in it, and their bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> anyhow::Result<(u32, u64)> {
        let gz = self.tar.into_inner().context("the archive")?;
        let file = gz.finish().context("the archive")?;
        file.sync_all().context("the archive")?;
        Ok((self.entries, self.bytes))
    }
}
