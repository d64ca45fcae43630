//! Which tracked files differ from the index.

use std::ops::Range;
use std::time::SystemTime;

use super::compare::{Comparer, Near, State};
use super::index::Entry;
use super::parts;
use super::repository::Repository;
use super::status::{Known, lossy};
use super::tally::{Loss, Tally};
use crate::limits;
use crate::look::Gap;

/// From so many files on, two looks at once are faster than one.
const WORTH_A_THREAD: usize = 1_000;

/// Tracked files that differ, and when they were written; each by its place in the index.
#[derive(Clone, Debug, Default)]
pub(super) struct Differing {
    /// The files.
    pub(super) files: Vec<(usize, SystemTime)>,
    /// Tracked files that are not there.
    pub(super) gone: Vec<usize>,
    /// Not all could be seen.
    pub(super) doubtful: bool,
    /// There were more.
    pub(super) cut: bool,
}

impl Differing {
    fn count(&mut self, at: usize, state: State) {
        match state {
            State::Same => {}
            State::Gone => self.gone.push(at),
            State::Unclear => self.doubtful = true,
            State::Differs(when) => self.files.push((at, when)),
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
    let (index, _) = repository.index()?;
    let found = differing(repository, range)?;
    let mut tally = Tally::default();
    tally.doubtful = found.doubtful;
    tally.cut = found.cut;
    for (at, when) in found.files {
        let name = index.name_at(at);
        if known.own(&top.join(super::path_of(name))) {
            tally.ours += 1;
        } else {
            tally.lose(Loss::Changed, lossy(name), when);
        }
    }
    Ok(tally)
}

/// Returns the files of a range of the index that are not on the disk as they are there. All of them are looked at once.
pub(super) fn differing(repository: &Repository, range: Range<usize>) -> Result<Differing, Gap> {
    let (index, _) = repository.index()?;
    let found = if range == (0..index.slots.len()) {
        let all = || differing_now(repository, range);
        repository.differing.get_or_init(all).clone()
    } else {
        differing_now(repository, range)
    };
    repository.looked();
    found
}

fn differing_now(repository: &Repository, range: Range<usize>) -> Result<Differing, Gap> {
    let (index, written) = repository.index()?;
    let top = repository.top.as_deref().ok_or(Gap::Closed)?;
    let places: Vec<usize> = range.collect();
    if places.len() > limits::COMPARED {
        return Err(Gap::Closed);
    }
    let part = |places: &[usize]| {
        let mut found = Differing::default();
        let mut comparer = Comparer::new(written);
        let mut near = Near::below(top);
        let mut last: &[u8] = b"";
        let slots = places
            .iter()
            .filter_map(|at| Some((at, index.slots.get(*at)?)));
        for (at, slot) in slots {
            if found.files.len() >= limits::LOSSES {
                found.cut = true;
                break;
            }
            let (name, entry) = (index.name(slot), index.entry(slot));
            // The sides of a conflict have one name.
            if entry.kind() != Entry::REPOSITORY && name != last {
                last = name;
                found.count(*at, comparer.compare_near(&mut near, name, &entry));
            }
        }
        found
    };
    let mut all = Differing::default();
    for (_, found) in parts::each(&places, WORTH_A_THREAD, part) {
        match found {
            Some(found) => all.add(found),
            None => all.doubtful = true,
        }
    }
    Ok(all)
}
