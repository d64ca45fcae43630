//! All changes, and what became of them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{knowledge, policy};

/// What became of the changes of one kind.
#[derive(Clone, Debug, Default)]
pub struct Fates {
    /// How many there were.
    pub all: usize,
    /// Those that failed nothing.
    pub survivors: Vec<String>,
}

impl Fates {
    fn add(&mut self, other: Self) {
        self.all += other.all;
        self.survivors.extend(other.survivors);
    }
}

/// Returns what became of all changes, as JSON.
pub fn run(root: &Path) -> Result<String, String> {
    let mut all: BTreeMap<&str, Fates> = policy::run(root)?;
    all.extend(knowledge::run(root)?);
    let shown = all.iter().map(|(kind, it)| {
        let fates = serde_json::json!({"all": it.all, "survivors": it.survivors});
        ((*kind).to_owned(), fates)
    });
    let shown: serde_json::Map<String, serde_json::Value> = shown.collect();
    serde_json::to_string(&shown).map_err(|why| why.to_string())
}

/// Does the same work on many items, on all cores, and joins what became of them.
pub fn shared<T: Sync>(items: &[T], work: impl Fn(&T) -> Fates + Sync) -> Fates {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let worker = || {
        let mut fates = Fates::default();
        while let Some(item) = items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            fates.add(work(item));
        }
        fates
    };
    let mut fates = Fates::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        for it in workers {
            // A worker that panics tells of nothing: what it had is missing from the count.
            fates.add(it.join().unwrap_or_default());
        }
    });
    fates.survivors.sort();
    fates
}
