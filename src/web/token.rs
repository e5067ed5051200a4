//! The token that anybody needs who does not come from this machine.
//!
//! Made at the first start, shown once, kept as a hash: whoever reads the file cannot get in.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use rand::TryRngCore as _;
use rand::rngs::OsRng;
use sha2::{Digest as _, Sha256};

/// A token's hash. The token itself has 256 random bits, so one plain hash is enough.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl std::fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenHash")
    }
}

impl TokenHash {
    /// The hash of a token.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// Whether this is the token, in a time that does not depend on where they differ.
    #[must_use]
    pub fn is(&self, token: &str) -> bool {
        let other = Self::of(token);
        let differing = self.0.iter().zip(other.0).fold(0, |d, (a, b)| d | (a ^ b));
        differing == 0
    }

    fn hex(&self) -> String {
        self.0.iter().map(|b| format!("{b:02x}")).collect()
    }

    fn from_hex(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

/// The hash kept in a file; where there is none a token is made, and returned this one time.
///
/// # Errors
/// When the file cannot be read or written, or holds something else.
pub fn load_or_make(path: &Path) -> anyhow::Result<(TokenHash, Option<String>)> {
    match fs::read_to_string(path) {
        Ok(text) => match TokenHash::from_hex(&text) {
            Some(hash) => Ok((hash, None)),
            None => bail!(
                "{} holds no hash of a token: delete it, and the next start makes a new token",
                path.display()
            ),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut bytes = [0; 32];
            { OsRng }
                .try_fill_bytes(&mut bytes)
                .context("the system gives no random numbers for a token")?;
            let token: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
            let hash = TokenHash::of(&token);
            let told = || format!("cannot write {}", path.display());
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).with_context(told)?;
            }
            let mut file = fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(path)
                .with_context(told)?;
            writeln!(file, "{}", hash.hex()).with_context(told)?;
            Ok((hash, Some(token)))
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_shown_once_and_known_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state/token");
        let (hash, token) = load_or_make(&path).expect("made");
        let token = token.expect("shown");
        assert!(hash.is(&token) && !hash.is("") && !hash.is(&token[1..]));
        let kept = fs::read_to_string(&path).expect("kept");
        assert!(!kept.contains(&token), "only its hash");
        let (again, shown) = load_or_make(&path).expect("read");
        assert!(again == hash && shown.is_none());
    }

    #[test]
    fn something_else_in_its_place_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        for text in ["", "abc", &"g".repeat(64), &"é".repeat(32)] {
            fs::write(&path, text).expect("written");
            let error = load_or_make(&path).expect_err("no hash").to_string();
            assert!(error.contains("delete it"), "{error}");
        }
    }
}
