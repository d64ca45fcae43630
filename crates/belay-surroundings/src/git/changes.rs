//! Which tracked files differ from the index.

use std::num::NonZero;
use std::ops::Range;
use std::thread;
use std::time::SystemTime;

use super::compare::{Comparer, Near, State};
use super::index::{Entry, Slot};
use super::repository::Repository;
use super::status::{Known, lossy};
use super::tally::{Loss, Tally};
use crate::limits;
use crate::look::Gap;

/// From so many files on, two looks at once are faster than one.
const WORTH_A_THREAD: usize = 1_000;
/// Looks at once.
const THREADS: usize = 8;

/// Tracked files that differ, and when they were written.
#[derive(Debug, Default)]
pub(super) struct Differing<'a> {
    /// The files.
    pub(super) files: Vec<(&'a [u8], SystemTime)>,
    /// Tracked files that are not there.
    pub(super) gone: Vec<&'a [u8]>,
    /// Not all could be seen.
    pub(super) doubtful: bool,
    /// There were more.
    pub(super) cut: bool,
}

impl<'a> Differing<'a> {
    fn count(&mut self, name: &'a [u8], state: State) {
        match state {
            State::Same => {}
            State::Gone => self.gone.push(name),
            State::Unclear => self.doubtful = true,
            State::Differs(when) => self.files.push((name, when)),
        }
    }

    fn add(&mut self, other: Self) {
        self.files.extend(other.files);
        self.gone.extend(other.gone);
        self.doubtful |= other.doubtful;
        self.cut |= other.cut;
    }
}

/// Counts the files of a range of the index that differ on disk.
pub fn changes(
    repository: &Repository,
    range: Range<usize>,
    known: &dyn Known,
) -> Result<Tally, Gap> {
    let top = repository.top.as_deref().ok_or(Gap::Closed)?;
    let found = differing(repository, range)?;
    let mut tally = Tally::default();
    tally.doubtful = found.doubtful;
    tally.cut = found.cut;
    for (name, when) in found.files {
        if known.own(&top.join(super::path_of(name))) {
            tally.ours += 1;
        } else {
            tally.lose(Loss::Changed, lossy(name), when);
        }
    }
    Ok(tally)
}

/// Returns the files of a range of the index that are not on the disk as they are there.
pub(super) fn differing(
    repository: &Repository,
    range: Range<usize>,
) -> Result<Differing<'_>, Gap> {
    let (index, written) = repository.index()?;
    let top = repository.top.as_deref().ok_or(Gap::Closed)?;
    let slots = index.slots.get(range).unwrap_or_default();
    if slots.len() > limits::COMPARED {
        return Err(Gap::Closed);
    }
    let part = |slots: &[Slot]| {
        let mut found = Differing::default();
        let mut comparer = Comparer::new(written);
        let mut near = Near::below(top);
        let mut last: &[u8] = b"";
        for slot in slots {
            if found.files.len() >= limits::LOSSES {
                found.cut = true;
                break;
            }
            let (name, entry) = (index.name(slot), index.entry(slot));
            // The sides of a conflict have one name.
            if entry.kind() != Entry::REPOSITORY && name != last {
                last = name;
                found.count(name, comparer.compare_near(&mut near, name, &entry));
            }
        }
        found
    };
    if slots.len() < WORTH_A_THREAD {
        return Ok(part(slots));
    }
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(THREADS);
    let mut all = Differing::default();
    thread::scope(|scope| {
        let chunks = slots.chunks(slots.len().div_ceil(threads));
        let looks: Vec<_> = chunks
            .map(|chunk| scope.spawn(move || part(chunk)))
            .collect();
        for look in looks {
            match look.join() {
                Ok(found) => all.add(found),
                Err(_) => all.doubtful = true,
            }
        }
    });
    Ok(all)
}
