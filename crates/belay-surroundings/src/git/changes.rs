//! Which tracked files differ from the index.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

use super::compare::{Comparer, State};
use super::index::{Entry, Index};
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
    let entries = index.entries.get(range).unwrap_or_default();
    if entries.len() > limits::COMPARED {
        return Err(Gap::Closed);
    }
    let part = |entries: &[Entry]| {
        let mut tally = Tally::default();
        let mut comparer = Comparer::new(written);
        for entry in entries.iter().filter(|it| it.kind() != Entry::REPOSITORY) {
            one(&mut tally, (index, entry), |name| {
                comparer.compare(&top.join(super::path_of(name)), entry)
            });
        }
        tally
    };
    if entries.len() < WORTH_A_THREAD {
        return Ok(part(entries));
    }
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(THREADS);
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let chunks = entries.chunks(entries.len().div_ceil(threads));
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

fn one(tally: &mut Tally, (index, entry): (&Index, &Entry), compare: impl FnOnce(&[u8]) -> State) {
    let name = index.name(entry);
    match compare(name) {
        State::Same | State::Gone => {}
        State::Unclear => tally.doubtful = true,
        State::Differs(when) => tally.lose(Loss::Changed, lossy(name), when),
    }
}
