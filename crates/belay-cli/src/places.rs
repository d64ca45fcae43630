//! Where things are kept.

use std::path::PathBuf;

use belay_journal::Journal;

use crate::out::Failure;

/// Returns the journal of this user.
pub fn journal() -> Result<Journal, Failure> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|it| it.is_absolute())
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    let state =
        state.ok_or_else(|| Failure::said("neither `XDG_STATE_HOME` nor `HOME` names a folder"))?;
    Ok(Journal::new(state.join("belay/journal")))
}
