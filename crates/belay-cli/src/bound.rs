//! The program that a drafted file speaks of: which file it is, and whether it still is that file.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use autobelay::Bound;
use belay_surroundings::content_hash;

use crate::out::Failure;

/// The largest program that is hashed, in bytes.
const LARGEST: u64 = 512 * 1024 * 1024;

/// Says which program lies at a path.
pub fn bind(path: &Path) -> Result<Bound, Failure> {
    let real = fs::canonicalize(path)?;
    let entry = fs::metadata(&real)?;
    if !entry.is_file() || entry.len() > LARGEST {
        return Err(Failure::Said(format!(
            "`{}` is not a program that can be read",
            real.display()
        )));
    }
    Ok(Bound {
        hash: content_hash(&fs::read(&real)?),
        stamp: stamp(&entry),
        path: real.to_string_lossy().into_owned(),
    })
}

/// Tells whether a program is still the one that a file was drafted from. Its contents are read only where its entry
/// changed: nobody sets the time of the last change back.
pub fn holds(bound: &Bound) -> bool {
    let path = Path::new(&bound.path);
    let is_same = |entry: &fs::Metadata| entry.is_file() && stamp(entry) == bound.stamp;
    fs::symlink_metadata(path).is_ok_and(|it| is_same(&it))
        || bind(path).is_ok_and(|it| it.path == bound.path && it.hash == bound.hash)
}

fn stamp(entry: &fs::Metadata) -> String {
    let (size, inode) = (entry.len(), entry.ino());
    format!("{size}-{inode}-{}.{:09}", entry.ctime(), entry.ctime_nsec())
}
