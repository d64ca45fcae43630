//! The bundle as machines fetch it: two files of a folder, and a tag that says whether they are new.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Larger files are no bundles.
const MOST_BYTES: u64 = 5 * 1024 * 1024;

/// A folder with `bundle` and `bundle.minisig`.
#[derive(Clone, Debug)]
pub struct Served {
    folder: PathBuf,
}

/// A file and its tag.
pub struct Tagged {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// A hash of it, in quotes.
    pub etag: String,
}

/// A bundle, as its signature tells of it.
pub struct Told {
    /// Its serial number.
    pub serial: i64,
    /// Its hash.
    pub hash: String,
    /// The comment that is signed.
    pub comment: String,
}

impl Served {
    /// Serves from a folder.
    pub fn from(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Returns the file for a path; nothing for any other path.
    ///
    /// # Errors
    /// Returns why it cannot be read.
    pub fn file(&self, path: &str) -> io::Result<Option<Tagged>> {
        let name = match path {
            "/v1/bundle" => "bundle",
            "/v1/bundle.minisig" => "bundle.minisig",
            _ => return Ok(None),
        };
        let path = self.folder.join(name);
        if std::fs::metadata(&path)?.len() > MOST_BYTES {
            return Err(io::Error::other("it is too large for a bundle"));
        }
        let bytes = std::fs::read(path)?;
        let etag = format!("\"{}\"", hex(&bytes));
        Ok(Some(Tagged { bytes, etag }))
    }

    /// Returns what the signature says of the bundle in the folder.
    pub fn told(&self) -> Option<Told> {
        let signature = std::fs::read_to_string(self.folder.join("bundle.minisig")).ok()?;
        let comment = signature
            .lines()
            .find_map(|it| it.strip_prefix("trusted comment: "))?;
        let serial = comment
            .split_whitespace()
            .find_map(|it| it.strip_prefix("serial="))?;
        let bytes = std::fs::read(self.folder.join("bundle")).ok()?;
        Some(Told {
            serial: serial.parse().ok()?,
            hash: hex(&bytes),
            comment: comment.to_owned(),
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_files_are_served_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let served = Served::from(folder.path());
        assert!(served.file("/v1/bundle").is_err());
        std::fs::write(folder.path().join("bundle"), "x").unwrap();
        std::fs::write(folder.path().join("secret"), "y").unwrap();
        let file = served.file("/v1/bundle").unwrap().unwrap();
        assert_eq!((file.bytes.as_slice(), file.etag.len()), (&b"x"[..], 66));
        assert!(served.file("/v1/secret").unwrap().is_none());
        assert!(served.file("/v1/../secret").unwrap().is_none());
        let signature = "untrusted comment: a\nRW\ntrusted comment: serial=42 not_after=2027\nx\n";
        std::fs::write(folder.path().join("bundle.minisig"), signature).unwrap();
        assert_eq!(served.told().unwrap().serial, 42);
    }
}
