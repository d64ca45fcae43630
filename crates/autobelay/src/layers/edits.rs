//! Layer 3: edits inside the project.

use belay_knowledge::ToolKind;
use belay_model::{Effect, How, Opinion, Reason, Scope, Verb, Verdict};

use crate::case::Case;

/// Lets an edit through that is plainly inside the project and adds nothing that runs or governs.
pub(crate) fn weigh(case: &mut Case<'_>) -> Opinion {
    match inside(case) {
        Ok(()) => {
            // What the edit writes belongs into the record.
            case.sight();
            Opinion::Settled(
                Verdict::Allow,
                Reason::new("This only edits files inside the project."),
            )
        }
        Err(why) => Opinion::Pass(Some(why)),
    }
}

fn inside(case: &Case<'_>) -> Result<(), String> {
    let request = &case.request;
    if !request.troubles.is_empty() {
        return Err("the call could not be read".to_owned());
    }
    match request.kind {
        Some(ToolKind::Edit | ToolKind::Notebook | ToolKind::Patch) => {}
        Some(_) | None => return Err("not an edit".to_owned()),
    }
    if request.effects.is_empty() {
        return Err("it names no file".to_owned());
    }
    request.effects.iter().try_for_each(|it| plain(it, case))
}

fn plain(effect: &Effect, case: &Case<'_>) -> Result<(), String> {
    let writes = effect.verb == Verb::Write && effect.how == How::Plain;
    let Some(place) = effect.place().filter(|_| writes) else {
        return Err(format!("`{effect}` is more than an edit"));
    };
    let known = place.known().unwrap_or_default();
    let reviewed = case.request.reviewed.iter().any(|it| it == known);
    let scopes = belay_places::scopes_of(effect, place, &case.frame);
    let open =
        |it: &&Scope| **it != Scope::Project && !(reviewed && **it == Scope::ExecutionBearing);
    match scopes.iter().find(open) {
        Some(scope) => Err(format!("`{place}` is in {scope}")),
        None => Ok(()),
    }
}
