//! Modules that stand in front of those of the language.

use belay_model::{Answer, Question};

use crate::scene::Scene;

/// Returns the module that a new file would stand in front of: one at the top of what is searched for modules.
pub(super) fn shadowed<'p>(path: &'p str, scene: Scene<'_>) -> Option<&'p str> {
    let stem = path
        .strip_suffix(".py")
        .or_else(|| path.strip_suffix("/__init__.py"))?;
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let (folder, name) = stem.rsplit_once('/')?;
    if !scene.knowledge.lists("python-modules", name) {
        return None;
    }
    let world = scene.frame.world;
    let is_there = |path: String| world.ask(&Question::Kind(path));
    if matches!(is_there(path.to_owned()), Answer::Name(_)) {
        return None;
    }
    let mut roots = scene.frame.roots.iter();
    let top = roots.clone().any(|it| it == folder);
    // Programs start at the top of a project, or one folder below it.
    let below = |root: &String| {
        let rest = folder.strip_prefix(root.as_str())?.strip_prefix('/')?;
        (!rest.contains('/')).then_some(())
    };
    if !top && roots.find_map(below).is_none() {
        return None;
    }
    // A folder that is a package is not searched itself.
    match is_there(format!("{folder}/__init__.py")) {
        Answer::Missing(_) => {}
        Answer::Unknown if top => {}
        Answer::Unknown
        | Answer::Yes
        | Answer::No
        | Answer::Path(_)
        | Answer::Name(_)
        | Answer::Names(_)
        | Answer::Text(..)
        | Answer::Standing(_) => return None,
    }
    Some(name)
}
