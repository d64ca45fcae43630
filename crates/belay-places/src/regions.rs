//! The parts of a disk: project, home, temporary folders, system.

use std::borrow::Cow;

use belay_model::Scope;

use crate::frame::home_like;
use crate::lists::{SHARED, SYSTEM, TEMPS};
use crate::paths::{is_within, normal};
use crate::{Frame, Path};

/// Returns the project roots that give rights, normalised: not the root of everything, not a home
/// folder or above.
pub(crate) fn usable_roots<'a>(frame: &'a Frame<'_>) -> impl Iterator<Item = Cow<'a, str>> {
    let home = normal(frame.home());
    let absolute = frame.roots.iter().filter(|root| root.starts_with('/'));
    absolute.map(|root| normal(root)).filter(move |root| {
        *root != "/"
            && !is_within(&home, root)
            && home_like(root)
                .is_none_or(|it| it != *root || it == "/root" && frame.home() != "/root")
    })
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
    if SYSTEM.contains(&text) {
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

fn outside(path: &Path, frame: &Frame<'_>) -> Scope {
    let text = path.text();
    let temps = || {
        TEMPS
            .iter()
            .copied()
            .chain(frame.temps.iter().map(String::as_str))
    };
    if temps().any(|temp| normal(temp) == text) {
        return Scope::TempRoot;
    }
    if temps().any(|temp| temp.len() > 1 && path.is_within(temp)) {
        return Scope::Temp;
    }
    if path.is_within("/dev") {
        return Scope::Device;
    }
    if path.is_within(frame.home()) {
        return Scope::Home;
    }
    if SHARED.iter().any(|it| path.is_within(it)) {
        return Scope::Other;
    }
    if SYSTEM.iter().any(|it| path.is_within(it)) {
        return Scope::System;
    }
    Scope::Other
}
