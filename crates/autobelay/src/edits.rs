//! Layer 3: edits inside the project.

use belay_model::{Scope, Verb};
use belay_places::Frame;

use crate::request::Request;

/// Tells whether an edit is plainly inside the project and adds nothing that runs or governs.
pub(crate) fn inside(request: &Request<'_>, frame: &Frame<'_>) -> Result<(), String> {
    if request.effects.is_empty() {
        return Err("names no file".to_owned());
    }
    for effect in &request.effects {
        let Some(place) = effect.place() else {
            return Err(format!("`{effect}` is more than an edit"));
        };
        if effect.verb != Verb::Write || effect.how != belay_model::How::Plain {
            return Err(format!("`{effect}` is more than an edit"));
        }
        let known = place.known().unwrap_or_default();
        let reviewed = request.reviewed.iter().any(|it| it == known);
        let scopes = belay_places::scopes_of(effect, place, frame);
        let open =
            |it: &&Scope| **it != Scope::Project && !(reviewed && **it == Scope::ExecutionBearing);
        if let Some(scope) = scopes.iter().find(open) {
            return Err(format!("`{place}` lies in {scope}"));
        }
    }
    Ok(())
}
