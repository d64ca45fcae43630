//! What a call would take away, as a keeper is told. INVARIANT: all of it, or nothing.

use std::path::{Path as FilePath, PathBuf};

use belay_analysis::Invocation;
use belay_model::{Answer, At, Band, Effect, How, Place, Question, Scope, Standing, Verb};
use belay_places::{Frame, Path, absolute, is_artefact, is_secret, scope_of};
use belay_undo::{Doom, Loss, Sieve, Taken};

use crate::case::Case;
use crate::prompt;
use crate::request::Command;
use crate::sight::Finding;

/// Which files are never kept, by the places of the house.
pub(crate) struct OurSieve<'a>(pub(crate) &'a Frame<'a>);

impl Sieve for OurSieve<'_> {
    fn is_artefact(&self, path: &FilePath) -> bool {
        let Some(text) = path.to_str() else {
            return false;
        };
        // A name alone makes nothing an artefact: what git would keep, or does not know, is work.
        let question = Question::Standing(text.to_owned());
        is_artefact(&Path::new(text), self.0)
            && matches!(
                self.0.world.ask(&question),
                Answer::Standing(Standing::Ignored | Standing::Kept)
            )
    }

    fn is_secret(&self, path: &FilePath) -> bool {
        let path = Path::new(&path.to_string_lossy());
        let guarded = matches!(
            scope_of(&path, self.0),
            Scope::Credentials
                | Scope::AgentConfig
                | Scope::Gate
                | Scope::Startup
                | Scope::Personal
        );
        guarded || is_secret(&path, self.0)
    }

    fn is_ordinary(&self, path: &FilePath) -> bool {
        let scope = scope_of(&Path::new(&path.to_string_lossy()), self.0);
        matches!(
            scope,
            Scope::Project | Scope::ProjectRoot | Scope::ExecutionBearing
        )
    }
}

/// Returns the roots of the project.
pub(crate) fn roots(case: &Case<'_>) -> Vec<PathBuf> {
    case.frame.roots.iter().map(PathBuf::from).collect()
}

/// Returns what a person reads of the call: its command, or its tool.
pub(crate) fn subject(case: &Case<'_>) -> String {
    match case.request.commands.as_slice() {
        [Command::Text(text)] => (*text).to_owned(),
        [Command::Words(words)] => words.join(" "),
        _ => case.call.tool.clone(),
    }
}

/// Returns everything that would be lost, or why that cannot be told.
pub(crate) fn of(case: &Case<'_>) -> Result<Vec<Loss>, String> {
    let findings = &case.sight().findings;
    let last = findings.iter().rposition(|it| is_loss(case, it));
    let Some(last) = last else {
        return Err("belay does not know what would be lost".to_owned());
    };
    prompt::check(case)?;
    let mut losses = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        if is_loss(case, finding) {
            losses.extend(lost_by(case, at)?);
        } else if at < last {
            losses.extend(before(case, at, last)?);
        }
    }
    Ok(losses)
}

/// Tells whether an effect asks because work would be lost.
pub(crate) fn is_loss(case: &Case<'_>, finding: &Finding) -> bool {
    let weighed = &finding.weighed;
    weighed.kept && case.settings.thresholds.band(weighed.risk) > Band::Clear
}

/// Looks at an effect that comes before a loss: it must leave what will be lost as it is. What is moved is kept too, for
/// it may be lost under its other name.
fn before(case: &Case<'_>, at: usize, last: usize) -> Result<Option<Loss>, String> {
    let sight = case.sight();
    let Some(finding) = sight.findings.get(at) else {
        return Ok(None);
    };
    let effect = &finding.effect;
    match effect.verb {
        Verb::Read if waits(case, effect) => Err(format!("`{effect}` may wait for someone")),
        Verb::Read | Verb::Write | Verb::Delete | Verb::Mark | Verb::Probe | Verb::Query => {
            Ok(None)
        }
        Verb::Move => lost(case, effect).map(Some),
        // What the losing command itself does beside it.
        Verb::Change | Verb::History | Verb::Discard if loses_too(case, at) => Ok(None),
        // A link that takes a file's place leads nothing after it astray where nothing is lost after it.
        Verb::Link if own(case, at).is_some_and(|it| (it.from..it.to).contains(&last)) => Ok(None),
        Verb::Link
        | Verb::Change
        | Verb::History
        | Verb::Discard
        | Verb::Run
        | Verb::Eval
        | Verb::Fetch
        | Verb::Send
        | Verb::Listen
        | Verb::Install
        | Verb::Publish
        | Verb::Rewrite
        | Verb::Escalate
        | Verb::Signal
        | Verb::Persist
        | Verb::Configure
        | Verb::Destroy
        | Verb::Bypass
        | Verb::Launch
        | Verb::Unknown => Err(format!("`{effect}` comes before it")),
    }
}

/// Tells whether reading may wait until somebody writes: a pipe, a terminal.
fn waits(case: &Case<'_>, effect: &Effect) -> bool {
    let known = effect.place().and_then(|it| it.known());
    let path = known.and_then(|it| whole(case, it).ok());
    path.is_some_and(|it| {
        let kind = case.frame.world.ask(&Question::Kind(it));
        matches!(kind, Answer::Name(it) if it == "other")
    })
}

/// Tells whether the command of an effect is one that loses something.
fn loses_too(case: &Case<'_>, at: usize) -> bool {
    own(case, at).is_some_and(|it| {
        let findings = case.sight().findings.get(it.from..it.to);
        let mut findings = findings.unwrap_or_default().iter();
        findings.any(|it| is_loss(case, it))
    })
}

/// Returns the command that brings an effect about.
fn own<'a>(case: &'a Case<'_>, at: usize) -> Option<&'a Invocation> {
    let invocations = case.sight().invocations.iter();
    let around = invocations.filter(|it| (it.from..it.to).contains(&at));
    around.min_by_key(|it| it.to - it.from)
}

/// Says what an effect takes away, and what its command does to the repository besides.
fn lost_by(case: &Case<'_>, at: usize) -> Result<Vec<Loss>, String> {
    let Some(finding) = case.sight().findings.get(at) else {
        return Ok(Vec::new());
    };
    let effect = &finding.effect;
    let words = command(case, at);
    let by_git = words
        .first()
        .is_some_and(|it| case.knowledge.lists("repository-programs", it));
    match (effect.verb, effect.place()) {
        (Verb::Discard, None) => in_repository(case, effect, &words).map(|it| vec![it]),
        (_, Some(place)) if by_git => {
            let whole = Loss::Repository {
                folder: PathBuf::from(case.frame.cwd),
                doom: Doom::Tree {
                    below: below(case, place)?,
                    towards: after_name(&words),
                },
            };
            match effect.verb == Verb::Discard {
                true => Ok(vec![whole]),
                false => Ok(vec![whole, lost(case, effect)?]),
            }
        }
        (_, Some(_) | None) => lost(case, effect).map(|it| vec![it]),
    }
}

/// Returns the words of the command that brings an effect about; `?` for one that is not known.
fn command(case: &Case<'_>, at: usize) -> Vec<String> {
    let Some(own) = own(case, at) else {
        return Vec::new();
    };
    let words = own
        .argv
        .iter()
        .map(|it| it.clone().unwrap_or_else(|| "?".to_owned()));
    words.collect()
}

fn after_name(words: &[String]) -> Vec<String> {
    match words {
        [_, flag, _, rest @ ..] if flag == "-C" => rest.iter().skip(1).cloned().collect(),
        words => words.iter().skip(2).cloned().collect(),
    }
}

/// Returns what git is told to put back; everything where that is a pattern of its own.
fn below(case: &Case<'_>, place: &Place) -> Result<Vec<PathBuf>, String> {
    match place {
        Place::Exact(path) if !path.contains(['*', '?', '[', ':', '\\']) => {
            Ok(vec![PathBuf::from(whole(case, path)?)])
        }
        Place::Exact(_) | Place::Pattern(_) => Ok(Vec::new()),
        Place::Under(_) | Place::Unknown => Err(format!("belay cannot tell what `{place}` is")),
    }
}

/// Says what a repository loses.
fn in_repository(case: &Case<'_>, effect: &Effect, words: &[String]) -> Result<Loss, String> {
    let unknown = || format!("`{effect}` does not say what it removes");
    let (what, rest) = match effect.names() {
        [what, rest @ ..] if !rest.iter().any(|it| it == "?") => (what.as_str(), rest),
        _ => return Err(unknown()),
    };
    let (doom, folder) = match (what, rest) {
        ("working-tree", rest) => {
            let towards = after_name(words);
            (
                Doom::Tree {
                    below: Vec::new(),
                    towards,
                },
                rest.first(),
            )
        }
        ("untracked" | "ignored", rest) => {
            let elsewhere = |it: &&String| it.starts_with([':', '/']) || it.contains("..");
            if after_name(words).iter().any(|it| elsewhere(&it)) {
                return Err(unknown());
            }
            (
                Doom::Untracked {
                    ignored: what == "ignored",
                },
                rest.first(),
            )
        }
        ("stash", rest) => (Doom::Stash, rest.first()),
        ("commits", [towards, rest @ ..]) => (Doom::Behind(towards.clone()), rest.first()),
        ("branch", [name, rest @ ..]) => (Doom::Reference(name.clone()), rest.first()),
        _ => return Err(unknown()),
    };
    let folder = match folder {
        Some(folder) => whole(case, folder)?,
        None => case.frame.cwd.to_owned(),
    };
    Ok(Loss::Repository {
        folder: PathBuf::from(folder),
        doom,
    })
}

/// Says what an effect takes away.
fn lost(case: &Case<'_>, effect: &Effect) -> Result<Loss, String> {
    if effect.at != At::Here {
        return Err(format!("`{effect}` happens elsewhere"));
    }
    let taken = match (effect.verb, effect.how) {
        (Verb::Discard, _) => Taken::Written,
        // What is emptied before it is removed is emptied behind its links.
        (_, _) if is_written(case, effect) => Taken::Written,
        (_, How::Tree) => Taken::Tree,
        (_, _) => Taken::Unlinked,
    };
    match effect.place() {
        Some(Place::Exact(path)) => Ok(Loss::Place {
            path: PathBuf::from(whole(case, path)?),
            taken,
        }),
        Some(Place::Pattern(glob)) => Ok(Loss::Pattern {
            glob: whole(case, glob)?,
            taken,
        }),
        Some(Place::Under(_) | Place::Unknown) => {
            Err(format!("`{effect}` does not say what it removes"))
        }
        None => Err(format!("`{effect}` cannot be kept yet")),
    }
}

fn is_written(case: &Case<'_>, effect: &Effect) -> bool {
    let mut all = case.sight().findings.iter().map(|it| &it.effect);
    all.any(|it| it.verb == Verb::Write && it.target == effect.target)
}

/// Returns a path as the system walks it.
fn whole(case: &Case<'_>, short: &str) -> Result<String, String> {
    let path = absolute(short, case.frame.cwd, case.frame.home());
    let path = path.map(|it| it.settled(case.frame.world).walked().to_owned());
    path.ok_or_else(|| format!("belay cannot tell where `{short}` is"))
}
