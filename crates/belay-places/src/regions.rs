//! The parts of a disk: project, home, temporary folders, system.

use std::borrow::Cow;

use belay_model::{Answer, Effect, How, Question, Scope, Verb};

use crate::frame::home_like;
use crate::lists::{GOVERNED, SHARED, SOURCES, SYSTEM, TEMPS};
use crate::paths::{is_within, normal};
use crate::{Frame, Path};

/// Returns the project roots that give rights, normalised: not the root of everything, not a home
/// folder or above, not a part of the system.
pub(crate) fn usable_roots<'a>(frame: &'a Frame<'_>) -> impl Iterator<Item = Cow<'a, str>> {
    let home = normal(frame.home());
    let absolute = frame.roots.iter().filter(|root| root.starts_with('/'));
    absolute.map(|root| normal(root)).filter(move |root| {
        *root != "/"
            && !is_within(&home, root)
            && !is_governed(root, &home)
            && home_like(root)
                .is_none_or(|it| it != *root || it == "/root" && frame.home() != "/root")
    })
}

/// Returns where the project roots that give rights lead once links are followed, each with the root
/// as it is written; one that leads to a place no project can be in is not among them.
pub(crate) fn real_roots<'a>(frame: &'a Frame<'_>) -> impl Iterator<Item = (Cow<'a, str>, String)> {
    let home = real(frame.home(), frame);
    usable_roots(frame).filter_map(move |root| {
        let real = real(&root, frame);
        let usable = real != "/" && !is_within(&home, &real) && !is_governed(&real, &home);
        usable.then_some((root, real))
    })
}

/// Returns where a path leads once links are followed, or the path itself where nobody knows.
pub(crate) fn real(path: &str, frame: &Frame<'_>) -> String {
    match frame.world.ask(&Question::Resolve(path.to_owned())) {
        Answer::Path(real) => real,
        Answer::Unknown
        | Answer::Yes
        | Answer::No
        | Answer::Missing(_)
        | Answer::Name(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => normal(path).into_owned(),
    }
}

/// Returns where a path leads once links are followed, if anybody knows. Who deletes one file takes away the link, not what it leads to;
/// with a tree that is not so sure, as a slash behind it may be lost.
pub(crate) fn leads_to(effect: &Effect, path: &Path, frame: &Frame<'_>) -> Option<String> {
    let written = path.walked();
    let unlinks = effect.verb == Verb::Delete && effect.how == How::Plain;
    let (asked, name) = match written.rsplit_once('/') {
        Some((folder, name))
            if unlinks && !folder.is_empty() && !matches!(name, "" | "." | "..") =>
        {
            (folder, Some(name))
        }
        Some(_) | None => (written, None),
    };
    match frame.world.ask(&Question::Resolve(asked.to_owned())) {
        Answer::Path(real) | Answer::Missing(real) => Some(match name {
            Some(name) => Path::joined(&real, name).into_text(),
            None => real,
        }),
        Answer::Unknown
        | Answer::Yes
        | Answer::No
        | Answer::Name(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => None,
    }
}

/// Tells whether a folder belongs to the system, so that no project can lie in it: what is in home or
/// among temporary files does not, nor do the customary folders for sources.
fn is_governed(folder: &str, home: &str) -> bool {
    let depth = |list: &[&str]| deepest(folder, list.iter().copied());
    let Some(governed) = depth(GOVERNED) else {
        return false;
    };
    let other = depth(TEMPS).max(depth(SOURCES));
    let home = is_within(folder, home).then_some(home.len());
    other.max(home).is_none_or(|it| it < governed)
}

/// Returns the length of the deepest of some folders that a path lies in.
fn deepest<'a>(path: &str, folders: impl Iterator<Item = &'a str>) -> Option<usize> {
    // Most folders differ in their first letter: the rest is not compared then.
    let first = path.as_bytes().get(1);
    folders
        .filter(|it| it.len() > 1 && it.as_bytes().get(1) == first && is_within(path, it))
        .map(|it| it.trim_end_matches('/').len())
        .max()
}

/// Returns the part of the disk a path lies in, protected names aside.
pub(crate) fn region_of(path: &Path, frame: &Frame<'_>) -> Scope {
    let text = path.text();
    if text == "/" {
        return Scope::Root;
    }
    if is_within(&normal(frame.home()), text) || home_like(text).is_some_and(|it| it == text) {
        return Scope::HomeRoot;
    }
    let (mut above, mut inside) = (false, false);
    for root in usable_roots(frame) {
        if root == text {
            return Scope::ProjectRoot;
        }
        above |= is_within(&root, text);
        inside |= is_within(text, &root);
    }
    if SYSTEM.iter().any(|it| it.eq_ignore_ascii_case(text)) {
        return Scope::Root;
    }
    if above {
        return Scope::HomeRoot;
    }
    if inside {
        return Scope::Project;
    }
    outside(path, frame)
}

/// Returns the folders that hold what need not last.
pub fn temporary_folders() -> impl Iterator<Item = &'static str> {
    TEMPS.iter().copied()
}

/// Returns the part of the disk a path outside the project lies in: the innermost counts, and home
/// before all others of the same depth.
fn outside(path: &Path, frame: &Frame<'_>) -> Scope {
    let text = path.text();
    let named = frame.temps.iter().map(String::as_str);
    let temps = || TEMPS.iter().copied().chain(named.clone());
    if temps().any(|temp| normal(temp) == text) {
        return Scope::TempRoot;
    }
    let home = normal(frame.home());
    let home_temps = home_temps(&home, text);
    let depths = [
        (home_temps, Scope::Temp),
        (
            is_within(text, &home).then_some(home.trim_end_matches('/').len()),
            Scope::Home,
        ),
        (deepest(text, temps()), Scope::Temp),
        (deepest(text, ["/dev"].into_iter()), Scope::Device),
        (deepest(text, SHARED.iter().copied()), Scope::Other),
        (
            deepest(path.folded(), SYSTEM.iter().copied())
                .or_else(|| deepest(text, SYSTEM.iter().copied())),
            Scope::System,
        ),
    ];
    let mut found = (None, Scope::Other);
    for (depth, scope) in depths {
        if depth > found.0 {
            found = (depth, scope);
        }
    }
    found.1
}

/// Returns how deep the folder for temporary files lies that Windows keeps in home, if the path lies
/// below it.
fn home_temps(home: &str, text: &str) -> Option<usize> {
    let folder = "/AppData/Local/Temp";
    let rest = text.strip_prefix(home)?;
    let inside = rest.get(..folder.len())?.eq_ignore_ascii_case(folder);
    let below = rest.get(folder.len()..)?.starts_with('/');
    (inside && below).then_some(home.len() + folder.len())
}
