//! What a deletion, `git restore` or `git clean` would lose.

use std::fs;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::UNIX_EPOCH;

use super::changes::changes;
use super::compare::{Comparer, State};
use super::ignore::{Ignored, Ignores, Rules, Shape, say};
use super::index::{Entry, Index};
use super::listing::{Listed, Listing, Tracked};
use super::repository::{Found, Repository, Whose};
use super::tally::{Loss, Tally};
use crate::limits;
use crate::look::{self, Gap};

/// What the session knows of files.
pub trait Known {
    /// Tells whether all that git does not keep of the file is this session's work.
    fn own(&self, path: &Path) -> bool;
    /// Returns the ignore files that this session wrote.
    fn ignore_files(&self) -> Vec<PathBuf>;
}

/// Losses after which nobody counts on.
const LOSSES: u64 = limits::LOSSES as u64;
/// Folders read at once.
const AT_ONCE: usize = 512;

/// What a walk looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Everything that a deletion takes away.
    All,
    /// What is neither tracked nor ignored.
    Untracked,
}

/// One look at a working tree.
pub struct Status<'a> {
    repository: &'a Repository,
    top: &'a Path,
    index: &'a Index,
    ignores: Ignores,
    known: &'a dyn Known,
    whose: &'a Whose,
    comparer: Comparer,
    want: Want,
    seen: usize,
    depth: usize,
    /// Other working trees that were looked into.
    entered: Vec<PathBuf>,
    tally: Tally,
    gathering: Option<Gathering>,
}

/// Collects names instead of counting losses.
struct Gathering {
    /// Whether what is ignored is wanted too.
    ignored: bool,
    names: Vec<Vec<u8>>,
}

/// What git does not know, by names from the top on.
#[derive(Debug)]
pub struct Gathered {
    /// Files, folders that are ignored as a whole, and folders that hold nothing.
    pub names: Vec<Vec<u8>>,
    /// Something could not be seen, or another repository lies among it.
    pub doubtful: bool,
}

/// A folder still to be walked.
struct Ahead {
    /// Its name from the top on, with its slash; empty for the top.
    name: Vec<u8>,
    /// The rules that hold in it; its own are only among them where it is the first.
    rules: Rules,
    /// Whether it is ignored as a whole.
    ignored: Ignored,
    depth: usize,
    /// Where its tracked files stand in the index.
    range: Range<usize>,
}

impl Ahead {
    const fn is_too_deep(&self) -> bool {
        self.depth > limits::DEPTH
    }

    /// An ignored folder without tracked files is ignored as a whole.
    fn may_skip(&self) -> bool {
        self.ignored != Ignored::No && self.range.is_empty()
    }
}

/// A folder being walked, and all rules that hold in it.
#[derive(Clone, Copy)]
struct Inside<'a> {
    folder: &'a Ahead,
    rules: &'a Rules,
}

/// Where a look begins.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The repository to look in.
    pub repository: &'a Repository,
    /// What the session knows.
    pub known: &'a dyn Known,
    /// Whose settings count.
    pub whose: &'a Whose,
}

impl<'a> Status<'a> {
    /// Prepares a look at a repository's working tree.
    pub fn new(start: Start<'a>, want: Want) -> Result<Self, Gap> {
        let repository = start.repository;
        let top = repository.top.as_deref().ok_or(Gap::Closed)?;
        let (index, written) = repository.index()?;
        let ignores = Ignores::new(top, &repository.outer_ignores(), start.known.ignore_files());
        Ok(Self {
            repository,
            top,
            index,
            ignores,
            known: start.known,
            whose: start.whose,
            comparer: Comparer::new(written),
            want,
            seen: 0,
            depth: 0,
            entered: Vec::new(),
            tally: Tally::default(),
            gathering: None,
        })
    }

    /// Collects everything below a folder that git does not know, and what it ignores where that is wanted.
    pub fn gather(mut self, folder: &Path, ignored: bool) -> Result<Gathered, Gap> {
        let name = folder.strip_prefix(self.top).map_err(|_| Gap::Closed)?;
        let names = Vec::new();
        self.gathering = Some(Gathering { ignored, names });
        self.walk(self.first(name.as_os_str().as_bytes()));
        Ok(Gathered {
            names: self.gathering.map(|it| it.names).unwrap_or_default(),
            doubtful: self.tally.doubtful,
        })
    }

    /// Looks at a path and all below it.
    pub fn look(mut self, path: &Path) -> Result<Tally, Gap> {
        let name = path
            .strip_prefix(self.top)
            .map_err(|_| Gap::Closed)?
            .as_os_str()
            .as_bytes();
        let kind = fs::symlink_metadata(path)?;
        if kind.is_dir() {
            let ahead = self.first(name);
            self.registered(path);
            let range = ahead.range.clone();
            self.walk(ahead);
            if self.want == Want::All {
                let changed = changes(self.repository, range, self.known)?;
                self.tally.add(changed);
            }
        } else {
            let ignored = self.ignores.path(name, Shape::File);
            self.file(name, ignored);
        }
        self.repository.looked();
        Ok(self.tally)
    }

    /// Working trees of the same repository lie where they lie, ignored or not.
    fn registered(&mut self, path: &Path) {
        if self.want == Want::Untracked {
            return;
        }
        let Ok(tops) = self.repository.worktrees() else {
            self.tally.doubtful = true;
            return;
        };
        for top in tops {
            if top.starts_with(path) && top != self.top {
                self.nested(&top);
            }
        }
    }

    fn first(&self, name: &[u8]) -> Ahead {
        let mut rules = self.ignores.at_top();
        let mut folder = Vec::new();
        let mut ignored = Ignored::No;
        for part in name.split(|it| *it == b'/').filter(|it| !it.is_empty()) {
            folder.extend_from_slice(part);
            if ignored == Ignored::No {
                ignored = say(&rules, &folder, Shape::Folder);
            }
            folder.push(b'/');
            if ignored == Ignored::No {
                rules = self.ignores.inside(&rules, &folder);
            }
        }
        Ahead {
            range: self.index.below(&folder),
            name: folder,
            rules,
            ignored,
            depth: 0,
        }
    }

    fn walk(&mut self, first: Ahead) {
        let mut ahead = vec![first];
        while !ahead.is_empty() {
            let folders = ahead.split_off(ahead.len().saturating_sub(AT_ONCE));
            let listings = self.listings(&folders);
            for (folder, listing) in folders.iter().zip(listings) {
                self.visit(folder, listing, &mut ahead);
                if self.seen > limits::WALK {
                    self.tally.doubtful = true;
                    return;
                }
                if self.tally.lost() >= LOSSES {
                    self.tally.cut = true;
                    return;
                }
            }
        }
    }

    /// Reads folders, as far as they are to be read; nothing stands for one that is not, or cannot be.
    fn listings(&self, folders: &[Ahead]) -> Vec<Option<Rc<Listing>>> {
        let left = limits::WALK.saturating_sub(self.seen);
        let wanted: Vec<_> = folders.iter().map(|it| self.tracked_in(it)).collect();
        self.repository.listed.all(self.top, &wanted, left)
    }

    /// Returns the tracked files of a folder that is to be read.
    fn tracked_in<'f>(&self, folder: &'f Ahead) -> Option<Tracked<'f>>
    where
        'a: 'f,
    {
        let reads = !folder.is_too_deep() && !folder.may_skip();
        reads.then(|| Tracked {
            index: self.index,
            folder: &folder.name,
            range: folder.range.clone(),
        })
    }

    fn visit(&mut self, folder: &Ahead, listing: Option<Rc<Listing>>, ahead: &mut Vec<Ahead>) {
        if folder.is_too_deep() {
            self.tally.doubtful = true;
        } else if !folder.may_skip() {
            match listing {
                Some(found) => self.folder(folder, &found, ahead),
                None => self.tally.doubtful = true,
            }
        } else if folder.depth > 0 && self.has_repository(folder) {
            self.inner_repository(folder);
        } else {
            self.skip(folder);
        }
    }

    /// Tells whether another repository begins at a folder.
    fn has_repository(&self, folder: &Ahead) -> bool {
        self.path_of(folder).join(".git").symlink_metadata().is_ok()
    }

    fn path_of(&self, folder: &Ahead) -> PathBuf {
        self.top.join(super::path_of(&folder.name))
    }

    fn skip(&mut self, folder: &Ahead) {
        if let Some(gathering) = self.gathering.as_mut().filter(|it| it.ignored) {
            let name = folder.name.strip_suffix(b"/").unwrap_or(&folder.name);
            gathering.names.push(name.to_vec());
        }
        if self.want == Want::All {
            self.ignored_found(&folder.name, folder.ignored);
            self.hidden_repositories(&folder.name);
        }
    }

    fn folder(&mut self, folder: &Ahead, found: &Listing, ahead: &mut Vec<Ahead>) {
        self.tally.doubtful |= found.doubtful;
        if folder.depth > 0 && found.may_be_repository && self.has_repository(folder) {
            return self.inner_repository(folder);
        }
        self.seen += found.count;
        let plain = folder.depth > 0 && folder.ignored == Ignored::No;
        let own = (plain && found.may_have_rules)
            .then(|| self.ignores.inside(&folder.rules, &folder.name));
        let inside = Inside {
            folder,
            rules: own.as_ref().unwrap_or(&folder.rules),
        };
        for entry in found.iter() {
            self.entry(inside, entry, ahead);
        }
        if let Some(gathering) = self.gathering.as_mut().filter(|_| found.count == 0) {
            let name = folder.name.strip_suffix(b"/").unwrap_or(&folder.name);
            gathering.names.push(name.to_vec());
        }
    }

    fn entry(&mut self, inside: Inside<'_>, entry: Listed<'_>, ahead: &mut Vec<Ahead>) {
        let Inside { folder, rules } = inside;
        let Listed { own, shape } = entry;
        let name = [folder.name.as_slice(), own].concat();
        let ignored = match folder.ignored {
            Ignored::No => say(rules, &name, shape),
            outer @ (Ignored::Yes | Ignored::Lately) => outer,
        };
        if own == b".git" {
            self.git_entry(folder, &name);
        } else if shape == Shape::File {
            self.not_tracked(&name, ignored);
        } else {
            let inner = [name.as_slice(), b"/"].concat();
            ahead.push(Ahead {
                range: self.index.below_in(folder.range.clone(), &inner),
                name: inner,
                rules: match ignored {
                    Ignored::No => rules.clone(),
                    Ignored::Yes | Ignored::Lately => Rules::new(),
                },
                ignored,
                depth: folder.depth + 1,
            });
        }
    }

    /// The repository's own folder: at the top it goes with everything that it holds.
    fn git_entry(&mut self, folder: &Ahead, name: &[u8]) {
        let path = self.top.join(super::path_of(name));
        if self.want == Want::All && (path.is_dir() || !folder.name.is_empty()) {
            self.lose(Loss::Repository, name);
        }
    }

    /// `git clean` leaves other repositories alone; a deletion does not.
    fn inner_repository(&mut self, folder: &Ahead) {
        if self.gathering.is_some() {
            // Told twice, it does not.
            self.tally.doubtful = true;
        }
        if self.want == Want::All {
            self.nested(&self.path_of(folder));
        }
    }

    /// Looks into another working tree; its history is lost too when it lies inside.
    fn nested(&mut self, path: &Path) {
        if self.entered.iter().any(|it| it == path) {
            return;
        }
        self.entered.push(path.to_owned());
        if self.depth == limits::NESTED {
            self.tally.doubtful = true;
            return;
        }
        match self.nested_tally(path) {
            Ok(tally) => self.tally.add(tally),
            Err(Gap::Absent) => {}
            Err(Gap::Closed) => self.tally.doubtful = true,
        }
    }

    fn nested_tally(&self, path: &Path) -> Result<Tally, Gap> {
        let Found::Here(repository) = Repository::find(path, self.whose)? else {
            return Err(Gap::Closed);
        };
        let start = Start {
            repository: &repository,
            known: self.known,
            whose: self.whose,
        };
        let mut status = Status::new(start, Want::All)?;
        status.depth = self.depth + 1;
        status.look(path)
    }

    fn hidden_repositories(&mut self, folder: &[u8]) {
        /// More than so many neighbours are packages, not working trees.
        const NEIGHBOURS: usize = 64;
        let path = self.top.join(super::path_of(folder));
        let Ok(names) = look::names(&path) else {
            self.tally.doubtful = true;
            return;
        };
        self.seen += names.len();
        if names.len() <= NEIGHBOURS {
            for inner in names.iter().map(|it| path.join(it)) {
                if inner.join(".git").symlink_metadata().is_ok() {
                    self.nested(&inner);
                }
            }
        }
    }

    fn file(&mut self, name: &[u8], ignored: Ignored) {
        match self.index.find(name) {
            Some(entry) => self.tracked(name, &entry),
            None => self.not_tracked(name, ignored),
        }
    }

    fn not_tracked(&mut self, name: &[u8], ignored: Ignored) {
        if let Some(gathering) = &mut self.gathering {
            if ignored == Ignored::No || gathering.ignored {
                gathering.names.push(name.to_vec());
            }
            return;
        }
        if ignored != Ignored::No {
            self.ignored_found(name, ignored);
        } else if self.known.own(&self.top.join(super::path_of(name))) {
            self.tally.ours += 1;
        } else {
            self.lose(Loss::Untracked, name);
        }
    }

    fn tracked(&mut self, name: &[u8], entry: &Entry) {
        if self.want == Want::Untracked {
            return;
        }
        let path = self.top.join(super::path_of(name));
        match self.comparer.compare(&path, entry) {
            State::Same | State::Gone => {}
            State::Unclear => self.tally.doubtful = true,
            State::Differs(_) if self.known.own(&path) => self.tally.ours += 1,
            State::Differs(when) => self.tally.lose(Loss::Changed, lossy(name), when),
        }
    }

    fn ignored_found(&mut self, name: &[u8], ignored: Ignored) {
        if self.want == Want::Untracked {
            return;
        }
        match ignored {
            // A repository that spans the home folder ignores what it does not care for, not what
            // can be made again.
            _ if self.spans_home() => self.lose(Loss::Untracked, name),
            Ignored::Lately => self.tally.doubtful = true,
            Ignored::Yes | Ignored::No => self.tally.ignored += 1,
        }
    }

    fn spans_home(&self) -> bool {
        self.whose
            .home
            .as_ref()
            .is_some_and(|home| home.starts_with(self.top))
    }

    fn lose(&mut self, why: Loss, name: &[u8]) {
        let path = self.top.join(super::path_of(name));
        let modified = fs::symlink_metadata(path).and_then(|it| it.modified());
        self.tally
            .lose(why, lossy(name), modified.unwrap_or(UNIX_EPOCH));
    }
}

/// Returns a name as text, as well as that goes.
pub fn lossy(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
