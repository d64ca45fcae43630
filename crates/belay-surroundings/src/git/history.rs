//! Which commits are kept by which references.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use belay_model::{Answer, Standing};

use super::Id;
use super::objects::{Commit, Objects};
use super::refs::Held;
use super::repository::Repository;
use crate::limits;
use crate::look::{self, Gap};

/// Reached from what is asked about.
const OURS: u8 = 1;
/// Reached from what keeps.
const THEIRS: u8 = 2;
/// By so many seconds the clocks of two people may differ.
const CLOCKS_DIFFER: i64 = 3600;
/// So many lost commits are enough to know.
const ENOUGH: usize = 200;

/// The commits that one side has and the other has not.
#[derive(Debug, Default)]
pub struct Ahead {
    /// The commits with their first lines, the newest first.
    pub commits: Vec<(Id, String)>,
    /// There may be more.
    pub cut: bool,
    newest: Option<i64>,
}

impl Ahead {
    fn answer(self) -> Answer {
        if self.commits.is_empty() {
            return if self.cut {
                Answer::Unknown
            } else {
                Answer::Standing(Standing::Kept)
            };
        }
        let now = std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default()
            .as_secs();
        let newest = self.newest.and_then(|it| u64::try_from(it).ok());
        Answer::Standing(Standing::Lost {
            count: self.commits.len() as u64,
            what: "commits".to_owned(),
            newest: newest.map(|it| now.saturating_sub(it)),
            names: self
                .commits
                .into_iter()
                .take(limits::NAMES)
                .map(|(_, subject)| subject)
                .collect(),
        })
    }
}

/// A walk from two sides into the past, the newest commits first.
struct Walk<'a> {
    objects: &'a Objects,
    /// Where a shallow clone ends.
    shallow: bool,
    queue: BinaryHeap<(i64, Id)>,
    marks: BTreeMap<Id, u8>,
    commits: BTreeMap<Id, Commit>,
    /// Commits ahead that only our side has reached.
    open: BTreeSet<Id>,
    found: Vec<Id>,
    oldest_found: Option<i64>,
}

impl Walk<'_> {
    fn reach(&mut self, id: &Id, mark: u8) -> Result<(), Gap> {
        let (id, commit) = match self.commits.get_key_value(id) {
            Some((id, _)) => (*id, None),
            None => match self.objects.commit(id) {
                Ok((id, commit)) => (id, Some(commit)),
                Err(Gap::Absent) if self.shallow => return Ok(()),
                Err(_) => return Err(Gap::Closed),
            },
        };
        if let Some(commit) = commit {
            self.commits.insert(id, commit);
        }
        let marks = self.marks.entry(id).or_default();
        if *marks | mark == *marks {
            return Ok(());
        }
        *marks |= mark;
        if *marks == OURS {
            self.open.insert(id);
        } else {
            self.open.remove(&id);
        }
        let date = self.commits.get(&id).map_or(0, |it| it.date);
        self.queue.push((date, id));
        Ok(())
    }

    /// Tells whether what lies ahead can still change what was found: a commit not yet walked, or one
    /// of the other side that is not older than what we found, as far as clocks can be trusted.
    fn may_change(&self) -> bool {
        let newest = self.queue.peek().map_or(i64::MIN, |(date, _)| *date);
        !self.open.is_empty()
            || self
                .oldest_found
                .is_some_and(|it| newest.saturating_add(CLOCKS_DIFFER) >= it)
    }

    fn step(&mut self, id: Id) -> Result<(), Gap> {
        self.open.remove(&id);
        let mark = self.marks.get(&id).copied().unwrap_or_default();
        if mark == OURS {
            self.found.push(id);
            let date = self.commits.get(&id).map_or(i64::MAX, |it| it.date);
            self.oldest_found = Some(self.oldest_found.map_or(date, |it| it.min(date)));
        }
        let parents = self
            .commits
            .get(&id)
            .map(|it| it.parents.clone())
            .unwrap_or_default();
        parents
            .iter()
            .try_for_each(|parent| self.reach(parent, mark))
    }
}

impl Repository {
    /// Returns the commits reached from one side and not from the other.
    pub fn ahead(&self, ours: &[Id], theirs: &[Id]) -> Result<Ahead, Gap> {
        let mut walk = Walk {
            objects: self.objects(),
            shallow: look::is_file(&self.common.join("shallow")),
            queue: BinaryHeap::new(),
            marks: BTreeMap::new(),
            commits: BTreeMap::new(),
            open: BTreeSet::new(),
            found: Vec::new(),
            oldest_found: None,
        };
        if theirs.len() > limits::COMMITS {
            return Err(Gap::Closed);
        }
        ours.iter().try_for_each(|id| walk.reach(id, OURS))?;
        for id in theirs {
            // A tag of a file or folder keeps no commit.
            walk.reach(id, THEIRS)
                .or_else(|gap| self.is_no_commit(id).then_some(()).ok_or(gap))?;
        }
        let mut cut = false;
        while walk.may_change() {
            let Some((_, id)) = walk.queue.pop() else {
                break;
            };
            if walk.commits.len() > limits::COMMITS || walk.found.len() >= ENOUGH {
                cut = true;
                break;
            }
            walk.step(id)?;
        }
        Ok(walk.end(cut))
    }

    fn is_no_commit(&self, id: &Id) -> bool {
        self.objects().read(id).is_ok()
    }

    /// Returns all references of the remotes, each commit once.
    fn remote_ids(&self) -> Result<Vec<Id>, Gap> {
        Ok(unique(self.references("refs/remotes/")?.into_values()))
    }

    fn head(&self) -> Result<Id, Gap> {
        self.reference("HEAD")?.ok_or(Gap::Closed)
    }

    /// Says which commits of the checked-out branch are on no remote-tracking branch.
    pub fn unpushed(&self) -> Result<Answer, Gap> {
        let Some(head) = self.reference("HEAD")? else {
            return Ok(Answer::Standing(Standing::Kept));
        };
        Ok(self.ahead(&[head], &self.remote_ids()?)?.answer())
    }

    /// Says whether any commit of a revision or range is on a remote-tracking branch.
    pub fn pushed(&self, revision: &str) -> Result<Answer, Gap> {
        let remotes = self.remote_ids()?;
        let Some((since, until)) = revision.split_once("..") else {
            let id = self.revision(revision)?.ok_or(Gap::Closed)?;
            let ahead = self.ahead(&[id], &remotes)?;
            return Ok(yes_no(!ahead.commits.iter().any(|(it, _)| *it == id)));
        };
        let end = |name: &str| match name {
            "" => self.head(),
            name => self.revision(name)?.ok_or(Gap::Closed),
        };
        let (since, until) = (end(since)?, end(until)?);
        let all = self.ahead(&[until], &[since])?;
        let new = self.ahead(&[until], &[remotes, vec![since]].concat())?;
        if all.cut || new.cut {
            return Err(Gap::Closed);
        }
        Ok(yes_no(new.commits.len() < all.commits.len()))
    }

    /// Says what would be lost if a reference went away.
    pub fn reachable(&self, name: &str) -> Result<Answer, Gap> {
        if name.starts_with("stash") || name == "refs/stash" {
            return self.stash(name);
        }
        let Some(id) = self.revision(name)? else {
            return Ok(Answer::Standing(Standing::Absent));
        };
        let mut others = self.references("refs/remotes/")?;
        let remotes = unique(others.values().copied());
        if remotes.contains(&id) || self.ahead(&[id], &remotes)?.is_nothing() {
            return Ok(Answer::Standing(Standing::Kept));
        }
        others.append(&mut self.references("refs/heads/")?);
        others.append(&mut self.references("refs/tags/")?);
        self.forget(name, &mut others)?;
        Ok(self.ahead(&[id], &unique(others.into_values()))?.answer())
    }

    /// Says which commits nothing would hold if the checked-out branch went to a revision.
    pub fn left_behind(&self, revision: &str) -> Result<Answer, Gap> {
        let gone = self.reachable("HEAD")?;
        // Where something else holds all of it, it does not matter where the branch goes.
        if let Answer::Standing(Standing::Absent | Standing::Kept) = gone {
            return Ok(Answer::Standing(Standing::Kept));
        }
        let (head, there) = (self.head()?, self.revision(revision)?.ok_or(Gap::Closed)?);
        let mut keeping = BTreeMap::new();
        for prefix in ["refs/heads/", "refs/tags/", "refs/remotes/"] {
            keeping.append(&mut self.references(prefix)?);
        }
        self.forget("HEAD", &mut keeping)?;
        keeping.insert(String::new(), there);
        Ok(self
            .ahead(&[head], &unique(keeping.into_values()))?
            .answer())
    }

    /// Takes a reference, and with `HEAD` its branch, out of those that keep.
    fn forget(&self, name: &str, others: &mut BTreeMap<String, Id>) -> Result<(), Gap> {
        let head = self.held("HEAD")?;
        let gone = match (&head, name) {
            (Some(Held::Name(branch)), "HEAD" | "@") => branch.clone(),
            _ if name.starts_with("refs/") => name.to_owned(),
            _ => {
                let spelled =
                    ["refs/tags/", "refs/heads/", "refs/remotes/"].map(|it| format!("{it}{name}"));
                spelled
                    .into_iter()
                    .find(|it| others.contains_key(it))
                    .unwrap_or_default()
            }
        };
        others.remove(&gone);
        if let Some(Held::Id(id)) = head
            && !matches!(name, "HEAD" | "@")
        {
            others.insert("HEAD".to_owned(), id);
        }
        Ok(())
    }

    /// A stash is kept by nothing but itself.
    fn stash(&self, name: &str) -> Result<Answer, Gap> {
        let log = match look::text(&self.common.join("logs/refs/stash")) {
            Ok(log) => log,
            Err(Gap::Absent) => return Ok(Answer::Standing(Standing::Absent)),
            Err(Gap::Closed) => return Err(Gap::Closed),
        };
        let mut entries: Vec<&str> = log
            .lines()
            .rev()
            .filter_map(|it| it.split_once('\t'))
            .map(|it| it.1)
            .collect();
        if let Some(at) = name
            .strip_prefix("stash@{")
            .and_then(|it| it.strip_suffix('}'))
        {
            let at: usize = at.parse().map_err(|_| Gap::Closed)?;
            entries = entries.into_iter().skip(at).take(1).collect();
        } else if !matches!(name, "stash" | "refs/stash") {
            return Err(Gap::Closed);
        }
        if entries.is_empty() {
            return Ok(Answer::Standing(Standing::Absent));
        }
        Ok(Answer::Standing(Standing::Lost {
            count: entries.len() as u64,
            what: "stashes".to_owned(),
            newest: None,
            names: entries
                .into_iter()
                .take(limits::NAMES)
                .map(str::to_owned)
                .collect(),
        }))
    }
}

impl Ahead {
    const fn is_nothing(&self) -> bool {
        self.commits.is_empty() && !self.cut
    }
}

impl Walk<'_> {
    fn end(mut self, cut: bool) -> Ahead {
        let marks = &self.marks;
        self.found.retain(|id| marks.get(id) == Some(&OURS));
        let newest = self
            .found
            .iter()
            .filter_map(|id| self.commits.get(id))
            .map(|it| it.date)
            .max();
        let subject = |id: &Id| {
            self.commits
                .get(id)
                .map(|it| it.subject.clone())
                .unwrap_or_default()
        };
        Ahead {
            commits: self.found.iter().map(|id| (*id, subject(id))).collect(),
            cut,
            newest,
        }
    }
}

fn unique(ids: impl Iterator<Item = Id>) -> Vec<Id> {
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

const fn yes_no(yes: bool) -> Answer {
    if yes { Answer::Yes } else { Answer::No }
}
