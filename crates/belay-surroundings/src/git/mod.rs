//! Repository facts, read from git's own files.

mod changes;
mod compare;
mod config;
mod executing;
mod glob;
mod history;
mod ignore;
mod index;
mod lately;
mod links;
mod listing;
mod objects;
mod pack;
mod parts;
mod refs;
mod remotes;
mod repository;
mod revision;
mod staged;
mod status;
mod tally;
mod trees;
mod work;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub use config::Setup;
pub use executing::executing;
pub use lately::opened;
pub use remotes::host_of;
pub use repository::{Found, Repository, Whose};
pub use status::{Known, Start, Status, Want};
pub use tally::Tally;
pub use work::{Doomed, Work, work};

/// The name of an object: the hash of its contents.
pub type Id = [u8; 20];

/// Reads an object's name.
pub fn parse_id(text: &str) -> Option<Id> {
    let mut id = [0; 20];
    let bytes = text.as_bytes();
    if bytes.len() != 40 {
        return None;
    }
    for (into, pair) in id.iter_mut().zip(bytes.chunks(2)) {
        let [high, low] = pair else { return None };
        *into = crate::line::digit(*high)? << 4 | crate::line::digit(*low)?;
    }
    Some(id)
}

/// Writes an object's name.
pub fn id_text(id: &Id) -> String {
    id.iter().map(|it| format!("{it:02x}")).collect()
}

/// Reads a path from git's bytes.
pub fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}
