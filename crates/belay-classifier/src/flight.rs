//! Places for open questions, and one question at a time for the same thing.

use std::fs::File;
use std::time::Duration;

use crate::Fault;
use crate::clock::Deadline;
use crate::store::Folder;

/// How often a free place is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// Takes one of so many places; it is given back when dropped, or when the process ends.
pub(crate) fn place(
    folder: &Folder,
    places: u64,
    deadline: Deadline,
) -> Result<Option<File>, Fault> {
    if places == 0 {
        return Ok(None);
    }
    let at_once = Deadline::after(Duration::ZERO);
    loop {
        for at in 0..places.min(64) {
            if let Some(place) = folder.lock(&format!("place-{at}.lock"), at_once)? {
                return Ok(Some(place));
            }
        }
        if !deadline.wait(LOOK) {
            return Err(Fault::Busy);
        }
    }
}

/// Waits while somebody else asks the same; then their answer is remembered. Different questions
/// that share a lock by chance wait needlessly, not wrongly.
pub(crate) fn alone(folder: &Folder, key: &str, deadline: Deadline) -> Result<Option<File>, Fault> {
    let bucket = key.get(..2).unwrap_or("00");
    let flights = folder.inner("flights")?;
    match flights.lock(&format!("{bucket}.lock"), deadline)? {
        Some(lock) => Ok(Some(lock)),
        None => Err(Fault::Busy),
    }
}
