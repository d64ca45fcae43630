//! Whether what an effect takes away can be had again.

use belay_model::{Answer, At, Effect, How, Place, Question, Scope, Standing, Target, Verb};
use belay_places::{Frame, Path, absolute, is_artefact, is_secret};

use crate::rules::{BEGINNINGS, SHARED};

/// The hope of getting back what an effect takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Recovery {
    /// Nothing would be lost.
    Recoverable,
    /// The world is silent, but the name is one that programs make and can make again.
    Artefact,
    /// The world is silent.
    Unknown,
    /// Something would be lost.
    Lost,
}

/// What is known of an effect's reach: the hope of recovery and, where something would be lost, what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outlook {
    pub(crate) recovery: Recovery,
    pub(crate) lost: Option<String>,
}

impl Outlook {
    const fn new(recovery: Recovery) -> Self {
        Self {
            recovery,
            lost: None,
        }
    }

    /// Nothing is lost where the answer is yes; of anything else nobody can tell.
    fn if_yes(answer: &Answer) -> Self {
        Self::new(match *answer == Answer::Yes {
            true => Recovery::Recoverable,
            false => Recovery::Unknown,
        })
    }

    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Standing(Standing::Lost {
                count,
                what,
                newest,
                names,
            }) => Self {
                recovery: Recovery::Lost,
                lost: Some(loss(count, &what, newest) + &list(&names)),
            },
            Answer::Standing(
                Standing::Absent | Standing::Kept | Standing::Ignored | Standing::Ours,
            ) => Self::new(Recovery::Recoverable),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..) => Self::new(Recovery::Unknown),
        }
    }
}

fn loss(count: u64, what: &str, newest: Option<u64>) -> String {
    let age = newest.map_or(String::new(), |seconds| match seconds {
        0..120 => format!(", newest {seconds} seconds old"),
        120..7200 => format!(", newest {} minutes old", seconds / 60),
        7200..172_800 => format!(", newest {} hours old", seconds / 3600),
        _ => format!(", newest {} days old", seconds / 86400),
    });
    format!("{count} {}{age}", counted(count, what))
}

/// Writes one thing in the singular: `untracked files` is `untracked file`.
fn counted(count: u64, what: &str) -> String {
    if count != 1 {
        return what.to_owned();
    }
    match what.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => what
            .strip_suffix("shes")
            .map(|stem| format!("{stem}sh"))
            .unwrap_or_else(|| what.trim_end_matches('s').to_owned()),
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!(": {}", names.join(", "))
    }
}

/// Looks whether what an effect takes away can be had again.
pub(crate) fn outlook(effect: &Effect, frame: &Frame<'_>) -> Outlook {
    if let At::Elsewhere(_, machine) = &effect.at {
        return of_machine(effect, machine, frame);
    }
    match (effect.verb, effect.place()) {
        (Verb::Discard, Some(place)) => of_restored(place, frame),
        (_, Some(place)) => of_place(place, frame),
        (Verb::Discard | Verb::History, None) => of_repository(effect, frame),
        (Verb::Publish | Verb::Rewrite | Verb::Destroy, None) => of_branch(effect, frame),
        (Verb::Install, None) => of_package(effect, frame),
        (Verb::Signal, None) => of_processes(effect, frame),
        (Verb::Change, None) => of_own(effect, frame),
        (Verb::Fetch, None) => of_host(effect, frame),
        _ => Outlook::new(Recovery::Unknown),
    }
}

/// Looks into the repository that an effect names last, or into that of the working folder.
fn of_repository(effect: &Effect, frame: &Frame<'_>) -> Outlook {
    let ask = |question| Outlook::from(frame.world.ask(&question));
    let inside = |folder: Option<&String>| match folder {
        None => Some(frame.cwd.to_owned()),
        Some(folder) if folder == "?" => None,
        Some(folder) => Some(absolute(folder, frame.cwd, frame.home())?.text().to_owned()),
    };
    let (what, rest) = match effect.names().split_first() {
        Some((what, rest)) => (what.as_str(), rest),
        None => return Outlook::new(Recovery::Unknown),
    };
    let folder = match what {
        "branch" | "commits" => inside(rest.get(1)),
        _ => inside(rest.first()),
    };
    let Some(folder) = folder else {
        return Outlook::new(Recovery::Unknown);
    };
    match (effect.verb, what, rest.first()) {
        (Verb::History, _, _) => match frame.world.ask(&Question::Unpushed(folder)) {
            Answer::Standing(Standing::Kept) => Outlook::new(Recovery::Lost),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Outlook::new(Recovery::Unknown),
        },
        (_, "working-tree", _) => ask(Question::WorkingTree(folder)),
        (_, "untracked", _) => ask(Question::Untracked(folder)),
        (_, "stash", _) => ask(Question::Reachable(folder, "refs/stash".to_owned())),
        (_, "commits", Some(revision)) => ask(Question::LeftBehind(folder, revision.clone())),
        (_, "branch", Some(name)) => of_reference(folder, name, frame),
        _ => Outlook::new(Recovery::Unknown),
    }
}

/// A branch is lost with the commits that only it holds; a tag is lost wherever there is one.
fn of_reference(folder: String, name: &str, frame: &Frame<'_>) -> Outlook {
    let question = Question::Reachable(folder.clone(), format!("refs/heads/{name}"));
    let branch = frame.world.ask(&question);
    if branch != Answer::Standing(Standing::Absent) {
        return Outlook::from(branch);
    }
    let question = Question::Revision(folder, format!("refs/tags/{name}"));
    Outlook::new(match frame.world.ask(&question) == Answer::No {
        true => Recovery::Recoverable,
        false => Recovery::Unknown,
    })
}

/// What git puts back is lost where it was changed; files that git never saw stay, unless one is named.
fn of_restored(place: &Place, frame: &Frame<'_>) -> Outlook {
    let path = match place {
        Place::Exact(path) => absolute(path, frame.cwd, frame.home()),
        Place::Pattern(_) | Place::Under(_) | Place::Unknown => None,
    };
    let Some(path) = path else {
        return of_place(place, frame);
    };
    let kind = frame.world.ask(&Question::Kind(path.text().to_owned()));
    if !matches!(kind, Answer::Name(it) if it == "folder") {
        let own = of_place(place, frame);
        if own.recovery != Recovery::Recoverable {
            return own;
        }
    }
    match Outlook::from(frame.world.ask(&Question::Changed(path.text().to_owned()))) {
        found if found.recovery == Recovery::Unknown => of_place(place, frame),
        found => found,
    }
}

fn of_place(place: &Place, frame: &Frame<'_>) -> Outlook {
    let Some(path) = place
        .known()
        .and_then(|text| absolute(text, frame.cwd, frame.home()))
        .map(|path| path.settled(frame.world))
    else {
        return Outlook::new(Recovery::Unknown);
    };
    let artefact = || {
        if is_artefact(&path, frame) {
            Recovery::Artefact
        } else {
            Recovery::Unknown
        }
    };
    match place {
        Place::Exact(_) => match frame
            .world
            .ask(&Question::Standing(path.walked().to_owned()))
        {
            Answer::Standing(Standing::Absent) if !project_is_there(&path, frame) => {
                Outlook::new(artefact())
            }
            // What is ignored can be made again where its name says so; a local database or notes cannot.
            Answer::Standing(Standing::Ignored)
                if !is_artefact(&path, frame) || is_secret(&path, frame) =>
            {
                Outlook::new(Recovery::Unknown)
            }
            Answer::Standing(standing) => Outlook::from(Answer::Standing(standing)),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..) => Outlook::new(artefact()),
        },
        Place::Pattern(_) => {
            let folder = path
                .walked()
                .split(['*', '?', '['])
                .next()
                .and_then(|it| it.rsplit_once('/'));
            let folder = folder.map_or(
                "/",
                |(folder, _)| if folder.is_empty() { "/" } else { folder },
            );
            match Outlook::from(frame.world.ask(&Question::Standing(folder.to_owned()))) {
                found
                    if found.recovery == Recovery::Recoverable
                        && project_is_there(&path, frame) =>
                {
                    found
                }
                _ => Outlook::new(artefact()),
            }
        }
        Place::Under(_) | Place::Unknown => Outlook::new(Recovery::Unknown),
    }
}

/// Tells whether the project a path lies in is on this disk at all: of one that is not, nothing is known.
fn project_is_there(path: &Path, frame: &Frame<'_>) -> bool {
    let root = frame.roots.iter().find(|root| path.is_within(root));
    let Some(root) = root else { return true };
    matches!(
        frame.world.ask(&Question::Kind(root.clone())),
        Answer::Name(_)
    )
}

/// A push is harmless when it goes to a branch of its own on a remote of the project.
fn of_branch(effect: &Effect, frame: &Frame<'_>) -> Outlook {
    let names: Vec<&str> = effect
        .names()
        .iter()
        .map(String::as_str)
        .filter(|it| !matches!(*it, "lease" | "branch"))
        .collect();
    let [remote, branch] = names[..] else {
        return Outlook::new(Recovery::Unknown);
    };
    let branch = target_branch(branch);
    if branch == "?" || remote == "?" || branch.is_empty() {
        return Outlook::new(Recovery::Unknown);
    }
    if is_default(remote, branch, frame) {
        return Outlook::new(Recovery::Lost);
    }
    let question = Question::KnownRemote(frame.cwd.to_owned(), remote.to_owned());
    if frame.world.ask(&question) == Answer::No {
        // It was added, or led elsewhere, since the session began.
        return Outlook::new(Recovery::Unknown);
    }
    let own = match frame.world.ask(&Question::RemoteUrl(
        frame.cwd.to_owned(),
        remote.to_owned(),
    )) {
        Answer::Name(_) => true,
        Answer::Unknown => remote == "origin",
        Answer::Yes
        | Answer::No
        | Answer::Path(_)
        | Answer::Missing(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => false,
    };
    Outlook::new(if own {
        Recovery::Recoverable
    } else {
        Recovery::Unknown
    })
}

/// Returns the branch on the remote that a refspec names: `+a:b` is `b`.
fn target_branch(refspec: &str) -> &str {
    let refspec = refspec.trim_start_matches('+');
    let branch = refspec.rsplit_once(':').map_or(refspec, |(_, there)| there);
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}

fn is_default(remote: &str, branch: &str, frame: &Frame<'_>) -> bool {
    if is_default_branch(branch) {
        return true;
    }
    match frame.world.ask(&Question::DefaultBranch(
        frame.cwd.to_owned(),
        remote.to_owned(),
    )) {
        Answer::Name(name) => name == branch,
        Answer::Unknown
        | Answer::Yes
        | Answer::No
        | Answer::Path(_)
        | Answer::Missing(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => false,
    }
}

/// Tells whether a branch bears a name that others build on by custom.
#[must_use]
pub fn is_default_branch(branch: &str) -> bool {
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    SHARED.contains(&branch)
        || BEGINNINGS.iter().any(|it| branch.starts_with(it))
        || is_version(branch)
        || branch.contains(['*', ':', '+', '~', '^'])
}

/// Tells whether a name is a version, as tags are: `v1.4.1`.
fn is_version(name: &str) -> bool {
    let digits = name.strip_prefix('v').unwrap_or(name);
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains('.')
}

/// A signal is harmless where it reaches nothing but what this session started in the project.
fn of_processes(effect: &Effect, frame: &Frame<'_>) -> Outlook {
    let [by, which] = effect.names() else {
        return Outlook::new(Recovery::Unknown);
    };
    let here = Path::new(frame.cwd);
    let root = frame.roots.iter().find(|root| here.is_within(root));
    let Some(root) = root.filter(|_| which != "?") else {
        return Outlook::new(Recovery::Unknown);
    };
    let question = Question::OwnProcesses(root.clone(), by.clone(), which.clone());
    Outlook::if_yes(&frame.world.ask(&question))
}

/// Looking at a host that the person's own files name; not where anybody may publish, and with nothing read into it.
fn of_host(effect: &Effect, frame: &Frame<'_>) -> Outlook {
    let Target::Host(host) = &effect.target else {
        return Outlook::new(Recovery::Unknown);
    };
    let plain = effect.carries.is_nothing() && effect.at == At::Here && host != "?";
    if !plain || crate::is_shared_host(host) {
        return Outlook::new(Recovery::Unknown);
    }
    // A single word may stand in any file: what is reached by such a name the user has set up.
    if !host.contains('.') {
        let question = Question::NamedMachine(frame.cwd.to_owned(), host.clone());
        return Outlook::if_yes(&frame.world.ask(&question));
    }
    let question = Question::NamedHost(frame.cwd.to_owned(), host.clone());
    Outlook::if_yes(&frame.world.ask(&question))
}

/// Looking on a machine that both the user's own configuration and the project's files name; not at what holds secrets.
fn of_machine(effect: &Effect, machine: &str, frame: &Frame<'_>) -> Outlook {
    let plain = effect.carries.is_nothing() && effect.how != How::Secret && machine != "?";
    let known = match &effect.target {
        Target::Place(Place::Exact(path)) => {
            let path = Path::new(path);
            let scope = belay_places::scope_of(&path, frame);
            let secret = belay_places::is_secret(&path, frame);
            !secret && !matches!(scope, Scope::Credentials | Scope::Personal)
        }
        Target::Place(Place::Pattern(_) | Place::Under(_) | Place::Unknown) | Target::Host(_) => {
            false
        }
        Target::Names(names) => !names.iter().any(|it| it == "?"),
    };
    if !plain || !known || !effect.verb.only_looks() {
        return Outlook::new(Recovery::Unknown);
    }
    let question = Question::NamedMachine(frame.cwd.to_owned(), machine.to_owned());
    Outlook::if_yes(&frame.world.ask(&question))
}

/// Services of the project's own compose file start again as they were, and a migration of a database that lies on
/// this machine is made and unmade by the project's own files.
fn of_own(effect: &Effect, frame: &Frame<'_>) -> Outlook {
    let names: Vec<&str> = effect.names().iter().map(String::as_str).collect();
    let here = frame.cwd.to_owned();
    let question = match names.as_slice() {
        ["services", "own"] => Question::OwnServices(here),
        ["database" | "schema", "own", kind] => Question::OwnDatabase(here, (*kind).to_owned()),
        _ => return Outlook::new(Recovery::Unknown),
    };
    Outlook::if_yes(&frame.world.ask(&question))
}

fn of_package(effect: &Effect, frame: &Frame<'_>) -> Outlook {
    let [ecosystem, package] = effect.names() else {
        return Outlook::new(Recovery::Unknown);
    };
    let question = Question::Declared(frame.cwd.to_owned(), ecosystem.clone(), package.clone());
    Outlook::if_yes(&frame.world.ask(&question))
}
