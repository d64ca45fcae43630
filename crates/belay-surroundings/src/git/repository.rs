//! Finds the repository of a folder as git does, and holds what was read of it.

use std::cell::{Cell, OnceCell};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::changes::Differing;
use super::config::{Config, Level, Setup, is_true};
use super::index::Index;
use super::listing::Folders;
use super::objects::Objects;
use super::refs::Packed;
use crate::limits;
use crate::look::{self, Gap};
use crate::resolve::resolve;

/// Whose settings count beside the repository's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whose {
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The folder of the user's settings.
    pub config_home: Option<PathBuf>,
    /// The machine's own files.
    pub system: Vec<PathBuf>,
}

/// A repository, seen from one working tree.
#[derive(Debug)]
pub struct Repository {
    /// The top of the working tree; nothing for a bare repository.
    pub top: Option<PathBuf>,
    /// The folder of this working tree's own state.
    pub git_dir: PathBuf,
    /// The folder of what all its working trees share.
    pub common: PathBuf,
    whose: Whose,
    setup: OnceCell<Setup>,
    /// The settings of its own file.
    own: OnceCell<Config>,
    config: OnceCell<Config>,
    index: OnceCell<Result<(Index, SystemTime), Gap>>,
    pub(super) packed: OnceCell<Result<Packed, Gap>>,
    objects: OnceCell<Objects>,
    /// Which of all tracked files differ on the disk.
    pub(super) differing: OnceCell<Result<Differing, Gap>>,
    /// Folders of the working tree that were read.
    pub(super) listed: Folders,
    /// When a look at its files ended.
    looked: Cell<Option<Instant>>,
}

/// Where a search for a repository ended.
#[derive(Debug)]
pub enum Found {
    /// At a repository.
    Here(Box<Repository>),
    /// Nowhere.
    Nowhere,
}

impl Repository {
    /// Finds the repository of a folder.
    pub fn find(folder: &Path, whose: &Whose) -> Result<Found, Gap> {
        Self::find_by(folder, whose, Links::Perhaps)
    }

    /// Finds the repository of a folder whose path has no links: they are already followed.
    pub fn find_followed(folder: &Path, whose: &Whose) -> Result<Found, Gap> {
        Self::find_by(folder, whose, Links::Followed)
    }

    fn find_by(folder: &Path, whose: &Whose, links: Links) -> Result<Found, Gap> {
        let mut device = None;
        for folder in folder.ancestors().take(limits::PARTS) {
            match fs::metadata(folder) {
                Ok(seen) if *device.get_or_insert(seen.dev()) != seen.dev() => break,
                Ok(_) => {}
                Err(error) => match Gap::from(error) {
                    Gap::Absent => continue,
                    Gap::Closed => return Err(Gap::Closed),
                },
            }
            if let Some((git_dir, top)) = at(folder, links)? {
                return Self::open(git_dir, top, whose).map(|it| Found::Here(Box::new(it)));
            }
        }
        Ok(Found::Nowhere)
    }

    fn open(git_dir: PathBuf, top: Option<PathBuf>, whose: &Whose) -> Result<Self, Gap> {
        let common = match look::text(&git_dir.join("commondir")) {
            Ok(text) => resolve(&git_dir.join(text.trim_end()))?.place(),
            Err(Gap::Absent) => git_dir.clone(),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        let mut repository = Self {
            top,
            git_dir,
            common,
            whose: whose.clone(),
            setup: OnceCell::new(),
            own: OnceCell::new(),
            config: OnceCell::new(),
            index: OnceCell::new(),
            packed: OnceCell::new(),
            objects: OnceCell::new(),
            differing: OnceCell::new(),
            listed: Folders::default(),
            looked: Cell::new(None),
        };
        repository.place_tree()?;
        Ok(repository)
    }

    /// The repository's own settings may put the working tree elsewhere, or say there is none.
    fn place_tree(&mut self) -> Result<(), Gap> {
        if self.git_dir != self.common {
            return Ok(());
        }
        let own = self.own_config();
        let elsewhere = own.get("core.worktree").filter(|it| !it.is_empty());
        let elsewhere = elsewhere.map(|it| self.git_dir.join(it));
        let bare = own.get("core.bare").is_some_and(is_true);
        if let Some(elsewhere) = elsewhere {
            self.top = Some(resolve(&elsewhere)?.place());
        } else if bare {
            self.top = None;
        }
        Ok(())
    }

    fn own_config(&self) -> &Config {
        self.own.get_or_init(|| {
            let mut config = Config::default();
            let path = self.common.join("config");
            config.add(&path, Level::Repository, self.setup());
            config
        })
    }

    fn setup(&self) -> &Setup {
        self.setup.get_or_init(|| Setup {
            home: self.whose.home.clone(),
            git_dir: self.git_dir.clone(),
            branch: head_branch(&self.git_dir),
        })
    }

    /// Returns the settings of machine, user and repository.
    pub fn config(&self) -> &Config {
        self.config.get_or_init(|| self.read_config())
    }

    fn read_config(&self) -> Config {
        let setup = self.setup();
        let mut config = self.whose.config(setup);
        config.join(self.own_config());
        if config.is_on("extensions.worktreeconfig") {
            let path = self.git_dir.join("config.worktree");
            config.add(&path, Level::Repository, setup);
        }
        config
    }

    /// Tells whether the repository is written in the format we read.
    pub fn is_readable(&self) -> bool {
        let config = self.config();
        !config.doubtful
            && config.settings.iter().all(|it| {
                let value = it.value.as_deref().unwrap_or_default();
                match it.key.as_str() {
                    "extensions.objectformat" => value == "sha1",
                    "extensions.refstorage" => value == "files",
                    "extensions.compatobjectformat" => false,
                    "core.repositoryformatversion" => matches!(value, "0" | "1"),
                    _ => true,
                }
            })
    }

    /// Tells whether references are kept as plain files.
    pub(super) fn has_plain_refs(&self) -> bool {
        self.is_readable() && !self.common.join("reftable").exists()
    }

    /// Returns the index and when it was written; an index that is not there is empty.
    pub fn index(&self) -> Result<(&Index, SystemTime), Gap> {
        match self.index.get_or_init(|| self.read_index()) {
            Ok((index, written)) => Ok((index, *written)),
            Err(gap) => Err(*gap),
        }
    }

    fn read_index(&self) -> Result<(Index, SystemTime), Gap> {
        if !self.is_readable() {
            return Err(Gap::Closed);
        }
        let path = self.git_dir.join("index");
        // The time is taken first: an index replaced in between looks older than it is, and files
        // that it vouches for are then looked at again.
        let written = match fs::metadata(&path).map_err(Gap::from) {
            Ok(seen) => seen.modified()?,
            Err(Gap::Absent) => return Ok((Index::default(), SystemTime::UNIX_EPOCH)),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        Ok((Index::parse(look::whole(&path, limits::INDEX)?)?, written))
    }

    /// Says that a look at its files ended now.
    pub(super) fn looked(&self) {
        self.looked.set(Some(Instant::now()));
    }

    /// Tells whether somebody with these settings looked at its files so lately.
    pub(super) fn was_looked_at(&self, whose: &Whose, within: Duration) -> bool {
        let fresh = |it: Instant| it.elapsed() <= within;
        self.whose == *whose && self.looked.get().is_some_and(fresh)
    }

    /// Returns the repository's objects.
    pub(super) fn objects(&self) -> &Objects {
        self.objects.get_or_init(|| Objects::of(&self.common))
    }

    /// Returns the files of ignore rules outside the working tree, the weakest first.
    pub fn outer_ignores(&self) -> Vec<PathBuf> {
        let mut files = match self.config().get("core.excludesfile") {
            Some(path) => self.whose.expand(path).into_iter().collect(),
            None => self
                .whose
                .user_files("ignore", "")
                .into_iter()
                .take(1)
                .collect::<Vec<_>>(),
        };
        files.push(self.common.join("info/exclude"));
        files
    }

    /// Returns the hooks that git would run.
    pub fn hooks(&self) -> Result<Vec<String>, Gap> {
        let folder = match self.config().get("core.hookspath") {
            Some(path) => match self.whose.expand(path) {
                Some(path) if path.is_absolute() => path,
                Some(path) => self.top.as_ref().unwrap_or(&self.git_dir).join(path),
                None => return Err(Gap::Closed),
            },
            None => self.common.join("hooks"),
        };
        let names = match look::names(&folder) {
            Ok(names) => names,
            Err(Gap::Absent) => return Ok(Vec::new()),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        let runs = |name: &String| {
            !name.ends_with(".sample")
                && fs::metadata(folder.join(name))
                    .is_ok_and(|it| it.is_file() && it.mode() & 0o111 != 0)
        };
        Ok(names.into_iter().filter(runs).collect())
    }

    /// Returns the tops of all working trees of this repository.
    pub fn worktrees(&self) -> Result<Vec<PathBuf>, Gap> {
        let mut found: Vec<PathBuf> = self.main_top().into_iter().collect();
        let folder = self.common.join("worktrees");
        let names = match look::names(&folder) {
            Ok(names) => names,
            Err(Gap::Absent) => Vec::new(),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        for name in names {
            let own = folder.join(name);
            match look::text(&own.join("gitdir")) {
                Ok(text) => {
                    let top = own.join(text.trim_end()).parent().map(Path::to_owned);
                    found.extend(top.filter(|it| leads_back(it, &own)));
                }
                Err(Gap::Absent) => {}
                Err(Gap::Closed) => return Err(Gap::Closed),
            }
        }
        Ok(found)
    }

    fn main_top(&self) -> Option<PathBuf> {
        if self.git_dir == self.common {
            return self.top.clone();
        }
        let is_git = self.common.file_name().is_some_and(|it| it == ".git");
        self.common.parent().filter(|_| is_git).map(Path::to_owned)
    }
}

/// Tells whether a working tree says itself that it belongs there: what is only registered may name any folder.
fn leads_back(top: &Path, own: &Path) -> bool {
    let Ok(text) = look::text(&top.join(".git")) else {
        return false;
    };
    let there = text.trim_end().strip_prefix("gitdir: ");
    let there = there.and_then(|it| fs::canonicalize(top.join(it)).ok());
    there.is_some() && there == fs::canonicalize(own).ok()
}

impl Whose {
    /// Returns the settings of machine and user.
    pub fn config(&self, setup: &Setup) -> Config {
        let setup = Setup {
            home: self.home.clone(),
            ..setup.clone()
        };
        let mut config = Config::default();
        for path in &self.system {
            config.add(path, Level::System, &setup);
        }
        for path in self.user_files("config", ".gitconfig") {
            config.add(&path, Level::User, &setup);
        }
        config
    }

    /// Returns the user's files of that name: in the folder of settings, then in the home folder.
    fn user_files(&self, name: &str, dotted: &str) -> Vec<PathBuf> {
        let usual = self.home.as_ref().map(|it| it.join(".config"));
        let folder = self.config_home.clone().or(usual);
        let mut files: Vec<PathBuf> = folder
            .map(|it| it.join("git").join(name))
            .into_iter()
            .collect();
        if !dotted.is_empty() {
            files.extend(self.home.as_ref().map(|it| it.join(dotted)));
        }
        files
    }

    fn expand(&self, path: &str) -> Option<PathBuf> {
        match path.strip_prefix("~/") {
            Some(rest) => Some(self.home.as_ref()?.join(rest)),
            None => Some(PathBuf::from(path)),
        }
    }
}

/// A repository's folder, and the top of its working tree.
type Ends = (PathBuf, Option<PathBuf>);

/// Whether links may be on the way to a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Followed,
    Perhaps,
}

/// Returns the repository that begins at this folder.
fn at(folder: &Path, links: Links) -> Result<Option<Ends>, Gap> {
    let dot_git = folder.join(".git");
    if links == Links::Followed
        && fs::symlink_metadata(&dot_git).is_ok_and(|it| it.is_dir())
        && is_git_dir(&dot_git)
    {
        return Ok(Some((dot_git, Some(folder.to_owned()))));
    }
    match fs::metadata(&dot_git).map_err(Gap::from) {
        Ok(seen) if seen.is_dir() => {
            let git_dir = resolve(&dot_git)?.place();
            if is_git_dir(&git_dir) {
                return Ok(Some((git_dir, Some(folder.to_owned()))));
            }
        }
        Ok(seen) if seen.is_file() => {
            let git_dir = pointed_at(folder, &dot_git)?;
            return Ok(Some((git_dir, Some(folder.to_owned()))));
        }
        Ok(_) => return Err(Gap::Closed),
        Err(Gap::Absent) => {}
        Err(Gap::Closed) => return Err(Gap::Closed),
    }
    Ok(is_git_dir(folder).then(|| (folder.to_owned(), None)))
}

/// Reads a `.git` that is a file: it names the folder.
fn pointed_at(folder: &Path, dot_git: &Path) -> Result<PathBuf, Gap> {
    let text = look::text(dot_git)?;
    let target = text
        .trim_end()
        .strip_prefix("gitdir: ")
        .ok_or(Gap::Closed)?;
    let git_dir = resolve(&folder.join(target))?.place();
    if is_git_dir(&git_dir) {
        Ok(git_dir)
    } else {
        Err(Gap::Closed)
    }
}

/// Tells whether a folder looks like a repository's.
fn is_git_dir(folder: &Path) -> bool {
    if fs::symlink_metadata(folder.join("HEAD")).is_err() {
        return false;
    }
    let shared = folder.join("commondir");
    let base =
        look::text(&shared).map_or_else(|_| folder.to_owned(), |it| folder.join(it.trim_end()));
    look::is_folder(&base.join("objects")) && look::is_folder(&base.join("refs"))
}

fn head_branch(git_dir: &Path) -> Option<String> {
    let head = look::text(&git_dir.join("HEAD")).ok()?;
    Some(head.trim_end().strip_prefix("ref: refs/heads/")?.to_owned())
}
