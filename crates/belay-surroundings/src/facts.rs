//! Answers about repositories.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use belay_model::{Answer, Standing};

use crate::evidence;
use crate::git::{
    self, Found, Known, Repository, Setup, Start, Status, Tally, Want, Whose, executing, host_of,
    id_text,
};
use crate::look::Gap;
use crate::provenance::NoSession;
use crate::resolve::Ways;
use crate::session::{Memory, Session, SessionError};

/// Looks at repositories, each opened once.
#[derive(Debug, Default)]
pub struct Facts {
    whose: Whose,
    session: Option<Session>,
    opened: RefCell<BTreeMap<PathBuf, Option<Rc<Repository>>>>,
    /// What looks at whole trees found: a judgement asks for the same more than once, and looks at one world.
    looks: RefCell<BTreeMap<(Look, PathBuf), Answered>>,
    ways: Ways,
}

/// A look at many files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Changed,
    Untracked,
    WorkingTree,
}

/// An answer, or why there is none.
type Answered = Result<Answer, Gap>;

impl Facts {
    /// Makes facts of a user and a session; looks at nothing yet.
    pub fn new(whose: Whose, session: Option<Session>) -> Self {
        Self {
            whose,
            session,
            opened: RefCell::default(),
            looks: RefCell::default(),
            ways: Ways::default(),
        }
    }

    /// Returns the session.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// Returns the ways that were walked so far.
    pub const fn ways(&self) -> &Ways {
        &self.ways
    }

    /// Returns the repository of a folder; nothing when it lies in none.
    pub fn repository(&self, folder: &Path) -> Result<Option<Rc<Repository>>, Gap> {
        let folder = self.ways.resolve(folder)?.place();
        if let Some(known) = self.opened.borrow().get(&folder) {
            return Ok(known.clone());
        }
        let found = match Repository::find_followed(&folder, &self.whose)? {
            Found::Here(repository) => Some(Rc::from(repository)),
            Found::Nowhere => None,
        };
        if let Some(repository) = &found {
            git::opened(&folder, repository);
        }
        self.opened.borrow_mut().insert(folder, found.clone());
        Ok(found)
    }

    /// Returns the repository of a folder; a gap when it lies in none.
    pub fn inside(&self, folder: &Path) -> Result<Rc<Repository>, Gap> {
        self.repository(folder)?.ok_or(Gap::Closed)
    }

    fn known(&self) -> &dyn Known {
        match &self.session {
            Some(session) => session,
            None => &NoSession,
        }
    }

    /// Says what deleting a path would lose.
    pub fn standing(&self, path: &Path) -> Answered {
        let place = self.ways.resolve_parent(path)?;
        let seen = match place.symlink_metadata().map_err(Gap::from) {
            Ok(seen) => seen,
            Err(Gap::Absent) => return Ok(Answer::Standing(Standing::Absent)),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        let is_top = seen.is_dir() && place.join(".git").symlink_metadata().is_ok();
        let folder = if is_top {
            Some(place.as_path())
        } else {
            place.parent()
        };
        match self.repository(folder.unwrap_or(&place))? {
            Some(repository) => Ok(self.tally(&repository, &place, Want::All)?.answer()),
            None if !seen.is_dir() && self.known().own(&place) => {
                Ok(Answer::Standing(Standing::Ours))
            }
            None => Err(Gap::Closed),
        }
    }

    fn tally(&self, repository: &Repository, place: &Path, want: Want) -> Result<Tally, Gap> {
        let start = Start {
            repository,
            known: self.known(),
            whose: &self.whose,
        };
        Status::new(start, want)?.look(place)
    }

    /// Looks at many files, once.
    fn once(&self, look: Look, place: &Path, answer: impl FnOnce() -> Answered) -> Answered {
        let key = (look, place.to_owned());
        if let Some(known) = self.looks.borrow().get(&key) {
            return known.clone();
        }
        let found = answer();
        self.looks.borrow_mut().insert(key, found.clone());
        found
    }

    /// Says which tracked files at or below a path differ from the last commit, on disk or staged.
    pub fn changed(&self, path: &Path) -> Answered {
        self.once(Look::Changed, path, || self.changed_now(path))
    }

    fn changed_now(&self, path: &Path) -> Answered {
        let place = self.ways.resolve_parent(path)?;
        let repository = self.of_path(&place)?;
        let top = repository.top.as_deref().ok_or(Gap::Closed)?;
        let name = place
            .strip_prefix(top)
            .map_err(|_| Gap::Closed)?
            .as_os_str()
            .as_bytes();
        let (index, _) = repository.index()?;
        let own = index.named(name);
        let range = match name {
            b"" => 0..index.slots.len(),
            _ if own.is_empty() => index.below(&[name, b"/"].concat()),
            _ => own,
        };
        Ok(repository.differing(range, self.known())?.answer())
    }

    /// Says which files at or below a path are neither tracked nor ignored.
    pub fn untracked(&self, path: &Path) -> Answered {
        self.once(Look::Untracked, path, || self.untracked_now(path))
    }

    fn untracked_now(&self, path: &Path) -> Answered {
        let place = self.ways.resolve_parent(path)?;
        let repository = self.of_path(&place)?;
        match self.tally(&repository, &place, Want::Untracked) {
            Ok(tally) => Ok(tally.answer()),
            Err(Gap::Absent) => Ok(Answer::Standing(Standing::Absent)),
            Err(Gap::Closed) => Err(Gap::Closed),
        }
    }

    /// Returns the repository that a path lies in, be it a file or a folder.
    fn of_path(&self, place: &Path) -> Result<Rc<Repository>, Gap> {
        let folder = if place.is_dir() && !place.is_symlink() {
            Some(place)
        } else {
            place.parent()
        };
        self.inside(folder.unwrap_or(place))
    }

    /// Says which tracked files differ from the last commit.
    pub fn working_tree(&self, folder: &Path) -> Answered {
        self.once(Look::WorkingTree, folder, || {
            Ok(self.inside(folder)?.working_tree(self.known())?.answer())
        })
    }

    /// Says which commits are on no remote-tracking branch.
    pub fn unpushed(&self, folder: &Path) -> Answered {
        self.inside(folder)?.unpushed()
    }

    /// Says whether a revision is on a remote-tracking branch.
    pub fn pushed(&self, folder: &Path, revision: &str) -> Answered {
        self.inside(folder)?.pushed(revision)
    }

    /// Says what would be lost with a reference.
    pub fn reachable(&self, folder: &Path, name: &str) -> Answered {
        self.inside(folder)?.reachable(name)
    }

    /// Says what a reset would leave behind.
    pub fn left_behind(&self, folder: &Path, name: &str) -> Answered {
        self.inside(folder)?.left_behind(name)
    }

    /// Returns the commit a name stands for.
    pub fn revision(&self, folder: &Path, name: &str) -> Answered {
        let id = self.inside(folder)?.revision(name)?;
        Ok(id.map_or(Answer::No, |it| Answer::Name(id_text(&it))))
    }

    /// Says which links of a commit lead out of the working tree.
    pub fn commit_links(&self, folder: &Path, name: &str) -> Answered {
        self.inside(folder)?.links_of(name)
    }

    /// Says which links an archive or a patch brings.
    pub fn archive_links(&self, path: &Path) -> Answered {
        crate::archive::links(&self.ways.resolve(path)?.place())
    }

    /// Returns the branch that is checked out.
    pub fn branch(&self, folder: &Path) -> Answered {
        Ok(self
            .inside(folder)?
            .branch()?
            .map_or(Answer::No, Answer::Name))
    }

    /// Returns the default branch of a remote.
    pub fn default_branch(&self, folder: &Path, remote: &str) -> Answered {
        let branch = self.inside(folder)?.default_branch(remote)?;
        Ok(branch.map_or(Answer::Unknown, Answer::Name))
    }

    /// Returns the URL that a push to a remote would use.
    pub fn remote_url(&self, folder: &Path, remote: &str) -> Answered {
        let url = self.sure(folder)?.urls(remote).into_iter().next();
        Ok(url.map_or(Answer::No, Answer::Name))
    }

    /// Returns where a push would go.
    pub fn push_target(&self, folder: &Path, remote: &str) -> Answered {
        let target = self.sure(folder)?.push_target(remote)?;
        Ok(target.map_or(Answer::Unknown, |it| {
            Answer::Names(vec![it.remote, it.branch])
        }))
    }

    /// Returns a repository all of whose configuration could be read.
    fn sure(&self, folder: &Path) -> Result<Rc<Repository>, Gap> {
        let repository = self.inside(folder)?;
        if repository.config().doubtful {
            Err(Gap::Closed)
        } else {
            Ok(repository)
        }
    }

    /// Returns the settings that start programs.
    pub fn executing(&self, folder: &Path) -> Answered {
        let outside;
        let repository = self.repository(folder)?;
        let config = match &repository {
            Some(repository) => repository.config(),
            None => {
                outside = self.whose.config(&Setup::default());
                &outside
            }
        };
        if config.doubtful {
            return Err(Gap::Closed);
        }
        Ok(Answer::Names(executing(config)))
    }

    /// Returns the hooks that git would run.
    pub fn hooks(&self, folder: &Path) -> Answered {
        Ok(Answer::Names(self.sure(folder)?.hooks()?))
    }

    /// Returns the top of the working tree.
    pub fn top_level(&self, folder: &Path) -> Answered {
        let top = self.repository(folder)?.and_then(|it| it.top.clone());
        match top {
            Some(top) => Ok(Answer::Path(text(&top)?)),
            None => Ok(Answer::Missing(text(folder)?)),
        }
    }

    /// Returns the tops of all working trees; none where no other is linked.
    pub fn worktrees(&self, folder: &Path) -> Answered {
        // Only those that the session remembers count: where it knows of no second one, nobody has to look.
        if let Some(Ok(memories)) = self.began() {
            let known = |it: &&Memory| matches!(it, Memory::Worktree(_));
            if memories.iter().filter(known).nth(1).is_none() {
                return Ok(Answer::Names(Vec::new()));
            }
        }
        let tops = self.inside(folder)?.worktrees()?;
        let mut tops = tops
            .iter()
            .map(|it| text(it))
            .collect::<Result<Vec<_>, _>>()?;
        // Without a memory of it, the session begins now.
        if let Some(memories) = self.began() {
            let memories = memories?;
            let mut place = 0..;
            tops.retain(|it| {
                place.next() == Some(0) || memories.contains(&Memory::Worktree(it.clone()))
            });
        }
        Ok(Answer::Names(tops))
    }

    /// Remembers the remotes of the roots' repositories, once in a session.
    pub fn begin(&self, roots: &[String], now: Option<u64>) -> Result<(), SessionError> {
        let Some(session) = self.session.as_ref().filter(|it| !it.has_begun()) else {
            return Ok(());
        };
        session.sweep();
        let mut memories = vec![Memory::Began(now)];
        for root in roots {
            if let Ok(Some(repository)) = self.repository(Path::new(root)) {
                memories.extend(remotes_of(&repository));
                let tops = repository.worktrees().unwrap_or_default();
                let tops = tops.iter().filter_map(|it| text(it).ok());
                memories.extend(tops.map(Memory::Worktree));
                if evidence::was_committed_here(&repository) {
                    memories.push(Memory::Own(
                        repository.common.to_string_lossy().into_owned(),
                    ));
                }
            }
        }
        session.remember(&memories)
    }

    /// Says whether a remote had its present URLs when the session began.
    pub fn known_remote(&self, folder: &Path, remote: &str) -> Answered {
        let repository = self.sure(folder)?;
        let mut now = remotes_of(&repository);
        now.retain(|it| matches!(it, Memory::Remote { name, .. } if name == remote));
        let Some(now) = now.pop() else {
            return Ok(Answer::No);
        };
        let known = match self.began() {
            Some(memories) => memories?.contains(&now),
            // Without a memory of it, the session begins now.
            None => true,
        };
        Ok(if known { Answer::Yes } else { Answer::No })
    }

    /// Says whether a host was one of the project's remotes when the session began.
    pub fn known_host(&self, host: &str, cwd: &Path) -> Answered {
        let host = host.to_ascii_lowercase();
        let now;
        let memories = match self.began() {
            Some(memories) => memories?,
            None => {
                let repository = self.sure(cwd)?;
                now = remotes_of(&repository);
                &now
            }
        };
        let known = memories.iter().any(|it| match it {
            Memory::Host(known) => *known == host,
            Memory::Remote { urls, .. } => {
                urls.iter().any(|url| host_of(url).as_ref() == Some(&host))
            }
            Memory::Began(_)
            | Memory::Own(_)
            | Memory::Worktree(_)
            | Memory::Spoken { .. }
            | Memory::File { .. }
            | Memory::Manifest { .. }
            | Memory::Package(..)
            | Memory::Secret(_)
            | Memory::Denied(_)
            | Memory::Allowed
            | Memory::Person
            | Memory::Consent(_) => false,
        });
        Ok(if known { Answer::Yes } else { Answer::No })
    }

    /// Says whether files of the person's own repository name a host, as they stood when the session began.
    pub fn named_host(&self, host: &str, folder: &Path) -> Answered {
        let (Some(memories), Some(session)) = (self.began(), self.session.as_ref()) else {
            return Ok(Answer::No);
        };
        let repository = self.sure(folder)?;
        let own = Memory::Own(repository.common.to_string_lossy().into_owned());
        let Some(began) = session
            .began_at()
            .filter(|_| memories.is_ok_and(|it| it.contains(&own)))
        else {
            return Ok(Answer::No);
        };
        let named = evidence::names_host(&repository, host, began)?;
        Ok(if named { Answer::Yes } else { Answer::No })
    }

    /// Says whether both the user's ssh configuration and files of the person's own repository name a machine, as they
    /// stood when the session began.
    pub fn named_machine(&self, host: &str, folder: &Path, home: Option<&Path>) -> Answered {
        let began = self.session.as_ref().and_then(Session::began_at);
        match (began, home) {
            (Some(began), Some(home)) if evidence::sets_up(host, home, began) => {
                self.named_host(host, folder)
            }
            (Some(_) | None, _) => Ok(Answer::No),
        }
    }

    /// Returns the memory of a session that has begun.
    fn began(&self) -> Option<Result<&[Memory], Gap>> {
        let session = self.session.as_ref()?;
        match session.memories() {
            None => Some(Err(Gap::Closed)),
            Some(memories) => session.has_begun().then_some(Ok(memories)),
        }
    }
}

fn remotes_of(repository: &Repository) -> Vec<Memory> {
    let folder = repository.common.to_string_lossy().into_owned();
    let remote = |name: String| Memory::Remote {
        repository: folder.clone(),
        urls: repository.urls(&name),
        name,
    };
    repository.remotes().into_iter().map(remote).collect()
}

fn text(path: &Path) -> Result<String, Gap> {
    path.to_str().map(str::to_owned).ok_or(Gap::Closed)
}
