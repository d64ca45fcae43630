//! Which tracked files differ from the index.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

use super::compare::{Comparer, State};
use super::index::{Entry, Slot};
use super::repository::Repository;
use super::status::lossy;
use super::tally::{Loss, Tally};
use crate::limits;
use crate::look::Gap;

/// From so many files on, two looks at once are faster than one.
const WORTH_A_THREAD: usize = 4_000;
/// Looks at once.
const THREADS: usize = 8;

/// Compares the files of a range of the index with the disk.
pub fn changes(repository: &Repository, range: Range<usize>) -> Result<Tally, Gap> {
    let (index, written) = repository.index()?;
    let top = repository.top.as_deref().ok_or(Gap::Closed)?;
    let slots = index.slots.get(range).unwrap_or_default();
    if slots.len() > limits::COMPARED {
        return Err(Gap::Closed);
    }
    let part = |slots: &[Slot]| {
        let mut tally = Tally::default();
        let mut comparer = Comparer::new(written);
        let mut last: &[u8] = b"";
        for slot in slots {
            let (name, entry) = (index.name(slot), index.entry(slot));
            // The sides of a conflict have one name.
            if entry.kind() != Entry::REPOSITORY && name != last {
                last = name;
                let state = comparer.compare(&top.join(super::path_of(name)), &entry);
                count(&mut tally, name, state);
            }
        }
        tally
    };
    if slots.len() < WORTH_A_THREAD {
        return Ok(part(slots));
    }
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(THREADS);
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let chunks = slots.chunks(slots.len().div_ceil(threads));
        let looks: Vec<_> = chunks
            .map(|chunk| scope.spawn(move || part(chunk)))
            .collect();
        for look in looks {
            match look.join() {
                Ok(found) => tally.add(found),
                Err(_) => tally.doubtful = true,
            }
        }
    });
    Ok(tally)
}

fn count(tally: &mut Tally, name: &[u8], state: State) {
    match state {
        State::Same | State::Gone => {}
        State::Unclear => tally.doubtful = true,
        State::Differs(when) => tally.lose(Loss::Changed, lossy(name), when),
    }
}
