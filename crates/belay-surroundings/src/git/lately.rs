//! The repository that was looked at last in this thread: who asked whether work would be lost asks next what must be kept of
//! it, and a look at every file is long.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::time::Duration;

use super::repository::{Repository, Whose};

/// So long after its end a look counts as one with the next: the command that is judged starts no sooner.
const FRESH: Duration = Duration::from_millis(50);

thread_local! {
    static LAST: RefCell<Option<(PathBuf, Weak<Repository>)>> = const { RefCell::new(None) };
}

/// Notes the repository of a folder, whose links are followed.
pub fn opened(folder: &Path, repository: &Rc<Repository>) {
    LAST.set(Some((folder.to_owned(), Rc::downgrade(repository))));
}

/// Returns the repository of a folder, if it is the last one and somebody looked at its files right now.
pub fn looked_at(folder: &Path, whose: &Whose) -> Option<Rc<Repository>> {
    LAST.with_borrow(|last| {
        let (place, repository) = last.as_ref()?;
        let repository = repository.upgrade()?;
        (place == folder && repository.was_looked_at(whose, FRESH)).then_some(repository)
    })
}
