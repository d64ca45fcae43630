//! Work on a long list, on several processors at once.

use std::num::NonZero;
use std::thread;

/// Parts at once.
const MOST: usize = 8;

/// A part of a list, and what work on it gave: nothing where it ended in an accident.
pub type Done<'a, T, R> = (&'a [T], Option<R>);

/// Works on the parts of a list, on several processors where it has `worth` items or more; in the order of the list.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    worth: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<Done<'_, T, R>> {
    let threads = match items.len() < worth {
        true => 1,
        false => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let size = items.len().div_ceil(threads.min(MOST)).max(1);
    let (here, others) = items.split_at_checked(size).unwrap_or((items, &[]));
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = others
            .chunks(size)
            .map(|part| (part, scope.spawn(move || work(part))))
            .collect();
        let mut done = vec![(here, Some(work(here)))];
        let joined = others.into_iter();
        done.extend(joined.map(|(part, it)| (part, it.join().ok())));
        done
    })
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn every_item_is_worked_on_once_and_in_order() {
        for length in [0, 1, 2, 7, 100] {
            let items: Vec<usize> = (0..length).collect();
            for worth in [0, 50, 1_000] {
                let done = each(&items, worth, <[usize]>::to_vec);
                let all: Vec<usize> = done.into_iter().flat_map(|it| it.1.unwrap()).collect();
                assert_eq!(all, items);
            }
        }
    }
}
