//! Files that tools which only look must not read unasked.

use belay_model::Scope;
use belay_places::Frame;

use crate::request::Request;

/// Tells whether none of the files a call reads holds credentials.
pub(crate) fn unguarded(request: &Request<'_>, frame: &Frame<'_>) -> Result<(), String> {
    for effect in &request.effects {
        let Some(text) = effect.place().and_then(|it| it.known()) else {
            continue;
        };
        let Some(path) = belay_places::absolute(text, frame.cwd, frame.home()) else {
            continue;
        };
        let place = belay_model::Place::Exact(path.text().to_owned());
        let scopes = belay_places::scopes_of(effect, &place, frame);
        if scopes
            .iter()
            .any(|it| matches!(it, Scope::Credentials | Scope::Personal | Scope::Device))
        {
            return Err(format!("`{text}` holds secrets"));
        }
    }
    Ok(())
}
