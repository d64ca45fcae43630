//! Layer 3: edits inside the project.

use belay_model::{Effect, Scope, Verb};
use belay_policy::Frame;

/// Tells whether an edit is plainly inside the project and touches nothing that runs or governs.
pub(crate) fn inside(
    effects: &[Effect],
    contents: &[&str],
    frame: &Frame<'_>,
) -> Result<(), String> {
    if effects.is_empty() {
        return Err("names no file".to_owned());
    }
    for effect in effects {
        let Some(place) = effect.place() else {
            return Err("names no file".to_owned());
        };
        if effect.verb != Verb::Write {
            return Err(format!("`{effect}` is more than an edit"));
        }
        let scopes = belay_policy::scopes_of(effect, place, frame);
        if let Some(scope) = scopes.iter().find(|it| **it != Scope::Project) {
            return Err(format!("`{place}` lies in {scope}"));
        }
        let known = place.known().unwrap_or_default();
        if let Some(what) = governs(known, contents) {
            return Err(format!("`{place}` {what}"));
        }
    }
    Ok(())
}

/// Scripts of a manifest that run by themselves.
const LIFECYCLE: [&str; 9] = [
    "\"preinstall\"",
    "\"install\"",
    "\"postinstall\"",
    "\"prepare\"",
    "\"prepublish\"",
    "\"prepublishOnly\"",
    "\"preprepare\"",
    "\"postprepare\"",
    "\"dependencies:install\"",
];

/// Tells why what is written into a manifest would run by itself.
pub(crate) fn governs(path: &str, contents: &[&str]) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let runs = name == "package.json"
        && contents
            .iter()
            .any(|text| LIFECYCLE.iter().any(|it| text.contains(it)));
    runs.then_some("gains a script that runs by itself")
}
