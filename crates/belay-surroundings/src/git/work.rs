//! What a repository holds that nothing else does: all that a command may take away, as files to be kept.
//!
//! INVARIANT: everything that may go is named, or the answer is a refusal; no program is run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::changes::differing;
use super::index::{Entry, Index};
use super::lately;
use super::objects::{ObjectKind, Objects};
use super::repository::{Found, Repository};
use super::status::{Gathered, Start, Status, Want};
use super::trees::{Leaves, Unlike, leaves};
use super::{Id, id_text, parse_id, path_of};
use crate::limits;
use crate::look::{self, Gap};
use crate::provenance::NoSession;
use crate::resolve::resolve;
use crate::world::Standpoint;

/// What a command may take away from a repository.
#[derive(Clone, Copy, Debug)]
pub enum Doomed<'a> {
    /// What differs from commits in the working tree and the index.
    Tree {
        /// At or below these paths; everywhere where there is none.
        below: &'a [PathBuf],
        /// Words of the command that may name what it goes to.
        towards: &'a [String],
    },
    /// The commits that the branch leaves when it goes to this one, and what differs between them.
    Behind(&'a str),
    /// Files that git does not know.
    Untracked {
        /// Whether those that are ignored go too.
        ignored: bool,
    },
    /// All stashes.
    Stash,
    /// A branch or tag.
    Reference(&'a str),
}

/// What must be kept of a repository. Paths are absolute, with links followed.
#[derive(Debug, Default)]
pub struct Work {
    /// Paths of the working tree as they are now, with what lies below them; also those where nothing is.
    pub paths: BTreeSet<PathBuf>,
    /// Files of the repository as they are now.
    pub files: BTreeSet<PathBuf>,
    /// Files of the repository as they would be written alone: references and objects that are packed with others.
    pub made: BTreeMap<PathBuf, Vec<u8>>,
}

/// Says what must be kept of the repository of a folder before a command runs.
///
/// # Errors
/// Says why that cannot be told.
pub fn work(from: &Standpoint, folder: &Path, doomed: Doomed<'_>) -> Result<Work, String> {
    let unread = |_: Gap| "the repository cannot be read".to_owned();
    let whose = from.whose();
    let place = resolve(folder).map_err(unread)?.place();
    let found = match lately::looked_at(&place, &whose) {
        Some(repository) => Some(repository),
        None => match Repository::find_followed(&place, &whose).map_err(unread)? {
            Found::Here(repository) => Some(Rc::from(repository)),
            Found::Nowhere => None,
        },
    };
    let repository =
        found.ok_or_else(|| format!("`{}` is not in a repository", folder.display()))?;
    if !repository.has_plain_refs() {
        return Err(
            "the repository stores its references or objects in a form belay cannot read"
                .to_owned(),
        );
    }
    let mut found = Finder {
        repository: &repository,
        objects: repository.objects(),
        work: Work::default(),
        bytes: 0,
    };
    match doomed {
        Doomed::Tree { below, towards } => found.tree(below, towards)?,
        Doomed::Behind(towards) => {
            found.tree(&[], &[towards.to_owned()])?;
            found.behind(towards).map_err(unread)?;
        }
        Doomed::Untracked { ignored } => {
            let start = Start {
                repository: &repository,
                known: &NoSession,
                whose: &whose,
            };
            let status = Status::new(start, Want::Untracked).map_err(unread)?;
            let gathered = status.gather(&place, ignored).map_err(unread)?;
            found.untracked(gathered)?;
        }
        Doomed::Stash => found.stash().map_err(unread)?,
        Doomed::Reference(name) => found.named(name).map_err(unread)?,
    }
    match found.bytes > limits::HASHED {
        true => Err("there are too many commits to keep".to_owned()),
        false => Ok(found.work),
    }
}

struct Finder<'a> {
    repository: &'a Repository,
    objects: &'a Objects,
    work: Work,
    /// Bytes of all objects.
    bytes: u64,
}

impl Finder<'_> {
    /// What differs from the last commit, and what would differ between here and there.
    fn tree(&mut self, below: &[PathBuf], towards: &[String]) -> Result<(), String> {
        let unread = |_: Gap| "the repository cannot be read".to_owned();
        let repository = self.repository;
        let (index, _) = repository.index().map_err(unread)?;
        if index.holds_repositories {
            return Err("it contains other repositories".to_owned());
        }
        let head = repository.reference("HEAD").map_err(unread)?;
        let mut ends = head.into_iter().collect::<BTreeSet<Id>>();
        ends.extend(self.ends(below, towards)?);
        let top = repository
            .top
            .as_deref()
            .ok_or("there is no working tree")?;
        let real: Result<Vec<PathBuf>, String> = below.iter().map(|it| real(it)).collect();
        let real = real?;
        let mut paths = BTreeSet::new();
        for range in ranges(index, top, &real) {
            self.on_disk(range, &mut paths).map_err(unread)?;
        }
        for end in &ends {
            self.unlike(end, index, &mut paths).map_err(unread)?;
        }
        if head.is_none() {
            paths.extend(index.slots.iter().map(|it| index.name(it).to_vec()));
        }
        let wanted = |path: &Path| {
            real.is_empty()
                || real
                    .iter()
                    .any(|it| path.starts_with(it) || it.starts_with(path))
        };
        for path in paths {
            let path = top.join(path_of(&path));
            if wanted(&path) {
                self.in_the_way(top, &path);
                self.work.paths.insert(path);
            }
        }
        self.state(index).map_err(unread)
    }

    /// Finds what the index does not have as a commit has it.
    fn unlike(&self, end: &Id, index: &Index, paths: &mut BTreeSet<Vec<u8>>) -> Result<(), Gap> {
        let tree = self.objects.commit(end)?.1.tree;
        let mut unlike = Unlike {
            index,
            objects: self.objects,
            known: index.trees(),
            paths,
        };
        unlike.folder(b"", tree, 0)
    }

    /// A file where a folder should be goes too.
    fn in_the_way(&mut self, top: &Path, path: &Path) {
        let above = path.ancestors().skip(1).take_while(|it| *it != top);
        let file = above.filter(|it| it.symlink_metadata().is_ok_and(|it| !it.is_dir()));
        self.work.paths.extend(file.map(Path::to_owned));
    }

    /// Returns the commits that words of a command name.
    fn ends(&self, below: &[PathBuf], towards: &[String]) -> Result<Vec<Id>, String> {
        let mut found = Vec::new();
        for word in towards {
            let (is_flag, word) = match word.strip_prefix('-') {
                Some("") => return Err("belay cannot tell which state it goes to".to_owned()),
                Some(rest) => match rest.split_once('=') {
                    Some((_, value)) => (true, value),
                    None => continue,
                },
                None => (false, word.as_str()),
            };
            match self.repository.revision(word) {
                Ok(Some(id)) => found.push(id),
                Ok(None) if is_flag || !below.is_empty() => {}
                Err(_) if is_flag => {}
                Ok(None) | Err(_) => {
                    let top = self.repository.top.as_deref().unwrap_or(Path::new("/"));
                    let there = top.join(word).symlink_metadata().is_ok();
                    if !there {
                        return Err(format!("belay cannot tell which state `{word}` is"));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Finds tracked files that are not on the disk as they are in the index, those that are gone too.
    fn on_disk(&self, range: Range<usize>, paths: &mut BTreeSet<Vec<u8>>) -> Result<(), Gap> {
        let (index, _) = self.repository.index()?;
        let found = differing(self.repository, range)?;
        if found.doubtful || found.cut {
            return Err(Gap::Closed);
        }
        let differ = found.files.iter().map(|(at, _)| *at);
        let all = differ.chain(found.gone);
        paths.extend(all.map(|it| index.name_at(it).to_vec()));
        Ok(())
    }

    /// Keeps the index, what was staged, where we are, and what is half done.
    fn state(&mut self, index: &Index) -> Result<(), Gap> {
        let own = &self.repository.git_dir;
        for name in [
            "index",
            "MERGE_HEAD",
            "MERGE_MSG",
            "MERGE_MODE",
            "CHERRY_PICK_HEAD",
            "REVERT_HEAD",
            "AUTO_MERGE",
        ] {
            let path = own.join(name);
            if look::is_file(&path) {
                self.work.files.insert(path);
            }
        }
        self.work.files.insert(own.join("HEAD"));
        if let Some(branch) = self.repository.branch()? {
            self.reference(&format!("refs/heads/{branch}"))?;
        }
        let staged: Vec<Id> = self.repository.staged_ids(index)?;
        staged.iter().try_for_each(|id| self.object(id))
    }

    /// Keeps a reference as a file of its own, with its past.
    fn reference(&mut self, name: &str) -> Result<Option<Id>, Gap> {
        let id = self.repository.reference(name)?;
        if let Some(id) = id {
            let text = format!("{}\n", id_text(&id));
            self.work
                .made
                .insert(self.repository.common.join(name), text.into_bytes());
        }
        Ok(id)
    }

    fn log(&mut self, name: &str) {
        let log = self.repository.common.join("logs").join(name);
        if look::is_file(&log) {
            self.work.files.insert(log);
        }
    }

    fn untracked(&mut self, found: Gathered) -> Result<(), String> {
        if found.doubtful {
            return Err(
                "belay could not look at all of it, or it contains another repository".to_owned(),
            );
        }
        let top = self
            .repository
            .top
            .as_deref()
            .ok_or("there is no working tree")?;
        let paths = found.names.iter().map(|it| top.join(path_of(it)));
        self.work.paths.extend(paths);
        Ok(())
    }

    fn stash(&mut self) -> Result<(), Gap> {
        self.reference("refs/stash")?;
        self.log("refs/stash");
        let log = look::text(&self.repository.common.join("logs/refs/stash"))?;
        let ids = log.lines().filter_map(|it| parse_id(it.split(' ').nth(1)?));
        let ids: Vec<Id> = ids.collect();
        let keeps = self.others("refs/stash")?;
        self.commits(&ids, &keeps)
    }

    /// Keeps whatever a name may stand for: a branch, a tag, what a remote had.
    fn named(&mut self, name: &str) -> Result<(), Gap> {
        let mut spelled = vec![name.to_owned()];
        spelled.extend(
            ["refs/", "refs/heads/", "refs/tags/", "refs/remotes/"].map(|it| format!("{it}{name}")),
        );
        for full in spelled.iter().filter(|it| it.starts_with("refs/")) {
            let Ok(Some(id)) = self
                .repository
                .held(full)
                .map(|it| it.map(|_| ()))
                .and_then(|it| match it {
                    Some(()) => self.reference(full),
                    None => Ok(None),
                })
            else {
                continue;
            };
            self.log(full);
            let keeps = self.others(full)?;
            self.tags(&id)?;
            if self.objects.commit(&id).is_ok() {
                self.commits(&[id], &keeps)?;
            }
        }
        Ok(())
    }

    /// Keeps the commits that nothing holds once the branch has gone elsewhere.
    fn behind(&mut self, towards: &str) -> Result<(), Gap> {
        let Some(head) = self.repository.reference("HEAD")? else {
            return Ok(());
        };
        let branch = self.repository.branch()?;
        let own = branch.map(|it| format!("refs/heads/{it}"));
        let mut keeps = self.others(own.as_deref().unwrap_or_default())?;
        if own.is_none() {
            keeps.retain(|it| *it != head);
        }
        keeps.extend(self.repository.revision(towards)?);
        self.commits(&[head], &keeps)
    }

    /// Keeps a name with a message, and what it leads to.
    fn tags(&mut self, id: &Id) -> Result<(), Gap> {
        match self.objects.read(id)?.kind {
            ObjectKind::Tag | ObjectKind::Blob => self.object(id),
            ObjectKind::Commit | ObjectKind::Tree => Ok(()),
        }
    }

    /// Returns what keeps commits besides one reference.
    fn others(&self, but: &str) -> Result<Vec<Id>, Gap> {
        let mut all = BTreeMap::new();
        for prefix in ["refs/heads/", "refs/tags/", "refs/remotes/"] {
            all.append(&mut self.repository.references(prefix)?);
        }
        all.remove(but);
        let head = match self.repository.branch()? {
            None => self.repository.reference("HEAD")?,
            Some(_) => None,
        };
        let ids: BTreeSet<Id> = all.into_values().chain(head).collect();
        Ok(ids.into_iter().collect())
    }

    /// Keeps the commits of one side that the other has not, with all that is new in them.
    fn commits(&mut self, ours: &[Id], theirs: &[Id]) -> Result<(), Gap> {
        let ahead = self.repository.ahead(ours, theirs)?;
        if ahead.cut {
            return Err(Gap::Closed);
        }
        for (id, _) in &ahead.commits {
            self.object(id)?;
            let (_, commit) = self.objects.commit(id)?;
            let before = match commit.parents.first() {
                Some(parent) => Some(self.objects.commit(parent)?.1.tree),
                None => None,
            };
            self.folder(commit.tree, before, 0)?;
        }
        Ok(())
    }

    /// Keeps what a tree holds that another does not.
    fn folder(&mut self, tree: Id, before: Option<Id>, depth: usize) -> Result<(), Gap> {
        if before == Some(tree) {
            return Ok(());
        }
        if depth > limits::DEPTH {
            return Err(Gap::Closed);
        }
        self.object(&tree)?;
        let old = before.map_or_else(|| Ok(Leaves::new()), |it| leaves(self.objects, &it))?;
        for (name, leaf) in leaves(self.objects, &tree)? {
            let was = old.get(&name);
            if was.is_some_and(|it| it.id == leaf.id) || leaf.mode & 0o170_000 == Entry::REPOSITORY
            {
                continue;
            }
            if leaf.is_tree() {
                let was = was.filter(|it| it.is_tree()).map(|it| it.id);
                self.folder(leaf.id, was, depth + 1)?;
            } else {
                self.object(&leaf.id)?;
            }
        }
        Ok(())
    }

    /// Keeps an object as a file of its own.
    fn object(&mut self, id: &Id) -> Result<(), Gap> {
        let name = id_text(id);
        let (first, rest) = name.split_at_checked(2).unwrap_or_default();
        let path = self
            .repository
            .common
            .join("objects")
            .join(first)
            .join(rest);
        if self.work.files.contains(&path) || self.work.made.contains_key(&path) {
            return Ok(());
        }
        if look::is_file(&path) {
            self.work.files.insert(path);
            return Ok(());
        }
        let object = self.objects.read(id)?;
        let head = format!("{} {}\0", object.kind.word(), object.bytes.len());
        let bytes = compress_to_vec_zlib(&[head.as_bytes(), &object.bytes].concat(), 1);
        self.bytes += bytes.len() as u64;
        if self.bytes > limits::HASHED {
            return Err(Gap::Closed);
        }
        self.work.made.insert(path, bytes);
        Ok(())
    }
}

/// Follows the links on the way to a path, not the last part of it.
fn real(path: &Path) -> Result<PathBuf, String> {
    let unseen = || format!("`{}` cannot be looked at", path.display());
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(unseen());
    };
    let above = resolve(above).map_err(|_| unseen())?.place();
    Ok(above.join(name))
}

/// Returns where the files at and below some paths stand in the index, and files that lie where a folder of theirs should: all
/// where no path is named, because a whole tree is looked at in one go.
fn ranges(index: &Index, top: &Path, paths: &[PathBuf]) -> Vec<Range<usize>> {
    let inside = |it: &PathBuf| Some(it.strip_prefix(top).ok()?.as_os_str().as_bytes().to_vec());
    let names: Option<Vec<Vec<u8>>> = paths.iter().map(inside).collect();
    let whole = |it: &Vec<u8>| it.is_empty();
    let Some(names) = names.filter(|it| !it.is_empty() && !it.iter().any(whole)) else {
        return std::iter::once(0..index.slots.len()).collect();
    };
    let mut found = Vec::new();
    for name in names {
        let slashes = name.iter().enumerate().filter(|(_, it)| **it == b'/');
        let above = slashes.filter_map(|(at, _)| name.get(..at));
        found.extend(above.map(|it| index.named(it)));
        found.push(index.named(&name));
        found.push(index.below(&[name.as_slice(), b"/"].concat()));
    }
    found
}
